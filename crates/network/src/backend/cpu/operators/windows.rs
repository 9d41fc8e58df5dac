//! Operators that slide a window over the board: convolutions and pooling.

use entente_search::vectors::LANES;

use super::{Inputs, Operator, count, one, outputs, products::product_of};
use crate::{backend::cpu::tensor::Tensor, onnx::NodeProto, product::Strided};

/// The operator of a node, if it belongs here.
pub(super) fn operator(node: &NodeProto) -> Option<Operator> {
    let window = Window::of(node);
    Some(match node.op_type.as_str() {
        "Conv" => {
            let groups = usize::try_from(node.integer("group", 1)).unwrap_or(1).max(1);
            one(move |inputs| convolved(inputs, &window, groups))
        }
        "MaxPool" if outputs(node) == 1 => one(move |inputs| {
            pooled(inputs.get(0)?, &window, |numbers, _| {
                numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max)
            })
        }),
        "AveragePool" => {
            let counts_padding = node.integer("count_include_pad", 0) != 0;
            one(move |inputs| {
                pooled(inputs.get(0)?, &window, |numbers, all| {
                    let number = if counts_padding { all } else { numbers.len() };
                    numbers.iter().sum::<f32>() / number as f32
                })
            })
        }
        "GlobalAveragePool" => global(|numbers| numbers.iter().sum::<f32>() / numbers.len() as f32),
        "GlobalMaxPool" => global(|numbers| numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max)),
        _ => return None,
    })
}

/// How a window slides over a board.
struct Window {
    /// The size; `None` for that of the weights.
    size: Option<Vec<i64>>,
    strides: Option<Vec<i64>>,
    dilations: Option<Vec<i64>>,
    pads: Option<Vec<i64>>,
    /// `SAME_UPPER`, `SAME_LOWER`, `VALID`, or a word for explicit padding.
    padding: String,
    rounds_up: bool,
}

/// One axis of a window on a board of a known size.
#[derive(Clone, Copy)]
struct Axis {
    board: usize,
    window: usize,
    stride: usize,
    dilation: usize,
    before: usize,
    after: usize,
    places: usize,
}

impl Window {
    fn of(node: &NodeProto) -> Window {
        let integers = |name: &str| node.integers(name).map(<[i64]>::to_vec).filter(|list| !list.is_empty());
        Window {
            size: integers("kernel_shape"),
            strides: integers("strides"),
            dilations: integers("dilations"),
            pads: integers("pads"),
            padding: node.word("auto_pad"),
            rounds_up: node.integer("ceil_mode", 0) != 0,
        }
    }

    /// The window on a board of these sizes. `size` is that of the weights, if there are any.
    fn on(&self, board: &[usize], size: Option<&[usize]>) -> Result<[Axis; 2], String> {
        let [ranks, files] = *board else {
            return Err(format!("a window of {} dimensions is not supported, only on boards", board.len()));
        };
        let number = |list: &Option<Vec<i64>>, place: usize, usual: usize| match list {
            None => Ok(usual),
            Some(list) => list
                .get(place)
                .and_then(|number| usize::try_from(*number).ok())
                .ok_or_else(|| "the numbers of its window do not fit a board".to_owned()),
        };
        let axis = |place: usize, board: usize| {
            let window = match size {
                Some(size) => *size.get(place).ok_or("its window has another number of dimensions")?,
                None => number(&self.size, place, 0)?,
            };
            let (stride, dilation) = (number(&self.strides, place, 1)?, number(&self.dilations, place, 1)?);
            if window == 0 || stride == 0 || dilation == 0 {
                return Err("its window, strides and dilations must be at least 1".to_owned());
            }
            let reach = (window - 1) * dilation + 1;
            if self.padding.starts_with("SAME") {
                let places = board.div_ceil(stride);
                let padding = ((places - 1) * stride + reach).saturating_sub(board);
                let before = if self.padding == "SAME_LOWER" { padding.div_ceil(2) } else { padding / 2 };
                let after = padding - before;
                return Ok(Axis { board, window, stride, dilation, before, after, places });
            }
            let (before, after) = match self.padding.as_str() {
                "VALID" => (0, 0),
                _ => (number(&self.pads, place, 0)?, number(&self.pads, place + 2, 0)?),
            };
            let room =
                (board + before + after).checked_sub(reach).ok_or("its window is larger than its input")?;
            let steps = if self.rounds_up { room.div_ceil(stride) } else { room / stride };
            // A window must not begin behind the board.
            let places = if self.rounds_up && steps * stride >= board + before { steps } else { steps + 1 };
            Ok(Axis { board, window, stride, dilation, before, after, places })
        };
        Ok([axis(0, ranks)?, axis(1, files)?])
    }
}

impl Axis {
    /// The square under number `offset` of the window at `place`; `None` off the board.
    fn square(&self, place: usize, offset: usize) -> Option<usize> {
        let square = (place * self.stride + offset * self.dilation).checked_sub(self.before)?;
        (square < self.board).then_some(square)
    }

    /// How many squares of the window at `place` are on the board or its padding.
    fn covered(&self, place: usize) -> usize {
        let end = self.before + self.board + self.after;
        (0..self.window).filter(|offset| place * self.stride + offset * self.dilation < end).count()
    }
}

/// A convolution: each window becomes a column of a matrix, which the weights multiply.
fn convolved(inputs: Inputs<'_>, window: &Window, groups: usize) -> Result<Tensor, String> {
    let (input, weights) = (inputs.get(0)?, inputs.get(1)?);
    let ([rows, channels, board @ ..], [outputs, depth, size @ ..]) = (&input.shape[..], &weights.shape[..])
    else {
        return Err("expected an input and weights of at least two dimensions".to_owned());
    };
    let [ranks, files] = window.on(board, Some(size))?;
    if channels % groups != 0 || outputs % groups != 0 || channels / groups != *depth {
        return Err(format!(
            "{channels} channels and weights of {outputs} × {depth} do not fit {groups} groups"
        ));
    }
    let biases = inputs.optional(2).map(Tensor::as_floats).transpose()?;
    if biases.is_some_and(|biases| biases.len() != *outputs) {
        return Err(format!("expected {outputs} biases"));
    }
    let (squares, places) = (ranks.board * files.board, ranks.places * files.places);
    let (inner, wide) = (depth * ranks.window * files.window, places.next_multiple_of(LANES));
    let (numbers, weights) = (input.as_floats()?, weights.as_floats()?);
    let in_group = outputs / groups;
    let mut columns = vec![0.0; inner * wide];
    let mut output = Vec::with_capacity(rows * outputs * places);
    for (number, boards) in numbers.chunks_exact((depth * squares).max(1)).enumerate() {
        columns.fill(0.0);
        for (row, column) in columns.chunks_exact_mut(wide.max(1)).enumerate() {
            let (channel, offset) =
                (row / (ranks.window * files.window), row % (ranks.window * files.window));
            let board = &boards[channel * squares..][..squares];
            for (place, number) in column.iter_mut().enumerate().take(places) {
                let rank = ranks.square(place / files.places, offset / files.window);
                let file = files.square(place % files.places, offset % files.window);
                if let (Some(rank), Some(file)) = (rank, file) {
                    *number = board[rank * files.board + file];
                }
            }
        }
        let first = number % groups * in_group;
        let weights = &weights[first * inner..][..in_group * inner];
        let left = Strided { numbers: weights, rows: inner, columns: 1 };
        let mut sums = product_of(left, in_group, &columns, places);
        if let Some(biases) = biases {
            for (sums, bias) in sums.chunks_exact_mut(places.max(1)).zip(&biases[first..]) {
                sums.iter_mut().for_each(|sum| *sum += bias);
            }
        }
        output.extend(sums);
    }
    Ok(Tensor::floats(vec![*rows, *outputs, ranks.places, files.places], output))
}

/// What `pool` makes of the numbers of each window that are on the board; it also gets how many there would be with
/// padding.
fn pooled(input: &Tensor, window: &Window, pool: impl Fn(&[f32], usize) -> f32) -> Result<Tensor, String> {
    let [rows, channels, board @ ..] = &input.shape[..] else {
        return Err("expected an input of at least two dimensions".to_owned());
    };
    let [ranks, files] = window.on(board, None)?;
    let squares = ranks.board * files.board;
    let mut output = Vec::with_capacity(rows * channels * ranks.places * files.places);
    let mut seen = Vec::new();
    for board in input.as_floats()?.chunks_exact(squares.max(1)) {
        for rank in 0..ranks.places {
            for file in 0..files.places {
                seen.clear();
                let covered = ranks.covered(rank) * files.covered(file);
                for offset in 0..ranks.window * files.window {
                    let (rank, file) = (
                        ranks.square(rank, offset / files.window),
                        files.square(file, offset % files.window),
                    );
                    if let (Some(rank), Some(file)) = (rank, file) {
                        seen.push(board[rank * files.board + file]);
                    }
                }
                output.push(pool(&seen, covered));
            }
        }
    }
    Ok(Tensor::floats(vec![*rows, *channels, ranks.places, files.places], output))
}

/// What `pool` makes of each whole board.
fn global(pool: fn(&[f32]) -> f32) -> Operator {
    one(move |inputs| {
        let input = inputs.get(0)?;
        let squares = count(input.shape.get(2..).unwrap_or_default()).max(1);
        let shape =
            input.shape.iter().enumerate().map(|(axis, size)| if axis < 2 { *size } else { 1 }).collect();
        Ok(Tensor::floats(shape, input.as_floats()?.chunks_exact(squares).map(pool).collect()))
    })
}
