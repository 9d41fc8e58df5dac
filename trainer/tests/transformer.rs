//! Transformers, from games to a network that the engine plays by.

mod support;

use std::fs;

use entente::network::{NetworkKind as _, Policy, VOCABULARY_KEY};
use prost::Message as _;
use shakmaty::{Chess, Position};
use support::{fail, folder_with_games, succeed};
use tract_onnx::pb::ModelProto;

const RECIPE: &str = r#"
kind = "transformer"
network = "transformer"
positions = 6400
batch = 128
learning_rate = 3e-3
averaging = 0.5
validate_every = 3200
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
    // All of 1,968 moves alike are 7.58 nats.
    assert!(losses.len() == 2 && losses[0] < 7.5 && losses[1] < losses[0], "{losses:?}");
    let card = String::from_utf8(read("run/transformer.md")).unwrap();
    for part in
        ["| samples | 6400 |", "| test split, all |", "| test split, before training |", "move_layers = 2"]
    {
        assert!(card.contains(part), "{part} in {card}");
    }

    // Stopped at once and resumed it comes to the same.
    succeed(&folder, &[train("again"), vec!["--max-minutes", "0"]].concat());
    succeed(&folder, &[train("again"), vec!["--resume"]].concat());
    let bytes = read("run/transformer.onnx");
    assert_eq!(read("again/transformer.onnx"), bytes);
    // So does an export of the checkpoint.
    let exported = ["export", "run/checkpoint.safetensors", "-s", "games.store", "-o", "exported.onnx"];
    succeed(&folder, &exported);
    assert_eq!(read("exported.onnx"), bytes);

    what_it_says_hangs_on_the_last_moves(&bytes);
    another_vocabulary_is_refused(&bytes);
    let error = fail(&folder, &[train("other"), vec!["--start", "run/transformer.onnx"]].concat());
    assert!(error.contains("--start"), "{error}");
    fs::write(folder.path().join("recipe.toml"), RECIPE.replace("heads = 2", "heads = 3")).unwrap();
    let error = fail(&folder, &train("other"));
    assert!(error.contains("recipe.toml") && error.contains("`heads` that divide `width`"), "{error}");
}

fn what_it_says_hangs_on_the_last_moves(bytes: &[u8]) {
    use entente::{
        encoding::goal_policy::{Aim, Context},
        network::Question,
    };
    let policy = Policy::from_bytes("run/transformer.onnx", bytes).unwrap();
    assert!(!policy.heeds_aims());
    let position = Chess::default();
    let legal = position.legal_moves();
    let ask = |played: &[shakmaty::Move]| {
        let context = Context::default();
        let question = Question { position: &position, moves: &legal, played, context, aim: &Aim::NONE };
        policy.session().ask_one(&question).unwrap().logits
    };
    assert!(ask(&[]).iter().all(|logit| logit.is_finite()));
    assert_ne!(ask(&[]), ask(&legal[..3]));
    // As many as it sees; those before them do not matter.
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
