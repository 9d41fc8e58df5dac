//! Transcripts of sessions: readable files with the input of the engine and patterns for its output.
//!
//! `> TEXT` is a line of input. `< PATTERN` matches the next line of output, and `<< PATTERN` the first matching line
//! that follows; `*` in a pattern stands for any text. `#` begins a comment. At the end the input is closed, and the
//! engine must write nothing more.

use std::{collections::BTreeMap, fs, path::Path};

use crate::engine::*;

/// The transcripts by name.
fn transcripts() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/uci/transcripts");
    let files = fs::read_dir(folder).expect("the folder exists");
    files
        .map(|file| {
            let path = file.expect("it can be listed").path();
            let name = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
            (name, fs::read_to_string(path).expect("it is text"))
        })
        .collect()
}

fn fits(line: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().expect("split gives one");
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let mut last = None;
    for part in parts {
        last = Some(part);
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    // Without a star at the end, the last part must end the line.
    last.map_or(rest.is_empty(), |last| last.is_empty() || line.ends_with(last))
}

fn replay(name: &str, transcript: &str) {
    let mut engine = Engine::start();
    for (number, line) in transcript.lines().enumerate() {
        let place = format!("{name}.txt, line {}", number + 1);
        match line.split_once(' ') {
            None if line.is_empty() => {}
            Some(("#", _)) => {}
            Some((">", text)) => engine.say(text),
            Some(("<", pattern)) => {
                let answer = engine.answer();
                let answer = answer.unwrap_or_else(|| panic!("{place}: expected '{pattern}', got nothing"));
                assert!(fits(&answer, pattern), "{place}: expected '{pattern}', got '{answer}'");
            }
            Some(("<<", pattern)) => {
                let lines = engine.until_line(|line| fits(line, pattern) || line.starts_with("bestmove"));
                let last = lines.last().expect("there is one");
                assert!(fits(last, pattern), "{place}: expected '{pattern}' somewhere in {lines:?}");
            }
            _ => panic!("{place}: '{line}' is not a valid line of a transcript"),
        }
    }
    let rest = engine.finish();
    assert!(rest.is_empty(), "{name}: expected no more output, got {rest:?}");
}

#[test]
fn the_engine_answers_as_written() {
    for (name, transcript) in transcripts() {
        replay(&name, &transcript);
    }
}

#[test]
fn every_documented_command_occurs_in_a_transcript() {
    let page = include_str!("../../../../docs/protocol.md");
    let table = page.split("| Command |").nth(1).expect("it has a table of commands");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let sent: Vec<String> = transcripts()
        .values()
        .flat_map(|transcript| transcript.lines())
        .filter_map(|line| line.strip_prefix("> "))
        .map(|line| format!("{line} "))
        .collect();
    let mut commands = 0;
    for row in rows {
        let cell = row.split('|').nth(1).expect("it has a first cell");
        for command in cell.split('`').skip(1).step_by(2) {
            // The words before the first placeholder.
            let literal = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase());
            let words: Vec<&str> = command.split(' ').take_while(literal).collect();
            let words = format!("{} ", words.join(" "));
            assert!(sent.iter().any(|line| line.starts_with(&words)), "no transcript has '{words}'");
            commands += 1;
        }
    }
    assert!(commands > 15, "only {commands} commands were found");
}

#[test]
fn stars_stand_for_any_text() {
    assert!(fits("bestmove e2e4", "bestmove *") && fits("abcabc", "a*c") && fits("abc", "abc"));
    assert!(!fits("abcd", "abc") && !fits("abcd", "a*c") && !fits("bestmove", "bestmove *"));
    assert!(fits("info depth 1 score cp 3 pv e2e4", "info * score cp * pv *"));
}
