//! Collects what pgn-reader finds in the text of a game.

use std::{borrow::Cow, ops::ControlFlow};

use pgn_reader::{RawComment, RawTag, SanPlus, Skip, Visitor};
use shakmaty::{Outcome, san::San};

use super::{game::Evaluation, tags::RawTags};

/// The contents of a game's text.
#[derive(Debug, Default)]
pub(super) struct RawGame {
    pub tags: RawTags,
    pub sans: Vec<San>,
    /// Evaluations, each with the ply after which it occurs.
    pub evaluations: Vec<(usize, Evaluation)>,
    pub unreadable_evaluations: u64,
    /// Seconds on the clock, each with the ply after which it occurs.
    pub clocks: Vec<(usize, u32)>,
    /// Termination markers; an undamaged game has one.
    pub outcomes: Vec<Outcome>,
    /// The beginning of a comment that is longer than the buffer of pgn-reader.
    comment: Vec<u8>,
}

impl Visitor for RawGame {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, _: &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        self.tags.add(name, value.as_bytes());
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, _: &mut (), san: SanPlus) -> ControlFlow<()> {
        self.sans.push(san.san);
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut ()) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn partial_comment(&mut self, _: &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        self.comment.extend_from_slice(comment.as_bytes());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, _: &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        let whole = if self.comment.is_empty() {
            Cow::Borrowed(comment.as_bytes())
        } else {
            self.comment.extend_from_slice(comment.as_bytes());
            Cow::Owned(std::mem::take(&mut self.comment))
        };
        // A comment before the first move refers to the initial position.
        let ply = self.sans.len();
        if ply == 0 {
            return ControlFlow::Continue(());
        }
        if let Some(value) = command(&whole, b"[%eval") {
            match evaluation(value) {
                Some(evaluation) => self.evaluations.push((ply, evaluation)),
                None => self.unreadable_evaluations += 1,
            }
        }
        if let Some(seconds) = command(&whole, b"[%clk").and_then(clock) {
            self.clocks.push((ply, seconds));
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, _: &mut (), outcome: Outcome) -> ControlFlow<()> {
        self.outcomes.push(outcome);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

/// The argument of `[%NAME …]`, where `name` is `[%NAME`; a line break may follow the name.
fn command<'a>(comment: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let start = comment.windows(name.len()).position(|window| window == name)? + name.len();
    let rest = &comment[start..];
    rest.first().filter(|byte| byte.is_ascii_whitespace())?;
    Some(&rest[..rest.iter().position(|&byte| byte == b']').unwrap_or(rest.len())])
}

/// Parses `0.17`, `-1.5`, `#3` or `#-2`, optionally followed by `,DEPTH`.
fn evaluation(text: &[u8]) -> Option<Evaluation> {
    let text = std::str::from_utf8(text).ok()?.trim();
    let text = text.split_once(',').map_or(text, |(value, _)| value);
    if let Some(mate) = text.strip_prefix('#') {
        return mate.parse().ok().map(Evaluation::Mate);
    }
    let pawns: f64 = text.parse().ok()?;
    let centipawns = (pawns * 100.0).round();
    (centipawns.abs() <= f64::from(i16::MAX)).then_some(Evaluation::Centipawns(centipawns as i16))
}

/// Parses whole seconds from `1:02:03`, `0:00:59.9` or `2:30`.
fn clock(text: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(text).ok()?.trim();
    let whole = text.split_once('.').map_or(text, |(whole, _)| whole);
    let mut seconds: u32 = 0;
    for part in whole.split(':') {
        let part: u32 = part.parse().ok()?;
        seconds = seconds.checked_mul(60)?.checked_add(part)?;
    }
    Some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_in_whole_seconds() {
        let clocks =
            [b"1:02:03".as_slice(), b"0:00:59.9", b" 2:30 ", b"7", b"-1:00", b"1::0", b"99999999:0:0"];
        assert_eq!(clocks.map(clock), [Some(3723), Some(59), Some(150), Some(7), None, None, None]);
    }
}
