//! The trainer as a process, from PGN to a measured ONNX file.

mod support;

use std::{fs, path::Path};

use entente_trainer::training::{CHECKPOINT, Checkpoint, satisfaction::Satisfaction};
use support::{fail, folder_with_games, succeed};
use tch::Device;

const RECIPE: &str = r#"
kind = "satisfaction"
network = "thesis-1"
constraints = "thesis-7"
pairs_per_epoch = 1_600
epochs = 1
batch = 16
patience = 3
ahead = [0.25, 0.75]
validation_pairs = 200
seed = 1
"#;

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort();
    names
}

#[test]
fn a_recipe_becomes_a_measured_network_and_a_finished_run_can_be_trained_further() {
    let folder = folder_with_games(120, RECIPE, "");
    let train = ["train", "recipe.toml", "--store", "games.store", "--output", "run"];
    assert_eq!(succeed(&folder, &train).trim(), "run/thesis-1.onnx");
    let run = folder.path().join("run");
    let expected = ["checkpoint.safetensors", "loss.svg", "metrics.csv", "thesis-1.md", "thesis-1.onnx"];
    assert_eq!(names(&run), expected, "no temporary file is left");
    let card = fs::read_to_string(run.join("thesis-1.md")).expect("a card");
    for part in [
        "thesis-1.onnx",
        "1600 (position, constraint) pairs",
        "validation loss",
        "(0,2,2,2,7)",
        "\nentente-trainer train recipe.toml --store games.store --output run\n",
    ] {
        assert!(card.contains(part), "{part} in {card}");
    }
    // The card has the command that measures its figures for the test split.
    let measured = card.lines().find(|line| line.starts_with("| uniform |")).expect("figures");
    let command = card.lines().find(|line| line.starts_with("entente-trainer evaluate")).expect("a command");
    let words: Vec<&str> = command.split(' ').skip(3).collect();
    let table = succeed(&folder, &[&["evaluate", "run/thesis-1.onnx"], &words[..]].concat());
    let all: Vec<&str> = table.lines().last().expect("a row").split_whitespace().skip(1).collect();
    assert_eq!(measured, format!("| uniform | {} |", all.join(" | ")));
    assert!(fail(&folder, &train).contains("--resume"), "a run is not overwritten");

    fs::write(folder.path().join("recipe.toml"), RECIPE.replace("epochs = 1", "epochs = 2"))
        .expect("written");
    succeed(&folder, &[&train[..], &["--resume"]].concat());
    let metrics = fs::read_to_string(run.join("metrics.csv")).expect("metrics");
    let epochs: Vec<&str> =
        metrics.lines().skip(1).map(|line| line.split(',').next().expect("a cell")).collect();
    assert_eq!(epochs, ["1.0", "2.0"]);

    let evaluate =
        ["evaluate", "run/thesis-1.onnx", "games.store", "--constraints", "thesis-7", "--pairs", "300"];
    let table = succeed(&folder, &[&evaluate[..], &["--split", "test"]].concat());
    assert_eq!(table.lines().count(), 9, "{table}");
    assert_eq!(table, succeed(&folder, &[&evaluate[..], &["--split", "test", "--threads", "3"]].concat()));

    let export = ["export", "run/checkpoint.safetensors", "--store", "games.store", "--output", "best.onnx"];
    succeed(&folder, &export);
    let bytes = |name: &str| fs::read(folder.path().join(name)).expect(name);
    assert_eq!(bytes("best.onnx"), bytes("run/thesis-1.onnx"), "the same network gives the same file");
}

#[test]
fn the_files_of_the_best_network_do_not_change_until_there_is_a_better_one() {
    let folder = folder_with_games(120, RECIPE, "");
    let train = ["train", "recipe.toml", "--store", "games.store", "--output", "run"];
    succeed(&folder, &train);
    // Pretend that it was trained on another day, and so well that no later network is better.
    let path = folder.path().join("run").join(CHECKPOINT);
    let mut checkpoint = Checkpoint::<Satisfaction>::read(&path, Device::Cpu).expect("a checkpoint");
    let best = checkpoint.progress.best.as_mut().expect("a validation");
    assert!(best.test.is_some());
    best.origin.date = "2001-02-03".to_owned();
    best.measures.score.loss = 1e-9;
    checkpoint.write(&path).expect("written");

    let bytes = |name: &str| fs::read(folder.path().join(name)).expect(name);
    let resume = [&train[..], &["--resume"]].concat();
    succeed(&folder, &resume);
    let (card, network) = (bytes("run/thesis-1.md"), bytes("run/thesis-1.onnx"));
    assert!(String::from_utf8_lossy(&card).contains("| date | 2001-02-03 |"));
    let export = ["export", "run/checkpoint.safetensors", "--store", "games.store", "--output", "best.onnx"];
    succeed(&folder, &export);
    assert_eq!(bytes("best.onnx"), network);

    fs::write(folder.path().join("recipe.toml"), RECIPE.replace("epochs = 1", "epochs = 2"))
        .expect("written");
    succeed(&folder, &[&resume[..], &["--save-minutes", "1"]].concat());
    let after = Checkpoint::<Satisfaction>::read(&path, Device::Cpu).expect("a checkpoint").progress;
    assert_eq!((after.steps, after.best.map(|best| best.steps)), (200, Some(100)));
    assert!(card == bytes("run/thesis-1.md") && network == bytes("run/thesis-1.onnx"), "the run continued");
}

#[test]
fn a_run_without_a_validation_is_saved_and_has_no_best_weights_to_export() {
    let folder = folder_with_games(120, RECIPE, "");
    let train = ["train", "recipe.toml", "--store", "games.store", "--output", "run", "--max-minutes", "0"];
    assert_eq!(succeed(&folder, &train), "");
    assert_eq!(names(&folder.path().join("run")), [CHECKPOINT]);
    let export = ["export", "run/checkpoint.safetensors", "--store", "games.store", "--output"];
    assert!(fail(&folder, &[&export[..], &["best.onnx"]].concat()).contains("--weights average"));
    succeed(&folder, &[&export[..], &["last.onnx", "--weights", "last"]].concat());
    let message = fail(&folder, &[&export[..], &["games.store", "--weights", "last"]].concat());
    assert!(message.contains("games.store is an input"), "{message}");
    assert!(!succeed(&folder, &[&train[..6], &["--resume"]].concat()).is_empty());
}

#[test]
fn a_problem_with_the_folder_is_reported_before_the_games_are_read() {
    let folder = folder_with_games(60, RECIPE, "");
    // Change a byte of the last block, so that reading the games would fail.
    let store = folder.path().join("games.store");
    let mut bytes = fs::read(&store).expect("a store");
    bytes[200] ^= 1;
    fs::write(&store, &bytes).expect("written");
    let train = |output: &'static str| ["train", "recipe.toml", "--store", "games.store", "--output", output];
    assert!(fail(&folder, &train("run")).contains("block 1 of 1"));
    let message = fail(&folder, &[&train("run")[..], &["--resume"]].concat());
    assert!(message.contains("checkpoint.safetensors"), "{message}");
    let message = fail(&folder, &train("games.pgn/run"));
    assert!(message.contains("cannot make the folder games.pgn/run"), "{message}");
}

#[test]
fn a_selection_without_games_is_reported() {
    let folder = folder_with_games(120, RECIPE, "");
    fs::write(folder.path().join("recipe.toml"), format!("{RECIPE}games = \"club\"\n")).expect("written");
    let message = fail(&folder, &["train", "recipe.toml", "--store", "games.store", "--output", "run"]);
    for part in ["\"club\" has none of the", "training split", "\"all\" has every game"] {
        assert!(message.contains(part), "{part} in {message}");
    }
}

#[test]
fn mistakes_are_reported_and_leave_no_files() {
    let folder = folder_with_games(3, RECIPE, "");
    let train = ["train", "recipe.toml", "--store", "games.store", "--output", "run"];
    let message = fail(&folder, &train);
    assert!(message.contains("has no games"), "{message}");

    fs::write(folder.path().join("recipe.toml"), format!("{RECIPE}momentum = 0.9\n")).expect("written");
    let message = fail(&folder, &train);
    assert!(message.contains("recipe.toml") && message.contains("momentum"), "{message}");

    let message = fail(&folder, &["train", "missing.toml", "--store", "games.store", "--output", "run"]);
    assert!(message.contains("missing.toml"), "{message}");
    // It was created before the games were read, to check that this is possible.
    fs::remove_dir(folder.path().join("run")).expect("an empty folder");

    fs::write(folder.path().join("bad.onnx"), "abc").expect("written");
    let message = fail(&folder, &["evaluate", "bad.onnx", "games.store", "--constraints", "thesis-7"]);
    assert!(message.contains("bad.onnx"), "{message}");
    let message = fail(&folder, &["export", "recipe.toml", "--store", "games.store", "--output", "x.onnx"]);
    assert!(message.contains("recipe.toml") && message.contains("checkpoint"), "{message}");
    assert_eq!(names(folder.path()), ["bad.onnx", "games.pgn", "games.store", "recipe.toml"]);
}
