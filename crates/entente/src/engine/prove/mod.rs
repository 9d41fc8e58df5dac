//! Proof games of whole diagrams: some, the most human, or the shortest with proof.

mod some;

use std::{
    num::NonZero,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use entente_constraint::legality::{self, Illegal, Problem};
use entente_search::{
    Limits,
    proof::{self, ProofProgress},
};
use shakmaty::Move;
use some::ShorteningNodes;

use super::{Engine, EngineError};
use crate::settings::GenerationSettings;

/// What is wanted of a problem.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ProofWanted {
    /// The diagram.
    pub problem: Problem,
    /// Which games are wanted.
    pub games: GamesWanted,
    /// How games are found that need not be the shortest.
    pub settings: GenerationSettings,
    /// Threads of a search for the shortest.
    pub threads: usize,
    /// Mebibytes of a search for the shortest.
    pub hash: usize,
    /// Time for all.
    pub time: Option<Duration>,
}

impl ProofWanted {
    /// The usual memory of a search for the shortest, in mebibytes.
    pub const HASH: usize = 512;

    /// Games to a problem, in one thread and without a limit of time.
    pub fn new(problem: Problem, games: GamesWanted, settings: GenerationSettings) -> ProofWanted {
        ProofWanted { problem, games, settings, threads: 1, hash: ProofWanted::HASH, time: None }
    }
}

/// Which games are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GamesWanted {
    /// The first that is found.
    Any,
    /// One, and a shorter one where that is soon found.
    Short,
    /// As many of the shortest.
    Shortest(NonZero<u32>),
    /// As many that have exactly so many plies.
    Exact {
        /// The plies.
        plies: u32,
        /// How many games.
        games: NonZero<u32>,
    },
}

impl GamesWanted {
    /// The longest games that may be asked for.
    pub const MAX_PLIES: u32 = 200;
    /// The most games of a length: they are all kept in memory.
    pub const MAX_GAMES: u32 = 10_000;

    /// What these words ask for: the first game that is found, the shortest, so many games of a length, and the length.
    pub fn of(is_first: bool, is_shortest: bool, games: Option<u32>, plies: Option<u32>) -> GamesWanted {
        let count = NonZero::new(games.unwrap_or(1)).unwrap_or(NonZero::<u32>::MIN);
        match plies {
            Some(plies) => GamesWanted::Exact { plies, games: count },
            None if is_shortest || games.is_some() => GamesWanted::Shortest(count),
            None if is_first => GamesWanted::Any,
            None => GamesWanted::Short,
        }
    }

    /// How many games are wanted.
    pub fn count(self) -> usize {
        match self {
            GamesWanted::Any | GamesWanted::Short => 1,
            GamesWanted::Shortest(games) | GamesWanted::Exact { games, .. } => games.get() as usize,
        }
    }

    /// True if it is asked how many there are of a length.
    pub fn are_counted(self) -> bool {
        matches!(self, GamesWanted::Shortest(_) | GamesWanted::Exact { .. })
    }
}

/// What came of a problem.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Proof {
    /// What is known now.
    pub verdict: Verdict,
    /// No game has fewer plies, as far as that is proved.
    pub at_least: u32,
    /// The games, all of the same length.
    pub games: Vec<Vec<Move>>,
    /// True if these are all games of that length.
    pub is_all: bool,
    /// The mean surprise of the game's moves, in nats, where a policy found it.
    pub surprise: Option<f64>,
    /// Positions searched.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// What is known of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is a game.
    Found,
    /// No game comes to it, and why.
    Illegal {
        /// The rule that says so, in one word.
        rule: &'static str,
        /// In a sentence.
        reason: String,
    },
    /// There is no game of the length that is asked for.
    NoSuchLength,
    /// The time was too short to know.
    Undetermined,
}

/// The part of the time in which some game is looked for before the shortest.
const FIRST_SHARE: u32 = 8;
/// The most of it.
const FIRST_TIME: Duration = Duration::from_secs(2);

impl Engine {
    /// A game to the problem's diagram, or why there is none. `progress` is told how far a search for the shortest has come,
    /// and of a game found on the way how many plies it has.
    ///
    /// # Errors
    /// [`EngineError`] if the settings contradict each other, or a network cannot be used.
    pub fn prove(
        &mut self,
        wanted: &ProofWanted,
        stop: &AtomicBool,
        progress: &(impl Fn(Option<ProofProgress>, Option<u32>) + Sync),
    ) -> Result<Proof, EngineError> {
        let begun = Instant::now();
        let mut proof = Proof {
            verdict: Verdict::Undetermined,
            at_least: 0,
            games: Vec::new(),
            is_all: false,
            surprise: None,
            nodes: 0,
            time: Duration::ZERO,
        };
        if let Some(illegal) = legality::illegal(&wanted.problem) {
            proof.verdict = Verdict::because(&illegal);
        } else {
            let deadline = wanted.time.and_then(|time| begun.checked_add(time));
            self.search(wanted, stop, deadline, progress, &mut proof)?;
        }
        proof.time = begun.elapsed();
        Ok(proof)
    }

    fn search(
        &mut self,
        wanted: &ProofWanted,
        stop: &AtomicBool,
        deadline: Option<Instant>,
        progress: &(impl Fn(Option<ProofProgress>, Option<u32>) + Sync),
        proof: &mut Proof,
    ) -> Result<(), EngineError> {
        let limits = Limits { deadline, ..Limits::until(stop) };
        let found = |plies: u32| progress(None, Some(plies));
        let longest = wanted.settings.max_plies.unwrap_or(u32::MAX);
        let (least, most, games) = match wanted.games {
            GamesWanted::Any => return self.some_game(wanted, limits, ShorteningNodes::NONE, &found, proof),
            GamesWanted::Short => {
                return self.some_game(wanted, limits, ShorteningNodes::MAX, &found, proof);
            }
            GamesWanted::Exact { plies, games } => (plies, plies, games),
            GamesWanted::Shortest(games) => {
                let first = wanted.time.map_or(FIRST_TIME, |time| FIRST_TIME.min(time / FIRST_SHARE));
                let soon = Instant::now().checked_add(first);
                let soon = soon.map_or(deadline, |soon| Some(deadline.map_or(soon, |end| end.min(soon))));
                let soon = Limits { deadline: soon, ..limits };
                self.some_game(wanted, soon, ShorteningNodes::SOME, &found, proof)?;
                let known = proof.games.first().map(|game| game.len() as u32);
                (0, known.unwrap_or(longest), games)
            }
        };
        if proof.verdict.is_illegal() {
            return Ok(());
        }
        let options = proof::ProofOptions {
            games,
            min_plies: least,
            max_plies: most,
            threads: wanted.threads,
            hash: wanted.hash,
        };
        let nodes = wanted.settings.nodes.unwrap_or(u64::MAX);
        let limits = Limits { nodes: nodes.saturating_sub(proof.nodes), ..limits };
        let found = proof::shortest(&wanted.problem, options, limits, |step| progress(Some(step), None));
        proof.nodes += found.nodes;
        match found.at_least {
            None => {
                proof.verdict = Verdict::Illegal {
                    rule: "distances",
                    reason: "the men cannot all get to where they stand".to_owned(),
                };
            }
            Some(at_least) => {
                if wanted.games == (GamesWanted::Exact { plies: least, games }) {
                    proof.at_least = 0;
                    proof.verdict = match (found.games.is_empty(), at_least > least) {
                        (false, _) => Verdict::Found,
                        (true, true) => Verdict::NoSuchLength,
                        (true, false) => Verdict::Undetermined,
                    };
                } else {
                    proof.at_least = at_least;
                    if proof.games.is_empty() && at_least > longest {
                        proof.verdict = Verdict::NoSuchLength;
                    }
                }
                if !found.games.is_empty() {
                    proof.verdict = Verdict::Found;
                    proof.games = found.games;
                    proof.is_all = found.is_all;
                }
            }
        }
        Ok(())
    }
}

impl Proof {
    /// True if nothing is left to be found out of what is wanted.
    pub fn is_decided(&self, wanted: GamesWanted) -> bool {
        let plies = self.games.first().map(|game| game.len() as u32);
        let are_enough = self.is_all || self.games.len() >= wanted.count();
        match (&self.verdict, wanted) {
            (Verdict::Undetermined, _) => false,
            (Verdict::Found, GamesWanted::Shortest(_)) => plies == Some(self.at_least) && are_enough,
            (Verdict::Found, _) => are_enough,
            _ => true,
        }
    }
}

impl Verdict {
    fn because(illegal: &Illegal) -> Verdict {
        Verdict::Illegal { rule: illegal.rule.word(), reason: illegal.to_string() }
    }

    /// True if there is no game to the diagram.
    pub fn is_illegal(&self) -> bool {
        matches!(self, Verdict::Illegal { .. })
    }
}
