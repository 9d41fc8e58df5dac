use std::path::PathBuf;

use entente_search::Game;
use shakmaty::{Move, Position, san::San, uci::UciMove};

/// A command that the user types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Play a move.
    Play(Move),
    /// Show what the engine would play.
    Hint,
    /// Take back the user's last move and the reply.
    Undo,
    /// Print the moves so far.
    Moves,
    /// Turn the board around.
    Flip,
    /// Append the game to a file.
    Save(PathBuf),
    /// Resign.
    Resign,
    /// Print the commands.
    Help,
    /// Quit.
    Quit,
    /// An empty line.
    Nothing,
}

/// The commands.
pub(super) const HELP: &str = "\
  a move       such as Nf3, exd5, O-O, e8=Q, g1f3 or e7e8q
  hint         show what the engine would play in your place
  undo         take back your last move and the reply
  moves        print the moves so far
  flip         turn the board around
  save FILE    append the game to a file, as PGN
  resign       resign
  quit         quit";

impl Order {
    /// Parses a line that the user typed in the current position of the game.
    ///
    /// # Errors
    /// A message for the user.
    pub(super) fn read(line: &str, game: &Game) -> Result<Order, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Ok(match word.to_ascii_lowercase().as_str() {
            "" => Order::Nothing,
            "hint" => Order::Hint,
            "undo" | "back" | "takeback" => Order::Undo,
            "moves" => Order::Moves,
            "flip" => Order::Flip,
            "resign" => Order::Resign,
            "help" | "?" => Order::Help,
            "quit" | "exit" => Order::Quit,
            "save" if rest.trim().is_empty() => {
                return Err("save: expected a file, as in save game.pgn".into());
            }
            "save" => Order::Save(PathBuf::from(rest.trim())),
            _ => Order::Play(named(line, game)?),
        })
    }
}

/// The legal move that `text` names, in SAN or UCI notation.
fn named(text: &str, game: &Game) -> Result<Move, String> {
    let position = game.position();
    let as_uci = text.to_ascii_lowercase().parse::<UciMove>().ok();
    if let Some(m) = as_uci.and_then(|m| m.to_move(position).ok()) {
        return Ok(m);
    }
    // Common slips are zeros for the letter O, and pieces in lower case. A "b" may also be a pawn's file.
    let upright = text.replace('0', "O").replace("o-", "O-").replace("-o", "-O");
    let mut capital = upright.clone();
    if capital.starts_with(['n', 'r', 'q', 'k', 'b']) {
        capital[..1].make_ascii_uppercase();
    }
    let mut reason = None;
    for text in [&upright, &capital] {
        match text.parse::<San>().map(|san| san.to_move(position)) {
            Ok(Ok(m)) => return Ok(m),
            Ok(Err(error)) => reason = reason.or(Some(error.to_string())),
            Err(_) => {}
        }
    }
    let few: Vec<String> =
        position.legal_moves().iter().take(3).map(|m| San::from_move(position, *m).to_string()).collect();
    let example = few.join(", ");
    Err(match reason {
        _ if as_uci.is_some() => format!("{text} is not legal here; legal moves include {example}"),
        Some(reason) => format!("{text}: {reason}; legal moves include {example}"),
        None => format!("{text}: expected a move, such as {example}, or \"help\""),
    })
}

#[cfg(test)]
mod tests {
    use entente_search::position_from_fen;
    use shakmaty::CastlingMode;

    use super::*;

    fn read(fen: &str, line: &str) -> Result<String, String> {
        let game = Game::new(position_from_fen(fen).unwrap());
        Order::read(line, &game).map(|order| match order {
            Order::Play(m) => m.to_uci(CastlingMode::Standard).to_string(),
            other => format!("{other:?}"),
        })
    }

    #[test]
    fn moves_are_understood_in_both_notations_and_with_common_slips() {
        let castling = "r3k2r/1P6/8/3pP3/8/2N5/8/R3K2R w KQkq d6 0 1";
        for (text, expected) in [
            ("O-O", "e1g1"),
            ("0-0-0", "e1c1"),
            ("o-o", "e1g1"),
            ("e1g1", "e1g1"),
            ("E1C1", "e1c1"),
            ("exd6", "e5d6"),
            ("bxa8=N", "b7a8n"),
            ("b7b8q", "b7b8q"),
            ("nb5", "c3b5"),
            ("Nb5", "c3b5"),
            ("  b8=Q+ ", "b7b8q"),
        ] {
            assert_eq!(read(castling, text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn commands_are_understood_and_errors_explained() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(read(start, "UNDO").as_deref(), Ok("Undo"));
        assert_eq!(read(start, "").as_deref(), Ok("Nothing"));
        assert_eq!(read(start, "save a b.pgn").as_deref(), Ok("Save(\"a b.pgn\")"));
        assert!(read(start, "save").unwrap_err().contains("expected a file"));
        assert!(read(start, "e2e5").unwrap_err().starts_with("e2e5 is not legal here"));
        assert!(read(start, "Ke2").unwrap_err().contains("illegal"));
        assert!(read(start, "hello").unwrap_err().starts_with("hello: expected a move, such as"));
        assert!(read(start, "\u{0}é").is_err());
    }
}
