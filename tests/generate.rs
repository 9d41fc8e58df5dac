//! `entente generate` and `entente bench` as a user runs them.

use std::{
    fs,
    process::{Command, Output},
};

use entente::constraint::{Constraint, Goal};
use shakmaty::{Chess, Position, fen::Fen, uci::UciMove};

fn entente(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_entente")).args(arguments).output().expect("the program starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("results are UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// JSON lines without the fields that depend on the machine's speed.
fn without_times(output: &Output) -> Vec<serde_json::Value> {
    stdout(output)
        .lines()
        .map(|line| {
            let mut value: serde_json::Value = serde_json::from_str(line).expect(line);
            value.as_object_mut().expect("an object a line").remove("seconds").expect("the time");
            value
        })
        .collect()
}

#[test]
fn every_proof_game_is_legal_and_ends_where_the_constraint_first_holds() {
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
        assert_ne!(run("1", "7"), run("1", "8"), "another seed gives other positions");
    }
}

#[test]
fn distinct_positions_differ_and_running_out_of_them_is_said() {
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
    assert!(stderr(&output).contains("no more distinct positions"), "{}", stderr(&output));
}

#[test]
fn the_start_position_can_hold_already() {
    let output = entente(&["generate", "(1,2,2,2,8)", "--format", "jsonl"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(without_times(&output)[0]["plies"], 0);
}

#[test]
fn bad_input_is_named_and_the_status_is_two() {
    let three_bytes = tempfile::NamedTempFile::new().unwrap();
    fs::write(&three_bytes, b"abc").unwrap();
    let three_bytes = three_bytes.path().to_str().unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["(1,2,1,1,9)"], "impossible: (1,2,1,1,9): White needs at least 9 pawns"),
        (&["(1,2,1"], "column 7: expected ',' and the number of knights"),
        (&["Q=1..0"], "column 6"),
        (&["pp=2"], "column 2"),
        (&["(1,2,1,1,7)", "--network", "no-such-model.onnx"], "no-such-model.onnx"),
        (&["(1,2,1,1,7)", "--network", three_bytes], three_bytes),
        (&["q=0", "--evaluator", "network"], "reads only exact counts of White"),
        (&["q=0", "--from", "8/8/8"], "--from"),
        (&["q=0", "--criterion", "2"], "--criterion"),
        (&["q=0", "--depth", "0"], "--depth"),
        (&["q=0", "--count", "0"], "--count"),
        (&["q=2", "--from", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"], "Black needs 2 promoted men"),
    ];
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    for (arguments, message) in cases {
        let fixed = ["generate", "--format", "pgn", "--output", file.to_str().unwrap()];
        let output = entente(&[&fixed[..], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "{arguments:?} left a file");
    }
}

#[test]
fn what_is_not_found_is_undetermined_and_not_an_error() {
    let output = entente(&["generate", "(0,0,0,0,0)", "--max-plies", "4", "-n", "2", "--format", "jsonl"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let lines = without_times(&output);
    assert_eq!(lines.len(), 2);
    assert!(
        lines.iter().all(|line| line["outcome"] == "undetermined" && line["distance"].as_u64() > Some(10))
    );
}

#[test]
fn a_file_appears_whole_under_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("positions.epd");
    let output =
        entente(&["generate", "q=0", "-n", "3", "--format", "epd", "--output", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(output.stdout.is_empty());
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 3);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
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
fn a_node_limit_is_exact_and_what_comes_does_not_depend_on_the_threads() {
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
fn a_root_that_differs_in_its_counters_alone_keeps_its_tag() {
    let root = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 10 30";
    let pgn = stdout(&entente(&["generate", "q=0", "--from", root, "--format", "pgn"]));
    assert!(pgn.contains(&format!("[FEN \"{root}\"]")), "{pgn}");
}
