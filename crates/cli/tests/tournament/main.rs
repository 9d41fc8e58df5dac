//! `entente tournament` as a user runs it, with interruptions and damage.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like tests")]

mod damaged;
mod interrupted;
mod plans;
mod results;
#[path = "../support/system.rs"]
mod system;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tempfile::TempDir;

/// The files that must be the same in every run of a plan. The others contain times.
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
struct WorkFolder {
    folder: TempDir,
}

impl WorkFolder {
    fn new(plan: &str) -> WorkFolder {
        let place = WorkFolder { folder: tempfile::tempdir().unwrap() };
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
        // The tests may themselves be a task of an array.
        for name in
            ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "SGE_TASK_ID", "AWS_BATCH_JOB_ARRAY_INDEX"]
        {
            command.env_remove(name);
        }
        for name in ["BATCH_TASK_INDEX", "CLOUD_RUN_TASK_INDEX"] {
            command.env_remove(name);
        }
        command
    }

    /// Plays the plan, or the games that are missing.
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
    // The budget of the plan is too small for some positions.
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", stderr(output));
}

#[track_caller]
fn assert_refused(output: &Output, message: &str) {
    assert_eq!(output.status.code(), Some(2), "{}", stderr(output));
    assert!(stderr(output).contains(message), "expected {message:?} in {:?}", stderr(output));
    assert!(output.stdout.is_empty());
}
