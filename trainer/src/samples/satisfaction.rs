//! For each position of a set of games, how often each constraint is satisfied from there on.

use entente::parallel::map_in_order;
use entente_constraint::thesis::Counts;
use shakmaty::Move;

use super::{
    MAX_CONSTRAINTS, PackedBoard, SampleError,
    difference::Difference,
    merge::{Merged, Part, SHARED, merge_all},
};

/// The distinct positions of a set of games, as the network sees them, and for each constraint the share of the games
/// through a position in which it is satisfied there or later (thesis, section 4.5.1).
///
/// A game that visits a position twice counts once, from the first visit on.
#[derive(Clone, Debug)]
pub struct SatisfactionSet {
    constraints: Vec<Counts>,
    games: u64,
    boards: Vec<PackedBoard>,
    /// For each position that only one game visited, one bit per constraint. For the others, [`SHARED`] and the index
    /// of a row of `shares`.
    outcomes: Vec<u32>,
    /// Rows with one number per constraint.
    shares: Vec<f32>,
    /// See [`SatisfactionSet::with_ahead`].
    ahead: [f32; 2],
}

impl SatisfactionSet {
    /// Builds the set from `blocks` blocks of games, on `threads` threads.
    ///
    /// With `mirror`, each game is used a second time with colours exchanged, so that Black's losses also serve as
    /// examples of White's. `read` returns the moves of those games of a block that belong to the split, and `done` is
    /// called after each block. The result does not depend on the number of threads.
    ///
    /// # Errors
    ///
    /// If a block cannot be read, there are no games, or there are no or too many constraints. `split` names the split
    /// in messages.
    pub fn build<E: Into<Box<dyn std::error::Error + Send + Sync>>>(
        split: &str,
        constraints: &[Counts],
        blocks: usize,
        read: impl Fn(usize) -> Result<Vec<Vec<Move>>, E> + Sync,
        mirror: bool,
        threads: usize,
        done: impl Fn() + Sync,
    ) -> Result<SatisfactionSet, SampleError> {
        if constraints.is_empty() || constraints.len() > MAX_CONSTRAINTS {
            return Err(SampleError::Constraints(constraints.len()));
        }
        let threads = threads.max(1);
        let mut parts: Vec<Part> = (0..threads).map(|_| Part::empty()).collect();
        map_in_order(0..blocks, &mut parts, |part, block| {
            let games = read(block).map_err(|error| SampleError::Games(error.into()))?;
            part.add(&games, constraints, mirror);
            done();
            Ok(())
        })?;
        let games = parts.iter().map(|part| part.games).sum();
        if games == 0 {
            return Err(SampleError::Empty { split: split.to_owned() });
        }
        let mut set = SatisfactionSet {
            constraints: constraints.to_vec(),
            games,
            boards: Vec::new(),
            outcomes: Vec::new(),
            shares: Vec::new(),
            ahead: [0.0, 1.0],
        };
        for merged in merge_all(parts, constraints.len(), threads) {
            set.append(merged);
        }
        Ok(set)
    }

    /// The constraints, in the order of the labels.
    pub fn constraints(&self) -> &[Counts] {
        &self.constraints
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The number of distinct positions, at least 1.
    pub fn positions(&self) -> usize {
        self.boards.len()
    }

    /// The number of (position, constraint) pairs.
    pub fn pairs(&self) -> u64 {
        self.boards.len() as u64 * self.constraints.len() as u64
    }

    /// The board of a position.
    pub fn board(&self, position: usize) -> &PackedBoard {
        &self.boards[position]
    }

    /// Scales the labels of positions ahead linearly from [0, 1] to [`low`, `high`].
    ///
    /// A position is ahead if White has surplus men and no missing ones. With a gap at both ends, a network values a
    /// satisfied position higher than any promising one, and a position with a slight chance higher than one with no
    /// chance. A search that draws among all moves within 0.1 of the best then gives away the last surplus man when it
    /// can, and never a man that is needed, however rare the constraint is.
    pub fn with_ahead(mut self, [low, high]: [f32; 2]) -> SatisfactionSet {
        self.ahead = [low, high];
        self
    }

    /// The share, in [0, 1], of the games through a position that satisfy the constraint there or later. If the
    /// position is ahead, it is scaled to the range of [`SatisfactionSet::with_ahead`].
    pub fn label(&self, position: usize, constraint: usize) -> f32 {
        let share = self.share(position, constraint);
        let [low, high] = self.ahead;
        if Difference::new(&self.boards[position].white(), &self.constraints[constraint]).is_ahead() {
            low + (high - low) * share
        } else {
            share
        }
    }

    fn share(&self, position: usize, constraint: usize) -> f32 {
        let outcome = self.outcomes[position];
        if outcome & SHARED == 0 {
            f32::from(outcome >> constraint & 1 == 1)
        } else {
            self.shares[(outcome & !SHARED) as usize * self.constraints.len() + constraint]
        }
    }

    fn append(&mut self, mut merged: Merged) {
        let rows = (self.shares.len() / self.constraints.len()) as u32;
        self.boards.append(&mut merged.boards);
        self.outcomes.extend(
            merged
                .outcomes
                .into_iter()
                .map(|outcome| if outcome & SHARED == 0 { outcome } else { outcome + rows }),
        );
        self.shares.append(&mut merged.shares);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::{
        collections::HashMap,
        convert::Infallible,
        sync::atomic::{AtomicUsize, Ordering},
    };

    use entente_constraint::thesis::{SEVENTEEN, seven};
    use entente_network::encoding::thesis::bitmaps;
    use rand::{RngExt, SeedableRng, rngs::StdRng};
    use shakmaty::{CastlingMode, Chess, Position, uci::UciMove};

    use super::*;

    /// A game of random legal moves, with at most `plies` plies.
    pub(crate) fn random_game(seed: u64, plies: usize) -> Vec<Move> {
        let mut random = StdRng::seed_from_u64(seed);
        let mut position = Chess::default();
        let mut moves = Vec::new();
        while moves.len() < plies && !position.is_game_over() {
            let legal = position.legal_moves();
            let m = legal[random.random_range(0..legal.len())];
            position.play_unchecked(m);
            moves.push(m);
        }
        moves
    }

    pub(crate) fn set_of(games: Vec<Vec<Move>>, constraints: &[Counts], threads: usize) -> SatisfactionSet {
        let read = |block: usize| Ok::<_, Infallible>(vec![games[block].clone()]);
        SatisfactionSet::build("test", constraints, games.len(), read, false, threads, || ()).unwrap()
    }

    pub(crate) fn random_set(games: u64, plies: usize) -> SatisfactionSet {
        set_of((0..games).map(|seed| random_game(seed, plies)).collect(), seven(), 1)
    }

    fn game(text: &str) -> Vec<Move> {
        let mut position = Chess::default();
        text.split_whitespace()
            .map(|text| {
                let m = text.parse::<UciMove>().unwrap().to_move(&position).unwrap();
                position.play_unchecked(m);
                m
            })
            .collect()
    }

    #[test]
    fn a_position_of_several_games_has_their_share_as_label() {
        // White loses a pawn only in the first game. The first two games share their positions up to a2a3.
        let games = vec![game("e2e4 d7d5 a2a3 d5e4"), game("e2e4 d7d5 a2a3 a7a6"), game("e2e4 e7e5")];
        let set = set_of(games, &SEVENTEEN[..1], 1);
        let labels: HashMap<PackedBoard, f32> =
            (0..set.positions()).map(|position| (*set.board(position), set.label(position, 0))).collect();
        let label = |text: &str| {
            let mut position = Chess::default();
            game(text).into_iter().for_each(|m| position.play_unchecked(m));
            labels[&PackedBoard::new(&bitmaps(position.board()))]
        };
        assert_eq!(label(""), 1.0 / 3.0);
        assert_eq!(label("e2e4"), 1.0 / 3.0);
        assert_eq!(label("e2e4 d7d5 a2a3"), 0.5);
        assert_eq!(label("e2e4 d7d5 a2a3 d5e4"), 1.0);
        assert_eq!(label("e2e4 d7d5 a2a3 a7a6"), 0.0);
        assert_eq!(set.games(), 3);
        assert_eq!(set.positions(), 7);
    }

    #[test]
    fn labels_of_positions_ahead_leave_gaps_at_both_ends() {
        let games = vec![game("e2e4 d7d5 a2a3 d5e4 f2f3 e4f3"), game("e2e3")];
        let set = set_of(games, &SEVENTEEN[..1], 1).with_ahead([0.25, 0.75]);
        let mut labels: Vec<f32> = (0..set.positions()).map(|position| set.label(position, 0)).collect();
        labels.sort_by(f32::total_cmp);
        // Past the constraint; 1. e3; the initial position, from which one of two games satisfies; on the way;
        // satisfied twice.
        assert_eq!(labels, [0.0, 0.25, 0.5, 0.75, 0.75, 0.75, 1.0, 1.0]);
    }

    #[test]
    fn a_mirrored_game_counts_for_the_other_side() {
        // Black loses a pawn. In the mirrored game, White does, in the same positions with colours exchanged.
        let read = |_| Ok::<_, Infallible>(vec![game("e2e4 d7d5 e4d5 a7a6")]);
        let build =
            |mirror| SatisfactionSet::build("test", &SEVENTEEN[..1], 1, read, mirror, 1, || ()).unwrap();
        let labels =
            |set: &SatisfactionSet| (0..set.positions()).map(|index| set.label(index, 0)).sum::<f32>();
        assert_eq!((build(false).positions(), labels(&build(false))), (5, 0.0));
        // The initial position is its own mirror image, and half of the games through it satisfy the constraint.
        let mirrored = build(true);
        assert_eq!((mirrored.games(), mirrored.positions(), labels(&mirrored)), (1, 9, 4.5));
    }

    #[test]
    fn a_position_visited_twice_in_a_game_counts_once() {
        let games = vec![game("g1f3 g8f6 f3g1 f6g8 e2e4 d7d5 a2a3 d5e4"), game("e2e3"), game("e2e3")];
        let set = set_of(games, &SEVENTEEN[..1], 1);
        let initial = PackedBoard::new(&bitmaps(Chess::default().board()));
        let position = (0..set.positions()).find(|position| *set.board(*position) == initial).unwrap();
        assert_eq!(set.label(position, 0), 1.0 / 3.0);
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let games: Vec<_> = (0..30).map(|seed| random_game(seed, 120)).collect();
        let (one, three) = (set_of(games.clone(), &SEVENTEEN, 1), set_of(games, &SEVENTEEN, 3));
        assert_eq!(one.boards, three.boards);
        assert_eq!(one.outcomes, three.outcomes);
        assert_eq!(one.shares, three.shares);
    }

    #[test]
    fn no_games_and_no_constraints_are_errors() {
        let read = |_| Ok::<_, Infallible>(vec![]);
        let error = SatisfactionSet::build("validation", seven(), 2, read, false, 1, || ()).unwrap_err();
        assert!(error.to_string().contains("\"validation\" has no games"), "{error}");
        assert!(SatisfactionSet::build("validation", &[], 2, read, false, 1, || ()).is_err());
    }

    #[test]
    fn an_unreadable_block_is_reported_once_and_ends_reading() {
        let read = AtomicUsize::new(0);
        let block = |index: usize| {
            read.fetch_add(1, Ordering::Relaxed);
            if index == 0 {
                return Err("block 1 is damaged");
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
            Ok(vec![])
        };
        let error = SatisfactionSet::build("test", seven(), 10_000, block, false, 2, || ()).unwrap_err();
        assert_eq!(format!("{:#}", anyhow::Error::from(error)), "cannot read the games: block 1 is damaged");
        assert!(read.into_inner() < 5_000, "the other thread ends, too");
    }

    #[test]
    fn castling_is_replayed() {
        let moves = game("e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1");
        assert_eq!(moves.last().unwrap().to_uci(CastlingMode::Standard).to_string(), "e1g1");
        assert_eq!(set_of(vec![moves], seven(), 1).positions(), 8);
    }
}
