//! What can be proved impossible before any search, for the whole language.
//!
//! A constraint is written out into ways to meet it, each a list of conditions that must all hold. It is impossible if
//! every way is. What is not proved here may still be impossible.

mod board;

use shakmaty::{Bitboard, Chess, Color, Piece, Position, Role};

use super::{
    Atom, Check, Comparison, Constraint, Count, End, Goal, Impossible, IntegerRange, Men, Region, Square,
    Tuple,
};

/// More ways than these are not looked at.
const MOST_WAYS: usize = 1024;

/// A condition that must hold, or must not.
#[derive(Clone, Copy)]
struct Literal<'a> {
    atom: &'a Atom,
    denied: bool,
}

impl Constraint {
    /// Why no legal game from `root` satisfies the constraint, if that is proved.
    ///
    /// With several ways to meet it the reason is that of the first.
    pub fn impossible_from(&self, root: &Chess) -> Option<Impossible> {
        let mut first = None;
        for way in ways(self, false)? {
            let reason = reason(&way, root)?;
            first.get_or_insert(reason);
        }
        Some(first.unwrap_or(Impossible::Contradiction))
    }
}

/// The ways to meet a constraint, or to break it if `denied`; `None` if there are too many.
fn ways(constraint: &Constraint, denied: bool) -> Option<Vec<Vec<Literal<'_>>>> {
    match (constraint, denied) {
        (Constraint::Atom(atom), _) => Some(vec![vec![Literal { atom, denied }]]),
        (Constraint::Not(inner), _) => ways(inner, !denied),
        (Constraint::All(parts), false) | (Constraint::Any(parts), true) => {
            let mut product = vec![Vec::new()];
            for part in parts {
                let factor = ways(part, denied)?;
                if product.len() * factor.len() > MOST_WAYS {
                    return None;
                }
                product = product
                    .iter()
                    .flat_map(|left| factor.iter().map(|right| [left.as_slice(), right].concat()))
                    .collect();
            }
            Some(product)
        }
        (Constraint::Any(parts), false) | (Constraint::All(parts), true) => {
            let mut sum = Vec::new();
            for part in parts {
                sum.extend(ways(part, denied)?);
            }
            (sum.len() <= MOST_WAYS).then_some(sum)
        }
    }
}

/// Why a way leads nowhere, if that is proved.
fn reason(way: &[Literal<'_>], root: &Chess) -> Option<Impossible> {
    let because = |reason: String| Some(Impossible::Because { reason });
    let turn = match mover(way) {
        Ok(turn) => turn,
        Err(reason) => return because(reason),
    };
    let plies = match plies(way, turn, root) {
        Ok(plies) => plies,
        Err(reason) => return because(reason),
    };
    let mut counts = match board::counts(way, root).and_then(|counts| agree_on_castling(way).map(|()| counts))
    {
        Ok(counts) => counts,
        Err(reason) => return because(reason),
    };
    counts.extend(one_coloured_bishops(way, root));
    for Literal { atom, denied } in way.iter().filter(|literal| literal.atom.counts_men()) {
        let atom = Constraint::Atom((*atom).clone());
        counts.push(if *denied { Constraint::Not(Box::new(atom)) } else { atom });
    }
    let men = Men::on(root.board());
    let goal = Goal::new(&Constraint::All(counts)).ok()?;
    goal.impossible_from(&men).or_else(|| {
        let captures = goal.captures_needed(&men);
        let (_, most) = plies;
        (captures > most).then(|| Impossible::Because {
            reason: format!("at least {captures} men must be captured, in at most {most} plies"),
        })
    })
}

/// Who is to move, as far as the conditions say, which speak of check and the end of the game too.
fn mover(way: &[Literal<'_>]) -> Result<Option<Color>, String> {
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
    Ok(turn)
}

/// The fewest and the most plies from the root, which `turn` must agree with.
fn plies(way: &[Literal<'_>], turn: Option<Color>, root: &Chess) -> Result<(u32, u32), String> {
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
    let is_root_to_move_after = |ply: i32| ply % 2 == 0;
    if least == most
        && let Some(turn) = turn
        && (turn == root.turn()) != is_root_to_move_after(least)
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
