//! Output files of runs that are interrupted, and files that are open elsewhere, on Unix.

use std::{
    fs,
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use shakmaty::fen::Fen;

use crate::{
    names, start, stderr,
    system::{Interrupt, interrupt},
};

#[test]
fn a_file_that_is_also_standard_error_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let status = Command::new(env!("CARGO_BIN_EXE_entente"))
        .args(["generate", "q=0", "-n", "3", "--format", "fen", "--output", "/dev/stderr"])
        .stderr(fs::OpenOptions::new().append(true).create(true).open(&log).unwrap())
        .status()
        .unwrap();
    assert!(status.success());
    let text = fs::read_to_string(&log).unwrap();
    assert!(
        text.contains("3 of 3 found") && text.lines().filter(|line| line.parse::<Fen>().is_ok()).count() == 3,
        "{text}"
    );
}

/// Starts an endless run into `file`, interrupts it when `is_time` is true, and returns its standard error.
fn interrupted(constraint: &[&str], file: &Path, is_time: impl Fn(&Path) -> bool) -> String {
    let fixed = ["generate", "--evaluator", "material", "-n", "1000000000", "--format", "fen", "--output"];
    let child = start(&[&fixed[..], &[file.to_str().unwrap()], constraint].concat());
    let folder = file.parent().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while !names(folder).iter().any(|name| name.ends_with(".partial") && is_time(&folder.join(name))) {
        assert!(Instant::now() < deadline, "nothing is written");
        thread::sleep(Duration::from_millis(5));
    }
    interrupt(&child, Interrupt::CtrlC);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    stderr(&output)
}

#[test]
fn an_interrupt_keeps_the_positions_found_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("positions.fen");
    let errors = interrupted(&["q=0"], &file, |partial| fs::metadata(partial).unwrap().len() > 0);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.ends_with('\n') && text.lines().all(|line| line.parse::<Fen>().is_ok()));
    assert!(errors.starts_with(&format!("{} of 1000000000 found", text.lines().count())), "{errors}");
    assert!(errors.contains("\nstopped: "), "{errors}");
    assert!(
        errors.ends_with(&format!("{} has the positions generated so far\n", file.display())),
        "{errors}"
    );
    assert_eq!(names(folder.path()), ["positions.fen"]);
}

#[test]
fn an_interrupt_before_anything_is_found_leaves_an_older_file_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("positions.fen");
    fs::write(&file, "old").unwrap();
    let errors = interrupted(&["Q=9 q=9", "--depth", "4"], &file, |_| true);
    assert!(errors.ends_with(&format!("{} was not written\n", file.display())), "{errors}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");
    assert_eq!(names(folder.path()), ["positions.fen"]);
}
