//! What differs between systems: interrupts, and the words of the system.

#![allow(dead_code, reason = "not all tests that share this file use all of it")]

use std::{io, process::Child};

/// How a process is asked to end.
#[cfg(unix)]
#[derive(Clone, Copy)]
pub(crate) enum Interrupt {
    /// As Ctrl-C in a terminal.
    CtrlC,
    /// As a scheduler does.
    Terminate,
}

/// Interrupts a process. For Windows, `checks/check_console.py` presses Ctrl-C in a console.
#[cfg(unix)]
pub(crate) fn interrupt(child: &Child, how: Interrupt) {
    let signal = match how {
        Interrupt::CtrlC => "-INT",
        Interrupt::Terminate => "-TERM",
    };
    let mut kill = std::process::Command::new("kill");
    assert!(kill.args([signal, &child.id().to_string()]).status().unwrap().success());
}

/// Kills a process; false if it ended by itself before.
///
/// On Windows, the lock of a killed process may outlive it. The next process is then refused with status 2, and counts as
/// killed.
pub(crate) fn killed(child: &mut Child) -> bool {
    let ended = child.try_wait().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    ended.is_none_or(|status| cfg!(windows) && status.code() == Some(2))
}

/// What the system says of a file that does not exist.
pub(crate) fn no_file() -> io::Error {
    // The number is the same on Unix and on Windows.
    io::Error::from_raw_os_error(2)
}
