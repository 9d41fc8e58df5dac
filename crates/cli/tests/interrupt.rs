//! Ctrl-C ends every command with status 130, and keeps what was found.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like tests")]

#[path = "support/system.rs"]
mod system;

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use system::Interrupt;

/// A command whose input stays open, so that only an interrupt can end it.
fn start(arguments: &[&str], input: &str) -> Child {
    let mut child = Command::new(env!("CARGO_BIN_EXE_entente"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.as_mut().unwrap().write_all(input.as_bytes()).unwrap();
    child
}

/// Interrupts a command and returns its exit status, what is left of its output, and its messages.
fn interrupt(mut child: Child) -> (Option<i32>, String, String) {
    system::interrupt(&child, Interrupt::CtrlC);
    // The signal arrives before the input ends.
    thread::sleep(Duration::from_millis(200));
    drop(child.stdin.take());
    let output = child.wait_with_output().unwrap();
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (output.status.code(), stdout, stderr)
}

#[test]
fn check_says_how_far_it_came() {
    let mut child = start(&["check", "ply=1", "--pgn", "-"], &"[Event \"a\"]\n\n1. e4 *\n\n".repeat(3000));
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    output.read_line(&mut first).unwrap();
    assert!(first.starts_with("game 1 ply 1 e4 fen "), "{first}");
    let rest = thread::spawn(move || {
        let mut rest = String::new();
        output.read_to_string(&mut rest).unwrap();
        rest
    });
    let (status, _, messages) = interrupt(child);
    let found = rest.join().unwrap().lines().count() + 1;
    assert_eq!(status, Some(130), "{messages}");
    let positions = if found == 1 { "position" } else { "positions" };
    assert!(messages.starts_with(&format!("stopped: {found} {positions} in ")), "{found}: {messages}");
}

#[test]
fn policy_writes_the_rows_so_far_and_leaves_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rows.jsonl");
    let arguments = ["policy", "-", "--skill", "false", "--moves", "1", "--output", file.to_str().unwrap()];
    let child = start(&arguments, &"8/8/8/8/8/8/k7/2K4R w - - 0 1\n".repeat(2000));
    let is_begun = || {
        let entries = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap());
        entries.into_iter().any(|entry| entry.metadata().is_ok_and(|metadata| metadata.len() > 0))
    };
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_begun() {
        assert!(Instant::now() < deadline, "nothing is written");
        thread::sleep(Duration::from_millis(5));
    }
    let (status, _, messages) = interrupt(child);
    assert_eq!(status, Some(130), "{messages}");
    let rows = fs::read_to_string(&file).unwrap().lines().count();
    assert!(rows >= 64 && messages.starts_with(&format!("stopped: {rows} positions in ")), "{messages}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
