//! The evaluation network of the article on Monte Carlo playouts: small, and blind to what men do together.

use std::sync::{Arc, LazyLock};

use safetensors::Dtype;
use shakmaty::{Board, Piece, Square};

use super::{
    EvaluationError,
    file::{self, Declared},
};

/// Planes of the board, one for each kind of man.
pub const MEN: usize = 12;
/// Filters of the convolution.
pub const FILTERS: usize = 10;
/// Squares of 2 × 2 that are pooled.
pub const CELLS: usize = 16;
/// What batch normalisation adds to variances (Keras's).
pub const EPSILON: f64 = 1e-3;

/// The plane of a man: Black's pawn, knight, bishop, rook, queen and king, then White's.
pub fn man(piece: Piece) -> usize {
    piece.color.fold_wb(6, 0) + piece.role as usize - 1
}

/// Where a square is in a plane: a8 first, then b8, as in a FEN.
pub fn square_index(square: Square) -> usize {
    square.flip_vertical().to_usize()
}

/// What the output of the network, between 0 and 1, stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scaling {
    /// White's chance to win, 1/(1 + e^(−s/[`SCALE`](super::SCALE))) for a score s.
    Chance,
    /// As in the article: where the score lies between the least and the greatest.
    MinMax {
        /// In hundredths of a pawn.
        least: f32,
        /// In hundredths of a pawn, above `least`.
        greatest: f32,
    },
}

impl Scaling {
    /// The output that stands for a score for White.
    pub fn output(self, score: f32) -> f32 {
        match self {
            Scaling::Chance => logistic(score / super::SCALE as f32),
            Scaling::MinMax { least, greatest } => ((score - least) / (greatest - least)).clamp(0.0, 1.0),
        }
    }

    /// The score for White that an output stands for, which is the logistic function of `logit`.
    pub fn score(self, logit: f32) -> f32 {
        match self {
            Scaling::Chance => super::SCALE as f32 * logit,
            Scaling::MinMax { least, greatest } => least + (greatest - least) * logistic(logit),
        }
    }
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// A 1×1 convolution of 12 planes with 10 filters, rectified; the greatest of each 2×2 squares; batch normalisation and
/// a fully connected layer, which are one here; a sigmoid. It sees the men, but not whose turn it is.
#[derive(Clone, Debug, PartialEq)]
pub struct ArticleNetwork {
    name: String,
    /// What the filters say of each man, and of no man, before they are rectified.
    filters: [[f32; FILTERS]; MEN + 1],
    /// For each filter the weight of each cell.
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
/// One more where the output was scaled as in the article: the least and the greatest score.
const RANGE: Declared = ("range", Dtype::F32, &[2]);

/// No score is further from 0, whatever the weights.
const MOST: f32 = 10_000.0;

/// The network in the program.
static EMBEDDED: LazyLock<Arc<ArticleNetwork>> = LazyLock::new(|| {
    let bytes = ArticleNetwork::EMBEDDED;
    Arc::new(
        ArticleNetwork::from_bytes("evaluation-article", bytes).expect("a sound network, which tests read"),
    )
});

impl ArticleNetwork {
    /// The content of the network in the program.
    pub const EMBEDDED: &'static [u8] = include_bytes!("../../../models/evaluation-article.safetensors");

    /// The network in the program.
    pub fn embedded() -> Arc<ArticleNetwork> {
        Arc::clone(&EMBEDDED)
    }

    /// A network of what the filters say of each [`man`], and last of an empty square; of the weights of each filter's
    /// cells, from a8 and b8's to h1's; and of the last layer's bias.
    ///
    /// # Errors
    /// [`EvaluationError::Useless`] if a number is not finite, or there is nothing between the least and the greatest score.
    pub fn new(
        name: &str,
        filters: [[f32; FILTERS]; MEN + 1],
        weights: [[f32; CELLS]; FILTERS],
        bias: f32,
        scaling: Scaling,
    ) -> Result<ArticleNetwork, EvaluationError> {
        let mut numbers = filters.as_flattened().iter().chain(weights.as_flattened()).chain([&bias]);
        if !numbers.all(|number| number.is_finite()) {
            return Err(EvaluationError::useless(name, "a weight is no finite number"));
        }
        if let Scaling::MinMax { least, greatest } = scaling
            && !(least < greatest && (greatest - least).is_finite())
        {
            let reason = format!("its scores range from {least} to {greatest}");
            return Err(EvaluationError::useless(name, reason));
        }
        Ok(ArticleNetwork { name: name.to_owned(), filters, weights, bias, scaling })
    }

    /// Reads a safetensors file.
    ///
    /// # Errors
    /// [`EvaluationError::Useless`] if it is none or its numbers are useless; [`EvaluationError::Shape`] if it has other tensors.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<ArticleNetwork, EvaluationError> {
        let file = file::parse(name, bytes)?;
        let numbers = |declared| -> Result<Vec<f32>, EvaluationError> {
            let bytes = file::tensor(name, &file, declared)?;
            Ok(bytes.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four)).collect())
        };
        let [filters, weights, bias] = TENSORS.map(numbers);
        let filters = filters?.as_chunks().0.try_into().expect("as many as declared");
        let weights = weights?.as_chunks().0.try_into().expect("as many as declared");
        let scaling = if file.tensor(RANGE.0).is_ok() {
            let range = numbers(RANGE)?;
            Scaling::MinMax { least: range[0], greatest: range[1] }
        } else {
            Scaling::Chance
        };
        ArticleNetwork::new(name, filters, weights, bias?[0], scaling)
    }

    /// The file that [`ArticleNetwork::from_bytes`] reads; `origin` says in it how the network was made.
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

    /// The embedded name or the path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What White has, in hundredths of a pawn.
    pub fn value(&self, board: &Board) -> f32 {
        self.scaling.score(self.logit(board)).clamp(-MOST, MOST)
    }

    /// The number whose logistic function is the output.
    pub fn logit(&self, board: &Board) -> f32 {
        // Rectified already: nothing is below 0.
        let mut cells = [[0.0f32; FILTERS]; CELLS];
        let mut empty = [4u8; CELLS];
        let mut see = |cell: usize, man: usize| {
            cells[cell].iter_mut().zip(&self.filters[man]).for_each(|(most, found)| *most = most.max(*found));
        };
        for square in board.occupied() {
            let (index, piece) = (square_index(square), board.piece_at(square));
            let cell = index / 16 * 4 + index % 8 / 2;
            empty[cell] -= 1;
            see(cell, piece.map_or(MEN, man));
        }
        (0..CELLS).filter(|cell| empty[*cell] > 0).for_each(|cell| see(cell, MEN));
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

    /// A network whose first filter sees White's queens, on the cells with this weight.
    fn queens(weights: [f32; CELLS], scaling: Scaling) -> ArticleNetwork {
        let mut filters = [[-1.0; FILTERS]; MEN + 1];
        filters[10][0] = 2.0;
        let mut all = [[0.0; CELLS]; FILTERS];
        all[0] = weights;
        ArticleNetwork::new("queens", filters, all, 0.25, scaling).unwrap()
    }

    #[test]
    fn cells_are_seen_where_they_are() {
        let mut weights = [0.0; CELLS];
        (weights[0], weights[7], weights[12]) = (0.5, -0.25, 4.0);
        let network = queens(weights, Scaling::Chance);
        for (squares, logit) in [
            (&[][..], 0.25),
            (&[Square::A8][..], 1.25),
            // Two in a cell are as one.
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
            assert_eq!(network.logit(&board), 0.25, "only White's count");
        }
    }

    #[test]
    fn outputs_stand_for_scores_and_back() {
        let range = Scaling::MinMax { least: -3000.0, greatest: 3000.0 };
        assert_eq!((range.output(-3000.0), range.output(1500.0), range.output(9999.0)), (0.0, 0.75, 1.0));
        for scaling in [Scaling::Chance, range] {
            for score in [-900.0, -20.0, 0.0, 350.0] {
                let output = scaling.output(score);
                assert!((scaling.score((output / (1.0 - output)).ln()) - score).abs() < 0.1, "{score}");
            }
        }
    }

    #[test]
    fn files_keep_networks_and_useless_ones_are_refused() {
        for scaling in [Scaling::Chance, Scaling::MinMax { least: -5.0, greatest: 7.0 }] {
            let network = queens([0.125; CELLS], scaling);
            let bytes = network.to_bytes(Some("a test".to_owned()));
            assert_eq!(ArticleNetwork::from_bytes("queens", &bytes).unwrap(), network);
            assert!(ArticleNetwork::from_bytes("cut", &bytes[..bytes.len() - 1]).is_err());
        }
        let network = queens([0.0; CELLS], Scaling::Chance);
        let with =
            |bias, scaling| ArticleNetwork::new("broken", network.filters, network.weights, bias, scaling);
        assert!(with(f32::NAN, Scaling::Chance).unwrap_err().to_string().contains("no finite number"));
        let nothing = with(0.0, Scaling::MinMax { least: 1.0, greatest: 1.0 }).unwrap_err().to_string();
        assert!(nothing.contains("from 1 to 1"), "{nothing}");
        let other = include_bytes!("../../../models/evaluation.safetensors");
        let other = ArticleNetwork::from_bytes("other", other).unwrap_err().to_string();
        assert!(other.contains("a tensor filters of F32, [13, 10]"), "{other}");
    }
}
