//! Converts a residual network of Leela Chess Zero, such as those of Maia, to initial weights of a tower.

use anyhow::{Context as _, ensure};
use entente_network::encoding::{
    lc0::{self, Lc0},
    moves::MoveEncoding as _,
};
use prost::Message as _;
use shakmaty::{Color, Move, Role, Square};
use tch::{Device, Tensor};
use tract_onnx::pb::{GraphProto, ModelProto, TensorProto, tensor_proto::DataType};

use crate::network::tower::{MOVE_PLANES, Tower};

/// An array of numbers with its dimensions.
struct Array {
    sizes: Vec<i64>,
    numbers: Vec<f32>,
}

/// A convolution or a linear layer.
struct Layer {
    weights: Array,
    biases: Array,
}

/// True if `model` is a network exported by Leela Chess Zero.
pub fn is_lc0(model: &[u8]) -> bool {
    let graph = ModelProto::decode(model).ok().and_then(|model| model.graph);
    graph.is_some_and(|graph| graph.input.iter().any(|input| input.name == "/input/planes"))
}

/// The weights of `tower`, as a row, with which it computes the same move probabilities as the network `model` if there
/// is no goal. The exceptions are castling and promotions, unless the tower has lc0's moves, and positions in which lc0
/// sees more of the past than the tower's four previous positions: the oldest of these stands for all older ones.
/// Weights that the network lacks are random, with `seed`, and have no effect at first.
///
/// # Errors
///
/// If the network does not consist of residual blocks with squeeze-and-excitation and a convolutional policy head, or
/// does not have the tower's size.
pub fn lc0_weights(model: &[u8], tower: &Tower, seed: i64) -> anyhow::Result<Tensor> {
    let graph = ModelProto::decode(model).context("not an ONNX model")?.graph.unwrap_or_default();
    let (convolutions, linear) = (layers(&graph, "Conv")?, layers(&graph, "Gemm")?);
    let blocks = tower.blocks as usize;
    let fits = tower.planes > entente_network::encoding::goal_policy::FIRST_PLANES as i64
        && tower.head == 3
        && tower.bottleneck == 0
        && convolutions.len() >= 2 * blocks + 3
        && linear.len() >= 2 * blocks;
    ensure!(
        fits && convolutions[0].weights.sizes == [tower.channels, lc0::PLANES as i64, 3, 3],
        "expected a network of Leela Chess Zero with {blocks} blocks of {} channels, for a tower with `planes = 110` \
         and `head = 3`",
        tower.channels
    );
    let shapes = tower.weight_shapes();
    let random = Vec::<f32>::try_from(tower.random(Device::Cpu, seed).flat())?;
    let mut arrays: Vec<Array> = Vec::new();
    let mut rest = &random[..];
    for shape in &shapes {
        let (numbers, after) = rest.split_at(shape.sizes.iter().product::<i64>() as usize);
        arrays.push(Array { sizes: shape.sizes.clone(), numbers: numbers.to_vec() });
        rest = after;
    }
    stem(&mut arrays[STEM..STEM + 3], &convolutions[0])?;
    for block in 0..blocks {
        let arrays = &mut arrays[FIRST_BLOCK + EACH_BLOCK * block..][..EACH_BLOCK];
        let [first, second] = [1, 2].map(|number| &convolutions[2 * block + number]);
        for (place, array) in
            [&first.weights, &first.biases, &second.weights, &second.biases].into_iter().enumerate()
        {
            arrays[place].set(array)?;
        }
        excitation(&mut arrays[4..], &linear[2 * block], &linear[2 * block + 1], tower.channels as usize)?;
    }
    let head = &mut arrays[FIRST_BLOCK + EACH_BLOCK * blocks..][..6];
    let [first, second] = [1, 2].map(|number| &convolutions[2 * blocks + number]);
    head[0].set(&first.weights)?;
    head[1].set(&first.biases)?;
    moves(&mut head[4..], second, &graph, tower)?;
    let numbers: Vec<f32> = arrays.into_iter().flat_map(|array| array.numbers).collect();
    Ok(Tensor::from_slice(&numbers))
}

/// The indices in a tower's list of weights: the first convolution, followed by its biases and the biases of squares,
/// and then the blocks.
const STEM: usize = 4;
const FIRST_BLOCK: usize = 9;
/// Number of tensors per block: two convolutions, and four linear layers for the means, the features, the gate and the
/// shift, each with weights and biases.
const EACH_BLOCK: usize = 12;

/// The oldest position among our planes: the one before the last four moves.
const OLDEST: usize = 4;

/// The index of the plane among ours that stands for lc0's plane `plane`, and the factor for its weights; `None` if we
/// have no such plane. Our oldest position also stands for older ones, as lc0 repeats it if it knows no more: its
/// networks expect positions there.
fn plane(plane: usize) -> Option<(usize, f32)> {
    let (place, kind) = ((plane / 13).min(OLDEST), plane % 13);
    match plane {
        0..104 if kind == 12 => Some((99 + place, 1.0)),
        0..104 if place == 0 => Some((kind, 1.0)),
        0..104 => Some((51 + 12 * (place - 1) + kind, 1.0)),
        104..109 => Some((plane, 1.0)),
        // Our plane has the fifty-move counter divided by 100.
        109 => Some((plane, 100.0)),
        111 => Some((50, 1.0)),
        _ => None,
    }
}

/// Sets the first convolution. The weights of planes that we do not have are dropped.
fn stem(arrays: &mut [Array], layer: &Layer) -> anyhow::Result<()> {
    let [outputs, planes, ..] = arrays[0].sizes[..] else { unreachable!("a convolution") };
    let planes = planes as usize;
    arrays[0].numbers.fill(0.0);
    for output in 0..outputs as usize {
        for number in 0..lc0::PLANES {
            let Some((ours, factor)) = plane(number) else { continue };
            for square in 0..9 {
                arrays[0].numbers[(output * planes + ours) * 9 + square] +=
                    factor * layer.weights.numbers[(output * lc0::PLANES + number) * 9 + square];
            }
        }
    }
    arrays[1].set(&layer.biases)
}

/// Sets the squeeze-and-excitation. The first units of the tower are those of the network.
fn excitation(arrays: &mut [Array], squeeze: &Layer, excite: &Layer, channels: usize) -> anyhow::Result<()> {
    let units = squeeze.biases.numbers.len();
    let ours = arrays[1].numbers.len();
    ensure!(
        units <= ours
            && squeeze.weights.numbers.len() == units * channels
            && excite.biases.numbers.len() == 2 * channels,
        "expected squeeze-and-excitation through at most {ours} units with a gate and a shift"
    );
    arrays[0].numbers[..units * channels].copy_from_slice(&squeeze.weights.numbers);
    arrays[1].numbers[..units].copy_from_slice(&squeeze.biases.numbers);
    let condition = arrays[2].numbers.len() / ours;
    arrays[2].numbers[..units * condition].fill(0.0);
    for (place, first) in [(4, 0), (6, channels)] {
        for channel in 0..channels {
            let theirs = &excite.weights.numbers[(first + channel) * units..][..units];
            arrays[place].numbers[channel * ours..][..units].copy_from_slice(theirs);
        }
        arrays[place + 1].numbers.copy_from_slice(&excite.biases.numbers[first..first + channels]);
    }
    Ok(())
}

/// Sets the last convolution of the policy head.
fn moves(arrays: &mut [Array], layer: &Layer, graph: &GraphProto, tower: &Tower) -> anyhow::Result<()> {
    let gather =
        graph.node.iter().find(|node| node.op_type == "Gather").context("the policy head has no Gather")?;
    let places = graph.initializer.iter().find(|tensor| tensor.name == gather.input[1]);
    let places = integers(places.context("the indices of the moves are not constant")?)?;
    ensure!(places.len() == Lc0::SIZE, "the network has {} moves, expected {}", places.len(), Lc0::SIZE);
    let inputs = layer.weights.sizes[1] as usize * 9;
    let planes = layer.biases.numbers.len();
    for (from, to, promotion) in plain_moves(tower.lc0_moves) {
        let m = Move::Normal { role: Role::Queen, from, capture: None, to, promotion };
        let [ours, theirs] = [tower.move_index(m, Color::White), usize::from(Lc0::encode(m, Color::White).0)];
        let (square, ours) = (ours / MOVE_PLANES as usize, ours % MOVE_PLANES as usize);
        let (theirs, found) = (places[theirs] / 64, places[theirs] % 64);
        ensure!(
            found == square && theirs < planes,
            "the network does not number its moves by planes of squares"
        );
        let weights = &layer.weights.numbers[theirs * inputs..][..inputs];
        arrays[0].numbers[ours * inputs..][..inputs].copy_from_slice(weights);
        arrays[1].numbers[ours] = layer.biases.numbers[theirs];
    }
    Ok(())
}

/// Moves with a plane of their own both in the tower's encoding and in lc0's, with at least one for each of the tower's
/// planes.
fn plain_moves(lc0_moves: bool) -> impl Iterator<Item = (Square, Square, Option<Role>)> {
    let plain = Square::ALL.into_iter().flat_map(|from| {
        let to = Square::ALL.into_iter().filter(move |to| {
            let [files, ranks] = [from.file().distance(to.file()), from.rank().distance(to.rank())];
            from != *to && (files == 0 || ranks == 0 || files == ranks || files + ranks == 3)
        });
        to.map(move |to| (from, to, None))
    });
    let roles: &[Role] =
        if lc0_moves { &[Role::Queen, Role::Bishop, Role::Rook] } else { &[Role::Bishop, Role::Rook] };
    let promotions = [Square::A8, Square::B8, Square::C8]
        .into_iter()
        .flat_map(|to| roles.iter().map(move |role| (Square::B7, to, Some(*role))));
    plain.chain(promotions)
}

/// The layers with this operator, in the order of the graph.
fn layers(graph: &GraphProto, operation: &str) -> anyhow::Result<Vec<Layer>> {
    let find = |name: &str| {
        let tensor = graph.initializer.iter().find(|tensor| tensor.name == name);
        array(tensor.with_context(|| format!("{name} has no constant weights"))?)
    };
    let nodes = graph.node.iter().filter(|node| node.op_type == operation && node.input.len() == 3);
    nodes.map(|node| Ok(Layer { weights: find(&node.input[1])?, biases: find(&node.input[2])? })).collect()
}

fn array(tensor: &TensorProto) -> anyhow::Result<Array> {
    ensure!(tensor.data_type == DataType::Float as i32, "{} does not have 32-bit floats", tensor.name);
    let numbers: Vec<f32> = if tensor.raw_data.is_empty() {
        tensor.float_data.clone()
    } else {
        tensor.raw_data.as_chunks().0.iter().map(|number| f32::from_le_bytes(*number)).collect()
    };
    let count = tensor.dims.iter().product::<i64>() as usize;
    ensure!(numbers.len() == count, "{} has {} numbers, expected {count}", tensor.name, numbers.len());
    Ok(Array { sizes: tensor.dims.clone(), numbers })
}

fn integers(tensor: &TensorProto) -> anyhow::Result<Vec<usize>> {
    let numbers: Vec<i64> = match DataType::try_from(tensor.data_type) {
        Ok(DataType::Int64) if tensor.raw_data.is_empty() => tensor.int64_data.clone(),
        Ok(DataType::Int64) => {
            tensor.raw_data.as_chunks().0.iter().map(|number| i64::from_le_bytes(*number)).collect()
        }
        Ok(DataType::Int32) if tensor.raw_data.is_empty() => {
            tensor.int32_data.iter().map(|number| i64::from(*number)).collect()
        }
        Ok(DataType::Int32) => {
            let numbers = tensor.raw_data.as_chunks().0.iter();
            numbers.map(|number| i64::from(i32::from_le_bytes(*number))).collect()
        }
        _ => anyhow::bail!("{} does not have integers", tensor.name),
    };
    numbers.into_iter().map(|number| Ok(usize::try_from(number)?)).collect()
}

impl Array {
    /// Copies the numbers of another array with the same dimensions.
    fn set(&mut self, other: &Array) -> anyhow::Result<()> {
        ensure!(self.sizes == other.sizes, "weights of {:?}, expected {:?}", other.sizes, self.sizes);
        self.numbers.clone_from(&other.numbers);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
