use crate::{
    Men, child_of,
    described::{all_that_holds, sharp_move},
};
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use shakmaty::{CastlingMode, Chess, Move, Position, fen::Fen, san::SanPlus};

use super::*;

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

fn guide(constraint: &str, fen: &str) -> Result<Guide, GuideError> {
    let target = constraint.parse().map_err(|_| GuideError::TooComplex)?;
    Guide::new(&target, Situation::root(&position(fen)))
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The estimate in plies from the initial position.
fn plies(constraint: &str) -> u32 {
    guide(constraint, START).unwrap().distance()
}

#[test]
fn no_position_of_a_game_is_a_dead_end_and_the_last_one_has_estimate_zero() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut tested = 0;
    while tested < 10_000 {
        let (mut game, mut moves) = (vec![Chess::default()], Vec::new());
        for _ in 0..rng.random_range(1..120) {
            let mut position = game[game.len() - 1].clone();
            let Some(m) = sharp_move(&position, &mut rng) else { break };
            position.play_unchecked(m);
            game.push(position);
            moves.push(m);
        }
        let start = rng.random_range(0..game.len());
        let end = rng.random_range(start..game.len());
        let at = |ply: usize| Situation::root(&game[0]).after(&moves[..ply], &game[ply]);
        let constraint = all_that_holds(at(end), &mut rng);
        let Ok(target) = Target::new(constraint.clone()) else { continue };
        if target.facts(Situation::root(&game[start])).count() > 64 {
            continue;
        }
        let guide = Guide::new(&target, at(start)).unwrap_or_else(|error| {
            panic!("{constraint}: {error}, from ply {start} to {end}");
        });
        for ply in start..end {
            let estimate = guide.estimate(at(ply));
            assert!(estimate.is_some(), "{constraint}: at ply {ply} of {start} to {end}");
            tested += 1;
        }
        assert!(guide.is_satisfied(at(end)));
        let last = guide.estimate(at(end)).unwrap();
        assert_eq!(last.total(), 0, "{constraint}: {last:?}");
    }
}

#[test]
fn estimates_are_what_a_player_would_count() {
    for (constraint, expected) in [
        ("N@h8", 4),
        ("N@h8 n@a1", 8),
        ("P@e4", 1),
        ("P@e4 p@e5", 2),
        ("turn=black", 1),
        ("ply=7", 7),
        ("castling=none", 4),
        ("castling=Kk", 2),
        ("fen=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", 1),
        ("-@e2", 2),
        ("[Pp]@centre=1", 1),
        ("P@centre=2", 2),
        ("N@centre=1", 2),
        ("attacks(N, p@d)", 2),
        ("mobility(N)=5", 1),
    ] {
        assert_eq!(plies(constraint), expected, "{constraint}");
    }
}

#[test]
fn waiting_does_not_count_as_work() {
    for (constraint, plies, work) in [
        ("ply=16 Q=1 q=1", 16, 0),
        ("ply=16 Q=0", 16, 4),
        ("turn=black", 1, 0),
        ("N@h8 n@a1", 8, 8),
        ("ply=2 N@h8", 4, 4),
    ] {
        let target = Target::new(constraint.parse().unwrap()).unwrap();
        let root = Chess::default();
        let start = Situation::root(&root);
        let estimate = Guide::new(&target, start).unwrap().estimate(start).unwrap();
        assert_eq!((estimate.plies(), estimate.plies_of_work()), (plies, work), "{constraint}");
    }
}

#[test]
fn every_step_of_a_plan_lowers_the_estimate() {
    let guide = guide("N@h8 n@a1", START).unwrap();
    let mut position = Chess::default();
    let mut before = guide.estimate(Situation::root(&position)).unwrap().total();
    for san in ["Nf3", "Nc6", "Ng5", "Na5", "Nxf7", "Nb3", "Nxh8", "Nxa1"] {
        let m = san.parse::<SanPlus>().unwrap().san.to_move(&position).unwrap();
        position.play_unchecked(m);
        let now = guide.estimate(Situation::root(&position)).unwrap().total();
        assert!(now < before, "{san}: {now} after {before}");
        before = now;
    }
    assert_eq!(before, 0);
}

#[test]
fn a_plan_for_a_structure_lowers_the_estimate() {
    for (constraint, moves) in [
        // The Tarrasch Defence, in which Black takes on the isolated pawn.
        ("isolated(p@d)", "d4 d5 c4 e6 Nc3 c5 cxd5 exd5 dxc5"),
        ("passed(P@d) !p@c-e", "e4 d5 exd5 e5 dxe6 c5 exf7 Kxf7 d4 cxd4"),
        ("locked(P)>=2", "e4 e6 e5 d5 d4"),
    ] {
        let guide = guide(constraint, START).unwrap();
        let mut position = Chess::default();
        let first = guide.estimate(Situation::root(&position)).unwrap().total();
        for san in moves.split(' ') {
            let m = san.parse::<SanPlus>().unwrap().san.to_move(&position).unwrap();
            position.play_unchecked(m);
        }
        let last = guide.estimate(Situation::root(&position)).unwrap().total();
        assert!(last < first, "{constraint}: {last} after {first}");
        assert_eq!(
            guide.led_distance(Situation::root(&position)) > 0.0,
            !guide.is_satisfied(Situation::root(&position))
        );
    }
}

#[test]
fn impossible_constraints_are_refused_with_their_reason() {
    for (constraint, fen, reason) in [
        ("P@a2 P@a3 P@a4 P@a5 P@a6 P@a7 p=1", START, "more than 14 captures"),
        ("fen=rnbqkbnr/pppppppp/8/8/8/P7/P1PPPPPP/RNBQKBNR", START, "at least 1 capture"),
        ("fen=rnbqkbnr/pppppppp/8/8/8/B7/PPPPPPPP/RN1QKBNR", START, "bishop"),
        ("k@c3 P@b2 P@d2", START, "Black's men cannot all reach"),
        ("P@e2", "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "White's men cannot all reach"),
        ("Q@light Q@dark P=8", START, "promoted"),
    ] {
        match guide(constraint, fen) {
            Err(GuideError::Impossible(why)) => {
                assert!(why.to_string().contains(reason), "{constraint}: {why}");
            }
            Err(why) => panic!("{constraint}: {why}"),
            Ok(guide) => panic!("{constraint}: {} plies", guide.distance()),
        }
    }
}

#[test]
fn too_many_alternatives_are_refused_before_they_fill_the_memory() {
    let pairs: Vec<String> = "abcdefgh".chars().map(|file| format!("(-@{file}3 | -@{file}4)")).collect();
    let unequal = "Q!=1 R!=1 B!=1 N!=1 P!=1 q!=1 r!=1 b!=1 n!=1 p!=1";
    let error = guide(&format!("{} -@e2 {unequal}", pairs.join(" ")), START).err();
    assert_eq!(error, Some(GuideError::TooComplex));
    // Each alternative has other men that never move.
    let homes: Vec<String> = "abcdefgh".chars().map(|file| format!("(P@{file}2 | P@{file}3)")).collect();
    assert_eq!(guide(&homes.join(" "), START).err(), Some(GuideError::TooComplex));
    assert!(guide(&homes[..5].join(" "), START).is_ok());
}

#[test]
fn the_reason_is_about_an_alternative_that_passes_the_analysis() {
    match guide("Q=1 p=8 r=2 b=2 n=2 Q-q!=0 P@a2 P@a3 P@a4", START) {
        Err(GuideError::Impossible(why)) => {
            assert!(why.to_string().contains("more than 1 capture to"), "{why}");
        }
        _ => panic!("the constraint is called possible or too complex"),
    }
}

#[test]
fn where_numbers_decide_prospects_prove_what_the_guide_proves() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let (mut kept, mut lost) = (0, 0);
    for constraint in [
        "(1,2,1,1,7)",
        "Q=0 turn=white",
        "Q=1 R=2 check=black | q=1 P>=7 ply<=40 turn=white",
        "[QR]-[qr]=1 check=none n=2",
        "castling>=Kq Q=0",
        "castling=KQ P>=6 ply=30..50 | (0,2,2,2,8) stalemate",
        "(Q=1 castling>=K) | mirror(Q=1 castling>=K)",
        "Q<=1 checkmate ply<=15 !turn=white",
        "check=any ply=8 | castling>=Q ply<=30",
        "captures<=3 Q=0 !white.castled=long",
        "captures<=6 Q=0 q=0",
        "white.castled=short captures=1..4 | black.castled=yes Q=0",
        "castled=none P=7",
    ] {
        let target: Target = constraint.parse().unwrap();
        let start = Chess::default();
        let guide = Guide::new(&target, Situation::root(&start)).unwrap();
        let prospects = target.prospects(Situation::root(&start)).expect("numbers decide it");
        for _ in 0..20 {
            let (mut position, mut moves) = (start.clone(), Vec::<Move>::new());
            for ply in 0..60 {
                let situation = Situation::root(&start).after(&moves, &position);
                for m in position.legal_moves() {
                    let child = child_of(&position, m);
                    let keeps = prospects.keep(situation, m, &Men::on(child.board()));
                    assert_eq!(
                        keeps,
                        guide.estimate(situation.after(&[m], &child)).is_some(),
                        "{constraint}: {m} at {ply}"
                    );
                    kept += u32::from(keeps);
                    lost += u32::from(!keeps);
                }
                let Some(m) = sharp_move(&position, &mut rng) else { break };
                position.play_unchecked(m);
                moves.push(m);
                // `keep` is only valid if the constraint was reachable before the move.
                if guide.estimate(Situation::root(&start).after(&moves, &position)).is_none() {
                    break;
                }
            }
        }
    }
    assert!(kept > 10_000 && lost > 500, "{kept} {lost}");
}

#[test]
fn conditions_on_squares_have_no_prospects() {
    for constraint in ["N@f5 Q=0", "Q=0 | fen=4k3/8/8/8/8/8/8/4K3", "!-@e4", "Q=0 !castling=none"] {
        let target: Target = constraint.parse().unwrap();
        assert!(target.prospects(Situation::root(&Chess::default())).is_none(), "{constraint}");
    }
}

#[test]
#[should_panic(expected = "at 15")]
fn an_error_of_one_ply_is_detected() {
    let start = Chess::default();
    let [one, other] =
        ["turn=black ply<=15", "turn=black ply<=16"].map(|text| text.parse::<Target>().unwrap());
    let guide = Guide::new(&one, Situation::root(&start)).unwrap();
    let prospects = other.prospects(Situation::root(&start)).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut position = start.clone();
    for ply in 0..60 {
        for m in position.legal_moves() {
            let child = child_of(&position, m);
            let keeps = prospects.keep(Situation::first(&position, ply), m, &Men::on(child.board()));
            assert_eq!(keeps, guide.estimate(Situation::first(&child, ply + 1)).is_some(), "at {ply}");
        }
        let Some(m) = sharp_move(&position, &mut rng) else { break };
        position.play_unchecked(m);
    }
}
