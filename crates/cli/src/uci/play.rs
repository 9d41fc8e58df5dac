//! A plain `go`: a search for a move against an opponent, reported as the protocol requires.

use std::time::{Duration, Instant};

use entente::{
    engine::Engine,
    settings::{PlaySettings, PlayerSettings},
};
use entente_search::{AlphaBeta, Game, Limits, Score, SearchEvent, SearchReport, SearchRequest, Variation};
use shakmaty::{CastlingMode, Chess, Move, Position, uci::UciMove};

use super::{
    go::Go,
    reply::{Info, Reply},
    stop::Stop,
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
}

impl PlayJob {
    /// The search that `go` asks for.
    pub(super) fn new(go: &Go, game: &Game, settings: &PlaySettings) -> PlayJob {
        let position = game.position();
        let wanted: Vec<Move> = go.search_moves.iter().filter_map(|text| named(text, position)).collect();
        let legal = position.legal_moves();
        // `searchmoves` may name a move twice.
        let mut moves: Vec<Move> = legal.iter().filter(|m| wanted.contains(m)).copied().collect();
        if moves.is_empty() {
            moves.extend(legal);
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
        PlayJob { game: game.clone(), request, nodes: go.nodes, show_wdl: settings.show_wdl }
    }

    /// The error if `searchmoves` names no legal move.
    pub(super) fn unknown_moves(&self, go: &Go) -> Option<Reply> {
        let legal = self.game.position().legal_moves().len();
        let all = !go.search_moves.is_empty() && self.request.moves.len() == legal && legal > 0;
        let none = all && !go.search_moves.iter().any(|text| named(text, self.game.position()).is_some());
        let error =
            || format!("go: searchmoves {}: no legal move; searching all moves", go.search_moves.join(" "));
        none.then(|| Reply::Error(error()))
    }

    /// Searches, reports each iteration, and returns `bestmove` with a legal move, if there is one.
    pub(super) fn run(
        &self,
        engine: &mut Engine,
        settings: PlayerSettings<'_>,
        stop: &Stop,
        writer: &Writer,
    ) -> Reply {
        let start = Instant::now();
        if self.request.moves.is_empty() {
            let score = Score::without_moves(self.game.position());
            writer.send(&Reply::Info(Info { score, ..Info::nothing() }));
            stop.wait_for_release();
            return Reply::BestMove { best: None, ponder: None };
        }
        let report = &mut |report: &SearchReport<'_>| self.tell(report, start, stop, writer);
        let PlayJob { game, request, .. } = self;
        let events = &mut |event| tell(event, writer);
        let lines = engine.best_lines(game, request, settings, self.limits(stop), events, report);
        stop.wait_for_release();
        let mut moves = lines[0].moves.iter().map(|m| to_uci(*m));
        Reply::BestMove { best: moves.next(), ponder: moves.next() }
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
                m: to_uci(m),
                number,
                nodes: report.nodes,
                time: start.elapsed(),
            }),
            SearchEvent::Move(..) => {}
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
            time: start.elapsed(),
            ..Info::nothing()
        };
        lines.iter().zip(1..).map(move |(line, number)| Info {
            multipv: numbered.then_some(number),
            score: line.score,
            wdl: self.show_wdl.then_some(line.chances),
            pv: line.moves.iter().map(|m| to_uci(*m)).collect(),
            ..info.clone()
        })
    }
}

/// The legal move that `text` names, if there is one.
fn named(text: &str, position: &Chess) -> Option<Move> {
    text.to_ascii_lowercase().parse::<UciMove>().ok()?.to_move(position).ok()
}

/// A move in the notation of the protocol.
pub(super) fn to_uci(m: Move) -> UciMove {
    m.to_uci(CastlingMode::Standard)
}
