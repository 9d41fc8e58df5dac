/// A sample: a position and one of the data set's constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pair {
    /// Index of the position.
    pub position: usize,
    /// Index of the constraint.
    pub constraint: usize,
}
