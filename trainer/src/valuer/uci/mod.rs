//! A UCI engine in a process of its own.

mod info;

use std::{
    io::{BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use entente::search::{Game, Score};
use shakmaty::{CastlingMode, Chess, EnPassantMode, fen::Fen};

use super::Valuer;

/// The longest line that is read as one, in bytes.
const LINE: u64 = 1 << 16;
/// Lines that an engine may be ahead of us.
const LINES_AHEAD: usize = 256;
/// How long an engine may take to end when told to, before it is killed.
const FAREWELL: Duration = Duration::from_millis(300);

/// A UCI engine in a process of its own, which ends with it.
#[derive(Debug)]
pub(super) struct UciEngine {
    path: PathBuf,
    name: String,
    process: Child,
    /// `None` once it is closed.
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// What it said last, for messages.
    last: String,
    nodes: u64,
    patience: Duration,
}

impl UciEngine {
    /// The engine at `path`, which is to search so many nodes a position, in so many mebibytes if that is said and it
    /// lets itself be told, and may take `patience` for each answer.
    ///
    /// # Errors
    /// If it cannot be started, or does not speak UCI.
    pub(super) fn start(
        path: &Path,
        nodes: u64,
        memory: Option<u32>,
        patience: Duration,
    ) -> anyhow::Result<UciEngine> {
        let mut process = Command::new(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("--engine {}: cannot be started", path.display()))?;
        let (input, output) = (process.stdin.take(), process.stdout.take());
        let (sender, lines) = sync_channel(LINES_AHEAD);
        if let Some(output) = output {
            // Ends with the process, or when nobody listens.
            thread::spawn(move || forward(output, &sender));
        }
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let last = String::new();
        let mut engine =
            UciEngine { path: path.to_owned(), name, process, input, lines, last, nodes, patience };
        engine.greet(memory)?;
        Ok(engine)
    }

    /// Learns its name, and has it search with one thread and that memory.
    fn greet(&mut self, memory: Option<u32>) -> anyhow::Result<()> {
        self.say("uci")?;
        let (mut name, mut has_threads, mut has_hash) = (None, false, false);
        self.listen("uciok", |line| {
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            match words[..] {
                ["id", "name", ref words @ ..] if !words.is_empty() => name = Some(words.join(" ")),
                ["option", "name", "Threads", ..] => has_threads = true,
                ["option", "name", "Hash", ..] => has_hash = true,
                _ => {}
            }
        })?;
        self.name = name.unwrap_or_else(|| self.name.clone());
        if has_threads {
            self.say("setoption name Threads value 1")?;
        }
        if let (true, Some(mebibytes)) = (has_hash, memory) {
            self.say(&format!("setoption name Hash value {mebibytes}"))?;
        }
        self.wait_until_ready()
    }

    fn wait_until_ready(&mut self) -> anyhow::Result<()> {
        self.say("isready")?;
        self.listen("readyok", |_| ()).map(drop)
    }

    /// Sends a line.
    fn say(&mut self, line: &str) -> anyhow::Result<()> {
        let input = self.input.as_mut().context("its input is open until it ends")?;
        if input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush()).is_err() {
            bail!("{}: {} when it was told `{line}`", self.at_fault(), self.end());
        }
        Ok(())
    }

    /// Tells `each` of the lines up to the one that begins with the word `last`.
    fn listen(&mut self, last: &str, mut each: impl FnMut(&str)) -> anyhow::Result<()> {
        let deadline = Instant::now() + self.patience;
        loop {
            // An engine that goes on talking does not answer either.
            let left = deadline.saturating_duration_since(Instant::now());
            let heard =
                if left.is_zero() { Err(RecvTimeoutError::Timeout) } else { self.lines.recv_timeout(left) };
            match heard {
                Ok(line) if line.split_ascii_whitespace().next() == Some(last) => return Ok(()),
                Ok(line) => {
                    each(&line);
                    self.last = line;
                }
                Err(RecvTimeoutError::Timeout) => {
                    let (at_fault, patience, said) = (self.at_fault(), self.patience, self.said());
                    bail!("{at_fault}: expected `{last}` within {patience:?}; {said}");
                }
                Err(RecvTimeoutError::Disconnected) => {
                    bail!("{}: {}; expected `{last}`; {}", self.at_fault(), self.end(), self.said());
                }
            }
        }
    }

    fn at_fault(&self) -> String {
        format!("--engine {}", self.path.display())
    }

    /// What it said last.
    fn said(&self) -> String {
        const SHOWN: usize = 100;
        if self.last.is_empty() {
            return "it said nothing".to_owned();
        }
        let shown: String = self.last.chars().take(SHOWN).collect();
        format!("it said last `{shown}`")
    }

    /// How it ended.
    fn end(&mut self) -> String {
        match self.ended(FAREWELL) {
            Some(status) => format!("it ended ({status})"),
            None => "it closed its input or output".to_owned(),
        }
    }

    /// How it ended, if it does within this time.
    fn ended(&mut self, time: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + time;
        loop {
            match self.process.try_wait() {
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                Ok(status) => return status,
                Err(_) => return None,
            }
        }
    }
}

impl Valuer for UciEngine {
    fn name(&self) -> &str {
        &self.name
    }

    fn begin(&mut self) -> anyhow::Result<()> {
        self.say("ucinewgame")?;
        self.wait_until_ready()
    }

    /// The last score before `bestmove`: a bound, too, knows more than the iteration before.
    fn score(&mut self, game: &Game) -> anyhow::Result<Score> {
        let moves = game.moves().iter().map(|m| m.to_uci(CastlingMode::Standard).to_string());
        let moves: Vec<String> = moves.collect();
        let mut position = match game.root() {
            root if *root == Chess::default() => "position startpos".to_owned(),
            root => format!("position fen {}", Fen::from_position(root, EnPassantMode::Legal)),
        };
        if !moves.is_empty() {
            position += &format!(" moves {}", moves.join(" "));
        }
        self.say(&position)?;
        self.say(&format!("go nodes {}", self.nodes))?;
        let mut score = None;
        self.listen("bestmove", |line| score = info::score(line).or(score))?;
        score.with_context(|| {
            let (at_fault, said) = (self.at_fault(), self.said());
            format!("{at_fault}: expected `info … score cp N` or `score mate N` before `bestmove` after `{position}`; {said}")
        })
    }
}

impl Drop for UciEngine {
    /// Ends the process: as UCI has it, and if it does not heed that, anyhow.
    fn drop(&mut self) {
        // What has ended already cannot hear it.
        let _ = self.say("quit");
        self.input = None;
        if self.ended(FAREWELL).is_none() {
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }
}

/// Sends what is read line by line, until nobody listens or nothing comes. What is not UTF-8 is replaced by �.
fn forward(output: impl Read, lines: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match output.by_ref().take(LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                let line = String::from_utf8_lossy(&line).trim_end().to_owned();
                if lines.send(line).is_err() {
                    return;
                }
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests;
