//! The networks in the program.

use std::sync::{Arc, LazyLock};

use super::{EvaluationNetwork, NARROW, WIDE};

/// Each use of a constant may have its own copy in the program; a static has one.
static NARROW_FILE: &[u8] = include_bytes!("../../../models/evaluation.safetensors");
static WIDE_FILE: &[u8] = include_bytes!("../../../models/evaluation-wide.safetensors");

static NARROW_NETWORK: LazyLock<Arc<EvaluationNetwork<NARROW>>> =
    LazyLock::new(|| read("evaluation", NARROW_FILE));
static WIDE_NETWORK: LazyLock<Arc<EvaluationNetwork<WIDE>>> =
    LazyLock::new(|| read("evaluation-wide", WIDE_FILE));

fn read<const WIDTH: usize>(name: &str, bytes: &[u8]) -> Arc<EvaluationNetwork<WIDTH>> {
    Arc::new(EvaluationNetwork::from_bytes(name, bytes).expect("tests read the embedded networks"))
}

impl EvaluationNetwork<NARROW> {
    /// The names and the files of the embedded networks.
    pub const EMBEDDED: [(&'static str, &'static [u8]); 2] =
        [("evaluation", NARROW_FILE), ("evaluation-wide", WIDE_FILE)];

    /// The embedded network for short searches and playouts.
    pub fn embedded() -> Arc<EvaluationNetwork<NARROW>> {
        Arc::clone(&NARROW_NETWORK)
    }
}

impl EvaluationNetwork<WIDE> {
    /// The embedded network for the strongest searches.
    pub fn embedded_wide() -> Arc<EvaluationNetwork<WIDE>> {
        Arc::clone(&WIDE_NETWORK)
    }
}
