//! Operators that slide a window over the board: convolutions and pooling.

use super::{
    Given,
    attributes::Settings,
    value::{Value, filled_up, product, sizes},
};

/// The most squares of a window.
const MAX_WINDOW: u64 = 1 << 16;

/// A convolution: input `[N, in, …]`, weights `[out, in / groups, …]`.
pub(super) fn convolution(settings: &Settings<'_>) -> Result<Given, String> {
    let (input, weights) = (settings.input(0)?, settings.input(1)?);
    let (Some((&rows, [_, board @ ..])), [channels, depth, window @ ..]) =
        (input.shape.split_first(), weights.shape.as_slice())
    else {
        return Err("expected an input and weights of at least two dimensions".to_owned());
    };
    let places = slide(settings, board, window)?;
    // Each place of the window becomes a column of a matrix.
    let groups = u64::try_from(settings.node.integer("group", 1)).unwrap_or(1).max(1);
    // The columns are filled up to whole vectors.
    let columns = [rows, groups, *depth, product(window), filled_up(product(&places))];
    let shape = [rows, *channels].into_iter().chain(places).collect();
    Ok(Given { outputs: vec![input.unknown(shape)], unfolded: product(&columns) })
}

/// A pooling operator: input `[N, channels, …]`, a window of the attribute `kernel_shape`.
pub(super) fn pooling(settings: &Settings<'_>) -> Result<Given, String> {
    let input = settings.input(0)?;
    let [rows, channels, board @ ..] = input.shape.as_slice() else {
        return Err("expected an input of at least two dimensions".to_owned());
    };
    let window =
        sizes(settings.node.integers("kernel_shape").ok_or("its window (kernel_shape) is missing")?)?;
    let places = slide(settings, board, &window)?;
    let shape = [*rows, *channels].into_iter().chain(places).collect();
    let output = input.unknown(shape);
    Ok(Given { outputs: vec![output; settings.node.output.len()], unfolded: 0 })
}

/// The number of places of the window on each axis of the board.
fn slide(settings: &Settings<'_>, board: &[u64], window: &[u64]) -> Result<Vec<u64>, String> {
    let axes = board.len();
    if window.len() != axes {
        return Err(format!("its window has {} dimensions, its input {axes}", window.len()));
    }
    if product(window) > MAX_WINDOW {
        return Err(format!("its window has more than {MAX_WINDOW} squares"));
    }
    let list = |name: &str, length: usize, usual: u64| match settings.node.integers(name) {
        None | Some([]) => Ok(vec![usual; length]),
        Some(integers) if integers.len() == length => sizes(integers),
        Some(integers) => Err(format!("its {name} have {} numbers, expected {length}", integers.len())),
    };
    let (strides, dilations) = (list("strides", axes, 1)?, list("dilations", axes, 1)?);
    let pads = list("pads", 2 * axes, 0)?;
    if strides.contains(&0) || dilations.contains(&0) || window.contains(&0) {
        return Err("its window, strides and dilations must be at least 1".to_owned());
    }
    let padding = settings.node.word("auto_pad");
    let rounds_up = settings.node.integer("ceil_mode", 0) != 0;
    (0..axes)
        .map(|axis| {
            if padding.starts_with("SAME") {
                return Ok(board[axis].div_ceil(strides[axis]));
            }
            let around = if padding == "VALID" { 0 } else { pads[axis].saturating_add(pads[axes + axis]) };
            let reach = (window[axis] - 1).saturating_mul(dilations[axis]).saturating_add(1);
            let room = board[axis].saturating_add(around).checked_sub(reach);
            let room = room.ok_or("its window is larger than its input")?;
            let steps = if rounds_up { room.div_ceil(strides[axis]) } else { room / strides[axis] };
            // A window must not begin behind the board.
            let before = if padding == "VALID" { 0 } else { pads[axis] };
            let is_behind = steps.saturating_mul(strides[axis]) >= board[axis].saturating_add(before);
            Ok(steps.saturating_add(1) - u64::from(rounds_up && is_behind))
        })
        .collect()
}

/// Pooling over the whole board: `[N, channels, 1, …]`.
pub(super) fn global(input: &Value) -> Value {
    let ones = input.shape.iter().enumerate().map(|(axis, &size)| if axis < 2 { size } else { 1 });
    input.unknown(ones.collect())
}
