//! `bench` and `perft`.

use std::time::Instant;

use entente_search::perft;
use shakmaty::Chess;

use super::{reply::Reply, stop::Stop};
use crate::bench::Bench;

/// The answer to `bench`.
pub(super) fn bench(stop: &Stop) -> Reply {
    match Bench::default().run(stop.flag()) {
        Ok(Some(report)) => Reply::Bench(Box::new(report)),
        Ok(None) => Reply::Note("bench: stopped".to_owned()),
        Err(error) => Reply::Error(error.to_string()),
    }
}

/// The answer to `perft`.
pub(super) fn perft(position: &Chess, depth: u32, stop: &Stop) -> Reply {
    let start = Instant::now();
    match perft::divide(position, depth, stop.flag()) {
        Some(leaves) => Reply::Perft(perft::PerftReport::new(position, leaves, start.elapsed())),
        None => Reply::Note("perft: stopped".to_owned()),
    }
}
