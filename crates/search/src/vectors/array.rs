use std::array;

use super::{LANES, Lanes, Vector};

/// A portable vector, which the compiler maps to the available registers. A processor without a fused multiply-add
/// takes long.
#[derive(Clone, Copy)]
pub struct Array(Lanes);

impl Vector for Array {
    #[inline(always)]
    fn zeros() -> Self {
        Array([0.0; LANES])
    }

    #[inline(always)]
    fn load(numbers: &Lanes) -> Self {
        Array(*numbers)
    }

    #[inline(always)]
    fn store(self, numbers: &mut Lanes) {
        *numbers = self.0;
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Array(array::from_fn(|lane| self.0[lane] + other.0[lane]))
    }

    #[inline(always)]
    fn subtract(self, other: Self) -> Self {
        Array(array::from_fn(|lane| self.0[lane] - other.0[lane]))
    }

    #[inline(always)]
    fn plus(self, factor: f32, other: Self) -> Self {
        let (numbers, others) = (self.0, other.0);
        Array(array::from_fn(|lane| numbers[lane].mul_add(factor, others[lane])))
    }

    #[inline(always)]
    fn transposed(rows: &[Self; LANES]) -> [Self; LANES] {
        let mut columns = [Self::zeros(); LANES];
        for (lane, row) in rows.iter().enumerate() {
            for (column, number) in columns.iter_mut().zip(row.0) {
                column.0[lane] = number;
            }
        }
        columns
    }
}
