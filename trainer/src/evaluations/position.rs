use entente_search::scorer::piece_squares::{BUCKETS, Viewpoint, bucket};
use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};

use crate::games::{Evaluation, GameResult, Split};

/// The maximum absolute score, in centipawns. Greater evaluations and mates count as this score, with their sign.
pub const SCORE_BOUND: i16 = 3000;

/// A position with an engine's evaluation, in 28 bytes. It has only what evaluation networks read: no castling rights
/// and no en passant square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LabelledPosition {
    /// The occupied squares, a1 first.
    occupied: Bitboard,
    /// The men on them in this order, two per byte, the first one in the lower half: role − 1, plus 8 for Black.
    men: [u8; 16],
    /// The score in centipawns, for White.
    score: i16,
    /// Bit 0: Black to move. Bits 1 and 2: the result. Bits 3 and 4: the split. Bit 5: quiet.
    flags: u8,
}

/// The size of a position in a store, in bytes.
pub(super) const BYTES: usize = 28;

const RESULTS: [Option<GameResult>; 4] =
    [None, Some(GameResult::WhiteWins), Some(GameResult::Draw), Some(GameResult::BlackWins)];
const SPLITS: [Split; 4] = [Split::Training, Split::Reference, Split::Validation, Split::Test];

impl LabelledPosition {
    /// A position of a game in `split` with this `result`, if known. `evaluation` is for White.
    pub fn new(
        board: &Board,
        turn: Color,
        evaluation: Evaluation,
        result: Option<GameResult>,
        split: Split,
        is_quiet: bool,
    ) -> LabelledPosition {
        let mut men = [0; 16];
        for (index, (_, piece)) in board.clone().into_iter().take(32).enumerate() {
            let man = piece.role as u8 - 1 + if piece.color == Color::Black { 8 } else { 0 };
            men[index / 2] |= man << (4 * (index % 2));
        }
        let score = match evaluation {
            Evaluation::Centipawns(score) => score.clamp(-SCORE_BOUND, SCORE_BOUND),
            // "Mate in 0" means that the side to move is mated.
            Evaluation::Mate(0) => turn.fold_wb(-SCORE_BOUND, SCORE_BOUND),
            Evaluation::Mate(moves) => SCORE_BOUND * moves.signum(),
        };
        let place = |found: Option<usize>| found.expect("a table of all") as u8;
        let flags = u8::from(turn.is_black())
            | place(RESULTS.iter().position(|other| *other == result)) << 1
            | place(SPLITS.iter().position(|other| *other == split)) << 3
            | u8::from(is_quiet) << 5;
        LabelledPosition { occupied: board.occupied(), men, score, flags }
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        Color::from_white(self.flags & 1 == 0)
    }

    /// The result of the game for the side to move, if known: 1 for a win, ½ for a draw, 0 for a loss.
    pub fn result(&self) -> Option<f32> {
        let white = match RESULTS[usize::from(self.flags >> 1 & 3)]? {
            GameResult::WhiteWins => 1.0,
            GameResult::Draw => 0.5,
            GameResult::BlackWins => 0.0,
        };
        Some(self.turn().fold_wb(white, 1.0 - white))
    }

    /// The part of the data to which the position belongs.
    pub fn split(&self) -> Split {
        SPLITS[usize::from(self.flags >> 3 & 3)]
    }

    /// True if the side to move is not in check and has no capture that gains. A search plays out other positions
    /// before the network evaluates them.
    pub fn is_quiet(&self) -> bool {
        self.flags >> 5 & 1 == 1
    }

    /// The score in centipawns, for the side to move.
    pub fn score(&self) -> i16 {
        self.turn().fold_wb(self.score, -self.score)
    }

    /// The number of men.
    pub fn count(&self) -> usize {
        self.occupied.count()
    }

    /// The index of the network's last layer for this position, below [`BUCKETS`].
    pub fn bucket(&self) -> usize {
        debug_assert!(bucket(self.count()) < BUCKETS);
        bucket(self.count())
    }

    /// The men with their squares.
    pub fn men(&self) -> impl Iterator<Item = (Piece, Square)> {
        self.occupied.into_iter().enumerate().map(|(index, square)| {
            let man = self.men[index / 2] >> (4 * (index % 2)) & 15;
            let role = Role::try_from(u32::from(man & 7) + 1).unwrap_or(Role::Pawn);
            (Piece { color: Color::from_white(man < 8), role }, square)
        })
    }

    /// Writes the network's inputs for the side to move and for the opponent to `inputs`.
    pub fn inputs(&self, inputs: &mut [Vec<u16>; 2]) {
        for (inputs, side) in inputs.iter_mut().zip([self.turn(), !self.turn()]) {
            inputs.clear();
            let king = self.men().find(|(piece, _)| *piece == Role::King.of(side));
            let viewpoint = Viewpoint::new(side, king.map_or(Square::A1, |(_, square)| square));
            inputs.extend(self.men().map(|(piece, square)| viewpoint.input(piece, square) as u16));
        }
    }

    /// A hash of the position without its label. Two different positions have the same key with a probability of 2⁻⁶⁴.
    pub(super) fn key(&self) -> u64 {
        let words = self.men.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
        let words = words.chain([self.occupied.0, u64::from(self.flags & 1)]);
        // Rounds of the finaliser of MurmurHash.
        words.fold(0x9e37_79b9_7f4a_7c15, |hash: u64, word| {
            let mixed = (hash ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd);
            let mixed = (mixed ^ mixed >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
            mixed ^ mixed >> 29
        })
    }

    pub(super) fn to_bytes(self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        bytes[..8].copy_from_slice(&self.occupied.0.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.men);
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26] = self.flags;
        bytes
    }

    /// Decodes a position; `None` if the bytes are invalid.
    pub(super) fn from_bytes(bytes: &[u8; BYTES]) -> Option<LabelledPosition> {
        let (occupied, rest) = bytes.split_first_chunk()?;
        let (men, rest) = rest.split_first_chunk()?;
        let position = LabelledPosition {
            occupied: Bitboard(u64::from_le_bytes(*occupied)),
            men: *men,
            score: i16::from_le_bytes([rest[0], rest[1]]),
            flags: rest[2],
        };
        if position.count() > 32 {
            return None;
        }
        let known = (0..position.count()).all(|index| men[index / 2] >> (4 * (index % 2)) & 7 < 6);
        let kings = Color::ALL
            .map(|color| position.men().filter(|(piece, _)| *piece == Role::King.of(color)).count());
        let is_sound = known && kings == [1, 1] && position.flags < 64;
        (is_sound && position.score.abs() <= SCORE_BOUND).then_some(position)
    }
}

#[cfg(test)]
mod tests {
    use entente_search::position_from_fen;
    use shakmaty::Position;

    use super::*;

    fn labelled(fen: &str, evaluation: Evaluation) -> LabelledPosition {
        let position = position_from_fen(fen).unwrap();
        let (board, turn) = (position.board(), position.turn());
        LabelledPosition::new(board, turn, evaluation, Some(GameResult::WhiteWins), Split::Validation, true)
    }

    const FEN: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1";

    #[test]
    fn bytes_keep_the_position_and_its_labels() {
        let position = labelled(FEN, Evaluation::Centipawns(-120));
        assert_eq!(LabelledPosition::from_bytes(&position.to_bytes()), Some(position));
        assert_eq!((position.turn(), position.score(), position.result()), (Color::Black, 120, Some(0.0)));
        assert_eq!((position.split(), position.is_quiet(), position.count()), (Split::Validation, true, 32));
        let board = position_from_fen(FEN).unwrap().board().clone();
        assert_eq!(
            position.men().collect::<Vec<_>>(),
            board.clone().into_iter().map(|(s, p)| (p, s)).collect::<Vec<_>>()
        );
        let mut inputs = [Vec::new(), Vec::new()];
        position.inputs(&mut inputs);
        for (side, inputs) in [(Color::Black, &inputs[0]), (Color::White, &inputs[1])] {
            let expected: Vec<u16> =
                Viewpoint::of(side, &board).inputs(&board).map(|input| input as u16).collect();
            assert_eq!(*inputs, expected);
        }
    }

    #[test]
    fn mates_are_bounded_and_keep_their_side() {
        let score = |evaluation| labelled(FEN, evaluation).score();
        assert_eq!(score(Evaluation::Mate(3)), -SCORE_BOUND);
        assert_eq!(score(Evaluation::Mate(-12)), SCORE_BOUND);
        assert_eq!(score(Evaluation::Mate(0)), -SCORE_BOUND, "Black is to move and is mated");
        assert_eq!(score(Evaluation::Centipawns(-9000)), SCORE_BOUND);
    }

    #[test]
    fn keys_distinguish_positions_but_not_labels() {
        let (a, b) = (labelled(FEN, Evaluation::Centipawns(5)), labelled(FEN, Evaluation::Mate(1)));
        assert_eq!(a.key(), b.key());
        assert_ne!(a.key(), labelled(&FEN.replace(" b ", " w "), Evaluation::Mate(1)).key());
        assert_ne!(a.key(), labelled(&FEN.replace("Q1p", "1Qp"), Evaluation::Mate(1)).key());
    }

    #[test]
    fn invalid_bytes_are_refused() {
        let sound = labelled(FEN, Evaluation::Centipawns(0)).to_bytes();
        let broken = |at: usize, byte: u8| {
            let mut bytes = sound;
            bytes[at] = byte;
            LabelledPosition::from_bytes(&bytes)
        };
        assert_eq!(broken(8, 0xff), None, "no such man");
        assert_eq!(broken(26, 0xff), None, "no such flags");
        assert_eq!(broken(25, 0x7f), None, "beyond the bound");
        assert_eq!(broken(0, 0xff), None, "a man too many");
    }
}
