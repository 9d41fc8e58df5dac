use entente::{
    engine::Engine,
    generation::{GenerationError, Generator, Job, Request},
    records::Provenance,
    settings::Setting,
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
        engine: &mut Engine,
    ) -> Result<Pairing, (Option<Setting>, String)> {
        let constraint = target.constraint.to_string();
        let seed = schedule::seed(plan.seed, &entrant.name, &constraint);
        let root = position_from_fen(&plan.root).unwrap_or_default();
        let settings = entrant.settings.clone().changed(|settings| {
            (settings.seed, settings.max_plies) = (Some(seed), plan.max_plies);
        });
        let request = Request::new(target.clone(), settings).from_root(root.clone());
        // All targets of a plan are known to be within reach.
        let job = engine.job_within_reach(&request);
        let job = job.map_err(|error| (error.setting(), error.to_string()))?;
        let pairing = Pairing {
            entrant: entrant.name.clone(),
            context: Provenance {
                event: plan.name.clone(),
                player: entrant.name.clone(),
                root,
                constraint,
                method: job.description.clone(),
                seed,
            },
            job,
        };
        pairing.generator().map_err(|error| match error {
            // Without a setting `network`, the evaluator chooses the network.
            GenerationError::Network(error) if entrant.settings.network.is_none() => {
                (Some(Setting::Evaluator), format!("evaluator: {error}"))
            }
            GenerationError::Network(error) => (Some(Setting::Network), format!("network: {error}")),
            GenerationError::Judge(error) => (Some(Setting::Judge), error.to_string()),
            error => (Some(Setting::Method), format!("method: {error}")),
        })?;
        Ok(pairing)
    }

    /// A generator for its games.
    ///
    /// # Errors
    /// Those of [`Engine::generator`].
    pub fn generator(&self) -> Result<Generator, GenerationError> {
        Engine::generator(&self.job)
    }
}
