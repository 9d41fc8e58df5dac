/// How many nodes a move the competitive search may have to play about as strongly as a rating says.
///
/// The rating is that of Stockfish 15.1's `UCI_Elo`: a straight line through matches against it at fixed nodes, see
/// docs/protocol.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength;

impl Strength {
    /// The weakest there is.
    pub const WEAKEST: u32 = 1200;
    /// The strongest there is.
    pub const STRONGEST: u32 = 2200;
    /// What a stranger is given.
    pub const DEFAULT: u32 = 1500;

    /// The nodes for a rating.
    pub fn nodes(elo: u32) -> u64 {
        let elo = f64::from(elo.clamp(Strength::WEAKEST, Strength::STRONGEST));
        10f64.powf(2.0 + (elo - 1400.0) / 250.0).round() as u64
    }
}
