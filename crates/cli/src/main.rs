//! The program `entente`.

use std::{env, process::ExitCode};

fn main() -> ExitCode {
    entente_cli::cli::run(env::args_os()).into()
}
