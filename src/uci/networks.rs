use std::sync::Arc;

use log::info;

use super::{options::Options, reply::Reply, writer::Writer};
use crate::evaluator::{DEFAULT_NETWORK, Network, NetworkError, Recipe};

/// The network in use, so that each is loaded once.
#[derive(Default)]
pub(super) struct Networks {
    loaded: Option<Loaded>,
    /// The setting of `EvalFile` that was last obeyed, or reported as one that cannot be.
    answered: Option<u64>,
}

struct Loaded {
    /// The value of `EvalFile` that it was loaded for.
    eval_file: String,
    network: Arc<Network>,
}

impl Networks {
    /// True if nothing needs to be loaded before these options can be used.
    pub fn are_ready_for(&self, options: &Options) -> bool {
        !options.wants_network() || self.answered == Some(options.eval_file.setting)
    }

    /// The evaluator that the options ask for.
    ///
    /// # Errors
    /// If it needs a network, and none can be loaded.
    pub fn recipe(&mut self, options: &Options, writer: &Writer) -> Result<Recipe, NetworkError> {
        if !options.wants_network() {
            return Ok(Recipe::Material);
        }
        let network = self.load(options, writer)?;
        // A name that leads nowhere is no wish for a network.
        let is_named = self.loaded.as_ref().is_some_and(|loaded| !loaded.eval_file.is_empty());
        if !options.would_want_network(is_named) {
            return Ok(Recipe::Material);
        }
        Ok(options.backend.recipe(network).expect("a backend that this build lacks is refused"))
    }

    /// The network that `EvalFile` names. If it cannot be loaded, that is reported once, and the last one that
    /// could is used.
    ///
    /// # Errors
    /// If there is none to go back to.
    pub fn load(&mut self, options: &Options, writer: &Writer) -> Result<Arc<Network>, NetworkError> {
        let eval_file = &options.eval_file;
        if let Some(loaded) = &self.loaded
            && self.answered == Some(eval_file.setting)
        {
            return Ok(Arc::clone(&loaded.network));
        }
        self.answered = Some(eval_file.setting);
        match self.open(&eval_file.name) {
            Err(error) if !eval_file.name.is_empty() => {
                writer.send(&Reply::Error(format!("option EvalFile: {error}; the network in use stays")));
                match &self.loaded {
                    Some(loaded) => Ok(Arc::clone(&loaded.network)),
                    None => self.open(""),
                }
            }
            result => result,
        }
    }

    fn open(&mut self, eval_file: &str) -> Result<Arc<Network>, NetworkError> {
        let network =
            Arc::new(Network::open(if eval_file.is_empty() { DEFAULT_NETWORK } else { eval_file })?);
        info!("network {} loaded", network.name());
        self.loaded = Some(Loaded { eval_file: eval_file.to_owned(), network: Arc::clone(&network) });
        Ok(network)
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn a_network_is_loaded_only_where_one_is_wanted() {
        let mut options = Options::default();
        let mut networks = Networks::default();
        let writer = Writer::new(io::sink());
        let mut recipe = |constraint| {
            options.set("Constraint", Some(constraint)).unwrap();
            let ready = networks.are_ready_for(&options);
            let recipe = networks.recipe(&options, &writer).unwrap();
            assert!(networks.are_ready_for(&options));
            (ready, recipe.name().to_owned(), networks.loaded.is_some())
        };
        assert_eq!(recipe("q=0"), (true, "material".to_owned(), false));
        assert_eq!(recipe("(1,2,1,1,7)"), (false, DEFAULT_NETWORK.to_owned(), true));
        assert_eq!(recipe("(1,2,1,1,7)"), (true, DEFAULT_NETWORK.to_owned(), true));
    }

    #[test]
    fn a_name_that_leads_nowhere_is_no_wish_for_a_network() {
        let mut options = Options::default();
        options.set("Constraint", Some("q=0")).unwrap();
        options.set("EvalFile", Some("no/such/file.onnx")).unwrap();
        let mut networks = Networks::default();
        let recipe = networks.recipe(&options, &Writer::new(io::sink())).unwrap();
        assert_eq!(recipe.name(), "material");
        assert!(networks.are_ready_for(&options), "it is not tried again until it is set again");
        options.set("EvalFile", Some("no/such/file.onnx")).unwrap();
        assert!(!networks.are_ready_for(&options));
    }
}
