//! `entente mcp`: tools for language models.

use clap::Args;

/// Give language models tools: speak the Model Context Protocol on standard input and output.
///
/// The tools generate legal positions, explain and check constraints, find proof games, say which moves people play, and
/// draw boards. Programs such as Claude Desktop start this command themselves; docs/mcp.md has the lines for their
/// configuration. A build has the server if it was made with --features mcp.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo build --release -p entente-cli --features mcp
      Build the program with the server
  claude mcp add entente -- /path/to/entente mcp
      Add it to Claude Code")]
pub(super) struct Arguments {}

/// Runs `entente mcp` until the client closes standard input, and returns its exit status.
///
/// # Errors
/// If the client does not speak the protocol, or this build has no server.
#[cfg(feature = "mcp")]
pub(super) fn run(_: &Arguments) -> anyhow::Result<u8> {
    crate::mcp::run().map(|()| super::FOUND)
}

/// Says how to build the program with the server.
///
/// # Errors
/// Always: this build has no server.
#[cfg(not(feature = "mcp"))]
pub(super) fn run(_: &Arguments) -> anyhow::Result<u8> {
    anyhow::bail!(
        "this build has no server for language models; build one with \
         'cargo build --release -p entente-cli --features mcp'"
    )
}
