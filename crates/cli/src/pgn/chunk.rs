//! Cuts a stream of PGN text into chunks of whole games, so that many threads can parse one file. Where a game begins
//! depends only on the text (see [`super::boundary`]), never on the number of threads.

use std::io::{self, Read};

use super::{boundary::Boundary, game::GameText};

/// Number of games in a chunk, and so the maximum in a block of the store.
const GAMES: usize = 4096;
/// A chunk with more text than this is cut earlier.
const CHUNK_BYTES: usize = 16 << 20;
/// Maximum length of a game; text beyond this length is discarded.
pub const GAME_BYTES: usize = 1 << 20;
const READ_BYTES: usize = 1 << 18;

/// Consecutive whole games of one file.
#[derive(Debug, Default)]
pub struct Chunk {
    text: Vec<u8>,
    /// The offset of each game in `text`, and its line in the file; the first offset is 0.
    starts: Vec<(usize, u64)>,
    /// Number of the first game in its file, from 1.
    first_game: u64,
}

impl Chunk {
    /// The text of each game.
    pub fn games(&self) -> impl Iterator<Item = GameText<'_>> {
        (0..self.starts.len()).filter_map(|place| self.game(place))
    }

    /// The text of one game; the first is number 0.
    pub fn game(&self, place: usize) -> Option<GameText<'_>> {
        let &(start, line) = self.starts.get(place)?;
        let end = self.starts.get(place + 1).map_or(self.text.len(), |(start, _)| *start);
        Some(GameText { number: self.first_game + place as u64, line, text: &self.text[start..end] })
    }
}

/// Cuts a stream into chunks.
pub struct Chunks<R> {
    stream: R,
    buffer: Vec<u8>,
    /// Everything before this offset has been scanned. A line begins here unless `in_line`.
    scanned: usize,
    in_line: bool,
    /// The offset of each game in the buffer, and its line; empty before the first one.
    starts: Vec<(usize, u64)>,
    /// The line at `scanned`, from 1.
    line: u64,
    /// Chunks need not have many games.
    is_eager: bool,
    boundary: Boundary,
    next_game: u64,
    ended: bool,
    /// Why the stream ended early, if it did.
    damage: Option<io::Error>,
}

impl<R: Read> Chunks<R> {
    /// Chunks of thousands of games.
    pub fn new(stream: R) -> Self {
        Chunks {
            line: 1,
            is_eager: false,
            stream,
            buffer: Vec::new(),
            scanned: 0,
            in_line: false,
            starts: Vec::new(),
            boundary: Boundary::default(),
            next_game: 1,
            ended: false,
            damage: None,
        }
    }

    /// Chunks of as many games as each read completes, so that the first ones are there at once.
    pub(super) fn eager(stream: R) -> Self {
        Chunks { is_eager: true, ..Chunks::new(stream) }
    }

    /// Why the stream ended early, once.
    pub(super) fn take_damage(&mut self) -> Option<io::Error> {
        self.damage.take()
    }

    /// Why the stream ended early: the compressed file is truncated or corrupt.
    pub fn damage(&self) -> Option<&io::Error> {
        self.damage.as_ref()
    }

    /// The next chunk; `None` at the end of the stream.
    ///
    /// # Errors
    ///
    /// If the operating system fails to read. A damaged compressed stream is not an error: the games before the damage
    /// are returned, and [`Chunks::damage`] has the reason.
    pub fn next_chunk(&mut self) -> io::Result<Option<Chunk>> {
        loop {
            if self.starts.len() > GAMES {
                return Ok(Some(self.cut(GAMES)));
            }
            if (self.is_eager || self.buffer.len() > CHUNK_BYTES) && self.starts.len() > 1 {
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
            let begins = self.boundary.line(&rest[..end], !self.in_line);
            self.in_line = !complete;
            let blank = rest[..end].iter().all(u8::is_ascii_whitespace);
            if begins || (self.starts.is_empty() && !blank) {
                self.forget_excess();
                self.starts.push((self.scanned, self.line));
            }
            self.scanned += end;
            self.line += u64::from(complete);
        }
        self.forget_excess();
    }

    /// Discards text beyond the length limit of the current game, so that garbage cannot fill the memory.
    fn forget_excess(&mut self) {
        let limit = self.starts.last().map_or(0, |(start, _)| *start) + GAME_BYTES + 1;
        if self.scanned > limit {
            self.buffer.drain(limit..self.scanned);
            self.scanned = limit;
        }
    }

    fn cut(&mut self, games: usize) -> Chunk {
        let end = self.starts.get(games).map_or(self.buffer.len(), |(start, _)| *start);
        let rest = self.buffer.split_off(end);
        let later =
            self.starts.split_off(games).into_iter().map(|(start, line)| (start - end, line)).collect();
        let mut chunk = Chunk {
            text: std::mem::replace(&mut self.buffer, rest),
            starts: std::mem::replace(&mut self.starts, later),
            first_game: self.next_game,
        };
        // Remove blank lines before the first game.
        if let Some(first) = chunk.starts.first().map(|(start, _)| *start).filter(|&first| first > 0) {
            chunk.text.drain(..first);
            chunk.starts.iter_mut().for_each(|(start, _)| *start -= first);
        }
        self.scanned -= end;
        self.next_game += games as u64;
        chunk
    }
}

fn memchr_newline(text: &[u8]) -> Option<usize> {
    text.iter().position(|&byte| byte == b'\n')
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
            while let Some(chunk) = chunks.next_chunk().unwrap() {
                for game in chunk.games() {
                    games.push(String::from_utf8(game.text.to_vec()).unwrap());
                    assert_eq!(game.number, games.len() as u64);
                    let at = text.find(games.last().unwrap().as_str()).unwrap();
                    assert_eq!(
                        game.line,
                        text[..at].matches('\n').count() as u64 + 1,
                        "the games of a test differ"
                    );
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
    fn games_without_tags_end_at_their_result_or_at_the_number_1_after_a_blank_line() {
        let first = "1. e4 e5 2. Nf3\n\n2... Nc6 {1-0\n\n1. d4} 3. Bb5 (3. Bc4\n1-0\n) 1-0\n\n";
        assert_eq!(games(&format!("{first}1. d4 d5\n\n1. c4\n")), [first, "1. d4 d5\n\n", "1. c4\n"]);
        assert_eq!(games("1. e4\n\n1... e5 0-1\n"), ["1. e4\n\n1... e5 0-1\n"]);
    }

    #[test]
    fn a_comment_without_its_end_costs_one_game_also_without_an_event_tag() {
        let first = "[White \"a\"]\n\n1. e4 { never closed\n\n";
        assert_eq!(
            games(&format!("{first}[White \"b\"]\n\n1. d4 *\n")),
            [first, "[White \"b\"]\n\n1. d4 *\n"]
        );
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
        let sizes: Vec<(u64, usize)> = std::iter::from_fn(|| chunks.next_chunk().unwrap())
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
        let chunk = chunks.next_chunk().unwrap().unwrap();
        let lengths: Vec<usize> = chunk.games().map(|game| game.text.len()).collect();
        assert_eq!(lengths, [GAME_BYTES + 1, good.len(), GAME_BYTES + 1, good.len()]);
    }
}
