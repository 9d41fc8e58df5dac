//! Games that need not be the shortest: one, and shorter ones than that where they are soon found.

use std::sync::atomic::AtomicU64;

use entente_constraint::{
    RIGHTS, Situation, Target,
    guide::Guide,
    homes,
    legality::{DoubleStep, Problem},
};
use entente_search::{
    BestFirst, BestFirstParameters, Limits,
    proof::{ProofGoal, shorter},
};
use rand::{SeedableRng, rngs::ChaCha8Rng};
use shakmaty::{Chess, Move, Position};

use super::{Proof, ProofWanted, Verdict};
use crate::{
    engine::{Engine, EngineError},
    generation::{Generator, Outcome, Request},
};

/// How hard to look for shorter games than the first, in positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ShorteningNodes {
    /// By the search that found that.
    searched: u64,
    /// By beams.
    beamed: u64,
}

impl ShorteningNodes {
    /// The first game will do.
    pub(super) const NONE: ShorteningNodes = ShorteningNodes { searched: 0, beamed: 0 };
    /// Half a second.
    pub(super) const SOME: ShorteningNodes = ShorteningNodes { searched: 200_000, beamed: 1_000_000 };
    /// Two seconds. People's games of 20 to 40 plies are shortened to their own lengths by it, in the median.
    pub(super) const MAX: ShorteningNodes = ShorteningNodes { searched: 600_000, beamed: 5_000_000 };
}

/// A search for a shorter game.
const SHORT: BestFirstParameters =
    BestFirstParameters { weight: 1.5, noise: 1.0, nodes: 30_000, attempt: 0, opening: 0 };
/// A search of fewer positions has seen all that there is.
const WORTH: u64 = 10_000;
/// Positions of the first search, before beams are tried where it has found nothing.
const FIRST: u64 = 2_000_000;

impl Engine {
    /// Finds a game as the settings say, and the verdict with it; `found` is told the plies of each that is the shortest so
    /// far.
    pub(super) fn some_game(
        &mut self,
        wanted: &ProofWanted,
        limits: Limits<'_>,
        shortening: ShorteningNodes,
        found: &impl Fn(u32),
        proof: &mut Proof,
    ) -> Result<(), EngineError> {
        let limits = Limits { nodes: wanted.settings.nodes.unwrap_or(u64::MAX), ..limits };
        let mut finder = match self.finder(wanted) {
            Err(EngineError::Impossible(reason)) => {
                proof.verdict = Verdict::Illegal { rule: "analysis", reason: reason.to_string() };
                return Ok(());
            }
            finder => finder?,
        };
        if finder.has_policy {
            finder.find(limits, u64::MAX, proof)?;
        } else if !finder.find(limits, FIRST, proof)? {
            beam(wanted, finder.longest, limits, shortening.max(ShorteningNodes::SOME), found, proof);
            // Each search ends by itself; as long as there is more to look at, another may find a game.
            let mut before = proof.nodes;
            while proof.games.is_empty() && !finder.find(limits, u64::MAX, proof)? {
                let searched = proof.nodes - before;
                if searched < WORTH || limits.forbid(proof.nodes, 1) {
                    break;
                }
                before = proof.nodes;
            }
        }
        let Some(plies) = proof.games.first().map(Vec::len) else { return Ok(()) };
        proof.verdict = Verdict::Found;
        found(plies as u32);
        if !finder.has_policy {
            finder.shorten(limits, shortening, found, proof);
            if let Some(longest) = proof.shorter() {
                beam(wanted, longest, limits, shortening, found, proof);
            }
        }
        Ok(())
    }

    /// What plays games to the problem.
    fn finder(&mut self, wanted: &ProofWanted) -> Result<Finder, EngineError> {
        let last = wanted.problem.en_passant.flatten().and_then(DoubleStep::over);
        let before = last.map_or_else(|| wanted.problem.clone(), |last| before(last, &wanted.problem));
        let target = target(&before);
        let request =
            Request { root: Chess::default(), ..Request::new(target.clone(), wanted.settings.clone()) };
        let job = self.job(&request)?;
        let (seed, longest, has_policy) = (job.seed, job.max_plies, job.method().has_policy());
        let generator = Generator::new(job)?;
        Ok(Finder {
            generator,
            games: 0,
            target,
            goal: ProofGoal::new(&wanted.problem),
            last,
            longest,
            has_policy,
            seed,
        })
    }
}

/// Lets beams look for a game of at most so many plies.
fn beam(
    wanted: &ProofWanted,
    longest: u32,
    limits: Limits<'_>,
    shortening: ShorteningNodes,
    found: &impl Fn(u32),
    proof: &mut Proof,
) {
    let nodes = AtomicU64::new(0);
    let limits = Limits { nodes: limits.nodes.saturating_sub(proof.nodes).min(shortening.beamed), ..limits };
    let game = shorter(&ProofGoal::new(&wanted.problem), longest, limits, &nodes, found);
    proof.nodes += nodes.into_inner();
    if let Some(game) = game {
        proof.games = vec![game];
    }
}

/// Plays games to one problem.
struct Finder {
    generator: Generator,
    /// How many it has played.
    games: u64,
    /// What they come to: all of the problem but an en passant capture.
    target: Target,
    goal: ProofGoal,
    /// What a pawn does after the generator's games, if an en passant capture is part of the problem.
    last: Option<DoubleStep>,
    /// The longest game that the generator plays.
    longest: u32,
    has_policy: bool,
    seed: u64,
}

impl Finder {
    /// Finds a game within the limits and so many positions more; true if it did.
    fn find(&mut self, limits: Limits<'_>, more: u64, proof: &mut Proof) -> Result<bool, EngineError> {
        let end = limits.nodes.min(proof.nodes.saturating_add(more));
        while proof.nodes < end {
            let within = Limits { nodes: end - proof.nodes, ..limits };
            let generation = self.generator.generate_within(self.games, within, &|_| true)?;
            self.games += 1;
            proof.nodes += generation.nodes;
            if generation.outcome != Outcome::Found {
                return Ok(false);
            }
            if let Some(game) = self.whole(generation.moves) {
                proof.surprise = generation.report.and_then(|report| report.mean_surprise());
                proof.games = vec![game];
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Looks for games that are shorter than the one that is found, by searches to which a game's length matters more.
    fn shorten(
        &self,
        limits: Limits<'_>,
        shortening: ShorteningNodes,
        found: &impl Fn(u32),
        proof: &mut Proof,
    ) {
        let root = Chess::default();
        let start = Situation::root(&root);
        let Ok(guide) = Guide::new(&self.target, start) else { return };
        let mut search = BestFirst::new(guide);
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let nodes = limits.nodes.saturating_sub(proof.nodes).min(shortening.searched);
        let limits = Limits { nodes, ..limits };
        for attempt in 0.. {
            let Some(longest) = proof.shorter() else { break };
            if limits.forbid(search.nodes, 1) {
                break;
            }
            let parameters = BestFirstParameters { attempt, ..SHORT };
            let longest = longest.saturating_sub(u32::from(self.last.is_some()));
            let line = search.search(start, parameters, longest, |_| true, &mut rng, limits);
            if line.distance == 0
                && let Some(game) = self.whole(line.moves)
            {
                found(game.len() as u32);
                proof.games = vec![game];
            } else if search.is_exhausted() {
                break;
            }
        }
        proof.nodes += search.nodes;
    }

    /// A game to the target with the move that comes behind, if it is one to the problem.
    fn whole(&self, mut game: Vec<Move>) -> Option<Vec<Move>> {
        let mut position = Chess::default();
        game.iter().for_each(|&m| position.play_unchecked(m));
        if let Some(last) = self.last.and_then(|last| played(last, &position)) {
            position.play_unchecked(last);
            game.push(last);
        }
        self.goal.is_met(&position).then_some(game)
    }
}

impl Proof {
    /// The plies of a game that would be shorter than the one that is found.
    fn shorter(&self) -> Option<u32> {
        self.games.first().and_then(|game| (game.len() as u32).checked_sub(1))
    }
}

/// The problem before the last move, which was a pawn's.
fn before(last: DoubleStep, problem: &Problem) -> Problem {
    let mut before = problem.clone();
    if let Some(pawn) = before.board.remove_piece_at(last.to) {
        before.board.set_piece_at(last.from, pawn);
    }
    before.turn = Some(last.color);
    before.en_passant = None;
    before
}

/// The pawn's move, if it can be made.
fn played(step: DoubleStep, position: &Chess) -> Option<Move> {
    let DoubleStep { from, to, .. } = step;
    position.legal_moves().into_iter().find(|m| m.from() == Some(from) && m.to() == to)
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
