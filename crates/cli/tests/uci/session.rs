//! Commands during a search, and wrong input.
//!
//! Some tests use the clock. They hold on a machine of any speed: they compare with the least time that the engine must
//! take, and the most is that of [`PATIENCE`].

use std::{
    io::Write,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use shakmaty::Chess;

use crate::engine::*;

/// An engine with a generation that lasts until it is stopped.
fn busy_engine() -> Engine {
    let mut engine = Engine::start();
    engine.say("setoption name Constraint value Q=9 q=9");
    engine.say("isready");
    engine.until("readyok");
    engine.say("go generate count 1000000 depth 3");
    engine
}

#[test]
fn isready_and_stop_are_executed_during_a_search() {
    let mut engine = busy_engine();
    for _ in 0..3 {
        engine.say("isready");
        engine.until("readyok");
    }
    engine.say("stop");
    let lines = engine.until("bestmove");
    let answered = lines.iter().filter(|line| line.starts_with("info string position ")).count();
    assert!(answered < 1_000_000, "it stopped before the last position: {answered}");
    let [.., info, best] = lines.as_slice() else { panic!("{lines:?}") };
    assert!(info.contains(" score cp "), "{info}");
    check_best_move(best, &Chess::default());
    engine.say("isready");
    assert_eq!(engine.line(), "readyok");
    engine.say("quit");
    assert!(engine.finish().is_empty());
}

#[test]
fn the_clock_of_a_search_does_not_run_while_it_waits_for_another() {
    let mut engine = Engine::start();
    let start = Instant::now();
    engine.say("go movetime 900\ngo movetime 600");
    engine.until("bestmove");
    engine.until("bestmove");
    // If the clock of the second search ran during the first, its time would be over at once.
    assert!(start.elapsed() >= Duration::from_millis(900 + 300), "{:?}", start.elapsed());
}

#[test]
fn a_second_quit_ends_a_generation() {
    let mut engine = busy_engine();
    engine.say("quit");
    engine.say("quit");
    assert!(engine.finish().last().unwrap().starts_with("bestmove "));
}

#[test]
fn an_engine_without_a_reader_ends() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_entente"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("piped");
    input
        .write_all(b"setoption name Constraint value Q=0\ngo generate count 4000000000\n")
        .expect("the engine reads");
    let deadline = Instant::now() + PATIENCE;
    while child.try_wait().expect("it can be waited for").is_none() {
        assert!(Instant::now() < deadline, "it still runs");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn commands_after_a_search_wait_for_it() {
    let mut engine = Engine::start();
    engine.say("go infinite\nposition startpos moves e2e4\ngo infinite\nisready");
    let lines = engine.until("readyok");
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
    assert!(engine.holds_its_move_for(Duration::from_millis(50)));
    engine.say("stop");
    check_best_move(engine.until("bestmove").last().unwrap(), &Chess::default());
    check_best_move(engine.until("bestmove").last().unwrap(), &play(&Chess::default(), "e2e4"));
    engine.say("go ponder wtime 1000 btime 1000");
    engine.until("info");
    assert!(engine.holds_its_move_for(Duration::from_millis(50)));
    engine.say("ponderhit");
    engine.until("bestmove");
    engine.say("stop\nponderhit");
    assert!(engine.finish().is_empty());
}

#[test]
fn ponderhit_does_not_end_an_infinite_search() {
    let mut engine = Engine::start();
    for infinite in ["go infinite", "go ponder infinite"] {
        engine.say(infinite);
        engine.until("info");
        engine.say("ponderhit");
        assert!(engine.holds_its_move_for(Duration::from_millis(50)), "{infinite}");
        engine.say("stop");
        check_best_move(engine.until("bestmove").last().unwrap(), &Chess::default());
    }
}

#[test]
fn bad_input_is_reported_and_can_be_mended() {
    let lines = pipe(
        "position fen nonsense\nposition startpos moves e2e4 e2e4\nposition startpos moves e2e4\n\
         setoption name Constraint value Q=1..0\nsetoption name Constraint value Q=0\n\
         setoption name Threads value 0\nsetoption name Hash value 16\nhello\n\ngo nowhere fast\nd\nquit",
    );
    let errors: Vec<&String> = lines.iter().filter(|line| line.starts_with("info string error: ")).collect();
    assert_eq!(errors.len(), 4, "{lines:?}");
    assert!(errors[0].contains("FEN 'nonsense'"), "{}", errors[0]);
    assert!(errors[1].contains("move 2, 'e2e4', is not legal"), "{}", errors[1]);
    assert!(errors[2].contains("option Constraint: constraint, column 6"), "{}", errors[2]);
    assert!(
        errors[3].contains("option Threads: expected a whole number from 1 to 256, found '0'"),
        "{}",
        errors[3]
    );
    assert!(
        lines.iter().any(|line| line.starts_with("FEN: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b "))
    );
    assert_eq!(lines[lines.len() - 2..], ["Constraint: Q=0", "State: reachable, distance 1"]);
}

#[test]
fn carriage_returns_tabs_and_invalid_utf8_do_no_harm() {
    let mut engine = Engine::start();
    engine.input.as_mut().unwrap().write_all(b"\xff\xfe\x00\r\n\tisready\t\r\n").unwrap();
    let note = engine.line();
    assert!(note.starts_with("info string unknown command: \u{fffd}\u{fffd}\u{fffd}; try "), "{note}");
    assert_eq!(engine.line(), "readyok");
    engine.say("setoption\tname Constraint value Q=0\r\nposition startpos\tmoves e2e4\r\nd\r");
    assert_eq!(engine.until("State").len(), 12);
    engine.say("quit\r");
    assert!(engine.finish().is_empty());
}
