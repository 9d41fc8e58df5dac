//! Settings: everything that can be set, declared once.
//!
//! `table.rs` has a row for each setting. From it come the structs that hold the values ([`GenerationSettings`],
//! [`PlaySettings`] and [`SessionSettings`]), an id for each setting ([`Setting`]), and [`TABLE`]. The program derives
//! from the table the flags of the command line, the UCI options, the keys of a tournament's plan, the words in
//! results, and `docs/options.md`. [`Settings`] joins the three structs, so that rows can read and write them.
//! [`RowOf::set`] checks the bounds of every value that comes as text. [`GenerationSettings::check`] and
//! [`PlayerSettings::check`] check the fields that a program has set.
//!
//! To add a setting, add its row to `table.rs` and read its field where it matters. To add a choice to a setting, add a
//! variant in `choices.rs`. Then update the page: `UPDATE_DOCS=1 cargo test --release -p entente --lib documentation`.

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
#[cfg(test)]
mod python;
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
