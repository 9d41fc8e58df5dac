use std::{
    fmt::{self, Display, Formatter},
    iter,
};

use shakmaty::Color;

use super::{Atom, Comparison, Constraint, Count, IntegerRange, Material, Tuple, state::name};

impl Display for Constraint {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Constraint::All(parts) => {
                list(f, parts, " & ", |part| !matches!(part, Constraint::All(_) | Constraint::Any(_)))
            }
            Constraint::Any(parts) => list(f, parts, " | ", |part| !matches!(part, Constraint::Any(_))),
            Constraint::Not(part) => {
                f.write_str("!")?;
                operand(f, part, !matches!(**part, Constraint::All(_) | Constraint::Any(_)))
            }
            Constraint::Atom(atom) => atom.fmt(f),
        }
    }
}

fn list(
    f: &mut Formatter<'_>,
    parts: &[Constraint],
    separator: &str,
    binds_tighter: impl Fn(&Constraint) -> bool,
) -> fmt::Result {
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            f.write_str(separator)?;
        }
        operand(f, part, binds_tighter(part))?;
    }
    Ok(())
}

fn operand(f: &mut Formatter<'_>, part: &Constraint, binds_tighter: bool) -> fmt::Result {
    if binds_tighter { write!(f, "{part}") } else { write!(f, "({part})") }
}

impl Display for Atom {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Atom::Tuple(tuple) => tuple.fmt(f),
            Atom::Count(count) => count.fmt(f),
            Atom::Sum(sum) => sum.fmt(f),
            Atom::Material(material) => material.fmt(f),
            Atom::Square(square) => square.fmt(f),
            Atom::Diagram(diagram) => write!(f, "fen={diagram}"),
            Atom::Castling(castling) => castling.fmt(f),
            Atom::Check(check) => check.fmt(f),
            Atom::End(end) => end.fmt(f),
            Atom::Turn(color) => write!(f, "turn={}", name(*color)),
            Atom::Rating(rating) => rating.fmt(f),
            Atom::Ply(comparison) => write!(f, "ply{comparison}"),
        }
    }
}

impl Display for Tuple {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [q, r, b, n, p] = self.counts;
        let side = if self.color == Color::Black { "black" } else { "" };
        write!(f, "{side}({q},{r},{b},{n},{p})")
    }
}

impl Display for Material {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let men = |counts: [u8; 5]| -> String {
            iter::once('K')
                .chain(
                    "QRBNP"
                        .chars()
                        .zip(counts)
                        .flat_map(|(letter, count)| iter::repeat_n(letter, count.into())),
                )
                .collect()
        };
        write!(f, "material={}v{}", men(self.white), men(self.black))
    }
}

impl Display for Count {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.piece.char())?;
        if let Some(minus) = self.minus {
            write!(f, "-{}", minus.char())?;
        }
        self.comparison.fmt(f)
    }
}

impl<T: Copy + Ord + Display> Display for Comparison<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Comparison::In(range) => write!(f, "={range}"),
            Comparison::NotIn(range) => write!(f, "!={range}"),
            Comparison::Less(bound) => write!(f, "<{bound}"),
            Comparison::AtMost(bound) => write!(f, "<={bound}"),
            Comparison::Greater(bound) => write!(f, ">{bound}"),
            Comparison::AtLeast(bound) => write!(f, ">={bound}"),
        }
    }
}

impl<T: Copy + Ord + Display> Display for IntegerRange<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.low() == self.high() {
            write!(f, "{}", self.low())
        } else {
            write!(f, "{}..{}", self.low(), self.high())
        }
    }
}
