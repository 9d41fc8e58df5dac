//! The faults of vampirc-uci that the engine makes up for: what the crate makes of a line, so that we learn when one is
//! mended, and what the engine does with it.

use std::{panic, time::Duration};

use vampirc_uci::{
    UciInfoAttribute, UciMessage, UciOptionConfig, UciSearchControl, UciTimeControl, parse_one,
};

use crate::engine::*;

fn is_unknown(line: &str) -> bool {
    matches!(parse_one(line), UciMessage::Unknown(..))
}

fn search_control(line: &str) -> UciSearchControl {
    match parse_one(line) {
        UciMessage::Go { search_control: Some(control), .. } => control,
        other => panic!("{other:?}"),
    }
}

/// What the engine says to `input`, and the first line of it that begins with `start`.
fn line(input: &str, start: &str) -> String {
    let lines = pipe(input);
    lines.iter().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{lines:?}")).clone()
}

#[test]
fn a_depth_of_more_than_two_digits_is_kept() {
    assert_eq!(search_control("go depth 1000").depth, Some(100), "cut to two digits, it was");
    // A rook cannot mate here at once, and every position below is soon known: the iterations go on to the last.
    let mut engine = Engine::start();
    engine.say("position fen 7k/5K2/8/8/8/8/8/B7 b - - 0 1\ngo depth 1000");
    let lines = engine.until("bestmove");
    assert!(lines[lines.len() - 2].starts_with("info depth 127 "), "{lines:?}");
}

#[test]
fn a_depth_that_makes_the_crate_panic_is_read() {
    assert!(panic::catch_unwind(|| parse_one("go depth 300")).is_err());
    let mut engine = Engine::start();
    engine.say("position fen 7k/5K2/8/8/8/8/8/B7 b - - 0 1\ngo depth 300");
    let lines = engine.until("bestmove");
    assert!(lines[lines.len() - 2].starts_with("info depth 127 "), "{lines:?}");
}

#[test]
fn a_number_of_more_than_twelve_digits_is_large() {
    let nodes = search_control("go nodes 12345678901234567").nodes;
    assert_eq!(nodes, Some(123_456_789_012), "cut to twelve digits, it was");
    // Nobody can count that far; but what the crate makes of this one, 0, would end the search at once.
    assert_eq!(search_control("go nodes 0000000000001000000").nodes, Some(0));
    let mut engine = Engine::start();
    engine.say("go depth 4 nodes 0000000000001000000");
    engine.until("info depth 4 ");
}

#[test]
fn ponder_beside_a_clock_is_kept() {
    let UciMessage::Go { time_control, .. } = parse_one("go ponder wtime 10 btime 10") else { panic!() };
    assert!(!matches!(time_control, Some(UciTimeControl::Ponder)), "lost, it was");
    let mut engine = Engine::start();
    engine.say("go ponder wtime 10 btime 10");
    assert!(engine.holds_its_move_for(Duration::from_millis(200)));
    engine.say("ponderhit");
    engine.until("bestmove");
}

#[test]
fn option_names_with_the_letters_value_are_whole() {
    assert!(is_unknown("setoption name ValueNet value f"));
    let note = line("debug on\nsetoption name ValueNet value f", "info string");
    assert_eq!(note, "info string there is no option 'ValueNet'");
    let UciMessage::SetOption { name, .. } = parse_one("setoption name Policy Value value 3") else {
        panic!()
    };
    assert_ne!(name, "Policy Value");
    // Nor can we know better, so no option of ours is called so; see the tests of the option table.
}

#[test]
fn a_value_that_is_missing_is_empty() {
    let state = |value: &str| {
        let lines =
            pipe(&format!("setoption name Constraint value Q=0\nsetoption name Constraint {value}\nd"));
        lines.into_iter().find(|line| line.starts_with("Constraint: ")).expect("d says so")
    };
    for value in ["value", "value ", "value <empty>", ""] {
        assert_eq!(state(value), "Constraint: none", "{value:?}");
    }
}

#[test]
fn fens_of_every_form_are_read() {
    for (fen, read) in [
        ("4k3/8/8/8/8/8/8/4K2R w K -", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 12345 1", "4k3/8/8/8/8/8/8/4K2R w - - 12345 1"),
    ] {
        assert!(is_unknown(&format!("position fen {fen}")), "{fen}");
        assert_eq!(line(&format!("position fen {fen}\nd"), "FEN: "), format!("FEN: {read}"));
    }
    let long = "position fen 4k3/8/8/8/8/8/8/4K2R w - - 0 12345 moves e1e2";
    let UciMessage::Position { fen: Some(fen), moves, .. } = parse_one(long) else { panic!() };
    assert!(fen.as_str().ends_with(" 0 1234") && moves.is_empty(), "cut, it was, with all behind it");
    assert_eq!(line(&format!("{long}\nd"), "FEN: "), "FEN: 4k3/8/8/8/8/8/4K3/7R b - - 1 12345");
}

#[test]
fn a_move_that_is_none_is_named_instead_of_dropped_with_all_behind_it() {
    let position = "position startpos moves e2e4 0000 e7e5";
    let UciMessage::Position { moves, .. } = parse_one(position) else { panic!() };
    assert_eq!(moves.len(), 1, "dropped, they were");
    let error = line(&format!("{position}\nd"), "info string error: ");
    assert!(error.contains("move 2, '0000'"), "{error}");
    let fen = line(&format!("{position}\nd"), "FEN: ");
    assert!(fen.contains("/PPPPPPPP/RNBQKBNR w "), "{fen}");
}

#[test]
fn an_unknown_word_in_front_is_skipped() {
    assert!(is_unknown("joho debug on"));
    let note = line("joho debug on\nwhat is this", "info string");
    assert!(note.starts_with("info string unknown command: what is this; try uci, "), "{note}");
    assert!(is_unknown("go nowhere fast"));
    let mut engine = Engine::start();
    engine.say("position fen 7k/8/8/8/8/8/8/KR6 w - - 0 1\ngo nowhere fast depth 2");
    let lines = engine.until("bestmove");
    assert_eq!(lines[0], "info string go: skipped what is no limit, or lacks its number: nowhere, fast");
    assert_eq!(lines.len(), 4, "two iterations and the move, no more: {lines:?}");
}

#[test]
fn a_word_that_only_begins_like_a_command_is_none() {
    assert!(matches!(parse_one("isreadyfoo"), UciMessage::IsReady), "taken for isready, it was");
    assert!(line("isreadyfoo", "info string").contains("unknown command: isreadyfoo"));
}

#[test]
fn an_empty_default_is_written_as_a_word() {
    let option = UciOptionConfig::String { name: "Constraint".to_owned(), default: Some(String::new()) };
    assert!(!UciMessage::Option(option).to_string().contains("<empty>"), "nothing, it was");
    let lines = pipe("uci");
    assert!(lines.contains(&"option name Constraint type string default <empty>".to_owned()), "{lines:?}");
}

#[test]
fn the_number_of_the_current_move_is_spelt_right() {
    let info = UciMessage::Info(vec![UciInfoAttribute::CurrMoveNum(3)]).to_string();
    assert!(!info.contains("currmovenumber"), "misspelt, it was: {info}");
    let mut engine = Engine::start();
    engine.say("go infinite");
    let lines = engine.until_line(|line| line.contains(" currmove "));
    let current = lines.last().expect("there is one");
    assert!(current.contains(" currmovenumber ") && current.contains(" nodes "), "{current}");
    // What a GUI reads last still has a score.
    engine.say("stop");
    let lines = engine.until("bestmove");
    assert!(lines[lines.len() - 2].contains(" score "), "{lines:?}");
}
