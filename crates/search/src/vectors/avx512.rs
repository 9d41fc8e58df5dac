use std::arch::x86_64::{
    __m512, _mm512_add_ps, _mm512_castpd_ps, _mm512_castps_pd, _mm512_fmadd_ps, _mm512_loadu_ps,
    _mm512_set1_ps, _mm512_setzero_ps, _mm512_shuffle_f32x4, _mm512_storeu_ps, _mm512_sub_ps,
    _mm512_unpackhi_pd, _mm512_unpackhi_ps, _mm512_unpacklo_pd, _mm512_unpacklo_ps,
};

use super::{LANES, Lanes, Vector};

/// An AVX-512 register. Without intrinsics the compiler would use only a quarter of one.
///
/// Values of this type exist only in work that `with_avx512` does, that is on a processor with AVX-512. The safety
/// comments below rely on this.
#[derive(Clone, Copy)]
pub(super) struct Avx512(__m512);

impl Vector for Avx512 {
    #[inline(always)]
    fn zeros() -> Self {
        // SAFETY: the processor has AVX-512.
        Avx512(unsafe { _mm512_setzero_ps() })
    }

    #[inline(always)]
    fn load(numbers: &Lanes) -> Self {
        // SAFETY: the processor has AVX-512, and the slice has 16 numbers.
        Avx512(unsafe { _mm512_loadu_ps(numbers.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, numbers: &mut Lanes) {
        // SAFETY: the processor has AVX-512, and the slice has room for 16 numbers.
        unsafe { _mm512_storeu_ps(numbers.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the processor has AVX-512.
        Avx512(unsafe { _mm512_add_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn subtract(self, other: Self) -> Self {
        // SAFETY: the processor has AVX-512.
        Avx512(unsafe { _mm512_sub_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn plus(self, factor: f32, other: Self) -> Self {
        // SAFETY: the processor has AVX-512.
        Avx512(unsafe { _mm512_fmadd_ps(self.0, _mm512_set1_ps(factor), other.0) })
    }

    #[inline(always)]
    fn transposed(rows: &[Self; LANES]) -> [Self; LANES] {
        // SAFETY: the processor has AVX-512.
        unsafe { transposed(rows) }
    }
}

/// The transpose of a square matrix: first 4 × 4 blocks within the quarters of registers, then the quarters.
///
/// # Safety
/// The processor must have AVX-512.
#[inline(always)]
unsafe fn transposed(rows: &[Avx512; LANES]) -> [Avx512; LANES] {
    // SAFETY: the caller guarantees that the processor has AVX-512.
    unsafe {
        let mut quarters = [_mm512_setzero_ps(); LANES];
        for first in (0..LANES).step_by(4) {
            let [a, b, c, d] = [rows[first].0, rows[first + 1].0, rows[first + 2].0, rows[first + 3].0];
            let low =
                [_mm512_castps_pd(_mm512_unpacklo_ps(a, b)), _mm512_castps_pd(_mm512_unpacklo_ps(c, d))];
            let high =
                [_mm512_castps_pd(_mm512_unpackhi_ps(a, b)), _mm512_castps_pd(_mm512_unpackhi_ps(c, d))];
            quarters[first] = _mm512_castpd_ps(_mm512_unpacklo_pd(low[0], low[1]));
            quarters[first + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(low[0], low[1]));
            quarters[first + 2] = _mm512_castpd_ps(_mm512_unpacklo_pd(high[0], high[1]));
            quarters[first + 3] = _mm512_castpd_ps(_mm512_unpackhi_pd(high[0], high[1]));
        }
        // Selects the first and third quarters of two registers.
        const EVEN: i32 = 0x88;
        // Selects the second and fourth quarters.
        const ODD: i32 = 0xdd;
        let mut columns = [Avx512(_mm512_setzero_ps()); LANES];
        for column in 0..4 {
            let [a, b, c, d] =
                [quarters[column], quarters[column + 4], quarters[column + 8], quarters[column + 12]];
            let even = [_mm512_shuffle_f32x4::<EVEN>(a, b), _mm512_shuffle_f32x4::<EVEN>(c, d)];
            let odd = [_mm512_shuffle_f32x4::<ODD>(a, b), _mm512_shuffle_f32x4::<ODD>(c, d)];
            columns[column] = Avx512(_mm512_shuffle_f32x4::<EVEN>(even[0], even[1]));
            columns[column + 4] = Avx512(_mm512_shuffle_f32x4::<EVEN>(odd[0], odd[1]));
            columns[column + 8] = Avx512(_mm512_shuffle_f32x4::<ODD>(even[0], even[1]));
            columns[column + 12] = Avx512(_mm512_shuffle_f32x4::<ODD>(odd[0], odd[1]));
        }
        columns
    }
}
