//! What an alternative asks of the game, apart from its length: captures, castling, the opening and earlier positions.

use shakmaty::{Bitboard, CastlingSide, Chess, Color, Piece, Position as _, Rank};

use super::Literal;
use crate::{
    Atom, Castled, Comparison, Constraint, Earlier, Facts, HowCastled, Men, RIGHTS, Situation,
    atom::{Captures, Opening},
    counted,
    counts::Counts,
    men::side,
    noun,
};

/// What the whole game must have, whatever its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameFacts {
    /// The fewest and the most captures since its first position.
    pub captures: (i16, i16),
    /// How White and Black must have castled in the end.
    pub castled: [HowCastled; 2],
}

impl GameFacts {
    /// The facts of the conditions, or why no number of captures or way of castling satisfies them all.
    fn of(conditions: &[Literal]) -> Result<GameFacts, String> {
        let mut facts = GameFacts { captures: (0, i16::MAX), castled: [HowCastled::ANY; 2] };
        for Literal { atom, negated } in conditions {
            match &**atom {
                Atom::Captures(Captures(comparison)) => {
                    let comparison = if *negated { comparison.negated() } else { *comparison };
                    let (least, most) = bounds(comparison);
                    facts.captures = (facts.captures.0.max(least), facts.captures.1.min(most));
                }
                Atom::Castled(Castled { player: Some(color), how }) => {
                    let castled = &mut facts.castled[color.fold_wb(0, 1)];
                    *castled = castled.and(if *negated { how.negated() } else { *how });
                    if castled.is_empty() {
                        return Err(format!(
                            "the conditions on {}'s castling exclude each other",
                            side(*color)
                        ));
                    }
                }
                _ => {}
            }
        }
        if facts.captures.0 > facts.captures.1 {
            return Err("no number of captures satisfies all conditions".to_owned());
        }
        Ok(facts)
    }

    /// False if a game with `earlier` facts cannot go on to have these.
    fn may_follow(&self, earlier: &GameFacts) -> bool {
        let castled = [None, Some(CastlingSide::KingSide), Some(CastlingSide::QueenSide)];
        let may_castle = |color: usize| {
            castled.into_iter().filter(|before| earlier.castled[color].contains(*before)).any(|before| {
                castled
                    .into_iter()
                    .any(|after| self.castled[color].contains(after) && (before.is_none() || before == after))
            })
        };
        earlier.captures.0 <= self.captures.1 && (0..2).all(may_castle)
    }
}

/// The least and the greatest number that satisfy a comparison, at least 0. A gap in the middle sets no bound.
fn bounds(comparison: Comparison<i16>) -> (i16, i16) {
    let (least, most) = match comparison {
        Comparison::In(range) => (range.low(), range.high()),
        Comparison::NotIn(_) => (0, i16::MAX),
        Comparison::Less(bound) => (0, bound - 1),
        Comparison::AtMost(bound) => (0, bound),
        Comparison::Greater(bound) => (bound + 1, i16::MAX),
        Comparison::AtLeast(bound) => (bound, i16::MAX),
    };
    (least.max(0), most)
}

/// What `alternative` asks of games from `start`, or why no game can have it. `counts` are the numbers of men in the
/// end, `keep` the castling rights that must remain, and `left` the plies that may still be played.
pub(super) fn check(
    conditions: &[Literal],
    counts: &Counts,
    keep: [bool; 4],
    left: u32,
    start: Situation<'_>,
) -> Result<GameFacts, String> {
    let facts = GameFacts::of(conditions)?;
    if !conditions.iter().any(|literal| literal.atom.is_of_the_game()) {
        return Ok(facts);
    }
    check_captures(facts.captures, counts, left, start)?;
    for color in Color::ALL {
        check_castling(facts.castled[color.fold_wb(0, 1)], color, keep, left, start)?;
    }
    for Literal { atom, negated } in conditions {
        match &**atom {
            Atom::Opening(opening) => check_opening(opening, atom, *negated, start)?,
            Atom::Begins(begins) => match (begins.plies_left(start), *negated) {
                (Some(0), true) => return Err(format!("{}: it has", atom.in_words())),
                (None, false) => return Err(format!("{}: it has not", atom.in_words())),
                (Some(plies), false) if plies > left as usize => {
                    let (needed, left) =
                        (counted(plies as u32, "ply", "plies"), counted(left, "ply", "plies"));
                    return Err(format!("the first moves take {needed} more, but at most {left} may follow"));
                }
                _ => {}
            },
            _ => {}
        }
    }
    Ok(facts)
}

fn check_captures(
    (least, most): (i16, i16),
    counts: &Counts,
    left: u32,
    start: Situation<'_>,
) -> Result<(), String> {
    let men = Men::on(start.position.board());
    let so_far = Captures::so_far(start);
    if so_far > most {
        return Err(format!("the game already has {}", counted(so_far as u32, "capture", "captures")));
    }
    let fewest = so_far + counts.forced_captures(&men) as i16;
    if fewest > most {
        let fewest = counted(fewest as u32, "capture", "captures");
        return Err(format!("the numbers of men need at least {fewest}, but at most {most} are allowed"));
    }
    let total = start.past.first_position().board().occupied().count() as i16;
    let greatest = total - counts.fewest_men() as i16;
    if least > greatest {
        let greatest = counted(greatest.max(0) as u32, "capture", "captures");
        return Err(format!(
            "the numbers of men allow at most {greatest}, but at least {least} are required"
        ));
    }
    if i64::from(least) - i64::from(so_far) > i64::from(left) {
        return Err(format!(
            "{} {} still required, but at most {} {} left",
            counted((least - so_far) as u32, "capture", "captures"),
            noun((least - so_far) as u32, "is", "are"),
            counted(left, "ply", "plies"),
            noun(left, "is", "are")
        ));
    }
    Ok(())
}

fn check_castling(
    how: HowCastled,
    color: Color,
    keep: [bool; 4],
    left: u32,
    start: Situation<'_>,
) -> Result<(), String> {
    let name = side(color);
    let castled = start.past.castled(color);
    if how.contains(castled) {
        return Ok(());
    }
    let on = |wing| if wing == CastlingSide::KingSide { "kingside" } else { "queenside" };
    if let Some(wing) = castled {
        return Err(format!("{name} has already castled {}", on(wing)));
    }
    if how.still_possible(start, color).next().is_none() {
        let wing = [CastlingSide::KingSide, CastlingSide::QueenSide].into_iter();
        let wanted: Vec<&str> = wing.filter(|wing| how.contains(Some(*wing))).map(on).collect();
        return Err(format!("{name} can no longer castle {}", wanted.join(" or ")));
    }
    if RIGHTS.iter().zip(keep).any(|((_, side, _), keep)| keep && *side == color) {
        return Err(format!("{name} must castle, but must also keep a castling right"));
    }
    let moves = if start.position.turn() == color { left.div_ceil(2) } else { left / 2 };
    if moves == 0 {
        return Err(format!("{name} must castle, but has no move left"));
    }
    Ok(())
}

fn check_opening(opening: &Opening, atom: &Atom, negated: bool, start: Situation<'_>) -> Result<(), String> {
    match (atom.holds(start), negated) {
        (true, true) => Err(format!("{}: it has", atom.in_words())),
        (false, false) if opening.plies_from(start.position).is_none() => {
            let may_follow = |position: &Chess| may_follow(start.position, position);
            if opening.positions().iter().any(may_follow) {
                return Ok(());
            }
            Err(format!("{}: it can no longer do so", atom.in_words()))
        }
        _ => Ok(()),
    }
}

/// False only if no game leads from one position to another: rights, unmoved pawns and men do not return. Promotions
/// are taken into account only as far as pawns are missing.
fn may_follow(from: &Chess, to: &Chess) -> bool {
    let rights = RIGHTS
        .iter()
        .all(|(_, color, wing)| !to.castles().has(*color, *wing) || from.castles().has(*color, *wing));
    let home = |position: &Chess, color: Color| -> Bitboard {
        let rank = color.fold_wb(Rank::Second, Rank::Seventh);
        position.board().by_piece(color.pawn()) & Bitboard::from(rank)
    };
    let pawns = Color::ALL.into_iter().all(|color| (home(to, color) & !home(from, color)).is_empty());
    let (before, after) = (Men::on(from.board()), Men::on(to.board()));
    let men = Color::ALL.into_iter().all(|color| {
        let missing = |piece: Piece| (after.count(piece) as i32 - before.count(piece) as i32).max(0);
        let others = [color.queen(), color.rook(), color.bishop(), color.knight()];
        let promoted: i32 = others.into_iter().map(missing).sum();
        let pawns = before.count(color.pawn()) as i32 - after.count(color.pawn()) as i32;
        pawns >= promoted
    });
    rights && pawns && men
}

/// Checks the conditions on earlier positions, with what the alternative implies for the last one.
pub(super) fn check_earlier(facts: &Facts<'_>, start: Situation<'_>) -> Result<(), String> {
    for Literal { atom, negated } in facts.conditions {
        let Atom::Earlier(earlier) = &**atom else { continue };
        match (atom.holds(start), *negated) {
            (true, true) => return Err(format!("'{}' has already held", earlier.0)),
            (false, true) if earlier.0.holds(start) && !facts.hold(start) => {
                return Err(format!(
                    "'{}' already holds, so it is an earlier position of every longer game",
                    earlier.0
                ));
            }
            (false, false) => check_stage(earlier, facts, start)?,
            _ => {}
        }
    }
    Ok(())
}

/// Checks that an earlier position that must still occur can occur, and that the last one can follow it.
fn check_stage(earlier: &Earlier, facts: &Facts<'_>, start: Situation<'_>) -> Result<(), String> {
    let Ok(alternatives) = earlier.0.written_out() else { return Ok(()) };
    let mut first = None;
    for alternative in &alternatives {
        let reason = match Facts::of(alternative, start) {
            Ok(before) => match follows(facts, &before) {
                Ok(()) => return Ok(()),
                Err(reason) => reason,
            },
            Err(reason) => format!("at an earlier position: {reason}"),
        };
        first.get_or_insert(reason);
    }
    Err(first.unwrap_or_else(|| "at an earlier position: the conditions contradict each other".to_owned()))
}

/// Why the last position cannot follow one that satisfies other conditions, if that is proved.
fn follows(last: &Facts<'_>, before: &Facts<'_>) -> Result<(), String> {
    if last.plies.1 <= before.plies.0 {
        let plies = counted(before.plies.0, "ply", "plies");
        return Err(format!(
            "the earlier position has at least {plies}, and the last one must come after it"
        ));
    }
    for color in Color::ALL {
        let (needed, most) = (last.counts.least(color.pawn()), before.counts.most(color.pawn()));
        if needed > most {
            let (name, pawns) = (side(color), counted(most as u32, "pawn", "pawns"));
            return Err(format!(
                "{name} has at most {pawns} earlier, but at least {needed} later; pawns never return"
            ));
        }
    }
    if last.counts.fewest_men() > before.counts.most_men() {
        return Err("more men are required later than are allowed earlier; men never return".to_owned());
    }
    if !last.game.may_follow(&before.game) {
        return Err("captures and castling of the earlier position exclude those of the last one".to_owned());
    }
    Ok(())
}

impl Facts<'_> {
    /// True if all conditions hold, judged ones apart.
    fn hold(&self, situation: Situation<'_>) -> bool {
        let men = Men::on(situation.position.board());
        let holds = |literal: &Literal| match &*literal.atom {
            Atom::Judged(_) => true,
            atom => Constraint::Atom(atom.clone()).holds(situation) != literal.negated,
        };
        self.counts.distance(&men) == 0 && self.conditions.iter().all(holds)
    }
}
