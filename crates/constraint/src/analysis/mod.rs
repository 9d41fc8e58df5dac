//! Analysis of an alternative before any search: what it implies for games from a position, or why it is impossible.
//!
//! [`Facts::of`] takes an alternative and a position. It returns [`Facts`], or the reason why the alternative is
//! impossible. A constraint is impossible if all its alternatives are. An alternative without such a reason may still
//! be impossible.

mod board;
mod game;
mod moves;
mod room;
mod sets;

use shakmaty::{Bitboard, Chess, Color, Piece, Position, Role};

use super::{
    Atom, Castling, Check, Comparison, End, Impossible, Judged, Men, Ply, Region, Situation, Square, Sum,
    Turn,
    alternative::{Alternative, Literal},
    counted,
    counts::Counts,
    noun,
};
use crate::legality::{Problem, illegal};
pub use game::GameFacts;

/// What an alternative implies for the final position of a game.
pub struct Facts<'a> {
    /// The conditions that are not about numbers of men of single kinds.
    pub conditions: &'a [Literal],
    /// The numbers of men, including what the other conditions imply for them.
    pub counts: Counts,
    /// The side to move, if the conditions determine it.
    pub turn: Option<Color>,
    /// Whether the side to move is in check, if the conditions determine it.
    pub check: Option<bool>,
    /// How the game has ended, if the conditions determine it.
    pub end: Option<End>,
    /// The fewest and the most plies from the root.
    pub plies: (u32, u32),
    /// The castling rights that must remain, in the order of [`RIGHTS`](super::RIGHTS).
    pub keep: [bool; 4],
    /// What the game must have.
    pub game: GameFacts,
    /// The whole diagram that the conditions require, with what they say about the side to move and castling rights;
    /// `None` if some square is free, or if games do not begin in the initial position.
    pub diagram: Option<Problem>,
}

impl Facts<'_> {
    /// What `alternative` implies for games from `start`.
    ///
    /// # Errors
    /// [`Impossible`] if no legal game from `start` can satisfy the alternative.
    pub fn of<'a>(alternative: &'a Alternative, start: Situation<'_>) -> Result<Facts<'a>, Impossible> {
        let root = start.position;
        let conditions = alternative.conditions.as_slice();
        let because = |reason: String| Impossible::Because { reason };
        if let Some(atom) = required_and_negated(conditions) {
            return Err(because(format!("{atom} cannot both hold and not hold")));
        }
        let Mover { turn, check, end } = mover(conditions).map_err(because)?;
        let plies = plies(conditions, turn, start).map_err(because)?;
        let mut counts = alternative.counts.clone();
        board::count(conditions, root, &mut counts).map_err(because)?;
        sets::count(conditions, root, &mut counts).map_err(because)?;
        let keep = castling(conditions).map_err(because)?;
        one_coloured_bishops(alternative, root, &mut counts);
        let counts = counts.settled()?;
        let men = Men::on(root.board());
        if let Some(reason) = counts.unreachable_reason(&men) {
            return Err(reason);
        }
        sums(conditions, &counts, &men)?;
        let captures = counts.captures_needed(&men);
        let left = plies.1 - start.ply;
        if captures > left {
            return Err(because(format!(
                "at least {} must be captured, but at most {} {} left",
                counted(captures, "man", "men"),
                counted(left, "ply", "plies"),
                noun(left, "is", "are")
            )));
        }
        moves::check(&counts, root, left).map_err(because)?;
        let game = game::check(conditions, &counts, keep, left, start).map_err(because)?;
        let diagram = whole_diagram(conditions, turn, root);
        if let Some(illegal) = diagram.as_ref().and_then(illegal) {
            return Err(because(illegal.to_string()));
        }
        let facts = Facts { conditions, counts, turn, check, end, plies, keep, game, diagram };
        game::check_earlier(&facts, start).map_err(because)?;
        Ok(facts)
    }

    /// True if the conditions say nothing more than the whole diagram and bounds on the number of plies.
    pub fn are_of_a_diagram(&self) -> bool {
        let is_covered = |literal: &Literal| match &*literal.atom {
            Atom::Diagram(diagram) => !literal.negated && diagram.unknown.is_empty(),
            Atom::Castling(castling) => !literal.negated && !castling.at_least,
            Atom::Turn(_) => true,
            // Neither has a gap in the middle.
            Atom::Ply(Ply(comparison)) => {
                let comparison = if literal.negated { comparison.negated() } else { *comparison };
                !matches!(comparison, Comparison::NotIn(_))
            }
            _ => false,
        };
        self.diagram.is_some() && self.conditions.iter().all(is_covered)
    }

    /// True if only numbers of men, castling and the length of the game can make the alternative unreachable.
    pub fn are_of_numbers(&self) -> bool {
        // `!castling=none` is not decided by `keep`: it fails when the last castling right is lost.
        let is_decided = |literal: &Literal| match &*literal.atom {
            Atom::Castling(_) => !literal.negated,
            Atom::Opening(_) | Atom::Begins(_) | Atom::Earlier(_) => false,
            atom => !atom.places_men(),
        };
        self.conditions.iter().all(is_decided)
    }
}

/// A condition that must hold and must not hold.
fn required_and_negated(way: &[Literal]) -> Option<&Atom> {
    let required = way.iter().filter(|literal| !literal.negated);
    required
        .map(|literal| &*literal.atom)
        .find(|atom| way.iter().any(|other| other.negated && *other.atom == **atom))
}

/// Checks each condition on a total number of men by itself, with the numbers of single kinds.
fn sums(way: &[Literal], counts: &Counts, men: &Men) -> Result<(), Impossible> {
    for Literal { atom, negated } in way {
        let Atom::Sum(sum) = &**atom else { continue };
        let (attainable, allowed) = (sum.attainable(men), sum.within(&counts.bounds()));
        let (least, most) = (attainable.0.max(allowed.0), attainable.1.min(allowed.1));
        let comparison = if *negated { sum.comparison.negated() } else { sum.comparison };
        if !(least..=most).any(|number| comparison.holds(number)) {
            let required = Sum { comparison, ..*sum };
            let reason = format!("no reachable numbers of men have {required}");
            return Err(Impossible::Because { reason });
        }
    }
    Ok(())
}

/// What the conditions say about the side to move.
struct Mover {
    turn: Option<Color>,
    check: Option<bool>,
    end: Option<End>,
}

/// The side to move, whether it is in check, and how the game has ended, where the conditions determine them.
fn mover(way: &[Literal]) -> Result<Mover, String> {
    let (mut turn, mut in_check, mut end, mut judged) = (None, None, None, None);
    for Literal { atom, negated } in way {
        let (mover, check) = match (&**atom, *negated) {
            (Atom::Turn(Turn(color)), negated) => (Some(if negated { color.other() } else { *color }), None),
            (Atom::Check(Check::Of(color)), false) => (Some(*color), Some(true)),
            (Atom::Check(Check::Any), negated) => (None, Some(!negated)),
            (Atom::Check(Check::None), negated) => (None, Some(negated)),
            (Atom::End(wanted), false) => {
                if end.is_some_and(|end| end != *wanted) {
                    return Err("a position cannot be both checkmate and stalemate".to_owned());
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
                "the side to move cannot be both in check and not in check; checkmate means check, stalemate and quiet \
                 mean no check"
                    .to_owned(),
            );
        }
        in_check = in_check.or(check);
    }
    if let (Some(end), Some(judged)) = (end, judged) {
        return Err(format!("'{judged}' requires a legal move, and '{end}' means that there is none"));
    }
    Ok(Mover { turn, check: in_check, end })
}

/// The fewest and the most plies from the root, or why no number of plies fits the conditions and `turn`.
fn plies(way: &[Literal], turn: Option<Color>, start: Situation<'_>) -> Result<(u32, u32), String> {
    let (mut least, mut most) = (0_i32, i32::MAX);
    for Literal { atom, negated } in way {
        let Atom::Ply(Ply(comparison)) = &**atom else { continue };
        let comparison = if *negated { comparison.negated() } else { *comparison };
        let (low, high) = match comparison {
            Comparison::In(range) => (range.low().into(), range.high().into()),
            // A gap in the middle sets no bound.
            Comparison::NotIn(_) => (0, i32::MAX),
            Comparison::Less(bound) => (0, i32::from(bound) - 1),
            Comparison::AtMost(bound) => (0, bound.into()),
            Comparison::Greater(bound) => (i32::from(bound) + 1, i32::MAX),
            Comparison::AtLeast(bound) => (bound.into(), i32::MAX),
        };
        (least, most) = (least.max(low), most.min(high));
    }
    if least > most {
        return Err("no number of plies satisfies all conditions".to_owned());
    }
    let excluded = |literal: &Literal| match &*literal.atom {
        // If only one number is left, it may lie in the gap of a `!=`.
        Atom::Ply(Ply(comparison)) => {
            comparison.holds(i16::try_from(least).unwrap_or(i16::MAX)) == literal.negated
        }
        _ => false,
    };
    if least == most && way.iter().any(excluded) {
        return Err("no number of plies satisfies all conditions".to_owned());
    }
    if i64::from(most) < i64::from(start.ply) {
        return Err(format!("the game already has {}", counted(start.ply, "ply", "plies")));
    }
    if least == most
        && let Some(turn) = turn
        && (turn == start.position.turn()) != (least as u32 - start.ply).is_multiple_of(2)
    {
        return Err(format!("after {} it is the other side's turn", counted(least, "ply", "plies")));
    }
    Ok((least as u32, u32::try_from(most).unwrap_or(u32::MAX)))
}

/// The castling rights that must remain, or why the conditions on them contradict each other.
fn castling(way: &[Literal]) -> Result<[bool; 4], String> {
    let nothing = Castling { rights: [false; 4], at_least: true };
    let mut required = Vec::new();
    for literal in way {
        match &*literal.atom {
            Atom::Castling(castling) if literal.negated && *castling == nothing => {
                return Err("castling>=none always holds".to_owned());
            }
            Atom::Castling(castling) if !literal.negated => required.push(castling),
            _ => {}
        }
    }
    for exact in required.iter().filter(|castling| !castling.at_least) {
        for other in &required {
            let agrees = |(held, wanted): (&bool, bool)| *held == wanted || (other.at_least && *held);
            if !exact.rights.iter().zip(other.rights).all(agrees) {
                return Err(format!("{exact} and {other} exclude each other"));
            }
        }
    }
    Ok(std::array::from_fn(|right| required.iter().any(|castling| castling.rights[right])))
}

/// [`Facts::diagram`].
fn whole_diagram(way: &[Literal], turn: Option<Color>, root: &Chess) -> Option<Problem> {
    let required = || way.iter().filter(|literal| !literal.negated);
    let board = required().find_map(|literal| match &*literal.atom {
        Atom::Diagram(diagram) if diagram.unknown.is_empty() => Some(diagram.board.clone()),
        _ => None,
    })?;
    let castling = required().find_map(|literal| match *literal.atom {
        Atom::Castling(castling) if !castling.at_least => Some(castling.rooks(root)),
        _ => None,
    });
    (*root == Chess::default()).then(|| Problem { turn, castling, ..Problem::of(board) })
}

/// Limits the number of pawns where a side's bishops must all stand on squares of one colour: bishops beyond those that
/// the root has on that colour must have been promoted.
fn one_coloured_bishops(alternative: &Alternative, root: &Chess, counts: &mut Counts) {
    for color in Color::ALL {
        let bishop = Piece { color, role: Role::Bishop };
        for (none, other) in
            [(Region::Light, Bitboard::DARK_SQUARES), (Region::Dark, Bitboard::LIGHT_SQUARES)]
        {
            let elsewhere = Atom::Square(Square { man: Some(bishop), region: none });
            if !alternative.conditions.iter().any(|literal| literal.negated && *literal.atom == elsewhere) {
                continue;
            }
            let at_root = (root.board().by_piece(bishop) & other).count() as i8;
            let promoted = alternative.counts.least(bishop).saturating_sub(at_root);
            if promoted > 0 {
                let pawn = Piece { color, role: Role::Pawn };
                counts.limit(pawn, Men::on(root.board()).count(pawn) as i8 - promoted);
            }
        }
    }
}

#[cfg(test)]
mod tests;
