//! What can be proved impossible before any search, for the whole language.
//!
//! A constraint is written out into ways to meet it, each a list of conditions that must all hold. It is impossible if
//! every way is. What is not proved here may still be impossible.

mod board;

use shakmaty::{Bitboard, Chess, Color, Piece, Position, Role};

use super::{
    Atom, Castling, Check, Comparison, Constraint, Count, End, Goal, Impossible, IntegerRange, Men, Region,
    Situation, Square, Sum, Tuple, ways::Literal,
};

impl Constraint {
    /// Why no legal game that goes on from `start` satisfies the constraint, if that is proved.
    ///
    /// With several ways to meet it the reason is that of the first.
    pub fn impossible_from(&self, start: Situation<'_>) -> Option<Impossible> {
        let mut first = None;
        for way in self.ways()? {
            let reason = Facts::of(&way, start).err()?;
            first.get_or_insert(reason);
        }
        Some(first.unwrap_or(Impossible::Contradiction))
    }
}

/// What follows from a way to meet a constraint.
pub(crate) struct Facts {
    /// The numbers of men, as far as they follow and are not too many to write out.
    pub goal: Goal,
    /// Who is to move.
    pub turn: Option<Color>,
    /// Whether the side to move is in check.
    pub check: Option<bool>,
    /// How the game has ended.
    pub end: Option<End>,
    /// The fewest and the most plies from the root.
    pub plies: (u32, u32),
}

impl Facts {
    /// What follows from `way` for games that go on from `start`, or why there are none.
    pub fn of(way: &[Literal<'_>], start: Situation<'_>) -> Result<Facts, Impossible> {
        let root = start.position;
        let because = |reason: String| Impossible::Because { reason };
        if let Some(atom) = denied_and_demanded(way) {
            return Err(because(format!("{atom} cannot hold and not hold")));
        }
        let Mover { turn, check, end } = mover(way).map_err(because)?;
        let plies = plies(way, turn, start).map_err(because)?;
        let mut counts = board::counts(way, root).map_err(because)?;
        agree_on_castling(way).map_err(because)?;
        counts.extend(one_coloured_bishops(way, root));
        for Literal { atom, denied } in way.iter().filter(|literal| literal.atom.counts_men()) {
            let atom = Constraint::Atom((*atom).clone());
            counts.push(if *denied { Constraint::Not(Box::new(atom)) } else { atom });
        }
        let men = Men::on(root.board());
        let goal = Goal::new(&Constraint::All(counts))
            .or_else(|_| Goal::new(&Constraint::All(Vec::new())))
            .expect("no condition is not too complex");
        if let Some(reason) = goal.impossible_from(&men) {
            return Err(reason);
        }
        sums(way, &men)?;
        let captures = goal.captures_needed(&men);
        let left = plies.1 - start.ply;
        if captures > left {
            return Err(because(format!(
                "at least {captures} men must be captured, in at most {left} plies"
            )));
        }
        Ok(Facts { goal, turn, check, end, plies })
    }
}

/// A condition that must hold and must not.
fn denied_and_demanded<'a>(way: &[Literal<'a>]) -> Option<&'a Atom> {
    let demanded = way.iter().filter(|literal| !literal.denied);
    demanded
        .map(|literal| literal.atom)
        .find(|atom| way.iter().any(|other| other.denied && other.atom == *atom))
}

/// Numbers of men of several kinds, each by itself.
fn sums(way: &[Literal<'_>], men: &Men) -> Result<(), Impossible> {
    for Literal { atom, denied } in way {
        let Atom::Sum(sum) = atom else { continue };
        let (least, most) = sum.attainable(men);
        let comparison = if *denied { sum.comparison.negated() } else { sum.comparison };
        if !(least..=most).any(|number| comparison.holds(number)) {
            let demanded = Sum { comparison, ..*sum };
            let reason = format!("no numbers of men that can come about have {demanded}");
            return Err(Impossible::Because { reason });
        }
    }
    Ok(())
}

/// What the conditions say of the side to move.
struct Mover {
    turn: Option<Color>,
    check: Option<bool>,
    end: Option<End>,
}

/// Who is to move, as far as the conditions say, which speak of check and the end of the game too.
fn mover(way: &[Literal<'_>]) -> Result<Mover, String> {
    let (mut turn, mut in_check, mut end) = (None, None, None);
    for Literal { atom, denied } in way {
        let (mover, check) = match (*atom, *denied) {
            (Atom::Turn(color), denied) => (Some(if denied { color.other() } else { *color }), None),
            (Atom::Check(Check::Of(color)), false) => (Some(*color), Some(true)),
            (Atom::Check(Check::Any), denied) => (None, Some(!denied)),
            (Atom::Check(Check::None), denied) => (None, Some(denied)),
            (Atom::End(wanted), false) => {
                if end.is_some_and(|end| end != *wanted) {
                    return Err("a position cannot be checkmate and stalemate".to_owned());
                }
                end = Some(*wanted);
                (None, Some(*wanted == End::Checkmate))
            }
            _ => (None, None),
        };
        if let (Some(before), Some(now)) = (turn, mover)
            && before != now
        {
            return Err(
                "White and Black cannot both be to move; only the side to move can be in check".to_owned()
            );
        }
        turn = turn.or(mover);
        if let (Some(before), Some(now)) = (in_check, check)
            && before != now
        {
            return Err(
                "the side to move cannot be in check and not in check; checkmate is, stalemate is not"
                    .to_owned(),
            );
        }
        in_check = in_check.or(check);
    }
    Ok(Mover { turn, check: in_check, end })
}

/// The fewest and the most plies from the root, which `turn` must agree with.
fn plies(way: &[Literal<'_>], turn: Option<Color>, start: Situation<'_>) -> Result<(u32, u32), String> {
    let (mut least, mut most) = (0_i32, i32::MAX);
    for Literal { atom, denied } in way {
        let Atom::Ply(comparison) = atom else { continue };
        let comparison = if *denied { comparison.negated() } else { *comparison };
        let (low, high) = match comparison {
            Comparison::In(range) => (range.low().into(), range.high().into()),
            // A hole in the middle bounds nothing.
            Comparison::NotIn(_) => (0, i32::MAX),
            Comparison::Less(bound) => (0, i32::from(bound) - 1),
            Comparison::AtMost(bound) => (0, bound.into()),
            Comparison::Greater(bound) => (i32::from(bound) + 1, i32::MAX),
            Comparison::AtLeast(bound) => (bound.into(), i32::MAX),
        };
        (least, most) = (least.max(low), most.min(high));
    }
    if least > most {
        return Err("no number of plies is as demanded".to_owned());
    }
    let excluded = |literal: &Literal<'_>| match literal.atom {
        // A single number may lie in a hole.
        Atom::Ply(comparison) => comparison.holds(i16::try_from(least).unwrap_or(i16::MAX)) == literal.denied,
        _ => false,
    };
    if least == most && way.iter().any(excluded) {
        return Err("no number of plies is as demanded".to_owned());
    }
    if i64::from(most) < i64::from(start.ply) {
        return Err(format!("the game has {} plies already", start.ply));
    }
    if least == most
        && let Some(turn) = turn
        && (turn == start.position.turn()) != (least as u32 - start.ply).is_multiple_of(2)
    {
        return Err(format!("after {least} plies it is the other side's turn"));
    }
    Ok((least as u32, u32::try_from(most).unwrap_or(u32::MAX)))
}

/// Rights that must be held and others that must not.
fn agree_on_castling(way: &[Literal<'_>]) -> Result<(), String> {
    let castling = |literal: &Literal<'_>| match literal {
        Literal { atom: Atom::Castling(castling), denied: false } => Some(*castling),
        _ => None,
    };
    let nothing = Castling { rights: [false; 4], at_least: true };
    if way.iter().any(|literal| literal.denied && *literal.atom == Atom::Castling(nothing)) {
        return Err("castling>=none always holds".to_owned());
    }
    for exact in way.iter().filter_map(castling).filter(|castling| !castling.at_least) {
        for other in way.iter().filter_map(castling) {
            let agree = exact
                .rights
                .iter()
                .zip(other.rights)
                .all(|(held, wanted)| *held == wanted || (other.at_least && *held));
            if !agree {
                return Err(format!("{exact} and {other} exclude each other"));
            }
        }
    }
    Ok(())
}

/// Bishops that are all to stand on squares of one colour: those that were not born there were promoted.
fn one_coloured_bishops(way: &[Literal<'_>], root: &Chess) -> Vec<Constraint> {
    let mut counts = Vec::new();
    for color in Color::ALL {
        let bishop = Piece { color, role: Role::Bishop };
        for (none, other) in
            [(Region::Light, Bitboard::DARK_SQUARES), (Region::Dark, Bitboard::LIGHT_SQUARES)]
        {
            let is_none = |literal: &Literal<'_>| {
                literal.denied && *literal.atom == Atom::Square(Square { man: Some(bishop), region: none })
            };
            if !way.iter().any(is_none) {
                continue;
            }
            let born = (root.board().by_piece(bishop) & other).count() as i8;
            let promoted = least_bishops(way, color) - born;
            if promoted > 0 {
                let pawn = Piece { color, role: Role::Pawn };
                let left = Men::on(root.board()).count(pawn) as i8 - promoted;
                counts.push(Count { piece: pawn, minus: None, comparison: Comparison::AtMost(left) }.into());
            }
        }
    }
    counts
}

/// The fewest bishops that a condition on their number alone demands.
fn least_bishops(way: &[Literal<'_>], color: Color) -> i8 {
    let bishop = Piece { color, role: Role::Bishop };
    let of_tuple = |tuple: Tuple| if tuple.color == color { tuple.counts[2] as i8 } else { 0 };
    way.iter()
        .filter(|literal| !literal.denied)
        .map(|literal| match literal.atom {
            Atom::Count(Count { piece, minus: None, comparison }) if *piece == bishop => match comparison {
                Comparison::In(range) => IntegerRange::low(*range),
                Comparison::AtLeast(bound) => *bound,
                Comparison::Greater(bound) => bound.saturating_add(1),
                _ => 0,
            },
            Atom::Tuple(tuple) => of_tuple(*tuple),
            Atom::Material(material) => material.tuples().into_iter().map(of_tuple).max().unwrap_or(0),
            _ => 0,
        })
        .max()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests;
