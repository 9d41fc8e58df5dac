use tch::Tensor;

use super::{Architecture, Layer, Parameters};

/// Computes the logits `[batch]` for `planes` [batch, 17, 8, 8], with the layers as published, in 32-bit arithmetic.
///
/// The sigmoid of a logit is the satisfaction value.
pub fn forward(architecture: &Architecture, parameters: &Parameters, planes: &Tensor) -> Tensor {
    tch::no_grad(|| {
        let mut trained = 0;
        let mut flow = planes.shallow_clone();
        for layer in architecture.layers() {
            let mut next = || {
                trained += 1;
                (parameters.published_weight(trained - 1), parameters.bias(trained - 1))
            };
            flow = match layer {
                Layer::Conv2d { .. } => {
                    let (weight, bias) = next();
                    flow.conv2d(&weight, Some(&bias), 1, 0, 1, 1)
                }
                Layer::Linear { .. } => {
                    let (weight, bias) = next();
                    flow.linear(&weight, Some(&bias))
                }
                Layer::Relu => flow.relu(),
                Layer::MaxPool => flow.max_pool2d(2, 2, 0, 1, false),
                Layer::Flatten => flow.flatten(1, -1),
            };
        }
        flow.squeeze_dim(1)
    })
}
