//! Tools for language models: a server of the Model Context Protocol on standard input and output.
//!
//! Calls of tools come in, and results go out: structured ones, and a short text for models that read only text. The
//! server is asynchronous, so that it can cancel a call or report its progress; the tools are not, and run on threads of
//! their own. `call::Call` is what they know of the server.
//!
//! To add a tool, add a file with a `tool::Tool`, as `draw.rs` does, and name it in `tools.rs`. Parameters are declared once:
//! the schema that clients see and the check of arguments are made of the same declaration, and those of settings of the
//! table of settings.

mod arguments;
mod call;
mod check;
mod draw;
mod generate;
mod parameter;
mod policy;
mod prove;
mod server;
mod tool;
mod tools;

use anyhow::Context as _;
use rmcp::{ServiceExt as _, transport::stdio};

/// Serves one client, until it closes standard input.
///
/// # Errors
/// If the client does not begin as the protocol says, or the runtime cannot be started.
pub fn run() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("the runtime of the server cannot be started")?;
    let served = runtime.block_on(async {
        let service = server::Server::default()
            .serve(stdio())
            .await
            .context("expected a client of the Model Context Protocol on standard input")?;
        service.waiting().await.context("the server failed")
    });
    // A call that is still running would hold up the end of the process.
    runtime.shutdown_background();
    served.map(|_| ())
}
