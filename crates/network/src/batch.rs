use std::ops::Range;

use super::shape::{Shape, length};

/// Encoded queries: for each input of a network, the rows of all queries, one after another.
#[derive(Debug)]
pub(crate) struct Batch {
    lengths: Vec<usize>,
    numbers: Vec<Vec<f32>>,
    /// For each row, a bitboard of the origin squares of the moves that the query asks about.
    wanted: Vec<u64>,
    rows: usize,
}

/// All origin squares.
pub(crate) const ALL_SQUARES: u64 = u64::MAX;

impl Batch {
    /// An empty batch for inputs of these shapes.
    pub(crate) fn new(shapes: &[Shape]) -> Batch {
        let lengths: Vec<usize> = shapes.iter().map(|shape| length(shape)).collect();
        Batch { numbers: vec![Vec::new(); lengths.len()], lengths, wanted: Vec::new(), rows: 0 }
    }

    /// Removes all rows.
    pub(crate) fn clear(&mut self) {
        self.rows = 0;
        self.wanted.clear();
        self.numbers.iter_mut().for_each(Vec::clear);
    }

    /// Adds a row of zeros to each input and returns these rows for writing.
    ///
    /// # Panics
    /// If the network does not have `INPUTS` inputs.
    pub(crate) fn add<const INPUTS: usize>(&mut self) -> [&mut [f32]; INPUTS] {
        assert_eq!(self.numbers.len(), INPUTS, "a row covers every input");
        self.rows += 1;
        self.wanted.push(ALL_SQUARES);
        let mut rows = self.numbers.iter_mut().zip(&self.lengths).map(|(numbers, length)| {
            let start = numbers.len();
            numbers.resize(start + length, 0.0);
            &mut numbers[start..]
        });
        std::array::from_fn(|_| rows.next().expect("as many as counted"))
    }

    /// Adds an encoded row. Each input must have the length of its shape.
    pub(crate) fn push(&mut self, inputs: &[&[f32]]) {
        self.rows += 1;
        self.wanted.push(ALL_SQUARES);
        for (numbers, input) in self.numbers.iter_mut().zip(inputs) {
            numbers.extend_from_slice(input);
        }
    }

    /// Adds `rows` encoded rows. `inputs` has all of them for each input, flat.
    #[cfg(feature = "torch")]
    pub(crate) fn append(&mut self, inputs: &[Vec<f32>], rows: usize) {
        self.rows += rows;
        self.wanted.resize(self.rows, ALL_SQUARES);
        for (numbers, input) in self.numbers.iter_mut().zip(inputs) {
            numbers.extend_from_slice(input);
        }
    }

    /// Adds rows of zeros until the batch has `rows`.
    #[cfg(feature = "torch")]
    pub(crate) fn fill_up_to(&mut self, rows: usize) {
        self.rows = rows;
        self.wanted.resize(rows, ALL_SQUARES);
        for (numbers, length) in self.numbers.iter_mut().zip(&self.lengths) {
            numbers.resize(rows * length, 0.0);
        }
    }

    /// Declares that the last row asks only about moves from these squares, a bitboard as the network numbers squares.
    /// The backend need not compute the outputs for other moves.
    pub(crate) fn want(&mut self, squares: u64) {
        *self.wanted.last_mut().expect("a row was added") = squares;
    }

    /// For each of these rows, a bitboard of the origin squares of the moves that it asks about.
    pub(crate) fn wanted(&self, rows: Range<usize>) -> &[u64] {
        &self.wanted[rows]
    }

    /// The number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// The numbers of these rows for input number `input`, flat.
    pub(crate) fn some(&self, input: usize, rows: Range<usize>) -> &[f32] {
        let length = self.lengths[input];
        &self.numbers[input][rows.start * length..rows.end * length]
    }

    /// The numbers of all rows for input number `input`, flat.
    #[cfg(feature = "torch")]
    pub(crate) fn all(&self, input: usize) -> &[f32] {
        &self.numbers[input]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_follow_one_another_and_start_as_zeros() {
        let mut batch = Batch::new(&[vec![2], vec![1, 3]]);
        for number in [1.0, 2.0] {
            let [pair, triple] = batch.add();
            assert_eq!((&*pair, &*triple), (&[0.0; 2][..], &[0.0; 3][..]));
            pair.fill(number);
            triple[2] = number;
        }
        assert_eq!(
            (batch.rows(), batch.some(0, 1..2), batch.some(1, 0..1)),
            (2, &[2.0; 2][..], &[0.0, 0.0, 1.0][..])
        );
        batch.clear();
        let [pair, _] = batch.add();
        assert_eq!(pair, [0.0; 2], "a cleared batch keeps nothing");
    }
}
