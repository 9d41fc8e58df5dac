//! Proof games of whole diagrams: any game, the most human-like, or the shortest with proof.

mod kernels;
mod last_move;
mod some;

use std::{
    num::NonZero,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use entente_constraint::legality::{self, Illegal, Problem};
use entente_search::{
    Game, Limits,
    proof::{self, ProofGoal, ProofProgress},
};
use shakmaty::{Chess, Move, Square};
use some::ShorteningNodes;

use super::{Engine, EngineError};
use crate::settings::GenerationSettings;

/// What to find for a problem.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ProofWanted {
    /// The diagram.
    pub problem: Problem,
    /// The position in which games begin.
    pub start: Chess,
    /// Which games are wanted.
    pub games: GamesWanted,
    /// How to find games that need not be the shortest.
    pub settings: GenerationSettings,
    /// The number of threads of a search for the shortest game, and of a search along kernels.
    pub threads: usize,
    /// The memory of a search for the shortest game, in mebibytes.
    pub hash: usize,
    /// The time for everything.
    pub time: Option<Duration>,
}

impl ProofWanted {
    /// The default memory of a search for the shortest game, in mebibytes.
    pub const HASH: usize = 512;

    /// Games from the initial position for a problem, with one thread and no time limit.
    pub fn new(problem: Problem, games: GamesWanted, settings: GenerationSettings) -> ProofWanted {
        let start = Chess::default();
        ProofWanted { problem, start, games, settings, threads: 1, hash: ProofWanted::HASH, time: None }
    }

    /// True if games begin in the initial position, to which the rules of legality apply.
    fn is_from_initial_position(&self) -> bool {
        self.start == Chess::default()
    }

    /// The refusal of games that are over where they would begin, unless that is the diagram.
    fn refusal_at_start(&self) -> Option<Verdict> {
        let reason = "the game is over in the position in which it would begin".to_owned();
        let is_over = Game::new(self.start.clone()).is_over() && !self.problem.is_met(&self.start);
        is_over.then_some(Verdict::Illegal { rule: "analysis", reason })
    }

    /// The goal of the searches.
    fn goal(&self) -> ProofGoal {
        ProofGoal::from(&self.problem, self.start.clone())
    }
}

/// Which games are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GamesWanted {
    /// The first that is found.
    Any,
    /// One, and a shorter one if it is found soon.
    Short,
    /// Up to this many of the shortest.
    Shortest(NonZero<u32>),
    /// Up to this many with exactly this number of plies.
    Exact {
        /// The number of plies.
        plies: u32,
        /// The maximum number of games.
        games: NonZero<u32>,
    },
}

impl GamesWanted {
    /// The maximum number of plies.
    pub const MAX_PLIES: u32 = 200;
    /// The maximum number of games of one length. They are all kept in memory.
    pub const MAX_GAMES: u32 = 10_000;

    /// The wish that these options express: the first game found, the shortest, a number of games of one length, and
    /// that length.
    pub fn of(is_first: bool, is_shortest: bool, games: Option<u32>, plies: Option<u32>) -> GamesWanted {
        let count = NonZero::new(games.unwrap_or(1)).unwrap_or(NonZero::<u32>::MIN);
        match plies {
            Some(plies) => GamesWanted::Exact { plies, games: count },
            None if is_shortest || games.is_some() => GamesWanted::Shortest(count),
            None if is_first => GamesWanted::Any,
            None => GamesWanted::Short,
        }
    }

    /// The maximum number of games.
    pub fn count(self) -> usize {
        match self {
            GamesWanted::Any | GamesWanted::Short => 1,
            GamesWanted::Shortest(games) | GamesWanted::Exact { games, .. } => games.get() as usize,
        }
    }

    /// True if the number of games of one length is wanted.
    pub fn are_counted(self) -> bool {
        matches!(self, GamesWanted::Shortest(_) | GamesWanted::Exact { .. })
    }
}

/// The result for a problem.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Proof {
    /// The position in which the games begin.
    pub start: Chess,
    /// What is known.
    pub verdict: Verdict,
    /// A proved lower bound on the number of plies.
    pub at_least: u32,
    /// The games found, all of the same length.
    pub games: Vec<Vec<Move>>,
    /// True if these are all games of that length.
    pub is_all: bool,
    /// The mean surprise of the game's moves, in nats, if a policy found it.
    pub surprise: Option<f64>,
    /// The number of positions searched.
    pub nodes: u64,
    /// The time taken.
    pub time: Duration,
}

/// What is known of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is a game.
    Found,
    /// No game leads to the diagram.
    Illegal {
        /// The rule that proves it, in one word.
        rule: &'static str,
        /// The reason, in a sentence.
        reason: String,
    },
    /// There is no game of the requested length.
    NoSuchLength,
    /// The time was too short to decide.
    Undetermined,
}

/// The part of the time that goes to finding any game, before the search for the shortest.
const FIRST_SHARE: u32 = 8;
/// The maximum of that time.
const FIRST_TIME: Duration = Duration::from_secs(2);

impl Engine {
    /// A game for the problem's diagram, or the reason why there is none. `progress` receives the progress of a search
    /// for the shortest game, and the length of each game found on the way.
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
            start: wanted.start.clone(),
            verdict: Verdict::Undetermined,
            at_least: 0,
            games: Vec::new(),
            is_all: false,
            surprise: None,
            nodes: 0,
            time: Duration::ZERO,
        };
        let deadline = wanted.time.and_then(|time| begun.checked_add(time));
        let limits = Limits { deadline, ..Limits::until(stop) };
        let refusal = if wanted.is_from_initial_position() {
            let illegal = legality::illegal_thoroughly(&wanted.problem, &|| limits.forbid(0, 0));
            illegal.map(|illegal| Verdict::because(&illegal))
        } else {
            wanted.refusal_at_start()
        };
        match refusal {
            Some(refusal) => proof.verdict = refusal,
            None => self.search(wanted, stop, deadline, progress, &mut proof)?,
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
        let found = proof::shortest(&wanted.goal(), options, limits, |step| progress(Some(step), None));
        proof.nodes += found.nodes;
        match found.at_least {
            None => {
                proof.verdict = Verdict::Illegal {
                    rule: "distances",
                    reason: "the men cannot all reach their squares".to_owned(),
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
    /// True if everything that is wanted has been decided.
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

    /// The squares that the reason names.
    pub fn squares(&self) -> Vec<Square> {
        let Verdict::Illegal { reason, .. } = self else { return Vec::new() };
        reason.split(|c: char| !c.is_ascii_alphanumeric()).filter_map(|word| word.parse().ok()).collect()
    }

    /// The verdict in one word: `found`, `illegal`, `none` (no game of the requested length) or `undetermined`.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Found => "found",
            Verdict::Illegal { .. } => "illegal",
            Verdict::NoSuchLength => "none",
            Verdict::Undetermined => "undetermined",
        }
    }

    /// True if there is no game that leads to the diagram.
    pub fn is_illegal(&self) -> bool {
        matches!(self, Verdict::Illegal { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_found_in_a_reason() {
        let reason = "White's pawn on a3 cannot have come from b9, (h8).".to_owned();
        assert_eq!(Verdict::Illegal { rule: "pawn-ways", reason }.squares(), [Square::A3, Square::H8]);
    }
}
