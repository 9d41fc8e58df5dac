use entente::generation::policy::Delivery;
use entente_constraint::Target;
use entente_network::encoding::goal_policy::RatingScale;
use shakmaty::{Chess, Move};

use super::Window;
use crate::samples::goal::GameInfo;

/// The grid of a comparison: constraints and rating windows.
#[derive(Clone, Debug)]
pub struct Grid {
    /// The constraints.
    pub targets: Vec<Target>,
    /// The rating windows.
    pub windows: Vec<Window>,
    /// The maximum length of a game, in plies.
    pub max_plies: usize,
}

impl Grid {
    /// The index of the window that contains both ratings; `None` if there is none.
    pub fn window(&self, ratings: [u16; 2], scale: RatingScale) -> Option<usize> {
        self.windows.iter().position(|window| window.holds(ratings, scale))
    }
}

/// A game, cut at the first position that met a constraint.
#[derive(Clone, Debug)]
pub struct SatisfyingGame {
    /// The number of the whole game. A human game may meet several constraints.
    pub game: usize,
    /// Index into [`Grid::targets`].
    pub constraint: usize,
    /// Index into [`Grid::windows`].
    pub rating: usize,
    /// The players' ratings, as given to the judges.
    pub info: GameInfo,
    /// The moves to the position that met the constraint; at least one.
    pub moves: Vec<Move>,
    /// The position that met the constraint.
    pub last: Chess,
    /// How the game was found, if a policy generated it.
    pub delivered_by: Option<Delivery>,
    /// For each judge, the surprise of each move: −ln of its probability according to the judge, in nats. Judges that
    /// have not been asked yet are missing.
    pub surprise: Vec<Vec<f32>>,
    /// The loss of each move in centipawns; empty if it was not measured.
    pub losses: Vec<i32>,
}

/// A move is rare if a judge gives it less than this.
const RARE: f32 = 0.01;

impl SatisfyingGame {
    /// The sum of a judge's surprise over the plies from `from` to before `to`, in nats.
    pub fn surprise_within(&self, judge: usize, from: usize, to: usize) -> f64 {
        let plies = self.surprise[judge].iter().take(to).skip(from);
        plies.map(|surprise| f64::from(*surprise)).sum()
    }

    /// The mean of a judge's surprise over all plies, in nats.
    pub fn mean_surprise(&self, judge: usize) -> f64 {
        self.surprise_within(judge, 0, usize::MAX) / self.moves.len() as f64
    }

    /// The number of moves that are rare according to a judge.
    pub fn rare(&self, judge: usize) -> usize {
        self.surprise[judge].iter().filter(|surprise| **surprise > -RARE.ln()).count()
    }
}
