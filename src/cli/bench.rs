use std::sync::atomic::AtomicBool;

use clap::Args;

use super::{FOUND, print};
use crate::{bench::Bench, generation::Quota};

/// Run a fixed workload and print its node count and speed.
///
/// All 486 piece constraints of the thesis, four positions each, by cooperative negamax of depth 2 with the material
/// evaluator; the competitive alpha-beta search of a dozen positions; best-first search for plans toward constraints of
/// all kinds; and tree searches by a judge that counts men. The node counts depend on the program alone, never on the
/// machine or the number of threads; a change of one is a change of what that search finds.
#[derive(Args)]
#[command(after_help = "\
Examples:
  entente bench
      Compare its last line before and after a change
  entente bench --threads 1
      The speed of one core")]
pub struct Arguments {
    /// Positions for each constraint of the thesis
    #[arg(long, default_value_t = Bench::default().games, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    #[arg(long, help = format!("Threads, 1 to {}", Quota::MAX_THREADS), default_value_t = 2,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(Quota::MAX_THREADS)))]
    threads: u32,
    /// Another seed gives other positions and another node count
    #[arg(long, default_value_t = Bench::default().seed)]
    seed: u64,
}

/// Runs `entente bench` and returns its exit status.
///
/// # Errors
/// If standard output cannot be written; that nobody reads it is no error.
pub fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let Arguments { games, threads, seed } = *arguments;
    let report = Bench { games, threads, seed }.run(&AtomicBool::new(false))?.expect("nobody stops it");
    print(&format!("{report}\n")).map(|()| FOUND)
}
