//! Transcripts of sessions: readable files with the input of the engine and patterns for its output.
//!
//! `> TEXT` is a line of input. `< PATTERN` matches the next line of output, and `<< PATTERN` the first matching line
//! that follows; `*` in a pattern stands for any text. `#` begins a comment. At the end the input is closed, and the
//! engine must write nothing more.

use std::{
    collections::BTreeMap,
    fs,
    panic::catch_unwind,
    path::Path,
    time::{Duration, Instant},
};

use crate::engine::Engine;

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

/// How long an expected line may take. Searches in transcripts take a second at most.
const PATIENCE: Duration = Duration::from_secs(30);
/// The number of lines that a message of a failure shows.
const SHOWN: usize = 5;

/// Replays a transcript.
///
/// # Panics
/// If the engine writes something else, or if an expected line does not come in time.
fn replay(name: &str, transcript: &str, patience: Duration) {
    let mut engine = Engine::start();
    for (number, line) in transcript.lines().enumerate() {
        let place = format!("{name}.txt, line {}", number + 1);
        let deadline = Instant::now() + patience;
        match line.split_once(' ') {
            None if line.is_empty() => {}
            Some(("#", _)) => {}
            Some((">", text)) => engine.say(text),
            Some(("<", pattern)) => {
                let answer = engine.answer_by(deadline);
                let answer = answer
                    .unwrap_or_else(|| panic!("{place}: waited {patience:?} for '{pattern}', got nothing"));
                assert!(fits(&answer, pattern), "{place}: expected '{pattern}', got '{answer}'");
            }
            Some(("<<", pattern)) => {
                let mut lines = Vec::new();
                // A search may report forever.
                while let Some(line) = engine.answer_by(deadline) {
                    let is_last = fits(&line, pattern) || line.starts_with("bestmove");
                    lines.push(line);
                    if is_last {
                        break;
                    }
                }
                let is_found = lines.last().is_some_and(|last| fits(last, pattern));
                let shown = &lines[lines.len().saturating_sub(SHOWN)..];
                assert!(
                    is_found,
                    "{place}: waited for '{pattern}' in {} lines, the last: {shown:?}",
                    lines.len()
                );
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
        replay(&name, &transcript, PATIENCE);
    }
}

#[test]
fn a_wrong_transcript_fails_in_time_and_says_what_it_waited_for() {
    for (transcript, message) in [
        ("> isready\n< readyok\n< readyok", "wrong.txt, line 3: waited 1s for 'readyok', got nothing"),
        ("> isready\n< bestmove *", "wrong.txt, line 2: expected 'bestmove *', got 'readyok'"),
        (
            "> isready\n<< nothing",
            "wrong.txt, line 2: waited for 'nothing' in 1 lines, the last: [\"readyok\"]",
        ),
        ("> go infinite\n<< info nothing", "wrong.txt, line 2: waited for 'info nothing' in "),
        ("> isready", "wrong: expected no more output, got [\"readyok\"]"),
    ] {
        let begun = Instant::now();
        let panic =
            catch_unwind(|| replay("wrong", transcript, Duration::from_secs(1))).expect_err(transcript);
        let text = panic.downcast_ref::<String>().expect("a message");
        assert!(text.starts_with(message), "{text}");
        assert!(begun.elapsed() < Duration::from_secs(20), "{transcript}: {:?}", begun.elapsed());
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
