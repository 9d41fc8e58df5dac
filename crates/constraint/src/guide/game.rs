//! The cost of conditions on the game: captures, castling, the opening, the first moves and earlier positions.

use std::sync::Arc;

use shakmaty::{Color, Position as _, attacks};

use super::{Guide, GuideError, paths::PLY, side};
use crate::{
    Atom, Earlier, Facts, GameFacts, HowCastled, Literal, Men, Situation, Target, atom::Captures,
    counts::Counts, homes,
};

/// The cost of reaching an opening if the game has begun in a way that the list of openings does not know.
const OFF_THE_LINES: u32 = 16 * PLY;

/// The most that the conditions on the game cost together.
const MAX_COST: u32 = 100 * PLY;

/// What an alternative asks of the game.
#[derive(Clone)]
pub(super) struct GameWay {
    facts: GameFacts,
    conditions: Vec<Condition>,
}

#[derive(Clone)]
enum Condition {
    /// A condition on captures with a gap.
    Captures { atom: Arc<Atom>, negated: bool },
    /// The game must go through an opening. If it begins off the known ways, it may stay there.
    Opening { atom: Arc<Atom>, may_be_off: bool },
    /// The game must begin with these moves.
    Begins(Arc<Atom>),
    /// An earlier position must satisfy a constraint, to which a guide leads unless it has already held at the start.
    Earlier { atom: Arc<Atom>, guide: Option<Arc<Guide>> },
    /// An opening, first moves or an earlier position that the game must not have.
    Never(Arc<Atom>),
}

/// The cost of the game's conditions in a position.
#[derive(Clone, Copy, Default)]
pub(super) struct GameCost {
    /// The whole cost.
    pub total: u32,
    /// The part that a policy network is not shown.
    pub led: u32,
    /// The fewest plies of the opening and of the first moves that must still be played.
    pub opening: u32,
    /// True if something must not have held before the next position, and holds now.
    pub is_last: bool,
}

impl GameWay {
    /// The way for `facts` of games from `start`.
    ///
    /// # Errors
    /// [`GuideError`] if an earlier position is impossible, or too complex.
    pub(super) fn new(facts: &Facts<'_>, start: Situation<'_>) -> Result<GameWay, GuideError> {
        let mut conditions = Vec::new();
        for Literal { atom, negated } in facts.conditions {
            let (atom, negated) = (Arc::clone(atom), *negated);
            match &*atom {
                Atom::Captures(_) => conditions.push(Condition::Captures { atom, negated }),
                Atom::Opening(_) | Atom::Begins(_) | Atom::Earlier(_) if negated => {
                    conditions.push(Condition::Never(atom));
                }
                Atom::Opening(opening) => {
                    let may_be_off = opening.plies_from(start.position).is_none();
                    conditions.push(Condition::Opening { atom, may_be_off });
                }
                Atom::Begins(_) => conditions.push(Condition::Begins(atom)),
                Atom::Earlier(earlier) => {
                    let guide = if atom.holds(start) { None } else { Some(stage(earlier, start)?) };
                    conditions.push(Condition::Earlier { atom, guide });
                }
                _ => {}
            }
        }
        Ok(GameWay { facts: facts.game, conditions })
    }

    /// True if the way asks for something that a policy network is not shown and games can be led to.
    pub(super) fn leads(&self) -> bool {
        let leads = |condition: &Condition| match condition {
            Condition::Opening { .. } | Condition::Begins(_) => true,
            Condition::Earlier { guide, .. } => guide.as_ref().is_some_and(|guide| guide.leads()),
            Condition::Captures { .. } | Condition::Never(_) => false,
        };
        self.facts.captures.0 > 0
            || self.facts.castled != [HowCastled::ANY; 2]
            || self.conditions.iter().any(leads)
    }

    /// The guides to the earlier positions that have not occurred yet.
    pub(super) fn stages<'a>(&'a self, situation: Situation<'a>) -> impl Iterator<Item = &'a Arc<Guide>> {
        self.conditions.iter().filter_map(move |condition| match condition {
            Condition::Earlier { atom, guide: Some(guide) } if !atom.holds(situation) => Some(guide),
            _ => None,
        })
    }

    /// The cost from a position; `None` if a condition can no longer hold, or an opening no longer on a known way.
    /// `counts` are the numbers of men at the end.
    pub(super) fn cost(&self, situation: Situation<'_>, counts: &Counts) -> Option<GameCost> {
        let mut cost = GameCost::default();
        let led = |cost: &mut GameCost, by: u32| {
            cost.total += by;
            cost.led += by;
        };
        let (least, most) = self.facts.captures;
        if (least, most) != (0, i16::MAX) {
            let so_far = Captures::so_far(situation);
            let forced = counts.forced_captures(&Men::on(situation.position.board())) as i16;
            if so_far + forced > most {
                return None;
            }
            led(&mut cost, (least - so_far - forced).max(0) as u32 * PLY);
        }
        for color in Color::ALL {
            led(&mut cost, castling_cost(self.facts.castled[side(color)], situation, color)?);
        }
        let (mut first_moves, mut opening) = (0, 0);
        for condition in &self.conditions {
            match condition {
                Condition::Captures { atom, negated } => {
                    cost.total += if atom.holds(situation) == *negated { PLY } else { 0 };
                }
                Condition::Opening { atom, may_be_off } if !atom.holds(situation) => {
                    let Atom::Opening(wanted) = &**atom else { continue };
                    match wanted.plies_from(situation.position) {
                        Some(plies) => first_moves = first_moves.max(plies * PLY),
                        None if *may_be_off => led(&mut cost, OFF_THE_LINES),
                        None => return None,
                    }
                }
                Condition::Begins(atom) => {
                    let Atom::Begins(begins) = &**atom else { continue };
                    first_moves = first_moves.max(begins.plies_left(situation)? as u32 * PLY);
                }
                Condition::Never(atom) => {
                    if atom.holds(situation) {
                        return None;
                    }
                    if let Atom::Earlier(earlier) = &**atom {
                        cost.is_last |= earlier.0.holds(situation);
                    }
                }
                Condition::Earlier { atom, guide: Some(guide) } if !atom.holds(situation) => {
                    let Atom::Earlier(earlier) = &**atom else { continue };
                    if earlier.0.holds(situation) {
                        cost.total += PLY;
                    } else {
                        cost.total += guide.estimate(situation)?.total() + PLY;
                        opening = opening.max(guide.opening_plies(situation)? * PLY);
                        cost.led += (guide.led_distance(situation) * PLY as f32) as u32;
                    }
                }
                Condition::Opening { .. } | Condition::Earlier { .. } => {}
            }
        }
        led(&mut cost, first_moves);
        cost.opening = first_moves.max(opening) / PLY;
        cost.total = cost.total.min(MAX_COST);
        Some(cost)
    }
}

/// The guide to an earlier position.
fn stage(earlier: &Earlier, start: Situation<'_>) -> Result<Arc<Guide>, GuideError> {
    let target = Target::new(earlier.0.clone()).map_err(|_| GuideError::TooComplex)?;
    Guide::new(&target, start).map(Arc::new)
}

/// The cost of castling: a move, and one for each man between king and rook. `None` if it is not possible any more.
fn castling_cost(how: HowCastled, situation: Situation<'_>, color: Color) -> Option<u32> {
    if how == HowCastled::ANY {
        return Some(0);
    }
    let castled = situation.past.castled(color);
    if how.contains(castled) {
        return Some(0);
    }
    if castled.is_some() {
        return None;
    }
    let occupied = situation.position.board().occupied();
    let cost = |wing| {
        let [(king, _), (rook, _)] = homes(situation.position, color, wing);
        (1 + (attacks::between(king, rook) & occupied).count() as u32) * PLY
    };
    how.still_possible(situation, color).map(cost).min()
}
