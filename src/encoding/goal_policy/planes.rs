use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Position, Role, Square, attacks};

use super::{Aim, Context};
use crate::{
    constraint::{KINDS, Men},
    encoding::moves::{ends, oriented},
};

/// Planes of one input.
///
/// The mover plays north, so that for Black the ranks are mirrored; "own" is the mover's. In this order: own pawns,
/// knights, bishops, rooks, queens and king, and the opponent's (12); rooks that may castle; the square of an en-passant
/// capture; where the last move began and ended, and the mover's own before it (4); how many own men and how many of
/// the opponent's attack a square, divided by 4 (2); squares that own and the opponent's pawns attack (2); own and the
/// opponent's men of kinds with too many, as the share of the kind that must go (2); own and the opponent's men of
/// kinds that can spare none (2); squares where something must stand: own men, the opponent's, nothing (13); ones.
pub const PLANES: usize = 40;

const CASTLING: usize = 12;
const EN_PASSANT: usize = 13;
const LAST_MOVES: usize = 14;
const ATTACKERS: usize = 18;
const PAWN_ATTACKS: usize = 20;
const SURPLUS: usize = 22;
const NEEDED: usize = 24;
const WANTED: usize = 26;
const ONES: usize = 39;

/// Writes the planes, `PLANES × 64` numbers that must be zero before.
pub(super) fn write(position: &Chess, men: &Men, context: &Context, aim: &Aim, planes: &mut [f32]) {
    let mover = position.turn();
    let board = position.board();
    let mut writer = Writer { mover, planes };
    for (side, color) in [mover, mover.other()].into_iter().enumerate() {
        for (index, role) in Role::ALL.into_iter().enumerate() {
            writer.fill(6 * side + index, board.by_piece(role.of(color)), 1.0);
        }
        let pawns = board.pawns() & board.by_color(color);
        for square in board.by_color(color) {
            let attacked = board.attacks_from(square);
            for target in attacked {
                writer.add(ATTACKERS + side, target, 0.25);
            }
            if pawns.contains(square) {
                writer.fill(PAWN_ATTACKS + side, attacks::pawn_attacks(color, square), 1.0);
            }
        }
        for (kind, piece) in KINDS.into_iter().enumerate().filter(|(_, piece)| piece.color == color) {
            let (count, span) = (men.count(piece) as i8, aim.counts[kind]);
            if count == 0 || span.is_free() {
                continue;
            }
            let surplus = span.excess(count).max(0);
            if surplus > 0 {
                let share = f32::from(surplus) / f32::from(count);
                writer.fill(SURPLUS + side, board.by_piece(piece), share);
            }
            if span.least.is_some_and(|least| count <= least) {
                writer.fill(NEEDED + side, board.by_piece(piece), 1.0);
            }
        }
        for role in 0..6 {
            writer.fill(WANTED + 6 * side + role, aim.squares[color.fold_wb(0, 6) + role], 1.0);
        }
    }
    writer.fill(WANTED + 12, aim.squares[12], 1.0);
    writer.fill(CASTLING, position.castles().castling_rights(), 1.0);
    writer.fill(EN_PASSANT, Bitboard::from_iter(position.ep_square(EnPassantMode::PseudoLegal)), 1.0);
    for (index, m) in context.last_moves.into_iter().enumerate() {
        if let Some(m) = m {
            let (from, to) = ends(m);
            writer.add(LAST_MOVES + 2 * index, from, 1.0);
            writer.add(LAST_MOVES + 2 * index + 1, to, 1.0);
        }
    }
    writer.fill(ONES, Bitboard::FULL, 1.0);
}

struct Writer<'a> {
    mover: Color,
    planes: &'a mut [f32],
}

impl Writer<'_> {
    fn fill(&mut self, plane: usize, squares: Bitboard, number: f32) {
        for square in squares {
            self.planes[plane * 64 + usize::from(oriented(square, self.mover))] = number;
        }
    }

    fn add(&mut self, plane: usize, square: Square, number: f32) {
        self.planes[plane * 64 + usize::from(oriented(square, self.mover))] += number;
    }
}
