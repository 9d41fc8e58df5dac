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

/// The number of planes of one input.
///
/// The mover plays north: for Black the board is flipped vertically. "Own" means the mover's. All networks read these
/// planes, in this order:
///
/// - own pawns, knights, bishops, rooks, queens and king, then the opponent's (12);
/// - rooks with a castling right (1);
/// - the destination of an en-passant capture (1);
/// - the origin and destination of each of the last four moves, the latest first (8);
/// - the number of own men that attack a square, then of the opponent's, divided by 4 (2);
/// - squares attacked by own pawns, then by the opponent's (2);
/// - what the opponent would win by capturing an own man, then what the mover would win by capturing one of the
///   opponent's, in pawns divided by 9 (2);
/// - own men pinned to their king, then the opponent's (2);
/// - squares from which a knight, a bishop and a rook would give check (3);
/// - own men of kinds with an excess, then the opponent's: the share of the kind that must disappear (2);
/// - own men of kinds that cannot spare any, then the opponent's (2);
/// - squares with demands: each own man, each of the opponent's, empty (13);
/// - ones (1).
///
/// Networks with more planes read these, too:
///
/// - the men of the four previous positions, the latest first, own and the opponent's as above (4 × 12);
/// - ones if this position had occurred before, then the same for each of the four (5);
/// - ones for the castling rights: own queenside and kingside, then the opponent's (4);
/// - ones if Black is to move (1);
/// - the fifty-move counter, divided by 100 (1).
///
/// New planes are added at the end. A network that was trained with fewer reads the first ones.
pub const PLANES: usize = 110;
/// The number of planes before earlier boards were added; the fewest that a network may read.
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

/// Writes the planes. `planes` has `FIRST_PLANES × 64` or `PLANES × 64` numbers, all zero.
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

/// The 75-move rule ends games at this number of plies without a capture or pawn move. A FEN may claim more.
const MAX_HALFMOVES: u32 = 150;

struct Writer<'a> {
    mover: Color,
    planes: &'a mut [f32],
}

impl Writer<'_> {
    /// The men of a side (0: own, 1: the opponent's), with their attacks, captures and pins.
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

    /// The planes that only newer networks read: earlier boards, repetitions, castling rights, turn and clock.
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
        self.fill(CLOCK, Bitboard::FULL, position.halfmoves().min(MAX_HALFMOVES) as f32 / 100.0);
    }

    /// The demands on the men of a side.
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
