//! All messages of Entente, typed. Their one [`Display`] defines all formats.

mod evaluation;
mod info;

use std::{
    fmt::{self, Display, Formatter},
    time::Duration,
};

use shakmaty::{Chess, uci::UciMove};

pub(super) use evaluation::{ConstraintEvaluation, Evaluation, NetworkEvaluation};
pub(super) use info::Info;

use entente::{
    generation::Distance,
    records::{fen, write_board},
};
use entente_search::{perft, rate};

use super::options::{UciOption, Usual};
use crate::bench::BenchReport;

/// A message. It has one line unless its description says otherwise.
#[derive(Clone, Debug)]
pub(super) enum Reply {
    /// `id name …` and `id author …`: two lines.
    Id,
    /// `option name …`
    Option(UciOption),
    /// `option name …` for an option that is not a setting.
    UsualOption(Usual),
    /// `uciok`
    UciOk,
    /// `readyok`
    ReadyOk,
    /// `info depth … score … pv …`
    Info(Info),
    /// `info depth … currmove … currmovenumber …`
    CurrentMove {
        /// The depth of the iteration, in plies.
        depth: u32,
        /// The root move whose search starts now.
        m: UciMove,
        /// Its number among the root moves, from 1.
        number: u32,
        /// Nodes searched.
        nodes: u64,
        /// The time since the search began.
        time: Duration,
    },
    /// `info string position 1/3 …`
    Generated {
        /// The number of this position, from 1.
        number: u32,
        /// The number of positions requested.
        count: u32,
        /// The result.
        result: Generated,
    },
    /// `info string genfens …`: an opening for a testing framework.
    GenFens(Chess),
    /// `info string plan …`: the proof game that a cooperative move begins.
    Plan(Generated),
    /// `info string satisfied …`: in a cooperative game, the constraint is satisfied or was satisfied earlier.
    Satisfied {
        /// The ply of the game, from its root.
        ply: usize,
        /// The position.
        position: Chess,
    },
    /// `info string error: …`
    Error(String),
    /// `info string …`
    Note(String),
    /// `bestmove …`
    BestMove {
        /// The move; `None` if there is no legal move.
        best: Option<UciMove>,
        /// The expected reply.
        ponder: Option<UciMove>,
    },
    /// The answer to `eval`: several lines.
    Evaluation(Box<Evaluation>),
    /// The answer to `policy`: a line for each legal move, most likely first, after a line that says how many there
    /// are.
    Policy {
        /// The name of the network; `None` if the game is over.
        network: Option<String>,
        /// The moves with their probabilities.
        moves: Vec<(UciMove, f32)>,
    },
    /// The answer to `perft`: a line for each move, and the total.
    Perft(perft::PerftReport),
    /// The answer to `bench`: several lines.
    Bench(Box<BenchReport>),
    /// The answer to `d`: several lines.
    Board {
        /// The position on the board.
        position: Chess,
        /// The constraint in normal form, or why it was refused; `None` if there is none.
        constraint: Option<String>,
        /// Its state in the position.
        state: Option<ConstraintState>,
    },
}

/// The result of generating one position.
#[derive(Clone, Debug)]
pub(super) enum Generated {
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
        /// The number of men missing or in excess in the closest position met, or the estimated number of plies left.
        distance: u32,
        /// The closest position met.
        position: Chess,
    },
}

/// The state of the constraint in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ConstraintState {
    /// The position satisfies the constraint.
    Satisfied,
    /// The position satisfies every condition that the rules of chess decide. Search must judge the others.
    Unjudged,
    /// The position does not satisfy the constraint, but legal play may still reach one that does.
    Reachable {
        /// The distance to the constraint.
        distance: Distance,
    },
    /// Legal play can no longer satisfy the constraint.
    Impossible {
        /// Why.
        reason: String,
    },
    /// The position does not satisfy the constraint, which has too many alternatives to say more.
    TooComplex,
    /// Nothing can be said about this position.
    Unknown {
        /// Why.
        reason: String,
    },
}

impl Reply {
    /// `bestmove (none)`: there is no move to play.
    pub(super) fn no_move() -> Reply {
        Reply::BestMove { best: None, ponder: None }
    }
}

impl Display for Reply {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Id => {
                write!(f, "id name Entente {}\nid author The Entente developers", env!("CARGO_PKG_VERSION"))
            }
            Reply::Option(option) => option.fmt(f),
            Reply::UsualOption(option) => option.fmt(f),
            Reply::UciOk => f.write_str("uciok"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Info(info) => info.fmt(f),
            Reply::CurrentMove { depth, m, number, nodes, time } => {
                write!(f, "info depth {depth} currmove {m} currmovenumber {number}")?;
                write!(f, " nodes {nodes} nps {} time {}", rate(*nodes, *time), time.as_millis())
            }
            Reply::Generated { number, count, result } => {
                write!(f, "info string position {number}/{count} {result}")
            }
            Reply::GenFens(position) => write!(f, "info string genfens {}", fen(position)),
            Reply::Plan(result) => write!(f, "info string plan {result}"),
            Reply::Satisfied { ply, position } => {
                write!(f, "info string satisfied ply {ply} fen {}", fen(position))
            }
            Reply::Error(text) => write!(f, "info string error: {}", one_line(text)),
            Reply::Note(text) => write!(f, "info string {}", one_line(text)),
            Reply::BestMove { best: None, .. } => f.write_str("bestmove (none)"),
            Reply::BestMove { best: Some(best), ponder } => {
                write!(f, "bestmove {best}")?;
                ponder.iter().try_for_each(|ponder| write!(f, " ponder {ponder}"))
            }
            Reply::Evaluation(evaluation) => evaluation.fmt(f),
            Reply::Policy { network, moves } => {
                write!(f, "info string policy moves {}", moves.len())?;
                network.iter().try_for_each(|name| write!(f, " network {}", one_line(name)))?;
                moves.iter().try_for_each(|(m, probability)| {
                    write!(f, "\ninfo string policy move {m} probability {probability:.6}")
                })
            }
            Reply::Perft(report) => report.fmt(f),
            Reply::Bench(report) => report.fmt(f),
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
            ConstraintState::Unjudged => f.write_str(
                "satisfied, except for conditions that search must judge; entente check judges them",
            ),
            ConstraintState::Reachable { distance: Distance::Men(men) } => {
                write!(f, "reachable, distance {men}")
            }
            ConstraintState::Reachable { distance: Distance::Plies(plies) } => {
                let noun = if *plies == 1 { "ply" } else { "plies" };
                write!(f, "reachable, about {plies} {noun} away")
            }
            ConstraintState::Impossible { reason } => write!(f, "impossible: {}", one_line(reason)),
            ConstraintState::Unknown { reason } => write!(f, "unknown: {}", one_line(reason)),
            ConstraintState::TooComplex => f.write_str(
                "not satisfied; the constraint has too many alternatives to say whether it is reachable",
            ),
        }
    }
}

/// Joins the lines of a message from another module: messages of the protocol have one line.
fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_control())
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use entente_search::Score;

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
    fn the_current_move_is_reported_with_the_words_of_the_protocol() {
        let current = Reply::CurrentMove {
            depth: 12,
            m: "e2e4".parse().unwrap(),
            number: 3,
            nodes: 2000,
            time: Duration::from_secs(2),
        };
        assert_eq!(
            current.to_string(),
            "info depth 12 currmove e2e4 currmovenumber 3 nodes 2000 nps 1000 time 2000"
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
            state: Some(ConstraintState::Reachable { distance: Distance::Men(3) }),
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
