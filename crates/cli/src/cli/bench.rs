use std::{sync::atomic::AtomicBool, time::Duration};

use clap::Args;
use entente::generation::Quota;

use super::{FOUND, print, words};
use crate::bench::{Bench, Speed, SpeedLine};

/// The minimum time for which --speed measures each network.
const SPEED_TIME: Duration = Duration::from_secs(1);

/// Run a fixed workload and print its node counts and speed.
///
/// The workload has four parts: cooperative negamax at depth 2 without a network, which generates four positions for
/// each of the 486 piece constraints of the thesis; alpha-beta search of twelve positions; best-first search for ten
/// constraints of all kinds; and tree search with an evaluation that counts men. The node counts do not depend on the
/// machine or the number of threads. If a count changes, that search behaves differently.
///
/// With --speed it measures throughput instead: the positions per second that each network evaluates, by backend, batch
/// size and number of threads, and the positions per second that `natural`, `fast` and negamax at depth 2 generate, for
/// the 17 constraints of experiment 2 of the thesis and players rated 1500. This takes some 20 seconds. The results
/// depend on the machine.
#[derive(Args)]
#[command(after_help = "\
Examples:
  entente bench
      Compare the counts before and after a change
  entente bench --threads 1
      The speed of one core
  entente bench --speed
      Evaluations and positions per second, one line each
  entente bench --speed --network my-policy.onnx
      Measure your own network, too")]
pub(super) struct Arguments {
    /// Positions to generate for each constraint
    #[arg(long, default_value_t = Bench::default().games, value_parser = words::number::<u32>(1..=u32::MAX.into()))]
    games: u32,
    #[arg(long, help = format!("Threads, 1 to {}", Quota::MAX_THREADS), default_value_t = 2,
        value_parser = words::number::<u32>(1..=Quota::MAX_THREADS.into()))]
    threads: u32,
    /// The seed; each seed gives different positions and node counts
    #[arg(long, default_value_t = Bench::default().seed)]
    seed: u64,
    /// Measure evaluations and positions per second instead
    #[arg(long, conflicts_with = "seed")]
    speed: bool,
    /// With --speed, measure this ONNX file, too; may be given several times
    #[arg(long, value_name = "FILE", requires = "speed")]
    network: Vec<String>,
}

/// Runs `entente bench` and returns its exit status.
///
/// # Errors
/// If standard output cannot be written, except for a closed pipe. If a network cannot be used.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let Arguments { games, threads, seed, .. } = *arguments;
    if arguments.speed {
        let speed =
            Speed { networks: arguments.network.clone(), threads, time: SPEED_TIME, games: games.into() };
        speed.run(|SpeedLine { name, rate, unit }| print(&format!("{name:<42}{rate:>9.1} {unit}/s\n")))?;
        return Ok(FOUND);
    }
    let report = Bench { games, threads, seed }.run(&AtomicBool::new(false))?.expect("nothing stops it");
    print(&format!("{report}\n")).map(|()| FOUND)
}
