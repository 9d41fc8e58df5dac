use super::transforms::left;

/// Boards that can be convolved, and what is around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Boards {
    /// Of 8 × 8 squares, with one more on each side taken as 0; all squares are left.
    Padded,
    /// Of 8 × 8; the inner 6 × 6 are left.
    Whole,
    /// Of 6 × 6; 4 × 4 are left.
    Inner,
    /// Of 4 × 4; 2 × 2 are left.
    Innermost,
}

impl Boards {
    /// The kind of so many ranks and files, with so many squares taken as 0 on each side, if there is one.
    pub(crate) fn of(side: usize, padding: usize) -> Option<Boards> {
        [Boards::Padded, Boards::Whole, Boards::Inner, Boards::Innermost]
            .into_iter()
            .find(|boards| boards.sizes() == (side, padding))
    }

    /// Ranks, which are as many as files, and the squares on each side that are taken as 0.
    const fn sizes(self) -> (usize, usize) {
        match self {
            Boards::Padded => (8, 1),
            Boards::Whole => (8, 0),
            Boards::Inner => (6, 0),
            Boards::Innermost => (4, 0),
        }
    }

    /// Squares of a board.
    pub(crate) fn squares(self) -> usize {
        self.sizes().0.pow(2)
    }

    /// Squares that are left of it by a convolution.
    pub(crate) fn left(self) -> usize {
        let (side, padding) = self.sizes();
        left(side, padding).pow(2)
    }
}
