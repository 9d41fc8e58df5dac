//! The handle through which programs ask for results.

use std::{
    cell::Cell,
    fmt,
    num::NonZero,
    path::PathBuf,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
};

use shakmaty::{Chess, EnPassantMode, Position};
use shakmaty_syzygy::{Tablebase, Wdl as SyzygyWdl};

use crate::{
    embedded,
    error::EndingsError,
    lookup::{self, ENDINGS},
    material::{MAX_MEN, Material},
    store::Store,
    syzygy,
    table::Table,
    wdl::Wdl,
};

/// Exact results of endings. Clones share the tables.
///
/// Tables of our own are loaded or made by [`Endings::prepare`]; those of three men are always loaded. Syzygy's are
/// read from their files when they are first asked for.
#[derive(Clone)]
pub struct Endings {
    inner: Arc<Inner>,
}

struct Inner {
    tables: [OnceLock<Arc<Table>>; ENDINGS],
    store: Option<Store>,
    syzygy: Option<Tablebase<Chess>>,
    hits: [Counter; COUNTERS],
}

/// The number of counters: threads use different ones, so that they do not wait for each other.
const COUNTERS: usize = 16;

/// A counter with a cache line of its own.
#[derive(Default)]
#[repr(align(128))]
struct Counter(AtomicU64);

impl Counter {
    fn number() -> usize {
        static THREADS: AtomicUsize = AtomicUsize::new(0);
        thread_local!(static NUMBER: Cell<usize> = Cell::new(THREADS.fetch_add(1, Ordering::Relaxed) % COUNTERS));
        NUMBER.get()
    }
}

impl Endings {
    /// Endings with Syzygy tablebases in some folders, for example those of [`syzygy_folders`](crate::syzygy_folders),
    /// and with tables of our own, which are kept in a store. Without a store, tables of up to four men can still be
    /// made; they are then kept in memory only.
    ///
    /// # Errors
    ///
    /// [`EndingsError::Io`] if a folder of Syzygy tablebases cannot be read.
    pub fn new(syzygy: &[PathBuf], store: Option<Store>) -> Result<Self, EndingsError> {
        let tables = [const { OnceLock::new() }; ENDINGS];
        let inner = Inner { tables, store, syzygy: syzygy::open(syzygy)?, hits: Default::default() };
        let endings = Self { inner: Arc::new(inner) };
        embedded::tables().iter().for_each(|table| endings.insert(Arc::clone(table)));
        Ok(endings)
    }

    /// The result of a position for the side to move, as if there were no fifty-move rule; en passant is exact.
    ///
    /// None if castling rights remain, or if no table has the position. Kings alone, or with one bishop or knight, are
    /// drawn without a table. A table of our own is asked first, without allocation and without waiting for other
    /// threads. Syzygy tablebases are read from their files.
    #[inline]
    pub fn probe(&self, position: &Chess) -> Option<Wdl> {
        if position.board().occupied().count() > self.max_men() {
            return None;
        }
        let result = self.result(position)?;
        self.inner.hits[Counter::number()].0.fetch_add(1, Ordering::Relaxed);
        Some(result)
    }

    fn result(&self, position: &Chess) -> Option<Wdl> {
        if position.castles().any() {
            return None;
        }
        if let Some(result) = self.own_result(position) {
            return Some(result);
        }
        if position.is_insufficient_material() {
            return Some(Wdl::Draw);
        }
        self.wdl_after_zeroing(position).map(syzygy::without_fifty_moves)
    }

    /// The result in a table of our own.
    fn own_result(&self, position: &Chess) -> Option<Wdl> {
        let board = position.board();
        let (number, is_exchanged) = lookup::number(board)?;
        let table = self.inner.tables[number].get()?;
        let result = lookup::value(table, board, position.turn(), is_exchanged)?;
        if position.ep_square(EnPassantMode::Legal).is_none() {
            return Some(result);
        }
        // The table knows only the other moves. If there are none, it has a stalemate or a checkmate.
        let (captures, others): (shakmaty::MoveList, shakmaty::MoveList) =
            position.legal_moves().into_iter().partition(|one| one.is_en_passant());
        let mut best = (!others.is_empty()).then_some(result);
        for capture in captures {
            let mut after = position.clone();
            after.play_unchecked(capture);
            best = best.max(Some(-self.result(&after)?));
        }
        best
    }

    /// What Syzygy tablebases say about a position that is reached by a capture or a move of a pawn, with the fifty-move
    /// rule: a cursed win or a blessed loss is a draw under that rule. None if they do not have the position.
    pub fn wdl_after_zeroing(&self, position: &Chess) -> Option<SyzygyWdl> {
        if position.castles().any() {
            return None;
        }
        self.inner.syzygy.as_ref()?.probe_wdl_after_zeroing(position).ok()
    }

    /// The number of plies to the next capture, move of a pawn, or checkmate on the way to the result, from Syzygy's
    /// files `.rtbz`; negative for the side that loses, zero for a draw. It may be one too small, because Syzygy
    /// rounds. None if the files do not have the position.
    pub fn dtz(&self, position: &Chess) -> Option<i32> {
        if position.castles().any() {
            return None;
        }
        let dtz = self.inner.syzygy.as_ref()?.probe_dtz(position).ok()?;
        Some(dtz.ignore_rounding().into())
    }

    /// The number of results that were returned by [`Self::probe`], of all clones together.
    pub fn probes(&self) -> u64 {
        self.inner.hits.iter().map(|counter| counter.0.load(Ordering::Relaxed)).sum()
    }

    /// The most men that a position with a result can have, as far as is known before it is looked up.
    #[inline]
    pub fn max_men(&self) -> usize {
        self.inner.syzygy.as_ref().map_or(MAX_MEN, |tables| tables.max_pieces().max(MAX_MEN))
    }

    /// Whether a table of our own is loaded, or the ending is always drawn.
    pub fn is_loaded(&self, material: Material) -> bool {
        material.is_drawn() || self.table(material).is_some()
    }

    /// The store of our own tables.
    pub fn store(&self) -> Option<&Store> {
        self.inner.store.as_ref()
    }

    /// Loads a table from the store. False if there is none.
    ///
    /// # Errors
    ///
    /// [`EndingsError::Damaged`] if its file is something else or is damaged, [`EndingsError::Io`] if it cannot be
    /// read.
    pub fn load(&self, material: Material, threads: NonZero<usize>) -> Result<bool, EndingsError> {
        if self.is_loaded(material) {
            return Ok(true);
        }
        let Some(store) = self.store() else { return Ok(false) };
        let Some(table) = store.read(material, [true; 2], threads)? else { return Ok(false) };
        self.insert(Arc::new(table));
        Ok(true)
    }

    pub(crate) fn table(&self, material: Material) -> Option<&Arc<Table>> {
        self.inner.tables[lookup::number_of(material)?].get()
    }

    /// Makes a table available to probes. If it already is, nothing changes.
    pub(crate) fn insert(&self, table: Arc<Table>) {
        if let Some(number) = lookup::number_of(table.layout.material) {
            // Two tables of the same ending are equal.
            let _ = self.inner.tables[number].set(table);
        }
    }
}

impl fmt::Debug for Endings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let loaded = self.inner.tables.iter().filter_map(OnceLock::get).map(|table| table.layout.material);
        formatter
            .debug_struct("Endings")
            .field("loaded", &loaded.collect::<Vec<_>>())
            .field("store", &self.inner.store)
            .field("syzygy", &self.inner.syzygy.is_some())
            .finish_non_exhaustive()
    }
}
