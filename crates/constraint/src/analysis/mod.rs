//! Analysis of an alternative: what follows from it for games that go on from a position, and what can be proved
//! impossible before any search.
//!
//! In come an alternative and a position; out come [`Facts`], or the reason why it is impossible. A constraint is
//! impossible if every alternative is. An alternative that is not proved impossible here may still be so.

mod board;
mod moves;

use shakmaty::{Bitboard, Chess, Color, Piece, Position, Role};

use super::{
    Atom, Castling, Check, Comparison, End, Impossible, Judged, Men, Ply, Region, Situation, Square, Sum,
    Turn,
    alternative::{Alternative, Literal},
    counts::Counts,
};
use crate::legality::{Problem, illegal};

/// What follows from an alternative.
pub struct Facts<'a> {
    /// What it says beside the numbers of men.
    pub conditions: &'a [Literal],
    /// The numbers of men, with what follows for them from the other conditions.
    pub counts: Counts,
    /// Who is to move.
    pub turn: Option<Color>,
    /// Whether the side to move is in check.
    pub check: Option<bool>,
    /// How the game has ended.
    pub end: Option<End>,
    /// The fewest and the most plies from the root.
    pub plies: (u32, u32),
    /// Rights to castle that must be held, in the order of [`RIGHTS`](super::RIGHTS).
    pub keep: [bool; 4],
}

impl Facts<'_> {
    /// What follows from `alternative` for games that go on from `start`, or why there are none.
    pub fn of<'a>(alternative: &'a Alternative, start: Situation<'_>) -> Result<Facts<'a>, Impossible> {
        let root = start.position;
        let conditions = alternative.conditions.as_slice();
        let because = |reason: String| Impossible::Because { reason };
        if let Some(atom) = denied_and_demanded(conditions) {
            return Err(because(format!("{atom} cannot hold and not hold")));
        }
        let Mover { turn, check, end } = mover(conditions).map_err(because)?;
        let plies = plies(conditions, turn, start).map_err(because)?;
        let mut counts = alternative.counts.clone();
        board::count(conditions, root, &mut counts).map_err(because)?;
        let keep = castling(conditions).map_err(because)?;
        one_coloured_bishops(alternative, root, &mut counts);
        let counts = counts.settled()?;
        let men = Men::on(root.board());
        if let Some(reason) = counts.unreachable_reason(&men) {
            return Err(reason);
        }
        sums(conditions, &men)?;
        let captures = counts.captures_needed(&men);
        let left = plies.1 - start.ply;
        if captures > left {
            return Err(because(format!(
                "at least {captures} men must be captured, in at most {left} plies"
            )));
        }
        moves::check(&counts, root, left).map_err(because)?;
        if let Some(illegal) = whole_diagram(conditions, turn, root).and_then(|problem| illegal(&problem)) {
            return Err(because(illegal.to_string()));
        }
        Ok(Facts { conditions, counts, turn, check, end, plies, keep })
    }

    /// True if nothing is lost for good but by numbers of men, rights to castle and the length of the game.
    pub fn are_of_numbers(&self) -> bool {
        // The last right to castle goes for good, too.
        let is_decided = |literal: &Literal| match &*literal.atom {
            Atom::Castling(_) => !literal.denied,
            atom => !atom.places_men(),
        };
        self.conditions.iter().all(is_decided)
    }
}

/// A condition that must hold and must not.
fn denied_and_demanded(way: &[Literal]) -> Option<&Atom> {
    let demanded = way.iter().filter(|literal| !literal.denied);
    demanded
        .map(|literal| &*literal.atom)
        .find(|atom| way.iter().any(|other| other.denied && *other.atom == **atom))
}

/// Numbers of men of several kinds, each by itself.
fn sums(way: &[Literal], men: &Men) -> Result<(), Impossible> {
    for Literal { atom, denied } in way {
        let Atom::Sum(sum) = &**atom else { continue };
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

/// Who is to move, whether that side is in check, and how the game has ended, as far as the conditions say.
fn mover(way: &[Literal]) -> Result<Mover, String> {
    let (mut turn, mut in_check, mut end, mut judged) = (None, None, None, None);
    for Literal { atom, denied } in way {
        let (mover, check) = match (&**atom, *denied) {
            (Atom::Turn(Turn(color)), denied) => (Some(if denied { color.other() } else { *color }), None),
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
            (Atom::Judged(condition), false) => {
                judged = Some(condition);
                (None, (*condition == Judged::Quiet).then_some(false))
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
                "the side to move cannot be in check and not in check; checkmate is, stalemate is not, nor is quiet"
                    .to_owned(),
            );
        }
        in_check = in_check.or(check);
    }
    if let (Some(end), Some(judged)) = (end, judged) {
        return Err(format!("{judged} speaks of a side that can move, and {end} of one that cannot"));
    }
    Ok(Mover { turn, check: in_check, end })
}

/// The fewest and the most plies from the root, which `turn` must agree with.
fn plies(way: &[Literal], turn: Option<Color>, start: Situation<'_>) -> Result<(u32, u32), String> {
    let (mut least, mut most) = (0_i32, i32::MAX);
    for Literal { atom, denied } in way {
        let Atom::Ply(Ply(comparison)) = &**atom else { continue };
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
    let excluded = |literal: &Literal| match &*literal.atom {
        // A single number may lie in a hole.
        Atom::Ply(Ply(comparison)) => {
            comparison.holds(i16::try_from(least).unwrap_or(i16::MAX)) == literal.denied
        }
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

/// The rights to castle that must be held, or why they cannot be.
fn castling(way: &[Literal]) -> Result<[bool; 4], String> {
    let nothing = Castling { rights: [false; 4], at_least: true };
    let mut demanded = Vec::new();
    for literal in way {
        match &*literal.atom {
            Atom::Castling(castling) if literal.denied && *castling == nothing => {
                return Err("castling>=none always holds".to_owned());
            }
            Atom::Castling(castling) if !literal.denied => demanded.push(castling),
            _ => {}
        }
    }
    for exact in demanded.iter().filter(|castling| !castling.at_least) {
        for other in &demanded {
            let agrees = |(held, wanted): (&bool, bool)| *held == wanted || (other.at_least && *held);
            if !exact.rights.iter().zip(other.rights).all(agrees) {
                return Err(format!("{exact} and {other} exclude each other"));
            }
        }
    }
    Ok(std::array::from_fn(|right| demanded.iter().any(|castling| castling.rights[right])))
}

/// What the conditions say of a whole board that games from the initial position are to come to, if they say where everything
/// stands.
fn whole_diagram(way: &[Literal], turn: Option<Color>, root: &Chess) -> Option<Problem> {
    let demanded = || way.iter().filter(|literal| !literal.denied);
    let board = demanded().find_map(|literal| match &*literal.atom {
        Atom::Diagram(diagram) if diagram.unknown.is_empty() => Some(diagram.board.clone()),
        _ => None,
    })?;
    let castling = demanded().find_map(|literal| match *literal.atom {
        Atom::Castling(castling) if !castling.at_least => Some(castling.rooks()),
        _ => None,
    });
    (*root == Chess::default()).then(|| Problem { turn, castling, ..Problem::of(board) })
}

/// Bishops that are all to stand on squares of one colour: those that were not born there were promoted.
fn one_coloured_bishops(alternative: &Alternative, root: &Chess, counts: &mut Counts) {
    for color in Color::ALL {
        let bishop = Piece { color, role: Role::Bishop };
        for (none, other) in
            [(Region::Light, Bitboard::DARK_SQUARES), (Region::Dark, Bitboard::LIGHT_SQUARES)]
        {
            let elsewhere = Atom::Square(Square { man: Some(bishop), region: none });
            if !alternative.conditions.iter().any(|literal| literal.denied && *literal.atom == elsewhere) {
                continue;
            }
            let born = (root.board().by_piece(bishop) & other).count() as i8;
            let promoted = alternative.counts.least(bishop).saturating_sub(born);
            if promoted > 0 {
                let pawn = Piece { color, role: Role::Pawn };
                counts.limit(pawn, Men::on(root.board()).count(pawn) as i8 - promoted);
            }
        }
    }
}

#[cfg(test)]
mod tests;
