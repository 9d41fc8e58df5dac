//! The events of a session: input lines and the ends of jobs.

use std::{
    io::{BufRead, Read},
    time::Instant,
};

use log::debug;

use super::{
    command::{self, Command},
    reply::Reply,
    words::CommandError,
};

/// The longest accepted line, in bytes. A game of 600 plies takes 3,000.
pub(super) const LONGEST_LINE: usize = 1 << 20;

/// An event that the session waits for.
pub(super) enum SessionEvent {
    /// A command, or what is wrong with it, and when it was read.
    Line(Result<Command, CommandError>, Instant),
    /// A line without a command.
    Unknown(String),
    /// A line of more than [`LONGEST_LINE`] bytes, which was skipped.
    TooLong,
    /// The input has ended or failed.
    EndOfInput,
    /// The running job has ended, with its answer.
    JobEnded(Option<Reply>),
}

/// Turns lines into events until the input ends or fails, or until `handle` returns false because the session is over.
pub(super) fn read_lines(mut input: impl BufRead, mut handle: impl FnMut(SessionEvent) -> bool) {
    let mut line = Vec::new();
    // Some editors and shells begin their output with it.
    const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
    let mut is_first = true;
    loop {
        line.clear();
        let limit = LONGEST_LINE as u64 + 1;
        let event = match (&mut input).take(limit).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => {
                debug!("the input has ended");
                SessionEvent::EndOfInput
            }
            Ok(length) if length > LONGEST_LINE && !line.ends_with(b"\n") => match input.skip_until(b'\n') {
                Ok(_) => {
                    debug!("a line of more than {LONGEST_LINE} bytes was skipped");
                    too_long(&line)
                }
                Err(_) => SessionEvent::EndOfInput,
            },
            Ok(_) => {
                let mark = is_first.then(|| line.strip_prefix(BYTE_ORDER_MARK)).flatten();
                let text = String::from_utf8_lossy(mark.unwrap_or(&line));
                debug!("< {}", text.trim_end());
                match command::parse(&text) {
                    Ok(Some(command)) => SessionEvent::Line(Ok(command), Instant::now()),
                    Ok(None) => SessionEvent::Unknown(text.trim().to_owned()),
                    Err(error) => SessionEvent::Line(Err(error), Instant::now()),
                }
            }
        };
        is_first = false;
        let ended = matches!(event, SessionEvent::EndOfInput);
        if !handle(event) || ended {
            return;
        }
    }
}

/// The event of a line that is too long, given its beginning. After a `position` that was skipped, no search may
/// begin.
fn too_long(beginning: &[u8]) -> SessionEvent {
    let is_about_position = match command::parse(&String::from_utf8_lossy(beginning)) {
        Ok(command) => matches!(command, Some(Command::Position { .. })),
        Err(error) => error.is_about_position(),
    };
    if is_about_position {
        SessionEvent::Line(Err(CommandError::LongPosition(LONGEST_LINE)), Instant::now())
    } else {
        SessionEvent::TooLong
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(input: &[u8]) -> Vec<SessionEvent> {
        let mut events = Vec::new();
        read_lines(input, |event| {
            events.push(event);
            true
        });
        events
    }

    #[test]
    fn an_overlong_line_is_skipped_and_the_next_one_read() {
        let longest = [&b"isready"[..], &b" ".repeat(LONGEST_LINE - 7), b"\n"].concat();
        let longer = [&b"isready"[..], &b" ".repeat(3 * LONGEST_LINE), b"\n"].concat();
        let position = [&b"position startpos moves"[..], &b" e2e4".repeat(LONGEST_LINE / 4), b"\n"].concat();
        let events = events(&[&longest[..], &longer, &position, b"stop\n"].concat());
        assert!(matches!(
            events.as_slice(),
            [
                SessionEvent::Line(Ok(Command::IsReady), _),
                SessionEvent::TooLong,
                SessionEvent::Line(Err(CommandError::LongPosition(_)), _),
                SessionEvent::Line(Ok(Command::Stop), _),
                SessionEvent::EndOfInput
            ]
        ));
    }

    #[test]
    fn every_line_is_an_event_whatever_its_bytes() {
        let events = events(b"\xef\xbb\xbfisready\r\nhello\n\xff\xfe\nposition here\nstop");
        assert!(matches!(
            events.as_slice(),
            [
                SessionEvent::Line(Ok(Command::IsReady), _),
                SessionEvent::Unknown(hello),
                SessionEvent::Unknown(_),
                SessionEvent::Line(Err(CommandError::Position(_)), _),
                SessionEvent::Line(Ok(Command::Stop), _),
                SessionEvent::EndOfInput,
            ] if hello == "hello"
        ));
    }
    #[test]
    fn nothing_is_read_after_the_end_of_the_session() {
        let mut lines = 0;
        read_lines(&b"quit\nisready\n"[..], |_| {
            lines += 1;
            false
        });
        assert_eq!(lines, 1);
    }
}
