//! Output files.

use std::fs;

use crate::{entente, start, stderr, stdout};

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
fn a_page_has_every_position_with_the_command_that_generates_it() {
    let fixed = ["generate", "N@f5 check=black", "--elo", "1500", "--seed", "5"];
    let page = stdout(&entente(&[&fixed[..], &["-n", "3", "--format", "html"]].concat()));
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "{page}");
    assert!(
        page.contains("generate &#39;N@f5 check=black&#39; --elo 1500 --seed 5 --count 3</code>"),
        "{page}"
    );
    let (words, games) = page.split_once("id=\"games\">").unwrap();
    assert!(!words.contains("goal-policy"), "a page has no technical terms: {words}");
    let games: serde_json::Value = serde_json::from_str(games.split_once("</script>").unwrap().0).unwrap();
    let games = games["games"].as_array().unwrap();
    assert_eq!(games.len(), 3);
    for (number, game) in games.iter().enumerate() {
        let index = number.to_string();
        let command = format!("entente generate 'N@f5 check=black' --elo 1500 --seed 5 --index {index}");
        assert_eq!(game["command"], command);
        let alone = stdout(&entente(&[&fixed[..], &["--index", &index, "--format", "fen"]].concat()));
        assert_eq!(game["fen"], alone.trim_end());
        assert_eq!(game["mark"], "f5", "the named square, not the king in check: {game}");
        let caption = game["caption"].as_str().unwrap();
        assert!(caption.starts_with(&format!("{} · Black to move · move ", number + 1)), "{caption}");
        let helped = ["", " · led to the goal", " · by search"].map(|how| format!(" · 1500{how}"));
        assert!(helped.iter().any(|end| caption.ends_with(end)), "{caption}");
    }
}

#[test]
fn the_extension_selects_the_format_and_may_not_contradict_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for (name, begins) in [
        ("a.pgn", "[Event "),
        ("a.JSONL", "{\"index\""),
        ("a.html", "<!DOCTYPE html>"),
        ("a.txt", "Position 1: "),
        ("a.tsv", "#separator:tab\n"),
        ("games", "Position 1: "),
    ] {
        let output = entente(&["generate", "q=0", "--seed", "1", "--output", &path(name)]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let text = fs::read_to_string(path(name)).unwrap();
        assert!(text.starts_with(begins), "{name}: {text}");
    }
    let output = entente(&["generate", "q=0", "--format", "fen", "--output", &path("b.pgn")]);
    assert_eq!(output.status.code(), Some(2));
    let error = format!(
        "entente: --output {}: the extension means the format pgn, but --format is fen\n",
        path("b.pgn")
    );
    assert_eq!(stderr(&output), error);
    assert!(!folder.path().join("b.pgn").exists());
    let output = entente(&["generate", "q=0", "--output", &path("b.doc")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("or --format, found '.doc'"), "{}", stderr(&output));
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

#[test]
fn a_command_whose_output_is_not_read_ends_silently() {
    for arguments in
        [&["bench", "--games", "1"][..], &["generate", "q=0", "-n", "1000000000", "--realism", "fast"]]
    {
        let mut child = start(arguments);
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(stderr(&output), "", "{arguments:?}");
        assert!(output.status.code().is_some_and(|code| code <= 1), "{arguments:?}: {}", output.status);
    }
}

#[test]
fn games_begin_in_any_initial_position_of_chess960() {
    let run = |flags: &[&str]| entente(&[&["generate", "Q=0 q=0", "--seed", "1", "-n", "2"], flags].concat());
    let pgn = run(&["--start", "0", "--format", "pgn"]);
    assert_eq!(pgn.status.code(), Some(0), "{}", stderr(&pgn));
    let text = stdout(&pgn);
    let root = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
    for tag in ["[Variant \"Chess960\"]", &format!("[FEN \"{root}\"]")] {
        assert_eq!(text.matches(tag).count(), 2, "{text}");
    }
    assert!(stderr(&pgn).contains("the policies know only standard chess"), "{}", stderr(&pgn));
    // The same games from the FEN, and read again.
    assert_eq!(stdout(&run(&["--from", root, "--format", "pgn"])), text);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    fs::write(&file, text).unwrap();
    let found = entente(&["check", "Q=0 q=0", "--pgn", file.to_str().unwrap()]);
    assert_eq!(stdout(&found).lines().count(), 2, "{}", stderr(&found));
    for (flags, reason) in [
        (&["--start", "960"][..], "0 to 959"),
        (&["--start", "0", "--from", root], "cannot be used with"),
        (&["--start", "0", "--method", "goal-policy"], "the policies know only standard chess"),
    ] {
        let output = run(flags);
        assert!(output.status.code() == Some(2) && stderr(&output).contains(reason), "{}", stderr(&output));
    }
    // Number 518 is standard chess, which the policies know.
    assert_eq!(run(&["--start", "518", "--method", "goal-policy"]).status.code(), Some(0));
}
