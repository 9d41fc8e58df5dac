use std::thread;

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
    let part = archive.len().div_ceil(threads.max(1)).max(1);
    let found = |first: usize| -> Vec<SatisfyingGame> {
        let games = first..(first + part).min(archive.len());
        games.flat_map(|game| met(archive, game, grid, first_number + game)).collect()
    };
    thread::scope(|scope| {
        let workers: Vec<_> =
            (0..archive.len()).step_by(part).map(|first| scope.spawn(move || found(first))).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect()
    })
}

/// One game, cut for each constraint that it met.
fn met(archive: &Archive, game: usize, grid: &Grid, number: usize) -> Vec<SatisfyingGame> {
    let info = *archive.info(game);
    let Some(rating) = grid.window(info.ratings, info.scale) else { return Vec::new() };
    let replayed = ReplayedGame::new(archive, game);
    let holds = |constraint: usize, ply: usize| {
        let situation = Situation { position: &replayed.positions[ply], ply: ply as u32 };
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
            });
        }
    }
    games
}
