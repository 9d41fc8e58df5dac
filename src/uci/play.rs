//! A plain `go`: a search for a move against an opponent, reported as the protocol wants it.

use std::time::{Duration, Instant};

use rand::{SeedableRng, rngs::ChaCha8Rng};
use shakmaty::{CastlingMode, Chess, Move, Position, uci::UciMove};

use super::{
    go::Go,
    player::{Search, Setup, TreeSearch},
    reply::{Info, Reply},
    resources::Resources,
    stop::Stop,
    writer::Writer,
};
use crate::{
    evaluator::NetworkError,
    generation::known_rating,
    search::{
        AlphaBeta, Game, Limits, News, Report, Reporter, Request, Score, Variation,
        puct::{Care, Competitor, MoveChoice, Players, Strength},
    },
    settings::Settings,
};

/// From when on the moves of the root are reported one by one: an iteration may take long then, and a GUI should not
/// look dead.
const SILENCE: Duration = Duration::from_secs(1);

/// Everything that a search for a move needs.
pub(super) struct Job {
    pub game: Game,
    /// Names no move if there is none.
    pub request: Request,
    nodes: Option<u64>,
    /// How strongly to play, if not as well as possible.
    elo: Option<u32>,
    /// Who plays, as the network is told.
    players: Players,
    /// What moves are drawn by, if not by chance.
    seed: Option<u64>,
    show_wdl: bool,
}

impl Job {
    /// What `go` asks for.
    pub fn new(go: &Go, game: &Game, settings: &Settings) -> Job {
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
            lines: settings.multi_pv as usize,
        };
        Job {
            game: game.clone(),
            request,
            nodes: go.nodes,
            elo: settings.limit_strength.then_some(settings.play_elo),
            players: players(settings),
            seed: settings.seed,
            show_wdl: settings.show_wdl,
        }
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
    pub fn run(&self, resources: &mut Resources, settings: &Settings, stop: &Stop, writer: &Writer) -> Reply {
        let start = Instant::now();
        if self.request.moves.is_empty() {
            let mated = self.game.position().is_check();
            let score = if mated { Score::Mate(0) } else { Score::Centipawns(0) };
            writer.send(&Reply::Info(Info { score, ..Info::nothing() }));
            stop.wait_for_release();
            return Reply::BestMove { best: None, ponder: None };
        }
        let report = &mut |report: &Report<'_>| self.tell(report, start, stop, writer);
        // Whether there is a mate is for a search that leaves no move out.
        let setup = match self.request.mate {
            Some(_) => Setup::material(settings.hash),
            None => resources.setup(settings, writer),
        };
        let lines = match resources.player.prepare(setup) {
            Search::AlphaBeta(search) => self.search(search, stop, report),
            Search::Tree(search) => self.search_with_network(search, stop, report).unwrap_or_else(|error| {
                writer.send(&Reply::Error(format!("{error}; playing without a network")));
                self.search(&mut AlphaBeta::new(settings.hash as usize), stop, report)
            }),
        };
        stop.wait_for_release();
        let mut moves = lines[0].moves.iter().map(|m| to_uci(*m));
        Reply::BestMove { best: moves.next(), ponder: moves.next() }
    }

    /// The best lines by a search without a network.
    fn search(&self, search: &mut AlphaBeta, stop: &Stop, report: &mut Reporter<'_>) -> Vec<Variation> {
        let limits = self.limits(self.elo.map(AlphaBeta::nodes_for), stop);
        search.search(&self.game, &self.request, limits, report)
    }

    /// The best lines by the network; one alone if it draws a move as people do.
    fn search_with_network(
        &self,
        search: &mut TreeSearch,
        stop: &Stop,
        report: &mut Reporter<'_>,
    ) -> Result<Vec<Variation>, NetworkError> {
        search.seat(self.players);
        let TreeSearch { tree, judges, .. } = search;
        let visits = match self.elo.map(|elo| Strength::of(elo).choice) {
            Some(MoveChoice::Drawn(care)) => return self.draw(&mut judges[0], care, stop, report),
            Some(MoveChoice::Searched { visits }) => Some(visits),
            None => None,
        };
        tree.play(&self.game, &self.request, judges, self.limits(visits, stop), report)
    }

    /// A move as people play it.
    fn draw(
        &self,
        judge: &mut Competitor,
        care: Care,
        stop: &Stop,
        report: &mut Reporter<'_>,
    ) -> Result<Vec<Variation>, NetworkError> {
        // Another draw for each move of a game, the same if the game is played again.
        let seed = self.seed.unwrap_or_else(rand::random).wrapping_add(self.game.moves().len() as u64);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (m, found) =
            judge.draw(&self.game, &self.request.moves, care, self.limits(None, stop), &mut rng)?;
        let lines = vec![Variation { score: found.score(), chances: found.chances(), moves: vec![m] }];
        let news = News::Variations(&lines);
        report(&Report { depth: 1, selective_depth: 1, news, nodes: 1, hashfull: 0 });
        Ok(lines)
    }

    /// The limits of a search that is also to have at most so many nodes.
    pub fn limits<'a>(&self, nodes: Option<u64>, stop: &'a Stop) -> Limits<'a> {
        Limits {
            nodes: [self.nodes, nodes].into_iter().flatten().min().unwrap_or(u64::MAX),
            timer: Some(&stop.timer),
            ..Limits::until(stop.flag())
        }
    }

    /// Passes on what a search has to tell.
    fn tell(&self, report: &Report<'_>, start: Instant, stop: &Stop, writer: &Writer) {
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
            wdl: self.show_wdl.then_some(line.chances),
            pv: line.moves.iter().map(|m| to_uci(*m)).collect(),
            ..info.clone()
        })
    }
}

/// Who plays: whom the options name, else players of the strength asked for.
pub(super) fn players(settings: &Settings) -> Players {
    let elo = settings.play_elo;
    let usual = if settings.limit_strength { Strength::of(elo).rating } else { Strength::BEST_RATING };
    let ratings = [settings.white_elo, settings.black_elo];
    Players {
        ratings: ratings.map(|rating| Some(rating.map_or(usual, known_rating))),
        scale: settings.rating_scale,
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
