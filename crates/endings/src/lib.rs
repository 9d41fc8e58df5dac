#![doc = include_str!("../README.md")]

mod build;
mod embedded;
mod endings;
mod error;
mod layout;
mod lookup;
mod material;
mod men;
mod pawns;
mod prepare;
mod squares;
mod store;
mod syzygy;
mod table;
mod wdl;

pub use shakmaty;
pub use shakmaty_syzygy;

pub use endings::Endings;
pub use error::EndingsError;
pub use material::{MAX_MEN, Material, MaterialError};
pub use prepare::{MEMORY_LIMIT, Prepared, Progress, Requirements};
pub use store::{Store, StoredTable};
pub use syzygy::syzygy_folders;
pub use wdl::Wdl;
