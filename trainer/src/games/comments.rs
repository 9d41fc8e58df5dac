//! What the comments of a game say: evaluations and clocks.

use super::game::Evaluation;

/// The evaluations and clocks of a game.
#[derive(Debug, Default)]
pub(super) struct Comments {
    /// Evaluations, each with the ply after which it occurs.
    pub evaluations: Vec<(usize, Evaluation)>,
    pub unreadable_evaluations: u64,
    /// Seconds on the clock, each with the ply after which it occurs.
    pub clocks: Vec<(usize, u32)>,
}

impl Comments {
    /// Reads a comment after `ply` plies.
    pub(super) fn read(&mut self, ply: usize, comment: &[u8]) {
        // A comment before the first move refers to the initial position.
        if ply == 0 {
            return;
        }
        if let Some(value) = command(comment, b"[%eval") {
            match evaluation(value) {
                Some(evaluation) => self.evaluations.push((ply, evaluation)),
                None => self.unreadable_evaluations += 1,
            }
        }
        if let Some(seconds) = command(comment, b"[%clk").and_then(clock) {
            self.clocks.push((ply, seconds));
        }
    }
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
