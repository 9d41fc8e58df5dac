//! The engine: the one entrance for the command line, UCI, tournaments and other programs.
//!
//! An [`Engine`] keeps the networks that it has loaded, and the search that plays. In come a
//! [`Request`] or a game with its [`Settings`](crate::settings::Settings); out come
//! generated games or moves, and [`Event`]s on the way. Nothing here knows who asks: UCI turns lines into calls and
//! events into lines, and the command line does the same with flags and files.
//!
//! To add something that the engine can do for all of them, add a method of [`Engine`], in a file like `cooperate.rs`
//! if it is long.
//!
//! ```
//! use entente::{engine::Engine, generation::Request, settings::Evaluator};
//!
//! let mut request = Request::of("Q=0 q=0 R-r=1")?;
//! request.settings.seed = Some(7);
//! request.settings.evaluator = Evaluator::Men;
//! for game in Engine::default().generate(&request, 3)? {
//!     println!("{} after {} plies", entente::generation::fen(&game.position), game.moves.len());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cooperate;
mod networks;
mod play;
mod prove;
mod readiness;

use std::sync::atomic::AtomicBool;

use thiserror::Error;

pub use cooperate::Cooperation;
use entente_constraint::{Impossible, Situation, guide::GuideError};
use entente_network::NetworkError;
pub use networks::Networks;
pub use play::Seen;
pub use prove::{GamesWanted, Proof, ProofWanted, Verdict};
pub use readiness::Event;
use readiness::NamedFiles;

use crate::{
    generation::{
        Distance, Generation, GenerationError, Job, Quota, Request, RequestError, Resolved, Unreachable,
        generate_many,
    },
    play::Competitor,
};

/// Generates and plays; keeps what takes long to make.
#[derive(Default)]
pub struct Engine {
    /// The networks in use.
    networks: Networks,
    /// The files of networks that could be read.
    files: NamedFiles,
    /// The search that plays.
    competitor: Competitor,
}

/// Why the engine does nothing.
#[derive(Debug, Error)]
pub enum EngineError {
    /// It is proved that no legal game does what is asked.
    #[error("impossible: {0}")]
    Impossible(Impossible),
    /// The constraint asks for longer games than are allowed.
    #[error("the longest game has {max_plies} plies, and the constraint asks for {fewest} at least")]
    TooLong {
        /// The fewest plies.
        fewest: u32,
        /// The most that are allowed.
        max_plies: u32,
    },
    /// Written out, the constraint has too many alternatives.
    #[error("the constraint is too complex: written out, its '|', '!=' and '!' give too many alternatives")]
    TooComplex,
    /// What is asked contradicts itself, or there is no such network.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// Generation failed.
    #[error(transparent)]
    Generation(#[from] GenerationError),
    /// A network cannot be used.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

impl Engine {
    /// A request made ready, if what it asks for is within reach. What was set in vain is left to the caller.
    ///
    /// # Errors
    /// [`EngineError`]
    pub fn resolve(&mut self, request: &Request) -> Result<Resolved, EngineError> {
        Engine::check(request)?;
        Ok(request.resolve(&mut self.networks)?)
    }

    /// As [`Engine::resolve`], with an error for what was set in vain.
    ///
    /// # Errors
    /// [`EngineError`]
    pub fn job(&mut self, request: &Request) -> Result<Job, EngineError> {
        Engine::check(request)?;
        Ok(request.resolve_strictly(&mut self.networks)?)
    }

    /// Whether a game may lead to what is asked for.
    fn check(request: &Request) -> Result<Distance, EngineError> {
        let (root, max_plies) = (Situation::root(&request.root), request.max_plies());
        Distance::within(&request.target, root, max_plies).map_err(|error| match error {
            Unreachable::Guide(GuideError::Impossible(reason)) => EngineError::Impossible(reason),
            Unreachable::Guide(GuideError::TooComplex) => EngineError::TooComplex,
            Unreachable::TooLong { fewest } => EngineError::TooLong { fewest, max_plies },
        })
    }

    /// Generates so many positions, on as many threads as the request says; each is found or as near as the budget allowed.
    /// Without a seed they are others each time.
    ///
    /// # Errors
    /// [`EngineError`]
    pub fn generate(&mut self, request: &Request, count: u64) -> Result<Vec<Generation>, EngineError> {
        let mut job = self.job(request)?;
        job.seed = request.settings.seed.unwrap_or_else(rand::random);
        let quota = Quota { count, first: 0, distinct: false, threads: request.settings.threads as usize };
        let mut generations = Vec::new();
        generate_many(&job, quota, &AtomicBool::new(false), |generation| generations.push(generation))?;
        Ok(generations)
    }
}
