//! Cuts a stream of PGN text into chunks of whole games, so that many threads can parse one file.
//!
//! A game begins at a line that starts with `[` after movetext (outside comments), and at any line that starts with
//! `[Event "` if the current game already has movetext or an Event tag. The second rule also applies inside comments,
//! so that an unclosed comment costs one game and not the rest of the file. The cuts depend only on the text, never on
//! the number of threads.

use std::io::{self, Read};

/// Number of games in a chunk, and so the maximum in a block of the store.
pub(super) const GAMES: usize = 4096;
/// A chunk with more text than this is cut earlier.
const CHUNK_BYTES: usize = 16 << 20;
/// Maximum length of a game; text beyond this length is discarded.
pub(super) const GAME_BYTES: usize = 1 << 20;
const READ_BYTES: usize = 1 << 18;

/// Consecutive whole games of one file.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    pub text: Vec<u8>,
    /// The offset of each game in `text`; the first is 0.
    pub starts: Vec<usize>,
    /// Number of the first game in its file, from 1.
    pub first_game: u64,
}

impl Chunk {
    /// The text of each game, with its number in the file.
    pub(super) fn games(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let ends = self.starts.iter().skip(1).copied().chain([self.text.len()]);
        self.starts
            .iter()
            .zip(ends)
            .zip(self.first_game..)
            .map(|((&start, end), number)| (number, &self.text[start..end]))
    }
}

/// What has been read of the current game so far.
#[derive(Default)]
struct State {
    in_movetext: bool,
    in_comment: bool,
    has_event: bool,
}

/// Cuts a stream into chunks.
pub(super) struct Chunks<R> {
    stream: R,
    buffer: Vec<u8>,
    /// Everything before this offset has been scanned. A line begins here unless `in_line`.
    scanned: usize,
    in_line: bool,
    /// The offset of each game in the buffer; empty before the first one.
    starts: Vec<usize>,
    state: State,
    next_game: u64,
    ended: bool,
    /// Why the stream ended early, if it did.
    damage: Option<io::Error>,
}

impl<R: Read> Chunks<R> {
    pub(super) fn new(stream: R) -> Self {
        Chunks {
            stream,
            buffer: Vec::new(),
            scanned: 0,
            in_line: false,
            starts: Vec::new(),
            state: State::default(),
            next_game: 1,
            ended: false,
            damage: None,
        }
    }

    /// Why the stream ended early: the compressed file is truncated or corrupt.
    pub(super) fn damage(&self) -> Option<&io::Error> {
        self.damage.as_ref()
    }

    /// The next chunk; `None` at the end of the stream.
    ///
    /// # Errors
    ///
    /// If the operating system fails to read. A damaged compressed stream is not an error: the games before the damage
    /// are returned, and [`Chunks::damage`] has the reason.
    pub(super) fn next(&mut self) -> io::Result<Option<Chunk>> {
        loop {
            if self.starts.len() > GAMES {
                return Ok(Some(self.cut(GAMES)));
            }
            if self.buffer.len() > CHUNK_BYTES && self.starts.len() > 1 {
                return Ok(Some(self.cut(self.starts.len() - 1)));
            }
            if self.ended {
                let games = self.starts.len();
                return Ok((games > 0).then(|| self.cut(games)));
            }
            self.fill()?;
            self.scan();
        }
    }

    fn fill(&mut self) -> io::Result<()> {
        let old = self.buffer.len();
        self.buffer.resize(old + READ_BYTES, 0);
        let read = loop {
            match self.stream.read(&mut self.buffer[old..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result,
            }
        };
        self.buffer.truncate(old + *read.as_ref().unwrap_or(&0));
        match read {
            Ok(0) => self.ended = true,
            Ok(_) => {}
            // Errors of decoders have no error number of the operating system.
            Err(error) if error.raw_os_error().is_none() => {
                self.ended = true;
                self.damage = Some(error);
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Scans all complete lines. Also scans an incomplete line if the stream has ended or the line is too long.
    fn scan(&mut self) {
        while self.scanned < self.buffer.len() {
            let rest = &self.buffer[self.scanned..];
            let end = match memchr_newline(rest) {
                Some(newline) => newline + 1,
                None if self.ended || rest.len() > GAME_BYTES => rest.len(),
                None => break,
            };
            let complete = rest[end - 1] == b'\n';
            let begins = self.state.line(&rest[..end], !self.in_line);
            self.in_line = !complete;
            let blank = rest[..end].iter().all(u8::is_ascii_whitespace);
            if begins || (self.starts.is_empty() && !blank) {
                self.forget_excess();
                self.starts.push(self.scanned);
            }
            self.scanned += end;
        }
        self.forget_excess();
    }

    /// Discards text beyond the length limit of the current game, so that garbage cannot fill the memory.
    fn forget_excess(&mut self) {
        let limit = self.starts.last().copied().unwrap_or(0) + GAME_BYTES + 1;
        if self.scanned > limit {
            self.buffer.drain(limit..self.scanned);
            self.scanned = limit;
        }
    }

    fn cut(&mut self, games: usize) -> Chunk {
        let end = self.starts.get(games).copied().unwrap_or(self.buffer.len());
        let rest = self.buffer.split_off(end);
        let later = self.starts.split_off(games).into_iter().map(|start| start - end).collect();
        let mut chunk = Chunk {
            text: std::mem::replace(&mut self.buffer, rest),
            starts: std::mem::replace(&mut self.starts, later),
            first_game: self.next_game,
        };
        // Remove blank lines before the first game.
        if let Some(first) = chunk.starts.first().copied().filter(|&first| first > 0) {
            chunk.text.drain(..first);
            chunk.starts.iter_mut().for_each(|start| *start -= first);
        }
        self.scanned -= end;
        self.next_game += games as u64;
        chunk
    }
}

fn memchr_newline(text: &[u8]) -> Option<usize> {
    text.iter().position(|&byte| byte == b'\n')
}

impl State {
    /// Processes a line; true if a game begins with it. `whole` is false for the rest of a line whose beginning was
    /// processed before.
    fn line(&mut self, line: &[u8], whole: bool) -> bool {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        if whole && line.starts_with(b"%") {
            return false;
        }
        if whole && line.starts_with(b"[") {
            let event = line.starts_with(b"[Event \"");
            let begins =
                if event { self.in_movetext || self.has_event } else { self.in_movetext && !self.in_comment };
            if begins {
                *self = State { has_event: event, ..State::default() };
                return true;
            }
            if !self.in_movetext {
                self.has_event |= event;
                return false;
            }
        }
        if self.in_comment || !line.iter().all(u8::is_ascii_whitespace) {
            self.movetext(line);
        }
        false
    }

    /// Tracks comments through a line of movetext.
    fn movetext(&mut self, mut line: &[u8]) {
        self.in_movetext = true;
        loop {
            if self.in_comment {
                let Some(end) = line.iter().position(|&byte| byte == b'}') else { return };
                self.in_comment = false;
                line = &line[end + 1..];
            }
            match line.iter().position(|&byte| byte == b'{' || byte == b';') {
                Some(start) if line[start] == b'{' => {
                    self.in_comment = true;
                    line = &line[start + 1..];
                }
                // A `;` makes the rest of the line a comment.
                _ => return,
            }
        }
    }
}

/// True for a line like `[Name "value"]`. Anything may follow the opening quote.
pub(super) fn is_tag(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"[") else { return false };
    let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let rest = &rest[name..];
    let spaces = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    name > 0 && spaces > 0 && rest[spaces..].starts_with(b"\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream that returns only a few bytes at a time.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.1.min(buffer.len()).min(self.0.len());
            buffer[..length].copy_from_slice(&self.0[..length]);
            self.0 = &self.0[length..];
            Ok(length)
        }
    }

    fn games(text: &str) -> Vec<String> {
        let cut = |step| {
            let mut chunks = Chunks::new(Slow(text.as_bytes(), step));
            let mut games = Vec::new();
            while let Some(chunk) = chunks.next().unwrap() {
                for (number, game) in chunk.games() {
                    games.push(String::from_utf8(game.to_vec()).unwrap());
                    assert_eq!(number, games.len() as u64);
                }
            }
            games
        };
        let games = cut(usize::MAX);
        assert_eq!(games, cut(1));
        assert_eq!(games, cut(7));
        games
    }

    #[test]
    fn white_space_alone_has_no_game() {
        assert_eq!(games(""), Vec::<String>::new());
        assert_eq!(games("\n \r\n\t\n"), Vec::<String>::new());
    }

    #[test]
    fn games_begin_at_tags_after_movetext() {
        let first = "[Event \"a\"]\r\n[Site \"b\"]\r\n\r\n1. e4\r\n\r\n1... e5 1-0\r\n\r\n";
        let second = "[Site \"c\"]\n\n1. d4 *\n";
        assert_eq!(games(&format!("\n\n{first}{second}")), [first, second]);
    }

    #[test]
    fn tags_in_comments_do_not_cut_but_an_event_tag_does() {
        let first = "[Event \"a\"]\n\n1. e4 { see\n[Site \"x\"]\nthere } e5 ; { open\n1-0\n";
        let second = "[Event \"b\"]\n\n1. d4 { never closed\n\n";
        let third = "[Event \"c\"]\n\n1. c4 *\n";
        assert_eq!(games(&format!("{first}{second}{third}")), [first, second, third]);
    }

    #[test]
    fn a_game_without_movetext_ends_at_the_next_event_tag() {
        let first = "[Event \"a\"]\n[EventDate \"2020\"]\n\n";
        let second = "[Event \"b\"]\n\n*\n";
        assert_eq!(games(&format!("{first}{second}")), [first, second]);
    }

    #[test]
    fn chunks_have_a_fixed_number_of_games() {
        let text = "[Event \"a\"]\n\n1. e4 *\n\n".repeat(GAMES * 2 + 5);
        let mut chunks = Chunks::new(text.as_bytes());
        let sizes: Vec<(u64, usize)> = std::iter::from_fn(|| chunks.next().unwrap())
            .map(|chunk| (chunk.first_game, chunk.starts.len()))
            .collect();
        let games = GAMES as u64;
        assert_eq!(sizes, [(1, GAMES), (games + 1, GAMES), (2 * games + 1, 5)]);
    }

    /// Garbage costs one game and a bounded amount of memory.
    #[test]
    fn endless_games_and_lines_are_cut_short() {
        let endless_line = "x".repeat(5 * GAME_BYTES);
        let endless_game = "e4 e5\n".repeat(GAME_BYTES);
        let good = "[Event \"b\"]\n\n1. d4 *\n";
        let text = format!("[Event \"a\"]\n\n{endless_line}\n{good}[Event \"c\"]\n\n{endless_game}{good}");
        let mut chunks = Chunks::new(text.as_bytes());
        let chunk = chunks.next().unwrap().unwrap();
        let lengths: Vec<usize> = chunk.games().map(|(_, game)| game.len()).collect();
        assert_eq!(lengths, [GAME_BYTES + 1, good.len(), GAME_BYTES + 1, good.len()]);
    }
}
