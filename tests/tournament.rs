//! `entente tournament` as a user runs it, and as what may happen to it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
    time::Duration,
};

use entente::tournament::Plan;
use tempfile::TempDir;

/// Everything that must be the same in every run of a plan; the rest are times, or hold them.
const REPRODUCIBLE: [&str; 6] =
    ["results.jsonl", "table.md", "table.csv", "games.pgn", "positions.epd", "tournament.json"];

const PLAN: &str = r#"
name = "test"
games = 12
seed = 3
constraints = ["(1,2,2,2,7)", "(0,2,2,1,7)", "Q=0 q=0", "N@f5"]

[[entrants]]
name = "auto"
evaluator = "material"
nodes = 20000

[[entrants]]
name = "plan"
method = "best-first"
"#;

/// A folder with a plan in it.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new(plan: &str) -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        fs::write(place.path("plan.toml"), plan).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs `entente` there.
    fn entente(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the program starts")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_entente"));
        command.args(arguments).current_dir(self.folder.path());
        command
    }

    /// Plays the plan, or what is left of it.
    fn play(&self, output: &str, more: &[&str]) -> Output {
        self.entente(&[&["tournament", "plan.toml", "--output", output], more].concat())
    }

    fn read(&self, folder: &str, name: &str) -> String {
        fs::read_to_string(self.path(folder).join(name)).expect(name)
    }

    fn assert_same(&self, one: &str, other: &str) {
        for name in REPRODUCIBLE {
            assert!(self.read(one, name) == self.read(other, name), "{name} differs in {one} and {other}");
        }
    }

    fn names(&self) -> Vec<String> {
        names(self.folder.path())
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    names
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn assert_played(output: &Output) {
    // Some positions of the plan are out of reach of its budget.
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", stderr(output));
}

#[track_caller]
fn assert_refused(output: &Output, message: &str) {
    assert_eq!(output.status.code(), Some(2), "{}", stderr(output));
    assert!(stderr(output).contains(message), "expected {message:?} in {:?}", stderr(output));
    assert!(output.stdout.is_empty());
}

#[test]
fn any_number_of_threads_kills_and_shards_gives_the_same() {
    let place = Place::new(PLAN);
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

    // Killed as soon as some more games are there, again and again.
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
        child.kill().unwrap();
        if child.wait().unwrap().code().is_some() {
            break;
        }
        kills += 1;
        assert!(kills < 50, "every run comes some games further");
    }
    assert!(kills >= 2, "{kills}");
    place.assert_same("whole", "killed");

    for (shard, folder) in [("1/3", "a"), ("2/3", "b"), ("3/3", "c")] {
        assert_played(&place.play(folder, &["--shard", shard]));
        assert!(place.read(folder, "table.md").contains(&format!("Shard {shard}.")));
    }
    assert_played(&place.entente(&["tournament", "merge", "c", "a", "b", "--output", "merged"]));
    place.assert_same("whole", "merged");

    fs::create_dir(place.path("here")).unwrap();
    let here = ["tournament", "merge", "../a", "../b", "../c", "--output", "."];
    let output = place.command(&here).current_dir(place.path("here")).output().unwrap();
    assert_played(&output);
    place.assert_same("whole", "here");

    // What does not fit together.
    let merge = |parts: &[&str]| {
        let output = place.entente(&[&["tournament", "merge", "--output", "new"], parts].concat());
        assert!(!place.path("new").exists());
        output
    };
    assert_refused(&merge(&["a", "b"]), "shard 3/3 is missing");
    assert_refused(&merge(&["a", "b", "b", "c"]), "shard 2/3 as well as b");
    assert_refused(&merge(&["a", "whole"]), "whole: shard 1/1, and a is shard 1/3");
    assert_refused(&merge(&["a", "plan.toml"]), "plan.toml");
    let text = place.read("c", "results.jsonl");
    let (shorter, last) = text.trim_end().rsplit_once('\n').unwrap();
    fs::write(place.path("c").join("results.jsonl"), format!("{shorter}\n")).unwrap();
    assert_refused(
        &merge(&["a", "b", "c"]),
        "c: not finished: 1 games are missing, the first is game 11 of \"plan\"",
    );
    fs::write(place.path("c").join("results.jsonl"), format!("{shorter}\n{}", &last[1..])).unwrap();
    assert_refused(&merge(&["a", "b", "c"]), "c: damaged");
    fs::write(place.path("plan.toml"), PLAN.replace("seed = 3", "seed = 4")).unwrap();
    assert_played(&place.play("other", &["--shard", "3/3"]));
    assert_refused(&merge(&["a", "b", "other"]), "other: of another tournament than a: seed: 3 and 4");
}

#[test]
fn damaged_lines_are_reported_and_their_games_played_again() {
    let place = Place::new(PLAN);
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
        "results.jsonl:8: the checksum is another",
        "results.jsonl:9: the checksum is another",
        "results.jsonl:10: expected a checksum",
        "results.jsonl:97: game 2 of \"auto\" for \"(1,2,2,2,7)\" stands there a second time",
        "results.jsonl:98: the line is cut off",
    ] {
        assert!(stderr(&output).contains(message), "{message}: {}", stderr(&output));
    }
    let kept = place.read("damaged", "results.damaged");
    assert_eq!(kept, format!("{edited}\n{foreign}\n\n{}\n{cut}\n", lines[2]), "nothing is lost");
    place.assert_same("whole", "damaged");

    // What cannot have been ours is none, whatever its checksum says.
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
    // Damage without end is not told without end.
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

/// A line with something else in it, and the checksum of that.
fn forged(line: &str, from: &str, to: &str) -> String {
    let forged = line.replacen(from, to, 1);
    assert_ne!(forged, line, "{from}");
    let (body, _) = forged.rsplit_once(",\"crc32\"").unwrap();
    format!("{body},\"crc32\":\"{:08x}\"}}", crc32fast::hash(format!("{body}}}").as_bytes()))
}

#[test]
fn times_that_are_cut_off_or_nonsense_stay_unknown_and_harm_no_other() {
    let place = Place::new(&PLAN.replace("games = 12", "games = 2"));
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
fn a_description_that_was_altered_is_refused() {
    let place = Place::new(&PLAN.replace("games = 12", "games = 1"));
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
            "expected the description of a tournament",
        );
    }
    // A tournament too large for any memory, of which nothing was played, needs none.
    fs::write(place.path("run/tournament.json"), text.replacen("\"games\": 1", "\"games\": 10000000", 1))
        .unwrap();
    fs::remove_file(place.path("run/results.jsonl")).unwrap();
    assert_played(&place.entente(&["tournament", "report", "run"]));
    assert!(place.read("run", "table.md").contains("Not finished: 80000000 games are missing."));
}

#[test]
fn a_tournament_killed_before_its_first_line_begins_again() {
    let place = Place::new(&PLAN.replace("games = 12", "games = 1"));
    fs::create_dir(place.path("run")).unwrap();
    for name in [".lock", ".entente-0123.partial"] {
        fs::write(place.path("run").join(name), "").unwrap();
    }
    assert_played(&place.play("run", &["--resume"]));
    assert!(!place.path("run/.entente-0123.partial").exists());
}

#[test]
fn more_shards_than_games_can_be_merged() {
    let place = Place::new("games = 1\nconstraints = [\"Q=0\", \"q=0\"]\n[[entrants]]\nname = \"a\"\n");
    assert_played(&place.play("whole", &[]));
    assert_played(&place.play("one", &["--shard", "1/3"]));
    assert_played(&place.play("two", &["--shard", "2/3"]));
    assert_refused(&place.play("three", &["--shard", "3/3"]), "--shard 3/3: no game is left for it");
    assert_played(&place.entente(&["tournament", "merge", "one", "two", "--output", "both"]));
    place.assert_same("whole", "both");
}

#[test]
fn published_figures_are_the_same_after_a_resume() {
    let plan =
        "games = 1\nconstraints = \"(1,2,2,2,7)\"\npublished = \"p.csv\"\n[[entrants]]\nname = \"a\"\n";
    let header = "constraint,games,satisfied,unique,mean_steps,median_steps,pdr_1,pdr_2,pdr_3,pdr_4";
    let place = Place::new(plan);
    let publish = |row: &str| fs::write(place.path("p.csv"), format!("\u{feff}{header}\n{row}\n")).unwrap();
    publish("\"(1,2,2,2,7)\",300,99.33333333333333,98.66666666666667,9.1,9,0.1,,,");
    assert_played(&place.play("run", &[]));
    assert_played(&place.play("run", &["--resume"]));
    for (row, message) in [
        ("\"(1,2,2,2,7)\",300,99,98,NaN,9,,,,", "p.csv:2: (1,2,2,2,7): expected steps"),
        ("\"(1,2,2,2,7)\",300,101,98,9,9,,,,", "p.csv:2: (1,2,2,2,7): expected shares of 0 to 100 percent"),
        ("\"(1,2,2,2,7)\",0,99,98,9,9,,,,", "p.csv:2: (1,2,2,2,7): expected shares"),
        ("\"(1,2,2,2,7)\",300,99,98,9,9,-1,,,", "p.csv:2: (1,2,2,2,7): expected shares"),
        ("\"(1,2,2,2,7)\",300", "p.csv:2: expected 10 columns, found 2"),
        ("\"(1,2\",300,99,98,9,9,,,,", "p.csv:2: constraint \"(1,2\": constraint, column 5"),
        ("Q=1,3,9,9,9,9,,,,\nQ=1,3,9,9,9,9,,,,", "p.csv:3: Q=1 stands there twice"),
    ] {
        publish(row);
        assert_refused(&place.play("new", &[]), message);
        assert!(!place.path("new").exists());
    }
}

#[test]
fn a_folder_takes_one_tournament() {
    let place = Place::new(&PLAN.replace("games = 12", "games = 1"));
    assert_played(&place.play("run", &[]));
    let before: Vec<String> = REPRODUCIBLE.map(|name| place.read("run", name)).into();
    assert_refused(&place.play("run", &[]), "run: a tournament was begun there; --resume goes on with it");
    assert_refused(&place.play("run", &["--resume", "--shard", "1/2"]), "run: begun as shard 1/1, not 1/2");
    fs::create_dir(place.path("other")).unwrap();
    fs::write(place.path("other/thesis.txt"), "mine").unwrap();
    assert_refused(&place.play("other", &["--resume"]), "other: expected a new or empty folder");
    assert_refused(&place.play("plan.toml", &[]), "plan.toml");
    fs::write(place.path("plan.toml"), PLAN).unwrap();
    assert_refused(&place.play("run", &["--resume"]), "run: begun with another plan: games: 1 and 12");
    let lock = fs::OpenOptions::new().append(true).open(place.path("run/.lock")).unwrap();
    lock.lock().unwrap();
    fs::write(place.path("plan.toml"), PLAN.replace("games = 12", "games = 1")).unwrap();
    assert_refused(&place.play("run", &["--resume"]), "another process works on this tournament");
    assert_refused(
        &place.entente(&["tournament", "report", "run"]),
        "another process works on this tournament",
    );
    drop(lock);
    assert_played(&place.play("run", &["--resume"]));
    let after: Vec<String> = REPRODUCIBLE.map(|name| place.read("run", name)).into();
    assert_eq!(before, after);
    assert_eq!(names(&place.path("other")), ["thesis.txt"]);
}

#[test]
fn any_game_can_be_generated_alone() {
    let place = Place::new(PLAN);
    assert_played(&place.play("whole", &[]));
    let text = place.read("whole", "results.jsonl");
    let report = place.read("whole", "report.html");
    for line in text.lines().step_by(13) {
        let mut game: serde_json::Value = serde_json::from_str(line).unwrap();
        let object = game.as_object_mut().unwrap();
        object.remove("crc32");
        let (seed, index) = (object["seed"].to_string(), object["index"].to_string());
        let constraint = object["constraint"].as_str().unwrap().to_owned();
        let options: &[&str] = match object.remove("entrant").unwrap().as_str().unwrap() {
            "auto" => &["--evaluator", "material", "--nodes", "20000"],
            _ => &["--method", "best-first"],
        };
        let word = if constraint.starts_with("N@") || constraint.starts_with('(') || constraint.contains(' ')
        {
            format!("'{constraint}'")
        } else {
            constraint.clone()
        };
        let command =
            format!("entente generate {word} {} --seed {seed} --index {index}\"", options.join(" "));
        assert!(report.contains(&command), "{command}");
        let fixed = ["generate", &constraint, "--seed", &seed, "--index", &index, "--format", "jsonl"];
        let output = place.entente(&[&fixed[..], options].concat());
        let mut alone: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        alone.as_object_mut().unwrap().remove("seconds");
        assert_eq!(alone, game);
    }
}

#[test]
fn an_unfinished_tournament_has_a_report_too() {
    let place = Place::new(PLAN);
    assert_played(&place.play("run", &[]));
    let text = place.read("run", "results.jsonl");
    let some: Vec<&str> = text.lines().take(20).collect();
    fs::write(place.path("run/results.jsonl"), some.join("\n") + "\n").unwrap();
    assert_played(&place.entente(&["tournament", "report", "run"]));
    assert!(place.read("run", "table.md").contains("20 games: 12 of each"));
    assert!(place.read("run", "table.md").contains("Not finished: 76 games are missing."));
    assert_refused(
        &place.entente(&["tournament", "report", "nowhere"]),
        "nowhere: no tournament was begun there",
    );
}

#[test]
fn a_bad_plan_is_named_with_its_line_and_nothing_is_created() {
    let entrant = "[[entrants]]\nname = \"a\"\n";
    let plan = |middle: &str, entrants: &str| format!("games = 2\nconstraints = \"Q=0\"\n{middle}{entrants}");
    let cases: &[(String, &str)] = &[
        (
            plan("", "[[entrants]]\nname = \"a\"\nmethod = \"magic\"\n"),
            "plan.toml:5: method: unknown variant `magic`, expected one of",
        ),
        (
            plan("", "[[entrants]]\nname = \"a\"\nnetwork = \"missing.onnx\"\n"),
            "plan.toml:5: entrant \"a\" network: missing.onnx: No such file or directory",
        ),
        (plan("", entrant).replace("games = 2", "games = 0"), "plan.toml:1: games: expected at least 1"),
        (plan("", entrant).replace("games = 2", "games = -1"), "plan.toml:1: games: invalid value"),
        (
            plan("", entrant).replace("games = 2", "games = 900000000"),
            "plan.toml:1: games: expected at most 100000000 of all together",
        ),
        (plan("", entrant).replace("games = 2\n", ""), "plan.toml:1: missing field `games`"),
        (plan("", &entrant.repeat(2)), "plan.toml:6: entrants name: \"a\" stands there twice"),
        (
            plan("", entrant).replace("Q=0", "P=9"),
            "plan.toml:2: constraints: P=9: impossible: White needs at least 9 pawns",
        ),
        (
            "games = 2\nconstraints = [\n  \"Q=0\",\n  \"k@c3 P@b2 P@d2\",\n]\n".to_owned() + entrant,
            "plan.toml:4: constraints: k@c3 & P@b2 & P@d2: impossible: Black's men cannot all get",
        ),
        (plan("", entrant).replace("Q=0", "Q=="), "plan.toml:2: constraints: \"Q==\": constraint, column 3"),
        (
            plan("", entrant).replace("\"Q=0\"", "[\"thesis-7\", \"(1,2,2,2,7)\"]"),
            "plan.toml:2: constraints: (1,2,2,2,7) stands there twice",
        ),
        (
            plan("", entrant).replace("constraints = \"Q=0\"\n", ""),
            "plan.toml:1: constraints: expected constraints, the name of a set",
        ),
        (plan("", entrant).replace("\"Q=0\"", "[]"), "plan.toml:2: constraints: expected constraints"),
        (plan("gmaes = 3\n", entrant), "plan.toml:3: gmaes: unknown field `gmaes`"),
        (plan("from = \"8/8 w\"\n", entrant), "plan.toml:3: from: expected the FEN of a legal position"),
        (plan("max-plies = 0\n", entrant), "plan.toml:3: max-plies: expected 1 to 1000, found 0"),
        (
            plan("max-plies = 9\n", entrant).replace("Q=0", "Q=0 ply>=12"),
            "plan.toml:2: constraints: it asks for 12 plies at least",
        ),
        (plan("published = \"none.csv\"\n", entrant), "plan.toml:3: published: none.csv: No such file"),
        (
            plan("constraints-file = \"none.txt\"\n", entrant),
            "plan.toml:3: constraints-file: none.txt: No such file",
        ),
        (plan("constraints-file = \"bad.txt\"\n", entrant), "bad.txt:3: \"N@f9\": constraint, column"),
        (plan("published = \"bad.csv\"\n", entrant), "bad.csv:2: "),
        (plan("entrants = []\n", ""), "plan.toml:3: entrants: expected at least one"),
        (
            plan("", &format!("{entrant}depth = 9\n")),
            "plan.toml:5: entrant \"a\" depth: expected 1 to 8, found 9",
        ),
        (
            plan("", &format!("{entrant}criterion = 1.5\n")),
            "plan.toml:5: entrant \"a\" criterion: expected 0 to 1",
        ),
        (plan("", &format!("{entrant}nodes = 0\n")), "plan.toml:5: entrant \"a\" nodes: expected at least 1"),
        (
            plan("", &format!("{entrant}method = \"negamax\"\nelo = 1500\n")),
            "plan.toml:6: entrant \"a\" elo: only the method goal-policy heeds it",
        ),
        (
            plan("", &format!("{entrant}evaluator = \"network\"\n")),
            "plan.toml:5: entrant \"a\" evaluator: network thesis-2 reads only exact counts of White",
        ),
        (
            plan("", &format!("{entrant}method = \"best-first\"\ndepth = 2\n")),
            "plan.toml:6: entrant \"a\" depth: only the method negamax heeds it",
        ),
        (
            plan("", &format!("{entrant}method = \"negamax\"\n")).replace("Q=0", "N@f3"),
            "plan.toml:5: entrant \"a\" method: it is led by numbers of men alone, and 'N@f3' says more",
        ),
        (plan("", "[[entrants]]\nname = \"\"\n"), "plan.toml:4: entrants name: expected up to 60 letters"),
        ("games = ".to_owned(), "plan.toml:1: "),
        ("\u{0}".to_owned(), "plan.toml:1: "),
    ];
    for (text, message) in cases {
        let place = Place::new(text);
        fs::write(place.path("bad.txt"), "# a comment\nQ=0 q=0\nN@f9\n").unwrap();
        fs::write(place.path("bad.csv"), "constraint,games\n\"(1,2,2,2,7)\",many\n").unwrap();
        assert_refused(&place.play("run", &[]), message);
        assert_eq!(place.names(), ["bad.csv", "bad.txt", "plan.toml"], "{text}");
    }
    let place = Place::new(PLAN);
    assert_refused(
        &place.entente(&["tournament", "missing.toml", "--output", "run"]),
        "missing.toml: No such file",
    );
    assert_refused(&place.play("run", &["--shard", "3/2"]), "expected I/N with I from 1 to N");
    assert_eq!(place.names(), ["plan.toml"]);
}

#[test]
fn every_shipped_plan_is_sound() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tournaments");
    let plans: Vec<String> = names(&folder).into_iter().filter(|name| name.ends_with(".toml")).collect();
    assert!(plans.len() >= 4, "{plans:?}");
    for plan in plans {
        entente::tournament::Plan::read(&folder.join(&plan)).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn the_two_ablations_have_the_same_entrants() {
    let entrants = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tournaments").join(name);
        Plan::read(&path).unwrap().0.entrants
    };
    assert_eq!(entrants("ablation.toml"), entrants("ablation-random.toml"));
}
