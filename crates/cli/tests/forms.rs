//! Every form of the vectors gives the same games and data sets, byte by byte.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like tests")]

use std::{collections::BTreeMap, fs, path::Path, process::Command};

use serde_json::Value;

/// The forms, of which a processor takes the best that it has.
const FORMS: [&str; 3] = ["avx512", "avx2", "portable"];

fn entente(form: &str, arguments: &[&str], folder: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_entente"));
    command.args(arguments).current_dir(folder).env("ENTENTE_VECTORS", form);
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{form}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The games as lines of JSON, without the time that they took.
fn games(form: &str, arguments: &[&str]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [&["generate"], arguments, &["--seed", "11", "--format", "jsonl"]].concat();
    let lines = entente(form, &arguments, folder.path());
    let line = |line: &str| {
        let mut game: Value = serde_json::from_str(line).unwrap();
        game.as_object_mut().unwrap().remove("seconds").expect("each game says how long it took");
        game
    };
    lines.lines().map(line).collect()
}

/// The files of a data set.
fn data_set(form: &str) -> BTreeMap<&'static str, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let plan = "[dataset]\npositions = 2\nconstraints = [\"Q=0 q=0\", \"N@f5\"]\nratings = [1200]\nrealism = \"fast\"\n";
    fs::write(folder.path().join("plan.toml"), plan).unwrap();
    entente(form, &["dataset", "plan.toml", "--output", "set"], folder.path());
    // The other files say how long it took.
    let files = ["positions.jsonl", "positions.parquet", "dataset.json"];
    files.into_iter().map(|name| (name, fs::read(folder.path().join("set").join(name)).unwrap())).collect()
}

#[test]
fn all_forms_give_the_same_games() {
    let kinds: [&[&str]; 4] = [
        &["(1,2,1,1,7)", "--elo", "1500"],
        &["Q=0 q=0", "--realism", "fast", "--count", "4"],
        &["(1,2,2,2,7)", "--method", "negamax", "--evaluator", "network", "--count", "2"],
        &["eval=100..200 quiet ply<=40", "--realism", "fast", "--judge-nodes", "2000"],
    ];
    for arguments in kinds {
        let [best, middle, portable] = FORMS.map(|form| games(form, arguments));
        assert!(!best.is_empty());
        assert_eq!(best, middle, "{arguments:?}");
        assert_eq!(best, portable, "{arguments:?}");
    }
}

#[test]
fn all_forms_give_the_same_data_set() {
    let [best, middle, portable] = FORMS.map(data_set);
    assert!(best["positions.jsonl"].len() > 100);
    assert!(best == middle && best == portable);
}
