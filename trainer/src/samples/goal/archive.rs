use std::ops::ControlFlow;

use entente::parallel::{self, in_order};
use entente_network::encoding::goal_policy::RatingScale;
use shakmaty::{Chess, Move, Position};

use super::packed_move::PackedMove;
use crate::{
    games::{GameResult, GameStore, Player, Split, StoredGame, TimeClass, TimeControl},
    labels::LabelFile,
    progress::ProgressObserver,
    samples::SampleError,
};

/// The games of a split in memory, with two bytes per ply, so that any position of any game can be drawn.
#[derive(Debug)]
pub struct Archive {
    games: Vec<GameInfo>,
    /// For each game, the index of its first move, and then the total number of moves.
    starts: Vec<usize>,
    moves: Vec<PackedMove>,
    /// The same for `clocks`.
    clock_starts: Vec<usize>,
    /// Seconds on the mover's clock after each move, for games with clocks.
    clocks: Vec<u16>,
    /// The same for `labels`.
    label_starts: Vec<usize>,
    /// The labels of all games, in the packed form of [`crate::labels`]. Games without labels have no bytes.
    labels: Vec<u8>,
}

/// The value of an unknown clock. Clocks above 18 hours are stored as 18 hours.
const NO_CLOCK: u16 = u16::MAX;

/// For each thread, the number of blocks that may wait in memory for an earlier one.
const BLOCKS_AHEAD: usize = 4;

/// Information about a game, apart from its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameInfo {
    /// The ratings of White and Black.
    pub ratings: [u16; 2],
    /// The scale of the ratings.
    pub scale: RatingScale,
    /// The result.
    pub result: GameResult,
    /// The time class.
    pub time_class: TimeClass,
    /// White and Black, if known.
    pub players: [Option<Player>; 2],
    /// The time control, if known.
    pub time_control: Option<TimeControl>,
}

impl GameInfo {
    /// The information about a stored game.
    pub fn new(game: &StoredGame) -> GameInfo {
        GameInfo {
            ratings: [game.white_rating, game.black_rating],
            scale: game.scale,
            result: game.result,
            time_class: game.time_class,
            players: game.players,
            time_control: game.time_control,
        }
    }

    /// The information about a generated game at these ratings. The time class is unknown, and the result is set to a
    /// draw because it is unknown, too.
    pub fn generated(ratings: [u16; 2], scale: RatingScale) -> GameInfo {
        GameInfo {
            ratings,
            scale,
            result: GameResult::Draw,
            time_class: TimeClass::Unknown,
            players: [None; 2],
            time_control: None,
        }
    }

    /// The mean of both ratings.
    pub fn mean_rating(&self) -> u16 {
        ((u32::from(self.ratings[0]) + u32::from(self.ratings[1])) / 2) as u16
    }
}

impl Default for Archive {
    /// An archive without games.
    fn default() -> Archive {
        Archive {
            games: Vec::new(),
            starts: vec![0],
            moves: Vec::new(),
            clock_starts: vec![0],
            clocks: Vec::new(),
            label_starts: vec![0],
            labels: Vec::new(),
        }
    }
}

impl Archive {
    /// Reads the games of each of `splits` on `threads` threads. The order does not depend on the number of threads.
    ///
    /// # Errors
    ///
    /// If the store cannot be read, or a split has no games.
    pub fn read<const SPLITS: usize>(
        store: &GameStore,
        splits: [Split; SPLITS],
        threads: usize,
        observer: &dyn ProgressObserver,
    ) -> Result<[Archive; SPLITS], SampleError> {
        Archive::read_with(store, None, splits, threads, observer)
    }

    /// The same with the labels of the games, if there are any.
    ///
    /// # Errors
    ///
    /// The errors of [`Archive::read`], or if the labels cannot be read.
    pub fn read_with<const SPLITS: usize>(
        store: &GameStore,
        labels: Option<&LabelFile>,
        splits: [Split; SPLITS],
        threads: usize,
        observer: &dyn ProgressObserver,
    ) -> Result<[Archive; SPLITS], SampleError> {
        let names: Vec<String> = splits.iter().map(Split::to_string).collect();
        observer.begin(
            &format!("reading the {} split", names.join(" and the ")),
            store.block_count() as u64,
            "blocks",
        );
        let read = |(): &mut (), index| -> Result<[Archive; SPLITS], SampleError> {
            let (games, labels) = labelled_block(store, labels, index)?;
            let of: Vec<Split> = games.iter().map(StoredGame::split).collect();
            let block = splits.map(|split| {
                let mut archive = Archive::default();
                let games = games.iter().zip(&labels).zip(&of).filter(|(_, of)| **of == split);
                games.for_each(|((game, labels), _)| {
                    archive.push(GameInfo::new(game), &game.moves, &game.clocks, labels);
                });
                archive
            });
            observer.done(1);
            Ok(block)
        };
        let mut archives = [(); SPLITS].map(|()| Archive::default());
        let mut threads = parallel::threads(threads);
        let window = BLOCKS_AHEAD * threads.len();
        in_order(0..store.block_count(), &mut threads, window, read, |block| {
            archives.iter_mut().zip(&block).for_each(|(archive, part)| archive.append(part));
            Ok(ControlFlow::Continue(()))
        })?;
        observer.end();
        match archives.iter().zip(splits).find(|(archive, _)| archive.is_empty()) {
            Some((_, split)) => Err(SampleError::Empty { split: split.to_string() }),
            None => Ok(archives),
        }
    }

    /// An archive of these games, without labels.
    pub fn stored<'a>(games: impl Iterator<Item = &'a StoredGame>) -> Archive {
        let mut archive = Archive::default();
        games.for_each(|game| archive.push(GameInfo::new(game), &game.moves, &game.clocks, &[]));
        archive
    }

    /// An archive of these games, without clocks and labels.
    pub fn of<'a>(games: impl Iterator<Item = (GameInfo, &'a [Move])>) -> Archive {
        let mut archive = Archive::default();
        games.for_each(|(info, moves)| archive.add(&info, moves));
        archive
    }

    /// Adds a game without clocks and labels.
    pub fn add(&mut self, info: &GameInfo, moves: &[Move]) {
        self.push(*info, moves, &[], &[]);
    }

    fn push(&mut self, info: GameInfo, moves: &[Move], clocks: &[Option<u32>], labels: &[u8]) {
        self.games.push(info);
        self.moves.extend(moves.iter().map(|m| PackedMove::new(*m)));
        self.starts.push(self.moves.len());
        let packed = |seconds: u32| seconds.min(u32::from(NO_CLOCK - 1)) as u16;
        self.clocks.extend(clocks.iter().map(|seconds| seconds.map_or(NO_CLOCK, packed)));
        self.clock_starts.push(self.clocks.len());
        self.labels.extend_from_slice(labels);
        self.label_starts.push(self.labels.len());
    }

    /// Adds the games of another archive.
    pub fn append(&mut self, other: &Archive) {
        let (first, first_clock) = (self.moves.len(), self.clocks.len());
        self.games.extend_from_slice(&other.games);
        self.moves.extend_from_slice(&other.moves);
        self.starts.extend(other.starts[1..].iter().map(|start| first + start));
        self.clocks.extend_from_slice(&other.clocks);
        self.clock_starts.extend(other.clock_starts[1..].iter().map(|start| first_clock + start));
        let first_label = self.labels.len();
        self.labels.extend_from_slice(&other.labels);
        self.label_starts.extend(other.label_starts[1..].iter().map(|start| first_label + start));
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// True if there are no games.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The total number of plies.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The information about a game.
    pub fn info(&self, game: usize) -> &GameInfo {
        &self.games[game]
    }

    /// The number of plies of a game.
    pub fn game_plies(&self, game: usize) -> usize {
        self.starts[game + 1] - self.starts[game]
    }

    /// Whole seconds on the mover's clock after each move of a game; empty if the game has no clocks.
    pub fn clocks(&self, game: usize) -> impl ExactSizeIterator<Item = Option<u32>> {
        let clocks = &self.clocks[self.clock_starts[game]..self.clock_starts[game + 1]];
        clocks.iter().map(|seconds| (*seconds != NO_CLOCK).then(|| u32::from(*seconds)))
    }

    /// The packed labels of a game; empty if it has none.
    pub fn labels(&self, game: usize) -> &[u8] {
        &self.labels[self.label_starts[game]..self.label_starts[game + 1]]
    }

    /// The number of games with labels.
    pub fn labelled(&self) -> usize {
        self.label_starts.windows(2).filter(|pair| pair[0] < pair[1]).count()
    }

    /// The moves of a game, each with the position before it.
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

/// The games of a block, and the labels of each.
fn labelled_block(
    store: &GameStore,
    labels: Option<&LabelFile>,
    index: usize,
) -> Result<(Vec<StoredGame>, Vec<Vec<u8>>), SampleError> {
    let games = store.read_block(index).map_err(|error| SampleError::Games(error.into()))?;
    let labels = match labels {
        Some(file) => file.read_block(index).map_err(|error| SampleError::Games(error.into()))?,
        None => None,
    };
    let mut labels = labels.unwrap_or_default();
    labels.resize(games.len(), Vec::new());
    Ok((games, labels))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::tests::random_game;

    #[test]
    fn archives_restore_games() {
        let games: Vec<Vec<Move>> = (0..5).map(|seed| random_game(seed, 60)).collect();
        let info = |number: u16| GameInfo::generated([1000 + number, 1500], RatingScale::Fide);
        let clocks = |game: usize| -> Vec<Option<u32>> {
            let clock = |ply: usize| (ply > 0).then_some(if ply == 1 { 100_000 } else { 600 - ply as u32 });
            (0..if game.is_multiple_of(2) { games[game].len() } else { 0 }).map(clock).collect()
        };
        let of = |range: std::ops::Range<usize>| {
            let mut archive = Archive::default();
            range.for_each(|game| archive.push(info(game as u16), &games[game], &clocks(game), &[]));
            archive
        };
        let mut archive = of(0..2);
        archive.append(&of(2..5));
        assert_eq!(archive.len(), 5);
        for (game, moves) in games.iter().enumerate() {
            assert_eq!(archive.replay(game).map(|(_, m)| m).collect::<Vec<_>>(), *moves);
            assert_eq!(archive.info(game), &info(game as u16));
            assert_eq!(archive.game_plies(game), moves.len());
            let most = |seconds: u32| seconds.min(u32::from(NO_CLOCK) - 1);
            let clocks: Vec<Option<u32>> = clocks(game).into_iter().map(|clock| clock.map(most)).collect();
            assert_eq!(archive.clocks(game).collect::<Vec<_>>(), clocks);
        }
    }
}
