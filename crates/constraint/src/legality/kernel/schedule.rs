//! The ranks of a kernel's pawns: where each pawn stands before each capture.

use shakmaty::{File, Rank, Square};

use super::{
    columns::{self, Capture, Column, Columns, PAWNS, Pawn, forward, side},
    fits::Fate,
    ranks::{Bounds, Purpose},
    search::Kernel,
};

/// What to do before a capture by a pawn, or after the last one.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The squares beyond which pawns must not go.
    pub squares: [Option<Square>; PAWNS],
    /// The pawns that must reach these squares in this stage.
    pub needed: [bool; PAWNS],
    /// The pawns that promote.
    pub promotes: Vec<Pawn>,
    /// The pawns that pieces capture.
    pub falls: Vec<Pawn>,
    /// The capture that ends the stage, and its square; `None` in the last stage.
    pub capture: Option<(Capture, Square)>,
}

/// The stages of a kernel; `None` if the pawns cannot have ranks for it.
pub(super) fn schedule(kernel: &Kernel, purpose: Purpose) -> Option<Vec<Stage>> {
    let mut schedule = Schedule {
        kernel,
        purpose,
        columns: std::array::from_fn(Column::first),
        gone: [false; PAWNS],
        bounds: Bounds::default(),
        files: Vec::new(),
        stages: Vec::new(),
    };
    for index in 0..=kernel.captures.len() {
        schedule.add_stage(index);
        match kernel.captures.get(index) {
            Some(capture) => schedule.capture(index, *capture),
            None => schedule.stages[index].needed = [true; PAWNS],
        }
    }
    schedule.solve()
}

/// The stages so far.
struct Schedule<'a> {
    kernel: &'a Kernel,
    purpose: Purpose,
    /// The pawns before the next capture, with those that have promoted or fallen, so that places are those of the kernel.
    columns: Columns,
    /// The pawns that have promoted or fallen.
    gone: [bool; PAWNS],
    bounds: Bounds,
    /// The files of the pawns at the end of each stage, if they still are on the board.
    files: Vec<[Option<u8>; PAWNS]>,
    stages: Vec<Stage>,
}

impl Schedule<'_> {
    /// Adds the stage that ends with the capture `index`, or the last one.
    fn add_stage(&mut self, index: usize) {
        let (promotes, falls) = self.leave(index);
        let is_last = index == self.kernel.captures.len();
        let mut files = [None; PAWNS];
        for (file, column) in self.columns.iter().enumerate() {
            let is_present = |pawn: &Pawn| !self.gone[usize::from(*pawn)];
            let pawns: Vec<Pawn> = column.pawns().iter().copied().filter(is_present).collect();
            for pair in pawns.windows(2) {
                self.bounds.above(index, pair[0], pair[1]);
            }
            for pawn in pawns {
                let (least, most) = match self.kernel.fates[usize::from(pawn)] {
                    Fate::Stands(square) if is_last => (rank_of(square), rank_of(square)),
                    _ => (2, 7),
                };
                self.bounds.between(index, pawn, least, most);
                if self.files.last().is_some_and(|before| before[usize::from(pawn)].is_some()) {
                    let captured = self.kernel.captures[index - 1].pawn == pawn;
                    self.bounds.forward(index, pawn, i32::from(captured));
                }
                files[usize::from(pawn)] = Some(file as u8);
            }
        }
        self.files.push(files);
        let (squares, needed) = ([None; PAWNS], [false; PAWNS]);
        self.stages.push(Stage { squares, needed, promotes, falls, capture: None });
    }

    /// The pawns that promote and those that fall before the capture `index`: each as soon as it can.
    fn leave(&mut self, index: usize) -> (Vec<Pawn>, Vec<Pawn>) {
        let Schedule { kernel, purpose, ref columns, ref mut gone, .. } = *self;
        let is_needed = |pawn: Pawn| {
            let uses = |capture: &Capture| capture.pawn == pawn || capture.victim == Some(pawn);
            kernel.captures[index..].iter().any(uses)
        };
        let fate = |pawn: Pawn| kernel.fates[usize::from(pawn)];
        let can_fall = |pawn: Pawn| match fate(pawn) {
            Fate::Falls => true,
            Fate::Promotes => purpose == Purpose::Proof && kernel.more_may_fall[side(pawn)],
            _ => false,
        };
        let (mut promotes, mut falls) = (Vec::new(), Vec::new());
        for column in columns {
            for pawn in column.pawns().iter().copied() {
                if !gone[usize::from(pawn)] && !is_needed(pawn) && can_fall(pawn) {
                    gone[usize::from(pawn)] = true;
                    falls.push(pawn);
                }
            }
            loop {
                let is_present = |pawn: &&Pawn| !gone[usize::from(**pawn)];
                let promotes_now = |of: usize| {
                    move |pawn: &&Pawn| {
                        side(**pawn) == of && fate(**pawn) == Fate::Promotes && !is_needed(**pawn)
                    }
                };
                let top = column.pawns().iter().rfind(is_present).filter(promotes_now(0));
                let bottom = column.pawns().iter().find(is_present).filter(promotes_now(1));
                let Some(pawn) = top.or(bottom).copied() else { break };
                gone[usize::from(pawn)] = true;
                promotes.push(pawn);
            }
        }
        (promotes, falls)
    }

    /// Ends a stage with its capture.
    fn capture(&mut self, index: usize, capture: Capture) {
        need(&mut self.stages[index].needed, &self.columns, &self.gone, capture);
        let is_present = |pawn: &&Pawn| !self.gone[usize::from(**pawn)];
        let column = &self.columns[usize::from(capture.to)];
        let (below, rest) = column.pawns().split_at(usize::from(capture.place));
        let above = &rest[usize::from(capture.victim.is_some())..];
        let neighbours = (below.iter().rfind(is_present).copied(), above.iter().find(is_present).copied());
        self.bounds.capture(index, capture, neighbours, can_promote(self.kernel, index), self.purpose);
        columns::apply(&mut self.columns, capture);
    }

    /// The stages with the squares of the pawns.
    fn solve(self) -> Option<Vec<Stage>> {
        let Schedule { kernel, bounds, files, mut stages, .. } = self;
        let ranks = bounds.solve(stages.len())?;
        for (index, stage) in stages.iter_mut().enumerate() {
            let square = |pawn: Pawn, file: u8, forward: i32| {
                let rank = ranks[index][usize::from(pawn)] + forward;
                Square::from_coords(File::new(file.into()), Rank::new(rank as u32 - 1))
            };
            for (pawn, file) in (0..).zip(files[index]) {
                stage.squares[usize::from(pawn)] = file.map(|file| square(pawn, file, 0));
            }
            let capture = kernel.captures.get(index);
            stage.capture =
                capture.map(|capture| (*capture, square(capture.pawn, capture.to, forward(capture.pawn))));
        }
        Some(stages)
    }
}

/// The rank of a square, from 1.
fn rank_of(square: Square) -> i32 {
    i32::from(square.rank()) + 1
}

/// Marks the pawns that must be on their squares for a capture: the pawn itself, its victim, those that make way for these
/// two, and those that must have passed the square of the capture. All others may stay behind, where they are in no
/// one's way.
fn need(needed: &mut [bool; PAWNS], columns: &Columns, gone: &[bool; PAWNS], capture: Capture) {
    let mut mark = |column: &Column, place: usize| {
        let pawns = column.pawns();
        // Pawns of the same side in front of it.
        let is_white = side(pawns[place]) == 0;
        let ahead = if is_white { place..pawns.len() } else { 0..place + 1 };
        for pawn in &pawns[ahead] {
            needed[usize::from(*pawn)] |= side(*pawn) == side(pawns[place]) && !gone[usize::from(*pawn)];
        }
    };
    let from = &columns[usize::from(capture.from)];
    if let Some(place) = from.pawns().iter().position(|pawn| *pawn == capture.pawn) {
        mark(from, place);
    }
    let to = &columns[usize::from(capture.to)];
    let place = usize::from(capture.place);
    for (other, pawn) in to.pawns().iter().enumerate() {
        let has_passed = if side(*pawn) == 0 { other >= place } else { other < place };
        if has_passed || capture.victim == Some(*pawn) {
            mark(to, other);
        }
    }
}

/// True if the capture `index` can promote: it is the pawn's last one, and the pawn promotes.
fn can_promote(kernel: &Kernel, index: usize) -> bool {
    let pawn = kernel.captures[index].pawn;
    let is_last =
        kernel.captures[index + 1..].iter().all(|later| later.pawn != pawn && later.victim != Some(pawn));
    is_last && kernel.fates[usize::from(pawn)] == Fate::Promotes
}
