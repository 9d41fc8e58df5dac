//! Many lines, most of them damaged: the engine must not panic or hang, and must still answer at the end.
//!
//! `FUZZ_LINES` sets the number of lines. `scripts/test` takes more of them than the tests of every day. They are
//! always the same; the targets in `fuzz/` make new ones.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like tests")]

use std::{
    env,
    io::{self, BufReader, Read, Write},
    panic,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use entente_cli::uci;
use entente_constraint::{Constraint, Situation, Target};
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use shakmaty::Chess;

/// The number of lines if `FUZZ_LINES` does not set it.
const LINES: u64 = 20_000;
/// The number of damaged constraints for each line: a constraint takes much less time than a search.
const CONSTRAINTS_PER_LINE: u64 = 10;
/// A timeout much longer than a test takes with a million lines.
const PATIENCE: Duration = Duration::from_secs(3600);

fn number_of_lines() -> u64 {
    env::var("FUZZ_LINES").map_or(LINES, |number| number.parse().expect("FUZZ_LINES is a number"))
}

/// Valid lines. Commands that load a network or allocate a large table are left out because they only take time.
const CORPUS: [&str; 63] = [
    "uci",
    "isready",
    "ucinewgame",
    "debug on",
    "debug off",
    "ponderhit",
    "d",
    "eval",
    "bench",
    "perft 2",
    "go perft 1",
    "perft 12",
    "go",
    "go infinite",
    "go depth 3",
    "go depth 1000 nodes 200",
    "go nodes 12345678901234567",
    "go movetime 5",
    "go wtime 100 btime 100 winc 10 binc 10 movestogo 3",
    "go ponder wtime -5 btime 99999999999999999999",
    "go mate 2",
    "go searchmoves e2e4 d2d4 e7e8q depth 1",
    "go generate nodes 20",
    "go generate count 3 depth 1 nodes 100 movetime 5",
    "go generate count 4294967295 depth 8",
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3",
    "position startpos moves e2e4 0000",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 12345 moves e1g1 e8c8",
    "position fen 8/8/8/8/8/8/8/K1k5 w - -",
    "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
    "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 150 1",
    "position fen QQQQQQQQ/QQQQQQQQ/8/8/8/8/8/K1k5 w - - 0 1",
    "position fen rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    "setoption name Mode value generate",
    "setoption name Mode value play",
    "setoption name Constraint value (1,2,1,1,7)",
    "setoption name Constraint value Q=0 q=0 (R-r>=1 | !(N=2..3, n=2))",
    "setoption name Constraint value black(0,2,2,1,6) & P<=5",
    "setoption name Constraint value q=9",
    "setoption name Constraint value <empty>",
    "setoption name Evaluator value material",
    "setoption name Evaluator value network",
    "setoption name EvalFile value nowhere.onnx",
    "setoption name Faithful value true",
    "setoption name Faithful value false",
    "setoption name SearchDepth value 3",
    "setoption name MaxPlies value 30",
    "setoption name Seed value 7",
    "setoption name MultiPV value 3",
    "setoption name Move Overhead value 0",
    "setoption name UCI_ShowWDL value true",
    "setoption name Method value puct",
    "setoption name Method value auto",
    "setoption name Visits value 2",
    "setoption name UCI_LimitStrength value true",
    "setoption name UCI_LimitStrength value false",
    "setoption name UCI_Elo value 1400",
    "setoption name WhiteElo value 4000",
    "setoption name PriorTemperature value 10",
    "position fen 8/8/8/8/8/8/8/K1k3R1 b - - 4294967295 4294967295",
    "register later joho d",
];

/// Valid texts, and ways to damage them.
struct Damage {
    rng: ChaCha8Rng,
    corpus: &'static [&'static str],
}

/// The bytes of the lines, which are made while they are read.
struct Lines {
    damage: Damage,
    left: u64,
    /// The bytes not yet read.
    pending: Vec<u8>,
    output: Checked,
    is_over: bool,
}

/// An unknown option that is set after all lines. The error about it shows that all of them were processed.
const LAST_OPTION: &str = "The End";

impl Lines {
    fn new(seed: u64, output: Checked) -> Lines {
        // A minimal table, because many lines clear it.
        let pending = b"setoption name Hash value 1\n".to_vec();
        let damage = Damage { rng: ChaCha8Rng::seed_from_u64(seed), corpus: &CORPUS };
        Lines { damage, left: number_of_lines(), pending, output, is_over: false }
    }

    fn next(&mut self) -> Vec<u8> {
        let damage = &mut self.damage;
        // Most searches would never end.
        let text = if damage.rng.random_range(0..4) == 0 { "stop" } else { damage.text() };
        let mut line = text.as_bytes().to_vec();
        damage.harm(&mut line);
        let text = String::from_utf8_lossy(&line).to_ascii_lowercase();
        // Large tables, many threads and other files would only take time, and `quit` must not come before the end.
        if ["quit", "hash", "threads", "evalfile"].iter().any(|word| text.contains(word))
            && line != text.as_bytes()
        {
            line = b"setoption name EvalFile value nowhere.onnx".to_vec();
        }
        line.retain(|byte| *byte != b'\n');
        line.extend(if self.damage.rng.random() { &b"\n"[..] } else { b"\r\n" });
        line
    }
}

impl Damage {
    fn text(&mut self) -> &'static str {
        self.one_of(self.corpus)
    }

    fn harm(&mut self, line: &mut Vec<u8>) {
        for _ in 0..self.rng.random_range(0..4) {
            self.harm_once(line);
        }
    }

    fn harm_once(&mut self, line: &mut Vec<u8>) {
        let at = self.rng.random_range(0..=line.len());
        match self.rng.random_range(0..8) {
            0 => line.truncate(at),
            1 => line.insert(at, self.rng.random()),
            2 => {
                if let Some(byte) = line.get_mut(at) {
                    *byte = self.rng.random();
                }
            }
            3 => drop(line.drain(..at)),
            4 => line.insert(at, self.one_of(b" \t09-(|!")),
            // A part of another line, in the middle or at the end.
            5 => {
                let other = self.text().as_bytes();
                let part = other[self.rng.random_range(0..other.len())..].to_vec();
                drop(line.splice(at..at, part));
            }
            6 => {
                line.push(b' ');
                line.extend(self.text().as_bytes());
            }
            // Two words swapped.
            _ => {
                let mut words: Vec<Vec<u8>> = line.split(|byte| *byte == b' ').map(<[u8]>::to_vec).collect();
                let (a, b) = (self.rng.random_range(0..words.len()), self.rng.random_range(0..words.len()));
                words.swap(a, b);
                *line = words.join(&b' ');
            }
        }
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.rng.random_range(0..choices.len())]
    }
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.pending.len() < buffer.len() && self.left > 0 {
            self.left -= 1;
            let line = self.next();
            self.pending.extend(line);
            if self.left == 0 {
                self.pending.extend(format!("stop\ndebug on\nsetoption name {LAST_OPTION}\n").as_bytes());
            }
        }
        if self.pending.is_empty() && !self.is_over {
            self.is_over = true;
            while !self.output.last.lock().unwrap().contains(LAST_OPTION) {
                thread::sleep(Duration::from_millis(1));
            }
            self.pending.extend(b"isready\nquit\n");
        }
        let length = self.pending.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.pending[..length]);
        self.pending.drain(..length);
        Ok(length)
    }
}

/// Checks the output, and keeps its last line.
#[derive(Clone, Default)]
struct Checked {
    last: Arc<Mutex<String>>,
    lines: Arc<AtomicU64>,
}

impl Write for Checked {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let text = std::str::from_utf8(text).expect("only text is written");
        assert!(text.ends_with('\n') && !text.contains('\r'), "{text:?}");
        let lines = text.lines();
        self.lines.fetch_add(lines.clone().count() as u64, Ordering::Relaxed);
        text.lines().last().unwrap_or_default().clone_into(&mut self.last.lock().unwrap());
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn damaged_lines_do_no_harm() {
    static PANICKED: AtomicBool = AtomicBool::new(false);
    let hook = panic::take_hook();
    // Panics in the engine's threads are caught there, but they are failures, too.
    panic::set_hook(Box::new(move |panic| {
        PANICKED.store(true, Ordering::Relaxed);
        hook(panic);
    }));
    let output = Checked::default();
    let (sender, done) = mpsc::channel();
    let written = output.clone();
    thread::spawn(move || {
        let input = BufReader::with_capacity(1 << 16, Lines::new(1, written.clone()));
        let _ = sender.send(uci::run(input, written, false));
    });
    done.recv_timeout(PATIENCE).expect("the session ends").expect("the output is written");
    assert!(!PANICKED.load(Ordering::Relaxed));
    assert_eq!(*output.last.lock().unwrap(), "readyok");
    assert!(output.lines.load(Ordering::Relaxed) > number_of_lines() / 10, "the engine has answered");
}

/// Valid constraints, with every kind of condition.
const CONSTRAINTS: [&str; 21] = [
    "(1,2,1,1,7)",
    "black(0,2,2,2,8) & Q=0..3",
    "Q-q=-1, R-r>=2 | !(B!=2 n<1)",
    "material=KRPvKR turn=white",
    "N@f5 n@a-c -@d4 P@2-4 B@light b@dark",
    "k@e4 !K@1 !(q@h-h | r@8)",
    "castling=KQkq castling>=k castling=none",
    "check=white | check=black | check=any | check=none",
    "checkmate | stalemate",
    "elo=1500..1700 white.elo=2000 black.elo=900..1000",
    "ply<=40 ply>=3 ply!=7..9 ply=20",
    "fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
    "fen=????k???/????????/????????/???pP???/???Pp???/????????/????????/R???K??R castling=KQ",
    "!(((Q=1 | q=1)))",
    "!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!Q=1",
    "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((Q=1))))",
    "Q=99 P>99 p<-99 q=-99..99",
    "B=2 !B@light P=8",
    "[BN]>=3 [QRqr]=0..1 [N]-[bn]!=1 [Kk]@e4 Q-[rb]<2",
    "mirror(N@f5 check=black | mirror([BN]@2-4)) !MIRROR(castling=Kq)",
    "Q=0|Q=1|Q=2|Q=3|Q=4|Q=5|Q=6|Q=7|Q=8|Q=9 & q!=1 r!=1 b!=1 n!=1 p!=1 R!=1 B!=1",
];

#[test]
fn damaged_constraints_are_parsed_or_refused() {
    let texts = CONSTRAINTS_PER_LINE * number_of_lines();
    let mut damage = Damage { rng: ChaCha8Rng::seed_from_u64(1), corpus: &CONSTRAINTS };
    let start = Chess::default();
    let mut read = 0;
    for number in 0..texts {
        let mut text = damage.text().as_bytes().to_vec();
        damage.harm(&mut text);
        if number % 1000 == 0 {
            // Sometimes a very long line.
            text = text.repeat(1 + 10_000 / text.len().max(1));
        }
        let text = String::from_utf8_lossy(&text);
        let Ok(constraint) = text.parse::<Constraint>() else { continue };
        read += 1;
        let printed = constraint.to_string();
        assert_eq!(printed.parse::<Constraint>().as_ref(), Ok(&constraint), "{text}: {printed}");
        if number % 10 == 0
            && let Ok(target) = Target::new(constraint)
        {
            let situation = Situation::root(&start);
            let impossible = target.impossible_from(situation).is_some();
            assert!(!impossible || !target.is_satisfied(situation), "{text}");
        }
    }
    assert!(read > texts / 10, "{read}");
}
