//! Response times of the engine during a search: median and maximum of a hundred samples.
//!
//! Run it with `cargo bench --workspace --bench latency`. It measures a whole process through its pipes, as a GUI sees
//! it.

#![allow(clippy::unwrap_used, reason = "benches may unwrap like tests")]

#[path = "../tests/uci/engine.rs"]
#[expect(dead_code, reason = "the tests use the rest")]
mod engine;

use std::{
    thread,
    time::{Duration, Instant},
};

use engine::Engine;

const SAMPLES: usize = 100;

/// The searches: name, setup, and command.
const SEARCHES: [(&str, &str, &str); 5] = [
    (
        "go infinite, network",
        "setoption name Evaluator value network\nposition startpos moves e2e4 e7e5",
        "go infinite",
    ),
    (
        "go infinite, material",
        "setoption name Evaluator value material\nposition startpos moves e2e4 e7e5",
        "go infinite",
    ),
    (
        "go generate, material, depth 3",
        "setoption name Constraint value Q=9 q=9",
        "go generate count 1000000 depth 3",
    ),
    (
        "go generate, network, depth 1",
        "setoption name Constraint value (0,2,2,2,7)\nsetoption name Evaluator value network",
        "go generate count 1000000 depth 1",
    ),
    (
        "go generate, network, depth 2",
        "setoption name Constraint value (0,2,2,2,7)\nsetoption name Evaluator value network",
        "go generate count 1000000 depth 2",
    ),
];

fn main() {
    println!("{:32} {:>12} {:>12} {:>12} {:>12}", "milliseconds", "isready", "worst", "stop", "worst");
    for (name, setup, search) in SEARCHES {
        let mut engine = Engine::start();
        engine.say(setup);
        engine.say("isready");
        engine.until("readyok");
        let (mut ready, mut stop) = (Vec::new(), Vec::new());
        for sample in 0..SAMPLES {
            engine.say(search);
            // Different delays, so that the samples hit different points of the search.
            thread::sleep(Duration::from_millis(20 + sample as u64 % 17));
            ready.push(time(&mut engine, "isready", "readyok"));
            stop.push(time(&mut engine, "stop", "bestmove"));
        }
        let [ready, worst_ready] = median_and_worst(ready);
        let [stop, worst_stop] = median_and_worst(stop);
        println!("{name:32} {ready:12.2} {worst_ready:12.2} {stop:12.2} {worst_stop:12.2}");
    }
}

/// The time from a command to the line that answers it.
fn time(engine: &mut Engine, command: &str, answer: &str) -> Duration {
    let start = Instant::now();
    engine.say(command);
    engine.until(answer);
    start.elapsed()
}

/// The median and the maximum, in milliseconds.
fn median_and_worst(mut samples: Vec<Duration>) -> [f64; 2] {
    samples.sort_unstable();
    [samples[samples.len() / 2], samples[samples.len() - 1]].map(|time| 1000.0 * time.as_secs_f64())
}
