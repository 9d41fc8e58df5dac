use std::sync::atomic::AtomicBool;

use shakmaty::{
    CastlingMode, CastlingSide, Chess, Move, Piece, Position, Role, Square, fen::Fen, uci::UciMove,
};

use super::*;
use crate::{
    Game, Limits, Score, SearchRequest, Variation,
    scorer::{EvaluationNetwork, NetworkScorer},
};

fn game(fen: &str) -> Game {
    Game::new(fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap())
}

fn request(game: &Game, depth: u32) -> SearchRequest {
    let moves = game.position().legal_moves().to_vec();
    SearchRequest { moves, depth, mate: None, patient: false, lines: 1 }
}

fn search(game: &Game, request: &SearchRequest) -> (Vec<Variation>, u64) {
    let stop = AtomicBool::new(false);
    let mut nodes = 0;
    let lines =
        AlphaBeta::new(4).search(game, request, Limits::until(&stop), &mut |report| nodes = report.nodes);
    (lines, nodes)
}

fn best(fen: &str, depth: u32) -> (String, Score) {
    let game = game(fen);
    let (lines, _) = search(&game, &request(&game, depth));
    (lines[0].moves[0].to_uci(CastlingMode::Standard).to_string(), lines[0].score)
}

#[test]
fn an_interrupted_iteration_does_not_change_the_move_without_proof() {
    let game = Game::new(Chess::default());
    let whole = |depth| search(&game, &request(&game, depth)).0[0].clone();
    let (before, after) = (whole(5), whole(6));
    let Score::Centipawns(expected) = before.score else { panic!("no mate is near") };
    let stop = AtomicBool::new(false);
    // In one of these searches the iteration fails low in its first window, so that all its values are upper bounds.
    for nodes in (19_000..20_000).step_by(111).chain([19_333]) {
        let limits = Limits { nodes, ..Limits::until(&stop) };
        let line = AlphaBeta::new(4).search(&game, &request(&game, 6), limits, &mut |_| ()).swap_remove(0);
        let proved = line.score.rank() > i64::from(expected - iteration::ASPIRATION);
        let known = [before.moves[0], after.moves[0]].contains(&line.moves[0]);
        assert!(known || proved, "{nodes}: {line:?} after {before:?}");
    }
}

#[test]
fn mates_are_found_with_their_length() {
    for (fen, depth, m, moves) in [
        ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", 2, "a1a8", 1),
        ("6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1", 3, "", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 6, "a1a6", 2),
    ] {
        let (found, score) = best(fen, depth);
        assert_eq!(score, Score::Mate(moves), "{fen}: {found}");
        assert!(m.is_empty() || found == m, "{fen}: {found}");
    }
    let (_, score) = best("7k/R7/5K2/8/8/8/8/8 b - - 0 1", 8);
    assert!(matches!(score, Score::Mate(moves) if moves < 0), "{score:?}");
}

#[test]
fn hanging_men_are_captured_and_protected_ones_are_not() {
    assert_eq!(best("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", 3).0, "e4d5");
    assert_ne!(best("4k3/2p5/3p4/8/8/8/8/3QK3 w - - 0 1", 3).0, "d1d6");
    // A fork wins the queen.
    assert_eq!(best("q3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", 4).0, "b5c7");
}

#[test]
fn a_losing_side_gives_perpetual_check() {
    // Without perpetual check Black mates.
    let (m, score) = best("5rk1/5p1p/5Q2/8/8/8/qr6/7K w - - 0 1", 6);
    assert_eq!((m.as_str(), score), ("f6g5", Score::Centipawns(0)));
}

#[test]
fn threefold_repetition_and_fifty_moves_are_draws() {
    // The kings have moved back and forth. The next move makes the third repetition.
    let blocked = "8/8/8/p1p1p1p1/P1P1P1P1/8/8/K1k5 w - - 0 1";
    let mut shuffled = game(blocked);
    for text in ["a1a2", "c1c2", "a2a1", "c2c1", "a1a2", "c1c2", "a2a1"] {
        let m = text.parse::<UciMove>().unwrap().to_move(shuffled.position()).unwrap();
        shuffled.play(m);
    }
    let back = "c2c1".parse::<UciMove>().unwrap().to_move(shuffled.position()).unwrap();
    let (lines, _) = search(&shuffled, &SearchRequest { moves: vec![back], ..request(&shuffled, 5) });
    assert_eq!(lines[0].score, Score::Centipawns(0));
    let (lines, _) = search(&game(blocked), &request(&game(blocked), 5));
    assert_ne!(lines[0].score, Score::Centipawns(0), "the same position without its history");
    assert_eq!(best("7k/8/8/8/8/8/R7/K7 w - - 99 80", 3).1, Score::Centipawns(0));
    assert_eq!(best("7k/8/6K1/8/8/8/8/R7 w - - 99 80", 3).1, Score::Mate(1), "mate takes precedence");
}

#[test]
fn several_lines_begin_with_different_moves_the_best_first() {
    let game = game("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1");
    let (lines, _) = search(&game, &SearchRequest { lines: 4, ..request(&game, 3) });
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[0].score, Score::Mate(1));
    for (index, line) in lines.iter().enumerate() {
        assert!(lines[..index].iter().all(|other| other.moves[0] != line.moves[0]));
        let mut position: Chess = game.position().clone();
        for m in &line.moves {
            assert!(position.is_legal(*m), "{line:?}");
            position.play_unchecked(*m);
        }
    }
}

#[test]
fn a_search_is_deterministic_and_ends_at_its_limits() {
    let game = game("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4");
    let (first, second) = (search(&game, &request(&game, 6)), search(&game, &request(&game, 6)));
    assert_eq!(first, second);
    let stop = AtomicBool::new(false);
    let mut counted = 0;
    let limits = Limits { nodes: 3000, ..Limits::until(&stop) };
    AlphaBeta::new(1).search(&game, &request(&game, 60), limits, &mut |report| counted = report.nodes);
    assert_eq!(counted, 3000);
    // A search that is stopped before it begins still returns a move.
    let stop = AtomicBool::new(true);
    let lines = AlphaBeta::new(1).search(&game, &request(&game, 60), Limits::until(&stop), &mut |_| ());
    assert!(game.position().is_legal(lines[0].moves[0]));
}

/// The hand-written evaluation with the men on the board as an incremental state, like the accumulators of a network.
/// The search is deep if `IS_DEEP`.
#[derive(Clone)]
struct Incremental<const IS_DEEP: bool>;

impl<const IS_DEEP: bool> Scorer for Incremental<IS_DEEP> {
    type State = [Option<Piece>; 64];

    const WORTH: i32 = 100;
    const IS_SELECTIVE: bool = IS_DEEP;

    fn root(&self, position: &Chess) -> Self::State {
        std::array::from_fn(|square| position.board().piece_at(Square::new(square as u32)))
    }

    fn after(&self, state: &Self::State, m: Move, after: &Chess, men: &mut Self::State) {
        *men = *state;
        let mut put = |square: Square, man: Option<Piece>| men[usize::from(square)] = man;
        let mover = !after.turn();
        let own = |role: Role| Some(role.of(mover));
        match m {
            Move::Normal { role, from, to, promotion, .. } => {
                put(from, None);
                put(to, own(promotion.unwrap_or(role)));
            }
            Move::EnPassant { from, to } => {
                put(from, None);
                put(to, own(Role::Pawn));
                put(Square::from_coords(to.file(), from.rank()), None);
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                put(king, None);
                put(rook, None);
                put(side.king_to(mover), own(Role::King));
                put(side.rook_to(mover), own(Role::Rook));
            }
            Move::Put { .. } => unreachable!("drops are not moves of chess"),
        }
    }

    fn value(&self, state: &Self::State, position: &Chess) -> i32 {
        assert_eq!(*state, self.root(position), "{position:?}");
        HandWritten.value(&(), position)
    }
}

#[test]
fn incremental_states_follow_every_move_and_do_not_change_the_result() {
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/1Pk5/8/3pP3/8/3K4/p5p1/8 w - d6 0 1",
    ] {
        let game = game(fen);
        let stop = AtomicBool::new(false);
        let mut nodes = 0;
        let lines = AlphaBeta::with_scorer(4, Incremental::<false>).search(
            &game,
            &request(&game, 6),
            Limits::until(&stop),
            &mut |report| nodes = report.nodes,
        );
        assert_eq!((lines, nodes), search(&game, &request(&game, 6)), "{fen}");
        // A deep search also has null moves and excluded moves.
        let mut deep = AlphaBeta::with_scorer(4, Incremental::<true>);
        deep.search(&game, &request(&game, 10), Limits::until(&stop), &mut |_| ());
    }
}

#[test]
fn a_node_at_the_maximum_ply_is_evaluated_like_any_other() {
    let position = Chess::default();
    let mut search = AlphaBeta::with_scorer(1, Incremental::<true>);
    let mut node = search.root(&position);
    for ply in 1..MAX_PLY {
        search.trail.follow(&node, &search.scorer);
        // Knights move back and forth.
        let (out, back) = if ply % 2 == 1 { ("g1f3", "f3g1") } else { ("g8f6", "f6g8") };
        let m = if ply % 4 == 1 || ply % 4 == 2 { out } else { back };
        let m = m.parse::<UciMove>().unwrap().to_move(&node.position).unwrap();
        node = node.after(m, &search.table);
    }
    let stop = AtomicBool::new(false);
    let window = window::Window { alpha: Value::MIN, beta: Value::MAX };
    let value = search.quiesce(&node, window, Limits::until(&stop));
    assert_eq!(value, Value::new(HandWritten.value(&(), &node.position)));
    assert_ne!(value, Value::DRAW, "one of Black's knights has moved");
}

#[test]
fn a_position_is_quiet_if_no_capture_or_promotion_gains() {
    let mut search = AlphaBeta::new(1);
    for (fen, quiet) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true),
        // A queen can be captured for nothing, or for a queen, which gains nothing.
        ("4k3/8/8/3q4/8/4N3/4P3/4K3 w - - 0 1", false),
        ("4k3/8/2p5/3q4/8/1Q6/4P3/4K3 w - - 0 1", true),
        // The side to move is in check, or a pawn can promote.
        ("4k3/8/8/8/8/8/4r3/4K2R w - - 0 1", false),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", false),
    ] {
        let position = game(fen).position().clone();
        assert_eq!(search.is_quiet(&position, 60), quiet, "{fen}");
    }
}

fn network_evaluator(threads: u32) -> AlphaBeta<NetworkScorer> {
    AlphaBeta::with_scorer(4, NetworkScorer::new(EvaluationNetwork::embedded())).with_threads(threads)
}

#[test]
fn several_threads_find_the_same_mates_and_count_all_nodes_up_to_the_limit() {
    for fen in ["4k3/8/8/8/8/R7/1R6/6K1 w - - 0 1", "6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1"] {
        let game = game(fen);
        let stop = AtomicBool::new(false);
        let mate = |threads| {
            let limits = Limits::until(&stop);
            network_evaluator(threads).search(&game, &request(&game, 12), limits, &mut |_| ())[0].score
        };
        assert!(matches!(mate(1), Score::Mate(1..=2)));
        assert_eq!(mate(3), mate(1));
    }
    let game = Game::new(Chess::default());
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: 100_000, ..Limits::until(&stop) };
    let mut nodes = 0;
    network_evaluator(3).search(&game, &request(&game, 60), limits, &mut |report| nodes = report.nodes);
    // Each thread publishes its nodes by the thousand, so it may search that many nodes beyond the limit.
    assert!((100_000..104_000).contains(&nodes), "{nodes}");
}

#[test]
fn a_deep_search_is_deterministic_and_handles_stalemates_and_single_moves() {
    let game = game("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 2 8");
    let stop = AtomicBool::new(false);
    let run = || {
        let mut nodes = 0;
        let lines =
            network_evaluator(1)
                .search(&game, &request(&game, 10), Limits::until(&stop), &mut |report| nodes = report.nodes);
        (lines, nodes)
    };
    assert_eq!(run(), run());
    // There is only one legal move, at a depth with singular extensions.
    let single = self::game("7k/8/6K1/8/8/8/8/R7 b - - 0 1");
    assert_eq!(single.position().legal_moves().len(), 1);
    let lines =
        network_evaluator(1).search(&single, &request(&single, 12), Limits::until(&stop), &mut |_| ());
    assert_eq!(lines[0].score, Score::Mate(-1));
}

#[test]
fn endings_that_tables_know_have_their_results() {
    // KPvK is embedded in the tables.
    let endings = entente_endings::Endings::new(&[], None).unwrap();
    let score = |fen: &str| {
        let game = game(fen);
        let mut search = AlphaBeta::new(1);
        search.set_endings(endings.clone());
        search.search(&game, &request(&game, 4), Limits::none(), &mut |_| ())[0].score
    };
    for (fen, winner) in [
        // Who has the opposition; a pawn that runs; a rook's pawn; a pawn ending that becomes one after an exchange.
        ("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", 0),
        ("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1", -1),
        ("7k/8/8/8/P7/8/8/7K w - - 0 1", 1),
        ("1k6/8/1K6/P7/8/8/8/8 w - - 0 1", 0),
        ("8/8/3k4/3p4/3P4/3K4/8/8 w - - 0 1", 0),
    ] {
        let Score::Centipawns(centipawns) = score(fen) else { panic!("{fen}: no mate is near") };
        match winner {
            0 => assert_eq!(centipawns, 0, "{fen}"),
            winner => assert!(winner * centipawns >= Score::KNOWN_WIN, "{fen}: {centipawns}"),
        }
    }
}

#[test]
fn a_search_does_not_pass_where_every_move_loses() {
    // Morphy's problem: after 1. Ra6 White threatens nothing, but each move of Black allows a mate.
    let game = game("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    let limits = Limits { nodes: 1_000_000, ..Limits::none() };
    let lines = network_evaluator(1).search(&game, &request(&game, 40), limits, &mut |_| ());
    assert_eq!((lines[0].score, lines[0].moves[0].to().to_string().as_str()), (Score::Mate(2), "a6"));
}

#[test]
fn what_a_search_has_learned_does_not_change_a_quiescence_search() {
    let mut search = network_evaluator(1);
    let game = game("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let before = search.settled(game.position());
    search.search(&game, &request(&game, 9), Limits::none(), &mut |_| ());
    assert_eq!(search.settled(game.position()), before);
    // Whatever a search has learned, it forgets, even if a limit ended it.
    let stopped = |nodes| Limits { nodes, ..Limits::none() };
    let lines = |search: &mut AlphaBeta<NetworkScorer>| {
        search.forget();
        search.search(&game, &request(&game, 9), Limits::none(), &mut |_| ())
    };
    let fresh = lines(&mut search);
    for nodes in (1..12).map(|number| 997 * number) {
        search.search(&game, &request(&game, 30), stopped(nodes), &mut |_| ());
        assert_eq!(lines(&mut search), fresh, "{nodes}");
    }
}

#[test]
fn a_search_has_no_more_nodes_than_it_may() {
    let game = game("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    for most in (1..300).map(|number| 97 * number) {
        let (mut search, mut nodes) = (network_evaluator(1), 0);
        let limits = Limits { nodes: most, ..Limits::none() };
        search.search(&game, &request(&game, 40), limits, &mut |report| nodes = report.nodes);
        assert_eq!(nodes, most);
    }
}

#[test]
fn a_line_that_returns_to_the_root_is_no_draw_yet() {
    let mut search = network_evaluator(1);
    let position = game("4k3/8/8/8/8/8/8/R3K3 w - - 20 30").position().clone();
    let keys = [1, 2, 3, 4].map(shakmaty::zobrist::Zobrist64);
    search.path = keys.to_vec();
    let mut is_repeated = |key, past: &[_]| {
        search.past = past.to_vec();
        search.is_repeated(&Node { position: position.clone(), key, ply: 4, reached_by: None })
    };
    assert!(!is_repeated(keys[0], &[]), "the root, once");
    assert!(is_repeated(keys[0], &keys[..1]), "the root, which had occurred before");
    assert!(is_repeated(keys[2], &[]), "a position of the line");
    assert!(is_repeated(keys[1], &[]), "the first position of the line");
    assert!(!is_repeated(shakmaty::zobrist::Zobrist64(9), &keys));
}
