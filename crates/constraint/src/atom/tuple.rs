//! The exact numbers of one side's men, or of both sides' men: `(1,2,1,1,7)`, `material=KRPvKR`.

use std::{
    fmt::{self, Display, Formatter},
    iter,
};

use shakmaty::{Color, Position};

use super::{Atom, Condition};
use crate::{
    KINDS, Men, ParseError, Situation,
    men::{role_name, side},
    reader::{MAX_NUMBER, Reader},
};

/// The exact numbers of one side's men, in the thesis's notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tuple {
    /// The side; White if the notation names none.
    pub color: Color,
    /// Queens, rooks, bishops, knights, pawns.
    pub counts: [u8; 5],
}

/// The exact numbers of both sides' men: `KRPvKR`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Material {
    /// White's queens, rooks, bishops, knights, pawns.
    pub white: [u8; 5],
    /// Black's queens, rooks, bishops, knights, pawns.
    pub black: [u8; 5],
}

impl Material {
    /// The two equivalent tuples, White's first.
    pub fn tuples(self) -> [Tuple; 2] {
        [Tuple { color: Color::White, counts: self.white }, Tuple { color: Color::Black, counts: self.black }]
    }
}

impl Tuple {
    /// True if `men` has exactly these counts.
    pub fn holds_for(&self, men: &Men) -> bool {
        self.counts == self.color.fold_wb(men.white(), men.black())
    }

    /// The rest of `tuple = "(" Q "," R "," B "," N "," P ")"`, after the opening parenthesis.
    pub(crate) fn read(reader: &mut Reader, color: Color) -> Result<Tuple, ParseError> {
        let mut counts = [0; 5];
        let names = ["queens", "rooks", "bishops", "knights", "pawns"];
        for (index, (count, name)) in counts.iter_mut().zip(names).enumerate() {
            if index > 0 {
                reader.expect(',', &format!("',' and the number of {name}"))?;
            }
            *count = reader.natural(&format!("the number of {name}"), MAX_NUMBER.into())? as u8;
        }
        reader.expect(')', "')' after the five numbers (Q,R,B,N,P)")?;
        Ok(Tuple { color, counts })
    }
}

impl Condition for Tuple {
    fn holds(&self, situation: Situation<'_>) -> bool {
        self.holds_for(&Men::on(situation.position.board()))
    }

    fn in_words(&self) -> String {
        let kinds = KINDS.into_iter().filter(|piece| piece.color == self.color).zip(self.counts);
        let men: Vec<String> = kinds
            .filter(|(_, count)| *count > 0)
            .map(|(piece, count)| {
                format!("{count} {}{}", role_name(piece.role), if count == 1 { "" } else { "s" })
            })
            .collect();
        let men = men.join(", ");
        match men.as_str() {
            "" => format!("{} has only the king", side(self.color)),
            men => format!("{} has the king and exactly {men}", side(self.color)),
        }
    }

    fn mirrored(&self) -> Atom {
        Atom::Tuple(Tuple { color: self.color.other(), ..*self })
    }
}

impl Display for Tuple {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [q, r, b, n, p] = self.counts;
        let side = if self.color == Color::Black { "black" } else { "" };
        write!(f, "{side}({q},{r},{b},{n},{p})")
    }
}

impl Material {
    /// The rest of `material = "material=" men "v" men`.
    pub(super) fn read(reader: &mut Reader) -> Result<Atom, ParseError> {
        reader.expect('=', "'=' and White's men, such as KRP")?;
        let white = read_men(reader, "White's men, beginning with K, then any of QRBNP")?;
        reader.expect('v', "another white man (QRBNP), or 'v' and Black's men")?;
        let black = read_men(reader, "Black's men in upper case, beginning with K, then any of QRBNP")?;
        Ok(Atom::Material(Material { white, black }))
    }
}

fn read_men(reader: &mut Reader, expected: &str) -> Result<[u8; 5], ParseError> {
    reader.expect('K', expected)?;
    let mut counts = [0_u8; 5];
    while let Some(kind) = reader.next_character().and_then(|letter| "QRBNP".find(letter)) {
        if counts[kind] == MAX_NUMBER as u8 {
            return Err(reader.error(&format!("at most {MAX_NUMBER} men of a kind")));
        }
        counts[kind] += 1;
        reader.position += 1;
    }
    Ok(counts)
}

impl Condition for Material {
    fn holds(&self, situation: Situation<'_>) -> bool {
        self.tuples().iter().all(|tuple| tuple.holds(situation))
    }

    fn in_words(&self) -> String {
        let [white, black] = self.tuples().map(|tuple| tuple.in_words());
        format!("{white}, and {black}")
    }

    fn mirrored(&self) -> Atom {
        Atom::Material(Material { white: self.black, black: self.white })
    }
}

impl Display for Material {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let men = |counts: [u8; 5]| -> String {
            let kinds = "QRBNP".chars().zip(counts);
            let letters = kinds.flat_map(|(letter, count)| iter::repeat_n(letter, count.into()));
            iter::once('K').chain(letters).collect()
        };
        write!(f, "material={}v{}", men(self.white), men(self.black))
    }
}
