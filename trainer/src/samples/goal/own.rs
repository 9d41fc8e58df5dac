use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use entente_cli::tournament::Folder;
use shakmaty::Move;

use super::{Archive, GameInfo};
use crate::games::read_tournament;

/// Reads the games of tournaments that a policy played to the end at given ratings and without search. A policy can
/// learn from them for constraints that rarely occur in human games.
///
/// # Errors
///
/// If results cannot be read, or there are no such games.
pub fn own_games(folders: &[PathBuf]) -> anyhow::Result<Archive> {
    let mut games: Vec<(GameInfo, Vec<Move>)> = Vec::new();
    for path in folders {
        let folder = Folder::new(path);
        let manifest = folder.manifest()?.with_context(|| format!("{}: no tournament", path.display()))?;
        read_tournament(&folder, &manifest, |game, record, replay| {
            let Some(policy) = record.policy.as_ref().filter(|policy| policy.finished == 0) else { return };
            let (Some(white), Some(black)) = (policy.white_elo, policy.black_elo) else { return };
            let (entrant, _) = manifest.plan.pairing(game.pairing);
            let scale = entrant.settings.rating_scale;
            games.push((GameInfo::generated([white, black], scale), replay.moves));
        })?;
    }
    ensure!(
        !games.is_empty(),
        "no games that the policy played to the end at given ratings and without search"
    );
    Ok(Archive::of(games.iter().map(|(info, moves)| (*info, moves.as_slice()))))
}
