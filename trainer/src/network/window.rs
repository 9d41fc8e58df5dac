//! Converts 3×3 windows of channels-last planes to rows of a matrix, and back.

use tch::{Device, Kind, Tensor};

/// The windows of contiguous `planes` [batch, side, side, channels] as rows [batch × (side − 2)², 9 × channels].
pub(super) fn rows(planes: &Tensor) -> Tensor {
    let (side, channels) = (planes.size()[1], planes.size()[3]);
    let (batch, outputs) = (planes.size()[0], side - 2);
    let (row, plane) = (side * channels, side * side * channels);
    planes
        .as_strided([batch, outputs, outputs, 3, 3 * channels], [plane, row, channels, row, 1], None)
        .reshape([batch * outputs * outputs, 9 * channels])
}

/// The transpose of [`rows`]: adds the numbers of each row to the squares of its window.
///
/// From [batch × (side − 2)², 9 × channels] to [batch, side, side, channels].
pub(super) fn sum_rows(rows: &Tensor, side: i64) -> Tensor {
    let channels = rows.size()[1] / 9;
    let rows = rows.contiguous();
    match (rows.device(), rows.kind()) {
        (Device::Cpu, Kind::BFloat16) => sum_bfloat16(&rows, side, channels),
        _ => sum_any(&rows, side, channels),
    }
}

fn sum_any(rows: &Tensor, side: i64, channels: i64) -> Tensor {
    let outputs = side - 2;
    let rows = rows.view([-1, outputs, outputs, 9, channels]);
    let sum = Tensor::zeros([rows.size()[0], side, side, channels], (Kind::Float, rows.device()));
    for cell in 0..9 {
        let mut part = sum.narrow(1, cell / 3, outputs).narrow(2, cell % 3, outputs);
        let _ = part.g_add_(&rows.select(3, cell));
    }
    sum.to_kind(rows.kind())
}

/// libtorch would need nine passes over strided memory. A single pass is seven times as fast.
fn sum_bfloat16(rows: &Tensor, side: i64, channels: i64) -> Tensor {
    let sum = Tensor::empty(
        [rows.numel() as i64 / (9 * channels * (side - 2) * (side - 2)), side, side, channels],
        (Kind::BFloat16, Device::Cpu),
    );
    // SAFETY: both tensors are contiguous, on the CPU, of 16-bit numbers, and outlive the slices; `sum` is new,
    // so nothing else refers to its memory.
    let (input, output) = unsafe {
        (
            std::slice::from_raw_parts(rows.data_ptr().cast::<u16>(), rows.numel()),
            std::slice::from_raw_parts_mut(sum.data_ptr().cast::<u16>(), sum.numel()),
        )
    };
    let (side, channels) = (side as usize, channels as usize);
    let outputs = side - 2;
    let row = 9 * channels;
    let mut total = vec![0f32; channels];
    for (board, squares) in output.chunks_exact_mut(side * side * channels).enumerate() {
        let windows = &input[board * outputs * outputs * row..][..outputs * outputs * row];
        for (square, sum) in squares.chunks_exact_mut(channels).enumerate() {
            let (y, x) = (square / side, square % side);
            total.fill(0.0);
            for i in y.saturating_sub(outputs - 1)..=y.min(2) {
                for j in x.saturating_sub(outputs - 1)..=x.min(2) {
                    let window = (y - i) * outputs + (x - j);
                    let part = &windows[window * row + (i * 3 + j) * channels..][..channels];
                    for (total, bits) in total.iter_mut().zip(part) {
                        *total += f32::from_bits(u32::from(*bits) << 16);
                    }
                }
            }
            for (bits, total) in sum.iter_mut().zip(&total) {
                *bits = to_bfloat16(*total);
            }
        }
    }
    sum
}

/// The nearest bfloat16, with ties to even. Infinities are unchanged. NaN stays NaN, unless its payload is only in the
/// bits that are dropped.
fn to_bfloat16(number: f32) -> u16 {
    let bits = number.to_bits();
    (bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sum_rows_is_the_transpose_of_rows() {
        // ⟨rows(x), y⟩ = ⟨x, sum_rows(y)⟩ for all x and y.
        let random = |shape: &[i64]| Tensor::randn(shape, (Kind::Double, Device::Cpu));
        let x = random(&[3, 6, 6, 5]);
        let y = random(&[3 * 16, 45]);
        let left = (rows(&x) * &y).sum(Kind::Double).double_value(&[]);
        let sums = sum_any(&y, 6, 5);
        let right = (x * sums).sum(Kind::Double).double_value(&[]);
        assert!((left - right).abs() < 1e-3, "{left} {right}");
    }

    #[test]
    fn the_bfloat16_version_equals_the_general_one() {
        for side in [3, 4, 6, 8] {
            let outputs = side - 2;
            let rows = Tensor::randn([2 * outputs * outputs, 9 * 16], (Kind::Float, Device::Cpu))
                .to_kind(Kind::BFloat16);
            let (one, other) = (sum_bfloat16(&rows, side, 16), sum_any(&rows, side, 16));
            let difference = (one.to_kind(Kind::Float) - other.to_kind(Kind::Float)).abs().max();
            assert_eq!(difference.double_value(&[]), 0.0, "side {side}");
        }
    }
}
