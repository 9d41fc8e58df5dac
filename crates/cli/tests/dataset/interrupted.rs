//! Data sets that are killed, resumed, divided and merged.

use std::{fs, process::Stdio, thread, time::Duration};

use super::{PLAN, WorkFolder, assert_refused, assert_status, stderr, system::killed};

#[test]
fn any_number_of_threads_kills_and_shards_gives_the_same_bytes() {
    let place = WorkFolder::new(PLAN);
    let output = place.generate("whole", &["--threads", "1"]);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", stderr(&output));
    let status = output.status.code().unwrap();
    assert_status(&place.generate("two", &["--threads", "2"]), status);
    place.assert_same("whole", "two");

    // Killed again and again, as soon as there are some more candidates.
    let candidates = place.path("killed").join("candidates.jsonl");
    let lines = || fs::read(&candidates).map_or(0, |text| text.iter().filter(|&&byte| byte == b'\n').count());
    let mut kills = 0;
    loop {
        let before = lines();
        let arguments = ["dataset", "plan.toml", "--output", "killed", "--resume", "--threads", "2"];
        let mut child = place.command(&arguments).stderr(Stdio::null()).spawn().unwrap();
        while lines() < before + 30 && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        if !killed(&mut child) {
            break;
        }
        kills += 1;
        assert!(kills < 50, "every run generates some more candidates");
    }
    assert!(kills >= if cfg!(windows) { 1 } else { 2 }, "{kills}");
    place.assert_same("whole", "killed");

    // Cut off in the middle of a line, in the first round and in a later one.
    let text = place.read("whole", "candidates.jsonl");
    for part in [3, 9] {
        let folder = format!("cut-{part}");
        fs::create_dir(place.path(&folder)).unwrap();
        fs::copy(place.path("whole/dataset.json"), place.path(&folder).join("dataset.json")).unwrap();
        fs::write(place.path(&folder).join("candidates.jsonl"), &text[..text.len() * part / 10]).unwrap();
        let output = place.generate(&folder, &["--resume"]);
        assert_status(&output, status);
        assert!(stderr(&output).contains("the line is cut off"), "{}", stderr(&output));
        place.assert_same("whole", &folder);
    }

    // Shards have no positions: which candidates stay is known only after the merge.
    for (shard, folder) in [("1/2", "a"), ("2/2", "b")] {
        assert_status(&place.generate(folder, &["--shard", shard]), 0);
        assert!(!place.path(folder).join("positions.jsonl").exists());
    }
    let output = place.entente(&["dataset", "merge", "b", "a", "--output", "both"]);
    assert_status(&output, 1);
    assert!(
        stderr(&output).contains("`entente dataset PLAN --output both --resume` replaces them"),
        "{}",
        stderr(&output)
    );
    assert!(!place.path("both/positions.jsonl").exists());
    assert_status(&place.generate("both", &["--resume"]), status);
    place.assert_same("whole", "both");

    // A data set with a single shard, as from a scheduler.
    assert_status(&place.generate("one", &["--shard", "1/1"]), 0);
    assert!(!place.path("one/positions.jsonl").exists());
    assert_status(&place.entente(&["dataset", "merge", "one", "--output", "of-one"]), 1);
    assert_status(&place.generate("of-one", &["--resume"]), status);
    place.assert_same("whole", "of-one");
    let output = place.entente(&["dataset", "merge", "whole", "--output", "new"]);
    assert_refused(&output, "whole: a whole data set, not a shard");
    assert!(!place.path("new").exists());
}

#[test]
fn shards_without_duplicates_are_complete_after_a_merge() {
    let place = WorkFolder::new(&PLAN.replace("\"ply<=3 N@f3\", ", "").replace("\"ply<=4 N@f3\", ", ""));
    assert_status(&place.generate("whole", &[]), 0);
    for (shard, folder) in [("1/2", "a"), ("2/2", "b")] {
        assert_status(&place.generate(folder, &["--shard", shard]), 0);
    }
    assert_status(&place.entente(&["dataset", "merge", "a", "b", "--output", "both"]), 0);
    place.assert_same("whole", "both");
}

#[test]
fn shards_that_do_not_fit_together_are_refused_and_nothing_is_created() {
    let plan = PLAN.replace("positions = 12", "positions = 2");
    let place = WorkFolder::new(&plan);
    assert_status(&place.generate("a", &["--shard", "1/2"]), 0);
    assert_status(&place.generate("b", &["--shard", "2/2"]), 0);
    let merge = |parts: &[&str]| {
        let output = place.entente(&[&["dataset", "merge", "--output", "new"], parts].concat());
        assert!(!place.path("new").exists());
        output
    };
    assert_refused(&merge(&["a"]), "shard 2/2 is missing");
    assert_refused(&merge(&["a", "b", "b"]), "shard 2/2, like b");
    let description = place.text("b", "dataset.json");
    let versions = description.replacen("\"version\": \"0", "\"version\": \"99.0", 1);
    fs::write(place.path("b/dataset.json"), versions).unwrap();
    assert_refused(&merge(&["a", "b"]), "b: another data set than a: version of the program");
    fs::write(place.path("b/dataset.json"), &description).unwrap();
    let candidates = place.text("b", "candidates.jsonl");
    let (shorter, _) = candidates.trim_end().rsplit_once('\n').unwrap();
    fs::write(place.path("b/candidates.jsonl"), format!("{shorter}\n")).unwrap();
    assert_refused(&merge(&["a", "b"]), "b: not finished");
    fs::write(place.path("b/candidates.jsonl"), &candidates[..candidates.len() - 9]).unwrap();
    assert_refused(&merge(&["a", "b"]), "b: damaged; --resume repairs it");

    for (from, to, difference) in [
        ("seed = 3", "seed = 4", "seed: 3 and 4"),
        ("positions = 2", "positions = 3", "positions: 2 and 3"),
        ("method = \"best-first\"", "method = \"best-first\"\nnodes = 9000", "rating 1, settings: "),
        ("\"Q=0 q=0\"", "\"Q=0\"", "constraint 4: Q=0 & q=0 and Q=0"),
    ] {
        fs::write(place.path("plan.toml"), plan.replace(from, to)).unwrap();
        assert_refused(&place.generate("a", &["--resume", "--shard", "1/2"]), difference);
        let folder = format!("other {difference}").replace([':', ' ', '=', '&', ','], "-");
        assert_status(&place.generate(&folder, &["--shard", "2/2"]), 0);
        assert_refused(&merge(&["a", &folder]), &format!("another data set than a: {difference}"));
    }
    // Folders of tournaments and data sets are not interchangeable.
    assert_refused(
        &place.entente(&["tournament", "merge", "a", "b", "--output", "new"]),
        "the folder has no tournament",
    );
    fs::create_dir(place.path("tournament")).unwrap();
    fs::write(place.path("tournament/tournament.json"), description).unwrap();
    assert_refused(&merge(&["tournament"]), "tournament: the folder has no data set");
    assert_refused(&place.generate("a", &[]), "a: the folder has a data set already; --resume continues it");
}

/// Some of its candidates satisfy every condition except for those that the judge decides.
const JUDGED: &str = r#"
[dataset]
name = "judged"
positions = 4
seed = 5
constraints = ["ply=6 eval=60..10000", "ply=6 eval>=9000"]
realism = "fast"
nodes = 100
judge-nodes = 1000
"#;

#[test]
fn candidates_that_the_judge_rejects_are_not_damaged() {
    let place = WorkFolder::new(JUDGED);
    let status = place.generate("whole", &[]).status.code();
    let text = stderr(&place.generate("whole", &["--resume"]));
    assert!(!text.contains("damaged"), "{text}");
    for (folder, shard) in [("a", "1/2"), ("b", "2/2")] {
        place.generate(folder, &["--shard", shard]);
    }
    let output = place.entente(&["dataset", "merge", "a", "b", "--output", "both"]);
    assert_ne!(output.status.code(), Some(2), "{}", stderr(&output));
    assert_eq!(place.generate("both", &["--resume"]).status.code(), status);
    place.assert_same("whole", "both");
}
