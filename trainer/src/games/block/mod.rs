//! A block's content: some thousand games by column, so that like stands beside like and compresses well.
//!
//! Columns in this order; `v` is an unsigned LEB128 number, all counts are of this block:
//!
//! | column | for each | content |
//! |---|---|---|
//! | plies | game | v |
//! | flags | game | byte: bits 0–1 result (0 White wins, 1 Black wins, 2 draw), bits 2–3 scale (0 online, 1 FIDE, 2 chess.com), bits 4–6 time class |
//! | comments | game | byte: bit 0 has evaluations, bit 1 has clocks |
//! | white rating | game | two bytes, low first |
//! | black rating | game | two bytes, low first |
//! | base time | game | v: 0 none, else seconds + 1 |
//! | increment | game with a base time | v: seconds |
//! | dictionary | – | v: number of strings; each v: length, then UTF-8 |
//! | ECO | game | v: 0 none, else 1 + place in the dictionary |
//! | opening | game | v: the same |
//! | source | game | v: place in the dictionary |
//! | players | – | v: number of players; each eight bytes, see [`super::Player`] |
//! | White | game | v: 0 none, else 1 + place among the players |
//! | Black | game | v: the same |
//! | moves | ply | byte: see [`super::rank`] |
//! | evaluation kind | ply of a game with evaluations | byte: 0 none, 1 centipawns, 2 mate |
//! | evaluation | evaluation | v: zigzag of the difference from the game's last one of the kind (from 0 at first) |
//! | clock | ply of a game with clocks | v: 0 none, else 1 + zigzag of the seconds that the mover lost since its last one (from the base time at first, or 0) |

mod decode;
mod encode;
mod number;

use thiserror::Error;

pub use decode::{MovesOf, Ranks, decode};
pub use encode::BlockBuilder;

/// Most games in a block; a reader refuses more.
pub const MAX_GAMES: usize = 1 << 16;
/// Largest uncompressed block in bytes; a reader refuses larger ones before it takes memory for them.
pub const MAX_BYTES: usize = 64 << 20;

/// Why a block's content is not one that this version wrote.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum BlockError {
    /// It ends too early, within this part.
    #[error("the content ends within {0}")]
    Ends(&'static str),
    /// Something follows its end.
    #[error("{count} bytes after the last column")]
    TooLong {
        /// How many bytes.
        count: usize,
    },
    /// A number stands for nothing.
    #[error("{column} holds {value}, which means nothing")]
    Value {
        /// The column.
        column: &'static str,
        /// The number.
        value: u64,
    },
    /// A name is no text.
    #[error("a string of the dictionary is not UTF-8")]
    Utf8,
    /// A move is none of the legal ones.
    #[error("game {game} of the block: ply {ply} has {legal} legal moves, none of rank {rank}")]
    Rank {
        /// Which game of the block.
        game: usize,
        /// The ply, counted from 1.
        ply: usize,
        /// The legal moves there.
        legal: usize,
        /// The number that stands for the move.
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
    fn games_come_back_as_they_were() {
        let games = some_games();
        let decoded = decode(&content(&games), games.len()).unwrap();
        assert_eq!(decoded, games.into_iter().map(|(game, _)| game).collect::<Vec<_>>());
        assert_eq!(decode(&[0, 0], 0), Ok(Vec::new()));
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
