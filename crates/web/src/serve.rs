//! Accepts connections.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use log::debug;
use rand::distr::{Alphanumeric, SampleString as _};
use thiserror::Error;
use tokio::{net::TcpListener, sync::Semaphore, time};

use crate::{guard::Guard, routes::app, server::Server};

/// The port that is tried first, so that links and kept boards of the page are there the next time.
const USUAL_PORT: u16 = 7460;
/// The most connections. A browser opens six for each tab.
const MOST_CONNECTIONS: usize = 1000;
/// The most time for the head of a request.
const HEAD: Duration = Duration::from_secs(15);
/// The number of letters of a token.
const TOKEN: usize = 32;

/// How to serve the page.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Where to listen, for other machines too, which then need a token; `None` for this machine alone.
    pub listen: Option<SocketAddr>,
    /// The port on this machine; `None` for the usual one, or any that is free.
    pub port: Option<u16>,
}

/// Why the page cannot be served.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The address is taken, or not one of this machine.
    #[error("{address}: {reason}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        reason: io::Error,
    },
    /// The system cannot say where it listens, or starts no threads.
    #[error("the server cannot be started: {0}")]
    System(io::Error),
}

/// Serves the page until `stop` is there. `ready` gets the address to open, with the token if one is needed.
///
/// # Errors
/// [`ServeError`] if the server cannot be started.
pub fn serve(
    options: Options,
    ready: impl FnOnce(&str),
    stop: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        // Calls have threads of their own; their number is bounded by the line and by the permits for short calls.
        .max_blocking_threads(32)
        .build()
        .map_err(ServeError::System)?;
    let served = runtime.block_on(async {
        let listener = listen(options).await?;
        let address = listener.local_addr().map_err(ServeError::System)?;
        let token = options.listen.map(|_| Alphanumeric.sample_string(&mut rand::rng(), TOKEN));
        let query = token.as_ref().map_or_else(String::new, |token| format!("?token={token}"));
        ready(&format!("http://{address}/{query}"));
        tokio::select! {
            () = accept(listener, Guard { address, token }) => {}
            () = stop => {}
        }
        Ok(())
    });
    // A call that is still running would hold up the end.
    runtime.shutdown_background();
    served
}

async fn listen(options: Options) -> Result<TcpListener, ServeError> {
    let local = |port| SocketAddr::from(([127, 0, 0, 1], port));
    let bind = |address: SocketAddr| async move {
        TcpListener::bind(address).await.map_err(|reason| ServeError::Listen { address, reason })
    };
    match (options.listen, options.port) {
        (Some(address), _) => bind(address).await,
        (None, Some(port)) => bind(local(port)).await,
        (None, None) => match bind(local(USUAL_PORT)).await {
            Ok(listener) => Ok(listener),
            Err(_) => bind(local(0)).await,
        },
    }
}

/// Serves all connections.
async fn accept(listener: TcpListener, guard: Guard) {
    let service = TowerToHyperService::new(app(Server::new(), guard));
    let connections = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let permit = match Arc::clone(&connections).acquire_owned().await {
            Ok(permit) => permit,
            // The semaphore is never closed.
            Err(_) => return,
        };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                // Too many open files, or a client that is gone already.
                debug!("a connection was not accepted: {error}");
                time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        // Events are small, and should not wait for each other.
        let _ = stream.set_nodelay(true);
        let service = service.clone();
        tokio::spawn(async move {
            let _permit = permit;
            let mut server = http1::Builder::new();
            server.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(64 << 10);
            if let Err(error) = server.serve_connection(TokioIo::new(stream), service).await {
                debug!("a connection ended: {error}");
            }
        });
    }
}
