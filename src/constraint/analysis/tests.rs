use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use shakmaty::{CastlingMode, fen::Fen};

use super::*;
use crate::constraint::{Castling, RIGHTS};

fn reason_from(text: &str, fen: &str) -> Option<String> {
    let root: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
    text.parse::<Constraint>()
        .expect(text)
        .impossible_from(Situation::root(&root))
        .map(|reason| reason.to_string())
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
        Atom::Material(crate::constraint::Material { white: men.white(), black: men.black() }),
        Atom::Castling(Castling {
            rights: RIGHTS.map(|(_, color, side)| position.castles().has(color, side)),
            at_least: rng.random(),
        }),
        Atom::Turn(position.turn()),
        Atom::Ply(Comparison::In(IntegerRange::exactly(ply as i16))),
        Atom::Check(if position.is_check() { Check::Of(position.turn()) } else { Check::None }),
        Atom::Diagram(Box::new(crate::constraint::Diagram {
            unknown: Bitboard::EMPTY,
            board: position.board().clone(),
        })),
    ];
    let ends = [(End::Checkmate, position.is_checkmate()), (End::Stalemate, position.is_stalemate())];
    atoms.extend(ends.into_iter().filter(|(_, is_so)| *is_so).map(|(end, _)| Atom::End(end)));
    for place in shakmaty::Square::ALL {
        let man = position.board().piece_at(place);
        atoms.push(Atom::Square(Square { man, region: crate::constraint::Region::Square(place) }));
    }
    for color in Color::ALL {
        for (region, squares) in [
            (crate::constraint::Region::Light, Bitboard::LIGHT_SQUARES),
            (crate::constraint::Region::Dark, Bitboard::DARK_SQUARES),
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
            let reason = constraint.impossible_from(Situation::root(root));
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
