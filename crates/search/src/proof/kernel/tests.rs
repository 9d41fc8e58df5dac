use entente_constraint::legality::Problem;
use shakmaty::{Board, Chess, Position};

use super::KernelGames;
use crate::Limits;

/// Diagrams with many promoted pieces, each of which allows few captures.
const DIAGRAMS: [&str; 3] = [
    "rnbqkb1r/2pppppp/qq6/8/8/QQ6/2PPPPPP/RNBQKB1R",
    "rnbqkbnr/8/q1q1q1q1/8/8/Q1Q1Q1Q1/Q1Q1Q1Q1/RNBQKBNR",
    // The knights promoted, and the pieces are scattered.
    "1n1k1n2/1n3r2/3R1n2/N4B2/1b2n1N1/2N2K2/r3NR2/1B2N1b1",
];

fn games(placement: &str) -> KernelGames {
    let problem = Problem::of(Board::from_ascii_board_fen(placement.as_bytes()).expect(placement));
    KernelGames::new(&problem, Limits::none()).expect("there is a kernel")
}

#[test]
fn games_lead_to_diagrams_with_many_promoted_pieces() {
    for placement in DIAGRAMS {
        let games = games(placement);
        let mut nodes = 0;
        let attempts = 0..60;
        let game =
            attempts.into_iter().find_map(|number| games.attempt(number, 1, Limits::none(), &mut nodes));
        let mut position = Chess::default();
        for m in game.unwrap_or_else(|| panic!("{placement}: no game after {nodes} nodes")) {
            assert!(position.is_legal(m), "{placement}: {m}");
            position.play_unchecked(m);
        }
        assert_eq!(position.board().to_string(), placement);
    }
}

#[test]
fn an_attempt_depends_on_its_number_and_seed_alone() {
    let games = games(DIAGRAMS[0]);
    let attempt = |number, seed| games.attempt(number, seed, Limits::none(), &mut 0);
    let all = |seed| (0..4).map(|number| attempt(number, seed)).collect::<Vec<_>>();
    assert_eq!(all(1), all(1));
    assert_ne!(all(1), all(2));
}

#[test]
fn limits_end_an_attempt() {
    let mut nodes = 0;
    let limits = Limits { nodes: 1000, ..Limits::none() };
    assert_eq!(games(DIAGRAMS[2]).attempt(0, 1, limits, &mut nodes), None);
    assert!(nodes <= 1001, "{nodes}");
}
