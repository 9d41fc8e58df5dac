//! Decodes a block's content into games. The content is untrusted, so everything is checked.

use std::{ops::ControlFlow, sync::Arc};

use shakmaty::{Chess, Color, Move, Position};

use super::{
    super::{Evaluation, GameResult, Player, RatingScale, StoredGame, TimeClass, TimeControl, rank},
    BlockError,
    number::{Input, unzigzag},
};

/// Bits of the column `comments`.
const EVALUATIONS: u8 = 1;
const CLOCKS: u8 = 2;

/// The moves of a game as a block stores them, not yet replayed.
#[derive(Clone, Copy, Debug)]
pub struct Ranks<'a> {
    ranks: &'a [u8],
    /// The game's number in the block, from 0.
    game: usize,
}

impl Ranks<'_> {
    /// The number of moves.
    pub fn len(&self) -> usize {
        self.ranks.len()
    }

    /// True if there are no moves.
    pub fn is_empty(&self) -> bool {
        self.ranks.is_empty()
    }

    /// Plays the moves until `each` breaks. `each` gets a move, its player, and the position after it.
    ///
    /// # Errors
    ///
    /// If no legal move has a rank.
    pub fn play(
        &self,
        mut each: impl FnMut(Move, Color, &Chess) -> ControlFlow<()>,
    ) -> Result<(), BlockError> {
        let mut position = Chess::default();
        for (&rank, ply) in self.ranks.iter().zip(1..) {
            let mover = position.turn();
            let m = rank::move_of(rank, &position).ok_or_else(|| BlockError::Rank {
                game: self.game + 1,
                ply,
                legal: position.legal_moves().len(),
                rank,
            })?;
            position.play_unchecked(m);
            if each(m, mover, &position).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Returns all moves.
    ///
    /// # Errors
    ///
    /// If no legal move has a rank.
    pub fn moves(&self) -> Result<Vec<Move>, BlockError> {
        let mut moves = Vec::with_capacity(self.ranks.len());
        self.play(|m, _, _| {
            moves.push(m);
            ControlFlow::Continue(())
        })?;
        Ok(moves)
    }
}

/// Replays a game. The game has everything except moves, evaluations and clocks; the returned moves become its moves.
pub type MovesOf<'a> = dyn FnMut(&StoredGame, Ranks<'_>) -> Result<Vec<Move>, BlockError> + 'a;

/// Decodes a block's content with `count` games. `moves_of` replays each game.
///
/// # Errors
///
/// If the content is not what [`BlockBuilder`](super::BlockBuilder) would have written, and any error of `moves_of`.
pub fn decode(
    content: &[u8],
    count: usize,
    moves_of: &mut MovesOf<'_>,
) -> Result<Vec<StoredGame>, BlockError> {
    let mut input = Input(content);
    let plies = column(count, || input.bounded("the number of plies", content.len()))?;
    let flags = input.take(count, "the flags")?;
    let comments = input.take(count, "the comments")?;
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
    let known = players(&mut input)?;
    let white_players = column(count, || input.bounded("White", known.len()))?;
    let black_players = column(count, || input.bounded("Black", known.len()))?;

    let mut games = Vec::with_capacity(count);
    for game in 0..count {
        let ranks = input.take(plies[game], "the moves")?;
        let flag = flags[game];
        let bad = |column, value: u64| BlockError::Value { column, value };
        if flag & 0x80 != 0 {
            return Err(bad("the flags", u64::from(flag)));
        }
        if comments[game] & !(EVALUATIONS | CLOCKS) != 0 {
            return Err(bad("the comments", u64::from(comments[game])));
        }
        let rating = |column: &[u8]| u16::from_le_bytes([column[2 * game], column[2 * game + 1]]);
        let seconds = |value: u64| u32::try_from(value).map_err(|_| bad("the time control", value));
        let optional = |place: usize| (place > 0).then(|| Arc::clone(&dictionary[place - 1]));
        let player = |place: usize| (place > 0).then(|| known[place - 1]);
        let mut stored = StoredGame {
            white_rating: rating(white),
            black_rating: rating(black),
            players: [player(white_players[game]), player(black_players[game])],
            scale: match flag >> 2 & 3 {
                0 => RatingScale::Online,
                1 => RatingScale::Fide,
                2 => RatingScale::ChessCom,
                _ => return Err(bad("the scale", 3)),
            },
            result: match flag & 3 {
                0 => GameResult::WhiteWins,
                1 => GameResult::BlackWins,
                2 => GameResult::Draw,
                _ => return Err(bad("the result", 3)),
            },
            time_class: *TimeClass::ALL
                .get(usize::from(flag >> 4 & 7))
                .ok_or(bad("the time class", u64::from(flag >> 4 & 7)))?,
            time_control: match bases[game] {
                0 => None,
                base => Some(TimeControl { base: seconds(base - 1)?, increment: seconds(increments[game])? }),
            },
            eco: optional(eco[game]),
            opening: optional(openings[game]),
            source: Arc::clone(dictionary.get(sources[game]).ok_or(bad("the source", sources[game] as u64))?),
            moves: Vec::new(),
            evaluations: Vec::new(),
            clocks: Vec::new(),
        };
        stored.moves = moves_of(&stored, Ranks { ranks, game })?;
        games.push(stored);
    }
    evaluations(&mut input, comments, &plies, &mut games)?;
    clocks(&mut input, comments, &plies, &mut games)?;
    match input.0.len() {
        0 => Ok(games),
        count => Err(BlockError::TooLong { count }),
    }
}

fn dictionary(input: &mut Input) -> Result<Vec<Arc<str>>, BlockError> {
    let count = input.bounded("the dictionary's size", input.0.len())?;
    column(count, || {
        let length = input.bounded("a string's length", input.0.len())?;
        let bytes = input.take(length, "the dictionary")?;
        std::str::from_utf8(bytes).map(Arc::from).map_err(|_| BlockError::Utf8)
    })
}

fn players(input: &mut Input) -> Result<Vec<Player>, BlockError> {
    let count = input.bounded("the number of players", input.0.len() / 8)?;
    let bytes = input.take(8 * count, "the players")?;
    let player = |bytes: &[u8; 8]| {
        Player::from_bytes(*bytes).ok_or(BlockError::Value { column: "the players", value: 0 })
    };
    bytes.as_chunks().0.iter().map(player).collect()
}

/// The indices of the games whose entry in the column `comments` has this bit.
fn with(comments: &[u8], bit: u8) -> impl Iterator<Item = usize> {
    comments.iter().enumerate().filter(move |(_, comment)| **comment & bit != 0).map(|(game, _)| game)
}

fn clocks(
    input: &mut Input,
    comments: &[u8],
    plies: &[usize],
    games: &mut [StoredGame],
) -> Result<(), BlockError> {
    for game in with(comments, CLOCKS) {
        let (game, plies) = (&mut games[game], plies[game]);
        let mut last = [game.time_control.map_or(0, |control| i64::from(control.base)); 2];
        let next = |ply: usize| {
            let value = input.number("the clocks")?;
            let Some(lost) = value.checked_sub(1).map(unzigzag) else { return Ok(None) };
            let seconds = &mut last[ply % 2];
            // A difference that saturates is also outside the range of u32.
            *seconds = seconds.saturating_sub(lost);
            let seconds = u32::try_from(*seconds);
            seconds.map(Some).map_err(|_| BlockError::Value { column: "the clocks", value })
        };
        game.clocks = (0..plies).map(next).collect::<Result<_, _>>()?;
    }
    Ok(())
}

fn evaluations(
    input: &mut Input,
    comments: &[u8],
    plies: &[usize],
    games: &mut [StoredGame],
) -> Result<(), BlockError> {
    let kinds = with(comments, EVALUATIONS)
        .map(|game| input.take(plies[game], "the evaluations' kinds"))
        .collect::<Result<Vec<_>, _>>()?;
    for (game, kinds) in with(comments, EVALUATIONS).zip(kinds) {
        let (mut centipawns, mut mate) = (0, 0);
        let mut next = |last: &mut i64| {
            let value = input.number("the evaluations")?;
            // A sum that saturates is also outside the range of i16.
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
