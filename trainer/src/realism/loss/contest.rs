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

impl Contest {
    /// Tells the games of all contests their losses: human games, and those of each method.
    pub fn tell(contests: &[Contest], human: &mut [SatisfyingGame], methods: &mut [Vec<SatisfyingGame>]) {
        let mut lost: HashMap<(Key, usize), &[PlyLoss]> = HashMap::new();
        for contest in contests {
            let human = contest.human.iter().map(|game| (None, game));
            let generated = contest.generated.iter().map(|game| (Some(contest.method), game));
            lost.extend(human.chain(generated).map(|(who, LossGame { game, constraint, plies, .. })| {
                (((who, *game), *constraint), plies.as_slice())
            }));
        }
        let methods =
            methods.iter_mut().enumerate().map(|(method, games)| (Some(method), games.as_mut_slice()));
        for (who, games) in [(None, human)].into_iter().chain(methods) {
            for game in games {
                if let Some(plies) = lost.get(&((who, game.game), game.constraint)) {
                    game.losses = plies.iter().map(|ply| ply.centipawns()).collect();
                }
            }
        }
    }
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

#[cfg(test)]
mod tests {
    use entente_search::Score;

    use super::*;
    use crate::realism::{compare::tests::game, loss::Value};

    #[test]
    fn each_part_of_a_game_gets_its_own_losses() {
        let ply = |loss| PlyLoss {
            before: Value::of(Score::Centipawns(loss)),
            after: Value::of(Score::Centipawns(0)),
        };
        let lost = |constraint, losses: &[i32]| LossGame {
            game: 0,
            constraint,
            weight: 1.0,
            plies: losses.iter().map(|loss| ply(*loss)).collect(),
        };
        let contest = Contest {
            window: 0,
            method: 1,
            human: vec![lost(0, &[10]), lost(1, &[10, 30])],
            generated: vec![lost(0, &[50])],
        };
        let mut human = [game(0, 0, &[1.0]), game(1, 0, &[1.0; 2])];
        let mut methods = [vec![game(0, 0, &[1.0])], vec![game(0, 0, &[1.0]), game(1, 0, &[1.0])]];
        Contest::tell(&[contest], &mut human, &mut methods);
        assert_eq!(human.map(|game| game.losses), [vec![10], vec![10, 30]]);
        let losses = methods.map(|games| games.into_iter().map(|game| game.losses).collect::<Vec<_>>());
        assert_eq!(losses, [vec![vec![]], vec![vec![50], vec![]]]);
    }
}
