//! A plain `go`: the competitive search, reported as the protocol wants it.

use std::time::{Duration, Instant};

use shakmaty::{CastlingMode, Chess, Move, Position, uci::UciMove};

use super::{
    go::Go,
    options::Options,
    reply::{Info, Reply},
    stop::Stop,
    writer::Writer,
};
use crate::search::{AlphaBeta, Game, Limits, News, Report, Request, Score, Variation};

/// From when on the moves of the root are reported one by one: an iteration may take long then, and a GUI should not
/// look dead.
const SILENCE: Duration = Duration::from_secs(1);

/// Everything that a search for a move needs.
pub(super) struct Job {
    pub game: Game,
    /// Names no move if there is none.
    pub request: Request,
    pub nodes: Option<u64>,
    /// As many nodes as the strength asked for has.
    pub weak_nodes: Option<u64>,
    pub show_wdl: bool,
}

impl Job {
    /// What `go` asks for.
    pub fn new(go: &Go, game: &Game, options: &Options) -> Job {
        let position = game.position();
        let wanted: Vec<Move> = go.search_moves.iter().filter_map(|text| named(text, position)).collect();
        let legal = position.legal_moves();
        // A move may be named twice.
        let mut moves: Vec<Move> = legal.iter().filter(|m| wanted.contains(m)).copied().collect();
        if moves.is_empty() {
            moves.extend(legal);
        }
        let request = Request {
            moves,
            depth: go.depth.unwrap_or_else(|| go.mate.map_or(AlphaBeta::MAX_DEPTH, depth_for_mate)),
            mate: go.mate,
            patient: go.move_time.is_some(),
            lines: options.multi_pv as usize,
        };
        let weak_nodes = options.limit_strength.then(|| AlphaBeta::nodes_for(options.elo));
        Job { game: game.clone(), request, nodes: go.nodes, weak_nodes, show_wdl: options.show_wdl }
    }

    /// What to say of `searchmoves` if it names no move that can be played.
    pub fn unknown_moves(&self, go: &Go) -> Option<Reply> {
        let legal = self.game.position().legal_moves().len();
        let all = !go.search_moves.is_empty() && self.request.moves.len() == legal && legal > 0;
        let none = all && !go.search_moves.iter().any(|text| named(text, self.game.position()).is_some());
        let error =
            || format!("go: searchmoves {}: none is legal; all are searched", go.search_moves.join(" "));
        none.then(|| Reply::Error(error()))
    }

    /// Searches, reports each iteration, and returns the answer: a legal move, or none if there is none.
    pub fn run(&self, player: &mut AlphaBeta, stop: &Stop, writer: &Writer) -> Reply {
        let start = Instant::now();
        if self.request.moves.is_empty() {
            let mated = self.game.position().is_check();
            let score = if mated { Score::Mate(0) } else { Score::Centipawns(0) };
            writer.send(&Reply::Info(Info { score, ..Info::nothing() }));
            stop.wait_for_release();
            return Reply::BestMove { best: None, ponder: None };
        }
        let limits = Limits {
            nodes: [self.nodes, self.weak_nodes].into_iter().flatten().min().unwrap_or(u64::MAX),
            timer: Some(&stop.timer),
            ..Limits::until(stop.flag())
        };
        let lines = player.search(&self.game, &self.request, limits, &mut |report| {
            match report.news {
                News::Variations(lines) => {
                    self.infos(report, lines, start).for_each(|info| writer.send(&Reply::Info(info)));
                }
                News::Move(m, number) if start.elapsed() >= SILENCE => writer.send(&Reply::CurrentMove {
                    depth: report.depth,
                    m: to_uci(m),
                    number,
                    nodes: report.nodes,
                    time: start.elapsed(),
                }),
                News::Move(..) => {}
            }
            // Nobody listens: no reason to work on.
            if writer.is_closed() {
                stop.request();
            }
        });
        stop.wait_for_release();
        let mut moves = lines[0].moves.iter().map(|m| to_uci(*m));
        Reply::BestMove { best: moves.next(), ponder: moves.next() }
    }

    fn infos(&self, report: &Report<'_>, lines: &[Variation], start: Instant) -> impl Iterator<Item = Info> {
        let numbered = self.request.lines > 1;
        let info = Info {
            depth: report.depth,
            selective_depth: Some(report.selective_depth),
            nodes: report.nodes,
            hashfull: Some(report.hashfull),
            time: start.elapsed(),
            ..Info::nothing()
        };
        lines.iter().zip(1..).map(move |(line, number)| Info {
            multipv: numbered.then_some(number),
            score: line.score,
            wdl: self.show_wdl.then(|| line.chances.unwrap_or_else(|| win_draw_loss(line.score))),
            pv: line.moves.iter().map(|m| to_uci(*m)).collect(),
            ..info.clone()
        })
    }
}

/// The score at which one side wins half of the games and the other none, and how fast that changes, in
/// hundredths of a pawn.
const EVEN_CHANCE: f64 = 180.0;
const STEEPNESS: f64 = 80.0;

/// Chances to win, draw and lose in thousandths, by a logistic curve of the score: no more than a rule of thumb.
fn win_draw_loss(score: Score) -> [u32; 3] {
    let win = |centipawns: i32| {
        (1000.0 / (1.0 + ((EVEN_CHANCE - f64::from(centipawns)) / STEEPNESS).exp())).round() as u32
    };
    match score {
        Score::Mate(moves) if moves > 0 => [1000, 0, 0],
        Score::Mate(_) => [0, 0, 1000],
        Score::Centipawns(centipawns) => {
            let (win, loss) = (win(centipawns), win(-centipawns));
            [win, 1000 - win - loss, loss]
        }
    }
}

/// As deep as a mate in so many moves is looked for, in plies: late moves are searched less deep than others.
fn depth_for_mate(moves: u32) -> u32 {
    moves.saturating_mul(2).saturating_add(4).min(AlphaBeta::MAX_DEPTH)
}

/// The legal move that `text` names.
fn named(text: &str, position: &Chess) -> Option<Move> {
    text.to_ascii_lowercase().parse::<UciMove>().ok()?.to_move(position).ok()
}

/// A move as the protocol writes it.
pub(super) fn to_uci(m: Move) -> UciMove {
    m.to_uci(CastlingMode::Standard)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_follow_the_score() {
        for centipawns in -3000..3000 {
            let [win, draw, loss] = win_draw_loss(Score::Centipawns(centipawns));
            assert_eq!(win + draw + loss, 1000);
            assert_eq!(win_draw_loss(Score::Centipawns(-centipawns)), [loss, draw, win]);
        }
        let [win, draw, loss] = win_draw_loss(Score::Centipawns(0));
        assert!(win == loss && draw > win);
        assert!(win_draw_loss(Score::Centipawns(500))[0] > 950);
        assert_eq!(win_draw_loss(Score::Mate(-3)), [0, 0, 1000]);
        assert_eq!(win_draw_loss(Score::Mate(0)), [0, 0, 1000]);
    }
}
