//! A block's content: some thousand games by column, so that like stands beside like and compresses well.
//!
//! Columns in this order; `v` is an unsigned LEB128 number, all counts are of this block:
//!
//! | column | for each | content |
//! |---|---|---|
//! | plies | game | v |
//! | flags | game | byte: bits 0–1 result (0 White wins, 1 Black wins, 2 draw), bit 2 scale (1 FIDE), bits 3–5 time class, bit 6 has evaluations |
//! | white rating | game | two bytes, low first |
//! | black rating | game | two bytes, low first |
//! | base time | game | v: 0 none, else seconds + 1 |
//! | increment | game with a base time | v: seconds |
//! | dictionary | – | v: number of strings; each v: length, then UTF-8 |
//! | ECO | game | v: 0 none, else 1 + place in the dictionary |
//! | opening | game | v: the same |
//! | source | game | v: place in the dictionary |
//! | moves | ply | byte: see [`super::rank`] |
//! | evaluation kind | ply of a game with evaluations | byte: 0 none, 1 centipawns, 2 mate |
//! | evaluation | evaluation | v: zigzag of the difference from the game's last one of the kind (from 0 at first) |

use std::{collections::HashMap, sync::Arc};

use shakmaty::{Chess, Move, Position};
use thiserror::Error;

use super::{
    game::{Evaluation, GameResult, RatingScale, StoredGame},
    rank,
    time_control::{TimeClass, TimeControl},
};

/// Most games in a block; a reader refuses more.
pub const MAX_GAMES: usize = 1 << 16;
/// Largest uncompressed block in bytes; a reader refuses larger ones before it takes memory for them.
pub const MAX_BYTES: usize = 64 << 20;

/// Why a block's content is not one that this version wrote.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum BlockError {
    #[error("the content ends within {0}")]
    Ends(&'static str),
    #[error("{count} bytes after the last column")]
    TooLong { count: usize },
    #[error("{column} holds {value}, which means nothing")]
    Value { column: &'static str, value: u64 },
    #[error("a string of the dictionary is not UTF-8")]
    Utf8,
    #[error("game {game} of the block: ply {ply} has {legal} legal moves, none of rank {rank}")]
    Rank { game: usize, ply: usize, legal: usize, rank: u8 },
}

/// Collects games and writes them as one block's content.
#[derive(Default)]
pub struct BlockBuilder {
    games: usize,
    plies: u64,
    ply_counts: Vec<u8>,
    flags: Vec<u8>,
    white_ratings: Vec<u8>,
    black_ratings: Vec<u8>,
    base_times: Vec<u8>,
    increments: Vec<u8>,
    dictionary: Dictionary,
    eco: Vec<u8>,
    openings: Vec<u8>,
    sources: Vec<u8>,
    ranks: Vec<u8>,
    evaluation_kinds: Vec<u8>,
    evaluations: Vec<u8>,
}

#[derive(Default)]
struct Dictionary {
    places: HashMap<Arc<str>, u64>,
    bytes: Vec<u8>,
}

impl Dictionary {
    fn place(&mut self, text: &Arc<str>) -> u64 {
        if let Some(&place) = self.places.get(text) {
            return place;
        }
        let place = self.places.len() as u64;
        put(&mut self.bytes, text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
        self.places.insert(Arc::clone(text), place);
        place
    }
}

impl BlockBuilder {
    /// Adds a game; `ranks` are its moves' ranks ([`rank::rank_of`]), which whoever replayed it knows.
    ///
    /// # Panics
    ///
    /// If there are not as many ranks as moves, or evaluations for only some of the moves.
    pub fn push(&mut self, game: &StoredGame, ranks: &[u8]) {
        assert_eq!(game.moves.len(), ranks.len());
        assert!(game.evaluations.is_empty() || game.evaluations.len() == ranks.len());
        self.games += 1;
        self.plies += ranks.len() as u64;
        put(&mut self.ply_counts, ranks.len() as u64);
        let result = match game.result {
            GameResult::WhiteWins => 0,
            GameResult::BlackWins => 1,
            GameResult::Draw => 2,
        };
        let class = TimeClass::ALL.iter().position(|&class| class == game.time_class).unwrap_or(0) as u8;
        self.flags.push(
            result
                | u8::from(game.scale == RatingScale::Fide) << 2
                | class << 3
                | u8::from(!game.evaluations.is_empty()) << 6,
        );
        self.white_ratings.extend_from_slice(&game.white_rating.to_le_bytes());
        self.black_ratings.extend_from_slice(&game.black_rating.to_le_bytes());
        put(&mut self.base_times, game.time_control.map_or(0, |control| u64::from(control.base) + 1));
        if let Some(control) = game.time_control {
            put(&mut self.increments, u64::from(control.increment));
        }
        let mut optional =
            |text: &Option<Arc<str>>| text.as_ref().map_or(0, |text| self.dictionary.place(text) + 1);
        put(&mut self.eco, optional(&game.eco));
        put(&mut self.openings, optional(&game.opening));
        put(&mut self.sources, self.dictionary.place(&game.source));
        self.ranks.extend_from_slice(ranks);
        let (mut centipawns, mut mate) = (0, 0);
        for &evaluation in &game.evaluations {
            let (kind, last, value) = match evaluation {
                None => {
                    self.evaluation_kinds.push(0);
                    continue;
                }
                Some(Evaluation::Centipawns(value)) => (1, &mut centipawns, value),
                Some(Evaluation::Mate(value)) => (2, &mut mate, value),
            };
            let value = i64::from(value);
            self.evaluation_kinds.push(kind);
            put(&mut self.evaluations, zigzag(value - std::mem::replace(last, value)));
        }
    }

    /// Games added so far.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Plies added so far.
    pub fn plies(&self) -> u64 {
        self.plies
    }

    /// The content, not yet compressed.
    pub fn finish(self) -> Vec<u8> {
        let mut strings = Vec::new();
        put(&mut strings, self.dictionary.places.len() as u64);
        strings.extend_from_slice(&self.dictionary.bytes);
        [
            self.ply_counts,
            self.flags,
            self.white_ratings,
            self.black_ratings,
            self.base_times,
            self.increments,
            strings,
            self.eco,
            self.openings,
            self.sources,
            self.ranks,
            self.evaluation_kinds,
            self.evaluations,
        ]
        .concat()
    }
}

/// Reads a block's content of `count` games and replays them.
///
/// # Errors
///
/// Anything that [`BlockBuilder`] would not have written; a rank without a legal move among it.
pub fn decode(content: &[u8], count: usize) -> Result<Vec<StoredGame>, BlockError> {
    let mut input = Input(content);
    let plies = column(count, || input.bounded("the number of plies", content.len()))?;
    let flags = input.take(count, "the flags")?;
    let white = input.take(2 * count, "the ratings")?;
    let black = input.take(2 * count, "the ratings")?;
    let bases = column(count, || input.number("the base time"))?;
    let increments = bases
        .iter()
        .map(|&base| if base == 0 { Ok(0) } else { input.number("the increment") })
        .collect::<Result<Vec<_>, _>>()?;
    let dictionary = dictionary(&mut input)?;
    let strings = dictionary.len();
    let eco = column(count, || input.bounded("ECO", strings))?;
    let openings = column(count, || input.bounded("the opening", strings))?;
    let sources = column(count, || input.bounded("the source", strings.saturating_sub(1)))?;

    let mut games = Vec::with_capacity(count);
    for game in 0..count {
        let ranks = input.take(plies[game], "the moves")?;
        let flag = flags[game];
        let bad = |column, value: u64| BlockError::Value { column, value };
        if flag & 0x80 != 0 {
            return Err(bad("the flags", u64::from(flag)));
        }
        let rating = |column: &[u8]| u16::from_le_bytes([column[2 * game], column[2 * game + 1]]);
        let seconds = |value: u64| u32::try_from(value).map_err(|_| bad("the time control", value));
        let optional = |place: usize| (place > 0).then(|| Arc::clone(&dictionary[place - 1]));
        games.push(StoredGame {
            white_rating: rating(white),
            black_rating: rating(black),
            scale: if flag & 4 == 0 { RatingScale::Online } else { RatingScale::Fide },
            result: match flag & 3 {
                0 => GameResult::WhiteWins,
                1 => GameResult::BlackWins,
                2 => GameResult::Draw,
                _ => return Err(bad("the result", 3)),
            },
            time_class: *TimeClass::ALL
                .get(usize::from(flag >> 3 & 7))
                .ok_or(bad("the time class", u64::from(flag >> 3 & 7)))?,
            time_control: match bases[game] {
                0 => None,
                base => Some(TimeControl { base: seconds(base - 1)?, increment: seconds(increments[game])? }),
            },
            eco: optional(eco[game]),
            opening: optional(openings[game]),
            source: Arc::clone(dictionary.get(sources[game]).ok_or(bad("the source", sources[game] as u64))?),
            moves: replay(ranks, game)?,
            evaluations: Vec::new(),
        });
    }
    evaluations(&mut input, flags, &mut games)?;
    match input.0.len() {
        0 => Ok(games),
        count => Err(BlockError::TooLong { count }),
    }
}

fn replay(ranks: &[u8], game: usize) -> Result<Vec<Move>, BlockError> {
    let mut position = Chess::default();
    let mut moves = Vec::with_capacity(ranks.len());
    for (&rank, ply) in ranks.iter().zip(1..) {
        let mut legal = position.legal_moves();
        let m = rank::move_of(rank, &mut legal).ok_or(BlockError::Rank {
            game: game + 1,
            ply,
            legal: legal.len(),
            rank,
        })?;
        position.play_unchecked(m);
        moves.push(m);
    }
    Ok(moves)
}

fn dictionary(input: &mut Input) -> Result<Vec<Arc<str>>, BlockError> {
    let count = input.bounded("the dictionary's size", input.0.len())?;
    column(count, || {
        let length = input.bounded("a string's length", input.0.len())?;
        let bytes = input.take(length, "the dictionary")?;
        std::str::from_utf8(bytes).map(Arc::from).map_err(|_| BlockError::Utf8)
    })
}

fn evaluations(input: &mut Input, flags: &[u8], games: &mut [StoredGame]) -> Result<(), BlockError> {
    let with = || flags.iter().enumerate().filter(|(_, flag)| **flag & 0x40 != 0).map(|(game, _)| game);
    let kinds = with()
        .map(|game| input.take(games[game].moves.len(), "the evaluations' kinds"))
        .collect::<Result<Vec<_>, _>>()?;
    for (game, kinds) in with().zip(kinds) {
        let (mut centipawns, mut mate) = (0, 0);
        let mut next = |last: &mut i64| {
            let value = input.number("the evaluations")?;
            // A sum that overflows is out of the range of i16, too.
            *last = last.saturating_add(unzigzag(value));
            i16::try_from(*last).map_err(|_| BlockError::Value { column: "the evaluations", value })
        };
        games[game].evaluations = kinds
            .iter()
            .map(|&kind| match kind {
                0 => Ok(None),
                1 => next(&mut centipawns).map(|value| Some(Evaluation::Centipawns(value))),
                2 => next(&mut mate).map(|value| Some(Evaluation::Mate(value))),
                _ => Err(BlockError::Value { column: "the evaluations' kinds", value: kind.into() }),
            })
            .collect::<Result<_, _>>()?;
    }
    Ok(())
}

fn column<T>(count: usize, read: impl FnMut() -> Result<T, BlockError>) -> Result<Vec<T>, BlockError> {
    std::iter::repeat_with(read).take(count).collect()
}

/// Writes an unsigned LEB128 number.
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// What is left of the content.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, count: usize, what: &'static str) -> Result<&'a [u8], BlockError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(BlockError::Ends(what))?;
        self.0 = rest;
        Ok(taken)
    }

    fn number(&mut self, what: &'static str) -> Result<u64, BlockError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1, what)?[0];
            // The tenth byte has room for one bit.
            if shift == 63 && byte > 1 {
                break;
            }
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(BlockError::Value { column: what, value: number })
    }

    fn bounded(&mut self, what: &'static str, largest: usize) -> Result<usize, BlockError> {
        let value = self.number(what)?;
        usize::try_from(value)
            .ok()
            .filter(|&value| value <= largest)
            .ok_or(BlockError::Value { column: what, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some_games() -> Vec<(StoredGame, Vec<u8>)> {
        let game = |number: usize, plies: usize| {
            let mut position = Chess::default();
            let (mut moves, mut ranks) = (Vec::new(), Vec::new());
            for ply in 0..plies {
                let mut legal = position.legal_moves();
                let rank = ((ply * 7 + number * 13) % legal.len()) as u8;
                moves.push(rank::move_of(rank, &mut legal).unwrap());
                ranks.push(rank);
                position.play_unchecked(moves[ply]);
            }
            let evaluation = |ply: usize| match ply % 4 {
                0 => None,
                1 => Some(Evaluation::Centipawns(if ply % 3 == 0 { i16::MIN } else { i16::MAX })),
                2 => Some(Evaluation::Centipawns(ply as i16 - 20)),
                _ => Some(Evaluation::Mate(5 - ply as i16)),
            };
            let game = StoredGame {
                white_rating: 1000 + 300 * number as u16,
                black_rating: u16::MAX,
                scale: if number % 2 == 0 { RatingScale::Online } else { RatingScale::Fide },
                result: [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw][number % 3],
                time_class: TimeClass::ALL[number % 7],
                time_control: (number % 2 == 1).then_some(TimeControl { base: u32::MAX, increment: 300 }),
                eco: (number > 0).then(|| "C42".into()),
                opening: (number > 1).then(|| format!("Réti {}", number / 3).into()),
                source: "test".into(),
                evaluations: if number % 3 == 1 { (0..plies).map(evaluation).collect() } else { Vec::new() },
                moves,
            };
            (game, ranks)
        };
        (0..8).map(|number| game(number, number * 9)).collect()
    }

    fn content(games: &[(StoredGame, Vec<u8>)]) -> Vec<u8> {
        let mut builder = BlockBuilder::default();
        games.iter().for_each(|(game, ranks)| builder.push(game, ranks));
        builder.finish()
    }

    #[test]
    fn games_come_back_as_they_were() {
        let games = some_games();
        let decoded = decode(&content(&games), games.len()).unwrap();
        assert_eq!(decoded, games.into_iter().map(|(game, _)| game).collect::<Vec<_>>());
        assert_eq!(decode(&[0], 0), Ok(Vec::new()));
    }

    /// A block whose checksum is right may still come from a broken or hostile writer.
    #[test]
    fn wrong_content_is_an_error_and_never_a_panic() {
        let games = some_games();
        let content = content(&games);
        for end in 0..content.len() {
            assert!(decode(&content[..end], games.len()).is_err(), "cut at {end}");
        }
        for place in 0..content.len() {
            for flip in [1, 2, 0x10, 0x80, 0xff] {
                let mut wrong = content.clone();
                wrong[place] ^= flip;
                // Some changes are other, valid games; all must end in order.
                let _ = decode(&wrong, games.len());
            }
        }
        let mut longer = content.clone();
        longer.push(0);
        assert_eq!(decode(&longer, games.len()), Err(BlockError::TooLong { count: 1 }));
        assert!(decode(&content, games.len() + 1).is_err());
        assert!(decode(&[0xff; 4096], 64).is_err());
    }

    #[test]
    fn a_rank_beyond_the_legal_moves_is_named() {
        let mut games = some_games();
        games.truncate(2);
        games[1].1[4] = 250;
        let legal = 20;
        let error = decode(&content(&games), 2).unwrap_err();
        assert!(
            matches!(error, BlockError::Rank { game: 2, ply: 5, rank: 250, legal: found } if found >= legal)
        );
    }
}
