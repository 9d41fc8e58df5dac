//! A strict look at movetext.
//!
//! pgn-reader skips what it cannot read without a word, so a lost move could go unnoticed wherever the rest
//! happens to be legal. This check reads the same text token by token, refuses what is not PGN, and counts the
//! moves, to be compared with those that pgn-reader found.

use shakmaty::san::SanPlus;

use super::fault::quote;

/// What the movetext of a game holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Movetext {
    /// Moves of the main line.
    pub plies: usize,
    /// The game's termination marker was met.
    pub terminated: bool,
    /// The first thing that is not PGN, with the number of moves before it.
    pub problem: Option<(usize, String)>,
}

impl Movetext {
    fn fail(&mut self, problem: impl FnOnce() -> String) {
        if self.problem.is_none() {
            self.problem = Some((self.plies, problem()));
        }
    }
}

/// Reads a game's movetext (all after its tags).
pub(super) fn check(text: &[u8]) -> Movetext {
    let mut movetext = Movetext::default();
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let rest = &text[at..];
        at += match byte {
            b'{' => match rest.iter().position(|&byte| byte == b'}') {
                Some(end) => end + 1,
                None => {
                    movetext.fail(|| "comment never closed".to_owned());
                    rest.len()
                }
            },
            b';' => line_length(rest),
            b'%' if at == 0 || text[at - 1] == b'\n' => line_length(rest),
            b'(' => {
                depth += 1;
                1
            }
            b')' => {
                match depth.checked_sub(1) {
                    Some(outer) => depth = outer,
                    None => movetext.fail(|| "variation closed but never opened".to_owned()),
                }
                1
            }
            _ if depth > 0 => 1,
            b' ' | b'\t' | b'\r' | b'\n' | b'.' | b'!' | b'?' => 1,
            b'*' => {
                movetext.terminate();
                1
            }
            b'$' => 1 + rest[1..].iter().take_while(|byte| byte.is_ascii_digit()).count(),
            // "e.p." after an en passant capture adds nothing.
            b'e' if rest.starts_with(b"e.p.") => 4,
            _ => {
                let length = rest.iter().position(|&byte| is_token_end(byte)).unwrap_or(rest.len()).max(1);
                movetext.token(&rest[..length]);
                length
            }
        };
    }
    if depth > 0 {
        movetext.fail(|| "variation never closed".to_owned());
    }
    movetext
}

impl Movetext {
    fn terminate(&mut self) {
        if self.terminated {
            self.fail(|| "a second termination marker".to_owned());
        }
        self.terminated = true;
    }

    fn token(&mut self, token: &[u8]) {
        if is_termination(token) {
            return self.terminate();
        }
        if self.terminated {
            return self.fail(|| format!("\"{}\" after the termination marker", quote(token)));
        }
        if token.iter().all(u8::is_ascii_digit) {
            // A number that does not fit tells of a move that is missing or too many.
            if std::str::from_utf8(token).ok().and_then(|text| text.parse().ok()) != Some(self.plies / 2 + 1)
            {
                let expected = self.plies / 2 + 1;
                self.fail(|| format!("move number {} where {expected} is due", quote(token)));
            }
        } else if is_castling_with_zeros(token) || SanPlus::from_ascii(token).is_ok() {
            self.plies += 1;
        } else {
            self.fail(|| format!("\"{}\" is no move", quote(token)));
        }
    }
}

fn line_length(text: &[u8]) -> usize {
    text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len())
}

/// Where tokens end, as in pgn-reader.
fn is_token_end(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b'\n' | b'\r' | b'{' | b'}' | b'(' | b')' | b'!' | b'?' | b'$' | b';' | b'.' | b'*'
    )
}

/// White wins, Black wins or draw, with the dashes and fractions that pgn-reader knows.
fn is_termination(token: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(token) else { return false };
    let parts = ["-", "–", "—"].iter().find_map(|dash| text.split_once(dash));
    matches!(parts, Some(("1", "0") | ("0", "1") | ("1/2", "1/2") | ("½", "½")))
}

fn is_castling_with_zeros(token: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(token) else { return false };
    matches!(text.trim_end_matches(['+', '#']), "0-0" | "0-0-0" | "0–0" | "0–0–0")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sound(text: &str, plies: usize) {
        let expected = Movetext { plies, terminated: true, problem: None };
        assert_eq!(check(text.as_bytes()), expected, "{text}");
    }

    fn problem(text: &str) -> String {
        check(text.as_bytes()).problem.unwrap_or_else(|| panic!("no problem found in {text}")).1
    }

    #[test]
    fn all_that_the_standard_allows_is_read() {
        sound("1. e4 e5 2. Nf3 Nc6 1-0", 4);
        sound("1.e4 e5 2.Nf3! $14 Nc6?! 3.Bb5 a6 {Morphy (1857)} 4.0-0 1/2-1/2", 7);
        sound("1. e4 1... e5 (1... c5 {Sicilian :-)} (1... e6)) 2. f4 ; gambit 2. Nf3\nexf4 *", 4);
        sound("1. e4 d5\n% escaped 9. Qxx\n2. e5 f5 3. exf6 e.p. ½-½", 5);
    }

    #[test]
    fn what_is_no_pgn_is_named() {
        assert_eq!(problem("1. e4 zz e5 1-0"), "\"zz\" is no move");
        assert_eq!(problem("1. e4e5e6 1-0"), "\"e4e5e6\" is no move");
        assert_eq!(problem("1. e4 e5 3. d4 1-0"), "move number 3 where 2 is due");
        assert_eq!(problem("1. e4 {so 1-0"), "comment never closed");
        assert_eq!(problem("1. e4 (1. d4 1-0"), "variation never closed");
        assert_eq!(problem("1. e4 ) e5 1-0"), "variation closed but never opened");
        assert_eq!(problem("1. e4 1-0 e5"), "\"e5\" after the termination marker");
        assert_eq!(problem("1. e4 1-0 0-1"), "a second termination marker");
        assert_eq!(problem("1. e4 1/2"), "\"1/2\" is no move");
        assert_eq!(problem("1. \u{2654}e2 *"), "\"\u{2654}e2\" is no move");
    }

    #[test]
    fn a_game_without_marker_is_not_terminated() {
        assert!(!check(b"1. e4 e5 2. Nf").terminated);
        assert!(!check(b"").terminated);
    }

    #[test]
    fn the_place_of_a_problem_is_told() {
        assert_eq!(check(b"1. e4 e5 2. xx 1-0").problem.unwrap().0, 2);
    }
}
