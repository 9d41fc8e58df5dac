//! Where a game of PGN begins.
//!
//! A game begins
//!
//! - at a line that starts with `[` after movetext, outside comments;
//! - at a line that starts with `[Event "` if the current game already has movetext or an Event tag, and at any tag
//!   after a blank line if it has movetext; this holds inside comments, too, so that an unclosed comment costs one game
//!   and not the rest of the file;
//! - at a line that starts with `1.`, and not with `1...`, after a line that ended with a result or after a blank line:
//!   games without tags.
//!
//! A blank line alone does not end a game. The cuts depend only on the text, never on the number of threads.

use super::{tags::is_tag, tokens::outcome};

/// What has been read of the current game so far.
#[derive(Default)]
pub(super) struct Boundary {
    in_movetext: bool,
    in_comment: bool,
    has_event: bool,
    /// The number of variations that are open.
    depth: usize,
    /// The last line with text ended with a result, in the main line.
    is_terminated: bool,
    /// The last line was blank.
    after_blank: bool,
}

impl Boundary {
    /// Processes a line; true if a game begins with it. `whole` is false for the rest of a line whose beginning was
    /// processed before.
    pub(super) fn line(&mut self, line: &[u8], whole: bool) -> bool {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        if whole && line.starts_with(b"%") {
            return false;
        }
        let after_blank = std::mem::take(&mut self.after_blank);
        if line.iter().all(u8::is_ascii_whitespace) {
            self.after_blank = after_blank || whole;
            return false;
        }
        if whole && line.starts_with(b"[") {
            let event = line.starts_with(b"[Event \"");
            let begins = match (event, self.in_movetext) {
                (true, in_movetext) => in_movetext || self.has_event,
                (false, true) => !self.in_comment || after_blank && is_tag(line),
                (false, false) => false,
            };
            if begins {
                *self = Boundary { has_event: event, ..Boundary::default() };
                return true;
            }
            if !self.in_movetext {
                self.has_event |= event;
                return false;
            }
        }
        let is_plain = whole && self.in_movetext && !self.in_comment && self.depth == 0;
        let is_first_move = line.starts_with(b"1.") && !line.starts_with(b"1..");
        let begins = is_plain && is_first_move && (self.is_terminated || after_blank);
        if begins {
            *self = Boundary::default();
        }
        self.movetext(line);
        begins
    }

    /// Tracks comments and variations through a line of movetext.
    fn movetext(&mut self, line: &[u8]) {
        self.in_movetext = true;
        // Where the text of the main line begins that nothing interrupts up to the end of the line.
        let mut plain = 0;
        for (at, &byte) in line.iter().enumerate() {
            match byte {
                b'}' => self.in_comment = false,
                _ if self.in_comment => continue,
                b'{' => self.in_comment = true,
                b'(' => self.depth += 1,
                b')' => self.depth = self.depth.saturating_sub(1),
                // The rest of the line is a comment.
                b';' => {
                    self.is_terminated = self.depth == 0 && ends_with_result(&line[plain..at]);
                    return;
                }
                _ => continue,
            }
            plain = at + 1;
        }
        let is_main = !self.in_comment && self.depth == 0;
        self.is_terminated = is_main && ends_with_result(&line[plain..]);
    }
}

fn ends_with_result(text: &[u8]) -> bool {
    let last = text.trim_ascii_end().rsplit(u8::is_ascii_whitespace).next();
    last.and_then(outcome).is_some()
}
