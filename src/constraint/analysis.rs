//! What can be proved impossible before any search, for the whole language.
//!
//! A constraint is written out into ways to meet it, each a list of conditions that must all hold. It is impossible if
//! every way is. What is not proved here may still be impossible.

use shakmaty::{Bitboard, Board, Chess, Color, Piece, Position, Rank, Role};

use super::{
    Atom, Castling, Check, Comparison, Constraint, Count, End, Goal, Impossible, IntegerRange, Men, RIGHTS,
    Square, Tuple,
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
    let facts = match Facts::of(way, root) {
        Ok(facts) => facts,
        Err(reason) => return because(reason),
    };
    let mut counts: Vec<Constraint> = facts.counts;
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

/// What must stand where, and what follows for the numbers of men.
struct Facts {
    counts: Vec<Constraint>,
}

impl Facts {
    fn of(way: &[Literal<'_>], root: &Chess) -> Result<Facts, String> {
        let mut board = Board::empty();
        let mut empty = Bitboard::EMPTY;
        for Literal { atom, .. } in way.iter().filter(|literal| !literal.denied) {
            match atom {
                Atom::Square(square) => stand(&mut board, &mut empty, *square)?,
                Atom::Diagram(diagram) => {
                    let vacant = !(diagram.unknown | diagram.board.occupied());
                    for (place, piece) in diagram.board.clone() {
                        put(&mut board, empty, place, piece)?;
                    }
                    empty |= vacant;
                    if diagram.unknown.is_empty() {
                        // Nothing is added to a whole board.
                        empty |= !diagram.board.occupied();
                    }
                }
                Atom::Castling(castling) => hold(&mut board, empty, *castling, root)?,
                _ => {}
            }
            if let Some(square) = (empty & board.occupied()).first() {
                return Err(format!("{square} cannot be empty and occupied"));
            }
        }
        for (color, side) in [(Color::White, "White"), (Color::Black, "Black")] {
            let king = Piece { color, role: Role::King };
            if board.by_piece(king).more_than_one() {
                return Err(format!("{side} has one king"));
            }
            if (!empty & !(board.occupied() & !board.by_piece(king))).is_empty() {
                return Err(format!("there is no square left for {side}'s king"));
            }
        }
        agree_on_castling(way)?;
        let mut counts = counts_of(&board);
        counts.extend(one_coloured_bishops(way, root));
        Ok(Facts { counts })
    }
}

/// Notes what a square demands, where it is one square.
fn stand(board: &mut Board, empty: &mut Bitboard, square: Square) -> Result<(), String> {
    let squares = square.region.squares();
    let Some(piece) = square.man else {
        if let Some(place) = squares.single_square() {
            empty.add(place);
        }
        return Ok(());
    };
    let edges = Bitboard::from(Rank::First) | Bitboard::from(Rank::Eighth);
    if piece.role == Role::Pawn && (squares & !edges).is_empty() {
        return Err("a pawn never stands on the first or the eighth rank".to_owned());
    }
    if piece.role == Role::King
        && let Some(king) = board.king_of(piece.color)
        && !squares.contains(king)
    {
        return Err(format!("{square}: the king cannot also stand on {king}"));
    }
    squares.single_square().map_or(Ok(()), |place| put(board, *empty, place, piece))
}

fn put(board: &mut Board, empty: Bitboard, place: shakmaty::Square, piece: Piece) -> Result<(), String> {
    if piece.role == Role::Pawn && matches!(place.rank(), Rank::First | Rank::Eighth) {
        return Err("a pawn never stands on the first or the eighth rank".to_owned());
    }
    if board.piece_at(place).is_some_and(|before| before != piece) || empty.contains(place) {
        return Err(format!("{place} cannot hold two different things"));
    }
    board.set_piece_at(place, piece);
    Ok(())
}

/// Rights that are held need king and rook at home, and never return.
fn hold(board: &mut Board, empty: Bitboard, castling: Castling, root: &Chess) -> Result<(), String> {
    for ((letter, color, side), _) in RIGHTS.into_iter().zip(castling.rights).filter(|(_, held)| *held) {
        if !root.castles().has(color, side) {
            return Err(format!("the right to castle '{letter}' is lost, and never returns"));
        }
        let rank = color.fold_wb(Rank::First, Rank::Eighth);
        let home = |file, role| (shakmaty::Square::from_coords(file, rank), Piece { color, role });
        let rook =
            if side == shakmaty::CastlingSide::KingSide { shakmaty::File::H } else { shakmaty::File::A };
        for (place, piece) in [home(shakmaty::File::E, Role::King), home(rook, Role::Rook)] {
            put(board, empty, place, piece).map_err(|reason| {
                format!("the right to castle '{letter}' needs king and rook at home, but {reason}")
            })?;
        }
        if board.by_piece(Piece { color, role: Role::King }).more_than_one() {
            return Err(format!("the right to castle '{letter}' needs the king at home"));
        }
    }
    Ok(())
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

/// At least as many men as must stand on squares that are named.
fn counts_of(board: &Board) -> Vec<Constraint> {
    let men = Men::on(board);
    super::KINDS
        .into_iter()
        .filter(|piece| men.count(*piece) > 0)
        .map(|piece| {
            let comparison = Comparison::AtLeast(men.count(piece) as i8);
            Count { piece, minus: None, comparison }.into()
        })
        .collect()
}

/// Bishops that are all to stand on squares of one colour: those that were not born there were promoted.
fn one_coloured_bishops(way: &[Literal<'_>], root: &Chess) -> Vec<Constraint> {
    let mut counts = Vec::new();
    for color in Color::ALL {
        let bishop = Piece { color, role: Role::Bishop };
        for (none, other) in
            [(super::Region::Light, Bitboard::DARK_SQUARES), (super::Region::Dark, Bitboard::LIGHT_SQUARES)]
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
mod tests {
    use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn reason_from(text: &str, fen: &str) -> Option<String> {
        let root: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        text.parse::<Constraint>().expect(text).impossible_from(&root).map(|reason| reason.to_string())
    }

    fn reason(text: &str) -> Option<String> {
        reason_from(text, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    }

    #[test]
    fn what_contradicts_itself_or_the_rules_is_named() {
        for (text, why) in [
            ("check=white check=black", "only the side to move can be in check"),
            ("check=white turn=black", "only the side to move can be in check"),
            ("checkmate check=none", "cannot be in check and not in check"),
            ("stalemate check=any", "cannot be in check and not in check"),
            ("stalemate checkmate", "checkmate and stalemate"),
            ("ply=3 turn=white", "after 3 plies it is the other side's turn"),
            ("ply<5 ply>9", "no number of plies"),
            ("K@e1 K@e2", "the king cannot also stand on e1"),
            ("K@e1 K@3-4", "the king cannot also stand on e1"),
            ("N@f5 n@f5", "f5 cannot hold two different things"),
            ("N@f5 -@f5", "f5 cannot be empty and occupied"),
            ("P@a1", "a pawn never stands"),
            ("p@8", "a pawn never stands"),
            ("N@f5 N=0", "contradict"),
            ("Q@a1 Q@a2 Q@a3 P=8", "White needs 2 promoted men, but only 0"),
            ("castling=KQ K@e2", "the king cannot also stand on e1"),
            ("castling>=k -@h8", "cannot"),
            ("castling>=k R@h8", "h8 cannot hold two different things"),
            ("castling=none castling>=K", "exclude each other"),
            ("castling=KQ R=1", "contradict"),
            ("material=KvK ply<=20", "at least 30 men must be captured, in at most 20 plies"),
            ("B=2 !B@light P=8", "contradict"),
            ("fen=K7/8/8/8/8/8/8/K6k", "White has one king"),
            ("fen=8/8/8/8/8/8/8/7k", "no square left for White's king"),
            ("fen=k7/8/8/8/8/8/8/P6K", "a pawn never stands"),
            ("fen=k7/PPPPPPPP/P7/8/8/8/8/7K", "White needs at least 9 pawns"),
            ("fen=4k3/8/8/8/8/8/8/4K3 N@f5", "f5 cannot hold two different things"),
            ("(P@a1 | Q=9 P=8) | check=none checkmate", "a pawn never stands"),
            ("!(turn=white | turn=black)", "cannot both be to move"),
        ] {
            let found = reason(text).unwrap_or_else(|| panic!("{text} is not proved impossible"));
            assert!(found.contains(why), "{text}: {found}");
        }
    }

    #[test]
    fn what_may_be_is_not_called_impossible() {
        for text in [
            "Q=2 q=0 check=black",
            "(0,0,0,0,0) checkmate",
            "castling=KQkq Q=0 q=0",
            "castling=none ply<=12",
            "N@h8 n@a1",
            "k@e4 turn=white",
            "P@a7 p@a2",
            "R@a8 R@h8 K@e1 castling=none",
            "stalemate ply<=40",
            "B=2 !B@light",
            "P=0 p=8 ply<=60",
            "material=KRPvKR",
            "material=KBNvK",
            "castling=KQ castling>=K",
            "ply=3 turn=black",
            "N@f5 N@f4 N=2",
            "fen=????????/8/8/8/8/8/8/????????",
            "!castling=KQkq",
            "checkmate check=white",
            "P@a1 | Q=0",
        ] {
            assert_eq!(reason(text), None, "{text}");
        }
    }

    /// Everything that can be said of a position.
    fn all_that_holds(position: &Chess, ply: u32, rng: &mut ChaCha8Rng) -> Constraint {
        let men = Men::on(position.board());
        let mut atoms = vec![
            Atom::Tuple(Tuple { color: Color::White, counts: men.white() }),
            Atom::Material(super::super::Material { white: men.white(), black: men.black() }),
            Atom::Castling(Castling {
                rights: RIGHTS.map(|(_, color, side)| position.castles().has(color, side)),
                at_least: rng.random(),
            }),
            Atom::Turn(position.turn()),
            Atom::Ply(Comparison::In(IntegerRange::exactly(ply as i16))),
            Atom::Check(if position.is_check() { Check::Of(position.turn()) } else { Check::None }),
            Atom::Diagram(Box::new(super::super::Diagram {
                unknown: Bitboard::EMPTY,
                board: position.board().clone(),
            })),
        ];
        let ends = [(End::Checkmate, position.is_checkmate()), (End::Stalemate, position.is_stalemate())];
        atoms.extend(ends.into_iter().filter(|(_, is_so)| *is_so).map(|(end, _)| Atom::End(end)));
        for place in shakmaty::Square::ALL {
            let man = position.board().piece_at(place);
            atoms.push(Atom::Square(Square { man, region: super::super::Region::Square(place) }));
        }
        for color in Color::ALL {
            for (region, squares) in [
                (super::super::Region::Light, Bitboard::LIGHT_SQUARES),
                (super::super::Region::Dark, Bitboard::DARK_SQUARES),
            ] {
                let bishop = Piece { color, role: Role::Bishop };
                atoms.push(Atom::Square(Square { man: Some(bishop), region }));
                if (position.board().by_piece(bishop) & squares).is_empty() {
                    atoms.push(Atom::Count(Count {
                        piece: bishop,
                        minus: None,
                        comparison: Comparison::AtLeast(men.count(bishop) as i8),
                    }));
                }
            }
        }
        // What does not hold is denied, and some of all that left out.
        let situation = crate::constraint::Situation { position, ply };
        let parts = atoms.into_iter().filter(|_| rng.random_range(0..3) > 0).map(|atom| {
            let holds = atom.holds(situation);
            let atom = Constraint::Atom(atom);
            if holds { atom } else { Constraint::Not(Box::new(atom)) }
        });
        Constraint::All(parts.collect())
    }

    #[test]
    fn nothing_that_a_game_has_reached_is_called_impossible() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut tested = 0;
        for _ in 0..150 {
            let mut position = Chess::default();
            let mut roots = vec![(0, position.clone())];
            for ply in 1..=160_u32 {
                let moves = position.legal_moves();
                let Some(m) = (!moves.is_empty()).then(|| {
                    // Captures and promotions more often, so that there is something to prove.
                    let sharp: Vec<_> = moves.iter().filter(|m| m.is_capture() || m.is_promotion()).collect();
                    if !sharp.is_empty() && rng.random() {
                        *sharp[rng.random_range(0..sharp.len())]
                    } else {
                        moves[rng.random_range(0..moves.len())]
                    }
                }) else {
                    break;
                };
                position.play_unchecked(m);
                let (start, root) = &roots[rng.random_range(0..roots.len())];
                let constraint = all_that_holds(&position, ply - start, &mut rng);
                let reason = constraint.impossible_from(root);
                assert_eq!(reason, None, "{constraint} after {} plies", ply - start);
                tested += 1;
                if rng.random_range(0..20) == 0 {
                    roots.push((ply, position.clone()));
                }
            }
        }
        assert!(tested > 10_000, "{tested}");
    }

    #[test]
    fn rights_that_the_root_lacks_never_return() {
        let root = "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1";
        assert_eq!(reason_from("castling=Kq", root), None);
        assert!(reason_from("castling>=Q", root).unwrap().contains("'Q' is lost, and never returns"));
    }
}
