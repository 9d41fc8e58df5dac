//! Perft by `Game::play`: the published counts of well-known positions. Along the way, the incremental numbers of men
//! are compared with the board.

use entente_constraint::Men;
use entente_search::Game;
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

fn perft(game: &Game, men: Men, depth: u32) -> u64 {
    assert_eq!(men, Men::on(game.position().board()));
    let moves = game.position().legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    moves
        .into_iter()
        .map(|m| {
            let mut child = game.clone();
            child.play(m);
            perft(&child, men.after(m, game.position().turn()), depth - 1)
        })
        .sum()
}

macro_rules! perft {
    ($($name:ident: $fen:literal, $($depth:literal => $count:literal),+;)+) => {$(
        #[test]
        fn $name() {
            let root: Chess = $fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            let men = Men::on(root.board());
            let game = Game::new(root);
            $(assert_eq!(perft(&game, men, $depth), $count, "depth {}", $depth);)+
        }
    )+};
}

perft! {
    initial: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 1 => 20, 2 => 400, 3 => 8_902, 4 => 197_281;
    kiwipete: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 1 => 48, 2 => 2_039, 3 => 97_862;
    en_passant_pins: "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 1 => 14, 2 => 191, 3 => 2_812, 4 => 43_238;
    promotions: "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 1 => 6, 2 => 264, 3 => 9_467;
    underpromotions: "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 1 => 24, 2 => 496, 3 => 9_483, 4 => 182_838;
}
