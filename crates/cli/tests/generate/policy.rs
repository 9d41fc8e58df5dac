//! Games of the method goal-policy, with the network that is built in. The tests expect of it only what they would of
//! any network: that results repeat, are legal and satisfy the constraint, and that a condition that no human game
//! reaches needs search.

use std::fs;

use entente_constraint::{Constraint, Situation};
use shakmaty::{CastlingMode, Chess, fen::Fen};

use crate::{entente, stderr, without_times};

fn games(arguments: &[&str]) -> (Vec<serde_json::Value>, String) {
    let fixed = ["generate", "--seed", "3", "--format", "jsonl"];
    let output = entente(&[&fixed[..], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    (without_times(&output), stderr(&output))
}

fn holds(constraint: &str, game: &serde_json::Value) -> bool {
    let fen: Fen = game["fen"].as_str().unwrap().parse().unwrap();
    let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
    let ply = game["plies"].as_u64().unwrap() as u32;
    constraint.parse::<Constraint>().unwrap().holds(Situation::first(&position, ply))
}

#[test]
fn one_seed_gives_the_same_games_with_any_number_of_threads() {
    for realism in ["natural", "fast"] {
        let run = |threads| games(&["(1,2,2,1,7)", "-n", "4", "--realism", realism, "--threads", threads]).0;
        let one = run("1");
        assert_eq!(one, run("3"));
        let deliveries: Vec<&str> = one.iter().map(|game| game["delivered_by"].as_str().unwrap()).collect();
        assert!(deliveries.contains(&realism), "{deliveries:?}");
    }
}

#[test]
fn games_at_high_ratings_repeat_with_any_number_of_threads() {
    // Moves from ply 8 on are reviewed by a search, which takes the time of this test.
    let strong = ["ply=12", "-n", "2", "--realism", "natural", "--population", "2", "--rating-scale", "fide"];
    let run = |threads| games(&[&strong[..], &["--elo", "2600", "--threads", threads]].concat()).0;
    let one = run("1");
    assert_eq!(one, run("2"));
    assert!(one.iter().all(|game| game["delivered_by"] == "natural"), "{one:?}");
}

#[test]
fn a_rating_that_the_network_does_not_know_counts_as_the_nearest_and_is_reported() {
    let arguments = ["Q=0", "-n", "1", "--realism", "fast"];
    let (strongest, errors) = games(&[&arguments[..], &["--elo", "4000"]].concat());
    assert!(
        errors.contains("note: the policy knows ratings from 600 to 3200; 4000 counts as 3200"),
        "{errors}"
    );
    assert_eq!(strongest[0]["white_elo"], 3200);
    let same = |elo| games(&[&arguments[..], &["--elo", elo]].concat()).0;
    let moves = |games: &[serde_json::Value]| -> Vec<serde_json::Value> {
        games.iter().map(|game| game["moves"].clone()).collect()
    };
    assert_eq!(moves(&strongest), moves(&same("3200")));
    assert_ne!(moves(&strongest), moves(&same("600")));
    assert_eq!(same("1")[0]["black_elo"], 600);
}

#[test]
fn conditions_unknown_to_the_network_are_satisfied_by_masks_and_search() {
    for constraint in [
        "[Nn]@d4 [BN]@e5 [Kk]@1",
        "-@d4 -@e4 -@d5 -@e5 ply>=12",
        "[QR]-[qr]=2 check=none",
        "!P@a-d",
        "castling=Qq ply=15",
        "R!=2 r!=2",
    ] {
        let (games, _) = games(&[constraint, "-n", "2", "--population", "1"]);
        assert_eq!(games.len(), 2);
        for game in games {
            assert!(holds(constraint, &game), "{constraint}: {game}");
            assert!(game["delivered_by"].is_string(), "{game}");
        }
    }
}

#[test]
fn search_finds_what_natural_and_fast_games_do_not() {
    let constraint = "material=KRvK castling=K k@e8";
    let (games, errors) =
        games(&[constraint, "-n", "1", "--realism", "natural", "--population", "1", "--max-plies", "80"]);
    assert!(holds(constraint, &games[0]));
    assert_ne!(games[0]["delivered_by"], "natural", "human games do not reach this");
    let words = [", as people play, but led to the goal, ", ", by search, not as people play, "];
    assert!(words.iter().any(|words| errors.contains(words)), "{errors}");
    // With --strict, nothing is found.
    let strict =
        ["generate", constraint, "--seed", "3", "--realism", "natural", "--strict", "--nodes", "300"];
    let output = entente(&strict);
    assert_eq!(output.status.code(), Some(1));
    let advice = "1 not found: allow longer games with --max-plies 464, or allow more search with --nodes, or \
                  search for any game with --method best-first, whose moves do not look human\n";
    assert!(stderr(&output).ends_with(advice), "{}", stderr(&output));
    assert!(stderr(&output).contains("\nlacking in 1 of 1 not found: "), "{}", stderr(&output));
}

#[test]
fn parts_of_the_method_can_be_left_out() {
    let bare = ["--realism", "fast", "--guidance", "-1", "--mask", "0", "--tilt", "0", "--finish", "false"];
    let (games, _) = games(&[&["q=0", "-n", "6"][..], &bare].concat());
    let fast: Vec<_> = games.iter().filter(|game| game["delivered_by"] == "fast").collect();
    assert!(!fast.is_empty(), "some games lose the queen by chance");
    for game in fast {
        assert_eq!((&game["tilted"], &game["finished"]), (&0.into(), &0.into()), "{game}");
        assert_eq!(game["masked"], 0.0, "{game}");
    }
    // If there are few plies, search plays the last ones, unless --finish is false. It may take back three eighths of
    // the moves before.
    let short = ["(0,2,2,2,8)", "-n", "3", "--realism", "fast", "--max-plies", "18"];
    let (searched, _) = self::games(&short);
    let finished = |game: &serde_json::Value| game["finished"].as_u64().unwrap();
    assert!(searched.iter().all(|game| finished(game) <= 8 + 3), "{searched:?}");
    assert!(searched.iter().any(|game| finished(game) > 0), "{searched:?}");
    let (played, _) = self::games(&[&short[..], &["--finish", "false"]].concat());
    let mut fast = played.iter().filter(|game| game["delivered_by"] == "fast");
    assert!(fast.all(|game| finished(game) == 0), "{played:?}");
}

#[test]
fn tree_search_reaches_conditions_of_every_kind_and_repeats_itself() {
    for constraint in ["(1,2,2,1,7)", "N@f5 check=black", "castling=Qq ply=15", "K@e8"] {
        let run = |threads| {
            games(&[constraint, "-n", "2", "--method", "puct", "--visits", "4", "--threads", threads]).0
        };
        let one = run("1");
        assert_eq!(one, run("2"), "{constraint}");
        assert!(one.iter().all(|game| holds(constraint, game)), "{constraint}");
        assert!(one.iter().any(|game| game["moves"] != one[0]["moves"]), "{constraint}");
    }
    let (people, _) = games(&["(1,2,2,1,7)", "-n", "4", "--method", "puct", "--visits", "8"]);
    assert!(people.iter().all(|game| game["delivered_by"] == "tree"), "{people:?}");
}

#[test]
fn playouts_reach_numbers_of_men_and_repeat_themselves() {
    let run = |more: &[&str]| {
        let few =
            ["(1,2,2,1,7)", "-n", "3", "--method", "rollout", "--evaluator", "men", "--playouts", "400"];
        games(&[&few[..], more].concat()).0
    };
    let one = run(&["--threads", "1"]);
    assert_eq!(one, run(&["--threads", "2"]));
    assert!(one.iter().all(|game| holds("(1,2,2,1,7)", game)), "{one:?}");
    assert!(one.iter().any(|game| game["moves"] != one[0]["moves"]));
    let uniform = run(&["--allotment", "uniform"]);
    assert!(uniform.iter().all(|game| holds("(1,2,2,1,7)", game)) && uniform != one, "{uniform:?}");
}

#[test]
fn each_method_refuses_settings_that_it_does_not_use() {
    for (arguments, message) in [
        (
            ["--method", "puct", "--realism", "fast"],
            "realism: only the method goal-policy uses it; this is puct",
        ),
        (
            ["--method", "goal-policy", "--visits", "9"],
            "visits: only the method puct uses it; this is goal-policy",
        ),
        (
            ["--method", "negamax", "--priors", "uniform"],
            "priors: only the method puct uses it; this is negamax",
        ),
        (
            ["--method", "best-first", "--network", "missing.onnx"],
            "network: only the methods goal-policy, puct, negamax and rollout use it; this is best-first",
        ),
        (["--method", "puct", "--depth", "2"], "depth: only the method negamax uses it; this is puct"),
        (["--method", "puct", "--visits", "0"], "expected 1 to 1000000, found \"0\""),
    ] {
        let output = entente(&[&["generate", "Q=0"], &arguments[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{message}: {}", stderr(&output));
    }
    let all = ["--method", "goal-policy", "--network", "goal-policy", "--depth", "3", "--criterion", "0.2"];
    let errors = stderr(&entente(&[&["generate", "Q=0"], &all[..]].concat()));
    assert!(errors.contains("--depth, --criterion: only the method negamax uses them"), "{errors}");
}

#[test]
fn a_node_limit_does_not_depend_on_the_threads() {
    let run = |threads| {
        let limited = ["(0,1,1,1,4)", "-n", "6", "--realism", "fast", "--nodes", "400"];
        let fixed = ["generate", "--seed", "3", "--format", "jsonl", "--threads", threads];
        without_times(&entente(&[&fixed[..], &limited].concat()))
    };
    let one = run("1");
    assert_eq!(one.len(), 6);
    assert!(one.iter().all(|game| game["nodes"].as_u64().unwrap() <= 400 + 101), "{one:?}");
    assert_eq!(one, run("3"));
}

#[test]
fn an_error_about_a_network_of_the_wrong_shape_names_the_expected_shape() {
    let folder = tempfile::tempdir().unwrap();
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../network/models");
    let refused = |arguments: &[&str], expected: &str| {
        let file = folder.path().join("games.pgn");
        let fixed = ["generate", "(1,2,2,2,7)", "--output", file.to_str().unwrap()];
        let output = entente(&[&fixed[..], arguments].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "nothing is left behind");
    };
    let thesis = format!("{models}/thesis-1.onnx");
    let policy = format!("{models}/goal-policy.onnx");
    refused(
        &["--method", "goal-policy", "--network", "thesis-1"],
        "thesis-1: expected a policy, which has 4 outputs",
    );
    refused(
        &["--method", "goal-policy", "--network", &thesis],
        "thesis-1.onnx: expected a policy, which has 4 outputs, found one output",
    );
    refused(
        &["--method", "negamax", "--network", &policy],
        "goal-policy.onnx: expected a satisfaction network, which has one output, found 4 outputs",
    );
}
