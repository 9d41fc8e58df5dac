//! The program `entente-trainer`.

use std::process::ExitCode;

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    entente_network::hide_caught_panics();
    entente_trainer::cli::run()
}
