//! Transformers, from games to a network with which the engine plays.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like tests")]

mod support;

use std::fs;

use entente_network::onnx::ModelProto;
use entente_network::{NetworkKind as _, Policy, VOCABULARY_KEY};
use prost::Message as _;
use shakmaty::{Chess, Position};
use support::{fail, folder_with_games, succeed};

const RECIPE: &str = r#"
kind = "transformer"
network = "transformer"
positions = 3200
batch = 64
learning_rate = 3e-3
averaging = 0.5
validate_every = 1600
test_positions = 2000
seed = 1

[stretches]
from_start = 1
to_end = 1
random = 5

[transformer]
width = 16
heads = 2
hidden = 32
moves = 12
move_layers = 2
board_layers = 1
board = 32
rights = 4
fusion = 32
"#;

#[test]
fn a_transformer_learns_is_resumed_exported_and_asked() {
    let folder = folder_with_games(300, RECIPE, "");
    let train = |output: &'static str| {
        vec!["train", "recipe.toml", "-s", "games.store", "-o", output, "--threads", "1"]
    };
    assert_eq!(succeed(&folder, &train("run")).trim(), "run/transformer.onnx");
    let read = |name: &str| fs::read(folder.path().join(name)).expect(name);
    let metrics = String::from_utf8(read("run/metrics.csv")).unwrap();
    let mut lines = metrics.lines();
    let place = lines.next().unwrap().split(',').position(|name| name == "raw_cross_entropy").unwrap();
    let losses: Vec<f64> =
        lines.map(|line| line.split(',').nth(place).unwrap().parse().expect("a number")).collect();
    // 7.58 nats is the cross-entropy if all 1,968 moves are equally likely.
    assert!(losses.len() == 2 && losses[0] < 7.5 && losses[1] < losses[0], "{losses:?}");
    let card = String::from_utf8(read("run/transformer.md")).unwrap();
    for part in [
        "| samples | 3200 |",
        "| test split, all |",
        "| test split, before training |",
        "\n| all |",
        "move_layers = 2",
    ] {
        assert!(card.contains(part), "{part} in {card}");
    }

    // A run that is stopped immediately and resumed gives the same network.
    succeed(&folder, &[train("again"), vec!["--max-minutes", "0"]].concat());
    succeed(&folder, &[train("again"), vec!["--resume"]].concat());
    let bytes = read("run/transformer.onnx");
    assert_eq!(read("again/transformer.onnx"), bytes);
    // So does exporting the checkpoint.
    let exported = ["export", "run/checkpoint.safetensors", "-s", "games.store", "-o", "exported.onnx"];
    succeed(&folder, &exported);
    assert_eq!(read("exported.onnx"), bytes);

    text_files_train_the_same_network_as_a_store(&folder);
    the_output_depends_on_the_last_moves(&bytes);
    another_vocabulary_is_refused(&bytes);
    let error = fail(&folder, &[train("other"), vec!["--start", "run/transformer.onnx"]].concat());
    assert!(error.contains("--start"), "{error}");
    fs::write(folder.path().join("recipe.toml"), RECIPE.replace("heads = 2", "heads = 3")).unwrap();
    let error = fail(&folder, &train("other"));
    assert!(error.contains("recipe.toml") && error.contains("`heads` that divide `width`"), "{error}");
}

/// A run on text files with the same games in the same order gives the same network. An invalid line and a missing
/// validation split are reported.
fn text_files_train_the_same_network_as_a_store(folder: &tempfile::TempDir) {
    let write = |output: &'static str, part: &'static str| {
        succeed(folder, &["sequence", "games.store", "-o", output, "--part", part]);
    };
    let train = |texts: &'static str, output: &'static str| {
        ["train", "recipe.toml", "-s", texts, "-o", output, "--threads", "1"]
    };
    write("dataset", "all");
    succeed(folder, &train("dataset/split", "from-text"));
    let numbers = |run: &str| {
        let metrics = fs::read_to_string(folder.path().join(run).join("metrics.csv")).expect(run);
        // All columns except the last two, which depend on the speed.
        metrics.lines().map(|line| line.rsplitn(3, ',').last().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(numbers("from-text"), numbers("run"));
    let card = fs::read_to_string(folder.path().join("from-text/transformer.md")).unwrap();
    assert!(
        card.contains("test split, players unknown") && card.contains("castle_dataset_split_1.txt"),
        "{card}"
    );

    write("learners", "training");
    let error = fail(folder, &train("learners/split", "other"));
    assert!(
        error.contains("learners/split: no games of the validation split") && error.contains("--part all"),
        "{error}"
    );
    let path = folder.path().join("dataset/split/castle_dataset_split_1.txt");
    let text = fs::read_to_string(&path).expect("a split");
    fs::write(&path, text.replacen(",0", "", 1)).expect("written");
    let error = fail(folder, &train("dataset/split", "other"));
    assert!(error.contains("castle_dataset_split_1.txt: line 1: expected 64 squares, found 63"), "{error}");
    let error = fail(folder, &train("run", "other"));
    assert!(error.contains("no files with the extension .txt in run"), "{error}");
}

/// A network also learns from the probabilities of a policy. With this teacher alone, the probability of illegal moves
/// falls sooner.
#[test]
fn a_transformer_learns_from_a_teacher() {
    let taught = format!("{RECIPE}\n[teacher]\nnetwork = \"goal-policy\"\nshare = 1.0\n");
    let folder = folder_with_games(60, &taught.replace("= 3200", "= 640").replace("= 1600", "= 320"), "");
    let train = ["train", "recipe.toml", "-s", "games.store", "-o", "run", "--threads", "1"];
    succeed(&folder, &train);
    let metrics = fs::read_to_string(folder.path().join("run/metrics.csv")).expect("metrics");
    let column = |name: &str| {
        let mut lines = metrics.lines();
        let place = lines.next().unwrap().split(',').position(|other| other == name).unwrap();
        lines.map(|line| line.split(',').nth(place).unwrap().parse().unwrap()).collect::<Vec<f64>>()
    };
    let illegal = column("illegal");
    assert!(illegal[1] < illegal[0] && illegal[0] < 0.99, "{illegal:?}");
    let recipe = taught.replace("share = 1.0", "share = 2.0");
    fs::write(folder.path().join("recipe.toml"), recipe).unwrap();
    let error = fail(&folder, &["train", "recipe.toml", "-s", "games.store", "-o", "other"]);
    assert!(error.contains("`share` from 0 to 1"), "{error}");
    fs::write(folder.path().join("recipe.toml"), taught.replace("goal-policy", "no-such-network")).unwrap();
    let error = fail(&folder, &["train", "recipe.toml", "-s", "games.store", "-o", "other"]);
    assert!(error.contains("`teacher`") && error.contains("no-such-network"), "{error}");
}

fn the_output_depends_on_the_last_moves(bytes: &[u8]) {
    use entente_network::{
        Query,
        encoding::goal_policy::{Aim, Context},
    };
    let policy = Policy::from_bytes("run/transformer.onnx", bytes).unwrap();
    assert!(!policy.reads_goals());
    let position = Chess::default();
    let legal = position.legal_moves();
    let ask = |played: &[shakmaty::Move]| {
        let context = Context::default();
        let query = Query { position: &position, moves: &legal, played, context, aim: &Aim::NONE };
        policy.session().ask_one(&query).unwrap().logits
    };
    assert!(ask(&[]).iter().all(|logit| logit.is_finite()));
    assert_ne!(ask(&[]), ask(&legal[..3]));
    // The network sees 12 moves; those before them do not matter.
    let many = legal[..13].to_vec();
    assert_eq!(ask(&many), ask(&many[1..]));
    assert_ne!(ask(&many), ask(&many[2..]));
}

fn another_vocabulary_is_refused(bytes: &[u8]) {
    let mut model = ModelProto::decode(bytes).unwrap();
    let entry = model.metadata_props.iter_mut().find(|entry| entry.key == VOCABULARY_KEY).unwrap();
    entry.value = "0123abcd".to_owned();
    let error = Policy::from_bytes("net.onnx", &model.encode_to_vec()).unwrap_err().to_string();
    assert!(error.starts_with("network net.onnx: expected the vocabulary "), "{error}");
    assert!(error.ends_with("found one with the fingerprint 0123abcd"), "{error}");
}
