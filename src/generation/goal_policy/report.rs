/// How a game of the policy came about.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report {
    /// The sum of −ln of what people without a goal would have given the moves, in nats.
    pub surprise: f64,
    /// The plies that the surprise is of.
    pub judged: u32,
    /// The sum of what the mask took away, each ply in [0, 1].
    pub masked: f64,
    /// Plies played while the plies were running out.
    pub tilted: u32,
    /// Plies played by search.
    pub finished: u32,
}
