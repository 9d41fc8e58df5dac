use std::sync::atomic::AtomicBool;

use rand::{SeedableRng, rngs::ChaCha8Rng};
use shakmaty::{CastlingMode, fen::Fen};

use super::*;
use crate::Game;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

/// The result of an attempt with at most `nodes` positions.
fn search(constraint: &str, fen: &str, max_plies: u32, nodes: u64, seed: u64) -> (Line, BestFirst) {
    let root = position(fen);
    let start = Situation::root(&root);
    let mut search = BestFirst::new(Guide::new(&constraint.parse().unwrap(), start).unwrap());
    let stop = AtomicBool::new(false);
    let parameters = BestFirstParameters { nodes, opening: 0, ..BestFirstParameters::of_attempt(0) };
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let line = search.search(start, parameters, max_plies, |_| true, &mut rng, Limits::until(&stop));
    (line, search)
}

/// Plays a line, and asserts that every move is legal and that the game does not continue after its end.
fn played(line: &Line, fen: &str) -> Game {
    let mut game = Game::new(position(fen));
    for &m in &line.moves {
        assert!(!game.is_over());
        assert!(game.position().is_legal(m));
        game.play(m);
    }
    game
}

#[test]
fn found_games_are_legal_and_satisfy_the_constraint() {
    for constraint in [
        "N@h8 n@a1",
        "Q=0 q=0 turn=black",
        "castling=none check=white",
        "ply=31 check=any",
        "fen=r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R",
        "checkmate",
        "P@a5 p@a4",
        "white.castled=short black.castled=long",
        "captures=3 Q=0",
        "eco=C60..C99",
        "begins=\"1.e4 e5 2.Nf3\" castled=none N@e5",
        "N@f5 then N@h3 then N@f5 q@a5",
        "(castling=none !checkmate) then K@e1 R@h1",
        "!earlier(N@f3) N@e5",
    ] {
        let (line, _) = search(constraint, START, 60, 200_000, 1);
        assert_eq!(line.distance, 0, "{constraint}");
        let game = played(&line, START);
        let end = game.situation();
        assert!(constraint.parse::<entente_constraint::Constraint>().unwrap().holds(end), "{constraint}");
    }
}

#[test]
fn the_same_seed_gives_the_same_game_and_another_seed_another_game() {
    let line = |seed| search("N@f5 q@a5", START, 60, 200_000, seed).0.moves;
    assert_eq!(line(1), line(1));
    assert!((2..6).any(|seed| line(seed) != line(1)));
}

#[test]
fn the_limits_on_nodes_and_plies_are_respected() {
    let (line, after) = search("Q@a8 q@a1 K@h8", START, 60, 1000, 1);
    assert!(line.distance > 0 && after.nodes == 1000);
    assert!(!line.moves.is_empty(), "the nearest position is reported");
    let (line, after) = search("N@h8", START, 6, 200_000, 1);
    assert!(line.distance > 0 && line.moves.len() <= 6);
    assert!(after.nodes <= 200_000);
    assert_eq!(search("N@h8", START, 7, 200_000, 1).0.moves.len(), 7);
}

#[test]
fn a_stop_ends_the_search_at_once_and_only_allowed_moves_begin_a_game() {
    let root = Chess::default();
    let start = Situation::root(&root);
    let mut search = BestFirst::new(Guide::new(&"N@h8".parse().unwrap(), start).unwrap());
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let stopped = AtomicBool::new(true);
    let parameters = BestFirstParameters::of_attempt(0);
    let line = search.search(start, parameters, 60, |_| true, &mut rng, Limits::until(&stopped));
    assert_eq!((line.moves.len(), search.nodes), (0, 0));
    assert!(parameters.opening > 0);
    let stop = AtomicBool::new(false);
    let first = root.legal_moves()[3];
    let line = search.search(start, parameters, 60, |m| m == first, &mut rng, Limits::until(&stop));
    assert_eq!((line.moves[0], line.distance), (first, 0));
}

#[test]
fn no_game_continues_after_its_end() {
    let shuffle = "4k3/8/8/8/8/8/8/4K2R w - - 0 1";
    let (line, _) = search("ply=80", shuffle, 100, 200_000, 1);
    assert_eq!(line.moves.len(), 80);
    played(&line, shuffle);
    // One ply before the 75-move rule ends the game.
    let late = "4k3/8/8/8/8/8/8/4K2R w - - 149 100";
    assert!(search("R@a8", late, 100, 10_000, 1).0.distance > 0);
    assert_eq!(search("R@h7", late, 100, 10_000, 1).0.moves.len(), 1);
    let over = "4k3/8/8/8/8/8/8/4K2R w - - 150 100";
    assert_eq!(search("R@h7", over, 100, 10_000, 1).1.nodes, 0);
}

#[test]
fn games_differ_unless_they_must_be_short() {
    let root = Chess::default();
    let start = Situation::root(&root);
    let stop = AtomicBool::new(false);
    let games = |constraint: &str| {
        let mut search = BestFirst::new(Guide::new(&constraint.parse().unwrap(), start).unwrap());
        let mut games: Vec<Vec<Move>> = (0..20)
            .map(|seed| {
                let mut rng = ChaCha8Rng::seed_from_u64(seed);
                let parameters = BestFirstParameters::of_attempt(0);
                search.search(start, parameters, 60, |_| true, &mut rng, Limits::until(&stop)).moves
            })
            .collect();
        let longest = games.iter().map(Vec::len).max();
        games.sort_by_key(|game| format!("{game:?}"));
        games.dedup();
        (games.len(), longest)
    };
    assert_eq!(games("N@h8 ply<=7").1, Some(7));
    let (different, longest) = games("N@h8");
    assert!(different > 15 && longest > Some(7), "{different}, {longest:?}");
}

#[test]
fn targets_hidden_by_pins_and_by_many_alternatives_are_found() {
    // Black's only other man is pinned.
    let (line, _) = search("stalemate", "7k/5P2/5n1K/8/8/8/8/2B5 w - - 0 1", 1, 1000, 1);
    assert_eq!((line.distance, line.moves.len()), (0, 1));
    // Twenty alternatives that look near but cannot be satisfied in time, before the one that can.
    let decoys: Vec<String> =
        "abcdefghabcdefghabcd".chars().map(|file| format!("K@{file}7 k@{file}1")).collect();
    let constraint = format!("ply<=16 ({} | N@h8 n@a1 castling=none)", decoys.join(" | "));
    let root = position(START);
    let start = Situation::root(&root);
    let mut search = BestFirst::new(Guide::new(&constraint.parse().unwrap(), start).unwrap());
    let stop = AtomicBool::new(false);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let found = (0..20).any(|attempt| {
        let parameters = BestFirstParameters::of_attempt(attempt);
        search.search(start, parameters, 60, |_| true, &mut rng, Limits::until(&stop)).distance == 0
    });
    assert!(found);
}

#[test]
fn an_exhausted_search_has_met_every_position_once() {
    // Neither king gets past the wall of pawns.
    let wall = "8/8/k7/p1p1p1p1/P1P1P1P1/8/8/K7 w - - 0 1";
    let (line, after) = search("K@a8", wall, 100, 1_000_000, 1);
    assert!(line.distance > 0 && after.is_exhausted());
    assert!((100..100_000).contains(&after.nodes), "{}", after.nodes);
}
