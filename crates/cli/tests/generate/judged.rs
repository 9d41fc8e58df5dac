//! Constraints that search judges: results, reproducibility, and judges that fail.

use std::process::Output;

use entente_constraint::Constraint;
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

use crate::{entente, stderr, stdout, without_times};

fn generate(constraint: &str, more: &[&str]) -> Output {
    let fixed = ["generate", constraint, "--seed", "3", "--realism", "fast", "--elo", "1500"];
    entente(&[&fixed[..], more].concat())
}

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

fn mates_in_one(position: &Chess) -> bool {
    position.legal_moves().into_iter().any(|m| {
        let mut after = position.clone();
        after.play_unchecked(m);
        after.is_checkmate()
    })
}

#[test]
fn games_end_when_the_judged_conditions_hold() {
    for constraint in
        ["Q=0 q=0 eval=-60..60 quiet", "mate=1", "P<=6 only", "!quiet ply>=20 (eval>200 | eval<-200)"]
    {
        let output = generate(constraint, &["-n", "3", "--judge-nodes", "20000", "--format", "jsonl"]);
        assert_eq!(output.status.code(), Some(0), "{constraint}: {}", stderr(&output));
        let lines = without_times(&output);
        assert_eq!(lines.len(), 3);
        let parsed: Constraint = constraint.parse().unwrap();
        for line in lines {
            let fen = line["fen"].as_str().unwrap();
            let position = position(fen);
            let ply = line["plies"].as_u64().unwrap() as u32;
            assert!(parsed.holds(entente_constraint::Situation::first(&position, ply)), "{fen}");
            assert!(constraint != "mate=1" || mates_in_one(&position), "{fen}");
        }
    }
}

#[test]
fn puzzles_have_the_predicted_rating_that_was_asked_for() {
    let run = |threads: &str| {
        let more = ["-n", "2", "--threads", threads, "--judge-nodes", "20000", "--format", "jsonl"];
        let output = generate("puzzle<=1500", &more);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        without_times(&output)
    };
    let lines = run("1");
    assert_eq!(lines.len(), 2);
    for line in &lines {
        let (rating, error) =
            (line["puzzle_rating"].as_i64().unwrap(), line["puzzle_error"].as_i64().unwrap());
        assert!((1..=1500).contains(&rating) && error > 0, "{line}");
    }
    assert_eq!(run("2"), lines);
}

#[test]
fn check_rates_a_puzzle_and_nothing_else() {
    let check = |constraint: &str, fen: &str| entente(&["check", constraint, "--fen", fen]).status.code();
    let mate = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    assert_eq!(check("puzzle<=5000", mate), Some(0));
    assert_eq!(check("puzzle>=3000", mate), Some(1));
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(check("puzzle<=5000", start), Some(1));
    assert_eq!(check("!puzzle<=5000", start), Some(0));
}

#[test]
fn judged_generations_repeat_with_any_number_of_threads() {
    let run = |constraint: &str, threads: &str| {
        let more = ["-n", "4", "--threads", threads, "--judge-nodes", "5000", "--format", "jsonl"];
        without_times(&generate(constraint, &more))
    };
    for constraint in ["Q=0 q=0 eval=-40..40", "theme=fork"] {
        assert_eq!(run(constraint, "1"), run(constraint, "3"), "{constraint}");
    }
}

#[test]
fn check_names_the_judged_conditions_that_fail() {
    let check = |constraint: &str, fen: &str| {
        let output = entente(&["check", constraint, "--fen", fen]);
        (output.status.code(), stdout(&output))
    };
    let mate = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    assert_eq!(check("mate=2 best=quiet", mate).0, Some(0));
    let (status, text) = check("mate=1 eval>=300", mate);
    assert_eq!(status, Some(1));
    assert!(text.contains("no   the side to move mates in one move"), "{text}");
    assert!(text.contains("yes  the evaluation for White is at least 300 centipawns"), "{text}");
    assert!(text.contains("\n  White mates\n"), "{text}");
    let (status, text) = check("eval>=300", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!(status == Some(1) && text.contains("\n  the evaluation for White is "), "{text}");
    let (_, text) = check("eval<0", "8/8/8/4k3/8/8/4K3/4Q3 w - - 0 1");
    assert!(text.contains("\n  White wins, as tables show\n"), "{text}");
}

#[test]
fn best_and_bad_moves_are_named_by_their_men_and_squares() {
    let mate = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
    let piece_up = "5rk1/5ppp/8/8/8/3B4/5PPP/5RK1 w - - 0 1";
    // Whoever takes the knight is mated on the first rank.
    let poisoned = "3r2k1/5ppp/8/8/8/8/nB3PPP/R5K1 w - - 0 1";
    for (fen, constraint, holds) in [
        (mate, "best=R@a8 legal=20", true),
        (mate, "best=[Rr]", true),
        (mate, "best=r", false),
        (mate, "best=R@h", false),
        (mate, "legal<20", false),
        (piece_up, "bad=B@h7", true),
        (piece_up, "bad=B@g7", false),
        (piece_up, "bad=B", false),
        (poisoned, "bad=capture", true),
        (piece_up, "bad=capture", false),
    ] {
        let output = entente(&["check", constraint, "--fen", fen]);
        assert_eq!(output.status.code(), Some(i32::from(!holds)), "{constraint} {fen}: {}", stdout(&output));
    }
}

#[test]
fn a_judge_that_cannot_be_started_is_an_error_and_an_unneeded_one_is_reported() {
    let output = generate("eval>=50", &["--judge", "/nowhere/engine"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("judge /nowhere/engine: cannot be started"), "{}", stderr(&output));
    let output = generate("Q=0 q=0", &["--judge", "/nowhere/engine", "--format", "fen"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("the judge has no effect"), "{}", stderr(&output));
}

/// The judge accepts the first positions and then dies.
#[cfg(unix)]
#[test]
fn positions_found_before_the_judge_died_are_kept() {
    use std::{fs, os::unix::fs::PermissionsExt as _};

    let folder = tempfile::tempdir().unwrap();
    let (path, result) = (folder.path().join("judge"), folder.path().join("found.fen"));
    let script = "#!/bin/sh\nn=0\nwhile read -r line; do case \"$line\" in\n\
                  uci) echo uciok;;\nisready) echo readyok;;\nquit) exit 0;;\n\
                  position*) moves=${line##* };;\n\
                  go*) n=$((n+1)); [ $n -gt 2 ] && exit 7\n\
                  echo 'info depth 1 score cp 60 pv a7a6'; echo 'bestmove a7a6';;\nesac; done\n";
    // The move that the judge answers must be legal: a move of Black's a-pawn after one move of White.
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let more = [
        "-n",
        "4",
        "--threads",
        "1",
        "--judge",
        path.to_str().unwrap(),
        "--judge-nodes",
        "1000",
        "--output",
        result.to_str().unwrap(),
    ];
    let output = generate("ply=1 eval.mover<=100", &more);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let text = stderr(&output);
    assert!(text.contains("judge") && text.contains("it ended (exit status: 7)"), "{text}");
    // If the same position is found twice in a row, the judge is asked only once.
    let found = fs::read_to_string(&result).unwrap().lines().count();
    assert!((2..4).contains(&found), "{found}: {text}");
}
