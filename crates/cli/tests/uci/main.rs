//! Whole-process tests of the UCI protocol: text in, text out.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like tests")]

#[path = "../support/mod.rs"]
mod support;

mod engine;
mod generation;
mod network_play;
mod networks;
mod play;
mod session;
mod transcripts;
mod vampirc;
