//! The contents of a data set.

use std::collections::HashSet;

use entente_search::position_from_fen;
use serde_json::Value;
use shakmaty::{EnPassantMode, zobrist::Zobrist128};

use super::{PLAN, WorkFolder, assert_status, stderr};

fn lines(place: &WorkFolder, folder: &str) -> Vec<Value> {
    let text = place.text(folder, "positions.jsonl");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn positions_of_all_constraints_are_different() {
    use shakmaty::Position as _;
    let place = WorkFolder::new(PLAN);
    let output = place.generate("run", &[]);
    let positions = lines(&place, "run");
    let mut seen = HashSet::new();
    for position in &positions {
        let fen = position["fen"].as_str().unwrap();
        let hash: Zobrist128 = position_from_fen(fen).unwrap().zobrist_hash(EnPassantMode::Legal);
        assert!(seen.insert(hash), "{fen}");
        assert_eq!(position["moves"].as_array().unwrap().len() as u64, position["plies"].as_u64().unwrap());
        assert_eq!(position["san"].as_array().unwrap().len(), position["moves"].as_array().unwrap().len());
        assert!(position["surprise"].is_null() && position["delivered_by"].is_null());
    }
    // Duplicates were replaced.
    let candidates = place.text("run", "candidates.jsonl").lines().count();
    assert!(candidates > 48, "{candidates}");
    let card = place.text("run", "README.md");
    assert!(card.contains(&format!("{} chess positions, all different", positions.len())), "{card}");
    assert!(stderr(&output).contains(&format!("{} of 48 positions, all different", positions.len())));
}

#[test]
fn a_constraint_with_few_positions_ends_and_the_missing_ones_are_counted() {
    let plan = PLAN
        .replace("\"ply<=3 N@f3\", \"(1,2,2,2,7)\", \"ply<=4 N@f3\", \"Q=0 q=0\"", "\"ply=1 N@f3\", \"Q=0\"");
    let place = WorkFolder::new(&plan);
    let output = place.generate("run", &[]);
    assert_status(&output, 1);
    assert!(stderr(&output).contains("13 of 24 positions, all different"), "{}", stderr(&output));
    assert_eq!(lines(&place, "run").len(), 13);
    let card = place.text("run", "README.md");
    assert!(card.contains("The plan asks for 24; 11 are missing"), "{card}");
    assert!(card.contains("| ply=1 \\& N@f3 | – | 1 | 101 | 0 | 100 |"), "{card}");
}

#[test]
fn the_card_has_the_plan_and_every_game_can_be_generated_separately() {
    let plan =
        "[dataset]\npositions = 2\nconstraints = \"Q=0\"\nratings = [1200, 1500]\nrealism = \"fast\"\n";
    let place = WorkFolder::new(plan);
    assert_status(&place.generate("run", &[]), 0);
    let positions = lines(&place, "run");
    let elos: Vec<u64> = positions.iter().map(|position| position["white_elo"].as_u64().unwrap()).collect();
    assert_eq!(elos, [1200, 1200, 1500, 1500]);
    assert!(positions.iter().all(|position| position["surprise"].is_number()));
    let card = place.text("run", "README.md");
    let (_, rest) = card.split_once("```toml\n").unwrap();
    let (toml, rest) = rest.split_once("```").unwrap();
    assert!(rest.contains("The SHA-256 of the network's file is `"), "{rest}");
    assert!(rest.contains("The SHA-256 of the human network's file is `"), "{rest}");

    let again = WorkFolder::new(toml);
    assert_status(&again.generate("run", &[]), 0);
    for name in super::REPRODUCIBLE {
        assert!(place.read("run", name) == again.read("run", name), "{name}");
    }

    let command = card.lines().find(|line| line.starts_with("entente generate ")).unwrap();
    let words: Vec<&str> = command.split(' ').skip(1).map(|word| word.trim_matches('\'')).collect();
    let output = place.entente(&[&words[..], &["--format", "jsonl"]].concat());
    let alone: Value = serde_json::from_slice(&output.stdout).unwrap();
    for name in ["fen", "moves", "seed", "index", "surprise", "method"] {
        assert_eq!(alone[name], positions[0][name], "{name}");
    }
}

/// Only a table knows who wins an ending of a pawn before there is a mate in sight.
#[test]
fn endings_are_judged_by_tables() {
    let place = WorkFolder::new(
        r#"
[dataset]
name = "endings"
positions = 3
seed = 3
from = "8/8/8/3k4/8/8/3P4/3K4 w - - 0 1"
constraints = ["material=KPvK wdl.white=win ply=6"]
method = "best-first"
"#,
    );
    assert_status(&place.generate("all", &[]), 0);
    assert_eq!(lines(&place, "all").len(), 3);
    let wrong = place.generate("other", &["--tables", "nowhere"]);
    assert_status(&wrong, 2);
    let said = stderr(&wrong);
    assert!(said.contains("--tables: nowhere: ") && said.matches(": ").count() == 3, "once: {said}");
    assert!(!place.path("other").exists(), "nothing is written");
}
