//! Tournaments that are killed, resumed, divided and merged.

use std::{fs, process::Stdio, thread, time::Duration};

use super::{PLAN, WorkFolder, assert_played, assert_refused, names, system::killed};

#[test]
fn any_number_of_threads_kills_and_shards_gives_the_same() {
    let place = WorkFolder::new(PLAN);
    assert_played(&place.play("whole", &["--threads", "1"]));
    assert_eq!(place.read("whole", "results.jsonl").lines().count(), 96);
    assert_eq!(
        names(&place.path("whole")),
        [
            ".lock",
            "games.pgn",
            "positions.epd",
            "report.html",
            "results.jsonl",
            "table.csv",
            "table.md",
            "times.csv",
            "times.md",
            "tournament.json"
        ]
    );

    // Killed again and again, as soon as there are some more games.
    let results = place.path("killed").join("results.jsonl");
    let lines = || fs::read(&results).map_or(0, |text| text.iter().filter(|&&byte| byte == b'\n').count());
    let mut kills = 0;
    loop {
        let before = lines();
        let arguments = ["tournament", "plan.toml", "--output", "killed", "--resume", "--threads", "2"];
        let mut child = place.command(&arguments).stderr(Stdio::null()).spawn().unwrap();
        while lines() < before + 15 && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        if !killed(&mut child) {
            break;
        }
        kills += 1;
        assert!(kills < 50, "every run plays some more games");
    }
    assert!(kills >= if cfg!(windows) { 1 } else { 2 }, "{kills}");
    place.assert_same("whole", "killed");

    for (shard, folder) in [("1/3", "a"), ("2/3", "b"), ("3/3", "c")] {
        assert_played(&place.play(folder, &["--shard", shard]));
        assert_eq!(names(&place.path(folder)), [".lock", "results.jsonl", "times.csv", "tournament.json"]);
        assert_played(&place.entente(&["tournament", "report", folder]));
        assert!(place.read(folder, "table.md").contains(&format!("Shard {shard}.")));
    }
    assert_played(&place.entente(&["tournament", "merge", "c", "a", "b", "--output", "merged"]));
    place.assert_same("whole", "merged");

    fs::create_dir(place.path("here")).unwrap();
    let here = ["tournament", "merge", "../a", "../b", "../c", "--output", "."];
    let output = place.command(&here).current_dir(place.path("here")).output().unwrap();
    assert_played(&output);
    place.assert_same("whole", "here");

    // Shards that do not fit together.
    let merge = |parts: &[&str]| {
        let output = place.entente(&[&["tournament", "merge", "--output", "new"], parts].concat());
        assert!(!place.path("new").exists());
        output
    };
    assert_refused(&merge(&["a", "b"]), "shard 3/3 is missing");
    assert_refused(&merge(&["a", "b", "b", "c"]), "shard 2/3, like b");
    assert_refused(&merge(&["a", "whole"]), "whole: shard 1/1, and a is shard 1/3");
    assert_refused(&merge(&["a", "plan.toml"]), "plan.toml");
    let text = place.read("c", "results.jsonl");
    let (shorter, last) = text.trim_end().rsplit_once('\n').unwrap();
    fs::write(place.path("c").join("results.jsonl"), format!("{shorter}\n")).unwrap();
    assert_refused(
        &merge(&["a", "b", "c"]),
        "c: not finished: 1 game is missing; the first is game 11 of \"plan\"",
    );
    fs::write(place.path("c").join("results.jsonl"), format!("{shorter}\n{}", &last[1..])).unwrap();
    assert_refused(&merge(&["a", "b", "c"]), "c: damaged");
    fs::write(place.path("plan.toml"), PLAN.replace("seed = 3", "seed = 4")).unwrap();
    assert_played(&place.play("other", &["--shard", "3/3"]));
    assert_refused(&merge(&["a", "b", "other"]), "other: another tournament than a: seed: 3 and 4");
}

/// Starts a shard and terminates it once there are some games. Returns its output.
#[cfg(unix)]
fn terminated(place: &WorkFolder, arguments: &[&str], results: &str) -> std::process::Output {
    let mut child = place.command(arguments).stderr(Stdio::piped()).spawn().unwrap();
    let lines =
        || fs::read(place.path(results)).map_or(0, |text| text.iter().filter(|&&b| b == b'\n').count());
    while lines() < 5 && child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(1));
    }
    super::system::interrupt(&child, super::system::Interrupt::Terminate);
    child.wait_with_output().unwrap()
}

#[cfg(unix)]
#[test]
fn a_terminated_shard_stops_cleanly_and_resumes_to_the_same_bytes() {
    // Thousands of games, so that the shard is not finished before it is terminated.
    let place = WorkFolder::new(&PLAN.replace("games = 12", "games = 600"));
    let shard = ["tournament", "plan.toml", "--output", "b", "--shard", "auto", "--threads", "2", "--resume"];
    let unset = super::stderr(&place.entente(&shard));
    assert!(unset.contains("SLURM_ARRAY_TASK_ID") && unset.contains("JOB_COMPLETION_COUNT"), "{unset}");
    assert!(!place.path("b").exists());

    let given = ["tournament", "plan.toml", "--output", "b", "--shard", "2/2", "--threads", "2"];
    let output = terminated(&place, &given, "b/results.jsonl");
    assert_eq!(output.status.code(), Some(130), "{}", super::stderr(&output));
    assert!(
        super::stderr(&output).contains("games played; --resume continues"),
        "{}",
        super::stderr(&output)
    );
    let text = place.read("b", "results.jsonl");
    assert!(text.ends_with('\n') && text.lines().count() < 2400, "whole lines, and not all of them");

    let variables = [("JOB_COMPLETION_INDEX", "1"), ("JOB_COMPLETION_COUNT", "2")];
    let output = place.command(&shard).envs(variables).output().unwrap();
    // Some positions are not found, but a scheduler would take any other status for a failure.
    assert_eq!(output.status.code(), Some(0), "{}", super::stderr(&output));
    assert!(!super::stderr(&output).contains("cut off"), "{}", super::stderr(&output));
    assert_eq!(place.play("a", &["--shard", "1/2"]).status.code(), Some(0));
    assert_played(&place.entente(&["tournament", "merge", "a", "b", "--output", "both"]));
    assert_played(&place.play("whole", &[]));
    place.assert_same("whole", "both");
}

#[test]
fn shards_of_programs_with_different_networks_are_not_merged() {
    let place = WorkFolder::new(&PLAN.replace("games = 12", "games = 1"));
    assert_played(&place.play("a", &["--shard", "1/2"]));
    assert_played(&place.play("b", &["--shard", "2/2"]));
    let manifest = place.read("b", "tournament.json");
    let at = manifest.find("\"networks_sha256\": \"").expect("the manifest has it") + 20;
    let digest = &manifest[at..at + 64];
    fs::write(place.path("b/tournament.json"), manifest.replace(digest, &"0".repeat(64))).unwrap();
    let merged = place.entente(&["tournament", "merge", "a", "b", "--output", "new"]);
    assert_refused(&merged, "b: another tournament than a: SHA-256 of the networks in the program");
    assert!(!place.path("new").exists());
    let resumed = place.play("b", &["--shard", "2/2", "--resume"]);
    assert_refused(&resumed, "started with another plan: SHA-256 of the networks");

    // A folder from an older version, without the digest, can be resumed.
    let line = manifest.lines().find(|line| line.contains("networks_sha256")).unwrap();
    fs::write(place.path("b/tournament.json"), manifest.replace(&format!("{line}\n"), "")).unwrap();
    assert_played(&place.play("b", &["--shard", "2/2", "--resume"]));
    assert_played(&place.entente(&["tournament", "merge", "a", "b", "--output", "new"]));

    // Differences are found even if the first shard has no digest.
    for (folder, shard) in [("1", "1/3"), ("2", "2/3"), ("3", "3/3")] {
        assert_played(&place.play(folder, &["--shard", shard]));
    }
    for (folder, from, to) in [("1", &*format!("{line}\n"), ""), ("3", digest, &"0".repeat(64))] {
        let manifest = place.read(folder, "tournament.json").replace(from, to);
        fs::write(place.path(folder).join("tournament.json"), manifest).unwrap();
    }
    let merged = place.entente(&["tournament", "merge", "1", "2", "3", "--output", "other"]);
    assert_refused(&merged, "3: another tournament than 2: SHA-256 of the networks in the program");
}

#[test]
fn a_killed_merge_can_be_repeated() {
    let place = WorkFolder::new(&PLAN.replace("games = 12", "games = 2"));
    assert_played(&place.play("whole", &[]));
    assert_played(&place.play("a", &["--shard", "1/2"]));
    assert_played(&place.play("b", &["--shard", "2/2"]));
    let merge = || place.entente(&["tournament", "merge", "a", "b", "--output", "both"]);
    // A killed merge leaves finished and unfinished files, but no manifest.
    fs::create_dir(place.path("both")).unwrap();
    for name in [".lock", ".merging", ".entente-0123.partial", "results.jsonl", "times.csv", "games.pgn"] {
        fs::write(place.path("both").join(name), "half").unwrap();
    }
    fs::write(place.path("both/mine.txt"), "").unwrap();
    assert_refused(&merge(), "both: expected a new or empty folder");
    fs::remove_file(place.path("both/mine.txt")).unwrap();
    assert_refused(&place.play("both", &["--resume"]), "both: expected a new or empty folder");
    assert_played(&merge());
    place.assert_same("whole", "both");
    assert_eq!(names(&place.path("both")), names(&place.path("whole")));
    assert_refused(&merge(), "both: the folder has a tournament already");
    // Without the marker the files may be anything.
    fs::remove_file(place.path("both/tournament.json")).unwrap();
    assert_refused(&merge(), "both: expected a new or empty folder");
}

#[test]
fn unsorted_shards_are_sorted_before_a_merge() {
    let place = WorkFolder::new(&PLAN.replace("games = 12", "games = 2"));
    assert_played(&place.play("whole", &[]));
    assert_played(&place.play("a", &["--shard", "1/2"]));
    assert_played(&place.play("b", &["--shard", "2/2"]));
    // Like a shard that was killed just after its last game.
    for (name, header) in [("b/results.jsonl", 0), ("b/times.csv", 1)] {
        let text = fs::read_to_string(place.path(name)).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        lines[header..].reverse();
        fs::write(place.path(name), lines.join("\n") + "\n").unwrap();
    }
    assert_played(&place.entente(&["tournament", "merge", "a", "b", "--output", "both"]));
    place.assert_same("whole", "both");
    assert_eq!(place.read("both", "times.csv").lines().count(), 17, "every time is known");
}

#[test]
fn a_tournament_killed_before_its_first_line_can_be_restarted() {
    let place = WorkFolder::new(&PLAN.replace("games = 12", "games = 1"));
    fs::create_dir(place.path("run")).unwrap();
    for name in [".lock", ".entente-0123.partial"] {
        fs::write(place.path("run").join(name), "").unwrap();
    }
    assert_played(&place.play("run", &["--resume"]));
    assert!(!place.path("run/.entente-0123.partial").exists());
}

#[test]
fn more_shards_than_games_can_be_merged() {
    let place = WorkFolder::new("games = 1\nconstraints = [\"Q=0\", \"q=0\"]\n[[entrants]]\nname = \"a\"\n");
    assert_played(&place.play("whole", &[]));
    assert_played(&place.play("one", &["--shard", "1/3"]));
    assert_played(&place.play("two", &["--shard", "2/3"]));
    assert_refused(&place.play("three", &["--shard", "3/3"]), "--shard 3/3: this shard has no games");
    assert_played(&place.entente(&["tournament", "merge", "one", "two", "--output", "both"]));
    place.assert_same("whole", "both");
}

#[test]
fn an_unfinished_tournament_has_a_report_too() {
    let place = WorkFolder::new(PLAN);
    assert_played(&place.play("run", &[]));
    let text = place.read("run", "results.jsonl");
    let some: Vec<&str> = text.lines().take(20).collect();
    fs::write(place.path("run/results.jsonl"), some.join("\n") + "\n").unwrap();
    assert_played(&place.entente(&["tournament", "report", "run"]));
    assert!(place.read("run", "table.md").contains("20 games: 12 of each"));
    assert!(place.read("run", "table.md").contains("Not finished: 76 games are missing."));
    assert_refused(
        &place.entente(&["tournament", "report", "nowhere"]),
        "nowhere: the folder has no tournament",
    );
}
