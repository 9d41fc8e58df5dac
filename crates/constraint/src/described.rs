//! Random games, and constraints that describe their positions, for property tests.

use rand::{RngExt, rngs::ChaCha8Rng};
use shakmaty::{Bitboard, Chess, Color, Move, Piece, Position, Role};

use super::{
    Atom, Castling, Check, Class, Comparison, Constraint, Count, Diagram, End, IntegerRange, KINDS, Material,
    Men, Ply, RIGHTS, Region, Situation, Square, Sum, Tuple, Turn,
};

/// A random legal move. Captures and promotions are preferred, so that games have something to prove.
pub(crate) fn sharp_move(position: &Chess, rng: &mut ChaCha8Rng) -> Option<Move> {
    let moves = position.legal_moves();
    let sharp: Vec<Move> = moves.iter().copied().filter(|m| m.is_capture() || m.is_promotion()).collect();
    let choice = if !sharp.is_empty() && rng.random() { sharp.as_slice() } else { moves.as_slice() };
    (!choice.is_empty()).then(|| choice[rng.random_range(0..choice.len())])
}

/// A random comparison of a random total number of men. All comparisons but `!=` hold.
fn sum_of(men: &Men, rng: &mut ChaCha8Rng) -> Atom {
    let mut class = || -> Class { KINDS.into_iter().filter(|_| rng.random_bool(0.4)).collect() };
    let (class, minus) = (class(), Some(class()).filter(|_| men.count(KINDS[0]) > 0));
    let comparison = Comparison::AtLeast(0);
    let number = Sum { class, minus, comparison }.number(men);
    let comparison = [
        Comparison::In(IntegerRange::exactly(number)),
        Comparison::AtLeast(number),
        Comparison::AtMost(number),
        Comparison::NotIn(IntegerRange::exactly(number)),
    ][rng.random_range(0..4)];
    Atom::Sum(Sum { class, minus, comparison })
}

/// A random selection of conditions about a position. Conditions that do not hold are negated, so the constraint holds.
pub(crate) fn all_that_holds(position: &Chess, ply: u32, rng: &mut ChaCha8Rng) -> Constraint {
    let men = Men::on(position.board());
    let mut atoms = vec![
        Atom::Tuple(Tuple { color: Color::White, counts: men.white() }),
        Atom::Material(Material { white: men.white(), black: men.black() }),
        Atom::Castling(Castling {
            rights: RIGHTS.map(|(_, color, side)| position.castles().has(color, side)),
            at_least: rng.random(),
        }),
        Atom::Castling(Castling { rights: rng.random(), at_least: rng.random() }),
        Atom::Turn(Turn(position.turn())),
        Atom::Ply(Ply(Comparison::In(IntegerRange::exactly(ply as i16)))),
        Atom::Check(if position.is_check() { Check::Of(position.turn()) } else { Check::None }),
        Atom::Check(Check::Of(position.turn().other())),
        Atom::End(End::Checkmate),
        Atom::End(End::Stalemate),
        sum_of(&men, rng),
        sum_of(&men, rng),
        Atom::Diagram(Box::new(Diagram { unknown: Bitboard::EMPTY, board: position.board().clone() })),
    ];
    let unknown = Bitboard(rng.random());
    let mut board = position.board().clone();
    unknown.into_iter().for_each(|square| _ = board.remove_piece_at(square));
    atoms.push(Atom::Diagram(Box::new(Diagram { unknown, board })));
    for place in shakmaty::Square::ALL {
        let man = position.board().piece_at(place);
        atoms.push(Atom::Square(Square { man, region: Region::Square(place) }));
        atoms.push(Atom::Square(Square {
            man: Piece::from_char("KQRBNPkqrbnp-".as_bytes()[rng.random_range(0..13)].into()),
            region: [Region::Square(place), Region::Files(place.file(), place.file())]
                [rng.random_range(0..2)],
        }));
    }
    for color in Color::ALL {
        for (region, squares) in
            [(Region::Light, Bitboard::LIGHT_SQUARES), (Region::Dark, Bitboard::DARK_SQUARES)]
        {
            let bishop = Piece { color, role: Role::Bishop };
            atoms.push(Atom::Square(Square { man: Some(bishop), region }));
            if (position.board().by_piece(bishop) & squares).is_empty() {
                atoms.push(Atom::Count(Count {
                    piece: bishop,
                    minus: None,
                    comparison: Comparison::AtLeast(men.count(bishop) as i8),
                }));
            }
        }
    }
    let situation = Situation { position, ply };
    let kept = rng.random_range(0.02..0.9);
    let parts = atoms.into_iter().filter(|_| rng.random_bool(kept)).map(|atom| {
        let holds = atom.holds(situation);
        let atom = Constraint::Atom(atom);
        if holds { atom } else { Constraint::Not(Box::new(atom)) }
    });
    Constraint::All(parts.collect())
}
