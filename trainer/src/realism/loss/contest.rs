use std::collections::HashMap;

use shakmaty::Move;

use super::{PlyLoss, Sample, losses, measure};
use crate::{
    realism::{MetGame, Side},
    valuer::Judgement,
};

/// A game with what each of its moves lost.
#[derive(Clone, Debug, PartialEq)]
pub struct LossGame {
    /// The number of the game: those of people that met several constraints have the same one.
    pub game: usize,
    /// Index into [`Grid::targets`](crate::realism::Grid::targets).
    pub constraint: usize,
    /// What it weighs among the games of its side.
    pub weight: f64,
    /// Ply by ply.
    pub plies: Vec<PlyLoss>,
}

/// The games of a [`Sample`] with their losses.
#[derive(Clone, Debug)]
pub struct Contest {
    /// Index into [`Grid::windows`](crate::realism::Grid::windows).
    pub window: usize,
    /// Which method.
    pub method: usize,
    /// People's games.
    pub people: Vec<LossGame>,
    /// The method's.
    pub generated: Vec<LossGame>,
}

/// Whose a game is, by the method or `None` for people, and its number.
type Key = (Option<usize>, usize);

/// The games of samples, each once: of those that are the same game cut in several places, the longest.
#[derive(Default)]
struct Games<'a> {
    places: HashMap<Key, usize>,
    moves: Vec<&'a [Move]>,
}

impl<'a> Games<'a> {
    fn of(samples: &[Sample<'a>]) -> Games<'a> {
        let mut games = Games::default();
        for Sample { method, games: compared, .. } in samples {
            compared.people.iter().for_each(|(game, _)| games.insert((None, game.game), &game.moves));
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

/// Has the games of samples valued, each of their positions in one search. `progress` is called with the number of
/// positions, and gives what is told of each some that are done.
///
/// # Errors
/// Those of [`measure`].
pub fn contests<D: Fn(u64) + Sync>(
    samples: &[Sample<'_>],
    judgement: &Judgement,
    threads: usize,
    progress: impl FnOnce(u64) -> D,
) -> anyhow::Result<Vec<Contest>> {
    let games = Games::of(samples);
    let positions = games.moves.iter().map(|moves| moves.len() as u64 + 1).sum();
    let values = measure(&games.moves, judgement, threads, progress(positions))?;
    let lost = |who: Option<usize>, game: &MetGame, weight: f64| LossGame {
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
            people: all(Side::People, None),
            generated: all(Side::Generated, Some(*method)),
        }
    };
    Ok(samples.iter().map(contest).collect())
}
