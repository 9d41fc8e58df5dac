//! Settings: what can be set, declared once.
//!
//! In comes nothing but the declarations in [`table`]; out go [`Settings`], the value of every setting, and [`TABLE`],
//! from which the flags of the command line, the options of UCI, the keys of a tournament's plan, the words that records
//! repeat and the table of `docs/options.md` are made. A setting is a row of that table and nothing else.
//!
//! To add a setting, add its row to `table.rs`, and use its field of [`Settings`] where it counts. To add a choice to a
//! setting, add a variant in `choices.rs`.

mod choices;
#[cfg(test)]
mod document;
mod echo;
mod field;
mod kind;
mod setting;
mod table;

pub use crate::network::Backend;
pub(crate) use choices::choices;
pub use choices::{Choice, Evaluator, Method, Mode, Priors, Realism};
pub use echo::quoted;
pub use kind::{AUTO, Kind, Value, Word};
pub use setting::{Group, Scope, SettingOf, Spelling, UciForm};
pub use table::{SETTINGS as TABLE, Setting, Settings};
