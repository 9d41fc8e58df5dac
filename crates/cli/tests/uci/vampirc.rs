//! The bugs of vampirc-uci that the engine works around. Each test shows the result of the crate, so that we notice
//! when a bug is fixed, and the behaviour of the engine.

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

/// The first line of the engine's answer to `input` that begins with `start`.
fn line(input: &str, start: &str) -> String {
    let lines = pipe(input);
    lines.iter().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{lines:?}")).clone()
}

#[test]
fn a_depth_of_more_than_two_digits_is_kept() {
    assert_eq!(search_control("go depth 1000").depth, Some(100), "fixed: was 100");
    // Every position in this search is soon known, so the iterations reach the last depth.
    let mut engine = Engine::start();
    engine.say("position fen 7k/5K2/8/8/8/8/8/B7 b - - 0 1\ngo depth 1000");
    let lines = engine.until("bestmove");
    assert!(lines[lines.len() - 2].starts_with("info depth 127 "), "{lines:?}");
}

#[test]
fn a_depth_that_makes_the_crate_panic_is_parsed() {
    assert!(panic::catch_unwind(|| parse_one("go depth 300")).is_err());
    let mut engine = Engine::start();
    engine.say("position fen 7k/5K2/8/8/8/8/8/B7 b - - 0 1\ngo depth 300");
    let lines = engine.until("bestmove");
    assert!(lines[lines.len() - 2].starts_with("info depth 127 "), "{lines:?}");
}

#[test]
fn a_number_of_more_than_twelve_digits_is_large() {
    let nodes = search_control("go nodes 12345678901234567").nodes;
    assert_eq!(nodes, Some(123_456_789_012), "fixed: was cut to twelve digits");
    // No search is that long. But the crate reads this number as 0, which would end the search at once.
    assert_eq!(search_control("go nodes 0000000000001000000").nodes, Some(0));
    let mut engine = Engine::start();
    engine.say("go depth 4 nodes 0000000000001000000");
    engine.until("info depth 4 ");
}

#[test]
fn ponder_with_a_clock_is_kept() {
    let UciMessage::Go { time_control, .. } = parse_one("go ponder wtime 10 btime 10") else { panic!() };
    assert!(!matches!(time_control, Some(UciTimeControl::Ponder)), "fixed: was lost");
    let mut engine = Engine::start();
    engine.say("go ponder wtime 10 btime 10");
    assert!(engine.holds_its_move_for(Duration::from_millis(200)));
    engine.say("ponderhit");
    engine.until("bestmove");
}

#[test]
fn option_names_with_the_letters_value_are_kept_whole() {
    assert!(is_unknown("setoption name ValueNet value f"));
    let note = line("debug on\nsetoption name ValueNet value f", "info string");
    assert_eq!(note, "info string there is no option 'ValueNet'");
    let UciMessage::SetOption { name, .. } = parse_one("setoption name Policy Value value 3") else {
        panic!()
    };
    assert_ne!(name, "Policy Value");
    // We cannot do better, so no option has such a name; see the tests of the option table.
}

#[test]
fn a_missing_value_is_empty() {
    let state = |value: &str| {
        let lines =
            pipe(&format!("setoption name Constraint value Q=0\nsetoption name Constraint {value}\nd"));
        lines.into_iter().find(|line| line.starts_with("Constraint: ")).expect("d prints it")
    };
    for value in ["value", "value ", "value <empty>", ""] {
        assert_eq!(state(value), "Constraint: none", "{value:?}");
    }
}

#[test]
fn fens_of_every_form_are_parsed() {
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
    assert!(
        fen.as_str().ends_with(" 0 1234") && moves.is_empty(),
        "fixed: was cut, with everything after it"
    );
    assert_eq!(line(&format!("{long}\nd"), "FEN: "), "FEN: 4k3/8/8/8/8/8/4K3/7R b - - 1 12345");
}

#[test]
fn an_invalid_move_is_named_instead_of_dropped_with_all_moves_after_it() {
    let position = "position startpos moves e2e4 0000 e7e5";
    let UciMessage::Position { moves, .. } = parse_one(position) else { panic!() };
    assert_eq!(moves.len(), 1, "fixed: were dropped");
    let error = line(&format!("{position}\nd"), "info string error: ");
    assert!(error.contains("move 2, '0000'"), "{error}");
    assert_eq!(line(&format!("{position}\ngo generate\n"), "bestmove"), "bestmove (none)");
}

#[test]
fn an_unknown_word_before_a_command_is_skipped() {
    assert!(is_unknown("joho debug on"));
    let note = line("joho debug on\nwhat is this", "info string");
    assert!(note.starts_with("info string unknown command: what is this; try uci, "), "{note}");
    assert!(is_unknown("go nowhere fast"));
    let mut engine = Engine::start();
    engine.say("position fen 7k/8/8/8/8/8/8/KR6 w - - 0 1\ngo nowhere fast depth 2");
    let lines = engine.until("bestmove");
    assert_eq!(lines[0], "info string go: skipped unknown words and limits without a number: nowhere, fast");
    assert_eq!(lines.len(), 4, "two iterations and the move, no more: {lines:?}");
}

#[test]
fn a_word_that_only_begins_like_a_command_is_unknown() {
    assert!(matches!(parse_one("isreadyfoo"), UciMessage::IsReady), "fixed: was taken for isready");
    assert!(line("isreadyfoo", "info string").contains("unknown command: isreadyfoo"));
}

#[test]
fn an_empty_default_is_written_as_a_word() {
    let option = UciOptionConfig::String { name: "Constraint".to_owned(), default: Some(String::new()) };
    assert!(!UciMessage::Option(option).to_string().contains("<empty>"), "fixed: was omitted");
    let lines = pipe("uci");
    assert!(lines.contains(&"option name Constraint type string default <empty>".to_owned()), "{lines:?}");
}

#[test]
fn the_number_of_the_current_move_is_spelled_correctly() {
    let info = UciMessage::Info(vec![UciInfoAttribute::CurrMoveNum(3)]).to_string();
    assert!(!info.contains("currmovenumber"), "fixed: was misspelled: {info}");
    let mut engine = Engine::start();
    engine.say("go infinite");
    let lines = engine.until_line(|line| line.contains(" currmove "));
    let current = lines.last().expect("there is one");
    assert!(current.contains(" currmovenumber ") && current.contains(" nodes "), "{current}");
    // The last line before `bestmove` still has a score.
    engine.say("stop");
    let lines = engine.until("bestmove");
    assert!(lines[lines.len() - 2].contains(" score "), "{lines:?}");
}
