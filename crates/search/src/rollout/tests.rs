use std::sync::atomic::AtomicBool;

use shakmaty::{CastlingMode, Position};

use super::*;
use crate::{
    Score, position_from_fen,
    scorer::{HandWritten, Material},
};

fn search(
    fen: &str,
    settings: RolloutSettings,
    threads: usize,
    playouts: u64,
    seed: u64,
) -> (Vec<Variation>, u64) {
    let game = Game::new(position_from_fen(fen).unwrap());
    let mut evaluator = ByScorer::new(HandWritten);
    evaluator.seat(game.position().turn());
    let moves = game.position().legal_moves().to_vec();
    let request = SearchRequest { lines: 2, ..SearchRequest::best_of(moves) };
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: playouts, ..Limits::until(&stop) };
    let mut nodes = 0;
    let lines = Rollout::new(settings, vec![evaluator; threads])
        .search(&game, &request, limits, seed, &mut |report| nodes = report.nodes)
        .unwrap();
    (lines, nodes)
}

fn name(line: &Variation) -> String {
    line.moves[0].to_uci(CastlingMode::Standard).to_string()
}

const QUEEN_HANGS: &str = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1";
const MATE: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";

#[test]
fn a_hanging_queen_is_captured_and_a_mate_is_played_with_every_allotment() {
    for allotment in [Allotment::Ucb, Allotment::Uniform] {
        let settings = RolloutSettings { allotment, ..RolloutSettings::DEFAULT };
        for threads in [1, 2] {
            let (lines, _) = search(QUEEN_HANGS, settings, threads, 5000, 1);
            assert_eq!(name(&lines[0]), "e4d5");
            assert_eq!(lines.len(), 2);
            let (lines, _) = search(MATE, settings, threads, 5000, 1);
            assert_eq!((name(&lines[0]).as_str(), lines[0].score), ("d1d8", Score::Mate(1)));
        }
    }
}

#[test]
fn one_thread_is_deterministic_and_playouts_are_counted() {
    let run = |seed| search(QUEEN_HANGS, RolloutSettings::DEFAULT, 1, 777, seed);
    assert_eq!(run(3), run(3));
    assert_eq!(run(3).1, 777);
    assert_ne!(run(3).0, run(4).0);
}

#[test]
fn ends_of_games_have_their_exact_values() {
    let mut evaluator = ByScorer::new(Material);
    let mated = position_from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").unwrap();
    let stalemate = position_from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").unwrap();
    assert_eq!(evaluator.value(&mated, true).unwrap(), 1.0);
    assert_eq!(evaluator.value(&stalemate, true).unwrap(), 0.5);
    assert!(evaluator.value(&stalemate, false).unwrap() > 0.8);
    evaluator.seat(shakmaty::Color::Black);
    assert_eq!(evaluator.value(&mated, true).unwrap(), 0.0);
}

#[test]
fn a_search_without_playouts_still_returns_moves() {
    let (lines, playouts) = search(MATE, RolloutSettings::DEFAULT, 1, 0, 1);
    assert_eq!((lines.len(), playouts), (2, 0));
}
