//! Converts a residual network of Leela Chess Zero, such as those of Maia, to initial weights of a tower.

use anyhow::{Context as _, ensure};
use entente_constraint::counted;
use entente_network::{
    encoding::{
        lc0::{self, Lc0},
        moves::MoveEncoding as _,
    },
    onnx::{GraphProto, ModelProto, TensorProto, tensor_proto::DataType},
};
use prost::Message as _;
use shakmaty::{Color, Move, Role, Square};
use tch::{Device, Tensor};

use crate::network::tower::{MOVE_PLANES, Tower};

/// An array of numbers with its dimensions.
struct Array {
    sizes: Vec<i64>,
    numbers: Vec<f32>,
}

/// A tensor of a tower's weights.
struct Weights {
    sizes: Vec<i64>,
    /// The weights where nothing is copied.
    initial: Vec<f32>,
    /// The copied weights; `None` for the others.
    copied: Vec<Option<f32>>,
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

/// Initial weights of a tower, some of which are copied from networks of Leela Chess Zero.
#[derive(Debug)]
pub struct Grafted {
    /// The weights, as a row.
    pub weights: Tensor,
    /// For each weight, 1 if it was copied, otherwise 0.
    pub copied: Tensor,
}

/// The weights of `tower` with which it computes the same move probabilities as the network in `models` if there is no
/// goal; with several trunks, their geometric mean over as many networks. The exceptions are castling and promotions,
/// unless the tower has lc0's moves, and positions in which lc0 sees more of the past than the tower's four previous
/// positions: the oldest of these stands for all older ones. Weights that the networks lack are random, with `seed`,
/// and have no effect at first.
///
/// # Errors
///
/// If there is not one network for each trunk, or a network does not consist of residual blocks with
/// squeeze-and-excitation and a convolutional policy head, or does not have the tower's size.
pub fn lc0_weights(models: &[Vec<u8>], tower: &Tower, seed: i64) -> anyhow::Result<Grafted> {
    let trunks = tower.trunks as usize;
    ensure!(
        models.len() == trunks,
        "expected {}",
        counted(trunks, "network of Leela Chess Zero", "networks of Leela Chess Zero")
    );
    let random = Vec::<f32>::try_from(tower.random(Device::Cpu, seed).flat())?;
    let mut arrays: Vec<Weights> = Vec::new();
    let mut rest = &random[..];
    for shape in &tower.weight_shapes() {
        let (numbers, after) = rest.split_at(shape.sizes.iter().product::<i64>() as usize);
        arrays.push(Weights::new(shape.sizes.clone(), numbers));
        rest = after;
    }
    let blocks = tower.blocks as usize;
    let each_trunk = EACH_STEM + EACH_BLOCK * blocks;
    let each_head = if trunks > 1 { EACH_SCALED_HEAD } else { EACH_HEAD };
    for (number, model) in models.iter().enumerate() {
        let graph = ModelProto::decode(&model[..]).context("not an ONNX model")?.graph.unwrap_or_default();
        let (convolutions, linear) = (layers(&graph, "Conv")?, layers(&graph, "Gemm")?);
        check_size(tower, &convolutions, &linear)?;
        let trunk = &mut arrays[FIRST_TRUNK + number * each_trunk..][..each_trunk];
        stem(trunk, &convolutions[0])?;
        for block in 0..blocks {
            let block_arrays = &mut trunk[EACH_STEM + EACH_BLOCK * block..][..EACH_BLOCK];
            let [first, second] = [1, 2].map(|number| &convolutions[2 * block + number]);
            for (place, array) in
                [&first.weights, &first.biases, &second.weights, &second.biases].into_iter().enumerate()
            {
                block_arrays[place].set(array)?;
            }
            let [squeeze, excite] = [&linear[2 * block], &linear[2 * block + 1]];
            excitation(&mut block_arrays[4..], squeeze, excite, tower.channels as usize)?;
        }
        let head = &mut arrays[FIRST_TRUNK + trunks * each_trunk + number * each_head..][..each_head];
        let [first, second] = [1, 2].map(|number| &convolutions[2 * blocks + number]);
        head[0].set(&first.weights)?;
        head[1].set(&first.biases)?;
        if trunks > 1 {
            // The scale is the sigmoid of this bias: 1/trunks.
            let bias = -((trunks - 1) as f32).ln();
            head[5].initial.fill(bias);
        }
        moves(&mut head[each_head - 2..], second, &graph, tower)?;
    }
    let row =
        |of: fn(&Weights) -> Vec<f32>| Tensor::from_slice(&arrays.iter().flat_map(of).collect::<Vec<f32>>());
    Ok(Grafted { weights: row(Weights::numbers), copied: row(Weights::are_copied) })
}

/// Refuses a network that does not have the size of `tower`.
fn check_size(tower: &Tower, convolutions: &[Layer], linear: &[Layer]) -> anyhow::Result<()> {
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
    Ok(())
}

/// The index of the first trunk in a tower's list of weights; the layers for the features precede it.
const FIRST_TRUNK: usize = 4;
/// Number of tensors before the blocks of a trunk: the first convolution, the biases of squares, and the shift, with
/// weights and biases.
const EACH_STEM: usize = 5;
/// Number of tensors per block: two convolutions, and four linear layers for the means, the features, the gate and the
/// shift, each with weights and biases.
const EACH_BLOCK: usize = 12;
/// Number of tensors per policy head: a convolution, the shift and a convolution, each with weights and biases.
const EACH_HEAD: usize = 6;
/// The same with the scale, which precedes the last convolution.
const EACH_SCALED_HEAD: usize = 8;

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
fn stem(arrays: &mut [Weights], layer: &Layer) -> anyhow::Result<()> {
    let [outputs, planes, ..] = arrays[0].sizes[..] else { unreachable!("a convolution") };
    let planes = planes as usize;
    arrays[0].initial.fill(0.0);
    for output in 0..outputs as usize {
        for number in 0..lc0::PLANES {
            let Some((ours, factor)) = plane(number) else { continue };
            for square in 0..9 {
                let theirs = layer.weights.numbers[(output * lc0::PLANES + number) * 9 + square];
                *arrays[0].copied[(output * planes + ours) * 9 + square].get_or_insert_default() +=
                    factor * theirs;
            }
        }
    }
    arrays[1].set(&layer.biases)
}

/// Sets the squeeze-and-excitation. The first units of the tower are those of the network.
fn excitation(
    arrays: &mut [Weights],
    squeeze: &Layer,
    excite: &Layer,
    channels: usize,
) -> anyhow::Result<()> {
    let units = squeeze.biases.numbers.len();
    let ours = arrays[1].initial.len();
    ensure!(
        units <= ours
            && squeeze.weights.numbers.len() == units * channels
            && excite.biases.numbers.len() == 2 * channels,
        "expected squeeze-and-excitation through at most {ours} units with a gate and a shift"
    );
    arrays[0].copy(0, &squeeze.weights.numbers);
    arrays[1].copy(0, &squeeze.biases.numbers);
    let condition = arrays[2].initial.len() / ours;
    arrays[2].initial[..units * condition].fill(0.0);
    for (place, first) in [(4, 0), (6, channels)] {
        for channel in 0..channels {
            let theirs = &excite.weights.numbers[(first + channel) * units..][..units];
            arrays[place].copy(channel * ours, theirs);
        }
        arrays[place + 1].copy(0, &excite.biases.numbers[first..first + channels]);
    }
    Ok(())
}

/// Sets the last convolution of the policy head. Its inputs are scaled, but its biases are not, and the outputs of all
/// trunks are added.
fn moves(arrays: &mut [Weights], layer: &Layer, graph: &GraphProto, tower: &Tower) -> anyhow::Result<()> {
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
        arrays[0].copy(ours * inputs, &layer.weights.numbers[theirs * inputs..][..inputs]);
        arrays[1].copy(ours, &[layer.biases.numbers[theirs] / tower.trunks as f32]);
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

impl Weights {
    fn new(sizes: Vec<i64>, initial: &[f32]) -> Weights {
        Weights { sizes, initial: initial.to_vec(), copied: vec![None; initial.len()] }
    }

    /// Copies numbers to the weights from index `first` on.
    fn copy(&mut self, first: usize, numbers: &[f32]) {
        let places = self.copied[first..][..numbers.len()].iter_mut();
        places.zip(numbers).for_each(|(place, number)| *place = Some(*number));
    }

    /// Copies an array with the same dimensions.
    fn set(&mut self, array: &Array) -> anyhow::Result<()> {
        ensure!(self.sizes == array.sizes, "weights of {:?}, expected {:?}", array.sizes, self.sizes);
        self.copy(0, &array.numbers);
        Ok(())
    }

    fn numbers(&self) -> Vec<f32> {
        self.copied.iter().zip(&self.initial).map(|(copied, initial)| copied.unwrap_or(*initial)).collect()
    }

    fn are_copied(&self) -> Vec<f32> {
        self.copied.iter().map(|copied| f32::from(u8::from(copied.is_some()))).collect()
    }
}

#[cfg(test)]
mod tests;
