//! Positions with their solutions: worksheets, studies and cards.

use std::{fs, path::Path};

use crate::{entente, names, stderr, stdout};

const FIXED: [&str; 7] = ["generate", "Q=0 q=0", "--evaluator", "material", "--seed", "3", "--count"];

fn run(arguments: &[&str]) -> String {
    let output = entente(&[&FIXED[..], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output)
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

#[test]
fn a_worksheet_has_all_boards_and_solutions_and_fetches_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(folder.path(), "sheet.html");
    let title = "<script>alert(1)</script>";
    run(&["8", "--format", "worksheet", "--title", title, "--output", &file]);
    let html = fs::read_to_string(&file).unwrap();
    assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"), "{html}");
    assert_eq!(html.matches("<li class=\"problem\">").count(), 8);
    assert_eq!(html.matches("<li class=\"solution\">").count(), 8);
    assert_eq!(html.matches("<section class=\"page\">").count(), 3, "six boards, two boards, and solutions");
    assert!(
        !html.contains("<script") && html.contains("&#60;script&#62;alert(1)&#60;/script&#62;"),
        "{html}"
    );
    for outside in ["src=", "url(", "@import", "<link rel=\"style", "https:"] {
        assert!(!html.contains(outside), "{outside}: {html}");
    }
    assert!(
        html.contains("generate &#39;Q=0 q=0&#39; --evaluator men --seed 3 --count 8 --distinct</code>"),
        "{html}"
    );
    assert_eq!(names(folder.path()), ["sheet.html"]);
    let again = run(&["8", "--format", "worksheet", "--title", title]);
    assert_eq!(again, html, "solutions are the same every time");
}

#[test]
fn games_may_be_left_out_of_exercises() {
    let games = [("worksheet", "class=\"game\">1."), ("study", "{ The game: 1."), ("anki", "<small>1.")];
    for (format, game) in games {
        let run = |flags: &[&str]| run(&[&["2", "--format", format], flags].concat());
        assert_eq!(run(&[]).matches(game).count(), 2, "{format}");
        let without = run(&["--no-games"]);
        assert!(!without.contains(game) && !without.contains("the game that led"), "{without}");
    }
    let output = entente(&["generate", "Q=0", "--no-games"]);
    assert!(stderr(&output).contains("--no-games: only the formats worksheet, study and anki use it"));
}

#[test]
fn boards_differ_unless_equal_ones_are_allowed() {
    let root = "8/8/8/8/8/k1K5/p7/8 b - - 0 1";
    let exercises = |flags: &[&str]| {
        let fixed = ["generate", "q=1 p=0", "--from", root, "-n", "9", "--format", "study"];
        entente(&[&fixed[..], flags].concat())
    };
    let differing = exercises(&[]);
    assert_eq!(differing.status.code(), Some(1));
    assert!(stderr(&differing).contains("no more distinct positions found"), "{}", stderr(&differing));
    let equal = exercises(&["--distinct=false"]);
    assert_eq!(equal.status.code(), Some(0), "{}", stderr(&equal));
    assert_eq!(stdout(&equal).matches("[Orientation \"").count(), 9);
}

#[test]
fn a_pdf_has_six_or_twelve_boards_per_page_and_pages_of_solutions() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(folder.path(), "sheet.PDF");
    for (flags, size, pages) in [
        (&["7"][..], "[0 0 595.28 841.89]", 3),
        (&["7", "--per-page", "12", "--paper", "letter"], "[0 0 612 792]", 2),
    ] {
        let output = entente(&[&FIXED[..], flags, &["--output", &file]].concat());
        if stderr(&output).contains("a PDF needs a font, and none is installed") {
            assert!(names(folder.path()).is_empty());
            continue;
        }
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let pdf = fs::read(&file).unwrap();
        assert!(pdf.starts_with(b"%PDF-") && pdf.ends_with(b"%%EOF"));
        let count = |text: &str| pdf.windows(text.len()).filter(|window| *window == text.as_bytes()).count();
        assert_eq!((count("/Type /Page\n"), count(size)), (pages, pages), "{flags:?}");
    }
}

#[test]
fn a_study_and_cards_have_one_entry_for_each_position() {
    let study = run(&["3", "--format", "study"]);
    assert_eq!(study.matches("[Event \"").count(), 3);
    assert_eq!(study.matches("[SetUp \"1\"]\n[FEN \"").count(), 3);
    let cards = run(&["3", "--format", "anki"]);
    assert!(cards.starts_with("#separator:tab\n#html:true\n#columns:Front\tBack\n"), "{cards}");
    assert_eq!(cards.lines().count(), 3 + 3);
    let folder = tempfile::tempdir().unwrap();
    let file = path(folder.path(), "study.pgn");
    run(&["3", "--format", "study", "--output", &file]);
    assert_eq!(fs::read_to_string(&file).unwrap(), study, "an extension that fits the format");
}

#[test]
fn a_finished_game_is_shown_with_its_result() {
    let arguments =
        ["generate", "checkmate", "--method", "best-first", "--seed", "1", "--format", "worksheet"];
    let html = stdout(&entente(&arguments));
    assert!(html.contains("<span>Checkmate</span>") && html.contains("<p>1 · Checkmate</p>"), "{html}");
    assert!(!html.contains("mates in"), "{html}");
}

#[test]
fn errors_name_the_wrong_input_and_leave_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let [sheet, pgn] = ["sheet.html", "games.pgn"].map(|name| path(folder.path(), name));
    let missing = path(folder.path(), "missing/sheet.pdf");
    for (arguments, message) in [
        (&["--format", "worksheet", "--per-page", "7"][..], "'7' for '--per-page <BOARDS>'"),
        (&["--format", "worksheet", "--paper", "a5"], "'a5' for '--paper <PAPER>'"),
        (
            &["--format", "fen", "--per-page", "6"],
            "--per-page: only the format worksheet uses it, but the format is fen",
        ),
        (
            &["--output", &pgn, "--title", "t"],
            "--title: only the format worksheet uses it, but the format is pgn",
        ),
        (&["--format", "worksheet", "--output", &pgn], "means the format pgn, but --format is worksheet"),
        (&["--format", "study", "--output", &sheet], "means the format html, but --format is study"),
        (&["--output", &missing], "missing/sheet.pdf"),
    ] {
        let output = entente(&[&FIXED[..], &["1"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty() && names(folder.path()).is_empty(), "{arguments:?}");
    }
    let many = entente(&["generate", "q=0", "--count", "1201", "--format", "worksheet"]);
    assert!(stderr(&many).contains("--count 1201: a worksheet can have at most 1200 positions"), "{many:?}");
}

#[test]
fn an_empty_worksheet_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(folder.path(), "sheet.html");
    fs::write(&file, "old").unwrap();
    let arguments =
        ["generate", "Q=9 q=9", "--evaluator", "material", "--nodes", "1", "--format", "worksheet"];
    let output = entente(&[&arguments[..], &["--output", &file]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).ends_with(&format!("{file} was not written\n")), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");
    assert_eq!(names(folder.path()), ["sheet.html"]);
}
