//! `EvalFile`: when networks are loaded, and what happens if they are invalid.

use std::fs;

use entente_network::{NetworkKind as _, SatisfactionNetwork};
use shakmaty::Chess;

use crate::{engine::*, support::fragile_network};

#[test]
fn a_network_that_cannot_be_loaded_is_named_and_the_current_one_stays() {
    let folder = tempfile::tempdir().unwrap();
    let short = folder.path().join("three bytes.onnx");
    fs::write(&short, "abc").unwrap();
    for file in [folder.path().join("missing.onnx"), short] {
        let file = file.display().to_string();
        let lines = pipe(&format!(
            "setoption name Constraint value (1,2,2,2,7)\nsetoption name EvalFile value {file}\nisready\n\
             setoption name EvalFile value {file}\ngo generate\nquit"
        ));
        let error = format!("info string error: option EvalFile: network {file}: ");
        assert!(lines[0].starts_with(&error), "{lines:?}");
        assert_eq!(lines[1], "readyok");
        assert!(lines[2].starts_with(&error), "{lines:?}");
        assert_eq!(check_found(&lines, &Chess::default(), "(1,2,2,2,7)"), 1);
    }
}

#[test]
fn a_file_that_is_set_again_is_read_again() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let (_, network) = SatisfactionNetwork::EMBEDDED[0];
    fs::write(&file, network).unwrap();
    let set = format!("setoption name EvalFile value {}\nisready", file.path().display());
    let mut engine = Engine::start();
    engine.say("setoption name Constraint value (1,2,2,2,7)");
    engine.say(&set);
    assert_eq!(engine.line(), "readyok");
    fs::write(&file, "abc").unwrap();
    engine.say("isready");
    assert_eq!(engine.line(), "readyok", "without a new setoption the network stays");
    engine.say(&set);
    let error = engine.line();
    assert!(
        error.starts_with("info string error: option EvalFile: ") && error.ends_with(" is kept"),
        "{error}"
    );
    assert_eq!(engine.line(), "readyok");
    engine.say("go generate\nquit");
    assert_eq!(check_found(&engine.finish(), &Chess::default(), "(1,2,2,2,7)"), 1);
}

#[test]
fn a_network_that_fails_on_a_position_is_reported_and_answered_without_a_move() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(&file, fragile_network(0..8)).unwrap();
    let file = file.path().display();
    let lines = pipe(&format!(
        "setoption name Constraint value (1,2,2,2,7)\nsetoption name EvalFile value {file}\nisready\n\
         setoption name Threads value 2\ngo generate count 5\ngo generate\nquit"
    ));
    assert_eq!(lines[0], "readyok");
    assert_eq!(lines.len(), 1 + 2 * 3, "{lines:?}");
    for answer in lines[1..].chunks(3) {
        assert!(answer[0].starts_with(&format!("info string error: network {file}: ")), "{answer:?}");
        assert!(answer[1].contains(" score cp "), "{answer:?}");
        assert_eq!(answer[2], "bestmove (none)", "{answer:?}");
    }
}

#[test]
fn uci_is_answered_before_anything_is_loaded() {
    let mut engine = Engine::start();
    engine.say("setoption name EvalFile value /no/such/file.onnx\nuci");
    assert!(engine.until("uciok").iter().all(|line| !line.starts_with("info")));
    engine.say("setoption name EvalFile value <empty>\nisready");
    assert_eq!(engine.line(), "readyok");
    assert!(engine.finish().is_empty());
}
