use anyhow::{Context as _, ensure};
use entente::{
    generation::Outcome,
    records::{Record, Replay, fen},
};
use entente_cli::tournament::{Folder, Game, Journal, Manifest};
use shakmaty::Chess;

/// Calls `each` with every game of the tournament in `folder` that met its constraint after at least one ply: its place
/// in the plan, its record, and the game itself.
///
/// # Errors
///
/// If another process uses the folder, or results are damaged.
pub fn read_tournament(
    folder: &Folder,
    manifest: &Manifest,
    mut each: impl FnMut(Game, &Record, Replay),
) -> anyhow::Result<()> {
    let name = || folder.path().display().to_string();
    let (root, first) = (&manifest.plan.root, fen(&Chess::default()).to_string());
    ensure!(*root == first, "{}: its games start from {root} and not from the initial position", name());
    let _lock = folder.lock()?;
    let (journal, damages) = Journal::open(folder, manifest)?;
    ensure!(
        damages.first.is_empty(),
        "{}: damaged results; entente tournament --resume repairs them",
        name()
    );
    let schedule = manifest.schedule();
    let mut wrong = None;
    journal.replay(|ordinal, played| {
        let record = &played.record;
        match record.replay() {
            Ok(replay) if record.outcome == Outcome::Found && !replay.moves.is_empty() => {
                each(schedule.game(ordinal), record, replay);
            }
            Ok(_) => {}
            Err(error) => wrong = Some(error),
        }
        Ok(())
    })?;
    wrong.map_or(Ok(()), Err).with_context(name)
}
