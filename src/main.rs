use std::process::ExitCode;

fn main() -> ExitCode {
    entente::cli::run()
}
