use entente::{
    engine::Networks,
    generation::{GenerationError, Generator, Job, Provenance, Request},
    settings::{GenerationSettings, Setting},
};
use entente_constraint::Target;
use entente_search::position_from_fen;

use super::{Entrant, Plan, schedule};

/// An entrant and a constraint, ready to generate.
#[derive(Clone, Debug)]
pub struct Pairing {
    /// The entrant's name.
    pub entrant: String,
    /// How it generates for the constraint.
    pub job: Job,
    /// What its games have in common in every format.
    pub context: Provenance,
}

impl Pairing {
    /// Prepares `entrant` to generate for `target`, all of which is tried once.
    ///
    /// # Errors
    /// The setting at fault and what is wrong with it.
    pub(crate) fn new(
        plan: &Plan,
        entrant: &Entrant,
        target: &Target,
        networks: &mut Networks,
    ) -> Result<Pairing, (Option<Setting>, String)> {
        let constraint = target.constraint.to_string();
        let seed = schedule::seed(plan.seed, &entrant.name, &constraint);
        let root = position_from_fen(&plan.root).unwrap_or_default();
        let settings =
            GenerationSettings { seed: Some(seed), max_plies: plan.max_plies, ..entrant.settings.clone() };
        let request = Request { root: root.clone(), ..Request::new(target.clone(), settings) };
        let job = request.resolve_strictly(networks);
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
            // The default one, where none is named.
            GenerationError::Network(error) if entrant.settings.network.is_none() => {
                (Some(Setting::Evaluator), format!("evaluator: {error}"))
            }
            GenerationError::Network(error) => (Some(Setting::Network), format!("network: {error}")),
            GenerationError::Judge(error) => (Some(Setting::Judge), error.to_string()),
            error => (Some(Setting::Method), format!("method: {error}")),
        })?;
        Ok(pairing)
    }

    /// What generates its games.
    ///
    /// # Errors
    /// Those of [`Generator::new`].
    pub fn generator(&self) -> Result<Generator, GenerationError> {
        Generator::new(self.job.clone())
    }
}
