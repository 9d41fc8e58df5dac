//! The one way in: lines, and the ends of searches, as events.

use std::{io::BufRead, sync::mpsc};

use super::command::{self, Command, CommandError};

/// What the session waits for.
pub(super) enum Event {
    /// A command, or why it is none.
    Line(Result<Command, CommandError>),
    /// A line that is no command.
    Unknown(String),
    /// The input has ended or failed.
    EndOfInput,
    /// The running search has answered.
    SearchEnded,
}

/// Turns lines into events until the input ends or fails, or nobody wants them.
pub(super) fn read_lines(mut input: impl BufRead, events: &mpsc::Sender<Event>) {
    let mut line = Vec::new();
    loop {
        line.clear();
        match input.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => {
                let _ = events.send(Event::EndOfInput);
                return;
            }
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&line);
        let event = match command::parse(&text) {
            Ok(Some(command)) => Event::Line(Ok(command)),
            Ok(None) => Event::Unknown(text.trim().to_owned()),
            Err(error) => Event::Line(Err(error)),
        };
        if events.send(event).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_an_event_whatever_its_bytes() {
        let (sender, events) = mpsc::channel();
        read_lines(&b"isready\r\nhello\n\xff\xfe\nposition here\nstop"[..], &sender);
        drop(sender);
        let events: Vec<Event> = events.iter().collect();
        assert!(matches!(
            events.as_slice(),
            [
                Event::Line(Ok(Command::IsReady)),
                Event::Unknown(hello),
                Event::Unknown(_),
                Event::Line(Err(CommandError::Position(_))),
                Event::Line(Ok(Command::Stop)),
                Event::EndOfInput,
            ] if hello == "hello"
        ));
    }
}
