//! Proof games. The shortest ones: the fewest plies in which a game reaches a diagram, with a proof that fewer do not suffice.
//!
//! [`shortest()`] takes a [`ProofGoal`], a diagram and where games begin, and returns a [`Shortest`]: games, and the
//! length below which there are none. The search is iterative-deepening A* (Korf 1985) over the length of the game,
//! with each side's moves counted separately. For every position, [`ProofGoal`] computes a lower bound on the moves
//! that each side still needs, and a line is pruned if a side has fewer moves left. Positions from which the diagram
//! was not reached with a given number of plies left are stored in a table of bounded size, which all threads share.
//! The games found do not depend on the number of threads or the size of the table.
//!
//! Games that need not be short are found by [`BestFirst`](crate::BestFirst), and [`shorter`] by beams. To diagrams with
//! promoted pieces, [`KernelGames`] finds games by a plan of captures and promotions.

mod bounds;
mod descent;
mod expansion;
mod failures;
mod goal;
mod kernel;
mod keys;
mod line;
mod shorter;
mod shortest;
mod target;
mod victims;

#[cfg(test)]
mod tests;

pub use goal::ProofGoal;
pub use kernel::KernelGames;
pub use line::{LineError, ProblemLine};
pub use shorter::shorter;
pub use shortest::{ProofOptions, ProofProgress, Shortest, shortest};
pub use target::diagram_target;
