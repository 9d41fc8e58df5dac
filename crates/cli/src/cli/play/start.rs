//! The position in which a game begins.

use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use entente_search::Game;
use shakmaty::Chess;

use crate::cli::{game_reader::GameReader, input_file, solve::positions};

/// The position with this number, counted from 1, in a file of exercises: where a chapter of a study begins, where a game
/// that begins in the initial position ends, or a line with a FEN, an EPD or a puzzle.
///
/// # Errors
/// If the file cannot be read or has too few positions, or a game is over there.
pub(super) fn chosen(path: &Path, number: u64) -> anyhow::Result<Chess> {
    let is_pgn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
    let position = if is_pgn { of_pgn(path, number)? } else { of_lines(path, number)? };
    ensure!(
        !Game::new(position.clone()).is_over(),
        "--from {} {number}: the game is over in this position",
        path.display()
    );
    Ok(position)
}

fn of_pgn(path: &Path, number: u64) -> anyhow::Result<Chess> {
    let name = path.display().to_string();
    let (input, progress) = input_file::open(path).with_context(|| format!("--from {name}"))?;
    let mut games = GameReader::new(name.clone(), input, progress.clone());
    let mut found = None;
    while found.is_none()
        && let Some(read) = games.next_game()?
    {
        found = (games.games == number).then_some(read.game);
    }
    progress.finish_and_clear();
    match found {
        Some(game) if *game.root() == Chess::default() => Ok(game.position().clone()),
        Some(game) => Ok(game.root().clone()),
        None => bail!("--from {name} {number}: the file has no game with this number, of {}", games.games),
    }
}

fn of_lines(path: &Path, number: u64) -> anyhow::Result<Chess> {
    let entries = positions(path)?;
    let count = entries.len();
    let chosen = usize::try_from(number - 1).ok().and_then(|place| entries.into_iter().nth(place));
    let chosen = chosen.with_context(|| {
        format!("--from {} {number}: the file has no position with this number, of {count}", path.display())
    })?;
    Ok(chosen.position)
}
