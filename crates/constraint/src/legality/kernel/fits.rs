//! How the pawns of a file can become those of the diagram, once the captures by pawns are over.
//!
//! Some of them stand, in their order. Below the first of these, Black's other pawns can promote, and above the last,
//! White's. All other pawns must be captured by pieces.

use std::sync::OnceLock;

use shakmaty::{Color, Square};

use super::columns::{PATTERNS, PAWNS, Pawn};

/// What becomes of a pawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is on the board.
    Stands(Square),
    /// It promotes, after its captures if it makes any.
    Promotes,
    /// A piece captures it, after its own captures.
    Falls,
    /// A pawn captures it.
    IsCaptured,
}

/// One way for the pawns of a file.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    /// The fates of the pawns, from the first rank on.
    pub fates: Vec<Fate>,
    /// How many pawns of each side fall.
    pub falls: [u8; 2],
    /// How many pawns of each side promote.
    pub promotes: [u8; 2],
}

/// The ways for the pawns of a file, for each pattern that is asked for.
pub(super) struct Fits {
    stand: Vec<(Color, Square)>,
    is_shut: [bool; 2],
    patterns: Vec<OnceLock<Ways>>,
}

/// The ways for a pattern.
struct Ways {
    list: Vec<Fit>,
    falls: u8,
    missing: u8,
}

impl Fits {
    /// The ways to the pawns that stand on a file, given from the first rank on. A side cannot promote there if the square
    /// is that of a man that never moved: `is_shut` says so for White and for Black.
    pub(super) fn new(stand: &[(Color, Square)], is_shut: [bool; 2]) -> Fits {
        Fits { stand: stand.to_vec(), is_shut, patterns: (0..PATTERNS).map(|_| OnceLock::new()).collect() }
    }

    /// The fewest pawns that fall, or 0 if pawns are missing.
    pub(super) fn falls(&self, pattern: usize) -> u8 {
        self.of(pattern).falls
    }

    /// How many more pawns the file needs, at least.
    pub(super) fn missing(&self, pattern: usize) -> u8 {
        self.of(pattern).missing
    }

    /// The ways for a pattern, those in which few pawns fall first.
    pub(super) fn ways(&self, pattern: usize) -> &[Fit] {
        &self.of(pattern).list
    }

    fn of(&self, pattern: usize) -> &Ways {
        self.patterns[pattern].get_or_init(|| Ways::new(pattern, &self.stand, self.is_shut))
    }
}

impl Ways {
    fn new(pattern: usize, stand: &[(Color, Square)], is_shut: [bool; 2]) -> Ways {
        let length = pattern.ilog2();
        let sides: Vec<usize> = (0..length).rev().map(|bit| pattern >> bit & 1).collect();
        let mut list = Vec::new();
        if stand.is_empty() {
            list.extend((0..=sides.len()).map(|split| Fit::new(&sides, &[], split, is_shut)));
        } else {
            embed(&sides, stand, is_shut, &mut Vec::new(), &mut list);
        }
        list.sort_by_key(Fit::fallen);
        list.dedup_by(|one, other| one.fates == other.fates);
        let short = |side: usize| {
            let wanted = stand.iter().filter(|(color, _)| usize::from(color.is_black()) == side).count();
            wanted.saturating_sub(sides.iter().filter(|other| **other == side).count())
        };
        let missing = if list.is_empty() { (short(0) + short(1)).max(1) as u8 } else { 0 };
        Ways { falls: list.first().map_or(0, Fit::fallen), missing, list }
    }
}

/// Adds all ways in which the pawns of these sides contain those that stand, of which `chosen` have their places.
fn embed(
    sides: &[usize],
    stand: &[(Color, Square)],
    is_shut: [bool; 2],
    chosen: &mut Vec<(usize, Square)>,
    ways: &mut Vec<Fit>,
) {
    let Some((color, square)) = stand.get(chosen.len()) else {
        ways.push(Fit::new(sides, chosen, 0, is_shut));
        return;
    };
    let after = chosen.last().map_or(0, |(place, _)| place + 1);
    for place in after..sides.len() {
        if sides[place] == usize::from(color.is_black()) {
            chosen.push((place, *square));
            embed(sides, stand, is_shut, chosen, ways);
            chosen.pop();
        }
    }
}

impl Fit {
    /// The way in which the pawns at the places `stand` stand; without any, pawns promote downward below `split` and
    /// upward from there.
    fn new(sides: &[usize], stand: &[(usize, Square)], split: usize, is_shut: [bool; 2]) -> Fit {
        let low = stand.first().map_or(split, |(place, _)| *place);
        let high = stand.last().map_or(split, |(place, _)| *place);
        let (mut falls, mut promotes) = ([0; 2], [0; 2]);
        let fate = |(place, side): (usize, &usize)| {
            if let Some((_, square)) = stand.iter().find(|(other, _)| *other == place) {
                return Fate::Stands(*square);
            }
            let is_free = if *side == 0 { place >= high } else { place < low };
            if is_free && !is_shut[*side] {
                promotes[*side] += 1;
                Fate::Promotes
            } else {
                falls[*side] += 1;
                Fate::Falls
            }
        };
        let fates = sides.iter().enumerate().map(fate).collect();
        Fit { fates, falls, promotes }
    }

    fn fallen(&self) -> u8 {
        self.falls[0] + self.falls[1]
    }
}

/// The fates of all pawns.
pub(super) type Fates = [Fate; PAWNS];

/// Writes the fates of a file's pawns.
pub(super) fn assign(fates: &mut Fates, pawns: &[Pawn], fit: &Fit) {
    for (pawn, fate) in pawns.iter().zip(&fit.fates) {
        fates[usize::from(*pawn)] = *fate;
    }
}
