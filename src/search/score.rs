/// The value of a line for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// In hundredths of a pawn; in generation, in thousandths of the satisfaction value.
    Centipawns(i32),
    /// Mate in so many moves; negative: the side to move is mated. 0: it is already.
    Mate(i32),
}
