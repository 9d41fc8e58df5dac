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

#[test]
fn play_begins_with_an_exercise_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let chapter = |fen: &str, moves: &str| format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{moves} *\n\n");
    let study = chapter("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 31", "31. Ra8#")
        + &chapter("8/8/8/8/8/1k6/7r/K7 b - - 0 40", "40... Rh1#")
        + "[Event \"x\"]\n\n1. e4 e5 2. Nf3 *\n\n";
    fs::write(path("study.pgn"), study).unwrap();
    fs::write(path("list.epd"), "6k1/5ppp/8/8/8/8/8/R5K1 w - - id \"x\";\n").unwrap();
    let play = |file: &str, number: &[&str], input: &str| {
        run(&[&["play", "--from", &path(file)], number].concat(), None, input)
    };
    for (file, number, first, you) in [
        ("study.pgn", &["1"][..], "Ra8#\n", "You play White"),
        ("study.pgn", &[], "Ra8#\n", "You play White"),
        ("study.pgn", &["2"], "Rh1#\n", "You play Black"),
        ("list.epd", &["1"], "Ra8#\n", "You play White"),
    ] {
        let output = play(file, number, first);
        let shown = text(&output.stdout);
        assert!(output.status.success(), "{output:?}");
        assert!(shown.starts_with(you) && shown.contains("checkmate"), "{file} {number:?}: {shown}");
    }
    // A whole game is played on from its end.
    let shown = text(&play("study.pgn", &["3"], "Nc6\nquit\n").stdout);
    assert!(
        shown.starts_with("You play Black") && shown.contains("2... Nc6") || shown.contains("3. "),
        "{shown}"
    );
    for (file, number, reason) in [
        ("study.pgn", &["4"][..], "study.pgn 4: the file has no game with this number, of 3"),
        ("study.pgn", &["0"], "study.pgn 0: expected the number of a position, 1 or more"),
        ("list.epd", &["2"], "list.epd 2: the file has no position with this number, of 1"),
        ("missing.pgn", &[], "missing.pgn"),
    ] {
        let output = play(file, number, "");
        assert!(!output.status.success() && text(&output.stderr).contains(reason), "{output:?}");
    }
}

#[cfg(not(feature = "mcp"))]
#[test]
fn a_build_without_the_server_for_language_models_names_the_feature() {
    let output = run(&["mcp"], None, "");
    assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(2), true));
    assert!(text(&output.stderr).contains("--features mcp"), "{}", text(&output.stderr));
}
