use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
};

use entente::encoding::goal_policy::RatingScale;
use shakmaty::{Chess, Move, Position};

use super::packed_move::PackedMove;
use crate::{
    dataset::DatasetError,
    games::{GameResult, GameStore, Split, StoredGame, TimeClass},
};

/// The games of a split in memory, two bytes a ply: small enough to draw any position of any game at once.
#[derive(Debug, Default)]
pub struct Archive {
    games: Vec<GameInfo>,
    /// Where each game's moves begin, and where the last one's end.
    starts: Vec<usize>,
    moves: Vec<PackedMove>,
}

/// What is known of a game beside its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameInfo {
    /// White's and Black's rating.
    pub ratings: [u16; 2],
    /// Who measured them.
    pub scale: RatingScale,
    /// How it ended.
    pub result: GameResult,
    /// How fast it was.
    pub time_class: TimeClass,
}

impl GameInfo {
    /// Of a stored game.
    pub fn new(game: &StoredGame) -> GameInfo {
        GameInfo {
            ratings: [game.white_rating, game.black_rating],
            scale: game.scale,
            result: game.result,
            time_class: game.time_class,
        }
    }

    /// Of a generated game of players of these ratings: how it would have ended, and how fast it was, nobody knows.
    pub fn generated(ratings: [u16; 2], scale: RatingScale) -> GameInfo {
        GameInfo { ratings, scale, result: GameResult::Draw, time_class: TimeClass::Unknown }
    }

    /// The mean of both ratings.
    pub fn mean_rating(&self) -> u16 {
        ((u32::from(self.ratings[0]) + u32::from(self.ratings[1])) / 2) as u16
    }
}

impl Archive {
    /// Reads the games of `split` on `threads` threads; `done` is called after each block. The order does not depend on
    /// the number of threads.
    ///
    /// # Errors
    /// If the store cannot be read, or has no game of the split.
    pub fn read(
        store: &GameStore,
        split: Split,
        threads: usize,
        done: impl Fn() + Sync,
    ) -> Result<Archive, DatasetError> {
        let next = AtomicUsize::new(0);
        let blocks = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            let read = || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= store.block_count() {
                        return Ok(());
                    }
                    let mut games = store.read_block(index).inspect_err(|_| {
                        next.store(store.block_count(), Ordering::Relaxed);
                    })?;
                    games.retain(|game| game.split() == split);
                    let block =
                        Archive::of(games.iter().map(|game| (GameInfo::new(game), game.moves.as_slice())));
                    blocks.lock().expect("no thread panics with it").push((index, block));
                    done();
                }
            };
            let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(read)).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("no panic"))
        })
        .map_err(|error: crate::games::StoreError| DatasetError::Games(error.into()))?;
        let mut blocks = blocks.into_inner().expect("no thread panics with it");
        blocks.sort_by_key(|(index, _)| *index);
        let mut archive = Archive::of(std::iter::empty());
        for (_, block) in blocks {
            archive.append(&block);
        }
        if archive.is_empty() {
            return Err(DatasetError::Empty { split: split.to_string() });
        }
        Ok(archive)
    }

    /// An archive of these games.
    pub fn of<'a>(games: impl Iterator<Item = (GameInfo, &'a [Move])>) -> Archive {
        let mut archive = Archive { starts: vec![0], ..Archive::default() };
        for (info, moves) in games {
            archive.games.push(info);
            archive.moves.extend(moves.iter().map(|m| PackedMove::new(*m)));
            archive.starts.push(archive.moves.len());
        }
        archive
    }

    fn append(&mut self, other: &Archive) {
        let first = self.moves.len();
        self.games.extend_from_slice(&other.games);
        self.moves.extend_from_slice(&other.moves);
        self.starts.extend(other.starts[1..].iter().map(|start| first + start));
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The number of plies of all games.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// What is known of a game.
    pub fn info(&self, game: usize) -> &GameInfo {
        &self.games[game]
    }

    /// The number of plies of a game.
    pub fn game_plies(&self, game: usize) -> usize {
        self.starts[game + 1] - self.starts[game]
    }

    /// The moves of a game and the position before each.
    pub fn replay(&self, game: usize) -> impl Iterator<Item = (Chess, Move)> {
        let mut position = Chess::default();
        self.moves[self.starts[game]..self.starts[game + 1]].iter().map(move |packed| {
            let m = packed.unpack(position.board());
            let before = position.clone();
            position.play_unchecked(m);
            (before, m)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::tests::random_game;

    #[test]
    fn games_come_back_as_they_were() {
        let games: Vec<Vec<Move>> = (0..5).map(|seed| random_game(seed, 60)).collect();
        let info = |number: u16| GameInfo {
            ratings: [1000 + number, 1500],
            scale: RatingScale::Fide,
            result: GameResult::Draw,
            time_class: TimeClass::Rapid,
        };
        let of = |range: std::ops::Range<usize>| {
            Archive::of(range.map(|game| (info(game as u16), games[game].as_slice())))
        };
        let mut archive = of(0..2);
        archive.append(&of(2..5));
        assert_eq!(archive.len(), 5);
        for (game, moves) in games.iter().enumerate() {
            assert_eq!(archive.replay(game).map(|(_, m)| m).collect::<Vec<_>>(), *moves);
            assert_eq!(archive.info(game), &info(game as u16));
            assert_eq!(archive.game_plies(game), moves.len());
        }
    }
}
