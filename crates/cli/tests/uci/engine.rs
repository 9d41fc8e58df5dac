//! A running engine, its output, and checks of its results.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use entente_constraint::Goal;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen, uci::UciMove};
use tempfile::NamedTempFile;

/// After this time without an answer, a test fails: only an engine that hangs takes so long, even on a slow machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

/// A running engine and its output.
pub(crate) struct Engine {
    child: Child,
    pub input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// The file of its policy, which must exist until it is loaded.
    _policy: Option<NamedTempFile>,
}

impl Engine {
    pub(crate) fn start() -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_entente"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .env_remove("RUST_LOG")
            .spawn()
            .expect("the engine starts");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in output.lines() {
                if sender.send(line.expect("the engine writes text")).is_err() {
                    break;
                }
            }
        });
        Engine { input: child.stdin.take(), child, lines, _policy: None }
    }

    /// Starts an engine that plays by tree search with this policy, an ONNX model.
    pub(crate) fn with_policy(policy: &[u8]) -> Engine {
        let mut engine = Engine::with_network();
        let mut file = NamedTempFile::new().expect("a file");
        file.write_all(policy).expect("written");
        engine.say(&format!("setoption name PolicyFile value {}\nisready", file.path().display()));
        assert_eq!(engine.line(), "readyok");
        engine._policy = Some(file);
        engine
    }

    /// Starts an engine that plays by tree search with the network that is built in.
    pub(crate) fn with_network() -> Engine {
        let mut engine = Engine::start();
        engine.say("setoption name Evaluator value network");
        engine
    }

    pub(crate) fn say(&mut self, text: &str) {
        let input = self.input.as_mut().expect("input is open");
        writeln!(input, "{text}").and_then(|()| input.flush()).expect("the engine listens");
    }

    pub(crate) fn line(&self) -> String {
        self.answer().expect("the engine answers")
    }

    /// The next line, or `None` if none comes in time.
    pub(crate) fn answer(&self) -> Option<String> {
        self.answer_by(Instant::now() + PATIENCE)
    }

    /// The next line, or `None` if none comes before `deadline`.
    pub(crate) fn answer_by(&self, deadline: Instant) -> Option<String> {
        self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok()
    }

    /// The lines up to and including the first that begins with `start`.
    pub(crate) fn until(&self, start: &str) -> Vec<String> {
        self.until_line(|line| line.starts_with(start))
    }

    /// The lines up to and including the first for which `is_last` is true.
    pub(crate) fn until_line(&self, is_last: impl Fn(&str) -> bool) -> Vec<String> {
        // One deadline for all lines, because a search may report forever.
        let deadline = Instant::now() + PATIENCE;
        let mut lines = vec![self.line()];
        while lines.last().is_some_and(|line| !is_last(line)) {
            assert!(Instant::now() < deadline, "not among {lines:?}");
            lines.push(self.line());
        }
        lines
    }

    /// True if no `bestmove` comes within `time`.
    pub(crate) fn holds_its_move_for(&self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) if line.starts_with("bestmove") => return false,
                Ok(_) => {}
                Err(error) => return error == RecvTimeoutError::Timeout,
            }
        }
    }

    /// The lines of a search that ends by itself.
    pub(crate) fn search(&mut self, go: &str) -> Vec<String> {
        self.say(go);
        self.until("bestmove")
    }

    /// Closes the input and returns the rest of the output. The engine must end by itself and write nothing to standard
    /// error.
    pub(crate) fn finish(mut self) -> Vec<String> {
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

/// The output of an engine whose input is `input` and then ends.
pub(crate) fn pipe(input: &str) -> Vec<String> {
    let mut engine = Engine::start();
    engine.say(input);
    engine.finish()
}

pub(crate) fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().expect(fen).into_position(CastlingMode::Standard).expect(fen)
}

/// The rest of the line after `keyword`.
pub(crate) fn after<'a>(line: &'a str, keyword: &str) -> &'a str {
    line.split_once(&format!(" {keyword} ")).map_or("", |(_, rest)| rest)
}

/// The number after `keyword`.
pub(crate) fn number(line: &str, keyword: &str) -> u64 {
    after(line, keyword).split(' ').next().unwrap().parse().expect(line)
}

/// The sum of the probabilities of a win, a draw and a loss, in thousandths.
pub(crate) fn sum_of_chances(line: &str) -> u64 {
    after(line, "wdl").split(' ').take(3).map(|share| share.parse::<u64>().expect(line)).sum()
}

/// The position after a PV, whose moves must be legal.
pub(crate) fn play(root: &Chess, pv: &str) -> Chess {
    pv.split_whitespace().fold(root.clone(), |mut position, text| {
        let m = text.parse::<UciMove>().expect(text).to_move(&position).expect(text);
        position.play_unchecked(m);
        position
    })
}

/// Checks every `position … found` and the `info` after it, and returns their number.
pub(crate) fn check_found(lines: &[String], root: &Chess, constraint: &str) -> usize {
    let goal = Goal::new(&constraint.parse().expect(constraint)).expect(constraint);
    let mut found = 0;
    for pair in lines.windows(2) {
        if !pair[0].starts_with("info string position ") {
            continue;
        }
        assert!(pair[0].contains(" found ply "), "{}", pair[0]);
        let last = play(root, after(&pair[1], "pv"));
        assert!(goal.is_satisfied(&last), "{}", pair[0]);
        assert_eq!(Fen::from_position(&last, EnPassantMode::Legal).to_string(), after(&pair[0], "fen"));
        let plies = after(&pair[1], "pv").split_whitespace().count();
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

pub(crate) fn check_best_move(line: &str, root: &Chess) {
    let best = line.strip_prefix("bestmove ").expect(line).split(' ').next().expect(line);
    assert!(best.parse::<UciMove>().expect(line).to_move(root).is_ok(), "{line}");
}
