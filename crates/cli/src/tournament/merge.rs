//! Merges the shards of a run.

use std::path::{Path, PathBuf};

use entente_constraint::{counted, noun};

use super::{
    Entrant, Folder, Kind, Manifest, Shard, TournamentError,
    journal::{Fault, Joined, Joining, Journal},
    publish::Publication,
};

/// Merges the shards of a tournament, which are in the folders `parts`, into a new folder with everything that a single
/// run would have written. This takes one pass over the shards. Memory does not grow with them, except for the distinct
/// positions of one entrant for one constraint. If the merge fails, nothing is left behind.
///
/// # Errors
/// [`TournamentError::Folder`] if a shard is missing, unfinished, damaged, given twice, or of another tournament;
/// [`TournamentError::File`] if a file cannot be read or written.
pub fn merge(parts: &[PathBuf], output: &Path) -> Result<(), TournamentError> {
    let folder = Folder::new(output);
    let parts = Parts::open(parts, &folder)?;
    parts.join(|joining| {
        let mut publication = Publication::begin(&folder, &parts.whole)?;
        joining.run(|Joined { ordinal, played, replay, seconds, .. }| {
            publication.add(ordinal, &played, &replay, seconds)
        })?;
        Ok(publication.finish(parts.whole.schedule().total())?)
    })
}

/// All shards of a run, each given once.
pub(crate) struct Parts<'a> {
    /// The shards that have games, in order.
    parts: Vec<Part>,
    /// The number of all shards.
    of: u64,
    /// The folder for the merged games.
    folder: &'a Folder,
    /// The manifest of the merged games.
    pub whole: Manifest,
}

impl<'a> Parts<'a> {
    /// Opens the shards in the folders `parts`, which must have the same kind as `folder`.
    ///
    /// # Errors
    /// [`TournamentError::Folder`] if they do not fit together, or if one is missing.
    pub(crate) fn open(parts: &[PathBuf], folder: &'a Folder) -> Result<Parts<'a>, TournamentError> {
        let (kind, output) = (folder.kind(), folder.path());
        let mut parts: Vec<Part> =
            parts.iter().map(|path| Part::open(path, kind)).collect::<Result<_, _>>()?;
        // The first with a digest of the networks: folders from older versions have none.
        let first = parts.iter().find(|part| part.manifest.networks_sha256.is_some()).or(parts.first());
        let Some(first) = first else {
            return Err(TournamentError::folder(output, "expected at least one part to merge into it"));
        };
        let of = first.manifest.shard.of;
        for part in &parts {
            let name = |part: &Part| part.folder.path().display().to_string();
            if let Some(difference) = first.manifest.difference(&part.manifest) {
                let reason = format!("another {} than {}: {difference}", kind.noun, name(first));
                return Err(TournamentError::folder(part.folder.path(), reason));
            }
            let shard = part.manifest.shard;
            if shard.of != of {
                let reason = format!("shard {shard}, and {} is shard {}", name(first), first.manifest.shard);
                return Err(TournamentError::folder(part.folder.path(), reason));
            }
        }
        let whole = Manifest { shard: Shard::WHOLE, ..first.manifest.clone() };
        // If there are more shards than games, those without games need not be given.
        let shards = of.min(whole.schedule().total());
        for number in 1..=shards {
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
                    let reason = format!("shard {shard}, like {}", one.folder.path().display());
                    return Err(TournamentError::folder(other.folder.path(), reason));
                }
                (Some(_), None) => {}
            }
        }
        parts.sort_by_key(|part| part.manifest.shard.number);
        parts.truncate(shards as usize);
        Ok(Parts { parts, of, folder, whole })
    }

    /// Merges the shards by `attempt`, which is repeated if the lines of a shard must be sorted first, and then writes
    /// the manifest. If the merge fails, nothing is left behind.
    ///
    /// # Errors
    /// [`TournamentError::Folder`] if a shard is unfinished or damaged, and the errors of `attempt`.
    pub(crate) fn join<T>(
        &self,
        attempt: impl Fn(&Joining<'_>) -> Result<T, Fault>,
    ) -> Result<T, TournamentError> {
        // Checks that no process is using a shard. A process that starts later finds it finished.
        self.parts.iter().try_for_each(|part| part.folder.lock().map(drop))?;
        let lock = self.folder.claim()?;
        let parts = self.parts.iter().map(|part| &part.folder).collect();
        let joining = Joining { parts, of: self.of, folder: self.folder, manifest: &self.whole };
        let mut sorted = vec![false; self.parts.len()];
        let joined = loop {
            let fault = match attempt(&joining) {
                Err(Fault::Part(place)) => place,
                Err(Fault::Other(error)) => break Err(error),
                Ok(joined) => break Ok(joined),
            };
            let part = &self.parts[fault];
            if std::mem::replace(&mut sorted[fault], true) {
                break Err(TournamentError::folder(part.folder.path(), "altered while it was read"));
            }
            if let Err(error) = part.sort() {
                break Err(error);
            }
        };
        let joined = joined.and_then(|joined| self.folder.complete(&self.whole).map(|()| joined));
        // Without a lock the files may belong to another process, so they stay. The merge can be repeated.
        if joined.is_err() && lock.is_held() {
            drop(lock);
            self.folder.clear();
        }
        joined
    }
}

/// A shard of a run.
struct Part {
    folder: Folder,
    manifest: Manifest,
}

impl Part {
    fn open(path: &Path, kind: &'static Kind) -> Result<Part, TournamentError> {
        let folder = Folder::of(path, kind);
        match folder.manifest()? {
            Some(manifest) => Ok(Part { folder, manifest }),
            None => Err(TournamentError::folder(path, format!("the folder has no {}", kind.noun))),
        }
    }

    /// Sorts its lines, as its process would have done at the end if it had not been killed.
    ///
    /// # Errors
    /// If lines are damaged or missing.
    fn sort(&self) -> Result<(), TournamentError> {
        let Part { folder, manifest } = self;
        let wrong = |reason: String| Err(TournamentError::folder(folder.path(), reason));
        let _lock = folder.lock()?;
        let (mut journal, damages) = Journal::open(folder, manifest)?;
        if let Some(damage) = damages.first.first() {
            return wrong(format!("damaged; --resume repairs it: {damage}"));
        }
        if journal.done > manifest.schedule().here() {
            return wrong(format!("a whole {}, not a shard", folder.kind().noun));
        }
        let missing = journal.missing().next().map(|ordinal| manifest.schedule().game(ordinal));
        if let Some(game) = missing {
            let (Entrant { name, .. }, constraint) = manifest.plan.pairing(game.pairing);
            let count = journal.missing().count();
            return wrong(format!(
                "not finished: {} {} missing; the first is game {} of \"{name}\" for {constraint}",
                counted(count, "game", "games"),
                noun(count, "is", "are"),
                game.index
            ));
        }
        journal.sort_all()
    }
}
