//! Whole-process tests of the UCI protocol: text in, text out.

mod support;

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use entente::{constraint::Goal, evaluator::EMBEDDED};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen, uci::UciMove};
use support::fragile_network;

/// More than anything here takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running engine and the lines it says.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn start() -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_entente"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in output.lines() {
                if sender.send(line.expect("the engine says text")).is_err() {
                    break;
                }
            }
        });
        Engine { input: child.stdin.take(), child, lines }
    }

    fn say(&mut self, text: &str) {
        let input = self.input.as_mut().expect("input is open");
        writeln!(input, "{text}").and_then(|()| input.flush()).expect("the engine listens");
    }

    fn line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("the engine answers")
    }

    /// The lines up to and with the first that begins with `start`.
    fn until(&self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while lines.last().is_none_or(|line: &String| !line.starts_with(start)) {
            lines.push(self.line());
        }
        lines
    }

    /// True if no `bestmove` comes within `time`.
    fn holds_its_move_for(&self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) if line.starts_with("bestmove") => return false,
                Ok(_) => {}
                Err(error) => return error == RecvTimeoutError::Timeout,
            }
        }
    }

    /// Closes the input and returns all that is still said; the engine must end by itself and say nothing on
    /// standard error.
    fn finish(mut self) -> Vec<String> {
        self.input = None;
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            match self.child.try_wait().expect("the engine can be waited for") {
                Some(status) => break status,
                None if Instant::now() > deadline => panic!("the engine does not end"),
                None => thread::sleep(Duration::from_millis(5)),
            }
        };
        assert!(status.success(), "{status}");
        let mut errors = String::new();
        let mut stderr = BufReader::new(self.child.stderr.take().expect("piped"));
        while stderr.read_line(&mut errors).expect("text") > 0 {}
        assert_eq!(errors, "");
        self.lines.iter().collect()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the engine says to `input` and then the end of the input.
fn pipe(input: &str) -> Vec<String> {
    let mut engine = Engine::start();
    engine.say(input);
    engine.finish()
}

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().expect(fen).into_position(CastlingMode::Standard).expect(fen)
}

/// The words behind `keyword`, as far as the line goes.
fn behind<'a>(line: &'a str, keyword: &str) -> &'a str {
    line.split_once(&format!(" {keyword} ")).map_or("", |(_, rest)| rest)
}

/// Plays a PV out by the rules of chess.
fn play(root: &Chess, pv: &str) -> Chess {
    pv.split_whitespace().fold(root.clone(), |mut position, text| {
        let m = text.parse::<UciMove>().expect(text).to_move(&position).expect(text);
        position.play_unchecked(m);
        position
    })
}

/// Checks every `position … found` and the `info` behind it, and returns how many there were.
fn check_found(lines: &[String], root: &Chess, constraint: &str) -> usize {
    let goal = Goal::new(&constraint.parse().expect(constraint)).expect(constraint);
    let mut found = 0;
    for pair in lines.windows(2) {
        if !pair[0].starts_with("info string position ") {
            continue;
        }
        assert!(pair[0].contains(" found ply "), "{}", pair[0]);
        let last = play(root, behind(&pair[1], "pv"));
        assert!(goal.is_satisfied(&last), "{}", pair[0]);
        assert_eq!(Fen::from_position(&last, EnPassantMode::Legal).to_string(), behind(&pair[0], "fen"));
        let plies = behind(&pair[1], "pv").split_whitespace().count();
        assert!(pair[0].contains(&format!(" ply {plies} ")), "{}", pair[0]);
        assert!(
            pair[1].contains(&format!("info depth {plies} multipv {} score cp 1000 ", found + 1)),
            "{}",
            pair[1]
        );
        found += 1;
    }
    found
}

fn check_best_move(line: &str, root: &Chess) {
    let best = line.strip_prefix("bestmove ").expect(line).split(' ').next().expect(line);
    assert!(best.parse::<UciMove>().expect(line).to_move(root).is_ok(), "{line}");
}

#[test]
fn a_piped_generation_gives_its_positions_and_a_legal_move_before_quit() {
    let lines = pipe(
        "uci\nisready\nsetoption name Constraint value (0,2,2,2,7)\nposition startpos\n\
         go generate count 3 depth 1\nquit",
    );
    assert!(lines[0].starts_with("id name Entente "), "{}", lines[0]);
    let ready = lines.iter().position(|line| line == "readyok").unwrap();
    assert_eq!(lines[ready - 1], "uciok");
    assert_eq!(check_found(&lines[ready..], &Chess::default(), "(0,2,2,2,7)"), 3);
    let [.., info, best] = lines.as_slice() else { panic!("{lines:?}") };
    check_best_move(best, &Chess::default());
    let mut words = behind(info, "pv").split(' ');
    let (first, second) = (words.next().unwrap(), words.next().unwrap());
    assert_eq!(*best, format!("bestmove {first} ponder {second}"));
}

#[test]
fn the_end_of_the_input_is_a_quit() {
    let lines = pipe("setoption name Constraint value Q=0 q=0\ngo generate count 2");
    assert_eq!(check_found(&lines, &Chess::default(), "Q=0 q=0"), 2);
    assert_eq!(pipe("go infinite").last().unwrap().split(' ').next(), Some("bestmove"));
    assert!(pipe("").is_empty());
}

#[test]
fn generation_starts_from_the_position_set() {
    let fen = "4k3/8/8/3q4/8/8/3R4/4K3 w - - 0 1";
    let lines = pipe(&format!(
        "setoption name Constraint value q=0 R=0\nposition fen {fen} moves d2d1\ngo generate count 2\nquit"
    ));
    let root = play(&position(fen), "d2d1");
    assert_eq!(check_found(&lines, &root, "q=0 R=0"), 2);
    check_best_move(lines.last().unwrap(), &root);
}

#[test]
fn a_seed_repeats_positions_at_any_number_of_threads() {
    let run = |threads: u32| {
        let lines = pipe(&format!(
            "setoption name Seed value 7\nsetoption name Threads value {threads}\n\
             setoption name Constraint value Q=0 | R=0\ngo generate count 5"
        ));
        lines.into_iter().filter(|line| line.contains(" position ")).collect::<Vec<_>>()
    };
    let one = run(1);
    assert_eq!(one.len(), 5);
    assert_eq!(one, run(3));
    assert_eq!(one, run(1));
}

#[test]
fn a_satisfied_root_needs_no_moves() {
    let lines = pipe("setoption name Constraint value (1,2,2,2,8)\ngo generate");
    assert_eq!(
        lines[0],
        "info string position 1/1 found ply 0 fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    );
    assert!(lines[1].starts_with("info depth 0 multipv 1 score cp 1000 nodes "), "{}", lines[1]);
    assert!(!lines[1].contains(" pv "));
    check_best_move(&lines[2], &Chess::default());
}

#[test]
fn what_cannot_be_generated_is_answered_with_the_reason_and_a_legal_move() {
    for (input, reason) in [
        (
            "setoption name Constraint value (1,2,1,1,9)\ngo generate count 4",
            "info string position 1/4 impossible White needs at least 9 pawns and has 8; pawns never return",
        ),
        (
            "go generate",
            "info string error: go generate: there is no constraint; set the option Constraint first",
        ),
        (
            "setoption name Constraint value p=3\nsetoption name Evaluator value network\ngo generate",
            "info string error: network thesis-2 reads only exact counts of White",
        ),
        (
            "setoption name Constraint value Q=0\ngo generate count three",
            "info string error: go generate: expected a number from 1 to 4294967295 behind 'count', found 'three'",
        ),
        (
            "setoption name Constraint value Q=9\nsetoption name MaxPlies value 3\ngo generate",
            "info string position 1/1 undetermined distance 8 fen ",
        ),
    ] {
        let lines = pipe(input);
        let [.., why, info, best] = lines.as_slice() else { panic!("{input}: {lines:?}") };
        assert!(why.starts_with(reason), "{input}: {why}");
        assert!(info.starts_with("info depth ") && info.contains(" score cp "), "{input}: {info}");
        check_best_move(best, &Chess::default());
    }
}

#[test]
fn without_a_legal_move_there_is_none() {
    let mated = "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    let lines = pipe(&format!("{mated}\ngo\nsetoption name Constraint value Q=0\ngo generate\nquit"));
    assert_eq!(lines.iter().filter(|line| *line == "bestmove (none)").count(), 2, "{lines:?}");
    assert!(lines[2].starts_with("info string position 1/1 undetermined distance 1 fen "), "{lines:?}");
}

#[test]
fn a_plain_go_gives_a_legal_move_and_a_score() {
    let lines = pipe("position startpos moves e2e4 d7d5\ngo wtime 1000 btime 1000");
    let root = play(&Chess::default(), "e2e4 d7d5");
    assert!(lines[0].starts_with("info depth 1 score cp "), "{}", lines[0]);
    for keyword in ["nodes", "nps", "time"] {
        assert!(behind(&lines[0], keyword).split(' ').next().unwrap().parse::<u64>().is_ok(), "{}", lines[0]);
    }
    check_best_move(&lines[1], &root);
    assert_eq!(behind(&lines[0], "pv"), lines[1].strip_prefix("bestmove ").unwrap());
    assert_eq!(pipe("go searchmoves h2h3").last().unwrap(), "bestmove h2h3");
}

/// A generation that lasts until it is stopped.
fn busy_engine() -> Engine {
    let mut engine = Engine::start();
    engine.say("setoption name Constraint value Q=9 q=9");
    engine.say("isready");
    engine.until("readyok");
    engine.say("go generate count 1000000 depth 3");
    engine
}

#[test]
fn isready_is_answered_and_stop_obeyed_while_searching() {
    let mut engine = busy_engine();
    for _ in 0..3 {
        engine.say("isready");
        engine.until("readyok");
    }
    let start = Instant::now();
    engine.say("stop");
    let lines = engine.until("bestmove");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    let [.., info, best] = lines.as_slice() else { panic!("{lines:?}") };
    assert!(info.contains(" score cp "), "{info}");
    check_best_move(best, &Chess::default());
    engine.say("isready");
    assert_eq!(engine.line(), "readyok");
    engine.say("quit");
    assert!(engine.finish().is_empty());
}

#[test]
fn a_second_quit_ends_a_generation() {
    let mut engine = busy_engine();
    engine.say("quit");
    engine.say("quit");
    assert!(engine.finish().last().unwrap().starts_with("bestmove "));
}

#[test]
fn an_engine_that_nobody_reads_ends() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_entente"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("piped");
    input
        .write_all(b"setoption name Constraint value Q=0\ngo generate count 4000000000\n")
        .expect("it listens");
    let deadline = Instant::now() + PATIENCE;
    while child.try_wait().expect("it can be waited for").is_none() {
        assert!(Instant::now() < deadline, "it still runs");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn commands_behind_a_search_wait_for_it() {
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
    assert!(engine.line().starts_with("bestmove "));
    engine.say("stop\nponderhit");
    assert!(engine.finish().is_empty());
}

#[test]
fn ponderhit_ends_no_search_that_does_not_ponder() {
    let mut engine = Engine::start();
    for infinite in ["go infinite", "go ponder infinite"] {
        engine.say(infinite);
        engine.until("info");
        engine.say("ponderhit");
        assert!(engine.holds_its_move_for(Duration::from_millis(50)), "{infinite}");
        engine.say("stop");
        check_best_move(&engine.line(), &Chess::default());
    }
}

#[test]
fn bad_input_is_reported_and_changes_nothing() {
    let lines = pipe(
        "position startpos moves e2e4\nposition fen nonsense\nposition startpos moves e2e4 e2e4\n\
         setoption name Constraint value Q=0\nsetoption name Constraint value Q=1..0\n\
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
fn carriage_returns_tabs_and_bytes_that_are_no_text_do_no_harm() {
    let mut engine = Engine::start();
    engine.input.as_mut().unwrap().write_all(b"\xff\xfe\x00\r\n\tisready\t\r\n").unwrap();
    assert_eq!(engine.line(), "readyok");
    engine.say("setoption\tname Constraint value Q=0\r\nposition startpos\tmoves e2e4\r\nd\r");
    assert_eq!(engine.until("State").len(), 12);
    engine.say("quit\r");
    assert!(engine.finish().is_empty());
}

#[test]
fn a_network_that_cannot_be_loaded_is_named_and_the_one_in_use_stays() {
    let folder = tempfile::tempdir().unwrap();
    let short = folder.path().join("three bytes.onnx");
    fs::write(&short, "abc").unwrap();
    for file in [folder.path().join("missing.onnx"), short] {
        let file = file.display().to_string();
        let lines = pipe(&format!(
            "setoption name Constraint value (1,2,2,2,7)\nsetoption name EvalFile value {file}\nisready\n\
             setoption name EvalFile value {file}\ngo generate\nquit"
        ));
        let error = format!("info string error: option EvalFile: network {file}: ");
        assert!(lines[0].starts_with(&error), "{lines:?}");
        assert_eq!(lines[1], "readyok");
        assert!(lines[2].starts_with(&error), "{lines:?}");
        assert_eq!(check_found(&lines, &Chess::default(), "(1,2,2,2,7)"), 1);
    }
}

#[test]
fn a_file_that_is_set_again_is_read_again() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let (_, network) = EMBEDDED[0];
    fs::write(&file, network).unwrap();
    let set = format!("setoption name EvalFile value {}\nisready", file.path().display());
    let mut engine = Engine::start();
    engine.say("setoption name Constraint value (1,2,2,2,7)");
    engine.say(&set);
    assert_eq!(engine.line(), "readyok");
    fs::write(&file, "abc").unwrap();
    engine.say("isready");
    assert_eq!(engine.line(), "readyok", "what was not set again stays");
    engine.say(&set);
    let error = engine.line();
    assert!(
        error.starts_with("info string error: option EvalFile: ") && error.ends_with(" stays"),
        "{error}"
    );
    assert_eq!(engine.line(), "readyok");
    engine.say("go generate\nquit");
    assert_eq!(check_found(&engine.finish(), &Chess::default(), "(1,2,2,2,7)"), 1);
}

#[test]
fn a_network_that_breaks_on_a_position_is_reported_and_answered_with_a_legal_move() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(&file, fragile_network(0..8)).unwrap();
    let file = file.path().display();
    let lines = pipe(&format!(
        "setoption name Constraint value (1,2,2,2,7)\nsetoption name EvalFile value {file}\nisready\n\
         setoption name Threads value 2\ngo generate count 5\ngo generate\nquit"
    ));
    assert_eq!(lines[0], "readyok");
    assert_eq!(lines.len(), 1 + 2 * 3, "{lines:?}");
    for answer in lines[1..].chunks(3) {
        assert!(answer[0].starts_with(&format!("info string error: network {file}: ")), "{answer:?}");
        assert!(answer[1].contains(" score cp "), "{answer:?}");
        check_best_move(&answer[2], &Chess::default());
    }
}

#[test]
fn the_introduction_is_made_before_anything_is_loaded() {
    let mut engine = Engine::start();
    engine.say("setoption name EvalFile value /no/such/file.onnx\nuci");
    assert!(engine.until("uciok").iter().all(|line| !line.starts_with("info")));
    engine.say("setoption name EvalFile value <empty>\nisready");
    assert_eq!(engine.line(), "readyok");
    assert!(engine.finish().is_empty());
}
