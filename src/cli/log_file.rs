use std::{fs::File, path::Path};

use anyhow::Context as _;
use env_logger::{Builder, Env, Target};

/// Starts logging: to `file`, if one is named, else to standard error, and there only what the environment variable
/// RUST_LOG asks for. GUIs hide standard error.
///
/// # Errors
/// If the file cannot be written.
pub fn start(file: Option<&Path>) -> anyhow::Result<()> {
    // The engine's own words: the libraries' many would bury them.
    let filter = if file.is_some() { "entente=debug" } else { "off" };
    let mut builder = Builder::from_env(Env::default().default_filter_or(filter));
    if let Some(path) = file {
        // At its end: two engines of a match may share it.
        let opened = File::options().create(true).append(true).open(path);
        let file = opened.with_context(|| format!("--log-file {}", path.display()))?;
        builder.target(Target::Pipe(Box::new(file))).format_timestamp_millis();
    }
    builder.init();
    Ok(())
}
