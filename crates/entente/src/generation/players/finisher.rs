//! Search that finishes games that a policy began.

use entente_constraint::guide::Guide;
use entente_search::{BestFirst, BestFirstParameters, Game, Line};
use rand::rngs::ChaCha8Rng;
use shakmaty::Move;

use crate::generation::player::Task;

/// The maximum number of searches, each from an earlier position of the game.
const SEARCHES: u32 = 4;
/// Each search after the first starts earlier by 1/8 of the moves played, so that most of them are kept.
const PART_TAKEN_BACK: u32 = 8;

/// Finishes games by best-first search.
pub(super) struct Finisher(BestFirst);

/// A game that search continued.
pub(super) struct Finished {
    /// The whole game, up to a position that satisfies the constraint or looked nearest.
    pub game: Game,
    /// The number of plies at its end that search played.
    pub searched: u32,
    /// The estimated distance at its end, in plies. It is 0 if the constraint holds, apart from conditions that need a
    /// judge, and [`u32::MAX`] if the game ended too early.
    pub distance: u32,
}

impl Finisher {
    /// A finisher with this guide.
    pub(super) fn new(guide: Guide) -> Finisher {
        Finisher(BestFirst::new(guide))
    }

    /// The number of positions searched so far, which the limits of its tasks count.
    pub(super) fn nodes(&self) -> u64 {
        self.0.nodes
    }

    /// Searches for at most `left` more plies of a game, without random plies at the beginning.
    pub(super) fn finish(
        &mut self,
        task: &Task<'_>,
        parameters: BestFirstParameters,
        mut game: Game,
        left: u32,
        rng: &mut ChaCha8Rng,
    ) -> Finished {
        let parameters = BestFirstParameters { opening: 0, ..parameters };
        let begins = game.moves().is_empty();
        let may_begin = |m: Move| !begins || (task.may_begin)(m);
        let Line { moves, mut distance } =
            self.0.search(game.situation(), parameters, left, may_begin, rng, task.limits);
        let mut searched = 0;
        for m in moves {
            // Search does not know the earlier positions of the game.
            if game.is_over() {
                distance = u32::MAX;
                break;
            }
            game.play(m);
            searched += 1;
        }
        Finished { game, searched, distance }
    }

    /// As [`Finisher::finish`]. If that finds nothing, more and more moves are taken back before it searches again,
    /// because the last ones may have led into a dead end. If no search succeeds, the nearest game is returned.
    pub(super) fn finish_or_take_back(
        &mut self,
        task: &Task<'_>,
        game: &Game,
        left: u32,
        rng: &mut ChaCha8Rng,
    ) -> Finished {
        let played = game.moves().len() as u32;
        // All searches use the ways that the game was led to.
        let parameters =
            |number| BestFirstParameters { attempt: 0, ..BestFirstParameters::of_attempt(number) };
        let mut best = self.finish(task, parameters(0), game.clone(), left, rng);
        for number in 1..SEARCHES {
            if best.distance == 0 || task.limits.forbid(self.nodes(), 1) {
                break;
            }
            let taken_back = number * played / PART_TAKEN_BACK;
            let earlier = game.after((played - taken_back) as usize);
            let finished = self.finish(task, parameters(number), earlier, left + taken_back, rng);
            if finished.distance < best.distance {
                best = finished;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use entente_constraint::{Situation, Target};
    use entente_search::{Limits, position_from_fen};
    use rand::SeedableRng;
    use shakmaty::{Chess, Position, uci::UciMove};

    use super::*;
    use crate::generation::{Job, Plan};

    fn game(root: Chess, moves: &str) -> Game {
        let mut game = Game::new(root);
        for text in moves.split_whitespace() {
            let m = text.parse::<UciMove>().unwrap().to_move(game.position()).unwrap();
            game.play(m);
        }
        game
    }

    /// The result of `work` for a job from the root of `game` to `constraint`.
    fn finished<T>(constraint: &str, game: &Game, work: impl FnOnce(&mut Finisher, &Task<'_>) -> T) -> T {
        let target: Target = constraint.parse().unwrap();
        let root = Situation::root(game.root());
        let mut finisher = Finisher::new(Guide::new(&target, root).unwrap());
        let job = Job { root: game.root().clone(), ..Job::new(target, Plan::BestFirst) };
        let task = Task {
            job: &job,
            ratings: [None; 2],
            number: 0,
            limits: Limits::none(),
            judge: None,
            may_begin: &|_| true,
        };
        work(&mut finisher, &task)
    }

    #[test]
    fn moves_are_taken_back_if_too_few_plies_are_left() {
        let shuffled = game(Chess::default(), &("g1f3 g8f6 f3g1 f6g8 ".repeat(3) + "b1c3 b8c6 c3b1 c6b8"));
        // A queen cannot be captured in fewer than five plies.
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (alone, back) = finished("q=0", &shuffled, |finisher, task| {
            let alone =
                finisher.finish(task, BestFirstParameters::of_attempt(0), shuffled.clone(), 2, &mut rng);
            (alone, finisher.finish_or_take_back(task, &shuffled, 2, &mut rng))
        });
        assert!(alone.distance > 0);
        assert_eq!(back.distance, 0);
        let (moves, searched) = (back.game.moves(), back.searched as usize);
        assert!(moves.len() <= 18 && moves.starts_with(&shuffled.moves()[..moves.len() - searched]));
        assert!((10..14).contains(&(moves.len() - searched)), "{} of {}", searched, moves.len());
        assert_eq!(back.game.position().board().queens().count(), 1);
    }

    #[test]
    fn no_game_continues_after_a_fivefold_repetition() {
        // The king reaches c1 in time only through b1, where it has already stood four times.
        let root = position_from_fen("7k/6pp/8/8/8/8/PP6/1K6 b - - 0 1").unwrap();
        let moves = "h8g8 b1a1 g8h8 a1b1 ".repeat(4);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut searched = |moves: &str| {
            let game = game(root.clone(), moves);
            finished("K@c1", &game, |finisher, task| {
                finisher.finish(task, BestFirstParameters::of_attempt(0), game.clone(), 3, &mut rng)
            })
        };
        let four_times = searched(moves.trim_end().trim_end_matches("a1b1"));
        assert_eq!((four_times.searched, four_times.distance), (1, u32::MAX));
        assert!(four_times.game.is_over());
        let three_times = searched(moves[20..].trim_end().trim_end_matches("a1b1"));
        assert_eq!((three_times.searched, three_times.distance), (3, 0));
    }
}
