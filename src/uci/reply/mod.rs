//! Everything that Entente says: typed, with one [`Display`], so that formats stand in one place.

use std::{
    fmt::{self, Display, Formatter},
    time::Duration,
};

use shakmaty::{Chess, uci::UciMove};

use super::declaration::Declaration;
use crate::{
    generation::{fen, write_board},
    search::Score,
};

/// One message, of one line unless it says otherwise.
#[derive(Clone, Debug)]
pub enum Reply {
    /// `id name …` and `id author …`: two lines.
    Id,
    /// `option name …`
    Option(&'static Declaration),
    /// `uciok`
    UciOk,
    /// `readyok`
    ReadyOk,
    /// `info depth … score … pv …`
    Info(Info),
    /// `info string position 1/3 …`
    Generated {
        /// The number of this position, from 1.
        number: u32,
        /// How many were asked for.
        count: u32,
        /// What came of it.
        result: Generated,
    },
    /// `info string error: …`
    Error(String),
    /// `info string …`
    Note(String),
    /// `bestmove …`
    BestMove {
        /// The move; `None` if there is no legal one.
        best: Option<UciMove>,
        /// The expected answer.
        ponder: Option<UciMove>,
    },
    /// The answer to `d`: several lines.
    Board {
        /// The position on the board.
        position: Chess,
        /// The constraint as it is understood; `None` if there is none.
        constraint: Option<String>,
        /// How the position stands to it.
        state: Option<ConstraintState>,
    },
}

/// What came of generating one position.
#[derive(Clone, Debug)]
pub enum Generated {
    /// A position that satisfies the constraint.
    Found {
        /// The length of the proof game.
        plies: usize,
        /// The position.
        position: Chess,
    },
    /// No legal game satisfies the constraint.
    Impossible {
        /// Why.
        reason: String,
    },
    /// The limits were reached before a position was found.
    Undetermined {
        /// Men too many or too few in the closest position met.
        distance: u32,
        /// The closest position met.
        position: Chess,
    },
}

/// How a position stands to the constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConstraintState {
    /// It satisfies it.
    Satisfied,
    /// It does not, and legal play may still reach a position that does.
    Reachable {
        /// Men too many or too few.
        distance: u32,
    },
    /// Legal play can no longer satisfy it.
    Impossible {
        /// Why.
        reason: String,
    },
}

/// The numbers of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// Plies: of the search, or of the proof game.
    pub depth: u32,
    /// The most plies that a line was followed.
    pub selective_depth: Option<u32>,
    /// The number of the line, from 1.
    pub multipv: Option<u32>,
    /// The value of the line.
    pub score: Score,
    /// Chances to win, draw and lose, in thousandths; they add up to 1000.
    pub wdl: Option<[u32; 3]>,
    /// Positions searched.
    pub nodes: u64,
    /// How full the transposition table is, in thousandths.
    pub hashfull: Option<u32>,
    /// The time they took.
    pub time: Duration,
    /// The line, from the position set; may be empty.
    pub pv: Vec<UciMove>,
}

impl Info {
    /// The numbers of a search that did not take place.
    pub fn nothing() -> Info {
        Info {
            depth: 0,
            selective_depth: None,
            multipv: None,
            score: Score::Centipawns(0),
            wdl: None,
            nodes: 0,
            hashfull: None,
            time: Duration::ZERO,
            pv: Vec::new(),
        }
    }
}

impl Display for Reply {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Id => {
                write!(f, "id name Entente {}\nid author The Entente developers", env!("CARGO_PKG_VERSION"))
            }
            Reply::Option(declaration) => declaration.fmt(f),
            Reply::UciOk => f.write_str("uciok"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Info(info) => info.fmt(f),
            Reply::Generated { number, count, result } => {
                write!(f, "info string position {number}/{count} {result}")
            }
            Reply::Error(text) => write!(f, "info string error: {}", one_line(text)),
            Reply::Note(text) => write!(f, "info string {}", one_line(text)),
            Reply::BestMove { best: None, .. } => f.write_str("bestmove (none)"),
            Reply::BestMove { best: Some(best), ponder } => {
                write!(f, "bestmove {best}")?;
                ponder.iter().try_for_each(|ponder| write!(f, " ponder {ponder}"))
            }
            Reply::Board { position, constraint, state } => {
                write_board(f, position)?;
                write!(f, "FEN: {}\nConstraint: ", fen(position))?;
                f.write_str(constraint.as_deref().unwrap_or("none"))?;
                state.iter().try_for_each(|state| write!(f, "\nState: {state}"))
            }
        }
    }
}

impl Display for Generated {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Generated::Found { plies, position } => write!(f, "found ply {plies} fen {}", fen(position)),
            Generated::Impossible { reason } => write!(f, "impossible {}", one_line(reason)),
            Generated::Undetermined { distance, position } => {
                write!(f, "undetermined distance {distance} fen {}", fen(position))
            }
        }
    }
}

impl Display for ConstraintState {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            ConstraintState::Satisfied => f.write_str("satisfied"),
            ConstraintState::Reachable { distance } => write!(f, "reachable, distance {distance}"),
            ConstraintState::Impossible { reason } => write!(f, "impossible: {}", one_line(reason)),
        }
    }
}

impl Display for Info {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "info depth {}", self.depth)?;
        self.selective_depth.iter().try_for_each(|depth| write!(f, " seldepth {depth}"))?;
        self.multipv.iter().try_for_each(|number| write!(f, " multipv {number}"))?;
        match self.score {
            Score::Centipawns(score) => write!(f, " score cp {score}")?,
            Score::Mate(moves) => write!(f, " score mate {moves}")?,
        }
        self.wdl.iter().try_for_each(|[win, draw, loss]| write!(f, " wdl {win} {draw} {loss}"))?;
        let seconds = self.time.as_secs_f64();
        let nps = if seconds > 0.0 { (self.nodes as f64 / seconds).round() as u64 } else { 0 };
        write!(f, " nodes {} nps {nps}", self.nodes)?;
        self.hashfull.iter().try_for_each(|full| write!(f, " hashfull {full}"))?;
        write!(f, " time {}", self.time.as_millis())?;
        if !self.pv.is_empty() {
            f.write_str(" pv")?;
        }
        self.pv.iter().try_for_each(|m| write!(f, " {m}"))
    }
}

/// Messages from elsewhere may have several lines; the protocol's have one.
fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_control())
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<UciMove> {
        text.split_whitespace().map(|m| m.parse().expect(m)).collect()
    }

    #[test]
    fn a_generated_position_is_reported_in_two_lines() {
        let found = Reply::Generated {
            number: 1,
            count: 3,
            result: Generated::Found { plies: 27, position: Chess::default() },
        };
        assert_eq!(
            found.to_string(),
            "info string position 1/3 found ply 27 fen \
             rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        );
        let info = Info {
            depth: 27,
            multipv: Some(1),
            score: Score::Centipawns(1000),
            nodes: 812,
            time: Duration::from_millis(90),
            pv: moves("d2d4 e7e5"),
            ..Info::nothing()
        };
        assert_eq!(
            info.to_string(),
            "info depth 27 multipv 1 score cp 1000 nodes 812 nps 9022 time 90 pv d2d4 e7e5"
        );
    }

    #[test]
    fn an_empty_line_has_no_pv() {
        let info = Info { score: Score::Mate(-1), ..Info::nothing() };
        assert_eq!(info.to_string(), "info depth 0 score mate -1 nodes 0 nps 0 time 0");
    }

    #[test]
    fn a_search_tells_all_its_numbers() {
        let info = Info {
            depth: 7,
            selective_depth: Some(15),
            multipv: Some(2),
            score: Score::Centipawns(-31),
            wdl: Some([200, 450, 350]),
            nodes: 5000,
            hashfull: Some(12),
            time: Duration::from_millis(10),
            pv: moves("e2e4"),
        };
        assert_eq!(
            info.to_string(),
            "info depth 7 seldepth 15 multipv 2 score cp -31 wdl 200 450 350 nodes 5000 nps 500000 hashfull 12 \
             time 10 pv e2e4"
        );
    }

    #[test]
    fn best_moves_are_in_lower_case_or_none() {
        let reply = |best: &str, ponder: &str| {
            let first = |text: &str| moves(text).first().copied();
            Reply::BestMove { best: first(best), ponder: first(ponder) }.to_string()
        };
        assert_eq!(reply("e7e8q", "a7a6"), "bestmove e7e8q ponder a7a6");
        assert_eq!(reply("e2e4", ""), "bestmove e2e4");
        assert_eq!(reply("", ""), "bestmove (none)");
    }

    #[test]
    fn a_message_of_several_lines_becomes_one() {
        let reply = Reply::Error("cannot read:\n  Caused by\r\n\tsomething".to_owned());
        assert_eq!(reply.to_string(), "info string error: cannot read: Caused by something");
    }

    #[test]
    fn the_board_is_drawn_with_its_state() {
        let board = Reply::Board {
            position: Chess::default(),
            constraint: Some("(1,2,1,1,7)".to_owned()),
            state: Some(ConstraintState::Reachable { distance: 3 }),
        };
        let text = board.to_string();
        assert!(text.starts_with("  8  r n b q k b n r\n"), "{text}");
        assert!(
            text.contains("White to move\nFEN: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"),
            "{text}"
        );
        assert!(text.ends_with("Constraint: (1,2,1,1,7)\nState: reachable, distance 3"), "{text}");
    }
}
