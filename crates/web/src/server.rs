//! What all requests share, and how many of them run at once.

use std::{sync::Arc, time::Duration};

use axum::http::{HeaderMap, StatusCode};
use entente_tools::{Shared, Tool};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use crate::{
    queue::{Place, Queue},
    reply::Refused,
};

/// The most time that a short call waits for others.
const WAITING: Duration = Duration::from_secs(30);
/// The most long calls that wait.
pub(crate) const MOST_WAITING: usize = 200;
/// What all requests share.
#[derive(Clone)]
pub(crate) struct Server {
    pub shared: Shared,
    pub line: Queue,
    /// Short calls, so that the explanation of a constraint does not wait for another tab's positions.
    short: Arc<Semaphore>,
}

impl Server {
    pub(crate) fn new() -> Server {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Server {
            shared: Shared::default(),
            line: Queue::new(2, MOST_WAITING),
            short: Arc::new(Semaphore::new(cores.max(2))),
        }
    }

    /// The place of a request in the line of long calls.
    ///
    /// # Errors
    /// The answer that the line is full.
    pub(crate) fn join(&self, headers: &HeaderMap) -> Result<Place, Refused> {
        let tab = headers.get("x-tab").and_then(|tab| tab.to_str().ok()).unwrap_or_default();
        let busy =
            || Refused::new(StatusCode::SERVICE_UNAVAILABLE, "too many requests wait; try again later");
        // A name may be of any length.
        let tab: String = tab.chars().take(64).collect();
        self.line.join(&tab).ok_or_else(busy)
    }

    /// How many short calls may begin now.
    #[cfg(test)]
    pub(crate) fn free_permits(&self) -> usize {
        self.short.available_permits()
    }

    /// Waits until a call may run.
    pub(crate) async fn permit(&self, tool: &Tool, headers: &HeaderMap) -> Result<Permit, Refused> {
        if tool.is_long {
            let mut place = self.join(headers)?;
            place.turn().await;
            return Ok(Permit::Long { _place: place });
        }
        match timeout(WAITING, Arc::clone(&self.short).acquire_owned()).await {
            Ok(Ok(permit)) => Ok(Permit::Short { _permit: permit }),
            _ => Err(Refused::new(StatusCode::SERVICE_UNAVAILABLE, "too many requests; try again later")),
        }
    }
}

/// Lets a call run. It is dropped when the work ends, so that abandoned work counts, too.
pub(crate) enum Permit {
    Long { _place: Place },
    Short { _permit: OwnedSemaphorePermit },
}
