use std::{
    collections::HashSet,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Instant,
};

use clap::Args;
use shakmaty::{Board, Chess, Position};

use super::FOUND;
use crate::{
    constraint::{Goal, thesis},
    evaluator::Recipe,
    generation::{Budget, Generator, Outcome, Settings},
    search::NegamaxSettings,
};

/// Run a fixed workload: all 486 piece constraints of the thesis, four positions each.
///
/// Cooperative negamax of depth 2 with the material evaluator. The node count depends on the program alone,
/// never on the machine or the number of threads; a change of it is a change of what search finds.
#[derive(Args)]
pub struct Arguments {
    /// Positions for each constraint
    #[arg(long, default_value_t = 4)]
    games: u64,
    /// Threads
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..))]
    threads: u8,
    /// The seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Default)]
struct Totals {
    generated: u64,
    satisfied: u64,
    satisfied_at_first_attempt: u64,
    nodes: u64,
    /// Positions that took at least one ply: those that hold at the root are all the same.
    played: u64,
    placements: HashSet<Board>,
}

/// Runs `entente bench` and returns its exit status.
pub fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let constraints = thesis::all();
    let next = AtomicUsize::new(0);
    let totals = Mutex::new(Totals::default());
    let start = Instant::now();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..arguments.threads)
            .map(|_| {
                scope.spawn(|| {
                    while let Some(counts) = constraints.get(next.fetch_add(1, Ordering::Relaxed)) {
                        generate(*counts, arguments, &totals)?;
                    }
                    anyhow::Ok(())
                })
            })
            .collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
    })?;
    let seconds = start.elapsed().as_secs_f64();

    let totals = totals.into_inner().expect("no worker panics with the lock held");
    println!(
        "constraints    {}, {} positions each, {} threads",
        constraints.len(),
        arguments.games,
        arguments.threads
    );
    println!("satisfied      {} of {}", totals.satisfied, totals.generated);
    println!("first attempt  {} of {}", totals.satisfied_at_first_attempt, totals.generated);
    println!(
        "unique         {} of {} with at least one ply ({:.1}%)",
        totals.placements.len(),
        totals.played,
        100.0 * totals.placements.len() as f64 / totals.played.max(1) as f64
    );
    println!("time           {seconds:.2} s, {:.0} positions/s", totals.generated as f64 / seconds);
    println!("Bench: {} nodes {:.0} nps", totals.nodes, totals.nodes as f64 / seconds);
    Ok(FOUND)
}

fn generate(counts: thesis::Counts, arguments: &Arguments, totals: &Mutex<Totals>) -> anyhow::Result<()> {
    let settings = Settings {
        root: Chess::default(),
        goal: Goal::new(&thesis::constraint(counts))?,
        search: NegamaxSettings { depth: 2, criterion: 0.1, faithful: false },
        max_plies: 101,
        budget: Budget::new(false, None, None),
        seed: arguments.seed,
    };
    let mut generator = Generator::new(settings, &Recipe::Material)?;
    // Constraints of one run must not share their games' random choices.
    let first = counts.iter().fold(0, |index, count| index * 16 + u64::from(*count)) << 32;
    for index in first..first + arguments.games {
        let generation = generator.generate(index, &AtomicBool::new(false));
        let mut totals = totals.lock().expect("no worker panics with the lock held");
        totals.generated += 1;
        totals.nodes += generation.nodes;
        totals.satisfied += u64::from(generation.outcome == Outcome::Found);
        totals.satisfied_at_first_attempt += u64::from(generation.first_attempt_distance == 0);
        if !generation.moves.is_empty() {
            totals.played += 1;
            totals.placements.insert(generation.position.board().clone());
        }
    }
    Ok(())
}
