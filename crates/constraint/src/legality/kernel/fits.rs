//! How the pawns of a file can become those of the diagram, once the captures by pawns are over.
//!
//! Some of them stand, in their order. Below the first of these, Black's other pawns can promote, and above the last,
//! White's. All other pawns must be captured by pieces.

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

/// The ways for the pawns of a file, for all patterns.
pub(super) struct Fits {
    ways: Vec<Vec<Fit>>,
    falls: [u8; PATTERNS],
    missing: [u8; PATTERNS],
}

impl Fits {
    /// The ways to the pawns that stand on a file, given from the first rank on. A side cannot promote there if the square
    /// is that of a man that never moved: `is_shut` says so for White and for Black.
    pub(super) fn new(stand: &[(Color, Square)], is_shut: [bool; 2]) -> Fits {
        let mut fits =
            Fits { ways: vec![Vec::new(); PATTERNS], falls: [0; PATTERNS], missing: [0; PATTERNS] };
        for pattern in 1..PATTERNS {
            let length = pattern.ilog2() as usize;
            let sides: Vec<usize> = (0..length).rev().map(|bit| pattern >> bit & 1).collect();
            let mut ways = Vec::new();
            if stand.is_empty() {
                for split in 0..=length {
                    ways.push(Fit::new(&sides, &[], split, is_shut));
                }
            } else {
                embed(&sides, stand, is_shut, &mut Vec::new(), &mut ways);
            }
            ways.sort_by_key(Fit::fallen);
            ways.dedup_by(|one, other| one.fates == other.fates);
            fits.falls[pattern] = ways.first().map_or(0, Fit::fallen);
            if ways.is_empty() {
                let short = |side: usize| {
                    let wanted = stand.iter().filter(|(color, _)| color.is_black() == (side == 1)).count();
                    wanted.saturating_sub(sides.iter().filter(|other| **other == side).count())
                };
                fits.missing[pattern] = (short(0) + short(1)).max(1) as u8;
            }
            fits.ways[pattern] = ways;
        }
        fits
    }

    /// The fewest pawns that fall, or 0 if pawns are missing.
    pub(super) fn falls(&self, pattern: usize) -> u8 {
        self.falls[pattern]
    }

    /// How many more pawns the file needs, at least.
    pub(super) fn missing(&self, pattern: usize) -> u8 {
        self.missing[pattern]
    }

    /// The ways for a pattern, those in which few pawns fall first.
    pub(super) fn ways(&self, pattern: usize) -> &[Fit] {
        &self.ways[pattern]
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
