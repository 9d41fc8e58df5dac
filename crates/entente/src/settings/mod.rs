//! Settings: everything that can be set, declared once.
//!
//! The rows of `table.rs` go in. Out come the structs that hold the values, [`GenerationSettings`], [`PlaySettings`] and
//! [`SessionSettings`], an id for each setting, [`Setting`], and [`TABLE`]. From the table the engine makes the flags of the
//! command line, the options of UCI, the keys of a tournament's plan, the words that results repeat, and `docs/options.md`.
//! [`Settings`] joins the three structs, for the rows to read and write. [`RowOf::set`] checks the bounds of every value that
//! comes as text; [`GenerationSettings::check`] and [`PlayerSettings::check`] check those of fields that a program set.
//!
//! To add a setting, add its row to `table.rs`, and use its field where it matters. To add a choice to
//! a setting, add a variant in `choices.rs`. Then write the page again: `UPDATE_DOCS=1 cargo test --release --workspace
//! --lib documentation`.

mod attributes;
mod check;
mod choices;
mod declare;
#[cfg(test)]
mod document;
mod echo;
mod field;
mod kind;
mod meaning;
mod row;
mod table;

pub use crate::choices;
pub use attributes::{Group, Part, Prominence, Scope, Spelling, UciForm};
pub use check::SettingError;
pub use choices::{Choice, Evaluator, Method, Mode, Priors, Realism};
pub use echo::quoted;
pub use entente_network::Backend;
pub use entente_search::rollout::Allotment;
pub use kind::{AUTO, Kind, Value, ValueError, Word};
pub use meaning::PlayerSettings;
pub use row::RowOf;
pub use table::{
    GenerationSettings, MAX_PLIES_LIMIT, PlaySettings, Row, SessionSettings, Setting, Settings, TABLE,
};
