//! A block's content to games. It comes from outside: everything is checked.

use std::sync::Arc;

use shakmaty::{Chess, Move, Position};

use super::{
    super::{Evaluation, GameResult, RatingScale, StoredGame, TimeClass, TimeControl, rank},
    BlockError,
    number::{Input, unzigzag},
};

/// Reads a block's content of `count` games and replays them.
///
/// # Errors
///
/// Anything that [`BlockBuilder`](super::BlockBuilder) would not have written; a rank without a legal move among it.
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
        let legal = position.legal_moves();
        let m = rank::move_of(rank, &legal).ok_or(BlockError::Rank {
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
