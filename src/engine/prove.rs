//! Proof games of whole diagrams: any, the most human, or the shortest with proof.

use std::{
    num::NonZero,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use shakmaty::{Chess, Move, Position, Square};

use super::{Engine, EngineError};
use crate::{
    constraint::{RIGHTS, Target, homes},
    generation::{Generator, Outcome, Request},
    legality::{self, DoubleStep, Illegal, Problem},
    proof::{self, Goal, Progress},
    search::Limits,
    settings::Settings,
};

/// What is wanted of a problem.
#[derive(Clone, Debug)]
pub struct ProofWanted {
    /// The diagram.
    pub problem: Problem,
    /// Which games are wanted.
    pub games: GamesWanted,
    /// How games are found that need not be the shortest.
    pub settings: Settings,
    /// Threads of a search for the shortest.
    pub threads: usize,
    /// Mebibytes of a search for the shortest.
    pub hash: usize,
    /// Time for all.
    pub time: Option<Duration>,
}

/// Which games are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GamesWanted {
    /// One, as the settings say.
    Any,
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

/// What came of a problem.
#[derive(Clone, Debug)]
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
/// Nodes of that, at most, so that it ends by itself.
const FIRST_NODES: u64 = 2_000_000;

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
        progress: &(impl Fn(Option<Progress>, Option<u32>) + Sync),
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
        progress: &(impl Fn(Option<Progress>, Option<u32>) + Sync),
        proof: &mut Proof,
    ) -> Result<(), EngineError> {
        let limits = Limits { deadline, ..Limits::until(stop) };
        let (least, most, games) = match wanted.games {
            GamesWanted::Any => {
                if self.some_game(wanted, limits, proof)? {
                    proof.verdict = Verdict::Found;
                }
                return Ok(());
            }
            GamesWanted::Exact { plies, games } => (plies, plies, games),
            GamesWanted::Shortest(games) => {
                let first = wanted.time.map_or(FIRST_TIME, |time| FIRST_TIME.min(time / FIRST_SHARE));
                let soon = Instant::now().checked_add(first);
                let soon = soon.map_or(deadline, |soon| Some(deadline.map_or(soon, |end| end.min(soon))));
                let limits = Limits { deadline: soon, nodes: FIRST_NODES, ..limits };
                let is_found = self.some_game(wanted, limits, proof)?;
                let plies = proof.games.first().map(|game| game.len() as u32).filter(|_| is_found);
                if plies.is_some() {
                    proof.verdict = Verdict::Found;
                    progress(None, plies);
                }
                (0, plies.unwrap_or(u32::MAX), games)
            }
        };
        if proof.verdict.is_illegal() {
            return Ok(());
        }
        let effort = proof::Effort {
            games,
            least_plies: least,
            most_plies: most,
            threads: wanted.threads,
            hash: wanted.hash,
        };
        let found = proof::shortest(&wanted.problem, effort, limits, |step| progress(Some(step), None));
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

    /// Finds a game as the settings say; true if it did.
    fn some_game(
        &mut self,
        wanted: &ProofWanted,
        limits: Limits<'_>,
        proof: &mut Proof,
    ) -> Result<bool, EngineError> {
        let (problem, last) = before_double_step(&wanted.problem);
        let target = target(&problem);
        let request = Request { root: Chess::default(), ..Request::new(target, wanted.settings.clone()) };
        let mut job = match self.job(&request) {
            Err(EngineError::Impossible(reason)) => {
                proof.verdict = Verdict::Illegal { rule: "analysis", reason: reason.to_string() };
                return Ok(false);
            }
            job => job?,
        };
        job.seed = wanted.settings.seed.unwrap_or(1);
        let mut generator = Generator::new(job)?;
        let goal = Goal::new(&wanted.problem);
        for index in 0.. {
            let generation = generator.generate_within(index, limits, &|_| true)?;
            proof.nodes += generation.nodes;
            if generation.outcome != Outcome::Found {
                return Ok(false);
            }
            let mut position = generation.position;
            let mut game = generation.moves;
            if let Some(last) = last(&position) {
                position.play_unchecked(last);
                game.push(last);
            }
            // All but an en passant capture is a condition of the target.
            if goal.is_met(&position) {
                proof.surprise = generation.report.and_then(|report| report.mean_surprise());
                proof.games = vec![game];
                return Ok(true);
            }
            if limits.forbid(proof.nodes, 1) {
                break;
            }
        }
        Ok(false)
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

/// The problem before a pawn went the two squares that an en passant capture asks for, and that move; the problem itself
/// if it asks for none.
fn before_double_step(problem: &Problem) -> (Problem, impl Fn(&Chess) -> Option<Move>) {
    let step = problem.en_passant.flatten().and_then(DoubleStep::over);
    let mut before = problem.clone();
    if let Some(DoubleStep { color, from, to }) = step {
        if let Some(pawn) = before.board.remove_piece_at(to) {
            before.board.set_piece_at(from, pawn);
        }
        before.turn = Some(color);
        before.en_passant = None;
    }
    let last = move |position: &Chess| {
        let DoubleStep { from, to, .. } = step?;
        let is_step = |m: &Move| m.from() == Some::<Square>(from) && m.to() == to;
        position.legal_moves().into_iter().find(is_step)
    };
    (before, last)
}

/// What the constraint language says of a problem: all but en passant captures.
fn target(problem: &Problem) -> Target {
    let mut text = format!("fen={}", problem.board);
    if let Some(turn) = problem.turn {
        text += &format!(" turn={}", turn.fold_wb("white", "black"));
    }
    if let Some(rooks) = problem.castling {
        let held = RIGHTS.into_iter().filter(|(_, color, side)| rooks.contains(homes(*color, *side)[1].0));
        let letters: String = held.map(|(letter, ..)| letter).collect();
        text += &format!(" castling={}", if letters.is_empty() { "none" } else { &letters });
    }
    Target::new(text.parse().expect("it is a constraint")).expect("a diagram is never too complex")
}
