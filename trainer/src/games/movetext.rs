//! A strict check of movetext.
//!
//! pgn-reader silently skips what it cannot read, so a lost move would go unnoticed if the remaining moves happen to be
//! legal. This check reads the same text token by token, refuses what is not PGN, and counts the moves. The number is
//! then compared with that of pgn-reader.

use shakmaty::san::SanPlus;

use super::fault::quote;

/// The result of checking the movetext of a game.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Movetext {
    /// Number of plies in the main line.
    pub plies: usize,
    /// True if the termination marker was found.
    pub terminated: bool,
    /// The first problem, with the number of plies before it.
    pub problem: Option<(usize, String)>,
}

impl Movetext {
    fn fail(&mut self, problem: impl FnOnce() -> String) {
        if self.problem.is_none() {
            self.problem = Some((self.plies, problem()));
        }
    }
}

/// Checks a game's movetext, that is everything after its tags.
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
                    movetext.fail(|| "unclosed comment".to_owned());
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
                    None => movetext.fail(|| "end of a variation without its beginning".to_owned()),
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
            // "e.p." after an en passant capture is not a move.
            b'e' if rest.starts_with(b"e.p.") => 4,
            _ => {
                let length = rest.iter().position(|&byte| is_token_end(byte)).unwrap_or(rest.len()).max(1);
                movetext.token(&rest[..length]);
                length
            }
        };
    }
    if depth > 0 {
        movetext.fail(|| "unclosed variation".to_owned());
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
            // A wrong move number means that moves are missing or that there are too many.
            if std::str::from_utf8(token).ok().and_then(|text| text.parse().ok()) != Some(self.plies / 2 + 1)
            {
                let expected = self.plies / 2 + 1;
                self.fail(|| format!("move number {}, expected {expected}", quote(token)));
            }
        } else if is_castling_with_zeros(token) || SanPlus::from_ascii(token).is_ok() {
            self.plies += 1;
        } else {
            self.fail(|| format!("\"{}\" is not a move", quote(token)));
        }
    }
}

fn line_length(text: &[u8]) -> usize {
    text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len())
}

/// True for a byte that ends a token, as in pgn-reader.
fn is_token_end(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b'\n' | b'\r' | b'{' | b'}' | b'(' | b')' | b'!' | b'?' | b'$' | b';' | b'.' | b'*'
    )
}

/// True for a result, with any of the dashes and fractions that pgn-reader reads.
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
    fn everything_that_the_standard_allows_is_read() {
        sound("1. e4 e5 2. Nf3 Nc6 1-0", 4);
        sound("1.e4 e5 2.Nf3! $14 Nc6?! 3.Bb5 a6 {Morphy (1857)} 4.0-0 1/2-1/2", 7);
        sound("1. e4 1... e5 (1... c5 {Sicilian :-)} (1... e6)) 2. f4 ; gambit 2. Nf3\nexf4 *", 4);
        sound("1. e4 d5\n% escaped 9. Qxx\n2. e5 f5 3. exf6 e.p. ½-½", 5);
    }

    #[test]
    fn text_that_is_not_pgn_is_reported() {
        assert_eq!(problem("1. e4 zz e5 1-0"), "\"zz\" is not a move");
        assert_eq!(problem("1. e4e5e6 1-0"), "\"e4e5e6\" is not a move");
        assert_eq!(problem("1. e4 e5 3. d4 1-0"), "move number 3, expected 2");
        assert_eq!(problem("1. e4 {so 1-0"), "unclosed comment");
        assert_eq!(problem("1. e4 (1. d4 1-0"), "unclosed variation");
        assert_eq!(problem("1. e4 ) e5 1-0"), "end of a variation without its beginning");
        assert_eq!(problem("1. e4 1-0 e5"), "\"e5\" after the termination marker");
        assert_eq!(problem("1. e4 1-0 0-1"), "a second termination marker");
        assert_eq!(problem("1. e4 1/2"), "\"1/2\" is not a move");
        assert_eq!(problem("1. \u{2654}e2 *"), "\"\u{2654}e2\" is not a move");
    }

    #[test]
    fn a_game_without_marker_is_not_terminated() {
        assert!(!check(b"1. e4 e5 2. Nf").terminated);
        assert!(!check(b"").terminated);
    }

    #[test]
    fn a_problem_has_the_number_of_plies_before_it() {
        assert_eq!(check(b"1. e4 e5 2. xx 1-0").problem.unwrap().0, 2);
    }
}
