//! The evaluation network of the article on Monte Carlo playouts. It is small, and its features do not combine men.

use std::sync::{Arc, LazyLock};

use safetensors::Dtype;
use shakmaty::{Board, Piece, Square};

use crate::{
    PortableMath as _,
    scorer::{
        EvaluationError, SCALE,
        evaluation::file::{self, Declared},
    },
};

/// The number of input planes, one for each kind of man.
pub const MEN: usize = 12;
/// The number of filters of the convolution.
pub const FILTERS: usize = 10;
/// The number of pooling cells of 2 × 2 squares.
pub const CELLS: usize = 16;
/// The constant that batch normalisation adds to variances, as in Keras.
pub const EPSILON: f64 = 1e-3;

/// The plane of a man: Black's pawn, knight, bishop, rook, queen and king, then White's.
pub fn man(piece: Piece) -> usize {
    piece.color.fold_wb(6, 0) + piece.role as usize - 1
}

/// The index of a square in a plane: a8 first, then b8, as in a FEN.
pub fn square_index(square: Square) -> usize {
    square.flip_vertical().to_usize()
}

/// The meaning of the network's output in [0, 1].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scaling {
    /// White's expected score, 1/(1 + e^(−s/[`SCALE`])) for an evaluation of s centipawns.
    Chance,
    /// Min–max scaling of the evaluation, as in the article.
    MinMax {
        /// The evaluation for output 0, in centipawns.
        least: f32,
        /// The evaluation for output 1, in centipawns; greater than `least`.
        greatest: f32,
    },
}

impl Scaling {
    /// The output for an evaluation for White in centipawns.
    pub fn output(self, score: f32) -> f32 {
        match self {
            Scaling::Chance => logistic(score / SCALE as f32),
            Scaling::MinMax { least, greatest } => ((score - least) / (greatest - least)).clamp(0.0, 1.0),
        }
    }

    /// The evaluation for White, in centipawns, for the output that is the logistic function of `logit`.
    pub fn score(self, logit: f32) -> f32 {
        match self {
            Scaling::Chance => SCALE as f32 * logit,
            Scaling::MinMax { least, greatest } => least + (greatest - least) * logistic(logit),
        }
    }
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).portable_exp())
}

/// A 1×1 convolution of 12 planes with 10 filters and ReLU; 2×2 max pooling; batch normalisation, folded into a fully
/// connected layer; and a sigmoid. The network sees the men but not the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct ArticleNetwork {
    name: String,
    /// The outputs of the filters before ReLU for each kind of man, and for an empty square.
    filters: [[f32; FILTERS]; MEN + 1],
    /// The weight of each cell for each filter.
    weights: [[f32; CELLS]; FILTERS],
    bias: f32,
    scaling: Scaling,
}

/// The tensors of a file.
const TENSORS: [Declared; 3] = [
    ("filters", Dtype::F32, &[MEN + 1, FILTERS]),
    ("weights", Dtype::F32, &[FILTERS, CELLS]),
    ("bias", Dtype::F32, &[1]),
];
/// An additional tensor for [`Scaling::MinMax`]: the least and the greatest evaluation.
const RANGE: Declared = ("range", Dtype::F32, &[2]);

/// The greatest absolute evaluation, whatever the weights.
const MAX: f32 = 10_000.0;

/// The embedded network.
static EMBEDDED: LazyLock<Arc<ArticleNetwork>> = LazyLock::new(|| {
    let bytes = ArticleNetwork::EMBEDDED;
    Arc::new(
        ArticleNetwork::from_bytes("evaluation-article", bytes).expect("tests read the embedded network"),
    )
});

/// The file of the embedded network, in a static, which has it once.
static FILE: &[u8] = include_bytes!("../../../models/evaluation-article.safetensors");

impl ArticleNetwork {
    /// The file of the embedded network.
    pub const EMBEDDED: &'static [u8] = FILE;

    /// The embedded network.
    pub fn embedded() -> Arc<ArticleNetwork> {
        Arc::clone(&EMBEDDED)
    }

    /// A network with the outputs of the filters for each [`man`], and last for an empty square; the weights of each
    /// filter's cells, from the cell of a8 to that of h1; and the bias of the last layer.
    ///
    /// # Errors
    /// [`EvaluationError::Useless`] if a number is not finite, or the least evaluation is not below the greatest.
    pub fn new(
        name: &str,
        filters: [[f32; FILTERS]; MEN + 1],
        weights: [[f32; CELLS]; FILTERS],
        bias: f32,
        scaling: Scaling,
    ) -> Result<ArticleNetwork, EvaluationError> {
        let mut numbers = filters.as_flattened().iter().chain(weights.as_flattened()).chain([&bias]);
        if !numbers.all(|number| number.is_finite()) {
            return Err(EvaluationError::useless(name, "a weight is not a finite number"));
        }
        if let Scaling::MinMax { least, greatest } = scaling
            && !(least < greatest && (greatest - least).is_finite())
        {
            let reason = format!("its evaluations range from {least} to {greatest}");
            return Err(EvaluationError::useless(name, reason));
        }
        Ok(ArticleNetwork { name: name.to_owned(), filters, weights, bias, scaling })
    }

    /// Reads a safetensors file.
    ///
    /// # Errors
    /// [`EvaluationError::Useless`] if it is not a safetensors file or its weights are not usable,
    /// [`EvaluationError::Shape`] if it has other tensors.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<ArticleNetwork, EvaluationError> {
        let file = file::parse(name, bytes)?;
        let numbers = |declared| -> Result<Vec<f32>, EvaluationError> {
            let bytes = file::tensor(name, &file, declared)?;
            Ok(bytes.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four)).collect())
        };
        let [filters, weights, bias] = TENSORS.map(numbers);
        let filters = filters?.as_chunks().0.try_into().expect("the tensor has the declared shape");
        let weights = weights?.as_chunks().0.try_into().expect("the tensor has the declared shape");
        let scaling = if file.tensor(RANGE.0).is_ok() {
            let range = numbers(RANGE)?;
            Scaling::MinMax { least: range[0], greatest: range[1] }
        } else {
            Scaling::Chance
        };
        ArticleNetwork::new(name, filters, weights, bias?[0], scaling)
    }

    /// The file that [`ArticleNetwork::from_bytes`] reads, with `origin`, a text on how the network was made, in its
    /// metadata.
    pub fn to_bytes(&self, origin: Option<String>) -> Vec<u8> {
        let bytes = |numbers: &[f32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let data =
            [bytes(self.filters.as_flattened()), bytes(self.weights.as_flattened()), bytes(&[self.bias])];
        let mut tensors: Vec<(Declared, Vec<u8>)> = TENSORS.into_iter().zip(data).collect();
        if let Scaling::MinMax { least, greatest } = self.scaling {
            tensors.push((RANGE, bytes(&[least, greatest])));
        }
        file::write(&tensors, origin)
    }

    /// The name of the embedded network, or the path of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The evaluation for White in centipawns.
    pub fn value(&self, board: &Board) -> f32 {
        self.scaling.score(self.logit(board)).clamp(-MAX, MAX)
    }

    /// The number whose logistic function is the output.
    pub fn logit(&self, board: &Board) -> f32 {
        // Starting at 0 applies the ReLU.
        let mut cells = [[0.0f32; FILTERS]; CELLS];
        let mut empty = [4u8; CELLS];
        let mut pool = |cell: usize, man: usize| {
            cells[cell].iter_mut().zip(&self.filters[man]).for_each(|(most, found)| *most = most.max(*found));
        };
        for square in board.occupied() {
            let (index, piece) = (square_index(square), board.piece_at(square));
            let cell = index / 16 * 4 + index % 8 / 2;
            empty[cell] -= 1;
            pool(cell, piece.map_or(MEN, man));
        }
        (0..CELLS).filter(|cell| empty[*cell] > 0).for_each(|cell| pool(cell, MEN));
        let mut sum = self.bias;
        for (filter, weights) in self.weights.iter().enumerate() {
            sum += cells.iter().zip(weights).map(|(cell, weight)| cell[filter] * weight).sum::<f32>();
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A network whose first filter responds to White's queens, with these weights of its cells.
    fn queens(weights: [f32; CELLS], scaling: Scaling) -> ArticleNetwork {
        let mut filters = [[-1.0; FILTERS]; MEN + 1];
        filters[10][0] = 2.0;
        let mut all = [[0.0; CELLS]; FILTERS];
        all[0] = weights;
        ArticleNetwork::new("queens", filters, all, 0.25, scaling).unwrap()
    }

    #[test]
    fn each_square_belongs_to_its_cell() {
        let mut weights = [0.0; CELLS];
        (weights[0], weights[7], weights[12]) = (0.5, -0.25, 4.0);
        let network = queens(weights, Scaling::Chance);
        for (squares, logit) in [
            (&[][..], 0.25),
            (&[Square::A8][..], 1.25),
            // Two queens in a cell count as one.
            (&[Square::A8, Square::B7][..], 1.25),
            (&[Square::H5][..], -0.25),
            (&[Square::B1, Square::H6][..], 7.75),
            (&[Square::D4][..], 0.25),
        ] {
            let mut board = Board::empty();
            squares.iter().for_each(|square| {
                board.set_piece_at(*square, shakmaty::Role::Queen.of(shakmaty::Color::White))
            });
            assert_eq!(network.logit(&board), logit, "{squares:?}");
            assert_eq!(network.value(&board), 400.0 * logit);
            board.swap_colors();
            assert_eq!(network.logit(&board), 0.25, "only White's queens count");
        }
    }

    #[test]
    fn outputs_can_be_converted_to_evaluations_and_back() {
        let range = Scaling::MinMax { least: -3000.0, greatest: 3000.0 };
        assert_eq!((range.output(-3000.0), range.output(1500.0), range.output(9999.0)), (0.0, 0.75, 1.0));
        for scaling in [Scaling::Chance, range] {
            for score in [-900.0, -20.0, 0.0, 350.0] {
                let output = scaling.output(score);
                assert!(
                    (scaling.score((output / (1.0 - output)).portable_ln()) - score).abs() < 0.1,
                    "{score}"
                );
            }
        }
    }

    #[test]
    fn files_preserve_networks_and_unusable_ones_are_refused() {
        for scaling in [Scaling::Chance, Scaling::MinMax { least: -5.0, greatest: 7.0 }] {
            let network = queens([0.125; CELLS], scaling);
            let bytes = network.to_bytes(Some("a test".to_owned()));
            assert_eq!(ArticleNetwork::from_bytes("queens", &bytes).unwrap(), network);
            assert!(ArticleNetwork::from_bytes("cut", &bytes[..bytes.len() - 1]).is_err());
        }
        let network = queens([0.0; CELLS], Scaling::Chance);
        let with =
            |bias, scaling| ArticleNetwork::new("broken", network.filters, network.weights, bias, scaling);
        assert!(with(f32::NAN, Scaling::Chance).unwrap_err().to_string().contains("not a finite number"));
        let nothing = with(0.0, Scaling::MinMax { least: 1.0, greatest: 1.0 }).unwrap_err().to_string();
        assert!(nothing.contains("from 1 to 1"), "{nothing}");
        let other = include_bytes!("../../../models/evaluation.safetensors");
        let other = ArticleNetwork::from_bytes("other", other).unwrap_err().to_string();
        assert!(other.contains("a tensor filters of F32, [13, 10]"), "{other}");
    }
}
