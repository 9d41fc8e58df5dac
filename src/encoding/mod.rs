//! Boards to planes: what a network sees. Training and playing use the same functions.

pub mod thesis;
