//! The arrangements of pawns of an ending. A table has a slice for each, of two that are mirror images only one.

/// The squares on which pawns can stand.
const SQUARES: usize = 48;
const NONE: u32 = u32::MAX;

/// The slices of a table, and how to find the one of given pawns.
#[derive(Debug)]
pub(crate) struct PawnSlices {
    /// The number of the stronger side's pawns, which come first.
    first: usize,
    /// The pawns of each slice: squares in ascending order for each side.
    slices: Vec<Vec<u8>>,
    /// For each code of an arrangement: twice the number of its slice, and one more if it is mirrored there.
    found: Vec<u32>,
}

impl PawnSlices {
    pub(crate) fn new(first: usize, second: usize) -> Self {
        let count = first + second;
        let mut found = vec![NONE; SQUARES.pow(count as u32)];
        let mut slices = Vec::new();
        for code in 0..found.len() {
            let mut pawns: Vec<u8> =
                (0..count).map(|place| (code / SQUARES.pow(place as u32) % SQUARES) as u8 + 8).collect();
            let sort = |pawns: &mut Vec<u8>| {
                pawns[..first].sort_unstable();
                pawns[first..].sort_unstable();
            };
            sort(&mut pawns);
            if (1..count).any(|place| pawns[..place].contains(&pawns[place])) {
                continue;
            }
            let mut mirrored: Vec<u8> = pawns.iter().map(|pawn| pawn ^ 7).collect();
            sort(&mut mirrored);
            let is_mirrored = mirrored < pawns;
            let least = if is_mirrored { &mirrored } else { &pawns };
            let least_code = Self::code(least);
            // Codes are in another order than arrangements, so the first of those of one slice makes it.
            if found[least_code] == NONE {
                found[least_code] = 2 * slices.len() as u32;
                slices.push(least.clone());
            }
            found[code] = found[least_code] | u32::from(is_mirrored);
        }
        Self { first, slices, found }
    }

    fn code(pawns: &[u8]) -> usize {
        pawns.iter().rev().fold(0, |code, &pawn| code * SQUARES + usize::from(pawn) - 8)
    }

    /// The number of slices; one if there are no pawns.
    pub(crate) fn len(&self) -> usize {
        self.slices.len()
    }

    /// The squares of the pawns of a slice, those of the stronger side first.
    pub(crate) fn pawns(&self, slice: usize) -> &[u8] {
        &self.slices[slice]
    }

    /// The number of the stronger side's pawns.
    pub(crate) fn first(&self) -> usize {
        self.first
    }

    /// The slice of pawns on these squares, in any order for each side, and whether they are mirrored there.
    #[inline]
    pub(crate) fn find(&self, pawns: &[u8]) -> Option<(usize, bool)> {
        let found = *self.found.get(Self::code(pawns))?;
        (found != NONE).then_some(((found / 2) as usize, found % 2 == 1))
    }

    /// The number of ranks that the pawns of a slice have advanced. Every move of a pawn that keeps the ending leads
    /// to a slice with a greater number.
    pub(crate) fn advance(&self, slice: usize) -> usize {
        let ranks = self.slices[slice].iter().enumerate();
        ranks
            .map(|(place, pawn)| usize::from(if place < self.first { pawn / 8 - 1 } else { 6 - pawn / 8 }))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrangements_and_their_mirror_images_share_a_slice() {
        for (first, second, count) in
            [(0, 0, 1), (1, 0, 24), (0, 1, 24), (1, 1, 48 * 47 / 2), (2, 0, 576), (2, 1, 25_944)]
        {
            let slices = PawnSlices::new(first, second);
            assert_eq!(slices.len(), count, "{first} {second}");
            for slice in 0..slices.len() {
                let pawns = slices.pawns(slice).to_vec();
                assert_eq!(slices.find(&pawns), Some((slice, false)));
                let mut other: Vec<_> = pawns.iter().map(|pawn| pawn ^ 7).collect();
                other[..first].reverse();
                let (found, mirrored) = slices.find(&other).unwrap();
                assert_eq!(found, slice);
                let mut image = pawns.iter().map(|pawn| pawn ^ 7).collect::<Vec<_>>();
                image[..first].sort_unstable();
                image[first..].sort_unstable();
                assert_eq!(mirrored, image != pawns);
            }
        }
        assert_eq!(PawnSlices::new(2, 0).find(&[8, 8]), None);
    }
}
