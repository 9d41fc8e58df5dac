use entente_network::{
    Query,
    encoding::goal_policy::{Aim, Context, last_moves},
};
use rand::{Rng, RngExt};
use shakmaty::{Chess, Color, Move, MoveList, Position};

use super::{
    GameInfo, ReplayedGame,
    goals::{Mixture, foreign, hindsight, horizon, last_of, perturbed},
};
use crate::{games::GameResult, labels::Label};

/// Maximum number of legal moves in a batch. Positions of human games have fewer; of the up to 218 legal moves of other
/// positions, the rest is left out.
pub const MAX_MOVES: usize = 96;

/// A position of a human game with a goal, and whether the game reached it.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The position.
    pub position: Chess,
    /// What the network is shown of the players and the last moves.
    pub context: Context,
    /// The goal.
    pub aim: Aim,
    /// The move that was played.
    pub played: Move,
    /// The origin of the goal.
    pub kind: GoalKind,
    /// True if the move is learned: there is no goal, or the game reached it.
    pub teaches_policy: bool,
    /// Whether the game reached the goal in time, if the goal was drawn independently of that.
    pub reached: Option<bool>,
    /// The number of plies from here until the game reached the goal, if it did.
    pub distance: Option<u32>,
    /// The result for the mover: 0 for a win, 1 for a draw, 2 for a loss; `None` if it is not learned.
    pub result: Option<u8>,
    /// Information about the game.
    pub game: GameInfo,
    /// All moves before the position; empty if they are not shown.
    pub before: Vec<Move>,
    /// The teachers' probabilities of the moves, if teachers labelled the position and there is no goal.
    pub label: Option<Label>,
}

/// The origin of a sample's goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalKind {
    /// There is no goal.
    Plain,
    /// The game reached the goal.
    Hindsight,
    /// The goal is from another game.
    Foreign,
    /// The goal is one that the game reached, with small changes.
    Perturbed,
}

impl Sample {
    /// The position after `ply` plies without a goal, with everything known about the players except their clocks.
    pub fn plain(info: &GameInfo, replayed: &ReplayedGame, ply: usize) -> Sample {
        Sample {
            position: replayed.positions[ply].clone(),
            context: context(info, replayed, ply),
            aim: Aim::NONE,
            played: replayed.moves[ply],
            kind: GoalKind::Plain,
            teaches_policy: true,
            reached: None,
            distance: None,
            result: Some(result_for(replayed.positions[ply].turn(), info.result)),
            game: *info,
            before: Vec::new(),
            label: None,
        }
    }

    /// The same sample with the moves before it, for networks that see more than the last few moves.
    pub fn with_moves(self, replayed: &ReplayedGame, ply: usize) -> Sample {
        Sample { before: replayed.moves[..ply].to_vec(), ..self }
    }

    /// The query for a network; `moves` are the legal moves.
    pub fn query<'a>(&'a self, moves: &'a [Move]) -> Query<'a> {
        let Sample { position, context, aim, before, .. } = self;
        Query { position, moves, played: before, context: *context, aim }
    }

    /// The legal moves, and the index of the move that was played, which is below [`MAX_MOVES`].
    ///
    /// # Panics
    ///
    /// If the move that was played is not legal.
    pub fn listed_moves(&self) -> (MoveList, usize) {
        let mut moves = self.position.legal_moves();
        let place = moves.iter().position(|m| *m == self.played).expect("games are legal");
        if place < MAX_MOVES {
            return (moves, place);
        }
        moves.swap(0, place);
        (moves, 0)
    }

    /// The same sample with the mover's clock and the time control, if known.
    pub fn with_clock(mut self, info: &GameInfo, replayed: &ReplayedGame, ply: usize) -> Sample {
        let Clock { seconds_left, time_control } = clock(info, replayed, ply);
        self.context = Context { seconds_left, time_control, ..self.context };
        self
    }
}

/// Draws samples from games.
#[derive(Clone, Copy, Debug)]
pub struct Sampler {
    /// The shares of the kinds of goals.
    pub mixture: Mixture,
    /// The share of samples that hide ratings; half of these hide only one.
    pub unknown_ratings: f64,
    /// Of the samples with a known clock and time control, the share that shows them. A quarter of these show only the
    /// clock, and a quarter only the time control.
    pub clocks: f64,
    /// The share of samples without a goal that are replaced by the next position with a label, if there is one.
    pub labelled: f64,
}

impl Default for Sampler {
    fn default() -> Self {
        Sampler { mixture: Mixture::default(), unknown_ratings: 0.1, clocks: 0.3, labelled: 0.0 }
    }
}

/// The probability of the first ply of a game, relative to plies after the opening.
const FIRST_PLY: f64 = 0.15;
/// The share of samples that hide the previous moves.
const HIDDEN_PAST: f64 = 0.04;
/// Number of attempts to draw a goal before the sample gets none.
const TRIES: usize = 4;
/// The number of plies after which all plies are equally likely.
const OPENING: f64 = 12.0;

impl Sampler {
    /// Draws a ply of a game. The first plies, which many games share, are less likely. White's and Black's moves are
    /// drawn in proportion to `shares`, of which the greater is 1.
    pub fn draw_ply(&self, plies: usize, shares: [f64; 2], rng: &mut impl Rng) -> usize {
        loop {
            let ply = rng.random_range(0..plies);
            let chance = FIRST_PLY + (1.0 - FIRST_PLY) * (ply as f64 / OPENING).min(1.0);
            if rng.random_bool(chance * shares[ply % 2]) {
                return ply;
            }
        }
    }

    /// Draws a sample for the position after `ply` plies. A foreign goal is taken from `other`.
    pub fn draw(
        &self,
        info: &GameInfo,
        replayed: &ReplayedGame,
        ply: usize,
        other: &ReplayedGame,
        rng: &mut impl Rng,
    ) -> Sample {
        let number: f64 = rng.random();
        let plies = horizon(rng);
        let unlimited = rng.random_bool(0.15);
        let last = if unlimited { replayed.plies() } else { ply + plies };
        let Mixture { plain, foreign: share, perturbed: changed } = self.mixture;
        let kind = if number < plain {
            GoalKind::Plain
        } else if number >= plain + share {
            GoalKind::Hindsight
        } else if rng.random_bool(changed) {
            GoalKind::Perturbed
        } else {
            GoalKind::Foreign
        };
        let aim = (0..TRIES).find_map(|_| match kind {
            GoalKind::Plain => None,
            GoalKind::Hindsight => hindsight(replayed, ply, last - ply, rng),
            GoalKind::Foreign => foreign(replayed, ply, other, rng),
            GoalKind::Perturbed => perturbed(replayed, ply, last - ply, rng),
        });
        // Prefer positions with labels, because these have more information than the move that was played.
        let ply = match kind {
            GoalKind::Plain if rng.random_bool(self.labelled) => replayed.next_label(ply).unwrap_or(ply),
            _ => ply,
        };
        let mut sample = Sample::plain(info, replayed, ply);
        sample.context = self.told(sample.context, clock(info, replayed, ply), rng);
        let Some(aim) = aim else {
            if rng.random() {
                sample.context.plies_left = Some(plies as u32);
            }
            // Teachers do not see clocks.
            if sample.context.seconds_left.is_none() {
                sample.label = replayed.label(ply);
            }
            return sample;
        };
        let met = replayed.first_met(&aim, ply, last);
        let independent = kind != GoalKind::Hindsight;
        Sample {
            context: Context { plies_left: (!unlimited).then_some(plies as u32), ..sample.context },
            aim,
            kind,
            teaches_policy: met.is_some(),
            reached: independent.then_some(met.is_some()),
            distance: met.map(|met| (met - ply) as u32),
            ..sample
        }
    }

    /// A sample from a policy's own game, which ended when its goal was met. The goal is taken from the last position,
    /// and only the move is learned. `None` if the goal already holds.
    pub fn draw_own(
        &self,
        info: &GameInfo,
        replayed: &ReplayedGame,
        ply: usize,
        rng: &mut impl Rng,
    ) -> Option<Sample> {
        let aim = last_of(replayed, ply, rng)?;
        let met = replayed.first_met(&aim, ply, replayed.plies())? - ply;
        let sample = Sample::plain(info, replayed, ply);
        let plies_left = Some(horizon(rng).max(met) as u32);
        Some(Sample {
            context: Context { plies_left, ..self.told(sample.context, Clock::default(), rng) },
            aim,
            kind: GoalKind::Hindsight,
            distance: Some(met as u32),
            result: None,
            ..sample
        })
    }

    /// What the network is shown of the players and their clocks.
    fn told(&self, mut context: Context, clock: Clock, rng: &mut impl Rng) -> Context {
        if rng.random_bool(self.unknown_ratings) {
            match rng.random_range(0..4) {
                0 => context.ratings[0] = None,
                1 => context.ratings[1] = None,
                _ => context.ratings = [None; 2],
            }
        }
        if rng.random_bool(self.unknown_ratings) {
            context.scale = None;
        }
        // Games that begin with a FEN have no past.
        if rng.random_bool(HIDDEN_PAST) {
            (context.last_moves, context.repeated) = ([None; 4], 0);
        }
        if rng.random_bool(self.clocks) {
            let number = rng.random_range(0..4);
            context.seconds_left = clock.seconds_left.filter(|_| number != 0);
            context.time_control = clock.time_control.filter(|_| number != 1);
        }
        context
    }
}

/// What [`Context`] may show of clocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Clock {
    seconds_left: Option<u32>,
    time_control: Option<[u32; 2]>,
}

/// What is known of the mover's clock after `ply` plies.
fn clock(info: &GameInfo, replayed: &ReplayedGame, ply: usize) -> Clock {
    let seconds_left = match ply.checked_sub(2) {
        Some(own) => replayed.clocks.get(own).copied().flatten(),
        None => info.time_control.map(|control| control.base).filter(|_| !replayed.clocks.is_empty()),
    };
    Clock { seconds_left, time_control: info.time_control.map(|control| [control.base, control.increment]) }
}

/// What is known of the players after `ply` plies, without their clocks.
fn context(info: &GameInfo, replayed: &ReplayedGame, ply: usize) -> Context {
    Context {
        ratings: info.ratings.map(Some),
        scale: Some(info.scale),
        ply: ply as u32,
        plies_left: None,
        last_moves: last_moves(&replayed.moves[..ply]),
        repeated: replayed.repeated(ply),
        ..Context::default()
    }
}

fn result_for(mover: Color, result: GameResult) -> u8 {
    match result {
        GameResult::Draw => 1,
        GameResult::WhiteWins => mover.fold_wb(0, 2),
        GameResult::BlackWins => mover.fold_wb(2, 0),
    }
}
