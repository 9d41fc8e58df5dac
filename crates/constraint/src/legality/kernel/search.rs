//! The search for kernels.

use std::collections::HashSet;

use super::{
    Random,
    columns::{self, Capture, Column, Columns, side},
    fits::{Fate, Fates, Fits, assign},
    ledger::Ledger,
};

/// Captures by pawns, in their order, and the fates of all pawns.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    pub captures: Vec<Capture>,
    pub fates: Fates,
    /// For each side, whether more of its pawns may have fallen than those whose fate it is: some of those that can promote.
    pub more_may_fall: [bool; 2],
}

/// How a search goes on after a kernel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// With other fates after the same captures.
    Continue,
    /// With other captures.
    Leave,
    /// Not at all.
    Stop,
}

/// What is known of the kernels that begin with certain captures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// There are none.
    Empty,
    /// There may be some.
    Open,
    /// The search was stopped.
    Stopped,
}

/// How many states to visit between two questions whether to stop.
const ASK_EVERY: u64 = 4096;
/// The most states without a kernel to remember: 2 million take some 60 MB.
const MAX_FAILED: usize = 2_000_000;

/// A search for kernels.
pub(super) struct Search<'a> {
    pub ledger: &'a Ledger,
    /// The ways for each file.
    pub fits: &'a [Fits; 8],
    /// Puts the captures in a random order; without it, the search is the same each time.
    pub random: Option<&'a mut Random<'a>>,
    /// How many more states to visit.
    pub states: u64,
    /// Says whether to stop before that. It is asked now and then.
    pub is_over: &'a dyn Fn() -> bool,
    /// True if captures were left out, because a column was full.
    pub is_partial: bool,
    captures: Vec<Capture>,
    /// States without a kernel.
    failed: HashSet<State>,
}

/// The sides of the pawns on each file, the victims left, and the number of captures left.
type State = ([u8; 8], Budget, u8);

/// The victims that are left, by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Budget {
    /// Initial pieces that must be captured.
    lost: [u8; 2],
    /// Pawns that are neither on the board nor promoted there: captured as pawns or after they promoted.
    gone: [u8; 2],
}

impl<'a> Search<'a> {
    pub(super) fn new(
        ledger: &'a Ledger,
        fits: &'a [Fits; 8],
        random: Option<&'a mut Random<'a>>,
        states: u64,
        is_over: &'a dyn Fn() -> bool,
    ) -> Search<'a> {
        Search {
            ledger,
            fits,
            random,
            states,
            is_over,
            is_partial: false,
            captures: Vec::new(),
            failed: HashSet::new(),
        }
    }

    /// Gives kernels with `length` captures to `found`, which says how to go on.
    pub(super) fn run(&mut self, length: u8, found: &mut impl FnMut(&Kernel) -> Next) -> Part {
        let columns: Columns = std::array::from_fn(Column::first);
        let budget = Budget { lost: self.ledger.lost, gone: self.ledger.gone };
        self.captures.clear();
        self.failed.clear();
        self.search_from(&columns, budget, length, found)
    }

    fn search_from(
        &mut self,
        columns: &Columns,
        budget: Budget,
        left: u8,
        found: &mut impl FnMut(&Kernel) -> Next,
    ) -> Part {
        if self.states == 0 || self.states.is_multiple_of(ASK_EVERY) && (self.is_over)() {
            return Part::Stopped;
        }
        self.states -= 1;
        let patterns: [usize; 8] = std::array::from_fn(|file| columns[file].pattern());
        if !self.is_hopeful(&patterns, budget, left) {
            return Part::Empty;
        }
        if left == 0 {
            return self.end(columns, &patterns, budget, found);
        }
        let state = (patterns.map(|pattern| pattern as u8), budget, left);
        if self.failed.contains(&state) {
            return Part::Empty;
        }
        let mut result = Part::Empty;
        let mut captures = Vec::new();
        if !list(columns, budget, &mut captures) {
            (result, self.is_partial) = (Part::Open, true);
        }
        if let Some(random) = &mut self.random {
            for last in (1..captures.len()).rev() {
                captures.swap(last, random(last + 1));
            }
        }
        for capture in captures {
            let (mut next, mut after) = (*columns, budget);
            columns::apply(&mut next, capture);
            after.spend(capture);
            self.captures.push(capture);
            let part = self.search_from(&next, after, left - 1, found);
            self.captures.pop();
            match part {
                Part::Empty => {}
                Part::Open => result = Part::Open,
                Part::Stopped => return Part::Stopped,
            }
        }
        if result == Part::Empty && self.failed.len() < MAX_FAILED {
            self.failed.insert(state);
        }
        result
    }

    /// False if `left` captures by pawns are certainly too few. A capture takes a pawn from one file, so that one pawn less
    /// must fall there, and adds one to another file, on which perhaps none must fall any more.
    fn is_hopeful(&self, patterns: &[usize; 8], budget: Budget, left: u8) -> bool {
        let mut falls: [u8; 8] = std::array::from_fn(|file| self.fits[file].falls(patterns[file]));
        let missing: u8 = (0..8).map(|file| self.fits[file].missing(patterns[file])).sum();
        falls.sort_unstable();
        let untouched = 8 - usize::from(left.min(8));
        let fallen: u8 = falls[..untouched].iter().sum();
        missing <= left && fallen <= budget.gone[0] + budget.gone[1] + left
    }

    /// After the last capture: gives all fates that the pawns can have.
    fn end(
        &mut self,
        columns: &Columns,
        patterns: &[usize; 8],
        budget: Budget,
        found: &mut impl FnMut(&Kernel) -> Next,
    ) -> Part {
        let mut kernel = Kernel {
            captures: self.captures.clone(),
            fates: [Fate::IsCaptured; columns::PAWNS],
            more_may_fall: [false; 2],
        };
        let mut result = Part::Empty;
        let next = self.choose(0, (columns, patterns), (budget, [[0; 2]; 2]), &mut kernel, &mut |kernel| {
            result = Part::Open;
            found(kernel)
        });
        if next == Next::Stop { Part::Stopped } else { result }
    }

    /// Chooses ways for the files from `file` on; those in which few pawns fall come first, or one at random.
    fn choose(
        &mut self,
        file: usize,
        (columns, patterns): (&Columns, &[usize; 8]),
        (budget, promotions): (Budget, [[u8; 2]; 2]),
        kernel: &mut Kernel,
        found: &mut impl FnMut(&Kernel) -> Next,
    ) -> Next {
        if file == 8 {
            let wanted = &self.ledger.bishops;
            let are_enough = |side: usize| (0..2).all(|shade| wanted[side][shade] <= promotions[side][shade]);
            kernel.more_may_fall = budget.gone.map(|gone| gone > 0);
            return if are_enough(0) && are_enough(1) { found(kernel) } else { Next::Continue };
        }
        let fits = self.fits;
        let ways = fits[file].ways(patterns[file]);
        let rest: u8 = (file + 1..8).map(|file| fits[file].falls(patterns[file])).sum();
        let first = match &mut self.random {
            Some(random) if ways.len() > 1 => random(2 * ways.len()) % ways.len(),
            _ => 0,
        };
        for index in 0..ways.len() {
            let way = &ways[(first + index) % ways.len()];
            let (mut after, mut promoted) = (budget, promotions);
            if !after.fall(way.falls) || rest > after.gone[0] + after.gone[1] {
                continue;
            }
            for (side, promoted) in promoted.iter_mut().enumerate() {
                // a8 and b1 are light.
                let shade = usize::from(file.is_multiple_of(2) == (side == 0));
                promoted[shade] += way.promotes[side];
            }
            assign(&mut kernel.fates, columns[file].pawns(), way);
            let next = self.choose(file + 1, (columns, patterns), (after, promoted), kernel, found);
            if next != Next::Continue {
                return next;
            }
        }
        Next::Continue
    }
}

impl Budget {
    /// True if a pawn can capture a piece of a side.
    fn has_piece(&self, side: usize) -> bool {
        self.lost[side] + self.gone[side] > 0
    }

    fn spend(&mut self, capture: Capture) {
        let side = 1 - side(capture.pawn);
        if capture.victim.is_none() && self.lost[side] > 0 {
            self.lost[side] -= 1;
        } else {
            self.gone[side] -= 1;
        }
    }

    /// Lets pawns fall; false if these are too many.
    fn fall(&mut self, falls: [u8; 2]) -> bool {
        (0..2).all(|side| {
            let left = self.gone[side].checked_sub(falls[side]);
            self.gone[side] = left.unwrap_or(0);
            left.is_some()
        })
    }
}

/// Adds all captures by pawns; false if a column is too full for some.
fn list(columns: &Columns, budget: Budget, captures: &mut Vec<Capture>) -> bool {
    let mut are_all = true;
    for from in 0..8_usize {
        for pawn in columns[from].pawns().iter().copied() {
            let other = 1 - side(pawn);
            for to in [from.wrapping_sub(1), from + 1] {
                let Some(column) = columns.get(to) else { continue };
                let mut add = |place: usize, victim| {
                    let (from, to, place) = (from as u8, to as u8, place as u8);
                    captures.push(Capture { pawn, from, to, place, victim });
                };
                if budget.has_piece(other) {
                    are_all &= !column.is_full();
                    if !column.is_full() {
                        (0..=column.pawns().len()).for_each(|place| add(place, None));
                    }
                }
                if budget.gone[other] > 0 {
                    for (place, victim) in column.pawns().iter().enumerate() {
                        if side(*victim) == other {
                            add(place, Some(*victim));
                        }
                    }
                }
            }
        }
    }
    are_all
}
