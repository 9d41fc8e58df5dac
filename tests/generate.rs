//! `entente generate` and `entente bench` as a user runs them.

mod support;

use std::{
    fs,
    path::Path,
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use entente::constraint::{Constraint, Goal};
use shakmaty::{Chess, Position, fen::Fen, uci::UciMove};
use support::fragile_network;

fn entente(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_entente")).args(arguments).output().expect("the program starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("results are UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A running program with its output piped.
fn start(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_entente"))
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("text")).collect()
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
    let (found, errors) = (stdout(&output).lines().count(), stderr(&output));
    assert!(errors.starts_with(&format!("{found} of 9 found, ")), "{errors}");
    let missing = format!("no more distinct positions found: {} not generated\n", 9 - found);
    assert!(errors.ends_with(&missing) && !errors.contains("stopped"), "{errors}");
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
        (
            &["(1,2,1,1,7)", "--network", "no-such-model.onnx"],
            "--network: no-such-model.onnx: No such file or directory (os error 2)\n",
        ),
        (&["(1,2,1,1,7)", "--network", three_bytes], three_bytes),
        (&["q=0", "--evaluator", "network"], "reads only exact counts of White"),
        (&["q=0", "--from", "8/8/8"], "--from"),
        (&["q=0", "--criterion", "2"], "--criterion"),
        (&["q=0", "--depth", "0"], "--depth"),
        (&["q=0", "--count", "0"], "--count"),
        (&["q=0", "--nodes", "0"], "--nodes"),
        (&["q=0", "--movetime", "0"], "--movetime"),
        (&["q=0", "--max-plies", "0"], "--max-plies"),
        (&["q=0", "--threads", "0"], "1..=256"),
        (&["q=0", "--threads", "257"], "1..=256"),
        (&["q=0", "--index", "3"], "--seed"),
        (&["q=0", "--backend", "torch"], "--backend torch: the material evaluator has no network to run"),
        (
            &["(1,2,1,1,7)", "--evaluator", "material", "--backend", "torch"],
            "--backend torch: the material evaluator has no network to run\n",
        ),
        (&["ply>=30", "--max-plies", "20"], "--max-plies 20: the constraint asks for 30 plies at least"),
        (&["N@f3", "--faithful"], "--faithful: the published algorithm knows nothing but numbers of men"),
        (&["N@f3", "--depth", "2"], "--depth: only the method negamax heeds it"),
        (&["N@f3", "--method", "negamax"], "is led by numbers of men alone"),
        (&["k@c3 P@b2 P@d2"], "impossible: k@c3 & P@b2 & P@d2: Black's men cannot all get"),
        (&["q=2", "--from", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"], "Black needs 2 promoted men"),
    ];
    let page = entente(&["generate", "q=0", "--count", "20001", "--format", "html"]);
    assert_eq!(page.status.code(), Some(2));
    assert!(stderr(&page).contains("--count 20001: a page holds 20000 positions at most"), "{page:?}");
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
fn a_network_that_breaks_on_a_position_is_an_error_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let [network, games] = ["fragile.onnx", "games.pgn"].map(|name| folder.path().join(name));
    fs::write(&network, fragile_network(0..8)).unwrap();
    let [network, games] = [&network, &games].map(|path| path.to_str().unwrap());
    let output = entente(&["generate", "(1,2,2,2,7)", "--network", network, "--output", games]);
    assert_eq!(output.status.code(), Some(2));
    let errors = stderr(&output);
    assert!(errors.starts_with(&format!("entente: network {network}: ")), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert_eq!(names(folder.path()), ["fragile.onnx"]);
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
fn a_page_holds_every_position_with_the_command_that_generates_it_alone() {
    let fixed = ["generate", "N@f5 check=black", "--seed", "5"];
    let page = stdout(&entente(&[&fixed[..], &["-n", "3", "--format", "html"]].concat()));
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "{page}");
    let (_, games) = page.split_once("id=\"games\">").unwrap();
    let games: serde_json::Value = serde_json::from_str(games.split_once("</script>").unwrap().0).unwrap();
    let games = games["games"].as_array().unwrap();
    assert_eq!(games.len(), 3);
    for (index, game) in games.iter().enumerate() {
        let index = index.to_string();
        let command = format!("entente generate 'N@f5 check=black' --seed 5 --index {index}");
        assert_eq!(game["command"], command);
        let alone = stdout(&entente(&[&fixed[..], &["--index", &index, "--format", "fen"]].concat()));
        assert_eq!(game["fen"], alone.trim_end());
        assert!(game["mark"].as_str().unwrap().contains("f5"), "{game}");
    }
}

#[test]
fn a_folder_is_refused_as_output_before_anything_is_generated() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let output = entente(&["generate", "Q=9", "--count", "1000000000", "--output", path]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stderr(&output), format!("entente: --output {path}: expected a file, found a folder\n"));
}

#[test]
fn standard_output_can_be_named_as_a_file() {
    for name in ["-", "/dev/stdout"] {
        let output = entente(&["generate", "q=0", "-n", "3", "--format", "fen", "--output", name]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(stdout(&output).lines().count(), 3);
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_is_standard_error_too_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let status = Command::new(env!("CARGO_BIN_EXE_entente"))
        .args(["generate", "q=0", "-n", "3", "--format", "fen", "--output", "/dev/stderr"])
        .stderr(fs::OpenOptions::new().append(true).create(true).open(&log).unwrap())
        .status()
        .unwrap();
    assert!(status.success());
    let text = fs::read_to_string(&log).unwrap();
    assert!(text.lines().count() == 4 && text.contains("3 of 3 found"), "{text}");
}

/// Starts an endless run into `file`, interrupts it when `is_time` and returns what it said on standard error.
#[cfg(unix)]
fn interrupted(constraint: &[&str], file: &Path, is_time: impl Fn(&Path) -> bool) -> String {
    let fixed = ["generate", "--evaluator", "material", "-n", "1000000000", "--format", "fen", "--output"];
    let child = start(&[&fixed[..], &[file.to_str().unwrap()], constraint].concat());
    let folder = file.parent().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while !names(folder).iter().any(|name| name.ends_with(".partial") && is_time(&folder.join(name))) {
        assert!(Instant::now() < deadline, "nothing is written");
        thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    stderr(&output)
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_was_found_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("positions.fen");
    let errors = interrupted(&["q=0"], &file, |partial| fs::metadata(partial).unwrap().len() > 0);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.ends_with('\n') && text.lines().all(|line| line.parse::<Fen>().is_ok()));
    assert!(errors.starts_with(&format!("{} of 1000000000 found", text.lines().count())), "{errors}");
    assert!(errors.contains("\nstopped: "), "{errors}");
    assert!(errors.ends_with(&format!("{} holds what was generated\n", file.display())), "{errors}");
    assert_eq!(names(folder.path()), ["positions.fen"]);
}

#[cfg(unix)]
#[test]
fn an_interrupt_before_anything_is_found_leaves_an_older_file_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("positions.fen");
    fs::write(&file, "old").unwrap();
    let errors = interrupted(&["Q=9 q=9", "--depth", "4"], &file, |_| true);
    assert!(errors.ends_with(&format!("{} was not written\n", file.display())), "{errors}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");
    assert_eq!(names(folder.path()), ["positions.fen"]);
}

#[test]
fn nobody_reading_ends_a_command_without_a_word() {
    for arguments in [&["bench", "--games", "1"][..], &["generate", "q=0", "-n", "1000000000"]] {
        let mut child = start(arguments);
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(stderr(&output), "", "{arguments:?}");
        assert!(output.status.code().is_some_and(|code| code <= 1), "{arguments:?}: {}", output.status);
    }
}

/// The numbers behind `start` on the lines that have it.
fn numbers(text: &str, start: &str) -> Vec<u64> {
    let digits = |rest: &str| rest.chars().take_while(char::is_ascii_digit).collect::<String>();
    text.lines()
        .filter_map(|line| line.strip_prefix(start))
        .map(|rest| digits(rest).parse().unwrap())
        .collect()
}

#[test]
fn results_are_numbered_without_gaps() {
    // With few ways to go, some attempts repeat a position.
    let root = "8/8/8/8/8/k1K5/p3p3/8 b - - 0 1";
    let distinct = ["generate", "q=1 p=0", "--from", root, "-n", "4", "--distinct", "--seed", "1"];
    let text = stdout(&entente(&distinct));
    assert_eq!(numbers(&text, "Position "), [1, 2, 3, 4]);
    // Most of these are not found, and PGN has nothing to say of them.
    let limited = ["generate", "q=0", "-n", "40", "--evaluator", "material", "--max-plies", "7", "--nodes"];
    let pgn = stdout(&entente(&[&limited[..], &["9000", "--seed", "1", "--format", "pgn"]].concat()));
    let rounds = numbers(&pgn, "[Round \"");
    assert!((1..40).contains(&rounds.len()), "{}", rounds.len());
    assert_eq!(rounds, (1..=rounds.len() as u64).collect::<Vec<_>>());
}

#[test]
fn one_of_a_thing_is_not_many() {
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
