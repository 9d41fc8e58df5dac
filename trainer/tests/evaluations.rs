//! Positions that a UCI engine labels, from games to a store.
#![cfg(unix)]

mod support;

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use entente_trainer::evaluations::{EvaluationStore, Labels};
use support::{fail, folder_with_games, succeed};
use tempfile::TempDir;

/// Writes a shell script that plays the engine: its score depends on the length of the FEN. With `mistake`, the score
/// is invalid.
fn write_engine(folder: &TempDir, mistake: bool) {
    let score = if mistake { "none" } else { "$((${#position} % 50))" };
    let text = format!(
        "#!/bin/sh\nwhile read -r line; do\ncase \"$line\" in\nuci) echo id name Fake; echo uciok;;\n\
         isready) echo readyok;;\nposition*) position=$line;;\ngo*) echo \"info score cp {score}\"; echo bestmove a1a2;;\n\
         quit) exit 0;;\nesac\ndone\n"
    );
    let path = folder.path().join("engine");
    fs::write(&path, text).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("may be run");
}

fn label(output: &str, more: &[&'static str]) -> Vec<String> {
    let engine = ["evaluations", "games.store", "--engine", "./engine", "--nodes", "5", "--per-game", "10"];
    let all = engine.iter().copied().chain(["-o", output]).chain(more.iter().copied());
    all.map(str::to_owned).collect()
}

fn run(folder: &TempDir, arguments: &[String]) -> String {
    succeed(folder, &arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

fn refuse(folder: &TempDir, arguments: &[String]) -> String {
    fail(folder, &arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn an_engine_labels_positions_the_same_on_any_number_of_cores() {
    let folder = folder_with_games(60, "", "");
    write_engine(&folder, false);
    let summary = run(&folder, &label("one.evaluations", &["--threads", "1"]));
    assert!(summary.contains("quiet positions"), "{summary}");
    run(&folder, &label("two.evaluations", &["--threads", "2"]));
    let read = |name: &str| EvaluationStore::read(&folder.path().join(name)).expect(name);
    let [one, two] = ["one.evaluations", "two.evaluations"].map(read);
    assert_eq!(one.positions, two.positions);
    assert!((200..=600).contains(&one.positions.len()), "{}", one.positions.len());
    let labels = one.description.labels.clone().expect("an engine was asked");
    assert_eq!((labels.engine.as_str(), labels.nodes, labels.games), ("Fake", 5, 60));
    // Positions from games have the result of their game.
    let played = one.positions.iter().filter(|position| position.result().is_some()).count();
    assert!((one.positions.len() / 4..one.positions.len()).contains(&played), "{played}");
    assert!(one.positions.iter().all(|position| position.score().abs() < 50 && position.is_quiet()));
    // In a joined store, each position occurs once.
    run(
        &folder,
        &["evaluations", "one.evaluations", "two.evaluations", "-o", "both.evaluations"].map(str::to_owned),
    );
    assert_eq!(read("both.evaluations").positions, one.positions);
    assert!(!Path::exists(&Labels::path(&folder.path().join("one.evaluations"))));
}

#[test]
fn a_failed_run_leaves_no_store_and_says_why() {
    let folder = folder_with_games(20, "", "");
    write_engine(&folder, true);
    let mistake = refuse(&folder, &label("out.evaluations", &[]));
    assert!(mistake.contains("--engine ./engine: expected `info … score cp N`"), "{mistake}");
    assert!(!folder.path().join("out.evaluations").exists());
    // The labels kept so far belong to these options.
    write_engine(&folder, false);
    let other = refuse(&folder, &label("out.evaluations", &["--seed", "2"]));
    assert!(other.contains("labels of another run ({\"engine\":\"Fake\",\"nodes\":5"), "{other}");
    run(&folder, &label("out.evaluations", &[]));
    let two =
        ["evaluations", "games.store", "games.store", "--engine", "./engine", "-o", "x"].map(str::to_owned);
    assert!(refuse(&folder, &two).contains("option --engine: expected one game store, found 2 files"));
    let alone = ["evaluations", "games.store", "--nodes", "5", "-o", "x"].map(str::to_owned);
    assert!(refuse(&folder, &alone).contains("--engine"));
    let share = label("x", &["--stray", "1.5"]);
    assert!(refuse(&folder, &share).contains("expected a number from 0 to 1"));
}
