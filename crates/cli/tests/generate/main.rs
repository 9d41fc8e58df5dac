//! `entente generate` and `entente bench` as a user runs them.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like tests")]

mod files;
mod input;
#[cfg(unix)]
mod interrupted;
mod judged;
mod policy;
mod practice;
mod results;
#[path = "../support/mod.rs"]
mod support;
#[path = "../support/system.rs"]
mod system;

use std::{
    fs,
    path::Path,
    process::{Child, Command, Output, Stdio},
};

fn entente(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_entente")).args(arguments).output().expect("the program starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("results are UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A running program with its output piped.
fn start(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_entente"))
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("text")).collect()
}

/// JSON lines without the fields that depend on the machine's speed.
fn without_times(output: &Output) -> Vec<serde_json::Value> {
    stdout(output)
        .lines()
        .map(|line| {
            let mut value: serde_json::Value = serde_json::from_str(line).expect(line);
            value.as_object_mut().expect("an object a line").remove("seconds").expect("there is a time");
            value
        })
        .collect()
}
