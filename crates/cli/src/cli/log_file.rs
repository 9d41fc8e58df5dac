use std::{
    fs::File,
    io::Write as _,
    path::Path,
    time::{Duration, SystemTime},
};

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
        builder.target(Target::Pipe(Box::new(file))).format(|output, record| {
            let (level, module) = (record.level(), record.target());
            writeln!(output, "[{} {level:<5} {module}] {}", time_of_day(), record.args())
        });
    }
    builder.parse_env(Env::default()).init();
    Ok(())
}

/// The time of day in UTC, in milliseconds: `17:04:05.678`.
fn time_of_day() -> String {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let seconds = since.as_secs() % (24 * 60 * 60);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{hours:02}:{minutes:02}:{seconds:02}.{:03}", since.subsec_millis())
}
