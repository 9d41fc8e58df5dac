//! The positions generated.

use entente_constraint::{Constraint, Goal};
use shakmaty::{Chess, Position, fen::Fen, uci::UciMove};

use crate::{entente, stderr, stdout, without_times};

#[test]
fn every_proof_game_is_legal_and_ends_when_the_constraint_first_holds() {
    for constraint in
        ["(1,2,1,1,7)", "Q=0 q=0 R-r=1", "P<=3 p<=3 (N=2 | n=2)", "q=3", "!Q=1 black(1,2,2,2,8)"]
    {
        let output = entente(&["generate", constraint, "-n", "4", "--seed", "5", "--format", "jsonl"]);
        assert_eq!(output.status.code(), Some(0), "{constraint}: {}", stderr(&output));
        let goal = Goal::new(&constraint.parse::<Constraint>().unwrap()).unwrap();
        let lines = without_times(&output);
        assert_eq!(lines.len(), 4);
        for line in lines {
            let mut position = Chess::default();
            for text in line["moves"].as_array().unwrap() {
                assert!(!goal.is_satisfied(&position), "{constraint} held earlier");
                let m: UciMove = text.as_str().unwrap().parse().unwrap();
                position.play_unchecked(m.to_move(&position).expect("legal"));
            }
            assert!(goal.is_satisfied(&position), "{constraint}");
            let fen = Fen::from_position(&position, shakmaty::EnPassantMode::Legal);
            assert_eq!(line["fen"], fen.to_string());
            assert!(line["plies"].as_u64().unwrap() <= 101);
        }
    }
}

#[test]
fn one_seed_gives_the_same_positions_with_any_number_of_threads() {
    for evaluator in [&["--evaluator", "material"][..], &["--network", "thesis-1"]] {
        let run = |threads: &str, seed: &str| {
            let fixed = ["generate", "(1,2,2,1,7)", "-n", "6", "--distinct", "--format", "jsonl"];
            without_times(&entente(
                &[&fixed[..], evaluator, &["--threads", threads, "--seed", seed]].concat(),
            ))
        };
        assert_eq!(run("1", "7"), run("3", "7"));
        assert_ne!(run("1", "7"), run("1", "8"), "different seeds give different positions");
    }
}

#[test]
fn distinct_positions_differ_and_running_out_of_them_is_reported() {
    let output = entente(&[
        "generate",
        "(1,2,2,2,7)",
        "-n",
        "200",
        "--evaluator",
        "material",
        "--seed",
        "1",
        "--distinct",
        "--format",
        "fen",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    let mut placements: Vec<_> = text.lines().map(|line| line.split(' ').next().unwrap()).collect();
    placements.sort_unstable();
    placements.dedup();
    assert_eq!(placements.len(), 200);

    let root = "8/8/8/8/8/k1K5/p7/8 b - - 0 1";
    let output =
        entente(&["generate", "q=1 p=0", "--from", root, "-n", "9", "--distinct", "--format", "fen"]);
    assert_eq!(output.status.code(), Some(1));
    let (found, errors) = (stdout(&output).lines().count(), stderr(&output));
    assert!(errors.starts_with(&format!("{found} of 9 found, ")), "{errors}");
    let missing = format!("no more distinct positions found: {} not generated\n", 9 - found);
    assert!(errors.ends_with(&missing) && !errors.contains("stopped"), "{errors}");
}

#[test]
fn the_initial_position_may_satisfy_the_constraint() {
    let output = entente(&["generate", "(1,2,2,2,8)", "--format", "jsonl"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(without_times(&output)[0]["plies"], 0);
}

#[test]
fn a_position_that_is_not_found_is_undetermined_and_not_an_error() {
    let output = entente(&[
        "generate",
        "(0,0,0,0,0)",
        "--max-plies",
        "4",
        "-n",
        "2",
        "--nodes",
        "5000",
        "--format",
        "jsonl",
    ]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let lines = without_times(&output);
    assert_eq!(lines.len(), 2);
    assert!(
        lines.iter().all(|line| line["outcome"] == "undetermined" && line["distance"].as_u64() > Some(10))
    );
}

/// The numbers after `start` on the lines that begin with it.
fn numbers(text: &str, start: &str) -> Vec<u64> {
    let digits = |rest: &str| rest.chars().take_while(char::is_ascii_digit).collect::<String>();
    text.lines()
        .filter_map(|line| line.strip_prefix(start))
        .map(|rest| digits(rest).parse().unwrap())
        .collect()
}

#[test]
fn results_are_numbered_without_gaps() {
    // With few possible games, some attempts repeat a position.
    let root = "8/8/8/8/8/k1K5/p3p3/8 b - - 0 1";
    let distinct = ["generate", "q=1 p=0", "--from", root, "-n", "4", "--distinct", "--seed", "1"];
    let text = stdout(&entente(&distinct));
    assert_eq!(numbers(&text, "Position "), [1, 2, 3, 4]);
    // Most of these positions are not found, and PGN leaves them out.
    let limited = ["generate", "q=0", "-n", "40", "--evaluator", "material", "--max-plies", "7", "--nodes"];
    let pgn = stdout(&entente(&[&limited[..], &["9000", "--seed", "1", "--format", "pgn"]].concat()));
    let rounds = numbers(&pgn, "[Round \"");
    assert!((1..40).contains(&rounds.len()), "{}", rounds.len());
    assert_eq!(rounds, (1..=rounds.len() as u64).collect::<Vec<_>>());
}

#[test]
fn singular_and_plural_are_correct() {
    let output = entente(&["generate", "(0,0,0,0,0)", "--nodes", "10", "--evaluator", "material"]);
    assert!(stdout(&output).starts_with("Position 1: undetermined after 1 attempt; "), "{}", stdout(&output));
    assert!(stderr(&output).starts_with("0 of 1 found, seed "), "{}", stderr(&output));
}

#[test]
fn moves_are_numbered_from_the_root_position() {
    let root = "4k3/8/8/8/8/8/3q4/4K2R w K - 5 40";
    let output = entente(&["generate", "q=0", "--from", root, "--format", "pgn", "--seed", "3"]);
    let pgn = stdout(&output);
    assert!(pgn.contains(&format!("[FEN \"{root}\"]")), "{pgn}");
    assert!(pgn.contains("40. Kxd2 *"), "{pgn}");
}

#[test]
fn the_bench_finds_everything_and_counts_the_same_nodes_twice() {
    let bench = |threads: &str| {
        let text = stdout(&entente(&["bench", "--games", "1", "--threads", threads]));
        let nodes = text.lines().last().unwrap().split(' ').nth(1).unwrap().to_owned();
        (text, nodes)
    };
    let (text, nodes) = bench("2");
    assert!(text.contains("satisfied      486 of 486"), "{text}");
    assert_eq!(nodes, bench("1").1);
}

#[test]
fn a_node_limit_is_exact_and_results_do_not_depend_on_the_threads() {
    let run = |threads: &str| {
        without_times(&entente(&[
            "generate",
            "(1,2,1,1,6)",
            "-n",
            "6",
            "--evaluator",
            "material",
            "--depth",
            "3",
            "--nodes",
            "60000",
            "--seed",
            "7",
            "--format",
            "jsonl",
            "--threads",
            threads,
        ]))
    };
    let one = run("1");
    assert!(one.iter().all(|line| line["nodes"].as_u64().unwrap() <= 60_000), "{one:?}");
    assert_eq!(one, run("3"));
}

#[test]
fn a_root_that_differs_only_in_its_counters_keeps_its_tag() {
    let root = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 10 30";
    let pgn = stdout(&entente(&["generate", "q=0", "--from", root, "--format", "pgn"]));
    assert!(pgn.contains(&format!("[FEN \"{root}\"]")), "{pgn}");
}
