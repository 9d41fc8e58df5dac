use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use sha2::{Digest, Sha256};

use super::{Entrant, Plan, schedule};
use crate::{
    constraint::Target,
    evaluator::{Network, NetworkError, NetworkKind, NetworkSource, Policy, Recipe, read_network},
    generation::{Context, GenerationError, Generator, Settings},
    search::position_from_fen,
};

/// An entrant and a constraint, ready to generate.
#[derive(Clone, Debug)]
pub struct Pairing {
    /// The entrant's name.
    pub entrant: String,
    /// How it generates for the constraint.
    pub settings: Settings,
    /// What values positions.
    pub recipe: Recipe,
    /// What its games have in common in every format.
    pub context: Context,
}

impl Pairing {
    /// Prepares `entrant` to generate for `target`, all of which is tried once.
    ///
    /// # Errors
    /// The option at fault and what is wrong with it.
    pub(super) fn new(
        plan: &Plan,
        entrant: &Entrant,
        target: &Target,
        networks: &mut Networks,
    ) -> Result<Pairing, (&'static str, String)> {
        let resolved = entrant.request.resolve(target, networks);
        let (method, recipe) = resolved.map_err(|error| (error.option(), error.reason))?;
        let constraint = target.constraint.to_string();
        let seed = schedule::seed(plan.seed, &entrant.name, &constraint);
        let root = position_from_fen(&plan.root).unwrap_or_default();
        let settings = Settings {
            root: root.clone(),
            max_plies: plan.max_plies,
            budget: entrant.request.budget(&method),
            seed,
            ..Settings::new(target.clone(), method)
        };
        let pairing = Pairing {
            entrant: entrant.name.clone(),
            context: Context {
                event: plan.name.clone(),
                player: entrant.name.clone(),
                root,
                constraint,
                method: method.describe(&recipe),
                seed,
            },
            settings,
            recipe,
        };
        pairing.generator().map_err(|error| match error {
            // The default one, where none is named.
            GenerationError::Network(error) if entrant.request.network.is_none() => {
                ("evaluator", error.to_string())
            }
            GenerationError::Network(error) => ("network", error.to_string()),
            error => ("method", error.to_string()),
        })?;
        Ok(pairing)
    }

    /// What generates its games.
    ///
    /// # Errors
    /// Those of [`Generator::new`].
    pub fn generator(&self) -> Result<Generator, GenerationError> {
        Generator::new(self.settings.clone(), &self.recipe)
    }
}

/// The networks of a plan, each loaded once.
pub(super) struct Networks {
    /// Where their names lead from.
    folder: PathBuf,
    networks: HashMap<String, Arc<Network>>,
    policies: HashMap<String, Arc<Policy>>,
    digests: HashMap<String, String>,
}

impl NetworkSource for Networks {
    fn network(&mut self, name: &str) -> Result<Arc<Network>, NetworkError> {
        let Networks { folder, networks, digests, .. } = self;
        loaded(name, folder, networks, digests)
    }

    fn policy(&mut self, name: &str) -> Result<Arc<Policy>, NetworkError> {
        let Networks { folder, policies, digests, .. } = self;
        loaded(name, folder, policies, digests)
    }
}

/// The network of that name: embedded, among those already there, or a file, wherever the plan was read from, whose digest
/// is noted.
fn loaded<T: NetworkKind>(
    name: &str,
    folder: &Path,
    networks: &mut HashMap<String, Arc<T>>,
    digests: &mut HashMap<String, String>,
) -> Result<Arc<T>, NetworkError> {
    if let Some(network) = networks.get(name) {
        return Ok(Arc::clone(network));
    }
    let network = Arc::new(match T::embedded(name) {
        Some(bytes) => T::from_bytes(name, bytes)?,
        None => {
            let bytes = read_network(&folder.join(name))?;
            digests.insert(name.to_owned(), hexadecimal(&Sha256::digest(&bytes)));
            T::from_bytes(name, &bytes)?
        }
    });
    networks.insert(name.to_owned(), Arc::clone(&network));
    Ok(network)
}

impl Networks {
    pub fn new(folder: PathBuf) -> Networks {
        Networks { folder, networks: HashMap::new(), policies: HashMap::new(), digests: HashMap::new() }
    }

    /// The SHA-256 of a network's file, if it was opened.
    pub fn digest(&self, name: &str) -> Option<String> {
        self.digests.get(name).cloned()
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
