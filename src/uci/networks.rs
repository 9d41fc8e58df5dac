use std::sync::Arc;

use super::{options::Options, reply::Reply, writer::Writer};
use crate::evaluator::{DEFAULT_NETWORK, Network, NetworkError, Recipe};

/// The network in use, so that each is loaded once.
#[derive(Default)]
pub(super) struct Networks {
    loaded: Option<Loaded>,
}

struct Loaded {
    /// The value of `EvalFile` that it was loaded for.
    eval_file: String,
    network: Arc<Network>,
}

impl Networks {
    /// The evaluator that the options ask for.
    ///
    /// # Errors
    /// If it needs a network, and none can be loaded.
    pub fn recipe(&mut self, options: &mut Options, writer: &Writer) -> Result<Recipe, NetworkError> {
        if !options.wants_network() {
            return Ok(Recipe::Material);
        }
        let network = self.load(options, writer)?;
        // Whether `EvalFile` could be loaded decides what it names now.
        Ok(if options.wants_network() { Recipe::Network(network) } else { Recipe::Material })
    }

    /// The network that `EvalFile` names. If it cannot be loaded, that is reported and the option goes
    /// back to the last one that could.
    ///
    /// # Errors
    /// If there is none to go back to.
    pub fn load(&mut self, options: &mut Options, writer: &Writer) -> Result<Arc<Network>, NetworkError> {
        if let Some(loaded) = &self.loaded
            && !options.eval_file_is_set
        {
            return Ok(Arc::clone(&loaded.network));
        }
        options.eval_file_is_set = false;
        let name = if options.eval_file.is_empty() { DEFAULT_NETWORK } else { &options.eval_file };
        match Network::open(name) {
            Ok(network) => {
                let network = Arc::new(network);
                let eval_file = options.eval_file.clone();
                self.loaded = Some(Loaded { eval_file, network: Arc::clone(&network) });
                Ok(network)
            }
            Err(error) if self.loaded.is_none() && options.eval_file.is_empty() => Err(error),
            Err(error) => {
                writer.send(&Reply::Error(format!("option EvalFile: {error}; the network in use stays")));
                let loaded = self.loaded.as_ref();
                options.eval_file = loaded.map_or(String::new(), |loaded| loaded.eval_file.clone());
                self.load(options, writer)
            }
        }
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
            let recipe = networks.recipe(&mut options, &writer).unwrap();
            (recipe.name().to_owned(), networks.loaded.is_some())
        };
        assert_eq!(recipe("q=0"), ("material".to_owned(), false));
        assert_eq!(recipe("(1,2,1,1,7)"), (DEFAULT_NETWORK.to_owned(), true));
    }
}
