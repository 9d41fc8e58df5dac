use std::path::PathBuf;

use entente::judge::{EngineSettings, UciEngine};

use super::{Valuer, own::Own};

/// Who values positions, and how long: each in a search of the same number of nodes, by one thread.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// A UCI engine; `None`: the alpha-beta search of Entente.
    pub engine: Option<PathBuf>,
    /// Nodes of each search.
    pub nodes: u64,
    /// Memory that a UCI engine is to have, in mebibytes; `None`: as much as it likes. The less the sooner it forgets a
    /// game.
    pub memory: Option<u32>,
}

impl Judgement {
    /// That of this engine, or of Entente's search, with so many nodes and the usual memory.
    pub fn new(engine: Option<PathBuf>, nodes: u64) -> Judgement {
        Judgement { engine, nodes, memory: None }
    }

    /// One more of these engines.
    ///
    /// # Errors
    /// If it cannot be started, or does not speak UCI.
    pub fn open(&self) -> anyhow::Result<Box<dyn Valuer>> {
        let settings = EngineSettings { memory: self.memory, ..EngineSettings::new("--engine", self.nodes) };
        Ok(match &self.engine {
            Some(path) => Box::new(UciEngine::start(path, settings)?),
            None => Box::new(Own::new(self.nodes)),
        })
    }
}
