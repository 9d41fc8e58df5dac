use entente::{
    engine::Networks,
    generation::{GenerationError, Generator, Job, Provenance, Request},
    settings::Settings,
};
use entente_constraint::Target;
use entente_search::position_from_fen;

use super::{Entrant, Plan, schedule};

/// An entrant and a constraint, ready to generate.
#[derive(Clone, Debug)]
pub struct Pairing {
    /// The entrant's name.
    pub entrant: String,
    /// The job that generates its games.
    pub job: Job,
    /// What all its games have in common, in every format.
    pub context: Provenance,
}

impl Pairing {
    /// Prepares `entrant` to generate for `target`, and checks that its network and judge can be used.
    ///
    /// # Errors
    /// The name of the wrong setting, and what is wrong with it.
    pub(crate) fn new(
        plan: &Plan,
        entrant: &Entrant,
        target: &Target,
        networks: &mut Networks,
    ) -> Result<Pairing, (String, String)> {
        let constraint = target.constraint.to_string();
        let seed = schedule::seed(plan.seed, &entrant.name, &constraint);
        let root = position_from_fen(&plan.root).unwrap_or_default();
        let settings = Settings { seed: Some(seed), max_plies: plan.max_plies, ..entrant.settings.clone() };
        let request = Request { root: root.clone(), ..Request::new(target.clone(), settings) };
        let job = request.resolve_strictly(networks);
        let job = job.map_err(|error| (error.setting().to_owned(), error.to_string()))?;
        let pairing = Pairing {
            entrant: entrant.name.clone(),
            context: Provenance {
                event: plan.name.clone(),
                player: entrant.name.clone(),
                root,
                constraint,
                method: job.describe(),
                seed,
            },
            job,
        };
        pairing.generator().map_err(|error| match error {
            // Without a setting `network`, the evaluator chooses the network.
            GenerationError::Network(error) if entrant.settings.network.is_none() => {
                ("evaluator".to_owned(), format!("evaluator: {error}"))
            }
            GenerationError::Network(error) => ("network".to_owned(), format!("network: {error}")),
            GenerationError::Judge(error) => ("judge".to_owned(), error.to_string()),
            error => ("method".to_owned(), format!("method: {error}")),
        })?;
        Ok(pairing)
    }

    /// A generator for its games.
    ///
    /// # Errors
    /// See [`Generator::new`].
    pub fn generator(&self) -> Result<Generator, GenerationError> {
        Generator::new(self.job.clone())
    }
}
