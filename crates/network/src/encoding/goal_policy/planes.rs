use entente_constraint::{KINDS, Men};
use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, EnPassantMode, Move, Position, Role, Square, attacks,
};

use super::{
    Aim, Context,
    tactics::{exchange, pinned},
};
use crate::encoding::{
    history::Past,
    moves::{ends, oriented},
};

/// Planes of one input.
///
/// The mover plays north, so that for Black the ranks are mirrored; "own" is the mover's. In this order: own pawns,
/// knights, bishops, rooks, queens and king, and the opponent's (12); rooks that may castle; the square of an en-passant
/// capture; where each of the last four moves began and ended, the last one first (8); how many own men and how many of
/// the opponent's attack a square, divided by 4 (2); squares that own and the opponent's pawns attack (2); what the
/// opponent would win by capturing an own man, and the mover by capturing one of the opponent's, in pawns divided by 9
/// (2); own and the opponent's men pinned to their king (2); squares from which a knight, a bishop and a rook would give
/// check (3); own and the opponent's men of kinds with too many, as the share of the kind that must go (2); own and the
/// opponent's men of kinds that can spare none (2); squares where something must stand: own men, the opponent's, nothing
/// (13); ones.
///
/// Then, for networks that read them: the men of the four positions before this one, the latest first, own and the
/// opponent's as above (4 × 12); ones if this position had occurred before, and for each of the four whether it had (5);
/// ones for the rights to castle, own on the queen's side and on the king's side, then the opponent's (4); ones if Black
/// is to move; the fifty-move counter divided by 100.
///
/// New planes are added at the end: a network that was trained when there were fewer reads the first ones.
pub const PLANES: usize = 110;
/// The fewest that a network reads: there were so many before the past was shown as boards.
pub const FIRST_PLANES: usize = 51;

const CASTLING: usize = 12;
const EN_PASSANT: usize = 13;
const LAST_MOVES: usize = 14;
const ATTACKERS: usize = 22;
const PAWN_ATTACKS: usize = 24;
const HANGING: usize = 26;
const PINNED: usize = 28;
const CHECKS: usize = 30;
const SURPLUS: usize = 33;
const NEEDED: usize = 35;
const WANTED: usize = 37;
const ONES: usize = 50;
const PAST: usize = 51;
const REPEATED: usize = 99;
const RIGHTS: usize = 104;
const BLACK: usize = 108;
const CLOCK: usize = 109;

/// Writes the planes, `FIRST_PLANES × 64` or `PLANES × 64` numbers that must be zero before.
pub(super) fn write(position: &Chess, men: &Men, context: &Context, aim: &Aim, planes: &mut [f32]) {
    let mover = position.turn();
    let mut writer = Writer { mover, planes };
    for (side, color) in [mover, mover.other()].into_iter().enumerate() {
        writer.men(position.board(), side, color);
        writer.aim(position.board(), men, aim, side, color);
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
    if let Some(king) = position.board().king_of(mover.other()) {
        let occupied = position.board().occupied();
        let squares = [
            attacks::knight_attacks(king),
            attacks::bishop_attacks(king, occupied),
            attacks::rook_attacks(king, occupied),
        ];
        for (index, squares) in squares.into_iter().enumerate() {
            writer.fill(CHECKS + index, squares, 1.0);
        }
    }
    writer.fill(ONES, Bitboard::FULL, 1.0);
    if writer.planes.len() > FIRST_PLANES * 64 {
        writer.past(position, context);
    }
}

/// No game goes on for longer without a capture or a pawn move.
const MOST_HALFMOVES: u32 = 150;

struct Writer<'a> {
    mover: Color,
    planes: &'a mut [f32],
}

impl Writer<'_> {
    /// The men of a side (0 own, 1 the opponent's), and what they do.
    fn men(&mut self, board: &Board, side: usize, color: Color) {
        for (index, role) in Role::ALL.into_iter().enumerate() {
            self.fill(6 * side + index, board.by_piece(role.of(color)), 1.0);
        }
        let (own, other) = (board.by_color(color), board.by_color(color.other()));
        let mut attacked = Bitboard::EMPTY;
        for square in own {
            let targets = board.attacks_from(square);
            attacked |= targets;
            for target in targets {
                self.add(ATTACKERS + side, target, 0.25);
            }
        }
        for square in board.pawns() & own {
            self.fill(PAWN_ATTACKS + side, attacks::pawn_attacks(color, square), 1.0);
        }
        for target in attacked & other & !board.kings() {
            let gain = exchange(board, target, color);
            if gain > 0 {
                self.add(HANGING + 1 - side, target, gain as f32 / 9.0);
            }
        }
        self.fill(PINNED + side, pinned(board, color), 1.0);
    }

    /// The boards of the past, and what else tells of it.
    fn past(&mut self, position: &Chess, context: &Context) {
        let sides = [self.mover, self.mover.other()];
        let played = context.last_moves;
        let mut moves: Vec<Move> = played.into_iter().map_while(|m| m).collect();
        moves.reverse();
        for (place, board) in Past::new(position, &moves).enumerate() {
            for (side, color) in sides.into_iter().enumerate() {
                for (index, role) in Role::ALL.into_iter().enumerate() {
                    self.fill(PAST + 12 * place + 6 * side + index, board.by_piece(role.of(color)), 1.0);
                }
            }
        }
        for place in (0..=played.len()).filter(|place| context.repeated >> place & 1 == 1) {
            self.fill(REPEATED + place, Bitboard::FULL, 1.0);
        }
        let castlings = [CastlingSide::QueenSide, CastlingSide::KingSide];
        let rights = sides.into_iter().flat_map(|color| castlings.map(|side| (color, side)));
        for (index, (color, side)) in rights.enumerate() {
            if position.castles().has(color, side) {
                self.fill(RIGHTS + index, Bitboard::FULL, 1.0);
            }
        }
        if self.mover == Color::Black {
            self.fill(BLACK, Bitboard::FULL, 1.0);
        }
        self.fill(CLOCK, Bitboard::FULL, position.halfmoves().min(MOST_HALFMOVES) as f32 / 100.0);
    }

    /// What is demanded of the men of a side.
    fn aim(&mut self, board: &Board, men: &Men, aim: &Aim, side: usize, color: Color) {
        for (kind, piece) in KINDS.into_iter().enumerate().filter(|(_, piece)| piece.color == color) {
            let (count, span) = (men.count(piece) as i8, aim.counts[kind]);
            if count == 0 || span.is_free() {
                continue;
            }
            let surplus = span.excess(count).max(0);
            if surplus > 0 {
                let share = f32::from(surplus) / f32::from(count);
                self.fill(SURPLUS + side, board.by_piece(piece), share);
            }
            if span.least.is_some_and(|least| count <= least) {
                self.fill(NEEDED + side, board.by_piece(piece), 1.0);
            }
        }
        for role in 0..6 {
            self.fill(WANTED + 6 * side + role, aim.squares[color.fold_wb(0, 6) + role], 1.0);
        }
    }

    fn fill(&mut self, plane: usize, squares: Bitboard, number: f32) {
        for square in squares {
            self.planes[plane * 64 + usize::from(oriented(square, self.mover))] = number;
        }
    }

    fn add(&mut self, plane: usize, square: Square, number: f32) {
        self.planes[plane * 64 + usize::from(oriented(square, self.mover))] += number;
    }
}
