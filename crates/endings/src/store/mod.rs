//! Tables as files.

mod file;
mod folder;

pub(crate) use file::decode;
#[cfg(test)]
pub(crate) use file::encode;
pub use folder::{Store, StoredTable};
