//! The constraint language, which describes the positions to generate.
//!
//! The parser turns a text such as `Q=0 (R=1..2 | r<=1)` into a [`Constraint`], an expression as the user wrote it. A
//! [`Target`] expands the constraint into alternatives. Each alternative has ranges for the numbers of men, and other
//! conditions. Games are played toward targets. `analysis` derives what each alternative implies for games from a
//! given position, or proves it impossible. If only numbers decide, [`Prospects`] tells which moves make the constraint
//! unreachable. A [`Goal`] is a target that consists of numbers of men alone; negamax and the satisfaction networks use
//! goals. [`guide`] estimates how many plies remain, and [`legality`] explains why a diagram is illegal.
//!
//! To add a kind of condition, add a file to `atom/`. `docs/architecture.md` lists the other files to change.
//!
//! ```
//! use entente_constraint::{Constraint, Goal};
//! use shakmaty::Chess;
//!
//! let constraint: Constraint = "Q=0 (R=1..2 | r<=1)".parse()?;
//! let goal = Goal::new(&constraint)?;
//! assert!(!goal.is_satisfied(&Chess::default()));
//! assert_eq!(goal.distance(&Chess::default()), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alternative;
mod analysis;
#[cfg(test)]
mod arbitrary;
mod atom;
mod comparison;
mod counts;
#[cfg(test)]
pub(crate) mod described;
mod display;
mod expression;
mod goal;
pub mod guide;
mod impossible;
pub mod legality;
mod men;
mod mirror;
mod named;
mod nearest;
mod normal_form;
mod parser;
mod prospects;
mod reachability;
mod reader;
mod situation;
mod target;
pub mod thesis;
mod witness;
mod words;

pub use alternative::Literal;
pub use analysis::Facts;
pub use atom::{
    Atom, BestMove, Castling, Check, Class, Count, Diagram, DiagramError, End, Judged, Material, Ply, RIGHTS,
    Rating, Region, Square, Sum, Tuple, Turn,
};
pub use atom::{homes, seen_by};
pub use comparison::{Comparison, IntegerRange};
pub use counts::Counts;
pub use expression::Constraint;
pub use goal::Goal;
pub use impossible::Impossible;
pub use men::{KINDS, Men};
pub use nearest::nearest;
pub use normal_form::GoalError;
pub use prospects::Prospects;
pub use reader::ParseError;
pub use situation::{Situation, child_of, plies_before};
pub use target::{Target, TargetError};
pub use witness::Witness;
pub use words::Line;
