//! The program `entente`.

use std::process::ExitCode;

fn main() -> ExitCode {
    entente_cli::cli::run()
}
