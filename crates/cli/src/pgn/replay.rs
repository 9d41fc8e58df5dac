use std::{
    io::{self, Read},
    ops::RangeInclusive,
};

use entente::records::pgn::{is_chess960, is_standard};
use entente_search::{Game, position_from_fen_in};
use shakmaty::{CastlingMode, Chess};

use super::{
    chunk::{Chunk, Chunks, GAME_BYTES},
    game::GameText,
    quote::quote,
    tokens::{Problem, Token},
    written::Unplayable,
};

/// Ratings that a file may name.
pub(crate) const RATINGS: RangeInclusive<u16> = 1..=4000;

/// Where a game cannot be read on, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameFault {
    /// The number of the game in its file, from 1.
    pub game: u64,
    /// The ply that should be there, from 1.
    pub ply: usize,
    /// The line in the file, from 1.
    pub line: u64,
    /// What is wrong.
    pub what: String,
}

/// A game, as far as it can be read.
#[derive(Clone, Debug)]
pub struct ReadGame {
    /// Its initial position and moves.
    pub game: Game,
    /// White's and Black's rating, as far as the tags say.
    pub ratings: [Option<u16>; 2],
    /// Why the rest is missing.
    pub fault: Option<GameFault>,
}

/// What a piece of a file turned out to be.
#[derive(Debug)]
pub enum Found {
    /// A game of standard chess.
    Game(Box<ReadGame>),
    /// A game of another variant, or one with an illegal initial position.
    Skipped(GameFault),
    /// Text that is not a game; the fault says why.
    Text(GameFault),
    /// Nothing but white space, comments and signs.
    Nothing,
}

/// Reads the games of a stream one by one.
pub struct Games<R> {
    chunks: Chunks<R>,
    chunk: Chunk,
    next: usize,
    /// Games so far.
    games: u64,
}

impl<R: Read> Games<R> {
    /// A reader of the PGN in `text`; see [`super::decoded`].
    pub fn new(text: R) -> Games<R> {
        Games { chunks: Chunks::eager(text), chunk: Chunk::default(), next: 0, games: 0 }
    }

    /// The next game; `None` at the end.
    ///
    /// # Errors
    /// If the stream cannot be read, or a compressed file is damaged; the games before the damage come first.
    pub fn next_game(&mut self) -> io::Result<Option<Found>> {
        loop {
            if let Some(text) = self.chunk.game(self.next) {
                let number = self.games + 1;
                let found = read(&GameText { number, ..text });
                self.games += u64::from(matches!(found, Found::Game(_) | Found::Skipped(_)));
                self.next += 1;
                return Ok(Some(found));
            }
            match self.chunks.next_chunk()? {
                Some(chunk) => (self.chunk, self.next) = (chunk, 0),
                None => break,
            }
        }
        match self.chunks.take_damage() {
            Some(error) => Err(io::Error::new(error.kind(), format!("the file is damaged: {error}"))),
            None => Ok(None),
        }
    }
}

/// Replays a game.
fn read(text: &GameText<'_>) -> Found {
    let tags = text.tags();
    let fault = |ply: usize, line: u64, what: String| GameFault { game: text.number, ply, line, what };
    let first = |what: String| fault(1, text.line, what);
    let variant = tags.get("Variant").filter(|variant| !is_standard(variant));
    let mode = match &variant {
        Some(variant) if !is_chess960(variant) => {
            return Found::Skipped(first(format!("the variant {}", quote(variant.as_bytes()))));
        }
        variant => variant.as_ref().map(|_| CastlingMode::Chess960),
    };
    let root = match tags.get("FEN").map(|fen| position_from_fen_in(&fen, mode)) {
        None => Chess::default(),
        Some(Ok(root)) => root,
        Some(Err(error)) => return Found::Skipped(first(format!("illegal initial position: {error}"))),
    };
    if let Some((name, line)) = &tags.malformed
        && matches!(name.as_str(), "FEN" | "Variant")
    {
        return Found::Skipped(first(format!("tag {line}, expected [{name} \"value\"]")));
    }
    let mut game = Game::new(root);
    let mut tokens = text.tokens(&tags);
    let mut begin = tags.length;
    let mut stopped = None;
    while let Some(token) = tokens.next() {
        let what = match token {
            Ok(Token::Move(written, token)) => match written.play(game.position()) {
                Ok(m) => {
                    game.play(m);
                    begin = tags.length + tokens.place();
                    continue;
                }
                Err(Unplayable::Illegal) => format!("illegal move {}", quote(token)),
                Err(Unplayable::Ambiguous) => format!("ambiguous move {}", quote(token)),
                Err(Unplayable::Null) => format!("{} is a null move, which no game has", quote(token)),
            },
            Ok(_) => continue,
            Err(Problem { at, what }) => {
                stopped = Some((tags.length + at, what));
                break;
            }
        };
        stopped = Some((tags.length + tokens.place(), what));
        break;
    }
    if stopped.is_none() && text.text.len() > GAME_BYTES {
        stopped = Some((begin, format!("the game is longer than {GAME_BYTES} bytes")));
    }
    let ply = game.moves().len() + 1;
    let fault = stopped.map(|(at, what)| fault(ply, text.line_at(at), what));
    if tags.tags.is_empty() && game.moves().is_empty() {
        return fault.map_or(Found::Nothing, Found::Text);
    }
    let ratings = ["WhiteElo", "BlackElo"].map(|name| rating(&tags.get(name)?));
    Found::Game(Box::new(ReadGame { game, ratings, fault }))
}

/// The rating in a tag; `None` where it says `?`, `-` or 0, as for players without one.
fn rating(value: &str) -> Option<u16> {
    value.trim().parse().ok().filter(|elo| RATINGS.contains(elo))
}

#[cfg(test)]
mod tests;
