use std::{num::NonZero, sync::atomic::AtomicBool};

use shakmaty::{Board, Chess, Position};

use super::{Effort, Shortest, shortest};
use crate::{legality::Problem, search::Limits};

fn prove(problem: &Problem, games: u32, threads: usize) -> Shortest {
    let stop = AtomicBool::new(false);
    let effort =
        Effort { games: NonZero::new(games).unwrap(), least_plies: 0, most_plies: 60, threads, hash: 16 };
    shortest(&Chess::default(), problem, effort, Limits::until(&stop), |_| ())
}

fn problem(placement: &str) -> Problem {
    Problem::of(Board::from_ascii_board_fen(placement.as_bytes()).expect(placement))
}

/// Diagrams with the length of their shortest games and how many of these there are, of our own making or known to all.
#[test]
fn shortest_games_are_found_and_counted() {
    for (placement, plies, games) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 0, 1),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", 1, 1),
        // The fool's mate.
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR", 4, 2),
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
