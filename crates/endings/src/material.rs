//! Endings by the men that they have.

use std::{cmp::Reverse, fmt, str::FromStr};

use shakmaty::{Board, Color, Role};

/// The most men that a table can have, kings included.
pub const MAX_MEN: usize = 5;

/// The roles of men apart from kings, in the order in which names and tables list them.
pub(crate) const ROLES: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

const PAWN: usize = 4;

/// Why there is no table for some men.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MaterialError {
    /// The name of an ending cannot be parsed.
    #[error("\"{name}\" is not the name of an ending: {reason}; expected for example KRPvKR")]
    Name {
        /// What was given.
        name: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The ending has more men than a table can have.
    #[error("{name} has {men} men; tables are made for up to five, kings included")]
    TooManyMen {
        /// The name of the ending.
        name: String,
        /// Its number of men.
        men: usize,
    },
}

/// The men of an ending, such as `KRPvKR`, without regard to colours: the side with more men comes first, or at equal
/// numbers the one with the stronger men. In tables this is the side called White.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material {
    /// The numbers of queens, rooks, bishops, knights and pawns of each side.
    sides: [[u8; 5]; 2],
}

impl Material {
    /// The ending with these numbers of queens, rooks, bishops, knights and pawns, and whether the sides had to be
    /// exchanged for the stronger one to come first.
    pub(crate) fn of_sides(sides: [[u8; 5]; 2]) -> (Self, bool) {
        let strength = |side: [u8; 5]| (side.iter().sum::<u8>(), side);
        if strength(sides[1]) > strength(sides[0]) {
            (Self { sides: [sides[1], sides[0]] }, true)
        } else {
            (Self { sides }, false)
        }
    }

    /// The ending on a board, whatever castling rights there are.
    ///
    /// # Errors
    ///
    /// [`MaterialError::TooManyMen`] if there are more than [`MAX_MEN`].
    pub fn of(board: &Board) -> Result<Self, MaterialError> {
        let side = |color| ROLES.map(|role| (board.by_color(color) & board.by_role(role)).count() as u8);
        let (material, _) = Self::of_sides([side(Color::White), side(Color::Black)]);
        material.checked()
    }

    fn checked(self) -> Result<Self, MaterialError> {
        match self.men() {
            0..=MAX_MEN => Ok(self),
            men => Err(MaterialError::TooManyMen { name: self.to_string(), men }),
        }
    }

    /// All endings with a number of men, kings included, in a fixed order.
    pub fn all(men: usize) -> Vec<Self> {
        fn fill(left: usize, place: usize, counts: &mut [u8; 10], found: &mut Vec<Material>) {
            if place == 10 {
                let sides =
                    [counts[..5].try_into(), counts[5..].try_into()].map(|side| side.unwrap_or_default());
                if left == 0 && !Material::of_sides(sides).1 {
                    found.push(Material { sides });
                }
                return;
            }
            for count in 0..=left {
                counts[place] = count as u8;
                fill(left - count, place + 1, counts, found);
            }
            counts[place] = 0;
        }
        let mut found = Vec::new();
        if men >= 2 {
            fill(men - 2, 0, &mut [0; 10], &mut found);
        }
        found.sort_unstable_by_key(|&material| Reverse(material));
        found
    }

    /// The number of men, kings included.
    pub fn men(&self) -> usize {
        2 + self.sides.iter().flatten().map(|&count| usize::from(count)).sum::<usize>()
    }

    /// The number of pawns of both sides.
    pub fn pawns(&self) -> usize {
        usize::from(self.sides[0][PAWN] + self.sides[1][PAWN])
    }

    /// The numbers of queens, rooks, bishops, knights and pawns of each side, the stronger one first.
    pub(crate) fn sides(&self) -> [[u8; 5]; 2] {
        self.sides
    }

    /// Whether no side can checkmate, even with the help of the other: kings alone, or with one bishop or knight.
    pub fn is_drawn(&self) -> bool {
        let [first, second] = self.sides;
        second == [0; 5] && first[0] + first[1] + first[PAWN] == 0 && first[2] + first[3] <= 1
    }

    /// The endings that one capture, promotion or both can lead to, each once, except those that are always drawn.
    pub fn successors(&self) -> Vec<Self> {
        let mut found = Vec::new();
        let mut add = |sides| {
            let material = Self::of_sides(sides).0;
            if !material.is_drawn() && !found.contains(&material) {
                found.push(material);
            }
        };
        for color in 0..2 {
            for role in 0..5 {
                if self.sides[color][role] == 0 {
                    continue;
                }
                let mut after = self.sides;
                after[color][role] -= 1;
                add(after);
                // A pawn may promote on the square of a captured piece. Pawns are never captured on the last rank.
                if role == PAWN {
                    continue;
                }
                for promoted in Self::promotions(after, 1 - color) {
                    add(promoted);
                }
            }
            for promoted in Self::promotions(self.sides, color) {
                add(promoted);
            }
        }
        found
    }

    /// The endings that a promotion without a capture leads to, and the side to move after it: 0 is the stronger one.
    pub(crate) fn promoted(&self) -> Vec<(Self, usize)> {
        let of_color = |color: usize| {
            Self::promotions(self.sides, color).map(move |sides| {
                let (material, is_exchanged) = Self::of_sides(sides);
                (material, 1 - (color ^ usize::from(is_exchanged)))
            })
        };
        (0..2).flat_map(of_color).collect()
    }

    fn promotions(sides: [[u8; 5]; 2], color: usize) -> impl Iterator<Item = [[u8; 5]; 2]> {
        (0..PAWN).filter(move |_| sides[color][PAWN] > 0).map(move |role| {
            let mut after = sides;
            after[color][PAWN] -= 1;
            after[color][role] += 1;
            after
        })
    }

    /// Every ending that play from this one can reach, itself last: each after those that it needs to be made.
    pub fn needed(&self) -> Vec<Self> {
        let mut found = Vec::new();
        let mut open = vec![*self];
        while let Some(material) = open.pop() {
            if !material.is_drawn() && !found.contains(&material) {
                found.push(material);
                open.extend(material.successors());
            }
        }
        found.sort_unstable_by_key(|material| (material.men(), material.pawns(), Reverse(*material)));
        found
    }
}

impl fmt::Display for Material {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |side: [u8; 5]| {
            let men = ROLES.iter().zip(side);
            men.fold("K".to_string(), |text, (role, count)| {
                text + &role.upper_char().to_string().repeat(usize::from(count))
            })
        };
        formatter.pad(&format!("{}v{}", side(self.sides[0]), side(self.sides[1])))
    }
}

impl fmt::Debug for Material {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// Reads names such as `KRPvKR`. The order of the sides and of the men after the kings is free.
impl FromStr for Material {
    type Err = MaterialError;

    fn from_str(name: &str) -> Result<Self, MaterialError> {
        let wrong = |reason| MaterialError::Name { name: name.chars().take(40).collect(), reason };
        let (first, second) = name.split_once('v').ok_or_else(|| wrong("it has no v between the sides"))?;
        let side = |text: &str| {
            let men = text.strip_prefix('K').ok_or_else(|| wrong("each side begins with K"))?;
            let mut counts = [0_u8; 5];
            for letter in men.chars() {
                let role = ROLES.iter().position(|role| role.upper_char() == letter);
                let role = role.ok_or_else(|| wrong("after the kings, men are Q, R, B, N or P"))?;
                counts[role] += 1;
                if counts[role] > 15 {
                    return Err(wrong("no side has that many men"));
                }
            }
            Ok(counts)
        };
        Self::of_sides([side(first)?, side(second)?]).0.checked()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material(name: &str) -> Material {
        name.parse().unwrap()
    }

    #[test]
    fn names_are_read_in_any_order_and_printed_with_the_stronger_side_first() {
        for (name, printed) in
            [("KRvKPR", "KRPvKR"), ("KvKP", "KPvK"), ("KNvKB", "KBvKN"), ("KNPvKB", "KNPvKB"), ("KvK", "KvK")]
        {
            assert_eq!(material(name).to_string(), printed);
        }
        for name in ["", "KRPKR", "KXvK", "RvK", "KRv", "Kvk", "KRPPvKR", "KvKvK"] {
            assert!(name.parse::<Material>().is_err(), "{name}");
        }
    }

    #[test]
    fn there_are_as_many_endings_as_in_syzygy() {
        assert_eq!([2, 3, 4, 5].map(|men| Material::all(men).len()), [1, 5, 30, 110]);
    }

    #[test]
    fn successors_are_captures_and_promotions() {
        let mut found: Vec<_> = material("KPvKP").successors().iter().map(ToString::to_string).collect();
        found.sort();
        assert_eq!(found, ["KBvKP", "KNvKP", "KPvK", "KQvKP", "KRvKP"]);
    }

    #[test]
    fn what_is_needed_comes_first() {
        for men in 3..=5 {
            for material in Material::all(men) {
                let needed = material.needed();
                for (index, one) in needed.iter().enumerate() {
                    assert!(
                        one.successors().iter().all(|other| needed[..index].contains(other)),
                        "{material} {one}"
                    );
                }
            }
        }
    }
}
