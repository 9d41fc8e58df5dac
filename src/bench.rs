//! The fixed workload, whose node count tells one version from another.

use std::{
    fmt::{self, Display, Formatter},
    iter,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use shakmaty::Position;

use crate::{
    constraint::{Target, thesis},
    generation::{GenerationError, Generator, Job, Statistics},
    search::{AlphaBeta, Game, Limits, Report, Request, position_from_fen, rate},
    settings::{Method, Settings},
};

/// A fixed workload: positions for all 486 piece constraints of the thesis, by cooperative negamax of depth 2 with the
/// material evaluator, and then the competitive search of a dozen positions.
///
/// The node count depends on the program alone, never on the machine or the number of threads; a change of it is a
/// change of what search finds.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    /// Positions for each constraint.
    pub games: u32,
    /// At least 1.
    pub threads: u32,
    /// Another seed gives other positions and another node count.
    pub seed: u64,
}

impl Default for Bench {
    fn default() -> Bench {
        Bench { games: 4, threads: 1, seed: 1 }
    }
}

/// What a [`Bench`] counted.
#[derive(Clone, Debug)]
pub struct BenchReport {
    bench: Bench,
    statistics: Statistics,
    generated_in: Duration,
    play_nodes: u64,
    played_in: Duration,
}

/// Positions of our own for the competitive search: openings, middlegames with tension, endgames, a mate.
const PLAY: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkb1r/pp3ppp/2n1pn2/2pp4/3P4/2PBPN2/PP3PPP/RNBQK2R w KQkq - 0 6",
    "r2q1rk1/1b2bppp/p1n1pn2/1pp5/3P4/1BN1PN2/PP2QPPP/R1BR2K1 b - - 3 12",
    "r3k2r/p1ppq1b1/bn2pnp1/3PN3/1p2P3/2N4Q/PPPB1PPP/R3KB1R w KQkq - 0 1",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "r1b2rk1/2q1bppp/p2ppn2/1p6/3BPP2/2N2B2/PPP1Q1PP/R4R1K b - - 4 14",
    "4rrk1/pp1n1pp1/2p2q1p/3p4/3P1P2/2NBP3/PPQ3PP/4RRK1 w - - 2 20",
    "8/2k2p2/2p1p1p1/1p1pP1P1/pP1P1P2/P1K1N3/8/3b4 w - - 0 45",
    "8/5pk1/4p1p1/3pP2p/2pP3P/2P2PP1/1r4K1/R7 w - - 0 37",
    "6k1/5p1p/P5p1/1p6/2r5/6P1/R4P1P/6K1 b - - 0 30",
    "8/8/3k4/3p4/3P1K2/8/6P1/8 w - - 0 1",
    "r4rk1/ppp2ppp/8/2bqp1Nn/3n4/3P4/PPP1QPPP/R1B2RK1 w - - 0 14",
];
/// Plies that each of them is searched.
const PLAY_DEPTH: u32 = 8;
/// The transposition table of each of them, in mebibytes.
const PLAY_HASH: usize = 4;

impl Bench {
    /// Runs it; `None` if it was stopped.
    ///
    /// # Errors
    /// [`GenerationError`] if an evaluator fails, which that of men does not.
    pub fn run(self, stop: &AtomicBool) -> Result<Option<BenchReport>, GenerationError> {
        let start = Instant::now();
        let statistics = Mutex::new(Statistics::default());
        self.spread(&thesis::all(), stop, |counts| self.generate(*counts, stop, &statistics))?;
        let generated_in = start.elapsed();

        let start = Instant::now();
        let play_nodes = Mutex::new(0);
        self.spread(&PLAY, stop, |fen| {
            let nodes = play(fen, stop);
            *play_nodes.lock().unwrap_or_else(PoisonError::into_inner) += nodes;
            Ok(())
        })?;
        let report = BenchReport {
            bench: self,
            statistics: statistics.into_inner().unwrap_or_else(PoisonError::into_inner),
            generated_in,
            play_nodes: play_nodes.into_inner().unwrap_or_else(PoisonError::into_inner),
            played_in: start.elapsed(),
        };
        Ok((!stop.load(Ordering::Relaxed)).then_some(report))
    }

    /// Does `work` for every item, each once, on all threads.
    fn spread<T: Sync>(
        self,
        items: &[T],
        stop: &AtomicBool,
        work: impl Fn(&T) -> Result<(), GenerationError> + Sync,
    ) -> Result<(), GenerationError> {
        let next = AtomicUsize::new(0);
        let take = || {
            let item = items.get(next.fetch_add(1, Ordering::Relaxed));
            item.filter(|_| !stop.load(Ordering::Relaxed))
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (0..self.threads.max(1))
                .map(|_| scope.spawn(|| iter::from_fn(take).try_for_each(&work)))
                .collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
        })
    }

    fn generate(
        self,
        counts: thesis::Counts,
        stop: &AtomicBool,
        statistics: &Mutex<Statistics>,
    ) -> Result<(), GenerationError> {
        let target = Target::new(thesis::constraint(counts)).expect("the thesis's constraints are sound");
        let job = Job { seed: self.seed, ..Job::new(target, Method::Negamax, Settings::default()) };
        let mut generator = Generator::new(job)?;
        // Constraints of one run must not share their games' random choices.
        let first = counts.iter().fold(0, |index, count| index * 16 + u64::from(*count)) << 32;
        for index in first..first + u64::from(self.games) {
            let generation = generator.generate(index, stop)?;
            statistics.lock().unwrap_or_else(PoisonError::into_inner).add(&generation);
        }
        Ok(())
    }
}

/// The nodes of one competitive search.
fn play(fen: &str, stop: &AtomicBool) -> u64 {
    let position = position_from_fen(fen).expect("a position of ours");
    let moves = position.legal_moves().to_vec();
    let request = Request { moves, depth: PLAY_DEPTH, mate: None, patient: false, lines: 1 };
    let mut nodes = 0;
    let count = &mut |report: &Report<'_>| nodes = report.nodes;
    AlphaBeta::new(PLAY_HASH).search(&Game::new(position), &request, Limits::until(stop), count);
    nodes
}

impl Display for BenchReport {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Bench { games, threads, .. } = self.bench;
        let Statistics { generated, satisfied, satisfied_at_first_attempt, played, nodes, .. } =
            &self.statistics;
        let unique = self.statistics.unique();
        let unique_share = 100.0 * unique as f64 / (*played).max(1) as f64;
        let all = nodes + self.play_nodes;
        writeln!(f, "constraints    {}, {games} positions each, {threads} threads", thesis::all().len())?;
        writeln!(f, "satisfied      {satisfied} of {generated}")?;
        writeln!(f, "first attempt  {satisfied_at_first_attempt} of {generated}")?;
        writeln!(f, "unique         {unique} of {played} with at least one ply ({unique_share:.1}%)")?;
        writeln!(
            f,
            "generation     {nodes} nodes in {:.2} s, {} positions/s, {} nps",
            self.generated_in.as_secs_f64(),
            rate(*generated, self.generated_in),
            rate(*nodes, self.generated_in)
        )?;
        writeln!(
            f,
            "play           {} nodes in {:.2} s, {} positions, depth {PLAY_DEPTH}, {} nps",
            self.play_nodes,
            self.played_in.as_secs_f64(),
            PLAY.len(),
            rate(self.play_nodes, self.played_in)
        )?;
        write!(f, "Bench: {all} nodes {} nps", rate(all, self.generated_in + self.played_in))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(bench: Bench) -> u64 {
        let report = bench.run(&AtomicBool::new(false)).unwrap().expect("nobody stops it");
        let text = report.to_string();
        let last = text.lines().last().unwrap().strip_prefix("Bench: ").expect("the last line has the sum");
        assert_eq!(last.split(' ').nth(1), Some("nodes"), "{last}");
        last.split(' ').next().unwrap().parse().unwrap()
    }

    #[test]
    fn the_node_count_depends_on_the_seed_alone() {
        let bench = Bench { games: 1, ..Bench::default() };
        let one = nodes(bench);
        assert_eq!(nodes(Bench { threads: 3, ..bench }), one);
        assert_ne!(nodes(Bench { seed: 2, ..bench }), one);
    }

    #[test]
    fn a_stop_leaves_no_report() {
        assert!(Bench::default().run(&AtomicBool::new(true)).unwrap().is_none());
    }
}
