use std::sync::atomic::AtomicBool;

use clap::Args;

use super::{FOUND, print, words};
use crate::{bench::Bench, generation::Quota};

/// Run a fixed workload and print its node counts and speed.
///
/// It has four parts: cooperative negamax of depth 2 without a network, which generates four positions for each of the
/// 486 piece constraints of the thesis; alpha-beta search of twelve positions; best-first search for ten constraints of
/// all kinds; and tree search with an evaluation that counts men. The node counts do not depend on the machine or the
/// number of threads. If a count changes, that search finds something else than before.
#[derive(Args)]
#[command(after_help = "\
Examples:
  entente bench
      Compare the counts before and after a change
  entente bench --threads 1
      The speed of one core")]
pub struct Arguments {
    /// How many positions negamax generates for each constraint
    #[arg(long, default_value_t = Bench::default().games, value_parser = words::number::<u32>(1..=u32::MAX.into()))]
    games: u32,
    #[arg(long, help = format!("Threads, 1 to {}", Quota::MAX_THREADS), default_value_t = 2,
        value_parser = words::number::<u32>(1..=Quota::MAX_THREADS.into()))]
    threads: u32,
    /// The seed; another one gives other positions and other node counts
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
