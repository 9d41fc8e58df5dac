use tch::{Kind, Tensor};

use super::{Graph, Outputs, Tower};
use crate::network::{
    Precision,
    weights::{Init, Weights},
};

/// Runs a tower on tensors, with gradients if its weights require them.
///
/// Planes have their channels last in memory and the given precision. Rows have 32 bits.
pub struct Compute {
    exact: std::vec::IntoIter<Tensor>,
    rounded: std::vec::IntoIter<Tensor>,
    kind: Kind,
    /// `[batch]`: for each sample, the origin square whose action values are computed; `None` for all.
    origins: Option<Tensor>,
}

impl Compute {
    /// Computes the outputs for `planes` [batch, PLANES, 8, 8] and `features` [batch, FEATURES]. The tower reads only
    /// the first [`Tower::planes`] planes. The logits of moves have `precision`, the other outputs 32 bits.
    ///
    /// With `origins` `[batch]`, squares from the mover's point of view, action values are computed only for the moves
    /// from these squares.
    pub fn outputs(
        tower: &Tower,
        weights: &Weights,
        planes: &Tensor,
        features: &Tensor,
        origins: Option<&Tensor>,
        precision: Precision,
    ) -> Outputs<Tensor> {
        let kind = precision.kind();
        let mut compute = Compute {
            exact: weights.tensors(Kind::Float).into_iter(),
            rounded: weights.tensors(kind).into_iter(),
            kind,
            origins: origins.map(Tensor::shallow_clone),
        };
        let planes = planes
            .narrow(1, 0, tower.planes)
            .to_kind(kind)
            .permute([0, 2, 3, 1])
            .contiguous()
            .permute([0, 3, 1, 2]);
        tower.build(&mut compute, &planes, features)
    }

    /// The next weights, rounded if they are for planes.
    fn next(&mut self, rounded: bool) -> Tensor {
        let (exact, other) = (self.exact.next(), self.rounded.next());
        if rounded { other } else { exact }.expect("as many weights as layers")
    }

    fn channels(&self, row: &Tensor) -> Tensor {
        let size = row.size();
        row.to_kind(self.kind).view([size[0], size[1], 1, 1])
    }
}

impl Graph for Compute {
    type Flow = Tensor;

    fn conv(&mut self, planes: &Tensor, _: i64, _: i64, kernel: i64, _: Init) -> Tensor {
        let (weight, bias) = (self.next(true), self.next(true));
        planes.conv2d(&weight, Some(&bias), 1, kernel / 2, 1, 1)
    }

    fn linear(&mut self, row: &Tensor, _: i64, _: i64, _: Init) -> Tensor {
        let (weight, bias) = (self.next(false), self.next(false));
        row.linear(&weight, Some(&bias))
    }

    fn square_bias(&mut self, planes: &Tensor, _: i64) -> Tensor {
        let bias = self.next(true);
        planes + bias
    }

    fn relu(&mut self, flow: &Tensor) -> Tensor {
        flow.relu()
    }

    fn sigmoid(&mut self, flow: &Tensor) -> Tensor {
        flow.sigmoid()
    }

    fn add(&mut self, left: &Tensor, right: &Tensor) -> Tensor {
        left + right
    }

    fn add_channels(&mut self, planes: &Tensor, row: &Tensor) -> Tensor {
        planes + self.channels(row)
    }

    fn multiply_channels(&mut self, planes: &Tensor, row: &Tensor) -> Tensor {
        planes * self.channels(row)
    }

    fn mean(&mut self, planes: &Tensor) -> Tensor {
        planes.mean_dim([2i64, 3].as_slice(), false, Kind::Float)
    }

    fn flatten(&mut self, planes: &Tensor) -> Tensor {
        planes.flatten(1, -1).to_kind(Kind::Float)
    }

    fn of_interest(&mut self, planes: &Tensor) -> Tensor {
        let Some(origins) = &self.origins else { return planes.shallow_clone() };
        let size = planes.size();
        let squares = planes.permute([0, 2, 3, 1]).reshape([size[0] * 64, size[1]]);
        let rows = Tensor::arange(size[0], (Kind::Int64, planes.device())) * 64 + origins;
        squares.index_select(0, &rows).view([size[0], size[1], 1, 1])
    }

    fn moves(&mut self, planes: &Tensor) -> Tensor {
        planes.permute([0, 2, 3, 1]).flatten(1, -1)
    }
}
