//! A block's content: a few thousand games, stored by column, so that similar values are adjacent and compress well.
//!
//! The columns follow in this order. `v` is an unsigned LEB128 number, and all counts are for this block:
//!
//! | column | for each | content |
//! |---|---|---|
//! | plies | game | v |
//! | flags | game | byte: bits 0–1 result (0 White wins, 1 Black wins, 2 draw), bits 2–3 scale (0 online, 1 FIDE, 2 chess.com), bits 4–6 time class |
//! | comments | game | byte: bit 0 if there are evaluations, bit 1 if there are clocks |
//! | white rating | game | u16, little-endian |
//! | black rating | game | u16, little-endian |
//! | base time | game | v: 0 for none, otherwise seconds + 1 |
//! | increment | game with a base time | v: seconds |
//! | dictionary | – | v: number of strings; each v: length, then UTF-8 |
//! | ECO | game | v: 0 for none, otherwise 1 + index in the dictionary |
//! | opening | game | v: the same |
//! | source | game | v: index in the dictionary |
//! | players | – | v: number of players; each eight bytes, see [`super::Player`] |
//! | White | game | v: 0 for an unknown player, otherwise 1 + index among the players |
//! | Black | game | v: the same |
//! | moves | ply | byte: see [`super::rank`] |
//! | evaluation kind | ply of a game with evaluations | byte: 0 for none, 1 for centipawns, 2 for moves to mate |
//! | evaluation | evaluation | v: zigzag-coded difference from the game's previous evaluation of the same kind (initially from 0) |
//! | clock | ply of a game with clocks | v: 0 for none, otherwise 1 + the zigzag-coded number of seconds by which the mover's clock has fallen since its previous entry (initially since the base time, or 0 without one) |

mod decode;
mod encode;
mod number;

use thiserror::Error;

pub use decode::{MovesOf, Ranks, decode};
pub use encode::BlockBuilder;

/// Maximum number of games in a block; a reader refuses more.
pub const MAX_GAMES: usize = 1 << 16;
/// Maximum size of an uncompressed block in bytes; a reader refuses larger ones before it allocates memory for them.
pub const MAX_BYTES: usize = 64 << 20;

/// Why a block's content is invalid.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum BlockError {
    /// The content ends within this column.
    #[error("the content ends within {0}")]
    Ends(&'static str),
    /// Bytes follow the last column.
    #[error("{count} bytes after the last column")]
    TooLong {
        /// The number of these bytes.
        count: usize,
    },
    /// A column has an invalid value.
    #[error("{column}: invalid value {value}")]
    Value {
        /// The column.
        column: &'static str,
        /// The value.
        value: u64,
    },
    /// A string of the dictionary is not UTF-8.
    #[error("a string of the dictionary is not UTF-8")]
    Utf8,
    /// No legal move has the stored rank.
    #[error("game {game} of the block: rank {rank} at ply {ply}, where only {legal} moves are legal")]
    Rank {
        /// The number of the game in the block, counted from 1.
        game: usize,
        /// The ply, counted from 1.
        ply: usize,
        /// The number of legal moves at this ply.
        legal: usize,
        /// The rank that is stored for the move.
        rank: u8,
    },
}

#[cfg(test)]
mod tests {
    use super::{super::*, *};
    use shakmaty::{Chess, Position};

    fn some_games() -> Vec<(StoredGame, Vec<u8>)> {
        let game = |number: usize, plies: usize| {
            let mut position = Chess::default();
            let (mut moves, mut ranks) = (Vec::new(), Vec::new());
            for ply in 0..plies {
                let legal = position.legal_moves();
                let rank = ((ply * 7 + number * 13) % legal.len()) as u8;
                moves.push(rank::move_of(rank, &position).unwrap());
                ranks.push(rank);
                position.play_unchecked(moves[ply]);
            }
            let evaluation = |ply: usize| match ply % 4 {
                0 => None,
                1 => Some(Evaluation::Centipawns(if ply.is_multiple_of(3) { i16::MIN } else { i16::MAX })),
                2 => Some(Evaluation::Centipawns(ply as i16 - 20)),
                _ => Some(Evaluation::Mate(5 - ply as i16)),
            };
            let clock = |ply: usize| match ply % 5 {
                0 => None,
                1 => Some(u32::MAX),
                _ => Some(1000 - 7 * ply as u32),
            };
            let game = StoredGame {
                white_rating: 1000 + 300 * number as u16,
                black_rating: u16::MAX,
                players: [(number > 2).then(|| Player::named("test", &format!("{}", number / 2))), None],
                scale: [RatingScale::Online, RatingScale::Fide, RatingScale::ChessCom][number % 3],
                result: [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw][number % 3],
                time_class: TimeClass::ALL[number % 7],
                time_control: (number % 2 == 1).then_some(TimeControl { base: u32::MAX, increment: 300 }),
                eco: (number > 0).then(|| "C42".into()),
                opening: (number > 1).then(|| format!("Réti {}", number / 3).into()),
                source: "test".into(),
                clocks: if !number.is_multiple_of(3) { (0..plies).map(clock).collect() } else { Vec::new() },
                evaluations: if number % 3 == 1 { (0..plies).map(evaluation).collect() } else { Vec::new() },
                moves,
            };
            (game, ranks)
        };
        (0..8).map(|number| game(number, number * 9)).collect()
    }

    fn decode(content: &[u8], count: usize) -> Result<Vec<StoredGame>, BlockError> {
        super::decode(content, count, &mut |_, ranks| ranks.moves())
    }

    fn content(games: &[(StoredGame, Vec<u8>)]) -> Vec<u8> {
        let mut builder = BlockBuilder::default();
        games.iter().for_each(|(game, ranks)| builder.push(game, ranks));
        builder.finish()
    }

    #[test]
    fn decoding_restores_the_games() {
        let games = some_games();
        let decoded = decode(&content(&games), games.len()).unwrap();
        assert_eq!(decoded, games.into_iter().map(|(game, _)| game).collect::<Vec<_>>());
        assert_eq!(decode(&[0, 0], 0), Ok(Vec::new()));
    }

    /// Even with a valid checksum, a block may have been written by a broken or malicious program.
    #[test]
    fn invalid_content_is_an_error_and_never_a_panic() {
        let games = some_games();
        let content = content(&games);
        for end in 0..content.len() {
            assert!(decode(&content[..end], games.len()).is_err(), "cut at {end}");
        }
        for place in 0..content.len() {
            for flip in [1, 2, 0x10, 0x80, 0xff] {
                let mut wrong = content.clone();
                wrong[place] ^= flip;
                // Some changes yield other valid games; none may panic.
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
    fn a_rank_beyond_the_legal_moves_is_reported() {
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
