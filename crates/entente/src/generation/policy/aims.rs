use std::fmt::{self, Debug, Formatter};

use entente_constraint::{
    Atom, Check, Constraint, Counts, End, Facts, Judged, KINDS, Men, Region, Situation, Target, guide::Guide,
};
use entente_network::encoding::goal_policy::{Aim, Span};
use shakmaty::{Chess, Color, Position};

/// The maximum number of alternatives of a constraint that the network is shown.
const MAX_AIMS: usize = 32;
/// The maximum number of men of a kind on a board.
const MAX_MEN: i8 = 16;

/// A constraint as the network reads it: for each alternative, the conditions that numbers, squares and flags can
/// represent.
#[derive(Clone, Debug)]
pub struct Aims {
    aims: Vec<Aim>,
    /// The guide to earlier positions that must occur first, if there are any, and their aims in the order in which the
    /// guide's stages come.
    stages: Option<Stages>,
}

/// The aims of earlier positions.
#[derive(Clone)]
struct Stages {
    guide: Guide,
    /// The aims for each constraint on an earlier position, with those inside others.
    aims: Vec<(Constraint, Aims)>,
}

impl Aims {
    /// No aims: the network is shown nothing.
    pub fn none() -> Aims {
        Aims { aims: Vec::new(), stages: None }
    }

    /// The alternatives of `target` that are nearest from `start`.
    pub fn new(target: &Target, start: Situation<'_>) -> Aims {
        let men = Men::on(start.position.board());
        let mut aims: Vec<Aim> = target.facts(start).flatten().map(|facts| shown(&facts)).collect();
        aims.sort_by_key(|aim| aim.distance(&men) + aim.squares_left(start.position) as u32);
        aims.truncate(MAX_AIMS);
        Aims { aims, stages: Stages::of(target, start) }
    }

    /// The aim that is nearest from a position and can be reached; [`Aim::NONE`] if there is none. As long as an
    /// earlier position must still occur, it is the aim.
    pub fn nearest(&self, situation: Situation<'_>) -> &Aim {
        self.next_stage(situation)
            .map_or_else(|| self.last(situation.position), |stage| stage.nearest(situation))
    }

    /// The aims of an earlier position that must still occur, if there is one.
    fn next_stage(&self, situation: Situation<'_>) -> Option<&Aims> {
        let Stages { guide, aims } = self.stages.as_ref()?;
        // A stage that holds now will have occurred after the next move.
        let stage = guide.stages(situation).find(|stage| !stage.is_satisfied(situation))?;
        aims.iter().find_map(|(constraint, aims)| (*constraint == stage.target().constraint).then_some(aims))
    }

    /// The nearest aim of the last position.
    pub(super) fn last(&self, position: &Chess) -> &Aim {
        let men = Men::on(position.board());
        let distance = |aim: &&Aim| aim.distance(&men) + aim.squares_left(position) as u32;
        let reachable = self.aims.iter().filter(|aim| aim.is_reachable_from(&men));
        reachable.min_by_key(distance).unwrap_or(&Aim::NONE)
    }
}

impl Stages {
    /// The stages of `target`; `None` if it asks for no earlier position.
    fn of(target: &Target, start: Situation<'_>) -> Option<Stages> {
        let mut aims = Vec::new();
        for atom in target.constraint.atoms() {
            if let Atom::Earlier(earlier) = atom
                && let Ok(stage) = Target::new(earlier.0.clone())
            {
                aims.push((earlier.0.clone(), Aims::new(&stage, start)));
            }
        }
        if aims.is_empty() {
            return None;
        }
        Some(Stages { guide: Guide::new(target, start).ok()?, aims })
    }
}

impl Debug for Stages {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.aims).finish()
    }
}

/// An alternative as an aim.
fn shown(facts: &Facts<'_>) -> Aim {
    let mut aim = Aim {
        counts: facts.counts.bounds().map(|(least, most)| span(least, most)),
        differences: differences(&facts.counts),
        turn: facts.turn,
        end: facts.end,
        ..Aim::NONE
    };
    aim.check = match (facts.check, facts.turn) {
        (Some(true), Some(color)) => Some(Check::Of(color)),
        (Some(true), None) => Some(Check::Any),
        (Some(false), _) => Some(Check::None),
        (None, _) => None,
    };
    let mut wanted = |square, man: Option<shakmaty::Piece>| aim.squares[Aim::place(man)].add(square);
    for literal in facts.conditions.iter().filter(|literal| !literal.negated) {
        match &*literal.atom {
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
            // The positions before a mate are on the way to the mate itself.
            Atom::Judged(Judged::Mate(_)) => aim.end = Some(End::Checkmate),
            Atom::Judged(Judged::Theme(theme)) if theme.is_mate() => aim.end = Some(End::Checkmate),
            Atom::Castling(castling) => {
                for (shown, held) in aim.castling.iter_mut().zip(castling.rights) {
                    if held || !castling.at_least {
                        *shown = Some(held);
                    }
                }
            }
            _ => {}
        }
    }
    aim
}

/// A span without limits that always hold. An exact number keeps both limits.
fn span(least: i8, most: i8) -> Span {
    if least == most {
        return Span::exactly(most);
    }
    Span { least: (least > 0).then_some(least), most: (most < MAX_MEN).then_some(most) }
}

fn differences(counts: &Counts) -> [Span; 5] {
    let mut spans = [Span::FREE; 5];
    for (minuend, subtrahend, least, most) in counts.differences() {
        // The network reads only differences between White and Black in men of the same kind.
        let (white, sign) =
            if KINDS[minuend].color == Color::White { (minuend, 1) } else { (subtrahend, -1) };
        if minuend % 5 != subtrahend % 5 || minuend == subtrahend {
            continue;
        }
        let (least, most) = if sign > 0 { (least, most) } else { (most.map(|n| -n), least.map(|n| -n)) };
        spans[white] = spans[white].and(Span { least, most });
    }
    spans
}

#[cfg(test)]
mod tests {
    use entente_constraint::RIGHTS;
    use entente_search::position_from_fen;
    use shakmaty::{Bitboard, Square};

    use super::*;

    fn aims(constraint: &str) -> Aims {
        Aims::new(&constraint.parse().unwrap(), Situation::root(&Chess::default()))
    }

    fn aim(constraint: &str) -> Aim {
        aims(constraint).nearest(Situation::root(&Chess::default())).clone()
    }

    #[test]
    fn numbers_of_men_become_spans() {
        let white = aim("(1,2,1,1,7)");
        assert_eq!(white.counts[..5], [1, 2, 1, 1, 7].map(Span::exactly));
        assert!(white.counts[5..].iter().all(|span| span.is_free()));
        let some = aim("q<=0 P>=3 R-r=1");
        assert_eq!(some.counts[5], Span::exactly(0));
        assert_eq!(some.counts[4], Span { least: Some(3), most: None });
        assert_eq!(some.differences[1], Span::exactly(1));
        assert_eq!(aim("[QRq]=0"), aim("Q=0 R=0 q=0"));
        assert_eq!(aim("[BN]=1"), Aim::NONE);
        let both = Span { least: Some(1), most: Some(2) };
        assert_eq!(aim("Q-q>=1 Q-q<=2").differences[0], both);
        assert_eq!(aim("r-R>=1").differences[1], Span { least: None, most: Some(-1) });
    }

    #[test]
    fn the_nearest_alternative_within_reach_is_shown() {
        let both = aims("(Q=0 R=0 P=0) | q=0");
        assert_eq!(both.nearest(Situation::root(&Chess::default())).counts[5], Span::exactly(0));
        let setup = "4k3/8/8/8/8/8/8/4K1Q1 w - - 0 1".parse::<shakmaty::fen::Fen>().unwrap();
        let bare: Chess = setup.into_position(shakmaty::CastlingMode::Standard).unwrap();
        // Lost pawns do not return, so only one alternative is left.
        let pawns = aims("P=7 | Q=0");
        assert_eq!(pawns.nearest(Situation::root(&bare)).counts[0], Span::exactly(0));
        assert_eq!(aims("P=7 | P=6").nearest(Situation::root(&bare)), &Aim::NONE);
    }

    #[test]
    fn the_first_part_of_a_sequence_is_shown_until_it_has_held() {
        let (start, bare) = (Chess::default(), "r3k3/8/8/8/8/8/8/R3K2R w - - 0 40");
        let bare: Chess = position_from_fen(bare).unwrap();
        let queens = |aims: &Aims, situation| aims.nearest(situation).counts[0];
        let exchange = aims("(Q=0 q=0) then (R=1 r=1)");
        assert_eq!(queens(&exchange, Situation::root(&start)), Span::exactly(0));
        assert_eq!(exchange.nearest(Situation::root(&start)).counts[1], Span::FREE);
        // The queens are off, and the next position will be a later one.
        assert_eq!(exchange.nearest(Situation::root(&bare)).counts[1], Span::exactly(1));
        // What holds at the start need not be shown.
        assert_eq!(queens(&aims("Q=1 then Q=0"), Situation::root(&start)), Span::exactly(0));
    }

    #[test]
    fn squares_rights_checks_and_ends_are_shown() {
        let aim = aim("N@f5 -@e4 castling=Kq check=black turn=black");
        assert_eq!(aim.squares[1], Bitboard::from(Square::F5));
        assert_eq!(aim.squares[12], Bitboard::from(Square::E4));
        let held: Vec<(char, Option<bool>)> =
            RIGHTS.iter().zip(aim.castling).map(|((name, ..), wanted)| (*name, wanted)).collect();
        assert_eq!(held, [('K', Some(true)), ('Q', Some(false)), ('k', Some(false)), ('q', Some(true))]);
        assert_eq!((aim.check, aim.turn), (Some(Check::Of(Color::Black)), Some(Color::Black)));
        assert_eq!(super::tests::aim("checkmate").end, Some(End::Checkmate));
        let diagram = super::tests::aim("fen=4k3/8/8/8/8/8/8/4K2R");
        assert_eq!(diagram.squares[3], Bitboard::from(Square::H1));
        assert_eq!(diagram.squares[12].count(), 61);
    }
}
