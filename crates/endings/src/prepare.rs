//! Loads or makes a table, with all that it is made from.

use std::{
    num::NonZero,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

use crate::{
    build::{self, Smaller},
    endings::Endings,
    error::EndingsError,
    layout::Layout,
    material::Material,
    table::Table,
};

/// The most memory in bytes that making a table may take.
pub const MEMORY_LIMIT: usize = 2 << 30;

/// The tables of five men that are kept in memory for the next one take at most this many bytes.
const KEPT: usize = 400 << 20;

/// How far [`Endings::prepare`] is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// The table that is being made.
    pub material: Material,
    /// How many tables are complete.
    pub complete: usize,
    /// How many tables are made in all.
    pub total: usize,
    /// The part of this table that is complete, from 0 to 1.
    pub part: f64,
}

/// What [`Endings::prepare`] did.
#[derive(Debug, Default)]
pub struct Prepared {
    /// The tables that were made, in order.
    pub made: Vec<Material>,
    /// The files that were damaged or something else, and were made again.
    pub replaced: Vec<EndingsError>,
}

/// What a table takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Requirements {
    /// Bytes in memory once it is loaded.
    pub table: usize,
    /// The most bytes of memory while it is made, with what it is made from.
    pub making: usize,
}

/// What a table is made from, and with which sides to move: after a promotion it is only the other side's turn. Smaller
/// tables are needed whole, because they are loaded for probes as well.
fn needed_turns(material: &Material) -> Vec<(Material, [bool; 2])> {
    let promoted = material.promoted();
    let turns = |other: Material| {
        if other.men() <= 4 {
            return [true; 2];
        }
        [0, 1].map(|turn| promoted.contains(&(other, turn)))
    };
    material.successors().into_iter().map(|other| (other, turns(other))).collect()
}

impl Material {
    /// What the table of this ending takes, made with a number of threads.
    pub fn requirements(&self, threads: NonZero<usize>) -> Requirements {
        let layout = Layout::new(*self);
        let bytes = |(other, turns): (Self, [bool; 2])| {
            Layout::new(other).bytes() / 2 * turns.iter().filter(|&&is_needed| is_needed).count()
        };
        let smaller: usize = needed_turns(self).into_iter().map(bytes).sum();
        Requirements { table: layout.bytes(), making: smaller + build::memory(&layout, threads.get()) }
    }
}

impl Endings {
    /// Whether the table of an ending can be made here with a number of threads, and what it takes.
    ///
    /// # Errors
    ///
    /// [`EndingsError::NoFolder`] if it has five men and there is no store, [`EndingsError::TooMuchMemory`] if it takes
    /// more than [`MEMORY_LIMIT`].
    pub fn can_make(
        &self,
        material: Material,
        threads: NonZero<usize>,
    ) -> Result<Requirements, EndingsError> {
        let requirements = material.requirements(threads);
        if self.store().is_none() && material.men() > 4 {
            return Err(EndingsError::NoFolder { material });
        }
        if requirements.making > MEMORY_LIMIT {
            return Err(EndingsError::TooMuchMemory {
                material,
                needed: requirements.making,
                limit: MEMORY_LIMIT,
            });
        }
        Ok(requirements)
    }

    /// Loads the table of an ending and those of up to four men that it can lead to. Tables that the store lacks are
    /// made first and written to it, each with all that it is made from ([`Material::needed`]), and so are those whose
    /// file is damaged.
    ///
    /// `progress` is called from several threads. Once `stop` is true the work ends soon; complete tables remain in the
    /// store, and no others.
    ///
    /// # Errors
    ///
    /// Those of [`Self::can_make`]; [`EndingsError::Io`] if a file cannot be read or written;
    /// [`EndingsError::Stopped`].
    pub fn prepare(
        &self,
        material: Material,
        threads: NonZero<usize>,
        progress: &(dyn Fn(Progress) + Sync),
        stop: &AtomicBool,
    ) -> Result<Prepared, EndingsError> {
        let wanted = |other: Material| other == material || other.men() <= 4;
        let mut prepared = Prepared::default();
        let plan = self.plan(material, wanted, &mut prepared.replaced)?;
        for &one in &plan {
            self.can_make(one, threads)?;
        }
        let complete = AtomicUsize::new(0);
        let work = Work { endings: self, threads, progress, stop, complete: &complete, total: plan.len() };
        let mut smaller = Smaller::new();
        let mut rest = &plan[..];
        while let Some(&first) = rest.first() {
            // Tables without pawns have one slice, so that several are made at once. With five men they are only made
            // from those of four.
            let alike = |other: &&Material| other.men() == first.men() && first.pawns() + other.pawns() == 0;
            let count = rest.iter().take_while(alike).count().max(1);
            let batch;
            (batch, rest) = rest.split_at(count);
            work.gather(batch, &mut smaller)?;
            for table in work.make_all(batch, &smaller)? {
                if wanted(table.layout.material) {
                    self.insert(Arc::clone(&table));
                }
                smaller.insert(table.layout.material, table);
            }
            prepared.made.extend(batch);
        }
        for other in material.needed().into_iter().filter(|&other| wanted(other)) {
            self.load(other, threads)?;
        }
        Ok(prepared)
    }

    /// The tables to make, in order. Adds to `replaced` the files that cannot be used.
    fn plan(
        &self,
        material: Material,
        wanted: impl Fn(Material) -> bool,
        replaced: &mut Vec<EndingsError>,
    ) -> Result<Vec<Material>, EndingsError> {
        let needed = material.needed();
        let mut plan: Vec<Material> = Vec::new();
        for &one in needed.iter().rev() {
            if self.is_loaded(one)
                || !(wanted(one) || plan.iter().any(|later| later.successors().contains(&one)))
            {
                continue;
            }
            let is_stored = match self.store().map(|store| store.check(one)) {
                None => false,
                Some(Err(error @ EndingsError::Damaged { .. })) => {
                    replaced.push(error);
                    false
                }
                Some(checked) => checked?,
            };
            if !is_stored {
                plan.push(one);
            }
        }
        plan.reverse();
        Ok(plan)
    }
}

/// What all steps of a preparation share.
struct Work<'a> {
    endings: &'a Endings,
    threads: NonZero<usize>,
    progress: &'a (dyn Fn(Progress) + Sync),
    stop: &'a AtomicBool,
    complete: &'a AtomicUsize,
    total: usize,
}

impl Work<'_> {
    /// Leaves in `smaller` what the batch is made from, apart from tables of up to four men, and loads what is missing.
    fn gather(&self, batch: &[Material], smaller: &mut Smaller) -> Result<(), EndingsError> {
        let needed: Vec<(Material, [bool; 2])> = batch.iter().flat_map(needed_turns).collect();
        smaller.retain(|material, table| {
            material.men() <= 4 || needed.iter().any(|&(other, turns)| other == *material && table.has(turns))
        });
        for (material, turns) in needed {
            if smaller.contains_key(&material) {
                continue;
            }
            let table = match self.endings.table(material) {
                Some(table) => Arc::clone(table),
                None => {
                    let store = self.endings.store().ok_or(EndingsError::NoFolder { material })?;
                    let path = || store.path(material);
                    let gone =
                        || EndingsError::Damaged { path: path(), reason: "the file was removed".to_string() };
                    Arc::new(store.read(material, turns, self.threads)?.ok_or_else(gone)?)
                }
            };
            smaller.insert(material, table);
        }
        Ok(())
    }

    /// Makes the tables of a batch, several at once if there are several, and writes them. Returns those that are worth
    /// keeping in memory.
    fn make_all(&self, batch: &[Material], smaller: &Smaller) -> Result<Vec<Arc<Table>>, EndingsError> {
        let [material] = batch else {
            // As many at once as the memory allows.
            let most = batch.iter().map(|material| material.requirements(NonZero::<usize>::MIN).making).max();
            let at_once = (MEMORY_LIMIT / 2 / most.unwrap_or(1).max(1)).clamp(1, self.threads.get());
            let next = AtomicUsize::new(0);
            let kept = AtomicUsize::new(0);
            let made = Mutex::new(Vec::new());
            let take = || {
                while let Some(&material) = batch.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let table = self.make(material, smaller, NonZero::<usize>::MIN);
                    if let Ok(table) = &table {
                        let bytes = table.layout.bytes();
                        if material.men() > 4 && kept.fetch_add(bytes, Ordering::Relaxed) + bytes > KEPT {
                            continue;
                        }
                    }
                    made.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(table);
                }
            };
            thread::scope(|scope| {
                for _ in 1..at_once.min(batch.len()) {
                    scope.spawn(take);
                }
                take();
            });
            return made.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).into_iter().collect();
        };
        Ok(vec![self.make(*material, smaller, self.threads)?])
    }

    /// Makes a table and writes it.
    fn make(
        &self,
        material: Material,
        smaller: &Smaller,
        threads: NonZero<usize>,
    ) -> Result<Arc<Table>, EndingsError> {
        let report = |part| {
            let complete = self.complete.load(Ordering::Relaxed);
            (self.progress)(Progress { material, complete, total: self.total, part });
        };
        report(0.0);
        let table = build::make(material, smaller, threads, &report, self.stop);
        let table = Arc::new(table.ok_or(EndingsError::Stopped { material })?);
        if let Some(store) = self.endings.store() {
            store.write(&table, threads)?;
        }
        self.complete.fetch_add(1, Ordering::Relaxed);
        Ok(table)
    }
}
