//! The problems to solve: one on the command line, or one per line of a file.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read as _},
    path::Path,
};

use anyhow::{Context as _, bail};
use entente_search::proof::{LineError, ProblemLine};
use shakmaty::{Bitboard, Chess, Color, Position as _};

use crate::pgn::decoded;

/// A problem, and its line in the input.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    /// Its line in the file, from 1; 1 on the command line.
    pub line: u64,
    /// Its text, without surrounding white space.
    pub text: String,
    /// The text, parsed.
    pub problem: Result<ProblemLine, LineError>,
}

impl Asked {
    /// The problem's name, if it has one.
    pub(super) fn id(&self) -> Option<&str> {
        self.problem.as_ref().ok()?.id.as_deref()
    }

    /// What a field of the problem asks for that few people mean, in games from `start`.
    pub(super) fn note(&self, start: &Chess) -> Option<&'static str> {
        let problem = &self.problem.as_ref().ok()?.problem;
        let is_home = |color| {
            start.castles().has_color(color) && problem.board.king_of(color) == start.board().king_of(color)
        };
        let denies = problem.castling == Some(Bitboard::EMPTY) && Color::ALL.into_iter().any(is_home);
        denies.then_some("'-' denies all castling rights although a king stands on its initial square; '?' allows any rights")
    }
}

/// The problems to solve.
pub(super) enum Input {
    /// A diagram on the command line.
    One(Asked),
    /// The lines of a file.
    Many(Vec<Asked>),
}

/// The maximum size of a file, in bytes.
const LONGEST: u64 = 1 << 30;
/// The maximum length of a line, in bytes.
const MAX_LINE: u64 = 1 << 20;

impl Input {
    /// Reads `given`: a diagram, the name of a file, or "-" for standard input. Empty lines and lines that begin with
    /// '#' are skipped. Games begin in `start`.
    ///
    /// # Errors
    /// If `given` is none of these, or no line is a problem.
    pub(super) fn read(given: &str, start: &Chess) -> anyhow::Result<Input> {
        if given == "-" {
            let text = decoded(io::stdin()).context("standard input")?;
            return lines("standard input", BufReader::new(text), start).map(Input::Many);
        }
        if given.trim().is_empty() {
            bail!("expected a diagram, the name of a file or \"-\", found nothing");
        }
        match ProblemLine::parse_from(given, start) {
            Ok(problem) => {
                Ok(Input::One(Asked { line: 1, text: given.trim().to_owned(), problem: Ok(problem) }))
            }
            Err(error) if !Path::new(given).exists() => {
                // No diagram has a dot, and each has seven slashes.
                let first = given.split_whitespace().next().unwrap_or(given);
                if first.contains('.') || !first.contains('/') {
                    bail!("{given}: no such file; expected a diagram or a file");
                }
                bail!("{given:?}: {error}, or the name of a file")
            }
            Err(_) => {
                if Path::new(given).is_dir() {
                    bail!("{given}: expected a diagram or a file, found a directory");
                }
                let file =
                    File::open(given).with_context(|| format!("{given}: expected a diagram or a file"))?;
                let text = decoded(file).with_context(|| given.to_owned())?;
                lines(given, BufReader::new(text), start).map(Input::Many)
            }
        }
    }
}

fn lines(name: &str, reader: impl BufRead, start: &Chess) -> anyhow::Result<Vec<Asked>> {
    let mut asked = Vec::new();
    let mut reader = reader.take(LONGEST);
    for line in 1.. {
        let mut text = String::new();
        let mut rest = reader.by_ref().take(MAX_LINE);
        let length = rest.read_line(&mut text).with_context(|| format!("{name}, line {line}"))?;
        if length == 0 {
            break;
        }
        if length as u64 == MAX_LINE {
            bail!("{name}, line {line}: expected at most {MAX_LINE} bytes");
        }
        // Some editors begin a file with a byte order mark.
        let text = if line == 1 { text.strip_prefix('\u{feff}').unwrap_or(&text) } else { &text };
        if text.trim().is_empty() || text.trim_start().starts_with('#') {
            continue;
        }
        let problem = ProblemLine::parse_from(text, start);
        asked.push(Asked { line, text: text.trim().to_owned(), problem });
    }
    if reader.limit() == 0 {
        bail!("{name}: expected at most {LONGEST} bytes; split the file");
    }
    let Some(first) = asked.first() else { bail!("{name}: expected one diagram per line, found none") };
    // A line among others gets an answer of its own; a file without any diagram is the wrong file.
    if let Err(error) = &first.problem
        && asked.iter().all(|asked| asked.problem.is_err())
    {
        bail!("{name}, line {}, {error}", first.line);
    }
    Ok(asked)
}
