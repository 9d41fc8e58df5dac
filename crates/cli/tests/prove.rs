//! `entente prove` as a user runs it, with interruptions and damage.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like tests")]

use std::{
    fs,
    io::Write as _,
    path::PathBuf,
    process::{Command, Output, Stdio},
    thread,
    time::Duration,
};

use serde_json::Value;
use tempfile::TempDir;

/// A diagram with a single shortest game.
const MORTIMER: &str = "rnbqkb1r/ppp2ppp/8/8/8/8/PPPPPPPP/RNBQKB1R";

struct WorkFolder {
    folder: TempDir,
}

impl WorkFolder {
    fn new() -> WorkFolder {
        WorkFolder { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_entente"));
        command.arg("prove").args(arguments).current_dir(self.folder.path());
        command
    }

    fn prove(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the program starts")
    }

    fn lines(&self, name: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.path(name)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn assert_says(output: &Output, status: i32, words: &str) {
    assert_eq!(output.status.code(), Some(status), "{}{}", stdout(output), stderr(output));
    assert!(
        stdout(output).contains(words) || stderr(output).contains(words),
        "{}{}",
        stdout(output),
        stderr(output)
    );
}

#[test]
fn a_diagram_is_answered_in_words() {
    let place = WorkFolder::new();
    let shortest = place.prove(&[MORTIMER, "--solutions", "2"]);
    assert_says(&shortest, 0, "found: 8 plies, and no game is shorter; it is the only one of this length");
    assert!(stdout(&shortest).ends_with("1. Nf3 e5 2. Nxe5 Ne7 3. Nxd7 Nec6 4. Nxb8 Nxb8\n"));
    assert_says(&place.prove(&[MORTIMER, "--plies", "6"]), 0, "there is no game of exactly 6 plies");
    // Orbán's: the only game of exactly eight plies, though six are enough.
    let orban = "rnbqkbnr/pp3ppp/2p1p3/8/4P3/8/PPPP1PPP/RNBQK1NR";
    let exact = place.prove(&[orban, "--plies", "8", "--json", "--solutions", "2"]);
    let words = "\"plies\":8,\"solutions\":1,\"all\":true,\"moves\":[\"e2e4\",\"e7e6\",\"f1b5\"";
    assert_says(&exact, 0, words);
    // The search for a shorter game ends where there can be none, long before the minute of a diagram is over.
    let one_ply =
        place.prove(&["rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR", "--nodes", "1000000", "--json"]);
    assert!(stdout(&one_ply).contains("\"nodes\":1,"), "{}", stdout(&one_ply));
    let some = place.prove(&[MORTIMER]);
    assert_says(&some, 0, "found: ");
    assert_says(
        &place.prove(&[MORTIMER, "--first"]),
        0,
        "; a shorter game may exist, and --shortest finds out",
    );
    assert_eq!(stdout(&some), stdout(&place.prove(&[MORTIMER])), "a seed repeats");
    let illegal = place.prove(&["rnbqkbnr/pppppppp/8/8/8/P7/P1PPPPPP/RNBQKBNR"]);
    assert_says(&illegal, 0, "illegal: White's pawns needed at least 1 capture");
    // The last move is known: a pawn has just moved two squares.
    let passed = place.prove(&["rnbqkbnr/ppp1pppp/8/8/3pP3/P6P/1PPP1PP1/RNBQKBNR b KQkq e3 0 4", "--json"]);
    assert_says(&passed, 0, "\"e2e4\"]");
}

#[test]
fn games_begin_in_other_positions_too() {
    let place = WorkFolder::new();
    // Number 3 of Chess960 has the king on f1 and a rook on g1, so both sides can castle with their first move.
    let castled = "bqnnrrkb/pppppppp/8/8/8/8/PPPPPPPP/BQNNRRKB";
    let by_number = place.prove(&[castled, "--start", "3", "--solutions", "2"]);
    assert_says(&by_number, 0, "found: 2 plies, and no game is shorter; it is the only one of this length");
    assert!(stdout(&by_number).ends_with("\n1. O-O O-O\n"), "{}", stdout(&by_number));
    let start = "bqnnrkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNNRKRB w KQkq - 0 1";
    let by_fen = place.prove(&[castled, "--from", start, "--json"]);
    assert_says(&by_fen, 0, "\"moves\":[\"f1g1\",\"f8g8\"]");
    assert_says(&by_fen, 0, &format!("\"question\":\"short, from {start}\""));
    // The rights are those of the start, also by the files of the rooks.
    for rights in ["kq", "ge"] {
        let one = "bqnnrkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNNRRKB";
        let answer = place.prove(&[&format!("{one} b {rights} -"), "--start", "3", "--shortest"]);
        assert_says(&answer, 0, "found: 1 ply, and no game is shorter");
    }
    let promoted = place.prove(&["bqnnrkrb/pppppppp/8/8/8/8/PPPPPPPP/BQQNRKRB", "--start", "3"]);
    assert_says(&promoted, 0, "unreachable: ");
    // A game that begins in the diagram has no moves, even if a pawn has just passed; nothing follows the end of a game.
    let passed = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3";
    assert_says(&place.prove(&[passed, "--from", passed, "--shortest"]), 0, "found: 0 plies");
    let kings = "8/8/8/4k3/8/8/8/4K3 w - - 0 1";
    for more in [&["--plies", "1"][..], &["--shortest"]] {
        let over = place.prove(&[&["8/8/8/4k3/8/8/4K3/8", "--from", kings], more].concat());
        assert_says(&over, 0, "unreachable: the game is over in the position in which it would begin");
    }
    let without_rights =
        place.prove(&["8/8/8/4k3/4P3/8/8/4K3 b - -", "--from", "8/8/8/4k3/8/4P3/8/4K3 w - - 0 1"]);
    assert_says(&without_rights, 0, "found: 1 ply");
    assert!(!stderr(&without_rights).contains("note"), "{}", stderr(&without_rights));
    for wrong in ["960", "-1"] {
        assert_says(&place.prove(&[castled, "--start", wrong]), 2, "expected a whole number from 0 to 959");
    }
}

#[test]
fn errors_name_the_wrong_input() {
    let place = WorkFolder::new();
    assert_says(&place.prove(&["8/8"]), 2, "\"8/8\": column 4: expected eight ranks of eight squares");
    assert_says(&place.prove(&["nothing.epd"]), 2, "nothing.epd: no such file; expected a diagram or a file");
    assert_says(&place.prove(&[MORTIMER, "--plies", "6", "--shortest"]), 2, "cannot be used with");
    fs::write(place.path("file.epd"), format!("# ours\n\n{MORTIMER} x\n")).unwrap();
    assert_says(
        &place.prove(&["file.epd"]),
        2,
        "file.epd, line 3, column 44: expected the side to move: w, b or ?",
    );
    fs::write(place.path("empty.epd"), "\n").unwrap();
    assert_says(&place.prove(&["empty.epd"]), 2, "empty.epd: expected one diagram per line, found none");
    fs::write(place.path("file.epd"), format!("{MORTIMER}\n")).unwrap();
    fs::write(place.path("answers.jsonl"), "{\"line\":1}\n").unwrap();
    let output = ["file.epd", "--output", "answers.jsonl"];
    assert_says(&place.prove(&output), 2, "answers.jsonl: the file exists; --resume continues it");
    let resumed = place.prove(&[&output[..], &["--resume"]].concat());
    assert_says(&resumed, 2, "answers.jsonl, line 1: expected an answer of entente prove");
    assert_eq!(fs::read_to_string(place.path("answers.jsonl")).unwrap(), "{\"line\":1}\n");
    assert_says(&place.prove(&[""]), 2, "expected a diagram, the name of a file or \"-\", found nothing");
    assert_says(&place.prove(&["."]), 2, ".: expected a diagram or a file, found a directory");
}

/// One bad line among good ones has an answer of its own, and an unfinished file is continued.
#[test]
fn a_line_that_cannot_be_read_does_not_stop_the_others() {
    let place = WorkFolder::new();
    let lines =
        format!("{MORTIMER} id \"one\"; bm Nf3;\nno diagram\n{MORTIMER} w - - c0 \"two\"; id \"two\";\n");
    fs::write(place.path("file.epd"), lines).unwrap();
    let all = ["file.epd", "--first", "--output", "answers.jsonl"];
    let output = place.prove(&all);
    let said =
        "3 diagrams: 2 found, 0 proved to have no such game, 0 undetermined, 1 line that could not be read";
    assert_says(&output, 1, said);
    let answers = fs::read_to_string(place.path("answers.jsonl")).unwrap();
    let answers: Vec<&str> = answers.lines().collect();
    assert!(answers[0].contains("\"id\":\"one\"") && answers[0].contains("\"game\":\"1. "), "{}", answers[0]);
    assert!(answers[1].contains("\"outcome\":\"error\"") && answers[1].contains("\"error\":\"column 2: "));
    assert!(answers[2].contains("\"id\":\"two\"") && answers[2].contains("\"note\":\"'-' denies"));
    fs::write(place.path("answers.jsonl"), format!("{}\n{}\n", answers[0], answers[1])).unwrap();
    assert_says(&place.prove(&[&all[..], &["--resume"]].concat()), 1, said);
}

/// Each of these was undetermined after a minute before there were plans of captures, rooms and last moves.
#[test]
fn retro_problems_are_decided() {
    let place = WorkFolder::new();
    let twelve_promotions = "rnbqkbnr/8/q1q1q1q1/8/8/Q1Q1Q1Q1/Q1Q1Q1Q1/RNBQKBNR";
    assert_says(&place.prove(&[twelve_promotions, "--first"]), 0, "found: ");
    // A double check that only a capture en passant can have given.
    let en_passant = place.prove(&["8/8/3Pk3/8/8/1B6/8/K3R3 b - -", "--first", "--movetime", "5000"]);
    assert_says(&en_passant, 0, "exd6");
    let exchanged = place.prove(&["rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "--json"]);
    assert_says(
        &exchanged,
        0,
        "Black's king on d8 and queen on e8 cannot have left their initial squares: there never was a free square behind \
         the unmoved bishops on c8 and f8 and pawns on c7, d7, e7 and f7",
    );
    assert_says(&exchanged, 0, "\"squares\":[\"d8\",\"e8\",\"c8\",");
    assert_says(&place.prove(&["rnbqkb1r/2pppppp/qq6/8/8/QQ6/2PPPPPP/RNBQKBNR"]), 0, "illegal: ");
}

#[test]
fn resuming_with_a_wrong_file_changes_nothing() {
    let place = WorkFolder::new();
    fs::write(place.path("file.epd"), format!("\u{feff}{MORTIMER}\r\n{MORTIMER} b\r\n")).unwrap();
    let resume =
        |more: &[&str]| place.prove(&[&["file.epd", "--output", "answers.jsonl", "--resume"], more].concat());
    let keeps = |text: &[u8], expected: &str| {
        fs::write(place.path("answers.jsonl"), text).unwrap();
        assert_says(&resume(&[]), 2, expected);
        assert_eq!(fs::read(place.path("answers.jsonl")).unwrap(), text);
    };
    keeps(b"my precious notes", "answers.jsonl: the last line is neither an answer of entente prove nor");
    keeps(b"\xff\n", "answers.jsonl, line 1: invalid utf-8");
    fs::remove_file(place.path("answers.jsonl")).unwrap();
    assert_says(&resume(&[]), 0, "2 diagrams: 2 found, 0 proved to have no such game");
    let whole = fs::read(place.path("answers.jsonl")).unwrap();
    let expected =
        "line 1: this answers the question \"short\"; now the question is \"shortest, solutions 1\"";
    assert_says(&resume(&["--shortest"]), 2, expected);
    keeps(&whole.repeat(2), "line 3: line 1 was already answered");
    // A killed run may leave an incomplete line, which may even end within a character.
    fs::write(place.path("answers.jsonl"), [&whole[..], b"{\"line\":2,\"id\":\"\xc3"].concat()).unwrap();
    assert_says(&resume(&[]), 0, "2 diagrams:");
    assert_eq!(fs::read(place.path("answers.jsonl")).unwrap(), whole);
}

/// Diagrams of pseudorandom games, the same each time, and an illegal one.
fn diagrams(count: usize) -> String {
    use rand::{SeedableRng, rngs::ChaCha8Rng, seq::IndexedRandom};
    use shakmaty::{Chess, Position};
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut text = String::new();
    for number in 0..count {
        let mut position = Chess::default();
        for _ in 0..12 {
            position.play_unchecked(*position.legal_moves().choose(&mut rng).unwrap());
        }
        text += &format!("{} ? ? ? id \"{number}\";\n", position.board());
    }
    text + "rnbqkbnr/pppppppp/8/8/8/P7/P1PPPPPP/RNBQKBNR\n"
}

#[test]
fn a_killed_batch_resumes_to_the_same_answers() {
    let place = WorkFolder::new();
    fs::write(place.path("file.epd"), diagrams(40)).unwrap();
    // Games are found at once; the nodes are those of the search for shorter ones.
    let whole = place.prove(&["file.epd", "--nodes", "50000", "--threads", "2"]);
    assert_eq!(whole.status.code(), Some(0), "{}", stderr(&whole));
    let sorted = |text: &str| {
        let mut answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        answers.sort_by_key(|answer| answer["line"].as_u64());
        answers.iter_mut().for_each(|answer| _ = answer.as_object_mut().unwrap().remove("seconds"));
        answers
    };
    let expected = sorted(&stdout(&whole));
    assert_eq!(expected.len(), 41);
    assert_eq!((&expected[3]["id"], &expected[40]["outcome"]), (&Value::from("3"), &Value::from("illegal")));
    assert_eq!(expected[40]["rule"], "pawn-captures");

    let arguments = ["file.epd", "--nodes", "50000", "--output", "answers.jsonl", "--resume"];
    let written = || fs::read_to_string(place.path("answers.jsonl")).map_or(0, |text| text.lines().count());
    let mut child = place.command(&arguments).stderr(Stdio::null()).spawn().unwrap();
    while written() < 5 && child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // An incomplete line, as a kill may leave it.
    let mut file = fs::OpenOptions::new().append(true).open(place.path("answers.jsonl")).unwrap();
    file.write_all(b"{\"line\":7,\"prob").unwrap();
    assert_eq!(place.prove(&arguments).status.code(), Some(0));
    assert_eq!(sorted(&fs::read_to_string(place.path("answers.jsonl")).unwrap()), expected);
    let before = fs::read(place.path("answers.jsonl")).unwrap();
    assert_says(&place.prove(&arguments), 0, "41 diagrams: 40 found, 1 proved to have no such game");
    assert_eq!(fs::read(place.path("answers.jsonl")).unwrap(), before, "nothing is left to do");
    assert_eq!(place.lines("answers.jsonl").len(), 41);
}

#[test]
fn a_search_that_runs_out_of_nodes_or_time_reports_what_it_proved() {
    let place = WorkFolder::new();
    // Published as the only game of 32 plies.
    let hard = "2bkrb2/2pppp2/p5p1/5p2/r5n1/1q6/PP1PPPP1/RNBQKBNR";
    // How much is proved in a time depends on the machine.
    for (limit, proved) in [(["--nodes", "20000"], 15..=32), (["--movetime", "100"], 0..=32)] {
        let output = place.prove(&[&[hard, "--shortest", "--json"], &limit[..]].concat());
        assert_eq!(output.status.code(), Some(1), "{}{}", stdout(&output), stderr(&output));
        let answer: Value = serde_json::from_str(&stdout(&output)).unwrap();
        let least = answer["at_least"].as_u64().unwrap();
        assert!(proved.contains(&least), "{answer}");
    }
}

#[test]
fn one_ply_and_one_diagram_have_the_singular() {
    const KINGS_PAWN: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    let place = WorkFolder::new();
    let one = place.prove(&[KINGS_PAWN, "--shortest"]);
    assert!(stdout(&one).starts_with("found: 1 ply, and no game is shorter\n"), "{}", stdout(&one));
    fs::write(place.path("one.epd"), KINGS_PAWN).unwrap();
    assert_says(&place.prove(&["one.epd", "--output", "answers.jsonl"]), 0, "1 diagram: 1 found");
}

#[test]
fn only_flags_that_matter_for_diagrams_are_offered() {
    let place = WorkFolder::new();
    let help = stdout(&place.prove(&["--help"]));
    for flag in ["--elo", "--realism", "--movetime", "--threads", "--population", "--network"] {
        assert!(help.contains(&format!("{flag} <")), "{flag}");
    }
    for flag in ["--method", "--guidance", "--playouts", "--criterion", "--judge", "--visits"] {
        assert!(!help.contains(&format!("{flag} <")), "{flag}");
    }
}
