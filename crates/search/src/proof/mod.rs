//! Shortest proof games: the least number of plies in which games come to a diagram, with proof that fewer are too few.
//!
//! In comes a [`Problem`](entente_constraint::legality::Problem); out comes a [`Shortest`]: games, and the length below which there
//! are none. The search is iterative deepening over the length of the game, as Korf's (1985), with each side's moves
//! counted apart: [`Goal`] gives for every position the least number of moves that each side still needs, and a line ends
//! where a side has fewer left. Positions that failed with so many plies left are remembered in a table of bounded size,
//! which all threads share. With two threads or ten, and however large the table, the games found are the same.

mod bounds;
mod descent;
mod expansion;
mod failures;
mod goal;
mod keys;
mod line;
mod shorter;
mod shortest;
mod victims;

#[cfg(test)]
mod tests;

pub use goal::Goal;
pub use line::{LineError, ProblemLine};
pub use shorter::shorter;
pub use shortest::{Effort, Progress, Shortest, shortest};
