//! A plain `go`: the competitive search, reported as the protocol wants it.

use std::time::{Duration, Instant};

use shakmaty::{CastlingMode, Move, Position, uci::UciMove};

use super::{
    go::Go,
    options::Options,
    reply::{Info, Reply},
    stop::Stop,
    writer::Writer,
};
use crate::search::{
    AlphaBeta, Game, Limits, Score,
    alpha_beta::{Line, News, Report, Request},
};

/// From when on the moves of the root are reported one by one: an iteration may take long then, and a GUI should not
/// look dead.
const SILENCE: Duration = Duration::from_secs(1);

/// Everything that a search for a move needs.
pub(super) struct Job {
    pub game: Game,
    /// Names no move if there is none.
    pub request: Request,
    pub nodes: Option<u64>,
    pub show_wdl: bool,
}

impl Job {
    /// What `go` asks for.
    pub fn new(go: &Go, game: &Game, options: &Options) -> Job {
        let position = game.position();
        let named = |text: &String| text.parse::<UciMove>().ok()?.to_move(position).ok();
        let wanted: Vec<Move> = go.search_moves.iter().filter_map(named).collect();
        let legal = position.legal_moves();
        // A move may be named twice.
        let mut moves: Vec<Move> = legal.iter().filter(|m| wanted.contains(m)).copied().collect();
        if moves.is_empty() {
            moves.extend(legal);
        }
        let request = Request {
            moves,
            depth: go.depth.unwrap_or(AlphaBeta::MAX_DEPTH),
            mate: go.mate,
            patient: go.move_time.is_some(),
            lines: options.multi_pv as usize,
        };
        let weak = options.limit_strength.then(|| AlphaBeta::nodes_for(options.elo));
        let nodes = [go.nodes, weak].into_iter().flatten().min();
        Job { game: game.clone(), request, nodes, show_wdl: options.show_wdl }
    }

    /// Searches, reports each iteration, and answers with a legal move, or with none if there is none.
    pub fn run(&self, player: &mut AlphaBeta, stop: &Stop, writer: &Writer) {
        let start = Instant::now();
        if self.request.moves.is_empty() {
            let mated = self.game.position().is_check();
            let score = if mated { Score::Mate(0) } else { Score::Centipawns(0) };
            writer.send(&Reply::Info(Info { score, ..Info::nothing() }));
            stop.wait_for_release();
            return writer.send(&Reply::BestMove { best: None, ponder: None });
        }
        let limits = Limits {
            nodes: self.nodes.unwrap_or(u64::MAX),
            timer: Some(&stop.timer),
            ..Limits::until(stop.flag())
        };
        let lines = player.search(&self.game, &self.request, limits, &mut |report| {
            match report.news {
                News::Lines(lines) => {
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
        writer.send(&Reply::BestMove { best: moves.next(), ponder: moves.next() });
    }

    fn infos(&self, report: &Report<'_>, lines: &[Line], start: Instant) -> impl Iterator<Item = Info> {
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
            wdl: self.show_wdl.then(|| win_draw_loss(line.score)),
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
