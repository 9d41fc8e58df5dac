//! Random positions, for the tests and the examples.

use entente_endings::{
    Endings, Material, Wdl,
    shakmaty::{
        Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Piece, Position, Rank, Role,
        Setup,
    },
};
use rand::{RngExt, rngs::StdRng, seq::IndexedRandom};

/// A legal position with these men, in which each side is the stronger one as often as the other. Where pawns allow a
/// capture en passant, half of the positions have it.
pub(crate) fn random_position(material: Material, random: &mut StdRng) -> Chess {
    loop {
        let (board, turn) = (random_board(material, random), random_color(random));
        let setup = Setup { board, turn, ..Setup::empty() };
        let position = random.random_bool(0.5).then(|| with_en_passant(&setup)).flatten();
        if let Some(position) = position.or_else(|| legal(setup)) {
            return position;
        }
    }
}

fn random_color(random: &mut StdRng) -> Color {
    Color::from_white(random.random())
}

fn random_board(material: Material, random: &mut StdRng) -> Board {
    let mut board = Board::empty();
    let mut color = random_color(random);
    for letter in material.to_string().chars() {
        let Some(role) = Role::from_char(letter) else {
            color = !color;
            continue;
        };
        let allowed = if role == Role::Pawn { !Bitboard::BACKRANKS } else { Bitboard::FULL };
        let free: Vec<_> = (!board.occupied() & allowed).into_iter().collect();
        let square = *free.choose(random).expect("a board has more squares than men");
        board.set_piece_at(square, Piece { color, role });
    }
    board
}

fn legal(setup: Setup) -> Option<Chess> {
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}

fn with_en_passant(setup: &Setup) -> Option<Chess> {
    let rank = Bitboard::from_rank(setup.turn.fold_wb(Rank::Sixth, Rank::Third));
    let mut found =
        rank.into_iter().filter_map(|square| legal(Setup { ep_square: Some(square), ..setup.clone() }));
    found.find(|position| position.ep_square(EnPassantMode::Legal).is_some())
}

/// The result of a position by looking one move ahead with shakmaty's move generator.
pub(crate) fn by_moves(endings: &Endings, position: &Chess) -> Option<Wdl> {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return Some(if position.is_check() { Wdl::Loss } else { Wdl::Draw });
    }
    let results = moves.into_iter().map(|one| {
        let mut after = position.clone();
        after.play_unchecked(one);
        endings.probe(&after).map(|result| -result)
    });
    results.collect::<Option<Vec<_>>>()?.into_iter().max()
}
