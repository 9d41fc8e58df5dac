//! Several parts of a run become one.

use std::path::{Path, PathBuf};

use super::{
    Entrant, Folder, Kind, Manifest, Shard, TournamentError,
    journal::{Fault, Joined, Joining, Journal},
    publish::Publication,
};

/// Joins the parts of a tournament, each played in one of `parts`, into a new folder with everything that one run would
/// have left there. It is one pass over the parts, whose memory does not grow with them, but for what tells the positions of
/// one entrant for one constraint apart. Unless the parts fit together, and are finished and whole, nothing stays.
///
/// # Errors
/// [`TournamentError::Folder`] if a part is missing, not finished, damaged, there twice, or of another tournament;
/// [`TournamentError::File`] if something cannot be read or written.
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

/// The parts of a run, of which there is each once.
pub(crate) struct Parts<'a> {
    /// In the order of their shards, as far as there are games for these.
    parts: Vec<Part>,
    /// How many shards there are.
    of: u64,
    /// Where the whole goes.
    folder: &'a Folder,
    /// What the whole is.
    pub whole: Manifest,
}

impl<'a> Parts<'a> {
    /// Those in the folders `parts`, of the same kind as `folder`.
    ///
    /// # Errors
    /// [`TournamentError::Folder`] if they do not fit together, or are not all there.
    pub(crate) fn open(parts: &[PathBuf], folder: &'a Folder) -> Result<Parts<'a>, TournamentError> {
        let (kind, output) = (folder.kind(), folder.path());
        let mut parts: Vec<Part> =
            parts.iter().map(|path| Part::open(path, kind)).collect::<Result<_, _>>()?;
        // Folders that were begun before the networks' digest was written down say nothing of it.
        let first = parts.iter().find(|part| part.manifest.networks_sha256.is_some()).or(parts.first());
        let Some(first) = first else {
            return Err(TournamentError::folder(output, "expected at least one part to merge into it"));
        };
        let of = first.manifest.shard.of;
        for part in &parts {
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
        let whole = Manifest { shard: Shard::WHOLE, ..first.manifest.clone() };
        // More shards than games: those without one have nothing to be missing.
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
                    let reason = format!("shard {shard} as well as {}", one.folder.path().display());
                    return Err(TournamentError::folder(other.folder.path(), reason));
                }
                (Some(_), None) => {}
            }
        }
        parts.sort_by_key(|part| part.manifest.shard.number);
        parts.truncate(shards as usize);
        Ok(Parts { parts, of, folder, whole })
    }

    /// Joins them by `attempt`, which is made again if the lines of a part have to be put in order first. Then the folder
    /// becomes what it is for. If anything fails, nothing is left.
    ///
    /// # Errors
    /// [`TournamentError::Folder`] if a part is not finished or damaged, and those of `attempt`.
    pub(crate) fn join<T>(
        &self,
        attempt: impl Fn(&Joining<'_>) -> Result<T, Fault>,
    ) -> Result<T, TournamentError> {
        // Nobody plays on in a part; whoever begins to finds it finished.
        self.parts.iter().try_for_each(|part| part.folder.lock().map(drop))?;
        let lock = self.folder.claim()?;
        let parts = self.parts.iter().map(|part| &part.folder).collect();
        let joining = Joining { parts, of: self.of, folder: self.folder, manifest: &self.whole };
        let mut mended = vec![false; self.parts.len()];
        let joined = loop {
            let fault = match attempt(&joining) {
                Err(Fault::Part(place)) => place,
                Err(Fault::Other(error)) => break Err(error),
                Ok(joined) => break Ok(joined),
            };
            let part = &self.parts[fault];
            if std::mem::replace(&mut mended[fault], true) {
                break Err(TournamentError::folder(part.folder.path(), "altered while it was read"));
            }
            if let Err(error) = part.mend() {
                break Err(error);
            }
        };
        let joined = joined.and_then(|joined| self.folder.complete(&self.whole).map(|()| joined));
        // Without a lock what is there may be another's, and stays; it can be joined again.
        if joined.is_err() && lock.is_held() {
            drop(lock);
            self.folder.clear();
        }
        joined
    }
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

    /// Puts its lines in order, as the process that played the last of them would have done if it had not been killed.
    ///
    /// # Errors
    /// If they are not whole.
    fn mend(&self) -> Result<(), TournamentError> {
        let Part { folder, manifest } = self;
        let wrong = |reason: String| Err(TournamentError::folder(folder.path(), reason));
        let _lock = folder.lock()?;
        let (mut journal, damages) = Journal::open(folder, manifest)?;
        if let Some(damage) = damages.first.first() {
            return wrong(format!("damaged; --resume mends it: {damage}"));
        }
        if journal.done > manifest.schedule().here() {
            return wrong(format!("a whole {}, with nothing to be joined", folder.kind().noun));
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
        journal.sort_all()
    }
}
