#![doc = include_str!("../README.md")]
//!
//! # Where to start
//!
//! - A [`Constraint`] is an expression as the user wrote it. It tells whether a position satisfies it, and explains itself
//!   in words ([`Constraint::in_words`]). [`Men`] counts the men on a board.
//! - A [`Target`] expands the constraint into alternatives. Each alternative has ranges for the numbers of men, and other
//!   conditions. A target proves what games from a given position cannot reach. If only numbers decide, [`Prospects`] tells
//!   which moves make it unreachable.
//! - A [`Goal`] is a target that consists of numbers of men alone. Satisfaction, distance and reachability then take a few
//!   comparisons of small integers.
//! - [`guide`] estimates how many plies remain, and [`legality`] explains why a diagram is illegal.
//!
//! To add a kind of condition, add a file to `atom/`. `docs/architecture.md` lists the other files to change.

mod alternative;
mod analysis;
#[cfg(test)]
mod arbitrary;
mod atom;
mod comparison;
mod condition_oracle;
mod counts;
mod definitions;
#[cfg(test)]
pub(crate) mod described;
mod display;
mod goal;
pub mod guide;
mod impossible;
pub mod legality;
mod men;
mod mirror;
mod named;
mod nearest;
mod normal_form;
mod openings;
mod parser;
mod plural;
mod prospects;
mod reachability;
mod reader;
mod region;
mod selection;
mod situation;
mod target;
pub mod theme;
pub mod thesis;
mod transform;
mod words;

pub use alternative::Literal;
pub use analysis::{Facts, GameFacts};
pub use atom::{
    Atom, Begins, Captures, Castled, Castling, Check, Class, Constraint, Count, Diagram, DiagramError, Diary,
    Earlier, End, GameResult, HowCastled, Judged, Legal, Material, MoveKind, Opening, Ply, RIGHTS, Rating,
    Square, Sum, Tally, Tuple, Turn,
};
pub use atom::{homes, seen_by};
pub use comparison::{Comparison, IntegerRange};
pub use condition_oracle::ConditionOracle;
pub use counts::Counts;
pub use definitions::{DefinitionError, Definitions};
pub use goal::Goal;
pub use impossible::Impossible;
pub use men::{KINDS, Men};
pub use nearest::nearest;
pub use normal_form::GoalError;
pub use parser::Part;
pub use plural::{counted, noun};
pub use prospects::Prospects;
pub use reader::ParseError;
pub use region::Region;
pub use selection::{Kinds, Property, Relation, Selection};
pub use shakmaty;
pub use situation::{Notes, Past, Situation, child_of, plies_before};
pub use target::{Target, TargetError};
pub use theme::{SolutionLine, Theme, is_repetition};
pub use words::Line;
