//! Constraints on the command line, with names for constraints from a file.

use std::{fs, path::PathBuf};

use anyhow::{Context as _, anyhow};
use clap::Args;
use entente_constraint::{Constraint, Definitions};

/// The file with names for constraints.
#[derive(Args, Default)]
pub(super) struct DefinitionsFile {
    /// Names for constraints, which the constraint may use: a file with lines such as "let iqp = isolated(P@d)"
    #[arg(long, value_name = "FILE", display_order = 8)]
    definitions: Option<PathBuf>,
}

impl DefinitionsFile {
    /// The constraint that `text` describes.
    ///
    /// # Errors
    /// A file that cannot be read or does not define names, and a text that is not a constraint.
    pub(super) fn parse(&self, text: &str) -> anyhow::Result<Constraint> {
        let definitions = match &self.definitions {
            None => Definitions::default(),
            Some(path) => {
                let file =
                    fs::read_to_string(path).with_context(|| format!("--definitions {}", path.display()))?;
                Definitions::read(&file)
                    .map_err(|error| anyhow!("--definitions {}: {error}", path.display()))?
            }
        };
        Ok(definitions.parse(text)?)
    }

    /// True if a file is given. The text of a constraint then means nothing without it.
    pub(super) fn is_given(&self) -> bool {
        self.definitions.is_some()
    }
}
