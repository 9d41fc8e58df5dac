//! Games that need not be the shortest: one game, and a shorter one if it is found soon.

use std::sync::atomic::AtomicU64;

use entente_constraint::{
    Impossible, Situation, Target,
    guide::{Guide, GuideError},
    legality::{before_special_move, kernel::Kernels},
};
use entente_search::{
    BestFirst, BestFirstParameters, Limits,
    proof::{ProofGoal, diagram_target, shorter},
};
use rand::{SeedableRng, rngs::ChaCha8Rng};
use shakmaty::Move;

use super::{Proof, ProofWanted, Verdict, kernels::KernelRun};
use crate::{
    engine::{Engine, EngineError},
    generation::{GenerationError, Generator, Outcome, Request},
};

/// How many positions to search for games that are shorter than the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ShorteningNodes {
    /// In the kind of search that found the first game.
    searched: u64,
    /// In beams.
    beamed: u64,
}

impl ShorteningNodes {
    /// The first game is good enough.
    pub(super) const NONE: ShorteningNodes = ShorteningNodes { searched: 0, beamed: 0 };
    /// About half a second.
    pub(super) const SOME: ShorteningNodes = ShorteningNodes { searched: 200_000, beamed: 1_000_000 };
    /// About two seconds. In the median, it shortens human games of 20 to 40 plies to their actual lengths.
    pub(super) const MAX: ShorteningNodes = ShorteningNodes { searched: 600_000, beamed: 5_000_000 };
}

/// A search for a shorter game.
const SHORT: BestFirstParameters =
    BestFirstParameters { weight: 1.5, noise: 1.0, nodes: 30_000, attempt: 0, opening: 0 };
/// A search of fewer positions than this has exhausted its space.
const WORTH: u64 = 10_000;
/// The number of positions of the first search, which suffices for most diagrams of people's games.
const FIRST: u64 = 50_000;
/// The number of positions of a search between others.
const MORE: u64 = 2_000_000;

impl Engine {
    /// Finds a game according to the settings, and the verdict. `found` receives the number of plies of each game that
    /// is the shortest so far.
    pub(super) fn some_game(
        &mut self,
        wanted: &ProofWanted,
        limits: Limits<'_>,
        shortening: ShorteningNodes,
        found: &impl Fn(u32),
        proof: &mut Proof,
    ) -> Result<(), EngineError> {
        let limits = Limits { nodes: wanted.settings.nodes.unwrap_or(u64::MAX), ..limits };
        if wanted.problem.is_met(&wanted.start) {
            (proof.verdict, proof.games) = (Verdict::Found, vec![Vec::new()]);
            found(0);
            return Ok(());
        }
        let mut finder = match self.finder(wanted) {
            Err(EngineError::Impossible(reason)) => {
                proof.verdict = Verdict::Illegal { rule: "analysis", reason: reason.to_string() };
                return Ok(());
            }
            finder => finder?,
        };
        let earlier = match wanted.is_from_initial_position() {
            true => before_special_move(&wanted.problem).unwrap_or_default(),
            false => Vec::new(),
        };
        let is_en_passant =
            !earlier.is_empty() && earlier.iter().all(|before| before.en_passant.flatten().is_some());
        if is_en_passant && self.by_last_move(wanted, &earlier, limits, proof)? {
            // No other search sees that a pawn has to wait for this move.
        } else if finder.has_policy {
            finder.find(limits, u64::MAX, proof)?;
        } else if !finder.find(limits, FIRST, proof)?
            && !self.by_last_move(wanted, &earlier, limits, proof)?
        {
            finder.find_any(wanted, limits, shortening, found, proof)?;
        }
        let Some(plies) = proof.games.first().map(Vec::len) else {
            if let Some(reason) = finder.refutation {
                proof.verdict = match wanted.settings.max_plies {
                    Some(_) => Verdict::NoSuchLength,
                    None => Verdict::Illegal { rule: "analysis", reason: reason.to_string() },
                };
            }
            return Ok(());
        };
        proof.verdict = Verdict::Found;
        found(plies as u32);
        // A game along a kernel is far too long for searches from the initial position.
        if !finder.has_policy && !finder.is_along_kernel {
            finder.shorten(limits, shortening, found, proof);
            if let Some(longest) = proof.shorter() {
                beam(wanted, longest, limits, shortening, found, proof);
            }
        }
        Ok(())
    }

    /// The finder of games for the problem.
    pub(super) fn finder(&mut self, wanted: &ProofWanted) -> Result<Finder, EngineError> {
        let before = wanted.problem.before_double_step();
        let target = diagram_target(before.as_ref().unwrap_or(&wanted.problem), &wanted.start);
        let request =
            Request { root: wanted.start.clone(), ..Request::new(target.clone(), wanted.settings.clone()) };
        let job = self.job(&request)?;
        let (seed, longest, has_policy) = (job.seed, job.max_plies, job.method().has_policy());
        // Without a policy, this search has others beside it.
        let generator = if has_policy { Generator::new(job)? } else { Generator::by_best_first(job)? };
        Ok(Finder {
            generator,
            games: 0,
            target,
            goal: wanted.goal(),
            lacks_last_move: before.is_some(),
            longest,
            has_policy,
            is_along_kernel: false,
            seed,
            refutation: None,
        })
    }
}

/// Lets beams look for a game of at most `plies` plies.
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
    let game = shorter(&wanted.goal(), longest, limits, &nodes, found);
    proof.nodes += nodes.into_inner();
    if let Some(game) = game {
        proof.games = vec![game];
    }
}

/// Plays games to one problem.
pub(super) struct Finder {
    generator: Generator,
    /// The number of games played.
    games: u64,
    /// The target of the games: the whole problem, or what comes before a pawn's double step.
    target: Target,
    goal: ProofGoal,
    /// True if the problem has an en passant capture, and generated games lead to the position before the double step.
    lacks_last_move: bool,
    /// The maximum number of plies of a generated game.
    longest: u32,
    has_policy: bool,
    /// True if the game was found along a kernel.
    is_along_kernel: bool,
    seed: u64,
    /// Why there is no game that the settings allow, if a search proved it.
    refutation: Option<Impossible>,
}

impl Finder {
    /// Finds a game without a policy after the first search has not, by one kind of search after another.
    fn find_any(
        &mut self,
        wanted: &ProofWanted,
        limits: Limits<'_>,
        shortening: ShorteningNodes,
        found: &impl Fn(u32),
        proof: &mut Proof,
    ) -> Result<(), EngineError> {
        let is_promoted = wanted.is_from_initial_position()
            && Kernels::of(&wanted.problem).is_some_and(|kernels| kernels.promotions() > 0);
        if !is_promoted {
            if self.find(limits, MORE, proof)? {
                return Ok(());
            }
            beam(wanted, self.longest, limits, shortening.max(ShorteningNodes::SOME), found, proof);
        }
        let mut kernels = None;
        if proof.games.is_empty() {
            kernels = KernelRun::new(wanted, self.seed, limits);
        }
        // Each search has its own limit. As long as it searches new positions, another one may find a game.
        let mut before = proof.nodes;
        while proof.games.is_empty() {
            if let Some(run) = &mut kernels
                && run.find(limits, proof)
            {
                self.is_along_kernel = true;
                return Ok(());
            }
            if self.find(limits, if is_promoted { MORE } else { u64::MAX }, proof)? {
                return Ok(());
            }
            let searched = proof.nodes - before;
            if searched < WORTH || limits.forbid(proof.nodes, 1) {
                break;
            }
            before = proof.nodes;
        }
        Ok(())
    }

    /// Finds a game within the limits and with at most `more` further positions; true if it did.
    pub(super) fn find(
        &mut self,
        limits: Limits<'_>,
        more: u64,
        proof: &mut Proof,
    ) -> Result<bool, EngineError> {
        let end = limits.nodes.min(proof.nodes.saturating_add(more));
        while proof.nodes < end {
            let within = Limits { nodes: end - proof.nodes, ..limits };
            let generation = match self.generator.generate_within(self.games, within, &|_| true) {
                // A search has tried all games that the settings allow.
                Err(GenerationError::Guide(GuideError::Impossible(reason))) => {
                    self.refutation = Some(reason);
                    return Ok(false);
                }
                generation => generation?,
            };
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

    /// Looks for games that are shorter than the one found, with searches that give more weight to the length.
    fn shorten(
        &self,
        limits: Limits<'_>,
        shortening: ShorteningNodes,
        found: &impl Fn(u32),
        proof: &mut Proof,
    ) {
        let start = Situation::root(self.goal.start());
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
            let longest = longest.saturating_sub(u32::from(self.lacks_last_move));
            let before = search.nodes;
            let line = search.search(start, parameters, longest, |_| true, &mut rng, limits);
            if line.distance == 0
                && let Some(game) = self.whole(line.moves)
            {
                found(game.len() as u32);
                proof.games = vec![game];
            } else if search.is_exhausted() || search.nodes == before {
                // Nothing is left to search: further attempts would never reach the limit.
                break;
            }
        }
        proof.nodes += search.nodes;
    }

    /// A generated game with the double step that it lacks, if it solves the problem.
    fn whole(&self, game: Vec<Move>) -> Option<Vec<Move>> {
        if self.lacks_last_move {
            self.goal.with_last_move(game)
        } else {
            self.goal.is_met_by(&game).then_some(game)
        }
    }
}

impl Proof {
    /// The number of plies that a shorter game may have.
    fn shorter(&self) -> Option<u32> {
        self.games.first().and_then(|game| (game.len() as u32).checked_sub(1))
    }
}
