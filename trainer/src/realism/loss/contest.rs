use std::collections::HashMap;

use shakmaty::Move;

use super::{PlyLoss, Sample, losses, measure};
use crate::{
    realism::{SatisfyingGame, Side},
    valuer::Judgement,
};

/// A game with the loss of each move.
#[derive(Clone, Debug, PartialEq)]
pub struct LossGame {
    /// The number of the game. A human game that met several constraints occurs several times with the same number.
    pub game: usize,
    /// Index into [`Grid::targets`](crate::realism::Grid::targets).
    pub constraint: usize,
    /// The weight of the game among the games of its side.
    pub weight: f64,
    /// The losses, ply by ply.
    pub plies: Vec<PlyLoss>,
}

/// The games of a [`Sample`] with their losses.
#[derive(Clone, Debug)]
pub struct Contest {
    /// Index into [`Grid::windows`](crate::realism::Grid::windows).
    pub window: usize,
    /// The index of the method.
    pub method: usize,
    /// Human games.
    pub human: Vec<LossGame>,
    /// Games of the method.
    pub generated: Vec<LossGame>,
}

/// The method of a game, or `None` for a human game, and its number.
type Key = (Option<usize>, usize);

/// The games of all samples without duplicates. If a game was cut at several places, only the longest part is kept.
#[derive(Default)]
struct Games<'a> {
    places: HashMap<Key, usize>,
    moves: Vec<&'a [Move]>,
}

impl<'a> Games<'a> {
    fn of(samples: &[Sample<'a>]) -> Games<'a> {
        let mut games = Games::default();
        for Sample { method, games: compared, .. } in samples {
            compared.human.iter().for_each(|(game, _)| games.insert((None, game.game), &game.moves));
            compared.generated.iter().for_each(|game| games.insert((Some(*method), game.game), &game.moves));
        }
        games
    }

    fn insert(&mut self, key: Key, moves: &'a [Move]) {
        let next = self.moves.len();
        let place = *self.places.entry(key).or_insert(next);
        match self.moves.get_mut(place) {
            Some(known) if known.len() < moves.len() => *known = moves,
            Some(_) => {}
            None => self.moves.push(moves),
        }
    }
}

/// Evaluates the games of the samples, with one search per position. `progress` gets the number of positions and
/// returns a callback, which gets the number of further positions that are done.
///
/// # Errors
///
/// The errors of [`measure`].
pub fn contests<D: Fn(u64) + Sync>(
    samples: &[Sample<'_>],
    judgement: &Judgement,
    threads: usize,
    progress: impl FnOnce(u64) -> D,
) -> anyhow::Result<Vec<Contest>> {
    let games = Games::of(samples);
    let positions = games.moves.iter().map(|moves| moves.len() as u64 + 1).sum();
    let values = measure(&games.moves, judgement, threads, progress(positions))?;
    let lost = |who: Option<usize>, game: &SatisfyingGame, weight: f64| LossGame {
        game: game.game,
        constraint: game.constraint,
        weight,
        plies: losses(&values[games.places[&(who, game.game)]][..=game.moves.len()]),
    };
    let contest = |Sample { window, method, games: compared }: &Sample<'_>| {
        let all = |side: Side, who: Option<usize>| {
            compared.weighed(side).into_iter().map(|(game, weight)| lost(who, game, weight)).collect()
        };
        Contest {
            window: *window,
            method: *method,
            human: all(Side::Human, None),
            generated: all(Side::Generated, Some(*method)),
        }
    };
    Ok(samples.iter().map(contest).collect())
}
