use std::sync::Arc;

use log::info;

use super::{
    options::{NetworkFile, Options},
    reply::Reply,
    writer::Writer,
};
use crate::evaluator::{Network, NetworkError, NetworkKind, Policy, Recipe};

/// The networks in use, so that each is loaded once.
#[derive(Default)]
pub(super) struct Networks {
    evaluation: Slot<Network>,
    policy: Slot<Policy>,
}

/// A kind of network that an option names.
trait Named: NetworkKind {
    /// The option.
    const OPTION: &'static str;
}

impl Named for Network {
    const OPTION: &'static str = "EvalFile";
}

impl Named for Policy {
    const OPTION: &'static str = "PolicyFile";
}

/// The network of an option.
struct Slot<T> {
    loaded: Option<Loaded<T>>,
    /// The setting of the option that was last obeyed, or reported as one that cannot be.
    answered: Option<u64>,
}

struct Loaded<T> {
    /// The value of the option that it was loaded for.
    name: String,
    network: Arc<T>,
}

impl<T> Default for Slot<T> {
    fn default() -> Slot<T> {
        Slot { loaded: None, answered: None }
    }
}

impl<T: Named> Slot<T> {
    /// The network that the option names. If it cannot be loaded, that is reported once, and the last one that could
    /// is used.
    ///
    /// # Errors
    /// If there is none to go back to.
    fn load(&mut self, file: &NetworkFile, writer: &Writer) -> Result<Arc<T>, NetworkError> {
        if let Some(loaded) = &self.loaded
            && self.answered == Some(file.setting)
        {
            return Ok(Arc::clone(&loaded.network));
        }
        self.answered = Some(file.setting);
        match self.open(&file.name) {
            Err(error) if !file.name.is_empty() => {
                let option = T::OPTION;
                writer.send(&Reply::Error(format!("option {option}: {error}; the network in use stays")));
                match &self.loaded {
                    Some(loaded) => Ok(Arc::clone(&loaded.network)),
                    None => self.open(""),
                }
            }
            result => result,
        }
    }

    fn open(&mut self, name: &str) -> Result<Arc<T>, NetworkError> {
        let file = if name.is_empty() { T::DEFAULT } else { name };
        let network = Arc::new(T::open(file)?);
        info!("network {file} loaded");
        self.loaded = Some(Loaded { name: name.to_owned(), network: Arc::clone(&network) });
        Ok(network)
    }
}

impl Networks {
    /// True if nothing needs to be loaded before these options can be used.
    pub fn are_ready_for(&self, options: &Options) -> bool {
        (!options.wants_network() || self.evaluation.answered == Some(options.eval_file.setting))
            && (!options.wants_policy() || self.policy.answered == Some(options.policy_file.setting))
    }

    /// Loads what these options want.
    ///
    /// # Errors
    /// If they need a network, and none can be loaded.
    pub fn prepare(&mut self, options: &Options, writer: &Writer) -> Result<(), NetworkError> {
        if options.wants_policy() {
            self.policy(options, writer)?;
        }
        self.recipe(options, writer).map(drop)
    }

    /// The policy that the options ask for.
    ///
    /// # Errors
    /// If none can be loaded.
    pub fn policy(&mut self, options: &Options, writer: &Writer) -> Result<Arc<Policy>, NetworkError> {
        self.policy.load(&options.policy_file, writer)
    }

    /// The policy in use, if one was loaded.
    pub fn loaded_policy(&self) -> Option<Arc<Policy>> {
        self.policy.loaded.as_ref().map(|loaded| Arc::clone(&loaded.network))
    }

    /// The evaluator that the options ask for.
    ///
    /// # Errors
    /// If it needs a network, and none can be loaded.
    pub fn recipe(&mut self, options: &Options, writer: &Writer) -> Result<Recipe, NetworkError> {
        if !options.wants_network() {
            return Ok(Recipe::Material);
        }
        let network = self.evaluation.load(&options.eval_file, writer)?;
        // A name that leads nowhere is no wish for a network.
        let is_named = self.evaluation.loaded.as_ref().is_some_and(|loaded| !loaded.name.is_empty());
        if !options.would_want_network(is_named) {
            return Ok(Recipe::Material);
        }
        Ok(options.backend.recipe(network).expect("a backend that this build lacks is refused"))
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn a_network_is_loaded_only_where_one_is_wanted() {
        let mut options = Options::default();
        options.set("Method", Some("negamax")).unwrap();
        let mut networks = Networks::default();
        let writer = Writer::new(io::sink());
        networks.policy(&options, &writer).unwrap();
        let mut recipe = |constraint| {
            options.set("Constraint", Some(constraint)).unwrap();
            let ready = networks.are_ready_for(&options);
            let recipe = networks.recipe(&options, &writer).unwrap();
            assert!(networks.are_ready_for(&options));
            (ready, recipe.name().to_owned(), networks.evaluation.loaded.is_some())
        };
        assert_eq!(recipe("q=0"), (true, "material".to_owned(), false));
        assert_eq!(recipe("(1,2,1,1,7)"), (false, Network::DEFAULT.to_owned(), true));
        assert_eq!(recipe("(1,2,1,1,7)"), (true, Network::DEFAULT.to_owned(), true));
    }

    #[test]
    fn a_policy_is_loaded_where_it_plays_or_generates() {
        let (mut options, mut networks) = (Options::default(), Networks::default());
        let writer = Writer::new(io::sink());
        assert!(networks.are_ready_for(&options));
        options.set("UCI_LimitStrength", Some("true")).unwrap();
        assert!(!networks.are_ready_for(&options), "it plays");
        options.set("Evaluator", Some("material")).unwrap();
        assert!(networks.are_ready_for(&options));
        options.set("Constraint", Some("q=0")).unwrap();
        assert!(networks.are_ready_for(&options));
        options.set("Method", Some("goal-policy")).unwrap();
        assert!(!networks.are_ready_for(&options), "it generates");
        networks.prepare(&options, &writer).unwrap();
        assert!(networks.are_ready_for(&options));
        options.set("PolicyFile", Some("no/such/file.onnx")).unwrap();
        assert!(!networks.are_ready_for(&options));
        assert_eq!(networks.policy(&options, &writer).unwrap().name(), Policy::DEFAULT);
        options.set("Method", Some("negamax")).unwrap();
        options.set("PolicyFile", Some("")).unwrap();
        assert!(networks.are_ready_for(&options), "negamax needs none");
    }

    #[test]
    fn a_name_that_leads_nowhere_is_no_wish_for_a_network() {
        let mut options = Options::default();
        options.set("Constraint", Some("q=0")).unwrap();
        options.set("EvalFile", Some("no/such/file.onnx")).unwrap();
        let mut networks = Networks::default();
        let writer = Writer::new(io::sink());
        networks.policy(&options, &writer).unwrap();
        let recipe = networks.recipe(&options, &writer).unwrap();
        assert_eq!(recipe.name(), "material");
        assert!(networks.are_ready_for(&options), "it is not tried again until it is set again");
        options.set("EvalFile", Some("no/such/file.onnx")).unwrap();
        assert!(!networks.are_ready_for(&options));
    }
}
