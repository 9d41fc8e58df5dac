//! Recipes: TOML files that say how a network is trained.

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
        /// The file.
        path: String,
        /// The cause.
        error: std::io::Error,
    },
    /// The file is not TOML, or a key is missing, unknown or of the wrong type.
    #[error("{path}: {error}")]
    Toml {
        /// The file.
        path: String,
        /// Line, column and key.
        error: Box<toml::de::Error>,
    },
    /// There is no network of this name.
    #[error("{path}: key `network`: {error}")]
    Network {
        /// The file.
        path: String,
        /// The name, and the names that exist.
        error: NetworkError,
    },
    /// There is no stage of this name, or the command names none although the recipe has stages.
    #[error("{path}: {expected}, found {found}")]
    Stage {
        /// The file.
        path: String,
        /// What the command line must have.
        expected: String,
        /// What it has.
        found: String,
    },
    /// A value is out of range.
    #[error("{path}: key `{key}`: expected {expected}")]
    Value {
        /// The file.
        path: String,
        /// The key.
        key: &'static str,
        /// A description of the allowed values.
        expected: &'static str,
    },
}
