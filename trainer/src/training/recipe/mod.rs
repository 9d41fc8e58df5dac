//! Recipes: how a network is trained, in a TOML file.

mod kind;
mod toml_file;

use thiserror::Error;

use crate::network::NetworkError;
pub use kind::Kind;
pub use toml_file::{TomlRecipe, in_range};

/// Why a recipe cannot be used.
#[derive(Debug, Error)]
pub enum RecipeError {
    /// The file cannot be read.
    #[error("{path}: {error}")]
    File {
        /// Which file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// It is not TOML, or a key is missing, unknown or of the wrong type.
    #[error("{path}: {error}")]
    Toml {
        /// Which file.
        path: String,
        /// Line, column and key.
        error: Box<toml::de::Error>,
    },
    /// No such network.
    #[error("{path}: key `network`: {error}")]
    Network {
        /// Which file.
        path: String,
        /// The name, and those that exist.
        error: NetworkError,
    },
    /// No such stage, or none is named where there are some.
    #[error("{path}: {expected}, found {found}")]
    Stage {
        /// Which file.
        path: String,
        /// What the command line must say.
        expected: String,
        /// What it says.
        found: String,
    },
    /// A value is out of its range.
    #[error("{path}: key `{key}`: expected {expected}")]
    Value {
        /// Which file.
        path: String,
        /// Which key.
        key: &'static str,
        /// What it must be.
        expected: &'static str,
    },
}
