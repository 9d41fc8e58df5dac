use shakmaty::Chess;

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
