//! A plain `go`: a search for a move against an opponent, reported as the protocol requires.

use std::time::{Duration, Instant};

use entente::{
    engine::Engine,
    settings::{PlaySettings, PlayerSettings},
};
use entente_search::{AlphaBeta, Game, Limits, Score, SearchEvent, SearchReport, SearchRequest, Variation};
use shakmaty::{Chess, Move, Position, uci::UciMove};

use super::{
    go::Go,
    reply::{Info, Reply},
    stop::Stop,
    words::shortened,
    writer::{Writer, tell},
};

/// After this time each root move is reported when its search starts: an iteration may take long, and the GUI should
/// show progress.
const SILENCE: Duration = Duration::from_secs(1);

/// A search for a move.
pub(super) struct PlayJob {
    pub game: Game,
    /// Its moves are empty if there is no legal move.
    pub request: SearchRequest,
    nodes: Option<u64>,
    show_wdl: bool,
    /// False if every score is 0, because the moves no longer count.
    has_scores: bool,
}

impl PlayJob {
    /// The search that `go` asks for.
    ///
    /// # Errors
    /// The reason, if `searchmoves` names no legal move although there are some.
    pub(super) fn new(go: &Go, game: &Game, settings: &PlaySettings) -> Result<PlayJob, String> {
        let position = game.position();
        let wanted: Vec<Move> = go.search_moves.iter().filter_map(|text| named(text, position)).collect();
        let legal = position.legal_moves();
        // `searchmoves` may name a move twice.
        let is_wanted = |m: &Move| go.search_moves.is_empty() || wanted.contains(m);
        let moves: Vec<Move> = legal.iter().copied().filter(is_wanted).collect();
        if moves.is_empty() && !legal.is_empty() {
            return Err(format!("searchmoves {}: no legal move", go.search_moves.join(" ")));
        }
        let request = SearchRequest {
            moves,
            depth: go
                .depth
                .unwrap_or_else(|| go.mate.map_or(SearchRequest::NO_DEPTH, AlphaBeta::depth_for_mate)),
            mate: go.mate,
            patient: go.move_time.is_some(),
            lines: settings.multi_pv as usize,
        };
        Ok(PlayJob {
            game: game.clone(),
            request,
            nodes: go.nodes,
            show_wdl: settings.show_wdl,
            has_scores: true,
        })
    }

    /// The same search with the score 0 for every line.
    pub(super) fn without_scores(self) -> PlayJob {
        PlayJob { has_scores: false, ..self }
    }

    /// An error for each move of `searchmoves` that is not legal.
    pub(super) fn notes<'a>(&'a self, go: &'a Go) -> impl Iterator<Item = Reply> + 'a {
        let wrong = go.search_moves.iter().filter(|text| named(text, self.game.position()).is_none());
        wrong.map(|text| {
            Reply::Error(format!("go: searchmoves: skipped {}, which is not legal", shortened(text)))
        })
    }

    /// Searches, reports each iteration, and returns `bestmove` with a legal move, if there is one. `None` if it has
    /// already been sent, because threads of the search had not ended when the move was known.
    pub(super) fn run(
        &self,
        engine: &mut Engine,
        settings: PlayerSettings<'_>,
        stop: &Stop,
        writer: &Writer,
    ) -> Option<Reply> {
        let start = Instant::now();
        if self.request.moves.is_empty() {
            let score = Score::without_moves(self.game.position());
            writer.send(&Reply::Info(Info { score, ..Info::nothing() }));
            stop.wait_for_release();
            return Some(Reply::no_move());
        }
        let report = &mut |report: &SearchReport<'_>| self.tell(report, start, stop, writer);
        let PlayJob { game, request, .. } = self;
        let events = &mut |event| tell(event, writer);
        let lines = engine.best_lines(game, request, settings, self.limits(stop), events, report);
        stop.wait_for_release();
        stop.answered().is_none().then(|| best_move(game.root(), &lines[0]))
    }

    /// The limits of the search.
    pub(super) fn limits<'a>(&self, stop: &'a Stop) -> Limits<'a> {
        Limits {
            nodes: self.nodes.unwrap_or(u64::MAX),
            timer: Some(&stop.timer),
            ..Limits::until(stop.flag())
        }
    }

    /// Sends a report of the search.
    fn tell(&self, report: &SearchReport<'_>, start: Instant, stop: &Stop, writer: &Writer) {
        match report.event {
            SearchEvent::Variations(lines) => {
                self.infos(report, lines, start).for_each(|info| writer.send(&Reply::Info(info)));
            }
            SearchEvent::Move(m, number) if start.elapsed() >= SILENCE => writer.send(&Reply::CurrentMove {
                depth: report.depth,
                m: to_uci(self.game.root(), m),
                number,
                nodes: report.nodes,
                time: start.elapsed(),
            }),
            SearchEvent::Move(..) => {}
            SearchEvent::Answer(lines) if stop.may_answer() => {
                stop.note_answer();
                writer.send(&best_move(self.game.root(), &lines[0]));
            }
            SearchEvent::Answer(_) => {}
        }
        // Nothing reads the output any more.
        if writer.is_closed() {
            stop.request();
        }
    }

    fn infos(
        &self,
        report: &SearchReport<'_>,
        lines: &[Variation],
        start: Instant,
    ) -> impl Iterator<Item = Info> {
        let numbered = self.request.lines > 1;
        let info = Info {
            depth: report.depth,
            selective_depth: Some(report.selective_depth),
            nodes: report.nodes,
            hashfull: Some(report.hashfull),
            table_hits: report.table_hits,
            time: start.elapsed(),
            ..Info::nothing()
        };
        lines.iter().zip(1..).map(move |(line, number)| Info {
            multipv: numbered.then_some(number),
            depth: line.depth.unwrap_or(info.depth),
            score: if self.has_scores { line.score } else { Score::Centipawns(0) },
            wdl: (self.show_wdl && self.has_scores).then_some(line.chances),
            pv: line.moves.iter().map(|m| to_uci(self.game.root(), *m)).collect(),
            ..info.clone()
        })
    }
}

/// The answer with the first move of a line.
fn best_move(root: &Chess, line: &Variation) -> Reply {
    let mut moves = line.moves.iter().map(|m| to_uci(root, *m));
    Reply::BestMove { best: moves.next(), ponder: moves.next() }
}

/// The legal move that `text` names, if there is one.
fn named(text: &str, position: &Chess) -> Option<Move> {
    text.to_ascii_lowercase().parse::<UciMove>().ok()?.to_move(position).ok()
}

/// A move of a game from `root` in the notation of the protocol: in Chess960, castling is the king taking its own rook.
pub(super) fn to_uci(root: &Chess, m: Move) -> UciMove {
    m.to_uci(root.castles().mode())
}
