//! `entente completions`: the script with which a shell completes the command line.

use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

use super::{Arguments as Program, FOUND, print};

/// Print the script with which your shell completes commands and options.
///
/// It names every command, every option and the words that an option takes.
#[derive(Args)]
#[command(after_help = "\
Examples:
  entente completions bash > ~/.local/share/bash-completion/completions/entente
      bash, with the package bash-completion, from the next shell on
  entente completions zsh > ~/.zfunc/_entente
      zsh, if ~/.zshrc has \"fpath+=~/.zfunc\" before \"autoload -Uz compinit && compinit\"
  entente completions fish > ~/.config/fish/completions/entente.fish
      fish
  entente completions powershell | Out-String | Invoke-Expression
      PowerShell: put this line into the file that $PROFILE names
  eval (entente completions elvish | slurp)
      elvish: put this line into ~/.config/elvish/rc.elv")]
pub(super) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Runs `entente completions` and returns its exit status.
///
/// # Errors
/// If standard output cannot be written.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let mut command = Program::command();
    let name = command.get_name().to_owned();
    // Rendered as a whole before anything is printed: a write error inside `generate` would be a panic.
    let mut script = Vec::new();
    generate(arguments.shell, &mut command, name, &mut script);
    print(&String::from_utf8(script)?).map(|()| FOUND)
}
