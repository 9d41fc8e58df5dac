use std::{fs::File, path::Path};

use anyhow::Context as _;
use env_logger::{Builder, Env, Target};
use log::LevelFilter;

/// Starts logging. With a `file`, Entente's messages go there, and whatever else the environment variable RUST_LOG
/// selects. Without one, only what RUST_LOG selects is logged, to standard error, which GUIs hide.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn start(file: Option<&Path>) -> anyhow::Result<()> {
    let mut builder = Builder::new();
    builder.filter_level(LevelFilter::Off);
    if let Some(path) = file {
        // Only Entente's messages unless RUST_LOG selects more: those of the libraries would bury them.
        builder.filter_module("entente", LevelFilter::Debug);
        // Appended, because the two engines of a match may share the file.
        let opened = File::options().create(true).append(true).open(path);
        let file = opened.with_context(|| format!("--log-file {}", path.display()))?;
        builder.target(Target::Pipe(Box::new(file))).format_timestamp_millis();
    }
    builder.parse_env(Env::default()).init();
    Ok(())
}
