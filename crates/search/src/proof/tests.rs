use std::{
    collections::HashMap,
    num::NonZero,
    sync::atomic::{AtomicBool, AtomicU64},
};

use entente_constraint::legality::Problem;
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng, seq::IndexedRandom};
use shakmaty::{Board, Chess, Color, EnPassantMode, Position, san::San};

use super::{ProofGoal, ProofOptions, Shortest, shorter, shortest, victims::NEVER};
use crate::{Chess960, Limits};

fn prove(problem: &Problem, games: u32, threads: usize) -> Shortest {
    prove_goal(&ProofGoal::new(problem), games, threads)
}

fn prove_goal(goal: &ProofGoal, games: u32, threads: usize) -> Shortest {
    let stop = AtomicBool::new(false);
    let games = NonZero::new(games).unwrap();
    let options = ProofOptions { games, min_plies: 0, max_plies: 60, threads, hash: 1 };
    shortest(goal, options, Limits::until(&stop), |_| ())
}

/// The initial position, or every second time one of Chess960.
fn some_start(number: usize, rng: &mut ChaCha8Rng) -> Chess {
    match number % 2 {
        0 => Chess::default(),
        _ => Chess960::start(rng.random_range(0..Chess960::COUNT)).unwrap(),
    }
}

fn problem(placement: &str) -> Problem {
    Problem::of(Board::from_ascii_board_fen(placement.as_bytes()).expect(placement))
}

/// Diagrams with the length and the number of their shortest games.
#[test]
fn shortest_games_are_found_and_counted() {
    for (placement, plies, games) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 0, 1),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", 1, 1),
        // Fool's mate.
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR", 4, 2),
        // Mortimer's problem in Frolkin's version, and one in which a bishop is captured on its initial square.
        ("rnbqkb1r/ppp2ppp/8/8/8/8/PPPPPPPP/RNBQKB1R", 8, 1),
        ("rn2qbnr/ppp1p1pp/5k2/8/5p2/5P2/PPPPb1PP/RNBQKBNR", 14, 1),
        // A promoted rook, a capture that only looks like en passant, and castling.
        ("rnbqkbnr/1ppppppp/8/8/8/8/P1P1PPPP/RN2KBNR", 13, 1),
        ("rn1qkbn1/pbppppp1/8/8/6p1/7N/PPPPPP2/RNBQ1RKr", 10, 1),
    ] {
        let found = prove(&problem(placement), 100, 1);
        assert_eq!(
            (found.at_least, found.games.len(), found.is_all),
            (Some(plies), games, true),
            "{placement}"
        );
        assert_eq!(found, Shortest { nodes: found.nodes, ..prove(&problem(placement), 100, 3) });
        for game in found.games {
            let mut position = Chess::default();
            game.into_iter().for_each(|m| position.play_unchecked(m));
            assert_eq!(position.board(), &problem(placement).board);
        }
    }
}

/// Compares with a brute-force enumeration of all games of up to five plies. For half of the diagrams the side to move
/// is known; the others have games of even and of odd lengths.
#[test]
fn all_games_of_few_plies_are_counted() {
    fn count(position: &Chess, plies: u32, counts: &mut HashMap<Board, u64>) {
        if plies == 0 {
            *counts.entry(position.board().clone()).or_default() += 1;
            return;
        }
        for m in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(m);
            count(&after, plies - 1, counts);
        }
    }
    let counts = [0, 1, 2, 3, 4, 5].map(|plies| {
        let mut counts = HashMap::new();
        count(&Chess::default(), plies, &mut counts);
        counts
    });
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut are_shorter = 0;
    for plies in [3, 4, 5] {
        let mut diagrams: Vec<&Board> = counts[plies].keys().collect();
        diagrams.sort_by_cached_key(|board| board.to_string());
        for is_turn_known in [false, true].repeat(50) {
            let board = *diagrams.choose(&mut rng).unwrap();
            let (turn, step) = if is_turn_known {
                (Some(if plies % 2 == 0 { Color::White } else { Color::Black }), 2)
            } else {
                (None, 1)
            };
            let first = if is_turn_known { plies % 2 } else { 0 };
            let mut lengths = (first..=plies).step_by(step);
            let shortest = lengths.find(|plies| counts[*plies].contains_key(board)).unwrap();
            are_shorter += usize::from(shortest < plies);
            let found = prove(&Problem { turn, ..Problem::of(board.clone()) }, 10_000, 1);
            assert_eq!(found.at_least, Some(shortest as u32), "{board}");
            assert_eq!(found.games.len() as u64, counts[shortest][board], "{board}");
            assert!(found.is_all);
        }
    }
    assert!(are_shorter > 2, "{are_shorter}");
}

/// Shortest games that an incorrect bound could exclude.
#[test]
fn the_bound_does_not_exceed_the_length_of_a_game() {
    for (placement, game) in [
        // On the way, the same men occur with White and with Black to move.
        ("rnbqk1nr/pppp1ppp/8/4p3/4P3/N7/PPPP1PPP/R1BQKBNR", "e3 e5 e4 Ba3 Nxa3"),
        // A pawn captures a rook that has castled.
        (
            "r1bqkb1r/1ppp1ppp/p1n2n2/8/5P2/5pPN/PPPPP1BP/RNBQ2K1",
            "f4 e5 g3 e4 Bg2 Nc6 Nh3 Nf6 O-O a6 Rf3 exf3",
        ),
    ] {
        let mut position = Chess::default();
        for san in game.split(' ') {
            let m = san.parse::<San>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(m);
        }
        assert_eq!(position.board(), &problem(placement).board);
        let plies = game.split(' ').count() as u32;
        assert_eq!(prove(&problem(placement), 1, 2).at_least, Some(plies), "{placement}");
    }
}

/// For diagrams of random games with many captures and castlings, a game of at most that length is found.
#[test]
fn known_games_are_never_excluded() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for number in 0..200 {
        let start = some_start(number / 2, &mut rng);
        let mut position = start.clone();
        let mut played = Vec::new();
        for _ in 0..rng.random_range(5..=7) {
            let moves = position.legal_moves();
            let special: Vec<_> = moves.iter().filter(|m| m.is_capture() || m.is_castle()).collect();
            let chosen = if rng.random() { special.choose(&mut rng).copied() } else { None };
            let m = *chosen.or(moves.choose(&mut rng)).unwrap();
            position.play_unchecked(m);
            played.push(m);
        }
        let whole = Problem::of_position(&position);
        let problem = if number % 2 == 0 { Problem::of(whole.board) } else { whole };
        let goal = ProofGoal::from(&problem, start);
        let found = prove_goal(&goal, 1, 1 + number % 3);
        assert!(found.at_least.is_some_and(|least| least as usize <= played.len()), "{played:?}");
        assert!(goal.is_met_by(&found.games[0]), "{played:?}");
        assert_eq!(found.games[0].len(), found.at_least.unwrap() as usize);
    }
}

/// Beam searches find shorter games to the diagram, and the same ones each time.
#[test]
fn beams_find_shorter_games() {
    let stop = AtomicBool::new(false);
    let diagram = problem("rn2qbnr/ppp1p1pp/5k2/8/5p2/5P2/PPPPb1PP/RNBQKBNR");
    let goal = ProofGoal::new(&diagram);
    let search = |most, nodes| {
        let mut lengths = Vec::new();
        let limits = Limits { nodes, ..Limits::until(&stop) };
        let game = shorter(&goal, most, limits, &AtomicU64::new(0), |plies| lengths.push(plies));
        (game, lengths)
    };
    let (game, lengths) = search(40, u64::MAX);
    let mut position = Chess::default();
    game.as_ref().unwrap().iter().for_each(|&m| position.play_unchecked(m));
    assert_eq!((position.board(), game.as_ref().unwrap().len()), (&diagram.board, 14));
    assert!(lengths.is_sorted_by(|one, other| one > other) && lengths.last() == Some(&14), "{lengths:?}");
    assert_eq!(search(40, u64::MAX), (game, lengths));
    assert_eq!(search(13, u64::MAX), (None, Vec::new()));
    assert_eq!(search(40, 1000).0, None);
    let start = ProofGoal::new(&Problem::of(Board::new()));
    assert_eq!(shorter(&start, 9, Limits::until(&stop), &AtomicU64::new(0), |_| ()), Some(Vec::new()));
}

/// In random games, no side makes fewer moves than the bound.
#[test]
fn the_moves_needed_are_a_lower_bound() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut needed = 0;
    for number in 0..3000 {
        let mut positions = vec![some_start(number, &mut rng)];
        for _ in 0..rng.random_range(1..120) {
            let last = positions.last().unwrap();
            let moves = last.legal_moves();
            // Captures, promotions and castling would otherwise be too rare.
            let special: Vec<_> =
                moves.iter().filter(|m| m.is_capture() || m.is_promotion() || m.is_castle()).collect();
            let chosen = if rng.random_range(0..3) == 0 { special.choose(&mut rng).copied() } else { None };
            let Some(&m) = chosen.or(moves.choose(&mut rng)) else { break };
            let mut next = last.clone();
            next.play_unchecked(m);
            positions.push(next);
        }
        let last = positions.last().unwrap();
        let problem =
            if rng.random() { Problem::of_position(last) } else { Problem::of(last.board().clone()) };
        // Of every third game, only the rest after some position: in general no initial one.
        let first = if number % 3 == 0 { rng.random_range(0..positions.len()) } else { 0 };
        let goal = ProofGoal::from(&problem, positions[first].clone());
        assert!(goal.is_met(last));
        for (played, position) in positions.iter().enumerate().skip(first) {
            let left = positions.len() - 1 - played;
            for (color, left) in [(position.turn(), left.div_ceil(2)), (position.turn().other(), left / 2)] {
                let (rights, passed) = (position.castles().castling_rights(), EnPassantMode::PseudoLegal);
                let moves = goal.moves_needed(position.board(), rights, position.ep_square(passed), color);
                assert!(usize::from(moves) <= left, "{color} needs {moves} of {left}: {}", position.board());
                assert!(goal.captures_needed(position.board(), color) as usize <= left);
                needed += u32::from(moves);
            }
        }
    }
    assert!(needed > 100_000, "{needed}");
    let start = ProofGoal::new(&problem("rnbqkbnr/pppppppp/8/8/8/P7/P1PPPPPP/RNBQKBNR"));
    let needs = |color| start.moves_needed(&Board::new(), Default::default(), None, color);
    assert_eq!(
        (needs(Color::White), needs(Color::Black)),
        (1, NEVER),
        "Black has no man that the pawn could capture"
    );
}

/// The side to move, castling rights and the en passant square are part of the problem if they are known.
#[test]
fn known_fields_are_required() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..40 {
        let mut position = Chess::default();
        let plies = rng.random_range(1..=6);
        for _ in 0..plies {
            let moves = position.legal_moves();
            position.play_unchecked(*moves.choose(&mut rng).unwrap());
        }
        let problem = Problem::of_position(&position);
        let found = prove(&problem, 1, 1);
        assert!(found.at_least.is_some_and(|least| least <= plies), "{}", position.board());
        let mut end = Chess::default();
        found.games[0].iter().for_each(|&m| end.play_unchecked(m));
        assert_eq!(Problem::of_position(&end), problem);
    }
}
