//! Architectures of networks. Each is described once, and the forward pass, the gradients and the ONNX graph follow
//! from this description.

mod architecture;
mod counting;
mod forward;
mod gradient;
mod layer;
mod parameters;
pub mod tower;
pub mod weights;
mod window;

pub use architecture::{Architecture, NetworkError};
pub use forward::forward;
pub use gradient::{Precision, write_gradients};
pub use layer::{Layer, ParameterShape, Shape};
pub use parameters::Parameters;
