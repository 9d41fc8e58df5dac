use std::array;

use super::{LANES, Lanes, Vector};

/// A portable vector, which the compiler maps to the available registers.
///
/// `FUSED` says that the code runs only where the processor has a fused multiply-add. Elsewhere it is computed step by
/// step, which takes long. The mathematics library of the system is not asked, since that of MinGW rounds twice.
#[derive(Clone, Copy)]
pub struct Array<const FUSED: bool>(Lanes);

impl<const FUSED: bool> Vector for Array<FUSED> {
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
        let fused = |number: f32, other| {
            if FUSED { number.mul_add(factor, other) } else { libm::fmaf(number, factor, other) }
        };
        Array(array::from_fn(|lane| fused(self.0[lane], other.0[lane])))
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
