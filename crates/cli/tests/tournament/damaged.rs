//! Damaged or altered results, and folders that are in use.

use std::{
    fs,
    time::{Duration, Instant},
};

use super::{PLAN, REPRODUCIBLE, WorkFolder, assert_played, assert_refused, names, stderr};

#[test]
fn damaged_lines_are_reported_and_their_games_played_again() {
    let place = WorkFolder::new(PLAN);
    assert_played(&place.play("whole", &[]));
    let text = place.read("whole", "results.jsonl");
    let lines: Vec<&str> = text.lines().collect();
    let edited = lines[7].replace("\"plies\":", "\"plies\":1");
    let foreign = lines[8].replace("\"entrant\":\"auto\"", "\"entrant\":\"otto\"");
    let cut = &lines[95][..100];
    let damaged = format!(
        "{}\n{edited}\n{foreign}\n\n{}\n{}\n{cut}",
        lines[..7].join("\n"),
        lines[9..95].join("\n"),
        lines[2]
    );
    fs::create_dir(place.path("damaged")).unwrap();
    for name in ["tournament.json", "times.csv"] {
        fs::copy(place.path("whole").join(name), place.path("damaged").join(name)).unwrap();
    }
    fs::write(place.path("damaged").join("results.jsonl"), damaged).unwrap();
    fs::write(place.path("damaged").join(".entente-0123.partial"), "left by a process that was killed")
        .unwrap();
    let output = place.play("damaged", &["--resume"]);
    assert_played(&output);
    assert!(!place.path("damaged").join(".entente-0123.partial").exists());
    for message in [
        "results.jsonl:8: wrong checksum",
        "results.jsonl:9: wrong checksum",
        "results.jsonl:10: expected a checksum",
        "results.jsonl:97: game 2 of \"auto\" for \"(1,2,2,2,7)\" occurs a second time",
        "results.jsonl:98: the line is cut off",
    ] {
        assert!(stderr(&output).contains(message), "{message}: {}", stderr(&output));
    }
    let kept = place.read("damaged", "results.damaged");
    assert_eq!(kept, format!("{edited}\n{foreign}\n\n{}\n{cut}\n", lines[2]), "nothing is lost");
    place.assert_same("whole", "damaged");

    // Lines that Entente cannot have written are damaged, even with the right checksum.
    let found = lines.iter().find(|line| line.contains("\"found\"") && line.contains("Q=0")).unwrap();
    for (from, to) in [
        ("\"moves\":[\"", "\"moves\":[\"a1a1\",\""),
        ("\"plies\":", "\"plies\":4000000000"),
        ("\"outcome\":\"found\"", "\"outcome\":\"undetermined\""),
        ("\"distance\":0", "\"distance\":3"),
        ("w KQkq - 0 1\"", "w KQkq - 0 7\""),
        ("\"seed\":", "\"seed\":1"),
        ("\"method\":\"", "\"method\":\"x\\n<script>"),
        ("\"constraint\":\"Q=0", "\"constraint\":\"\u{1b}]0;"),
    ] {
        let forged = forged(found, from, to);
        let whole = text.replace(found, &forged);
        assert_ne!(whole, text, "{from}");
        fs::write(place.path("damaged").join("results.jsonl"), whole).unwrap();
        let output = place.play("damaged", &["--resume"]);
        assert_played(&output);
        assert!(stderr(&output).contains("results.jsonl:"), "{from}: {}", stderr(&output));
        assert!(!stderr(&output).contains(['\u{1b}', '<']), "{}", stderr(&output));
        assert!(place.read("damaged", "results.damaged").ends_with(&format!("{forged}\n")), "{from}");
        place.assert_same("whole", "damaged");
    }
    // Only the first damaged lines are listed.
    fs::write(place.path("damaged").join("results.jsonl"), "\n".repeat(100_000)).unwrap();
    let output = place.play("damaged", &["--resume"]);
    assert_played(&output);
    assert!(stderr(&output).contains("and 99980 more"), "{}", stderr(&output));
    place.assert_same("whole", "damaged");
    let long = "x".repeat(3 << 20);
    fs::write(place.path("damaged").join("results.jsonl"), format!("{long}\n{text}")).unwrap();
    assert_played(&place.play("damaged", &["--resume"]));
    assert!(place.read("damaged", "results.damaged").ends_with(&format!("\n{long}\n")));
    place.assert_same("whole", "damaged");
}

/// A line with a replacement in it, and the right checksum.
fn forged(line: &str, from: &str, to: &str) -> String {
    let forged = line.replacen(from, to, 1);
    assert_ne!(forged, line, "{from}");
    let (body, _) = forged.rsplit_once(",\"crc32\"").unwrap();
    format!("{body},\"crc32\":\"{:08x}\"}}", crc32fast::hash(format!("{body}}}").as_bytes()))
}

#[test]
fn invalid_times_stay_unknown_and_do_not_affect_others() {
    let place = WorkFolder::new(&PLAN.replace("games = 12", "games = 2"));
    assert_played(&place.play("run", &[]));
    let times = place.read("run", "times.csv");
    assert_eq!(times.lines().count(), 17);
    let results = place.read("run", "results.jsonl");
    let (shorter, _) = results.trim_end().rsplit_once('\n').unwrap();
    let last = times.trim_end().rfind('\n').unwrap();
    for (damaged, known) in [
        (times[..last - 3].to_owned(), 14),
        (times[..9].to_owned(), 1),
        (times.replacen(",0\u{2e}", ",-0.", 1), 15),
        (times.replacen(",0\u{2e}", ",NaN0.", 1), 15),
        (times.replacen(",0\u{2e}", ",1e99", 1), 15),
        (times.replacen("auto,", "\"auto,", 1), 1),
    ] {
        assert_ne!(damaged, times);
        fs::write(place.path("run/times.csv"), &damaged).unwrap();
        fs::write(place.path("run/results.jsonl"), format!("{shorter}\n")).unwrap();
        let output = place.play("run", &["--resume"]);
        assert_played(&output);
        assert!(stderr(&output).contains("times.csv"), "{damaged}: {}", stderr(&output));
        let now = place.read("run", "times.csv");
        let mut rows = csv::Reader::from_reader(now.as_bytes());
        let seconds: Vec<f64> = rows.records().map(|row| row.unwrap()[3].parse().unwrap()).collect();
        assert!(seconds.iter().all(|seconds| *seconds >= 0.0 && seconds.is_finite()));
        assert!(seconds.len() >= known, "{damaged}: {now}");
    }
}

#[test]
fn an_altered_manifest_is_refused() {
    let place = WorkFolder::new(&PLAN.replace("games = 12", "games = 1"));
    assert_played(&place.play("run", &[]));
    let text = place.read("run", "tournament.json");
    for (from, to) in [
        ("\"name\": \"test\"", "\"name\": \"x\\n<script>\""),
        ("\"games\": 1", "\"games\": 0"),
        ("\"games\": 1", "\"games\": 18446744073709551615"),
        ("\"max_plies\": 101", "\"max_plies\": 0"),
        ("\"name\": \"plan\"", "\"name\": \"auto\""),
        ("\"N@f5\"", "\"N@f9\""),
        ("\"N@f5\"", "\"Q=0 & q=0\""),
        ("\"number\": 1", "\"number\": 2"),
        ("rnbqkbnr/", ""),
        ("\"version\": \"0", "\"version\": \"<script>0"),
        ("{", "["),
    ] {
        let altered = text.replacen(from, to, 1);
        assert_ne!(altered, text, "{from}");
        fs::write(place.path("run/tournament.json"), altered).unwrap();
        assert_refused(
            &place.entente(&["tournament", "report", "run"]),
            "expected the manifest of a tournament",
        );
    }
    // A tournament with very many games needs no memory before they are played.
    fs::write(place.path("run/tournament.json"), text.replacen("\"games\": 1", "\"games\": 10000000", 1))
        .unwrap();
    fs::remove_file(place.path("run/results.jsonl")).unwrap();
    assert_played(&place.entente(&["tournament", "report", "run"]));
    assert!(place.read("run", "table.md").contains("Not finished: 80000000 games are missing."));
}

#[test]
fn a_folder_takes_one_tournament() {
    let place = WorkFolder::new(&PLAN.replace("games = 12", "games = 1"));
    assert_played(&place.play("run", &[]));
    let before: Vec<String> = REPRODUCIBLE.map(|name| place.read("run", name)).into();
    assert_refused(
        &place.play("run", &[]),
        "run: the folder has a tournament already; --resume continues it",
    );
    assert_refused(&place.play("run", &["--resume", "--shard", "1/2"]), "run: started as shard 1/1, not 1/2");
    fs::create_dir(place.path("other")).unwrap();
    fs::write(place.path("other/thesis.txt"), "mine").unwrap();
    assert_refused(&place.play("other", &["--resume"]), "other: expected a new or empty folder");
    assert_refused(&place.play("plan.toml", &[]), "plan.toml");
    fs::write(place.path("plan.toml"), PLAN).unwrap();
    assert_refused(&place.play("run", &["--resume"]), "run: started with another plan: games: 1 and 12");
    let lock = fs::OpenOptions::new().append(true).open(place.path("run/.lock")).unwrap();
    lock.lock().unwrap();
    fs::write(place.path("plan.toml"), PLAN.replace("games = 12", "games = 1")).unwrap();
    for output in [place.play("run", &["--resume"]), place.entente(&["tournament", "report", "run"])] {
        assert_eq!(output.status.code(), Some(75), "a later try may succeed");
        assert!(stderr(&output).contains("run: another process is using this tournament"));
    }
    drop(lock);
    assert_played(&place.play("run", &["--resume"]));
    let after: Vec<String> = REPRODUCIBLE.map(|name| place.read("run", name)).into();
    assert_eq!(before, after);
    assert_eq!(names(&place.path("other")), ["thesis.txt"]);
}

#[test]
fn a_file_of_gigabytes_that_no_run_has_written_is_refused_at_once() {
    let place = WorkFolder::new(PLAN);
    assert_played(&place.play("run", &[]));
    for name in ["results.jsonl", "times.csv"] {
        let path = place.path("run").join(name);
        let whole = fs::read(&path).unwrap();
        // The added bytes are zeros, and take no place on the disk.
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(8 << 30).unwrap();
        let begun = Instant::now();
        let output = place.play("run", &["--resume"]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        let message =
            "more than 64 MiB of this file do not belong to the run; move it away to play the games again";
        assert!(stderr(&output).contains(name) && stderr(&output).contains(message), "{}", stderr(&output));
        assert!(begun.elapsed() < Duration::from_secs(20), "{name}: {:?}", begun.elapsed());
        fs::write(&path, whole).unwrap();
    }
}
