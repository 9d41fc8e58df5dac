//! Conditions on squares: which men they require, and contradictions between them.

use shakmaty::{Bitboard, Board, Chess, Color, Piece, Position, Rank, Role, attacks};

use super::Literal;
use crate::{Atom, Castling, KINDS, Men, RIGHTS, Square, counts::Counts, homes, men::side};

const PAWN_AT_THE_EDGE: &str = "a pawn never stands on the first or the eighth rank";

/// Adds the numbers of men that the conditions on squares imply to `counts`, or says why the conditions contradict each
/// other.
pub(super) fn count(way: &[Literal], root: &Chess, counts: &mut Counts) -> Result<(), String> {
    let mut board = Board::empty();
    let mut empty = Bitboard::EMPTY;
    for Literal { atom, .. } in way.iter().filter(|literal| !literal.negated) {
        match &**atom {
            Atom::Square(square) => stand(&mut board, &mut empty, *square)?,
            Atom::Diagram(diagram) => {
                let vacant = !(diagram.unknown | diagram.board.occupied());
                for (place, piece) in diagram.board.clone() {
                    put(&mut board, empty, place, piece)?;
                }
                empty |= vacant;
            }
            Atom::Castling(castling) => hold(&mut board, empty, *castling, root)?,
            _ => {}
        }
        if let Some(square) = (empty & board.occupied()).first() {
            return Err(format!("{square} cannot be both empty and occupied"));
        }
    }
    for color in Color::ALL {
        let side = side(color);
        let king = Piece { color, role: Role::King };
        if board.by_piece(king).more_than_one() {
            return Err(format!("{side} has only one king"));
        }
        if (!empty & !(board.occupied() & !board.by_piece(king))).is_empty() {
            return Err(format!("there is no square left for {side}'s king"));
        }
    }
    let kings = Color::ALL.map(|color| board.king_of(color));
    if let [Some(white), Some(black)] = kings
        && attacks::king_attacks(white).contains(black)
    {
        return Err("the kings cannot stand on adjacent squares".to_owned());
    }
    room(way, root)?;
    let men = Men::on(&board);
    for piece in KINDS {
        counts.demand(piece, (men.count(piece) as i8).max(apart(way, piece)));
    }
    whole_diagrams(way, counts);
    Ok(())
}

/// Notes what a condition on a single square requires. A larger region is only checked.
fn stand(board: &mut Board, empty: &mut Bitboard, square: Square) -> Result<(), String> {
    let squares = square.region.squares();
    let Some(piece) = square.man else {
        if let Some(place) = squares.single_square() {
            empty.add(place);
        }
        return Ok(());
    };
    let edges = Bitboard::from(Rank::First) | Bitboard::from(Rank::Eighth);
    if piece.role == Role::Pawn && (squares & !edges).is_empty() {
        return Err(PAWN_AT_THE_EDGE.to_owned());
    }
    if piece.role == Role::King
        && let Some(king) = board.king_of(piece.color)
        && !squares.contains(king)
    {
        return Err(format!("{square}: the king cannot also stand on {king}"));
    }
    squares.single_square().map_or(Ok(()), |place| put(board, *empty, place, piece))
}

fn put(board: &mut Board, empty: Bitboard, place: shakmaty::Square, piece: Piece) -> Result<(), String> {
    if piece.role == Role::Pawn && matches!(place.rank(), Rank::First | Rank::Eighth) {
        return Err(PAWN_AT_THE_EDGE.to_owned());
    }
    if board.piece_at(place).is_some_and(|before| before != piece) || empty.contains(place) {
        return Err(format!("{place} cannot hold two different things"));
    }
    board.set_piece_at(place, piece);
    Ok(())
}

/// Castling rights that must remain need the king and the rook on their initial squares. Lost rights never return.
fn hold(board: &mut Board, empty: Bitboard, castling: Castling, root: &Chess) -> Result<(), String> {
    for ((letter, color, side), _) in RIGHTS.into_iter().zip(castling.rights).filter(|(_, held)| *held) {
        if !root.castles().has(color, side) {
            return Err(format!("the castling right '{letter}' is lost and never returns"));
        }
        for (place, piece) in homes(root, color, side) {
            put(board, empty, place, piece).map_err(|reason| {
                format!(
                    "the castling right '{letter}' needs king and rook on their initial squares, but {reason}"
                )
            })?;
        }
        if board.by_piece(Piece { color, role: Role::King }).more_than_one() {
            return Err(format!("the castling right '{letter}' needs the king on its initial square"));
        }
    }
    Ok(())
}

/// Checks the negated conditions: they must leave a square for each king, and must not need more men than there are.
fn room(way: &[Literal], root: &Chess) -> Result<(), String> {
    let negated = |man: Option<Piece>| {
        way.iter()
            .filter(|literal| literal.negated)
            .filter_map(move |literal| match &*literal.atom {
                Atom::Square(square) if square.man == man => Some(square.region.squares()),
                _ => None,
            })
            .fold(Bitboard::EMPTY, |all, squares| all | squares)
    };
    for color in Color::ALL {
        if negated(Some(Role::King.of(color))) == Bitboard::FULL {
            return Err(format!("there is no square left for {}'s king", side(color)));
        }
    }
    // A square that must not be empty must be occupied.
    let (occupied, men) = (negated(None).count(), root.board().occupied().count());
    if occupied > men {
        return Err(format!("{occupied} squares cannot be occupied by {men} men"));
    }
    Ok(())
}

/// Limits each number of men to those on the diagram and its free squares.
fn whole_diagrams(way: &[Literal], counts: &mut Counts) {
    for Literal { atom, .. } in way.iter().filter(|literal| !literal.negated) {
        let Atom::Diagram(diagram) = &**atom else { continue };
        let (men, room) = (Men::on(&diagram.board), diagram.unknown.count() as i8);
        for piece in KINDS {
            counts.limit(piece, men.count(piece) as i8 + room);
        }
    }
}

/// A lower bound on the number of men of a kind: disjoint squares and regions need different men.
fn apart(way: &[Literal], piece: Piece) -> i8 {
    let mut regions: Vec<Bitboard> = way
        .iter()
        .filter(|literal| !literal.negated)
        .filter_map(|literal| match &*literal.atom {
            Atom::Square(Square { man, region }) if *man == Some(piece) => Some(region.squares()),
            _ => None,
        })
        .collect();
    // The small regions first: they overlap with few others.
    regions.sort_by_key(|squares| squares.count());
    let mut taken = Bitboard::EMPTY;
    let mut men = 0;
    for squares in regions {
        if (squares & taken).is_empty() {
            taken |= squares;
            men += 1;
        }
    }
    men
}
