//! A UCI engine in its own process.

mod error;
mod info;

use std::{
    io::{BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    thread,
    time::{Duration, Instant},
};

use shakmaty::{Chess, EnPassantMode, Move, Position as _, fen::Fen, uci::UciMove};

use entente_search::{Game, Limits, Score, Variation};
pub use error::EngineError;
use info::Info;

use crate::solution::Referee;

/// The maximum length of a line, in bytes; longer lines are split.
const LINE: u64 = 1 << 16;
/// How many lines the engine may be ahead of the reader.
const LINES_AHEAD: usize = 256;
/// How often limits are checked while an engine searches.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How long an engine may take to quit before it is killed.
const FAREWELL: Duration = Duration::from_millis(300);

/// The flag of Windows for a process that Ctrl-C in the console does not reach.
#[cfg(windows)]
const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

/// How to run an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineSettings {
    /// The option that names it, for messages: `--engine`.
    pub option: &'static str,
    /// The number of nodes of each search.
    pub nodes: u64,
    /// The hash memory in mebibytes, if the engine has such an option; `None` for the engine's default.
    pub memory: Option<u32>,
    /// The maximum time for each answer.
    pub patience: Duration,
}

impl EngineSettings {
    /// The speed of the slowest supported engine, in nodes per second, and the extra time for any engine, in seconds.
    const SLOWEST: u64 = 1000;
    const PATIENCE: u64 = 60;

    /// `nodes` nodes per search, the engine's default memory, and a time limit that is enough for the slowest engine.
    pub fn new(option: &'static str, nodes: u64) -> EngineSettings {
        let patience = Duration::from_secs(EngineSettings::PATIENCE + nodes / EngineSettings::SLOWEST);
        EngineSettings { option, nodes, memory: None, patience }
    }
}

/// A UCI engine in its own process. Dropping it ends the process.
#[derive(Debug)]
pub struct UciEngine {
    path: PathBuf,
    name: String,
    process: Child,
    /// `None` once it is closed.
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Its last line, for messages.
    last: String,
    settings: EngineSettings,
    /// The last value of MultiPV that it was given.
    multi_pv: usize,
    /// The last value of UCI_Chess960 that it was given.
    is_chess960: bool,
}

impl UciEngine {
    /// Starts the engine at `path`.
    ///
    /// # Errors
    /// If it cannot be started, or does not speak UCI.
    pub fn start(path: &Path, settings: EngineSettings) -> Result<UciEngine, EngineError> {
        let mut command = Command::new(path);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C in a terminal must reach only us; we then stop the engine cleanly.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut command, CREATE_NEW_PROCESS_GROUP);
        let mut process = command.spawn().map_err(|reason| EngineError::Start {
            option: settings.option,
            path: path.to_owned(),
            reason,
        })?;
        let (input, output) = (process.stdin.take(), process.stdout.take());
        let (sender, lines) = sync_channel(LINES_AHEAD);
        if let Some(output) = output {
            // The thread ends with the process, or when the receiver is dropped.
            thread::spawn(move || forward(output, &sender));
        }
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let (path, last) = (path.to_owned(), String::new());
        let mut engine =
            UciEngine { path, name, process, input, lines, last, settings, multi_pv: 1, is_chess960: false };
        engine.greet(settings.memory)?;
        Ok(engine)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Makes the engine forget earlier games, so that its answers depend only on the current one.
    ///
    /// # Errors
    /// If it does not answer.
    pub fn begin(&mut self) -> Result<(), EngineError> {
        self.say("ucinewgame")?;
        self.wait_until_ready()
    }

    /// Tells the engine whether castling in games from `root` is that of Chess960.
    fn announce_castling(&mut self, root: &Chess) -> Result<(), EngineError> {
        let is_chess960 = root.castles().mode().is_chess960();
        if is_chess960 == self.is_chess960 {
            return Ok(());
        }
        self.is_chess960 = is_chess960;
        self.say(&format!("setoption name UCI_Chess960 value {is_chess960}"))
    }

    /// The score of the position for the side to move, which must have a legal move: the last score before `bestmove`.
    /// A bound counts, too, because it comes from a later iteration.
    ///
    /// # Errors
    /// If there is no answer, or none that can be parsed.
    pub fn score(&mut self, game: &Game) -> Result<Score, EngineError> {
        let mode = game.root().castles().mode();
        let moves = game.moves().iter().map(|m| m.to_uci(mode).to_string());
        let moves: Vec<String> = moves.collect();
        let mut position = position_command(game.root());
        if !moves.is_empty() {
            position += &format!(" moves {}", moves.join(" "));
        }
        self.ask_for_lines(1)?;
        self.announce_castling(game.root())?;
        self.say(&position)?;
        self.say(&format!("go nodes {}", self.settings.nodes))?;
        let mut score = None;
        self.listen("bestmove", |line| {
            if let Some(Info { line: 1, score: found, .. }) = Info::read(line) {
                score = Some(found);
            }
        })?;
        score.ok_or_else(|| self.unintelligible("`info … score cp N` or `score mate N`", &position))
    }

    fn ask_for_lines(&mut self, count: usize) -> Result<(), EngineError> {
        if count != self.multi_pv {
            self.say(&format!("setoption name MultiPV value {count}"))?;
            self.multi_pv = count;
        }
        Ok(())
    }

    fn unintelligible(&self, expected: &str, position: &str) -> EngineError {
        self.complaint(format!("expected {expected} before `bestmove` after `{position}`; {}", self.said()))
    }

    fn complaint(&self, complaint: String) -> EngineError {
        EngineError::Answer { option: self.settings.option, path: self.path.clone(), complaint }
    }

    /// Reads its name, and limits it to one thread and this much memory.
    fn greet(&mut self, memory: Option<u32>) -> Result<(), EngineError> {
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

    fn wait_until_ready(&mut self) -> Result<(), EngineError> {
        self.say("isready")?;
        self.listen("readyok", |_| ()).map(drop)
    }

    /// Sends a line.
    fn say(&mut self, line: &str) -> Result<(), EngineError> {
        let told = self.input.as_mut().is_some_and(|input| {
            input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush()).is_ok()
        });
        if told {
            return Ok(());
        }
        let end = self.end();
        Err(self.complaint(format!("{end} when it was told `{line}`")))
    }

    /// Calls `each` with the lines up to the one that begins with the word `last`.
    fn listen(&mut self, last: &str, each: impl FnMut(&str)) -> Result<(), EngineError> {
        self.listen_until(last, None, each)
    }

    /// The same. Once `limits` end the search, the engine is told to stop, and then only has time to finish.
    fn listen_until(
        &mut self,
        last: &str,
        limits: Option<Limits<'_>>,
        mut each: impl FnMut(&str),
    ) -> Result<(), EngineError> {
        let patience = self.settings.patience;
        let mut deadline = Instant::now() + patience;
        let mut limits = limits;
        loop {
            if limits.is_some_and(|limits| limits.forbid(0, 0)) {
                limits = None;
                self.say("stop")?;
                deadline = deadline.min(Instant::now() + FAREWELL);
            }
            // An engine that keeps sending lines has not answered, either.
            let left = deadline.saturating_duration_since(Instant::now());
            let heard = if left.is_zero() {
                Err(RecvTimeoutError::Timeout)
            } else {
                let wait = if limits.is_some() { left.min(LOOK_EVERY) } else { left };
                self.lines.recv_timeout(wait)
            };
            match heard {
                Err(RecvTimeoutError::Timeout) if !left.is_zero() => {}
                Ok(line) if line.split_ascii_whitespace().next() == Some(last) => return Ok(()),
                Ok(line) => {
                    each(&line);
                    self.last = line;
                }
                Err(RecvTimeoutError::Timeout) => {
                    let said = self.said();
                    return Err(self.complaint(format!("expected `{last}` within {patience:?}; {said}")));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let (end, said) = (self.end(), self.said());
                    return Err(self.complaint(format!("{end}; expected `{last}`; {said}")));
                }
            }
        }
    }

    /// Its last line, in words.
    fn said(&self) -> String {
        const SHOWN: usize = 100;
        if self.last.is_empty() {
            return "it said nothing".to_owned();
        }
        let shown: String = self.last.chars().take(SHOWN).collect();
        format!("its last line was `{shown}`")
    }

    /// How it ended, in words.
    fn end(&mut self) -> String {
        match self.ended(FAREWELL) {
            Some(status) => format!("it ended ({status})"),
            None => "it closed its input or output".to_owned(),
        }
    }

    /// Its exit status, if it ends within this time.
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

impl Referee for UciEngine {
    type Error = EngineError;

    /// The same as [`UciEngine::score`]; each search starts from scratch, with `ucinewgame`.
    fn lines(
        &mut self,
        position: &Chess,
        moves: &[Move],
        count: usize,
        _: Option<u32>,
        limits: Limits<'_>,
    ) -> Result<Vec<Variation>, EngineError> {
        self.begin()?;
        self.ask_for_lines(count)?;
        self.announce_castling(position)?;
        let command = position_command(position);
        self.say(&command)?;
        let mut go = format!("go nodes {}", self.settings.nodes);
        if moves.len() < position.legal_moves().len() {
            go += " searchmoves";
            moves.iter().for_each(|m| go += &format!(" {}", m.to_uci(position.castles().mode())));
        }
        self.say(&go)?;
        let mut lines: Vec<Option<Variation>> = vec![None; count.min(moves.len())];
        self.listen_until("bestmove", Some(limits), |line| {
            let Some(Info { line, score, first: Some(first) }) = Info::read(line) else { return };
            let first = first.parse::<UciMove>().ok().and_then(|m| m.to_move(position).ok());
            if let (Some(first), Some(place)) = (first, lines.get_mut(line.wrapping_sub(1))) {
                *place = Some(Variation::of(score, vec![first]));
            }
        })?;
        let all: Option<Vec<Variation>> = lines.into_iter().collect();
        all.ok_or_else(|| {
            self.unintelligible(&format!("a score and a move for each of {count} lines (MultiPV)"), &command)
        })
    }
}

/// The command that sets up a position.
fn position_command(position: &Chess) -> String {
    if *position == Chess::default() {
        return "position startpos".to_owned();
    }
    format!("position fen {}", Fen::from_position(position, EnPassantMode::Legal))
}

impl Drop for UciEngine {
    /// Ends the process: with `quit`, and if that has no effect, by killing it.
    fn drop(&mut self) {
        // An engine that has ended cannot receive it.
        let _ = self.say("quit");
        self.input = None;
        if self.ended(FAREWELL).is_none() {
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }
}

/// Sends the lines that are read, until the receiver is dropped or the input ends. Invalid UTF-8 is replaced by �.
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
