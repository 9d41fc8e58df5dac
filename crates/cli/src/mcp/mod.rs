//! Tools for language models: a server of the Model Context Protocol on standard input and output.
//!
//! The tools are those of `entente-tools`. The server is asynchronous, so that it can cancel a call or report its progress;
//! the tools are not, and run on threads of their own.

mod server;

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
