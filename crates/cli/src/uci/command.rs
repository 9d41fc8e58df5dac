//! The parser of commands: one line in, one typed command out.
//!
//! vampirc-uci parses the standard commands. This module parses those that the crate gets wrong, and a test below shows
//! each case: it drops everything after a move in `position` that it cannot parse, and rejects FENs with fewer than six
//! fields; it splits a `setoption` at any letters "value"; it rejects a whole line for one unknown word, and takes
//! "isreadyfoo" for isready. [`super::go`] parses `go`.

use entente_search::perft;
use vampirc_uci::UciMessage;

use super::{
    genfens::GenFens,
    go::{Generate, Go},
    prove::Prove,
    words::{CommandError, found, split_word},
};

/// A command, as the protocol names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// An empty line, or a command without effect: `debug on`, `debug off`, `register …`.
    Nothing,
    /// `uci`
    Uci,
    /// `isready`
    IsReady,
    /// `ucinewgame`
    NewGame,
    /// `position startpos|fen … [moves …]`, not yet checked against the rules of chess.
    Position {
        /// The FEN, with single spaces between its fields; `None` for the initial position.
        fen: Option<String>,
        /// The moves as written.
        moves: Vec<String>,
    },
    /// `setoption name … [value …]`
    SetOption {
        /// The name, with single spaces between its words.
        name: String,
        /// The value as written, without surrounding white space; `None` without `value`.
        value: Option<String>,
    },
    /// `go …`: choose a move.
    Go(Go),
    /// `go generate …`: generate positions.
    Generate(Generate),
    /// `go prove …`: find a proof game of the position on the board.
    Prove(Prove),
    /// `genfens N seed S book None|FILE`: openings for a testing framework.
    GenFens(GenFens),
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `quit`
    Quit,
    /// `help`: list the commands.
    Help,
    /// `d`: show the board and the state of the constraint.
    Display,
    /// `eval`: show the evaluations of the position.
    Eval,
    /// `policy`: show the probability of each legal move.
    Policy,
    /// `bench`: run the fixed workload.
    Bench,
    /// `perft N`, `go perft N`: count the leaves of the tree of legal moves at a depth of N plies.
    Perft(u32),
}

/// The commands of one word, which vampirc-uci parses.
const STANDARD: [&str; 6] = ["uci", "isready", "ucinewgame", "stop", "ponderhit", "quit"];

/// Parses one line; `Ok(None)` if it contains no command.
///
/// # Errors
/// [`CommandError`] for a known command with wrong arguments.
pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
    // The standard says that unknown words before a command must be skipped.
    let mut rest = line.trim();
    while !rest.is_empty() {
        let (word, after) = split_word(rest);
        match word.to_ascii_lowercase().as_str() {
            "go" => return go(after).map(Some),
            "position" => return position(after).map(Some),
            "setoption" => return set_option(after).map(Some),
            "help" => return Ok(Some(Command::Help)),
            "d" => return Ok(Some(Command::Display)),
            "eval" => return Ok(Some(Command::Eval)),
            "policy" => return Ok(Some(Command::Policy)),
            "bench" => return Ok(Some(Command::Bench)),
            "perft" => return perft_command(after).map(Some),
            "genfens" => return GenFens::parse(after).map(|openings| Some(Command::GenFens(openings))),
            // Without effect; their arguments are not commands.
            "register" | "debug" => return Ok(Some(Command::Nothing)),
            word if STANDARD.contains(&word) => return Ok(standard(word)),
            // Not passed to the crate, which formats a long error message for every unknown word.
            _ => rest = after,
        }
    }
    Ok(if line.trim().is_empty() { Some(Command::Nothing) } else { None })
}

/// Parses a command of one word with vampirc-uci.
fn standard(message: &str) -> Option<Command> {
    Some(match vampirc_uci::parse_one(message) {
        UciMessage::Uci => Command::Uci,
        UciMessage::IsReady => Command::IsReady,
        UciMessage::UciNewGame => Command::NewGame,
        UciMessage::Stop => Command::Stop,
        UciMessage::PonderHit => Command::PonderHit,
        UciMessage::Quit => Command::Quit,
        _ => return None,
    })
}

fn go(words: &str) -> Result<Command, CommandError> {
    let (first, after) = split_word(words);
    if first.eq_ignore_ascii_case("generate") {
        Ok(Command::Generate(Generate::parse(after)?))
    } else if first.eq_ignore_ascii_case("prove") {
        Ok(Command::Prove(Prove::parse(after)?))
    } else if first.eq_ignore_ascii_case("perft") {
        perft_command(after)
    } else {
        Ok(Command::Go(Go::parse(words)))
    }
}

fn perft_command(words: &str) -> Result<Command, CommandError> {
    let (depth, _) = split_word(words);
    match depth.parse() {
        Ok(depth) if (1..=perft::DEEPEST).contains(&depth) => Ok(Command::Perft(depth)),
        _ => Err(CommandError::Perft(found(depth))),
    }
}

fn position(words: &str) -> Result<Command, CommandError> {
    let (kind, after) = split_word(words);
    let mut words = after.split_whitespace();
    let before_moves = words.by_ref().take_while(|word| !word.eq_ignore_ascii_case("moves"));
    let fields = before_moves.collect::<Vec<_>>().join(" ");
    let fen = match kind.to_ascii_lowercase().as_str() {
        "startpos" if fields.is_empty() => None,
        "startpos" => return Err(CommandError::Moves(found(split_word(&fields).0))),
        "fen" => Some(fields),
        _ => return Err(CommandError::Position(found(kind))),
    };
    Ok(Command::Position { fen, moves: words.map(str::to_owned).collect() })
}

fn set_option(words: &str) -> Result<Command, CommandError> {
    let (keyword, mut rest) = split_word(words);
    if !keyword.eq_ignore_ascii_case("name") {
        return Err(CommandError::SetOption(found(keyword)));
    }
    let mut name = Vec::new();
    let mut value = None;
    while !rest.is_empty() {
        let (word, after) = split_word(rest);
        if word.eq_ignore_ascii_case("value") {
            value = Some(after.to_owned());
            break;
        }
        name.push(word);
        rest = after;
    }
    if name.is_empty() {
        return Err(CommandError::SetOption("no name".to_owned()));
    }
    Ok(Command::SetOption { name: name.join(" "), value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Command {
        parse(line).expect(line).expect(line)
    }

    fn option(name: &str, value: Option<&str>) -> Command {
        Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) }
    }

    #[test]
    fn plain_commands_are_read() {
        assert_eq!(command("uci"), Command::Uci);
        assert_eq!(command("isready"), Command::IsReady);
        assert_eq!(command("ucinewgame"), Command::NewGame);
        assert_eq!(command("stop"), Command::Stop);
        assert_eq!(command("ponderhit"), Command::PonderHit);
        assert_eq!(command("quit"), Command::Quit);
        assert_eq!(command("d"), Command::Display);
        assert_eq!(command("eval"), Command::Eval);
        assert_eq!(command("help"), Command::Help);
        assert_eq!(command("policy"), Command::Policy);
        assert_eq!(command("bench"), Command::Bench);
        assert_eq!(command("perft 3"), Command::Perft(3));
        assert_eq!(command("go perft 4"), Command::Perft(4));
        let error = |line| parse(line).unwrap_err().to_string();
        assert_eq!(error("perft"), "perft: expected a depth from 1 to 12, found the end of the line");
        assert_eq!(error("perft 13"), "perft: expected a depth from 1 to 12, found '13'");
    }

    #[test]
    fn carriage_returns_tabs_and_spare_white_space_do_not_matter() {
        assert_eq!(command("isready\r"), Command::IsReady);
        assert_eq!(command(" \t uci \t\r\n"), Command::Uci);
        assert_eq!(command("debug\ton\r"), Command::Nothing);
        assert_eq!(
            command("setoption\tname  Constraint \tvalue\t(1,2,1,1,7) \r"),
            option("Constraint", Some("(1,2,1,1,7)"))
        );
        assert_eq!(
            command("position\tstartpos  moves e2e4\t e7e5\r\n"),
            Command::Position { fen: None, moves: vec!["e2e4".to_owned(), "e7e5".to_owned()] }
        );
    }

    #[test]
    fn unknown_words_are_skipped_and_unknown_lines_ignored() {
        // The crate takes the whole line for an unknown command.
        assert_eq!(command("joho debug on"), Command::Nothing);
        assert_eq!(command("please kindly isready now"), Command::IsReady);
        for line in ["hello", "isreadyfoo", "readyok"] {
            assert_eq!(parse(line), Ok(None), "{line}");
        }
        for line in ["", "   ", "\r\n", "debug", "debug maybe", "register later"] {
            assert_eq!(command(line), Command::Nothing, "{line}");
        }
    }

    #[test]
    fn option_values_keep_spaces_parentheses_and_bars() {
        assert_eq!(
            command("setoption name Constraint value (Q=1 R=2) | !(p>=5,  q=0)"),
            option("Constraint", Some("(Q=1 R=2) | !(p>=5,  q=0)"))
        );
        assert_eq!(
            command("setoption name EvalFile value /tmp/my net.onnx"),
            option("EvalFile", Some("/tmp/my net.onnx"))
        );
    }

    #[test]
    fn option_names_may_contain_the_letters_value_and_values_may_be_missing() {
        // The crate cannot parse the first, and cannot parse an empty value.
        assert_eq!(command("setoption name ValueNet value f"), option("ValueNet", Some("f")));
        assert_eq!(command("setoption name Constraint value"), option("Constraint", Some("")));
        assert_eq!(command("setoption name Clear Hash"), option("Clear Hash", None));
        assert_eq!(
            parse("setoption Seed 3").unwrap_err().to_string(),
            "setoption: expected 'name' and the name of an option, found 'Seed'"
        );
        assert!(parse("setoption name").is_err());
    }

    #[test]
    fn fens_are_passed_on_without_any_check() {
        // The crate rejects the first three.
        for fen in [
            "8/8/8/8/8/8/8/K1k5 w - -",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
            "8/8/8/8/8/8/8/K1k5 w - - 0 12345",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "nonsense",
            "",
        ] {
            assert_eq!(
                command(&format!("position fen {fen} moves a1a2")),
                Command::Position { fen: Some(fen.to_owned()), moves: vec!["a1a2".to_owned()] }
            );
        }
        assert_eq!(
            parse("position 8/8/8/8/8/8/8/K1k5 w - -").unwrap_err().to_string(),
            "position: expected 'startpos' or 'fen', found '8/8/8/8/8/8/8/K1k5'"
        );
        assert_eq!(
            parse("position startpos e2e4").unwrap_err().to_string(),
            "position startpos: expected 'moves' or the end of the line, found 'e2e4'"
        );
    }

    #[test]
    fn invalid_moves_are_kept_for_the_error_message() {
        // The crate drops them and all moves after them.
        assert_eq!(
            command("position startpos moves e2e4 0000 e7e5"),
            Command::Position { fen: None, moves: ["e2e4", "0000", "e7e5"].map(str::to_owned).to_vec() }
        );
    }

    #[test]
    fn no_line_causes_a_panic() {
        let words =
            ["go", "depth", "300", "-1", "position", "fen", "moves", "setoption", "name", "value", "é\0"];
        for first in words {
            for second in words {
                for third in words {
                    let _ = parse(&format!("{first} {second} {third}"));
                }
            }
        }
    }
}
