//! Pawns as lists on their files, and captures between these.

use shakmaty::Color;

/// A pawn, by its number: 0 to 7 are White's, by their initial files, and 8 to 15 Black's.
pub type Pawn = u8;

/// The number of pawns at the beginning of a game.
pub const PAWNS: usize = 16;
/// The most pawns of a column. Those that promoted or fell stay in it, so that more than six are possible.
const TALL: usize = 7;

/// The side of a pawn: White 0, Black 1.
pub(super) fn side(pawn: Pawn) -> usize {
    usize::from(pawn >> 3)
}

/// The rank that a pawn gains with a step.
pub(super) fn forward(pawn: Pawn) -> i32 {
    if side(pawn) == 0 { 1 } else { -1 }
}

/// The colour of a pawn.
pub fn color(pawn: Pawn) -> Color {
    Color::from_white(pawn < 8)
}

/// The pawns of a file, from the first rank on, without their ranks.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Column {
    len: u8,
    pawns: [Pawn; TALL],
}

impl Column {
    /// The file's two pawns at the beginning of a game.
    pub(super) fn first(file: usize) -> Column {
        let mut pawns = [0; TALL];
        (pawns[0], pawns[1]) = (file as u8, file as u8 + 8);
        Column { len: 2, pawns }
    }

    /// The pawns, from the first rank on.
    pub(super) fn pawns(&self) -> &[Pawn] {
        &self.pawns[..usize::from(self.len)]
    }

    /// True if no pawn can be added.
    pub(super) fn is_full(&self) -> bool {
        usize::from(self.len) == TALL
    }

    /// Adds a pawn at a place.
    pub(super) fn insert(&mut self, place: usize, pawn: Pawn) {
        self.pawns.copy_within(place..TALL - 1, place + 1);
        self.pawns[place] = pawn;
        self.len += 1;
    }

    /// Takes the pawn at a place away.
    pub(super) fn remove(&mut self, place: usize) -> Pawn {
        let pawn = self.pawns[place];
        self.pawns.copy_within(place + 1.., place);
        self.len -= 1;
        pawn
    }

    /// The sides of the pawns as a number below [`PATTERNS`]: a leading one, then a bit for each, from the first rank on.
    pub(super) fn pattern(&self) -> usize {
        self.pawns().iter().fold(1, |bits, pawn| bits << 1 | side(*pawn))
    }
}

/// How many patterns of sides there are, including those that are never used. A byte has room for all.
pub(super) const PATTERNS: usize = 2 << TALL;

/// A capture by a pawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capture {
    /// The pawn that captures.
    pub pawn: Pawn,
    /// The index of its file, from 0 for the a-file.
    pub(super) from: u8,
    /// The index of the file on which it captures.
    pub(super) to: u8,
    /// Its place in the column of that file.
    pub(super) place: u8,
    /// The victim, if it is a pawn; it had that place.
    pub victim: Option<Pawn>,
}

/// The columns of all files.
pub(super) type Columns = [Column; 8];

/// Makes a capture.
pub(super) fn apply(columns: &mut Columns, capture: Capture) {
    let column = &mut columns[usize::from(capture.from)];
    if let Some(place) = column.pawns().iter().position(|pawn| *pawn == capture.pawn) {
        column.remove(place);
    }
    let column = &mut columns[usize::from(capture.to)];
    if capture.victim.is_some() {
        column.remove(usize::from(capture.place));
    }
    column.insert(usize::from(capture.place), capture.pawn);
}
