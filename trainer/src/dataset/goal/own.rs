use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use entente::{encoding::goal_policy::RatingScale, tournament::Folder};
use shakmaty::Move;

use super::{Archive, GameInfo};
use crate::games::{GameResult, TimeClass, read_tournament};

/// The games of tournaments that a policy played to their end by itself, at ratings that it was told, without any help
/// of search: what it may learn from where people have little to show.
///
/// # Errors
///
/// If results cannot be read, or there is no such game.
pub fn own_games(folders: &[PathBuf]) -> anyhow::Result<Archive> {
    let mut games: Vec<(GameInfo, Vec<Move>)> = Vec::new();
    for path in folders {
        let folder = Folder::new(path);
        let manifest =
            folder.manifest()?.with_context(|| format!("{}: no tournament", path.display()))?;
        read_tournament(&folder, &manifest, |_, record, replay| {
            let Some(policy) = record.policy.as_ref().filter(|policy| policy.finished == 0) else { return };
            let (Some(white), Some(black)) = (policy.white_elo, policy.black_elo) else { return };
            let info = GameInfo {
                ratings: [white, black],
                scale: RatingScale::Online,
                result: GameResult::Draw,
                time_class: TimeClass::Blitz,
            };
            games.push((info, replay.moves));
        })?;
    }
    ensure!(!games.is_empty(), "no game that the policy played at given ratings to its end by itself");
    Ok(Archive::of(games.iter().map(|(info, moves)| (*info, moves.as_slice()))))
}
