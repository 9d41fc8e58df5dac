//! The fixed workload of `entente bench`, whose node counts distinguish versions of the program, and speed
//! measurements.
//!
//! A [`Bench`] has the numbers of positions and threads and the seed. It returns a [`BenchReport`] with one [`Part`]
//! for each kind of search. [`Speed`] reports one line after another. `benches/fingerprint.txt` has the expected
//! counts.
//!
//! To add a search, add a file with its workload next to `tree.rs`, run it in [`Bench::run`], and update the counts
//! with `scripts/fingerprint`.

mod alpha_beta;
mod best_first;
mod negamax;
mod positions;
mod report;
mod speed;
mod tree;

use std::{
    convert::Infallible,
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

pub use report::{BenchReport, Part};
pub use speed::{Speed, SpeedLine};

use entente::{
    generation::{GenerationError, Statistics},
    parallel::{self, map_in_order},
};
use entente_constraint::thesis;

use self::{best_first::CONSTRAINTS, positions::POSITIONS, tree::Work};

/// A fixed workload with a part for each kind of search: cooperative negamax at depth 2 with the evaluator `men` for
/// all 486 piece constraints of the thesis; competitive alpha-beta search of a dozen positions; best-first search for
/// constraints of all kinds; and competitive and cooperative tree search with an evaluation that counts men.
///
/// The node counts depend only on the program, not on the machine or the number of threads. If a count changes, that
/// search behaves differently.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    /// The number of positions for each constraint of the thesis.
    pub games: u32,
    /// The number of threads, at least 1.
    pub threads: u32,
    /// The seed. Each seed gives different positions and node counts.
    pub seed: u64,
}

impl Default for Bench {
    fn default() -> Bench {
        Bench { games: 4, threads: 1, seed: 1 }
    }
}

impl Bench {
    /// Runs the workload; `None` if it was stopped.
    ///
    /// # Errors
    /// [`GenerationError`] if an evaluator fails, which the evaluator `men` never does.
    pub fn run(self, stop: &AtomicBool) -> Result<Option<BenchReport>, GenerationError> {
        let start = Instant::now();
        let mut statistics = Statistics::default();
        let constraints = thesis::all();
        let generations = self.map(&constraints, stop, |counts| negamax::generate(self, *counts, stop))?;
        generations.iter().flatten().for_each(|generation| statistics.add(generation));
        let what = format!("{} positions", statistics.generated);
        let mut parts = vec![Part { name: "negamax", what, nodes: statistics.nodes, time: start.elapsed() }];

        let what = format!("{} positions, depth {}", POSITIONS.len(), alpha_beta::DEPTH);
        parts.push(self.part("alpha-beta", what, &POSITIONS, stop, |fen| alpha_beta::nodes(fen, stop)));

        let what = format!("{} constraints", CONSTRAINTS.len());
        let plan = |constraint: &&str| best_first::nodes(constraint, self.seed, stop);
        parts.push(self.part("best-first", what, &CONSTRAINTS, stop, plan));

        let trees: Vec<Work> = POSITIONS.map(Work::Compete).into_iter().chain(tree::TRADES).collect();
        let what = format!("{} positions", trees.len());
        parts.push(self.part("tree", what, &trees, stop, |work| tree::visits(*work, stop)));
        let report = BenchReport { bench: self, statistics, parts };
        Ok((!stop.load(Ordering::Relaxed)).then_some(report))
    }

    /// Runs a part; `nodes` searches an item and returns the number of nodes.
    fn part<T: Sync>(
        self,
        name: &'static str,
        what: String,
        items: &[T],
        stop: &AtomicBool,
        nodes: impl Fn(&T) -> u64 + Sync,
    ) -> Part {
        let start = Instant::now();
        let Ok(counted) = self.map(items, stop, |item| Ok::<u64, Infallible>(nodes(item)));
        Part { name, what, nodes: counted.iter().sum(), time: start.elapsed() }
    }

    /// Does `work` on the items, on all threads. After `stop`, the remaining items are left out.
    fn map<T: Sync, R: Send, E: Send>(
        self,
        items: &[T],
        stop: &AtomicBool,
        work: impl Fn(&T) -> Result<R, E> + Sync,
    ) -> Result<Vec<R>, E> {
        let items = items.iter().take_while(|_| !stop.load(Ordering::Relaxed));
        map_in_order(items, &mut parallel::threads(self.threads as usize), |(), item| work(item))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(bench: Bench) -> BenchReport {
        bench.run(&AtomicBool::new(false)).unwrap().expect("nothing stops it")
    }

    #[test]
    fn the_node_counts_depend_only_on_the_seed() {
        let bench = Bench { games: 1, ..Bench::default() };
        let nodes = |bench| run(bench).parts.iter().map(|part| part.nodes).collect::<Vec<u64>>();
        let one = nodes(bench);
        assert_eq!(nodes(Bench { threads: 3, ..bench }), one);
        let other = nodes(Bench { seed: 2, ..bench });
        // Searches without random choices have the same counts.
        assert!(other[0] != one[0] && other[1] == one[1] && other[2] != one[2] && other[3] == one[3]);
    }

    #[test]
    fn the_last_line_has_the_sum_of_the_parts() {
        let report = run(Bench { games: 1, ..Bench::default() });
        let text = report.to_string();
        let last = text.lines().last().unwrap().strip_prefix("Bench: ").expect("the last line has the sum");
        let words: Vec<&str> = last.split(' ').collect();
        assert_eq!((words.len(), words[1], words[3]), (4, "nodes", "nps"), "{last}");
        let sum: u64 = report.parts.iter().map(|part| part.nodes).sum();
        assert_eq!(words[0], sum.to_string());
    }

    #[test]
    fn a_stop_leaves_no_report() {
        assert!(Bench::default().run(&AtomicBool::new(true)).unwrap().is_none());
    }
}
