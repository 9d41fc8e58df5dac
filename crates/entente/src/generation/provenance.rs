use shakmaty::{Chess, EnPassantMode, fen::Fen};

/// What all positions of a run have in common.
#[derive(Clone, Debug)]
pub struct Provenance {
    /// What the games belong to, in PGN.
    pub event: String,
    /// Who played both sides, in PGN.
    pub player: String,
    /// The position that proof games start from.
    pub root: Chess,
    /// The constraint as text.
    pub constraint: String,
    /// The method, with depth and evaluator.
    pub method: String,
    /// The run's seed.
    pub seed: u64,
}

/// The FEN of a position, with an en passant square only where it can be taken.
pub fn fen(position: &Chess) -> Fen {
    Fen::from_position(position, EnPassantMode::Legal)
}
