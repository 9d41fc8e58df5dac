//! The output and the exit status of the command.

use std::process::{Command, Output};

use super::*;

fn trainer(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_entente-trainer")).args(arguments).current_dir(folder).output().unwrap()
}

#[test]
fn the_command_prints_the_table_and_reports_damaged_games() {
    let folder = tempfile::tempdir().unwrap();
    let bad = GOOD.replacen("2. Nf3", "2. Nf4", 1);
    fs::write(folder.path().join("games.pgn"), format!("{GOOD}{}{GOOD}", bad.repeat(25))).unwrap();
    let output = trainer(&["import", "games.pgn", "--output", "games.store"], folder.path());
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(0), "{err}");
    let count = |label: &str| {
        let line =
            out.lines().find(|line| line.trim_start().starts_with(label)).unwrap_or_else(|| panic!("{out}"));
        line.split_whitespace().last().unwrap().to_owned()
    };
    assert_eq!(
        [count("Games read"), count("illegal move"), count("Games kept"), count("Plies")],
        ["27", "25", "2", "44"]
    );
    assert!(err.contains("games.pgn: game 2: illegal move Nf4 at ply 3\n"), "{err}");
    assert!(err.contains("game 21: ") && !err.contains("game 22: "), "{err}");
    assert!(err.contains("5 more damaged games"), "{err}");
    let output = trainer(&["import", "games.pgn", "-o", "games.store", "--verbose"], folder.path());
    assert!(String::from_utf8(output.stderr).unwrap().contains("game 26: "));
}

#[test]
fn errors_end_with_status_2_and_a_message() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("empty.pgn"), "").unwrap();
    fs::write(folder.path().join("good.pgn"), GOOD).unwrap();
    for (arguments, message) in [
        (&["import", "empty.pgn", "--output", "x.store"][..], "error: no games in empty.pgn"),
        (&["import", "none.pgn", "--output", "x.store"], "error: cannot read none.pgn: No such file"),
        (&["import", "good.pgn", "empty.pgn", "--output", "x.store"], "error: no games in empty.pgn"),
        (
            &["import", "good.pgn", "--output", "none/x.store"],
            "error: cannot write none/x.store: No such file",
        ),
        (
            &["import", "good.pgn", "--output", "x.store", "--min-rating", "2000"],
            "error: read 1 game, kept none",
        ),
        (
            &["import", "good.pgn", "--output", "x.store", "--exclude-base-time", "60,x"],
            "not a number of seconds",
        ),
        (&["import", "good.pgn"], "--output"),
        (&[], "Usage"),
    ] {
        let output = trainer(arguments, folder.path());
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {err}");
        assert!(err.contains(message), "{arguments:?}: {err}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "{arguments:?}");
    }
}
