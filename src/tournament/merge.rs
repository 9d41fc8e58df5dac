//! Several parts of a run become one.

use std::path::{Path, PathBuf};

use super::{Entrant, Folder, Kind, Lock, Manifest, Shard, TournamentError, journal::Journal, publish};

/// Joins the parts of a tournament, each played in one of `parts`, into a new folder with everything that one run would
/// have left there. Nothing is created unless the parts fit together.
///
/// # Errors
/// [`TournamentError::Folder`] if a part is missing, not finished, damaged, there twice, or of another tournament;
/// [`TournamentError::File`] if something cannot be read or written.
pub fn merge(parts: &[PathBuf], output: &Path) -> Result<(), TournamentError> {
    join(parts, &Folder::new(output), |folder, manifest, journal| publish(folder, manifest, journal))
}

/// Joins the games in `parts`, folders of the same kind as `folder`, into that, which must be new. `finish` makes of
/// them what is made of games; if it fails, nothing is left.
///
/// # Errors
/// Those of [`merge`], and of `finish`.
pub(crate) fn join<T>(
    parts: &[PathBuf],
    folder: &Folder,
    finish: impl FnOnce(&Folder, &Manifest, &mut Journal) -> Result<T, TournamentError>,
) -> Result<T, TournamentError> {
    let (kind, output) = (folder.kind(), folder.path());
    let parts: Vec<Part> = parts.iter().map(|path| Part::open(path, kind)).collect::<Result<_, _>>()?;
    let Some((first, others)) = parts.split_first() else {
        return Err(TournamentError::folder(output, "expected at least one part to merge into it"));
    };
    let of = first.manifest.shard.of;
    for part in others {
        let name = |part: &Part| part.folder.path().display().to_string();
        if let Some(difference) = first.manifest.difference(&part.manifest) {
            let reason = format!("of another {} than {}: {difference}", kind.noun, name(first));
            return Err(TournamentError::folder(part.folder.path(), reason));
        }
        let shard = part.manifest.shard;
        if shard.of != of {
            let reason = format!("shard {shard}, and {} is shard {}", name(first), first.manifest.shard);
            return Err(TournamentError::folder(part.folder.path(), reason));
        }
    }
    // More shards than games: those without one have nothing to be missing.
    for number in 1..=of.min(first.manifest.schedule().total()) {
        let shard = Shard { number, of };
        let mut those = parts.iter().filter(|part| part.manifest.shard == shard);
        match (those.next(), those.next()) {
            (None, _) => {
                return Err(TournamentError::folder(
                    output,
                    format!("shard {shard} is missing; nothing was merged"),
                ));
            }
            (Some(one), Some(other)) => {
                let reason = format!("shard {shard} as well as {}", one.folder.path().display());
                return Err(TournamentError::folder(other.folder.path(), reason));
            }
            (Some(_), None) => {}
        }
    }
    let manifest = Manifest { shard: Shard::WHOLE, ..first.manifest.clone() };
    // Nobody plays on in a part while it is read.
    let opened: Vec<(Lock, Journal)> = parts.iter().map(Part::journal).collect::<Result<_, _>>()?;
    // Killed from here on, it is a run that is not finished, and can be resumed.
    let lock = folder.enter(&manifest, false)?;
    let merged = (|| {
        let (mut journal, _) = Journal::open(folder, &manifest)?;
        let mut appender = journal.appender()?;
        for (_, part) in &opened {
            part.replay(|ordinal, played| {
                journal.append(&mut appender, ordinal, &played, part.seconds(ordinal))
            })?;
        }
        drop(appender);
        journal.tidy()?;
        finish(folder, &manifest, &mut journal)
    })();
    if merged.is_err() {
        drop(lock);
        folder.clear();
    }
    merged
}

/// A part of a run.
struct Part {
    folder: Folder,
    manifest: Manifest,
}

impl Part {
    fn open(path: &Path, kind: &'static Kind) -> Result<Part, TournamentError> {
        let folder = Folder::of(path, kind);
        match folder.manifest()? {
            Some(manifest) => Ok(Part { folder, manifest }),
            None => Err(TournamentError::folder(path, format!("no {} was begun there", kind.noun))),
        }
    }

    /// Its results, which must be whole.
    fn journal(&self) -> Result<(Lock, Journal), TournamentError> {
        let Part { folder, manifest } = self;
        let wrong = |reason: String| Err(TournamentError::folder(folder.path(), reason));
        let lock = folder.lock()?;
        let (journal, damages) = Journal::open(folder, manifest)?;
        if let Some(damage) = damages.first.first() {
            return wrong(format!("damaged; --resume mends it: {damage}"));
        }
        let missing = journal.missing().next().map(|ordinal| manifest.schedule().game(ordinal));
        if let Some(game) = missing {
            let (Entrant { name, .. }, constraint) = manifest.plan.pairing(game.pairing);
            return wrong(format!(
                "not finished: {} games are missing, the first is game {} of \"{name}\" for {constraint}",
                journal.missing().count(),
                game.index
            ));
        }
        Ok((lock, journal))
    }
}
