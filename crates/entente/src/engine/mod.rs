//! The engine: the one entry point for the command line, UCI, tournaments and other programs.
//!
//! An [`Engine`] keeps the networks that it has loaded, and the search that plays. A [`Request`], or a game with its
//! [settings](crate::settings), goes in; generated games or moves come out, with [`Event`]s on the way. The engine does
//! not know who calls it: UCI turns lines into calls and events into lines, and the command line does the same with
//! flags and files.
//!
//! To give all callers a new ability, add a method of [`Engine`], in a file like `cooperate.rs` if it is long.
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
mod cooperative_jobs;
mod kept_plan;
mod networks;
mod play;
mod prove;
mod readiness;

use std::{path::PathBuf, sync::atomic::AtomicBool};

use thiserror::Error;

pub use cooperative_jobs::Cooperation;
use entente_constraint::{Impossible, Situation, counted, guide::GuideError};
use entente_network::NetworkError;
use kept_plan::KeptPlan;
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

/// Generates and plays. It keeps what takes long to load or make.
#[derive(Default)]
pub struct Engine {
    /// The networks in use.
    networks: Networks,
    /// The network files that could be read.
    files: NamedFiles,
    /// The search that plays.
    play_search: PlaySearch,
    /// The game that the last cooperative move belongs to.
    kept_plan: Option<KeptPlan>,
    /// Whether an event has said that policies do not play this game of Chess960.
    has_refused_chess960: bool,
}

/// Why the engine cannot do what is asked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// It is proved that no legal game does it.
    #[error("impossible: {0}")]
    Impossible(Impossible),
    /// The constraint needs longer games than are allowed.
    #[error(
        "the longest game has {}, and the constraint needs at least {fewest}",
        counted(*.max_plies, "ply", "plies")
    )]
    TooLong {
        /// The fewest plies that the constraint needs.
        fewest: u32,
        /// The maximum number of plies.
        max_plies: u32,
    },
    /// Written out, the constraint has too many alternatives.
    #[error("the constraint is too complex: written out, its '|', '!=' and '!' give too many alternatives")]
    TooComplex,
    /// No game toward a constraint can begin at the root.
    #[error(transparent)]
    Root(GuideError),
    /// The request contradicts itself, or there is no such network.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// Generation failed.
    #[error(transparent)]
    Generation(GenerationError),
    /// A policy was asked about a position of Chess960.
    #[error("the policies know only standard chess, not the castling of Chess960")]
    StandardChessOnly,
    /// A network cannot be used.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

impl From<GenerationError> for EngineError {
    fn from(error: GenerationError) -> EngineError {
        match error {
            // Proved by a search.
            GenerationError::Guide(GuideError::Impossible(reason)) => EngineError::Impossible(reason),
            error => EngineError::Generation(error),
        }
    }
}

impl Engine {
    /// An engine that looks for network files next to the files of `folder`.
    pub fn with_folder(folder: PathBuf) -> Engine {
        Engine { networks: Networks::beside(folder), ..Engine::default() }
    }

    /// Takes over the networks that another engine has loaded and this one has not, so that engines of several threads
    /// have each network in memory once.
    pub fn share_networks(&mut self, other: &Engine) {
        self.networks.share(&other.networks);
    }

    /// The job of a request whose target can be reached. [`Job::unused`] names the settings that the method does not
    /// use.
    ///
    /// # Errors
    /// [`EngineError`]
    pub fn resolve(&mut self, request: &Request) -> Result<Job, EngineError> {
        Engine::check(request)?;
        Ok(request.resolve(&mut self.networks)?)
    }

    /// The same as [`Engine::resolve`], but with an error if the method does not use all settings.
    ///
    /// # Errors
    /// [`EngineError`]
    pub fn job(&mut self, request: &Request) -> Result<Job, EngineError> {
        Engine::check(request)?;
        Ok(self.job_within_reach(request)?)
    }

    /// The same as [`Engine::job`] for a target that is known to be within reach, as the targets of tournament plans
    /// are.
    ///
    /// # Errors
    /// [`RequestError`] if there is no such network, if the method cannot do what is asked, or if a setting is unused.
    pub fn job_within_reach(&mut self, request: &Request) -> Result<Job, RequestError> {
        request.resolve_strictly(&mut self.networks)
    }

    /// The SHA-256 of a network's file in hexadecimal, if a file with this name was read.
    pub fn network_digest(&self, name: &str) -> Option<String> {
        self.networks.digest(name)
    }

    /// Checks that a game may satisfy the target.
    fn check(request: &Request) -> Result<Distance, EngineError> {
        let (root, max_plies) = (Situation::root(&request.root), request.max_plies());
        Distance::within(&request.target, root, max_plies).map_err(|error| match error {
            Unreachable::Guide(GuideError::Impossible(reason)) => EngineError::Impossible(reason),
            Unreachable::Guide(GuideError::TooComplex) => EngineError::TooComplex,
            Unreachable::Guide(error @ GuideError::TooManyMen(_)) => EngineError::Root(error),
            Unreachable::TooLong { fewest } => EngineError::TooLong { fewest, max_plies },
        })
    }

    /// Generates positions on several threads, passes them to `deliver` in the order of their indices, and returns the
    /// job, which has the seed. Each position satisfies the target or is as near as the budget allowed.
    ///
    /// It returns early, with fewer positions, if `stop` is set or if no more distinct positions are found.
    ///
    /// # Errors
    /// [`EngineError`]. The positions generated before the failure have been delivered.
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

    /// The same as [`Engine::run`] for a resolved job, which does not need the engine.
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

    /// A generator of single positions for a job. Each thread needs its own. This is for callers with their own order,
    /// such as the schedule of a tournament.
    ///
    /// # Errors
    /// [`GenerationError`] if the method does not support the target, or if the judge cannot be started.
    pub fn generator(job: &Job) -> Result<Generator, GenerationError> {
        Generator::new(job.clone())
    }

    /// Generates `count` positions, on as many threads as the request says. Each satisfies the target or is as near as
    /// the budget allowed. Without a seed, the positions differ each time.
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
