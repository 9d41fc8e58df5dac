use std::path::PathBuf;

use entente::judge::{EngineSettings, UciEngine};

use super::{Valuer, own::Own};

/// Which engine evaluates positions, and with how many nodes. Every search has the same number of nodes and one thread.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// A UCI engine; `None`: the alpha-beta search of Entente.
    pub engine: Option<PathBuf>,
    /// Number of nodes per search.
    pub nodes: u64,
    /// Hash memory of a UCI engine, in mebibytes; `None`: its default. A smaller memory is cleared faster between
    /// games.
    pub memory: Option<u32>,
}

impl Judgement {
    /// Evaluation by this engine, or by Entente's search, with this number of nodes and the default memory.
    pub fn new(engine: Option<PathBuf>, nodes: u64) -> Judgement {
        Judgement { engine, nodes, memory: None }
    }

    /// Starts an engine.
    ///
    /// # Errors
    ///
    /// If it cannot be started, or does not speak UCI.
    pub fn open(&self) -> anyhow::Result<Box<dyn Valuer>> {
        let settings = EngineSettings { memory: self.memory, ..EngineSettings::new("--engine", self.nodes) };
        Ok(match &self.engine {
            Some(path) => Box::new(UciEngine::start(path, settings)?),
            None => Box::new(Own::new(self.nodes)),
        })
    }
}
