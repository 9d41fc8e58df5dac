//! `entente policy` for many positions.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like tests")]

use std::{
    fs,
    io::Write as _,
    process::{Command, Stdio},
};

use entente_search::PortableMath as _;
use parquet::file::reader::FileReader as _;
use serde_json::Value;

/// Runs `entente policy` with this standard input.
fn policy(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_entente"))
        .arg("policy")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that fails does not read everything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (output.status.code(), stdout, stderr)
}

fn rows(arguments: &[&str], input: &str) -> Vec<Value> {
    let (status, stdout, stderr) = policy(arguments, input);
    assert_eq!(status, Some(0), "{stderr}");
    stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn refusal(arguments: &[&str], input: &str) -> String {
    let (status, _, stderr) = policy(arguments, input);
    assert_eq!(status, Some(2), "{stderr}");
    stderr
}

const GAMES: &str = "\
[WhiteElo \"1400\"]
[BlackElo \"?\"]

1. e4 {best by test} e5 (1... c5 2. Nf3) 2. Nf3 Nc6 *

[Variant \"Atomic\"]

1. e4 *

[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 30\"]

30. e4 Kd7 31. e5 Qxe5 32. Ke2 1-0
";

#[test]
fn every_position_of_a_game_in_which_a_move_was_played_has_a_row() {
    let (_, _, stderr) = policy(&["-", "--skill", "false"], GAMES);
    let summary = ", 1 skipped: another variant, or an illegal initial position, 1 cut short at an illegal move \
                   or at text that is not PGN\n";
    assert!(stderr.contains("\n7 positions in ") && stderr.ends_with(summary), "{stderr}");
    let faults = "standard input, line 6: game 2 is skipped: the variant Atomic\n\
                  standard input, line 12: game 3, ply 4: illegal move Qxe5; the game is read up to there\n";
    assert!(stderr.starts_with(faults), "{stderr}");
    let rows = rows(&["-", "--skill", "false"], GAMES);
    let of = |key: &str| -> Vec<Value> { rows.iter().map(|row| row[key].clone()).collect() };
    assert_eq!(of("number"), [1, 1, 1, 1, 3, 3, 3].map(Value::from));
    assert_eq!(of("ply"), [0, 1, 2, 3, 58, 59, 60].map(Value::from));
    assert_eq!(of("played"), ["e2e4", "e7e5", "g1f3", "b8c6", "e2e4", "e8d7", "e4e5"].map(Value::from));
    assert_eq!((&rows[0]["white_elo"], &rows[0]["black_elo"]), (&Value::from(1400), &Value::Null));
    for row in &rows {
        let moves = row["moves"].as_array().unwrap();
        let probabilities: Vec<f64> =
            row["probabilities"].as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).collect();
        assert_eq!(moves.len(), probabilities.len());
        assert!(probabilities.is_sorted_by(|a, b| a >= b));
        assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-5);
        let place = moves.iter().position(|m| *m == row["played"]).unwrap();
        assert!(
            (row["surprise"].as_f64().unwrap() + probabilities[place].portable_ln()).abs() < 1e-4,
            "{row}"
        );
    }
    // The flags say which ratings are meant, whoever played.
    let asked = self::rows(&["-", "--elo", "2000", "--skill", "false"], GAMES);
    assert_eq!((&asked[0]["white_elo"], &asked[0]["black_elo"]), (&2000.into(), &2000.into()));
    assert_ne!(asked[0]["probabilities"], rows[0]["probabilities"]);
}

#[test]
fn a_position_is_the_same_by_its_moves_and_as_a_part_of_its_game_with_any_number_of_threads() {
    let lines = concat!(
        r#"{"moves": ["e2e4", "e7e5", "g1f3"], "id": 7, "elo": 1400}"#,
        "\n\n# a comment\n",
        r#"{"root": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "moves": [], "id": "x", "more": 1}"#,
        "\n",
    );
    let skilled = rows(&["-", "--threads", "1"], lines);
    assert_eq!(skilled, rows(&["-", "--threads", "3"], lines));
    assert_eq!(
        (&skilled[0]["id"], &skilled[0]["number"], &skilled[1]["number"]),
        (&"7".into(), &1.into(), &4.into())
    );
    let game = "[WhiteElo \"1400\"]\n[BlackElo \"1400\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n";
    let of_game = rows(&["-"], game);
    for key in ["fen", "ply", "moves", "probabilities", "win", "draw", "loss"] {
        assert_eq!(of_game[3][key], skilled[0][key], "{key}");
    }
    let every = rows(&["-", "--positions", "every"], lines);
    assert_eq!(every.len(), 5);
    assert_eq!(every[3], skilled[0]);
}

#[test]
fn what_generate_prints_can_be_read_and_ends_where_it_says() {
    let generated = Command::new(env!("CARGO_BIN_EXE_entente"))
        .args(["generate", "Q=0", "-n", "2", "--realism", "fast", "--seed", "1", "--format", "jsonl"])
        .output()
        .unwrap();
    let lines = String::from_utf8(generated.stdout).unwrap();
    let rows = rows(&["-", "--moves", "2", "--skill", "false"], &lines);
    for (row, line) in rows.iter().zip(lines.lines()) {
        let game: Value = serde_json::from_str(line).unwrap();
        assert_eq!(row["fen"], game["fen"]);
        assert!(row["moves"].as_array().unwrap().len() <= 2);
    }
    assert_eq!(rows.len(), 2);
}

#[test]
fn a_table_has_the_rows_of_the_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    let fens = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 bm e4; id \"pawn\";\nR6k/6pp/8/8/8/8/8/K7 b - - 3 9\n";
    let (status, stdout, stderr) = policy(&["-", "--output", path.to_str().unwrap()], fens);
    assert_eq!((status, stdout.as_str()), (Some(0), ""), "{stderr}");
    let table = fs::File::open(&path).unwrap();
    let reader = parquet::file::reader::SerializedFileReader::new(table).unwrap();
    let lines = rows(&["-"], fens);
    assert_eq!((&lines[0]["id"], &lines[1]["moves"]), (&"pawn".into(), &Value::Array(Vec::new())), "a mate");
    let read: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
    assert_eq!(read.len(), 2);
    for (row, line) in read.iter().zip(&lines) {
        for (key, field) in row.get_column_iter() {
            // Numbers and texts are printed alike; of floats the table has all digits.
            if ["number", "id", "ply", "fen"].contains(&key.as_str()) {
                assert_eq!(field.to_string(), line[key].to_string(), "{key}");
            }
        }
    }
}

#[test]
fn wrong_input_is_refused_by_file_and_line_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("rows.jsonl");
    let refused = |input: &str| {
        let error = refusal(&["-", "--output", output.to_str().unwrap()], input);
        assert!(fs::read_dir(folder.path()).unwrap().next().is_none(), "{error}");
        error
    };
    for (input, expected) in [
        ("", "standard input: expected positions or games, found nothing"),
        ("8/8/8/8/8/8/8/8 w - - 0 1\n", "standard input, line 1: expected the FEN of a legal position: "),
        (
            "{\"moves\": [\"e2e4\"]}\n{\"moves\": [\"e2e5\"]}\n",
            "standard input, line 2: moves: expected a legal move in UCI notation, found \"e2e5\", move 1\n",
        ),
        ("{\"fen\": \"x\"}\n", "standard input, line 1: fen \"x\": expected the FEN of a legal position: "),
        ("{\"elo\": 9000}\n", "standard input, line 1: expected a rating from 1 to 4000, found 9000\n"),
        ("{\"moves\": 3}\n", "standard input, line 1: expected an object with the keys fen, moves, "),
        (
            "{\"moves\": [\"e2e4\"], \"fen\": \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"}\n",
            "standard input, line 1: fen: the moves lead from root to ",
        ),
    ] {
        let error = refused(input);
        assert!(error.starts_with(&format!("entente: {expected}")), "{error}");
    }
    let missing = refusal(&["no-such-file"], "");
    assert_eq!(missing, "entente: \"no-such-file\": expected a FEN, \"startpos\", a file or \"-\"\n");
    let parquet = refusal(&["-", "--format", "parquet"], "{}\n");
    assert_eq!(parquet, "entente: --format parquet: expected a file to write, --output FILE\n");
}
