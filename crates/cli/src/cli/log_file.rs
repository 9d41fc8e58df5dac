use std::{fs::File, path::Path};

use anyhow::Context as _;
use env_logger::{Builder, Env, Target};
use log::LevelFilter;

/// Starts logging: to `file`, if one is named, else to standard error, and there only what the environment variable
/// RUST_LOG asks for. GUIs hide standard error.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn start(file: Option<&Path>) -> anyhow::Result<()> {
    let mut builder = Builder::new();
    builder.filter_level(LevelFilter::Off);
    if let Some(path) = file {
        // The engine's own words, whatever else RUST_LOG asks for: the libraries' many would bury them.
        builder.filter_module("entente", LevelFilter::Debug);
        // At its end: two engines of a match may share it.
        let opened = File::options().create(true).append(true).open(path);
        let file = opened.with_context(|| format!("--log-file {}", path.display()))?;
        builder.target(Target::Pipe(Box::new(file))).format_timestamp_millis();
    }
    builder.parse_env(Env::default()).init();
    Ok(())
}
