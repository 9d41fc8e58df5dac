//! The hand-written evaluation: the scorer for play without a network.
//!
//! Every term has a value for the middlegame and one for the endgame, which are interpolated by the material left
//! (tapered evaluation). The numbers are round and not tuned.

mod placement;
mod tapered;

use shakmaty::{Bitboard, Board, Chess, Color, File, Move, Piece, Position, Rank, Role, Square, attacks};

pub use self::tapered::{FULL_PHASE, Tapered};
use self::{
    placement::{PLACEMENT, from_centre},
    tapered::s,
};
use super::Scorer;

/// The hand-written scorer. It evaluates each board from scratch.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandWritten;

/// The terms of an evaluation, each White's minus Black's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Material, and the bishop pair.
    pub material: Tapered,
    /// Piece-square values.
    pub placement: Tapered,
    /// The mobility of pieces, and rooks on open files.
    pub mobility: Tapered,
    /// Doubled, isolated and passed pawns.
    pub pawns: Tapered,
    /// The pawn shelter of the king, the pieces that attack its zone, and driving a bare king to the edge.
    pub king: Tapered,
    /// The game phase by the material left, from 0 (kings and pawns) to [`FULL_PHASE`].
    pub phase: i32,
}

/// The values of pawn, knight, bishop, rook, queen, king.
const MATERIAL: [Tapered; 6] = [s(90, 110), s(330, 310), s(345, 330), s(490, 540), s(1000, 980), s(0, 0)];
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const BISHOP_PAIR: Tapered = s(30, 45);
/// The value of each attacked square without an own man, by role.
const MOBILITY: [Tapered; 6] = [s(0, 0), s(4, 4), s(5, 5), s(2, 4), s(1, 3), s(0, 0)];
const OPEN_FILE: Tapered = s(22, 10);
const HALF_OPEN_FILE: Tapered = s(10, 6);
const DOUBLED: Tapered = s(-8, -18);
const ISOLATED: Tapered = s(-12, -10);
/// The value of a passed pawn, by its rank from the second to the seventh.
const PASSED: [Tapered; 6] = [s(2, 10), s(4, 16), s(10, 30), s(24, 55), s(50, 95), s(90, 150)];
/// The value of a pawn in front of the king, one or two ranks ahead.
const SHELTER: Tapered = s(12, 0);
/// The value of a piece that attacks the enemy king's zone, that is the king or an adjacent square, by role.
const ATTACKER: [Tapered; 6] = [s(0, 0), s(16, 2), s(14, 2), s(20, 4), s(34, 8), s(0, 0)];

impl Terms {
    /// The evaluation for White in centipawns.
    pub fn centipawns(&self) -> i32 {
        (self.material + self.placement + self.mobility + self.pawns + self.king).at(self.phase)
    }
}

impl Scorer for HandWritten {
    type State = ();

    const WORTH: i32 = 100;
    const IS_SELECTIVE: bool = false;

    fn root(&self, _: &Chess) {}

    fn after(&self, (): &(), _: Move, _: &Chess, (): &mut ()) {}

    fn value(&self, (): &(), position: &Chess) -> i32 {
        let white = evaluate(position.board()).centipawns();
        position.turn().fold_wb(white, -white)
    }
}

/// The terms of the evaluation of `board`.
pub fn evaluate(board: &Board) -> Terms {
    let (white, black) = (side(board, Color::White), side(board, Color::Black));
    let mut terms = Terms {
        material: white.material - black.material,
        placement: white.placement - black.placement,
        mobility: white.mobility - black.mobility,
        pawns: white.pawns - black.pawns,
        king: white.king - black.king,
        phase: white.phase + black.phase,
    };
    for (winner, sign) in [(Color::White, 1), (Color::Black, -1)] {
        let drive = drive(board, winner);
        terms.king += s(sign * drive, sign * drive);
    }
    terms
}

/// The terms of one side.
fn side(board: &Board, color: Color) -> Terms {
    let mut terms = Terms::default();
    let (own, occupied) = (board.by_color(color), board.occupied());
    let own_pawns = board.pawns() & own;
    let other_pawns = board.pawns() & !own;
    let zone =
        board.king_of(color.other()).map_or(Bitboard::EMPTY, |king| attacks::king_attacks(king).with(king));
    for role in Role::ALL {
        let index = role as usize - 1;
        let men = own & board.by_role(role);
        terms.material += MATERIAL[index].times(men.count());
        terms.phase += PHASE[index] * men.count() as i32;
        for square in men {
            // The tables are from White's viewpoint.
            terms.placement += PLACEMENT[index][usize::from(seen_by(color, square))];
            if matches!(role, Role::Pawn | Role::King) {
                continue;
            }
            let reach = attacks::attacks(square, Piece { color, role }, occupied);
            terms.mobility += MOBILITY[index].times((reach & !own).count());
            if (reach & zone).any() {
                terms.king += ATTACKER[index];
            }
            if role == Role::Rook {
                let file = Bitboard::from(square.file());
                if (file & own_pawns).is_empty() {
                    let open = (file & other_pawns).is_empty();
                    terms.mobility += if open { OPEN_FILE } else { HALF_OPEN_FILE };
                }
            }
        }
    }
    if (own & board.bishops()).more_than_one() {
        terms.material += BISHOP_PAIR;
    }
    terms.pawns = pawns(own_pawns, other_pawns, color);
    if let Some(king) = board.king_of(color) {
        let shelter =
            own_pawns & adjacent_files(king.file()) & ahead(king, color) & !ahead_by(king, color, 3);
        terms.king += SHELTER.times(shelter.count());
    }
    terms
}

fn pawns(own: Bitboard, other: Bitboard, color: Color) -> Tapered {
    let mut value = Tapered::default();
    for pawn in own {
        let file = Bitboard::from(pawn.file());
        let front = ahead(pawn, color);
        let is_doubled = (own & file & front).any();
        if is_doubled {
            value += DOUBLED;
        }
        if (own & adjacent_files(pawn.file()) & !file).is_empty() {
            value += ISOLATED;
        }
        if !is_doubled && (other & adjacent_files(pawn.file()) & front).is_empty() {
            let rank = usize::from(seen_by(color, pawn).rank());
            value += PASSED[rank.clamp(1, 6) - 1];
        }
    }
    value
}

/// A bonus for `winner` with a rook or queen against a king without pawns and with at most one minor piece. It rewards
/// driving that king to the edge and bringing the own king near, as mating requires.
fn drive(board: &Board, winner: Color) -> i32 {
    let (own, other) = (board.by_color(winner), board.by_color(winner.other()) & !board.kings());
    let weak = other.count() < 2 && (other & !(board.knights() | board.bishops())).is_empty();
    let strong = (own & board.rooks_and_queens()).any();
    let (Some(king), Some(weak_king)) = (board.king_of(winner), board.king_of(winner.other())) else {
        return 0;
    };
    if !weak || !strong {
        return 0;
    }
    10 * from_centre(weak_king) + 4 * (14 - king.distance(weak_king) as i32)
}

/// The square from the viewpoint of `color`, flipped for Black.
fn seen_by(color: Color, square: Square) -> Square {
    color.fold_wb(square, square.flip_vertical())
}

/// The file and the adjacent files.
fn adjacent_files(file: File) -> Bitboard {
    [-1, 0, 1]
        .into_iter()
        .filter_map(|step| file.offset(step))
        .fold(Bitboard::EMPTY, |files, file| files | Bitboard::from(file))
}

/// All squares on the ranks in front of `square`.
fn ahead(square: Square, color: Color) -> Bitboard {
    ahead_by(square, color, 1)
}

/// All squares at least `ranks` ranks in front of `square`.
fn ahead_by(square: Square, color: Color, ranks: i32) -> Bitboard {
    let step = color.fold_wb(1, -1);
    (ranks..8)
        .filter_map(|distance| square.rank().offset(step * distance))
        .fold(Bitboard::EMPTY, |squares, rank: Rank| squares | Bitboard::from(rank))
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    #[test]
    fn the_initial_position_is_even() {
        assert_eq!(evaluate(Chess::default().board()), Terms { phase: FULL_PHASE, ..Terms::default() });
    }

    #[test]
    fn a_position_with_exchanged_colours_has_the_opposite_value() {
        for fen in [
            "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
            "8/5k2/3p4/1P6/8/2P3K1/8/4R3 b - - 0 40",
            "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
        ] {
            let mut board = position(fen).board().clone();
            let terms = evaluate(&board);
            board.flip_vertical();
            board.swap_colors();
            let mirrored = evaluate(&board);
            assert_eq!(mirrored.centipawns(), -terms.centipawns(), "{fen}: {terms:?} {mirrored:?}");
        }
    }

    #[test]
    fn each_term_responds_to_its_feature() {
        let terms = |fen: &str| evaluate(position(fen).board());
        let even = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1";
        assert_eq!(terms(even).centipawns(), 0);
        assert!(terms("4k3/ppppppp1/8/8/8/8/PPPPPPPP/4K3 w - - 0 1").material.endgame > 0);
        let passed = "4k3/8/8/3P4/8/8/p7/4K3 w - - 0 1";
        assert!(terms(passed).pawns.endgame < 0, "Black's passed pawn is further advanced");
        let doubled = "4k3/ppp5/8/8/2P5/2P5/1P6/4K3 w - - 0 1";
        assert!(terms(doubled).pawns.endgame < 0);
        let active = "4k3/8/8/3B4/8/8/8/b3K3 w - - 0 1";
        assert!(terms(active).mobility.middlegame > 0 && terms(active).placement.middlegame > 0);
        let attacks = |fen| terms(fen).king.middlegame;
        assert_eq!(attacks("6k1/5ppp/8/8/8/8/3Q1PPP/6K1 w - - 0 1"), 0);
        assert!(attacks("6k1/5ppp/8/8/8/8/5PPP/Q5K1 w - - 0 1") > 0);
        let value = |fen| HandWritten.value(&(), &position(fen));
        assert!(value("7k/8/5K2/8/8/8/8/R7 w - - 0 1") > value("8/8/8/4k3/8/8/8/R3K3 w - - 0 1"));
    }
}
