use std::sync::Arc;

use super::{options::Options, reply::Reply, writer::Writer};
use crate::{
    constraint::Goal,
    evaluator::{DEFAULT_NETWORK, Network, NetworkError, Recipe},
    generation::EvaluatorChoice,
};

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
    pub fn recipe(
        &mut self,
        options: &mut Options,
        goal: &Goal,
        writer: &Writer,
    ) -> Result<Recipe, NetworkError> {
        if options.evaluator != EvaluatorChoice::Material {
            // Whether `EvalFile` can be loaded decides what it names below.
            self.load(options, writer)?;
        }
        let wanted = options.evaluator.wants_network(!options.eval_file.is_empty(), goal);
        Ok(if wanted { Recipe::Network(self.load(options, writer)?) } else { Recipe::Material })
    }

    /// The network that `EvalFile` names. If it cannot be loaded, that is reported and the option goes
    /// back to the last one that could.
    ///
    /// # Errors
    /// If there is none to go back to.
    pub fn load(&mut self, options: &mut Options, writer: &Writer) -> Result<Arc<Network>, NetworkError> {
        if let Some(loaded) = &self.loaded
            && loaded.eval_file == options.eval_file
        {
            return Ok(Arc::clone(&loaded.network));
        }
        let eval_file = options.eval_file.clone();
        let error = match Network::open(if eval_file.is_empty() { DEFAULT_NETWORK } else { &eval_file }) {
            Ok(network) => {
                let network = Arc::new(network);
                self.loaded = Some(Loaded { eval_file, network: Arc::clone(&network) });
                return Ok(network);
            }
            Err(error) => error,
        };
        options.eval_file = self.loaded.as_ref().map_or(String::new(), |loaded| loaded.eval_file.clone());
        if eval_file == options.eval_file {
            return Err(error);
        }
        writer.send(&Reply::Error(format!("option EvalFile: {error}; the network in use stays")));
        self.load(options, writer)
    }
}
