//! The engine: the one entrance for the command line, UCI, tournaments and other programs.
//!
//! An [`Engine`] keeps the networks that it has loaded, and the search that plays. In come a
//! [`Request`] or a game with its [settings](crate::settings); out come
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
//!     println!("{} after {} plies", entente::records::fen(&game.position), game.moves.len());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cooperate;
mod networks;
mod play;
mod prove;
mod readiness;

use std::{path::PathBuf, sync::atomic::AtomicBool};

use thiserror::Error;

pub use cooperate::Cooperation;
use entente_constraint::{Impossible, Situation, guide::GuideError};
use entente_network::NetworkError;
use networks::Networks;
pub use play::PolicyAnswer;
pub use prove::{GamesWanted, Proof, ProofWanted, Verdict};
pub use readiness::Event;
use readiness::NamedFiles;

use crate::{
    generation::{
        Distance, Generation, GenerationError, Generator, Job, Quota, Request, RequestError, Unreachable,
        generate_many,
    },
    play::PlaySearch,
};

/// Generates and plays; keeps what takes long to make.
#[derive(Default)]
pub struct Engine {
    /// The networks in use.
    networks: Networks,
    /// The files of networks that could be read.
    files: NamedFiles,
    /// The search that plays.
    play_search: PlaySearch,
}

/// Why the engine does nothing.
#[derive(Debug, Error)]
#[non_exhaustive]
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
    /// An engine that finds the files of networks beside those of `folder`.
    pub fn with_folder(folder: PathBuf) -> Engine {
        Engine { networks: Networks::beside(folder), ..Engine::default() }
    }

    /// The job of a request whose target can be reached. [`Job::unused`] names the settings that the method does not use.
    ///
    /// # Errors
    /// [`EngineError`]
    pub fn resolve(&mut self, request: &Request) -> Result<Job, EngineError> {
        Engine::check(request)?;
        Ok(request.resolve(&mut self.networks)?)
    }

    /// As [`Engine::resolve`], but with an error if the method does not use all settings.
    ///
    /// # Errors
    /// [`EngineError`]
    pub fn job(&mut self, request: &Request) -> Result<Job, EngineError> {
        Engine::check(request)?;
        Ok(self.job_within_reach(request)?)
    }

    /// As [`Engine::job`] for a target that is known to be within reach, as plans of tournaments know of all of theirs.
    ///
    /// # Errors
    /// [`RequestError`] if there is no such network, the method cannot do what is asked, or something was set in vain.
    pub fn job_within_reach(&mut self, request: &Request) -> Result<Job, RequestError> {
        request.resolve_strictly(&mut self.networks)
    }

    /// The SHA-256 of a network's file in hexadecimal, if one of that name was read.
    pub fn network_digest(&self, name: &str) -> Option<String> {
        self.networks.digest(name)
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

    /// Generates positions on several threads, hands them to `deliver` in order of their index, and returns the job that the
    /// request came to, with its seed. Each position is found, or as near as the budget allowed.
    ///
    /// It returns early, with fewer positions, when `stop` is set, or when no more distinct ones are found.
    ///
    /// # Errors
    /// [`EngineError`]; what was generated before the failure is delivered all the same.
    pub fn run(
        &mut self,
        request: &Request,
        quota: Quota,
        stop: &AtomicBool,
        deliver: impl FnMut(Generation),
    ) -> Result<Job, EngineError> {
        let job = self.job(request)?;
        Engine::run_job(&job, quota, stop, deliver)?;
        Ok(job)
    }

    /// As [`Engine::run`] for a job that was prepared: it needs nothing of the engine any more.
    ///
    /// # Errors
    /// [`GenerationError`] if a network cannot be run, or the judge does not answer.
    pub fn run_job(
        job: &Job,
        quota: Quota,
        stop: &AtomicBool,
        deliver: impl FnMut(Generation),
    ) -> Result<(), GenerationError> {
        generate_many(job, quota, stop, deliver)
    }

    /// What generates single positions of a job, of which each thread needs its own: for those who have an order of their
    /// own, such as the schedule of a tournament.
    ///
    /// # Errors
    /// [`GenerationError`] if the method cannot be led to the target, or the judge cannot be asked.
    pub fn generator(job: &Job) -> Result<Generator, GenerationError> {
        Generator::new(job.clone())
    }

    /// Generates so many positions, on as many threads as the request says; each is found or as near as the budget allowed.
    /// Without a seed they are others each time.
    ///
    /// # Errors
    /// [`EngineError`]
    pub fn generate(&mut self, request: &Request, count: u64) -> Result<Vec<Generation>, EngineError> {
        let mut generations = Vec::new();
        let quota = Quota::new(count, request.settings.threads as usize);
        self.run(request, quota, &AtomicBool::new(false), |generation| generations.push(generation))?;
        Ok(generations)
    }
}
