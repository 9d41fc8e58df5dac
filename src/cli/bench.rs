use std::{
    io::{self, Write},
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Instant,
};

use anyhow::Context as _;
use clap::Args;
use shakmaty::Chess;

use super::FOUND;
use crate::{
    constraint::{Goal, thesis},
    evaluator::Recipe,
    generation::{Budget, Generator, Plan, Settings, Statistics},
    search::NegamaxSettings,
};

/// Run a fixed workload: all 486 piece constraints of the thesis, four positions each.
///
/// Cooperative negamax of depth 2 with the material evaluator. The node count depends on the program alone,
/// never on the machine or the number of threads; a change of it is a change of what search finds.
#[derive(Args)]
pub struct Arguments {
    /// Positions for each constraint
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    #[arg(long, help = format!("Threads, 1 to {}", Plan::MAX_THREADS), default_value_t = 2,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(Plan::MAX_THREADS)))]
    threads: u32,
    /// Another seed gives other positions and another node count
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Runs `entente bench` and returns its exit status.
///
/// # Errors
/// If standard output cannot be written; that nobody reads it is no error.
pub fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let start = Instant::now();
    let statistics = generate_all(arguments)?;
    let report = report(arguments, &statistics, start.elapsed().as_secs_f64());
    match io::stdout().write_all(report.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(FOUND),
    }
}

fn generate_all(arguments: &Arguments) -> anyhow::Result<Statistics> {
    let constraints = thesis::all();
    let next = AtomicUsize::new(0);
    let statistics = Mutex::new(Statistics::default());
    thread::scope(|scope| {
        let workers: Vec<_> = (0..arguments.threads)
            .map(|_| {
                scope.spawn(|| {
                    while let Some(counts) = constraints.get(next.fetch_add(1, Ordering::Relaxed)) {
                        generate(*counts, arguments, &statistics)?;
                    }
                    anyhow::Ok(())
                })
            })
            .collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
    })?;
    Ok(statistics.into_inner().expect("no worker panics with the lock held"))
}

fn generate(
    counts: thesis::Counts,
    arguments: &Arguments,
    statistics: &Mutex<Statistics>,
) -> anyhow::Result<()> {
    let settings = Settings {
        root: Chess::default(),
        goal: Goal::new(&thesis::constraint(counts))?,
        search: NegamaxSettings {
            depth: Recipe::Material.default_depth(),
            criterion: NegamaxSettings::DEFAULT_CRITERION,
            faithful: false,
        },
        max_plies: Settings::DEFAULT_MAX_PLIES,
        budget: Budget::new(false, None, None),
        seed: arguments.seed,
    };
    let mut generator = Generator::new(settings, &Recipe::Material)?;
    // Constraints of one run must not share their games' random choices.
    let first = counts.iter().fold(0, |index, count| index * 16 + u64::from(*count)) << 32;
    for index in first..first + u64::from(arguments.games) {
        let generation = generator.generate(index, &AtomicBool::new(false))?;
        statistics.lock().expect("no worker panics with the lock held").add(&generation);
    }
    Ok(())
}

fn report(arguments: &Arguments, statistics: &Statistics, seconds: f64) -> String {
    let Arguments { games, threads, .. } = arguments;
    let Statistics { generated, satisfied, satisfied_at_first_attempt, played, nodes, .. } = statistics;
    let unique = statistics.unique();
    let unique_share = 100.0 * unique as f64 / (*played).max(1) as f64;
    let positions_a_second = *generated as f64 / seconds;
    let nodes_a_second = *nodes as f64 / seconds;
    format!(
        "constraints    {}, {games} positions each, {threads} threads\n\
         satisfied      {satisfied} of {generated}\n\
         first attempt  {satisfied_at_first_attempt} of {generated}\n\
         unique         {unique} of {played} with at least one ply ({unique_share:.1}%)\n\
         time           {seconds:.2} s, {positions_a_second:.0} positions/s\n\
         Bench: {nodes} nodes {nodes_a_second:.0} nps\n",
        thesis::all().len()
    )
}
