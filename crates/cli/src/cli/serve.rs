//! `entente serve`: the page.

use std::net::SocketAddr;

use clap::Args;

/// Serve a page for your browser: choose what positions must look like by clicking.
///
/// The page runs on this machine alone and fetches nothing from anywhere. Set up men and squares, pick an exercise or a
/// theme and a rating, and get boards with their games, to practise, to keep and to print; or set up a diagram and ask for
/// a proof game. Ctrl-C ends the server. Its JSON interface is at /api/openapi.json. A build has the page if it was made
/// with --features serve.
#[derive(Args)]
#[command(after_help = "\
Examples:
  entente serve --open
      Serve the page, and show it in the browser
  entente serve --listen 0.0.0.0:8080
      For other machines, too; the address that is printed contains a token, and without it nothing is served")]
pub(super) struct Arguments {
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// The port [default: 7460, or any free port if that is taken]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Serve other machines, too, at this address and port; who has no token is refused
    #[arg(long, value_name = "ADDRESS:PORT", conflicts_with = "port")]
    listen: Option<SocketAddr>,
}

/// Runs `entente serve` until Ctrl-C, and returns its exit status.
///
/// # Errors
/// If the server cannot be started, or this build has no page.
#[cfg(feature = "serve")]
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    use std::{
        io::{self, Write as _},
        sync::{
            Arc,
            atomic::{AtomicBool, Ordering},
        },
        time::Duration,
    };

    use entente_web::Options;

    let stop = Arc::new(AtomicBool::new(false));
    super::interrupts::watch(Arc::clone(&stop), || ())?;
    let ready = |address: &str| {
        // The address is the result, so that scripts can read it.
        let _ = writeln!(io::stdout(), "{address}");
        let _ = writeln!(io::stderr(), "Open this address in your browser; Ctrl-C ends the server");
        if arguments.open
            && let Err(error) = open(address)
        {
            let _ = writeln!(io::stderr(), "the browser cannot be opened: {error}");
        }
    };
    let stopped = async {
        while !stop.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    entente_web::serve(Options { listen: arguments.listen, port: arguments.port }, ready, stopped)?;
    Ok(super::FOUND)
}

/// Shows an address in the user's browser.
#[cfg(feature = "serve")]
fn open(address: &str) -> std::io::Result<()> {
    use std::process::{Command, Stdio};

    let (program, first): (&str, &[&str]) = if cfg!(target_os = "windows") {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(first).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(|_| ())
}

/// Says how to build the program with the page.
///
/// # Errors
/// Always: this build has no page.
#[cfg(not(feature = "serve"))]
pub(super) fn run(_: &Arguments) -> anyhow::Result<u8> {
    anyhow::bail!(
        "this build has no page; build one with 'cargo build --release -p entente-cli --features serve'"
    )
}
