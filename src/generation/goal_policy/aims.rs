use shakmaty::{Chess, Color, Position, Role};

use crate::{
    constraint::{Atom, Check, Constraint, Facts, Goal, KINDS, Literal, Men, Region, Situation},
    encoding::goal_policy::{Aim, Span},
};

/// More ways to meet a constraint than these are not shown to the network.
const MOST_AIMS: usize = 32;
/// No board has more men of a kind.
const MOST_MEN: i8 = 16;

/// What the network is shown of a constraint: for each way to meet it what numbers, squares and flags can say.
#[derive(Clone, Debug)]
pub struct Aims(Vec<Aim>);

impl Aims {
    /// The ways that are nearest from `start`.
    pub fn new(constraint: &Constraint, start: Situation<'_>) -> Aims {
        let men = Men::on(start.position.board());
        let mut aims = Vec::new();
        for way in constraint.ways().unwrap_or_default() {
            let Ok(facts) = Facts::of(&way, start) else { continue };
            let shared = shown(&way, &facts);
            for goal in facts.goal.clone().split().filter(|goal| goal.is_reachable_from(&men)) {
                aims.push(Aim { counts: counts(&goal), differences: differences(&goal), ..shared.clone() });
            }
        }
        aims.sort_by_key(|aim| aim.distance(&men) + aim.squares_left(start.position) as u32);
        aims.truncate(MOST_AIMS);
        Aims(aims)
    }

    /// The aim that is nearest from `position`; [`Aim::NONE`] if there is none.
    pub fn nearest(&self, position: &Chess) -> &Aim {
        let men = Men::on(position.board());
        let distance = |aim: &&Aim| aim.distance(&men) + aim.squares_left(position) as u32;
        let reachable = self.0.iter().filter(|aim| aim.is_reachable_from(&men));
        reachable.min_by_key(distance).unwrap_or(&Aim::NONE)
    }
}

/// What a way says of squares and flags.
fn shown(way: &[Literal<'_>], facts: &Facts) -> Aim {
    let mut aim = Aim { turn: facts.turn, end: facts.end, ..Aim::NONE };
    aim.check = match (facts.check, facts.turn) {
        (Some(true), Some(color)) => Some(Check::Of(color)),
        (Some(true), None) => Some(Check::Any),
        (Some(false), _) => Some(Check::None),
        (None, _) => None,
    };
    let mut wanted = |square, man: Option<shakmaty::Piece>| {
        let index = man.map_or(12, |piece| {
            let role = Role::ALL.iter().position(|role| *role == piece.role).expect("every role is listed");
            piece.color.fold_wb(0, 6) + role
        });
        aim.squares[index].add(square);
    };
    for literal in way.iter().filter(|literal| !literal.denied) {
        match literal.atom {
            Atom::Square(square) => {
                if let Region::Square(place) = square.region {
                    wanted(place, square.man);
                }
            }
            Atom::Diagram(diagram) => {
                for square in !diagram.unknown {
                    wanted(square, diagram.board.piece_at(square));
                }
            }
            _ => {}
        }
    }
    for literal in way.iter().filter(|literal| !literal.denied) {
        let Atom::Castling(castling) = literal.atom else { continue };
        for (shown, held) in aim.castling.iter_mut().zip(castling.rights) {
            if held || !castling.at_least {
                *shown = Some(held);
            }
        }
    }
    aim
}

fn counts(goal: &Goal) -> [Span; KINDS.len()] {
    goal.bounds().map(|(least, most)| span(least, most))
}

/// A span whose limits say something; an exact number keeps both.
fn span(least: i8, most: i8) -> Span {
    if least == most {
        return Span::exactly(most);
    }
    Span { least: (least > 0).then_some(least), most: (most < MOST_MEN).then_some(most) }
}

fn differences(goal: &Goal) -> [Span; 5] {
    let mut spans = [Span::FREE; 5];
    for (minuend, subtrahend, least, most) in goal.differences() {
        // The network is shown differences between the sides, of one kind.
        let (white, sign) =
            if KINDS[minuend].color == Color::White { (minuend, 1) } else { (subtrahend, -1) };
        if minuend % 5 != subtrahend % 5 || minuend == subtrahend {
            continue;
        }
        let (least, most) = if sign > 0 { (least, most) } else { (most.map(|n| -n), least.map(|n| -n)) };
        spans[white] = Span { least, most };
    }
    spans
}
