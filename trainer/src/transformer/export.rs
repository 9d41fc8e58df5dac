//! Transformers as ONNX graphs.

use std::path::Path;

use entente_cli::whole_file::replace_file;
use entente_network::{
    NetworkKind as _, Policy, VOCABULARY_KEY,
    encoding::transformer::{RIGHTS, SQUARES, vocabulary},
    inputs::TRANSFORMER,
    onnx::{GraphProto, StringStringEntryProto},
};
use prost::Message;
use shakmaty::Position;
use tch::{Device, Kind};

use super::{
    network::{Compute, Graph, NORM_EPSILON, PADDED, Transformer},
    samples::{MoveSample, batch},
};
use crate::{
    export::{
        ExportError, Metadata, check_outputs,
        onnx::{integer, integers, model, value_info},
        writer::Writer,
    },
    network::weights::{Init, Weights},
};

/// The network as an ONNX model. The inputs are `moves` [1, last moves], `squares` [1, 64] and `rights` [1, 6], all as
/// 32-bit numbers. The output is `policy` [1, vocabulary], logits.
///
/// The same weights and metadata give the same bytes.
pub fn transformer_bytes(
    name: &str,
    transformer: &Transformer,
    weights: &Weights,
    metadata: &Metadata,
) -> Vec<u8> {
    let mut writer = Writer::new(GraphProto { name: name.to_owned(), ..Default::default() }, weights);
    let [moves, squares, rights] = ["moves", "squares", "rights"].map(str::to_owned);
    transformer.build(&mut writer, &moves, &squares, &rights);
    let mut graph = writer.graph;
    let sizes = [transformer.moves, SQUARES as i64, RIGHTS as i64];
    graph.input =
        [moves, squares, rights].iter().zip(sizes).map(|(name, size)| value_info(name, &[1, size])).collect();
    graph.node.last_mut().expect("it has nodes").output[0] = "policy".to_owned();
    graph.output.push(value_info("policy", &[1, vocabulary().len() as i64]));
    let mut model = model(graph, name, TRANSFORMER, metadata);
    let (key, value) = (VOCABULARY_KEY.to_owned(), vocabulary().fingerprint());
    model.metadata_props.push(StringStringEntryProto { key, value });
    model.encode_to_vec()
}

/// Writes a transformer to `path` and returns the content of the file.
///
/// First, the transformer runs in the engine on all `samples`. It must agree with libtorch within
/// [`TOLERANCE`](crate::export::TOLERANCE) on the probability of every move of the vocabulary.
///
/// # Errors
///
/// If the outputs differ, or the file cannot be written. `path` is then unchanged.
pub fn write_transformer(
    name: &str,
    transformer: &Transformer,
    weights: &Weights,
    metadata: &Metadata,
    samples: &[MoveSample],
    path: &Path,
) -> Result<Vec<u8>, ExportError> {
    let bytes = transformer_bytes(name, transformer, weights, metadata);
    let mut session = Policy::from_bytes(&path.display().to_string(), &bytes)?.session();
    let _guard = tch::no_grad_guard();
    for (index, sample) in samples.iter().enumerate() {
        let (inputs, _) = batch(std::slice::from_ref(sample), transformer.moves as usize, Device::Cpu);
        let expected = Compute::logits(transformer, weights, &inputs).softmax(-1, Kind::Float);
        let expected: Vec<f32> = expected.view(-1).try_into().expect("a row of floats");
        let legal = sample.position.legal_moves();
        let (_, logits) = session.ask_of_all_moves(&sample.query(&legal))?;
        let found = entente_network::encoding::softmax(&logits);
        check_outputs(&found, &expected, (index + 1, samples.len()), path)?;
    }
    replace_file(path, &bytes).map_err(|error| ExportError::Io { path: path.to_owned(), error })?;
    Ok(bytes)
}

impl Writer {
    /// The mean over the last dimension, which keeps the size 1.
    fn mean(&mut self, flow: &str) -> String {
        self.node("ReduceMean", &[flow], vec![integers("axes", &[-1]), integer("keepdims", 1)])
    }

    /// Reshapes [1, tokens, width] to [1, tokens, heads, width / heads] and transposes it to `order`.
    fn by_head(&mut self, sequence: &str, width: i64, heads: i64, order: [i64; 4]) -> String {
        let sizes = self.integers("heads", &[0, -1, heads, width / heads]);
        let parted = self.node("Reshape", &[sequence, &sizes], vec![]);
        self.node("Transpose", &[&parted], vec![integers("perm", &order)])
    }
}

impl Graph for Writer {
    type Flow = String;

    fn embed(&mut self, tokens: &String, _: i64, _: i64) -> String {
        let weight = self.weight();
        // 7 is the ONNX type of 64-bit integers.
        let indices = self.node("Cast", &[tokens], vec![integer("to", 7)]);
        self.node("Gather", &[&weight, &indices], vec![integer("axis", 0)])
    }

    fn place(&mut self, sequence: &String, _: i64, _: i64) -> String {
        let weight = self.weight();
        self.node("Add", &[sequence, &weight], vec![])
    }

    fn linear(&mut self, flow: &String, _: i64, _: i64, _: Init) -> String {
        let (weight, bias) = (self.weight(), self.weight());
        let product = self.node("MatMul", &[flow, &weight], vec![]);
        self.node("Add", &[&product, &bias], vec![])
    }

    fn norm(&mut self, sequence: &String, _: i64) -> String {
        let (weight, bias) = (self.weight(), self.weight());
        let epsilon = self.number("epsilon", NORM_EPSILON as f32);
        let mean = self.mean(sequence);
        let centred = self.node("Sub", &[sequence, &mean], vec![]);
        let square = self.node("Mul", &[&centred, &centred], vec![]);
        let variance = self.mean(&square);
        let variance = self.node("Add", &[&variance, &epsilon], vec![]);
        let deviation = self.node("Sqrt", &[&variance], vec![]);
        let normed = self.node("Div", &[&centred, &deviation], vec![]);
        let scaled = self.node("Mul", &[&normed, &weight], vec![]);
        self.node("Add", &[&scaled, &bias], vec![])
    }

    fn attention(&mut self, qkv: [&String; 3], width: i64, heads: i64, mask: Option<&String>) -> String {
        let [q, k, v] = qkv;
        let q = self.by_head(q, width, heads, [0, 2, 1, 3]);
        let k = self.by_head(k, width, heads, [0, 2, 3, 1]);
        let v = self.by_head(v, width, heads, [0, 2, 1, 3]);
        let scale = self.number("scale", (heads as f64 / width as f64).sqrt() as f32);
        let scores = self.node("MatMul", &[&q, &k], vec![]);
        let mut scores = self.node("Mul", &[&scores, &scale], vec![]);
        if let Some(mask) = mask {
            scores = self.node("Add", &[&scores, mask], vec![]);
        }
        let shares = self.node("Softmax", &[&scores], vec![integer("axis", -1)]);
        let found = self.node("MatMul", &[&shares, &v], vec![]);
        let found = self.node("Transpose", &[&found], vec![integers("perm", &[0, 2, 1, 3])]);
        let sizes = self.integers("joined", &[0, -1, width]);
        self.node("Reshape", &[&found, &sizes], vec![])
    }

    fn mask(&mut self, tokens: &String, length: i64) -> String {
        let one = self.number("one", 1.0);
        let padded = self.number("padded", PADDED as f32);
        let mask = self.node("Sub", &[&one, tokens], vec![]);
        let mask = self.node("Relu", &[&mask], vec![]);
        let mask = self.node("Mul", &[&mask, &padded], vec![]);
        let sizes = self.integers("keys", &[0, 1, 1, length]);
        self.node("Reshape", &[&mask, &sizes], vec![])
    }

    fn last(&mut self, sequence: &String, tokens: i64) -> String {
        let index = self.integers("last", &[tokens - 1]);
        self.node("Gather", &[sequence, &index], vec![integer("axis", 1)])
    }

    fn token(&mut self, row: &String, width: i64) -> String {
        let sizes = self.integers("token", &[0, 1, width]);
        self.node("Reshape", &[row, &sizes], vec![])
    }

    fn flatten(&mut self, sequence: &String) -> String {
        self.node("Flatten", &[sequence], vec![integer("axis", 1)])
    }

    fn concat(&mut self, rows: &[&String]) -> String {
        let rows: Vec<&str> = rows.iter().map(|row| row.as_str()).collect();
        self.node("Concat", &rows, vec![integer("axis", 1)])
    }

    fn relu(&mut self, flow: &String) -> String {
        self.node("Relu", &[flow], vec![])
    }

    fn add(&mut self, left: &String, right: &String) -> String {
        self.node("Add", &[left, right], vec![])
    }
}
