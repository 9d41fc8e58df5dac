//! Settings: everything that can be set, declared once.
//!
//! The rows of `table.rs` go in. Out come [`Settings`], which holds the value of every setting, and [`TABLE`]. From the
//! table the engine makes the flags of the command line, the options of UCI, the keys of a tournament's plan, the words
//! that results repeat, and `docs/options.md`.
//!
//! To add a setting, add its row to `table.rs`, and use its field of [`Settings`] where it matters. To add a choice to
//! a setting, add a variant in `choices.rs`. Then write the page again: `UPDATE_DOCS=1 cargo test --release --workspace
//! --lib documentation`.

mod choices;
#[cfg(test)]
mod document;
mod echo;
mod field;
mod kind;
mod meaning;
mod setting;
mod table;

pub use crate::choices;
pub use choices::{Choice, Evaluator, Method, Mode, Priors, Realism};
pub use echo::quoted;
pub use entente_network::Backend;
pub use entente_search::rollout::Allotment;
pub use kind::{AUTO, Kind, Value, Word};
pub use setting::{Group, Scope, SettingOf, Spelling, UciForm};
pub use table::{MOST_MAX_PLIES, SETTINGS as TABLE, Setting, Settings};
