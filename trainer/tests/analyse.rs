//! The analysis of games that meet constraints, from the command line.

mod support;

use std::{collections::BTreeMap, fs, path::Path};

use support::{fail, folder_with_games, succeed, trainer};
use tempfile::TempDir;

/// All files of a folder and their content, except the report, which names the command.
fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("inside").display().to_string();
                all.insert(name, fs::read(&path).expect("a file"));
            }
        }
    }
    all.remove("report.html");
    all
}

fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect()
}

#[test]
fn two_shards_give_the_whole_analysis_and_threads_do_not_matter() {
    // More than one block of 4,096 games.
    let folder = folder_with_games(4200, "", "[Opening \"Some\"]\n[Site \"https://lichess.org/x\"]\n");
    fs::write(folder.path().join("some.txt"), "(1,2,2,2,7)\nP=7 p=7\nN@f3\nQ=0 | q=0\n").unwrap();
    let run = |output: &'static str, more: &[&'static str]| {
        let start = ["analyse", "games.store", "-c", "some.txt", "--games", "csv,parquet", "-o", output];
        succeed(&folder, &[&start[..], more].concat())
    };
    assert_eq!(run("whole", &[]).trim(), "whole/report.html");
    run("alone", &["--threads", "1"]);
    run("first", &["--shard", "1/2"]);
    run("second", &["--shard", "2/2"]);
    let merge = ["analyse", "merge", "second", "first", "--games", "csv,parquet", "-o", "merged"];
    succeed(&folder, &merge);
    let whole = content(&folder.path().join("whole"));
    for name in ["constraints.csv", "squares.csv", "games/N-f3.parquet", "plots/plies-1.svg", "summary.md"] {
        assert!(whole.contains_key(name), "{name} in {:?}", whole.keys());
    }
    for other in ["alone", "merged"] {
        let found = content(&folder.path().join(other));
        assert!(found.keys().eq(whole.keys()), "{other}");
        whole.iter().for_each(|(name, bytes)| assert!(found[name] == *bytes, "{other}/{name}"));
    }

    let missing = fail(&folder, &["analyse", "merge", "first", "-o", "other"]);
    assert!(missing.contains("shard 2/2 is missing"), "{missing}");
    let twice = fail(&folder, &["analyse", "merge", "first", "second", "first", "-o", "other"]);
    assert!(twice.contains("first: shard 1/2, the same as first"), "{twice}");
    let mixed = fail(&folder, &["analyse", "merge", "whole", "second", "-o", "other"]);
    assert!(mixed.contains("shard"), "{mixed}");
    let taken = fail(&folder, &["analyse", "games.store", "-o", "whole"]);
    assert!(taken.contains("whole exists and is not empty"), "{taken}");
}

#[test]
fn errors_are_reported_and_leave_no_files() {
    let folder = folder_with_games(30, "", "");
    let before = names(&folder);
    let refused = |arguments: &[&str], parts: &[&str]| {
        let error = fail(&folder, &[&["analyse"], arguments, &["-o", "out"]].concat());
        parts.iter().for_each(|part| assert!(error.contains(part), "{error}"));
    };
    refused(&["games.store", "-c", "no-such.txt"], &["expected thesis, all or a file", "no-such.txt"]);
    refused(&["games.store", "-c", "games.pgn"], &["games.pgn, line 1"]);
    refused(&["games.pgn"], &["games.pgn is not a game store"]);
    refused(&["."], &["cannot read ."]);
    refused(&["games.store", "--ratings", "2000..2100"], &["games.store: no game by such players"]);
    refused(&["games.store", "--ratings", "2000"], &["expected two ratings"]);
    refused(&["games.store", "--entrant", "x"], &["only for tournaments"]);
    refused(&["games.store", "--beside", "nowhere"], &["nowhere: no analysis"]);

    // A damaged block is detected before anything is written.
    let path = folder.path().join("games.store");
    let mut bytes = fs::read(&path).unwrap();
    bytes[100] ^= 0xff;
    fs::write(&path, &bytes).unwrap();
    refused(&["games.store"], &["games.store, block 1 of 1 is damaged"]);
    assert_eq!(names(&folder), before);
}

#[test]
fn two_analyses_can_be_compared() {
    let folder = folder_with_games(200, "", "");
    let analyse = |output: &'static str, more: &[&'static str]| {
        succeed(&folder, &[&["analyse", "games.store", "-o", output], more].concat())
    };
    analyse("one", &[]);
    analyse("two", &["--beside", "one", "--scale", "fide"]);
    let page = fs::read_to_string(folder.path().join("two/report.html")).expect("a page");
    assert!(
        page.contains("Comparison: people and people (second analysis)") && page.contains("<title>c1 "),
        "no maps"
    );
    let damaged = folder.path().join("one/analysis.json.zst");
    fs::write(&damaged, b"nothing").unwrap();
    let arguments = ["analyse", "games.store", "-o", "three", "--beside", "one"];
    let error = fail(&folder, &arguments);
    assert!(error.contains("analysis.json.zst: damaged"), "{error}");
    assert!(trainer(&folder, &["analyse", "--help"]).status.success());
}
