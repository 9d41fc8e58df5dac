//! The tokens of movetext. A token that is not a move, a number or a sign is an error of its game. If it were skipped,
//! a move could be lost, and the game would be another one.

use shakmaty::{KnownOutcome, Outcome};

use super::{quote::quote, signs::are_signs, written::Written};

/// A token of the main line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// The number of a move.
    Number(&'a [u8]),
    /// A move, and its text.
    Move(Written, &'a [u8]),
    /// The text of a comment.
    Comment(&'a [u8]),
    /// The result, at the end of the game.
    Result(Outcome),
}

/// Why the rest of a game cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The number of bytes of the movetext before it.
    pub at: usize,
    /// What is wrong.
    pub what: String,
}

/// The tokens of a game's movetext, up to its first problem. Variations are left out.
pub struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
    is_over: bool,
    is_terminated: bool,
    /// A comment without its end takes the rest of the text, also a result.
    is_swallowed: bool,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a [u8]) -> Tokens<'a> {
        Tokens { text, at: 0, is_over: false, is_terminated: false, is_swallowed: false }
    }

    /// True once the result of the game was read, or if the text ends with one after a problem.
    pub fn is_terminated(&self) -> bool {
        let last = self.text.trim_ascii_end().rsplit(|byte| byte.is_ascii_whitespace()).next();
        self.is_terminated || self.is_over && !self.is_swallowed && last.and_then(outcome).is_some()
    }

    /// The number of bytes read so far.
    pub(super) fn place(&self) -> usize {
        self.at
    }

    fn problem(&mut self, at: usize, what: String) -> Option<Result<Token<'a>, Problem>> {
        self.is_over = true;
        Some(Err(Problem { at, what }))
    }

    /// The text from here to the closing brace, and the number of bytes with both braces.
    fn comment(&self) -> Option<(&'a [u8], usize)> {
        let rest = &self.text[self.at..];
        let end = rest.iter().position(|&byte| byte == b'}')?;
        Some((&rest[1..end], end + 1))
    }

    /// Passes over a variation with all that it contains; false if it has no end.
    fn pass_variation(&mut self) -> Result<(), &'static str> {
        let mut depth = 0usize;
        while let Some(&byte) = self.text.get(self.at) {
            let rest = &self.text[self.at..];
            self.at += match byte {
                b'{' => self.comment().ok_or("a comment without its end")?.1,
                b';' => line_length(rest),
                b'%' if self.is_line_start() => line_length(rest),
                _ => 1,
            };
            depth = match byte {
                b'(' => depth + 1,
                b')' => depth - 1,
                _ => depth,
            };
            if depth == 0 {
                return Ok(());
            }
        }
        Err("a variation without its end")
    }

    fn is_line_start(&self) -> bool {
        self.at == 0 || self.text[self.at - 1] == b'\n'
    }

    /// The length of the token that begins here.
    fn length(&self) -> usize {
        let rest = &self.text[self.at..];
        let mut length = 0;
        let mut is_number = true;
        while let Some(&byte) = rest.get(length) {
            let ends = match byte {
                b'.' => is_number,
                // A non-breaking space, and dots in one character after a number.
                0xc2 => rest[length..].starts_with(b"\xc2\xa0"),
                0xe2 => is_number && length > 0 && rest[length..].starts_with("…".as_bytes()),
                b'(' => !is_promotion(&rest[..length], &rest[length..]),
                b')' => !(length > 1 && rest[length - 2] == b'('),
                b'{' | b'}' | b';' | b'$' | b'*' => true,
                byte => byte.is_ascii_whitespace(),
            };
            if ends {
                break;
            }
            is_number &= byte.is_ascii_digit();
            length += 1;
        }
        length.max(1)
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Result<Token<'a>, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        while let Some(&byte) = self.text.get(self.at) {
            let (rest, begin) = (&self.text[self.at..], self.at);
            match byte {
                b'{' => {
                    let Some((comment, length)) = self.comment() else {
                        self.is_swallowed = true;
                        return self.problem(begin, "a comment without its end".to_owned());
                    };
                    self.at += length;
                    return Some(Ok(Token::Comment(comment)));
                }
                b';' => self.at += line_length(rest),
                b'%' if self.is_line_start() => self.at += line_length(rest),
                b'(' => {
                    if let Err(what) = self.pass_variation() {
                        return self.problem(begin, what.to_owned());
                    }
                }
                b')' => {
                    return self.problem(begin, "the end of a variation without its beginning".to_owned());
                }
                b'}' => return self.problem(begin, "the end of a comment without its beginning".to_owned()),
                b'.' => self.at += 1,
                b'$' => {
                    let digits = rest[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                    if digits == 0 {
                        return self.problem(begin, "expected a number after \"$\"".to_owned());
                    }
                    self.at += 1 + digits;
                }
                0xc2 if rest.starts_with(b"\xc2\xa0") => self.at += 2,
                0xe2 if rest.starts_with("…".as_bytes()) => self.at += "…".len(),
                0xef if rest.starts_with(b"\xef\xbb\xbf") => self.at += 3,
                byte if byte.is_ascii_whitespace() => self.at += 1,
                _ => {
                    let token = &rest[..self.length()];
                    self.at += token.len();
                    if let Some(token) = self.token(token, begin) {
                        return Some(token);
                    }
                }
            }
        }
        self.is_over = true;
        None
    }
}

impl<'a> Tokens<'a> {
    /// What a token means; `None` for a sign.
    fn token(&mut self, token: &'a [u8], begin: usize) -> Option<Result<Token<'a>, Problem>> {
        if let Some(outcome) = outcome(token) {
            if self.is_terminated {
                return self.problem(begin, "a second result".to_owned());
            }
            self.is_terminated = true;
            return Some(Ok(Token::Result(outcome)));
        }
        if self.is_terminated {
            return self.problem(begin, format!("\"{}\" after the result", quote(token)));
        }
        if token.iter().all(u8::is_ascii_digit) && token != b"0000" {
            return Some(Ok(Token::Number(token)));
        }
        match Written::read(token) {
            Some(written) => Some(Ok(Token::Move(written, token))),
            None if are_signs(token) => None,
            None => self.problem(begin, format!("\"{}\" is not a move", quote(token))),
        }
    }
}

/// True if `(` begins a promotion such as `(Q)` behind a pawn's move.
fn is_promotion(before: &[u8], from: &[u8]) -> bool {
    matches!(from, [b'(', b'Q' | b'R' | b'B' | b'N', b')', ..]) && matches!(before.last(), Some(b'1' | b'8'))
}

fn line_length(text: &[u8]) -> usize {
    text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len())
}

/// The result that a token says, with any of the dashes and fractions that files have.
pub(super) fn outcome(token: &[u8]) -> Option<Outcome> {
    if token == b"*" {
        return Some(Outcome::Unknown);
    }
    let text = std::str::from_utf8(token).ok()?;
    let (white, black) = ["-", "–", "—"].iter().find_map(|dash| text.split_once(dash))?;
    Some(Outcome::Known(match (white, black) {
        ("1", "0") => KnownOutcome::Decisive { winner: shakmaty::Color::White },
        ("0", "1") => KnownOutcome::Decisive { winner: shakmaty::Color::Black },
        ("1/2", "1/2") | ("½", "½") => KnownOutcome::Draw,
        _ => return None,
    }))
}
