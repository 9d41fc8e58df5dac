//! `entente book`: opening books made of human-like games.

use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use clap::Args;
use entente::{generation::book_constraint, records::Format, settings::Choice as _};
use entente_constraint::Constraint;
use entente_search::Chess960;

use super::{
    flags::GenerationFlags,
    generate,
    words::{self, number},
};

/// The longest line, in plies.
const MAX_PLIES: u64 = 1000;
/// Make an opening book: human-like lines to different positions with evaluations in a window.
///
/// Each line ends in a position that satisfies the constraint and has the given length and evaluation. No two final
/// positions have the same placement of men, not even by transposition. The format epd has one final position per line,
/// with `ce` (its evaluation for the side to move), `fmvn` and `hmvc`; the format pgn has the lines.
#[derive(Args)]
#[command(after_help = "\
Examples:
  entente book --lines 1000 --elo 2200 --output book.epd
      Lines of 16 plies, balanced to within half a pawn
  entente book \"Q=1 q=1 castling>=KQkq\" --plies 12 --lines 500 --output book.pgn
      Both queens are on the board, and no one has castled
  entente book --eval 80..109 --lines 1000 --output unbalanced.epd
      Lines that are better for White
  entente book \"material=KRPvKR\" --eval 20..150 --lines 1000 --output endgames.epd
      An endgame with winning chances for White, at any ply")]
pub(super) struct Arguments {
    /// A further constraint on all final positions, in quotes; see docs/constraints.md
    #[arg(value_parser = words::constraint)]
    constraint: Option<String>,
    /// The number of lines
    #[arg(long, short = 'n', display_order = 1, default_value_t = 100, value_parser = number::<u64>(1..=u64::MAX))]
    lines: u64,
    /// The length of each line in plies [default: 16, or any length if the constraint contains ply or material]
    #[arg(long, display_order = 2, value_parser = number::<u16>(1..=MAX_PLIES))]
    plies: Option<u16>,
    /// The evaluation of each final position for White, in centipawns [default: -50..50, unless the constraint contains
    /// eval]
    #[arg(long, value_name = "LOW..HIGH", display_order = 3, allow_hyphen_values = true)]
    eval: Option<String>,
    /// Start from this initial position of Chess960, by its number: 518 is standard chess
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, display_order = 4, value_parser = number::<u32>(0..=u64::from(Chess960::COUNT - 1)))]
    start: Option<u32>,
    /// The format, epd or pgn [default: by the extension of --output, or else epd]
    #[arg(long, display_order = 5)]
    format: Option<String>,
    /// Write the book to this file instead of standard output, completely or not at all
    #[arg(long, value_name = "FILE", display_order = 6)]
    output: Option<PathBuf>,
    #[command(flatten)]
    flags: GenerationFlags,
}

/// Runs `entente book` and returns its exit status.
///
/// # Errors
/// Wrong input, and a constraint that is impossible.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let constraint = constraint(arguments)?;
    let by_extension = arguments.output.as_deref().and_then(Format::of_ending);
    let (format, place) = match (&arguments.format, &arguments.output) {
        (Some(word), _) => {
            let format =
                Format::named(word).with_context(|| format!("--format {word}: expected epd or pgn"))?;
            (format, format!("--format {word}"))
        }
        (None, Some(path)) => (by_extension.unwrap_or(Format::Epd), format!("--output {}", path.display())),
        (None, None) => (Format::Epd, String::new()),
    };
    ensure!(
        matches!(format, Format::Epd | Format::Pgn),
        "{place}: a book is epd or pgn, not {}; entente generate writes the other formats",
        format.word()
    );
    let output = arguments.output.clone();
    generate::run(&generate::Arguments::of_book(
        constraint,
        arguments.lines,
        arguments.start,
        (format, output),
        arguments.flags.clone(),
    ))
}

/// The constraint on each final position of the book.
fn constraint(arguments: &Arguments) -> anyhow::Result<String> {
    let Arguments { constraint, plies, eval, .. } = arguments;
    let given: Option<Constraint> = constraint.as_deref().map(str::parse).transpose()?;
    if let Some(window) = eval {
        let parsed: Result<Constraint, _> = format!("eval={window}").parse();
        parsed.with_context(|| format!("--eval {window}: expected centipawns such as -50..50"))?;
    }
    Ok(book_constraint(given.as_ref(), *plies, eval.as_deref())?.to_string())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn constraint_of(words: &[&str]) -> anyhow::Result<String> {
        let line = Line::try_parse_from([&["book"], words].concat())?;
        constraint(&line.arguments)
    }

    #[test]
    fn length_and_window_have_defaults_unless_given() {
        for (words, expected) in [
            (&[][..], "ply=16 & eval=-50..50"),
            (&["--plies", "12", "--eval", "-20..20"], "ply=12 & eval=-20..20"),
            (&["Q=1 q=1"], "ply=16 & (Q=1 & q=1) & eval=-50..50"),
            (&["ply=10..12 eval>=80"], "ply=10..12 & eval>=80"),
            (&["material=KRPvKR", "--eval", "20..150"], "material=KRPvKR & eval=20..150"),
            (&["Q=0 | q=0"], "ply=16 & (Q=0 | q=0) & eval=-50..50"),
        ] {
            assert_eq!(
                constraint_of(words).unwrap().replace(['(', ')'], ""),
                expected.replace(['(', ')'], "")
            );
        }
        let error = format!("{:#}", constraint_of(&["--eval", "near"]).unwrap_err());
        assert!(error.contains("--eval near: expected centipawns such as -50..50"), "{error}");
    }
}
