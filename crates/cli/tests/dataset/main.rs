//! `entente dataset` as a user runs it, with interruptions and damage.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like tests")]

mod interrupted;
mod plans;
mod positions;
#[path = "../support/system.rs"]
mod system;

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output},
};

use tempfile::TempDir;

/// The files that must be the same in every run of a plan. The others contain times.
const REPRODUCIBLE: [&str; 5] =
    ["positions.jsonl", "positions.parquet", "README.md", "candidates.jsonl", "dataset.json"];

/// Positions that are found quickly, with many duplicates: after three plies, for example, few positions have a knight
/// on f3.
const PLAN: &str = r#"
[dataset]
name = "test"
positions = 12
seed = 3
constraints = ["ply<=3 N@f3", "(1,2,2,2,7)", "ply<=4 N@f3", "Q=0 q=0"]
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
        command
    }

    /// Generates the plan, or the candidates that are missing.
    fn generate(&self, output: &str, more: &[&str]) -> Output {
        self.entente(&[&["dataset", "plan.toml", "--output", output], more].concat())
    }

    fn read(&self, folder: &str, name: &str) -> Vec<u8> {
        fs::read(self.path(folder).join(name)).expect(name)
    }

    fn text(&self, folder: &str, name: &str) -> String {
        String::from_utf8(self.read(folder, name)).unwrap()
    }

    #[track_caller]
    fn assert_same(&self, one: &str, other: &str) {
        for name in REPRODUCIBLE {
            assert!(self.read(one, name) == self.read(other, name), "{name} differs in {one} and {other}");
        }
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn assert_status(output: &Output, status: i32) {
    assert_eq!(output.status.code(), Some(status), "{}", stderr(output));
}

#[track_caller]
fn assert_refused(output: &Output, message: &str) {
    assert_status(output, 2);
    assert!(stderr(output).contains(message), "expected {message:?} in {:?}", stderr(output));
    assert!(output.stdout.is_empty());
}
