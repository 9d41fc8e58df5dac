//! An empty crate. Only its manifest matters.
