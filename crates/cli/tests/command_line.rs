//! The rest of the command line: perft, bench, and the log.

use std::{
    fs,
    io::{self, Write},
    process::{Command, Output, Stdio},
};

/// Runs the program with `arguments`, `log` as RUST_LOG, and `input`.
fn run(arguments: &[&str], log: Option<&str>, input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_entente"));
    command.args(arguments).env_remove("RUST_LOG");
    if let Some(log) = log {
        command.env("RUST_LOG", log);
    }
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().expect("it starts");
    // The program may have ended because of its arguments before it read any input.
    match child.stdin.take().expect("piped").write_all(input.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => panic!("{error}"),
        _ => {}
    }
    child.wait_with_output().expect("it ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

#[test]
fn perft_counts_the_leaves_of_any_position() {
    let last = |arguments: &[&str]| {
        let output = run(arguments, None, "");
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        text(&output.stdout).lines().last().unwrap().split(' ').nth(1).unwrap().to_owned()
    };
    assert_eq!(last(&["perft", "4"]), "197281");
    assert_eq!(last(&["perft", "5", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"]), "674624");
    for (arguments, reason) in [
        (&["perft", "0"][..], "expected a whole number from 1 to 12"),
        (&["perft", "2", "nonsense"], "FEN \"nonsense\": expected the FEN of a legal position"),
        (&["perft", "2", "8/8/8/8/8/8/8/8 w - - 0 1"], "illegal position: empty board, missing king\n"),
    ] {
        let output = run(arguments, None, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(reason), "{}", text(&output.stderr));
    }
}

#[test]
fn bench_counts_the_same_nodes_with_any_number_of_threads() {
    let nodes = |threads: &str| {
        let output = run(&["bench", "--games", "1", "--threads", threads], None, "");
        let stdout = text(&output.stdout);
        let last = stdout.lines().last().unwrap().to_owned();
        assert!(last.starts_with("Bench: ") && last.ends_with(" nps"), "{stdout}");
        last.split(' ').nth(1).unwrap().to_owned()
    };
    assert_eq!(nodes("1"), nodes("2"));
}

#[test]
fn input_and_output_are_appended_to_the_log_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("entente.log");
    let name = file.display().to_string();
    for _ in 0..2 {
        let output = run(&["--log-file", &name], None, "isready\njoho\nquit\n");
        let stdout = text(&output.stdout);
        let mut lines: Vec<&str> = stdout.lines().collect();
        // The order is not determined: the engine may get ready before or after it reads the other line.
        lines.sort_unstable();
        let [note, "readyok"] = lines[..] else { panic!("{stdout}") };
        assert!(note.starts_with("info string unknown command: joho; try "), "{note}");
        assert_eq!(text(&output.stderr), "");
    }
    let log = fs::read_to_string(&file).unwrap();
    for line in ["< isready", "> readyok", "< joho", "< quit"] {
        assert_eq!(log.lines().filter(|logged| logged.ends_with(line)).count(), 2, "{line}: {log}");
    }
    // RUST_LOG does not reduce the log.
    for log in ["", "off", "warn", "tract=info"] {
        let name = folder.path().join(format!("{log}.log")).display().to_string();
        run(&["--log-file", &name], Some(log), "isready\nquit\n");
        assert!(fs::read_to_string(&name).unwrap().contains("> readyok"), "{log}");
    }
    // The same with a subcommand. A file that cannot be written is an error before any output.
    let output = run(&["uci", "--log-file", &folder.path().display().to_string()], None, "uci\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty() && text(&output.stderr).contains("--log-file"), "{output:?}");
}

#[test]
fn nothing_is_logged_by_default() {
    let errors = |log| text(&run(&[], log, "isready\nquit\n").stderr);
    assert_eq!(errors(None), "");
    let logged = errors(Some("entente=debug"));
    assert!(logged.contains("> readyok") && !logged.contains("tract"), "{logged}");
}
