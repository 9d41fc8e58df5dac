use std::convert::Infallible;

use entente::parallel::{self, map_in_order};
use entente_constraint::Situation;

use super::{Grid, SatisfyingGame};
use crate::samples::goal::{Archive, ReplayedGame};

/// The games of `archive` with both players in one window that met a constraint of the grid within its plies. A game is
/// returned once for each constraint, cut at the first position that met it. No other games are left out. Games are
/// numbered from `first_number`.
///
/// If a constraint holds before the first move, no game counts as meeting it.
pub fn human_games(
    archive: &Archive,
    grid: &Grid,
    first_number: usize,
    threads: usize,
) -> Vec<SatisfyingGame> {
    const TOGETHER: usize = 64;
    let firsts = (0..archive.len()).step_by(TOGETHER);
    let Ok(games) = map_in_order(firsts, &mut parallel::threads(threads), |(), first| {
        let games = first..(first + TOGETHER).min(archive.len());
        let met = games.flat_map(|game| met(archive, game, grid, first_number + game));
        Ok::<_, Infallible>(met.collect::<Vec<_>>())
    });
    games.into_iter().flatten().collect()
}

/// One game, cut for each constraint that it met.
fn met(archive: &Archive, game: usize, grid: &Grid, number: usize) -> Vec<SatisfyingGame> {
    let info = *archive.info(game);
    let Some(rating) = grid.window(info.ratings, info.scale) else { return Vec::new() };
    let replayed = ReplayedGame::new(archive, game);
    let holds = |constraint: usize, ply: usize| {
        let situation =
            Situation::root(&replayed.positions[0]).after(&replayed.moves[..ply], &replayed.positions[ply]);
        grid.targets[constraint].is_satisfied(situation)
    };
    let last = replayed.plies().min(grid.max_plies);
    let mut games = Vec::new();
    for constraint in (0..grid.targets.len()).filter(|constraint| !holds(*constraint, 0)) {
        if let Some(ply) = (1..=last).find(|ply| holds(constraint, *ply)) {
            games.push(SatisfyingGame {
                game: number,
                constraint,
                rating,
                info,
                moves: replayed.moves[..ply].to_vec(),
                last: replayed.positions[ply].clone(),
                delivered_by: None,
                surprise: Vec::new(),
                losses: Vec::new(),
            });
        }
    }
    games
}
