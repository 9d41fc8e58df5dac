//! What pgn-reader tells about a game, noted down.

use std::{borrow::Cow, ops::ControlFlow};

use pgn_reader::{RawComment, RawTag, SanPlus, Skip, Visitor};
use shakmaty::{Outcome, san::San};

use super::{game::Evaluation, tags::RawTags};

/// What pgn-reader finds in a game's text.
#[derive(Debug, Default)]
pub struct RawGame {
    pub tags: RawTags,
    pub sans: Vec<San>,
    /// With the ply after which they stand.
    pub evaluations: Vec<(usize, Evaluation)>,
    pub unreadable_evaluations: u64,
    /// Termination markers; a sound game has one.
    pub outcomes: Vec<Outcome>,
    /// The beginning of a comment that is longer than pgn-reader's buffer.
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
        // An evaluation before the first move is that of the initial position.
        if let Some(value) = evaluation_text(&whole)
            && !self.sans.is_empty()
        {
            match evaluation(value) {
                Some(evaluation) => self.evaluations.push((self.sans.len(), evaluation)),
                None => self.unreadable_evaluations += 1,
            }
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, _: &mut (), outcome: Outcome) -> ControlFlow<()> {
        self.outcomes.push(outcome);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

/// What stands in `[%eval …]`; a line may break after the command's name.
fn evaluation_text(comment: &[u8]) -> Option<&[u8]> {
    const COMMAND: &[u8] = b"[%eval";
    let start = comment.windows(COMMAND.len()).position(|window| window == COMMAND)? + COMMAND.len();
    let rest = &comment[start..];
    rest.first().filter(|byte| byte.is_ascii_whitespace())?;
    Some(&rest[..rest.iter().position(|&byte| byte == b']').unwrap_or(rest.len())])
}

/// `0.17`, `-1.5`, `#3`, `#-2`, each perhaps with `,DEPTH`.
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
