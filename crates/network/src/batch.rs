use std::ops::Range;

use super::shape::{Shape, length};

/// Questions as numbers: for each input of a network the rows of all questions, one after another.
#[derive(Debug)]
pub(crate) struct Batch {
    lengths: Vec<usize>,
    numbers: Vec<Vec<f32>>,
    /// For each row the squares from which moves are asked about, a bit each.
    wanted: Vec<u64>,
    rows: usize,
}

/// Moves from all squares.
pub(crate) const ALL_SQUARES: u64 = u64::MAX;

impl Batch {
    /// No rows of inputs of these shapes.
    pub(crate) fn new(shapes: &[Shape]) -> Batch {
        let lengths: Vec<usize> = shapes.iter().map(|shape| length(shape)).collect();
        Batch { numbers: vec![Vec::new(); lengths.len()], lengths, wanted: Vec::new(), rows: 0 }
    }

    /// Forgets all rows.
    pub(crate) fn clear(&mut self) {
        self.rows = 0;
        self.wanted.clear();
        self.numbers.iter_mut().for_each(Vec::clear);
    }

    /// A new row of each input, all zeros, to be written to.
    ///
    /// # Panics
    /// If the network has another number of inputs.
    pub(crate) fn add<const INPUTS: usize>(&mut self) -> [&mut [f32]; INPUTS] {
        assert_eq!(self.numbers.len(), INPUTS, "a row has all inputs");
        self.rows += 1;
        self.wanted.push(ALL_SQUARES);
        let mut rows = self.numbers.iter_mut().zip(&self.lengths).map(|(numbers, length)| {
            let start = numbers.len();
            numbers.resize(start + length, 0.0);
            &mut numbers[start..]
        });
        std::array::from_fn(|_| rows.next().expect("as many as counted"))
    }

    /// Adds a row that is encoded already; each input must have its length.
    pub(crate) fn push(&mut self, inputs: &[&[f32]]) {
        self.rows += 1;
        self.wanted.push(ALL_SQUARES);
        for (numbers, input) in self.numbers.iter_mut().zip(inputs) {
            numbers.extend_from_slice(input);
        }
    }

    /// Adds so many rows that are encoded already: for each input those of all, flat.
    #[cfg(feature = "torch")]
    pub fn append(&mut self, inputs: &[Vec<f32>], rows: usize) {
        self.rows += rows;
        self.wanted.resize(self.rows, ALL_SQUARES);
        for (numbers, input) in self.numbers.iter_mut().zip(inputs) {
            numbers.extend_from_slice(input);
        }
    }

    /// Adds rows of zeros until there are so many.
    #[cfg(feature = "torch")]
    pub fn fill_up_to(&mut self, rows: usize) {
        self.rows = rows;
        self.wanted.resize(rows, ALL_SQUARES);
        for (numbers, length) in self.numbers.iter_mut().zip(&self.lengths) {
            numbers.resize(rows * length, 0.0);
        }
    }

    /// Of the last row no moves are asked about but those from these squares, as the network numbers them: what it says of
    /// others need not be computed.
    pub(crate) fn want(&mut self, squares: u64) {
        *self.wanted.last_mut().expect("a row was added") = squares;
    }

    /// The squares from which moves are asked about, a bit each, of some rows.
    pub(crate) fn wanted(&self, rows: Range<usize>) -> &[u64] {
        &self.wanted[rows]
    }

    /// How many rows there are.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// What some rows hold for input number `input`.
    pub(crate) fn some(&self, input: usize, rows: Range<usize>) -> &[f32] {
        let length = self.lengths[input];
        &self.numbers[input][rows.start * length..rows.end * length]
    }

    /// What all rows hold for input number `input`.
    #[cfg(feature = "torch")]
    pub fn all(&self, input: usize) -> &[f32] {
        &self.numbers[input]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_one_after_another_and_begin_as_zeros() {
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
