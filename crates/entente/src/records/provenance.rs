use shakmaty::Chess;

use crate::generation::Job;

/// What all positions of a run have in common.
#[derive(Clone, Debug)]
pub struct Provenance {
    /// The event in PGN.
    pub event: String,
    /// The player of both sides in PGN.
    pub player: String,
    /// The position from which proof games start.
    pub root: Chess,
    /// The constraint as text.
    pub constraint: String,
    /// The method, with its depth and evaluator.
    pub method: String,
    /// The seed of the run.
    pub seed: u64,
}

impl Provenance {
    /// The provenance of the positions that a job generates.
    pub fn of(job: &Job) -> Provenance {
        Provenance {
            root: job.root.clone(),
            constraint: job.target.constraint.to_string(),
            method: job.description.clone(),
            seed: job.seed,
            ..Provenance::of_program()
        }
    }

    /// The names that all runs of this program have in PGN; everything else is empty.
    pub fn of_program() -> Provenance {
        Provenance {
            event: "Entente proof game".to_owned(),
            player: "Entente".to_owned(),
            root: Chess::default(),
            constraint: String::new(),
            method: String::new(),
            seed: 0,
        }
    }
}
