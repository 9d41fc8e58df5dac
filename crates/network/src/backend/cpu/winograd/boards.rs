use super::transforms::left;

/// The sizes of boards that can be convolved, and their padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Boards {
    /// 8 × 8 squares with a padding of 1 on each side. The output has 8 × 8 squares.
    Padded,
    /// 8 × 8 squares without padding. The output has 6 × 6.
    Whole,
    /// 6 × 6 squares without padding. The output has 4 × 4.
    Inner,
    /// 4 × 4 squares without padding. The output has 2 × 2.
    Innermost,
}

impl Boards {
    /// The kind with `side` ranks and files and this padding on each side, if there is one.
    pub(crate) fn of(side: usize, padding: usize) -> Option<Boards> {
        [Boards::Padded, Boards::Whole, Boards::Inner, Boards::Innermost]
            .into_iter()
            .find(|boards| boards.sizes() == (side, padding))
    }

    /// The number of ranks, which equals that of files, and the padding on each side.
    const fn sizes(self) -> (usize, usize) {
        match self {
            Boards::Padded => (8, 1),
            Boards::Whole => (8, 0),
            Boards::Inner => (6, 0),
            Boards::Innermost => (4, 0),
        }
    }

    /// The number of squares of an input board.
    pub(crate) fn squares(self) -> usize {
        self.sizes().0.pow(2)
    }

    /// The number of squares of an output board.
    pub(crate) fn left(self) -> usize {
        let (side, padding) = self.sizes();
        left(side, padding).pow(2)
    }
}
