use shakmaty::Board;

use super::*;
use crate::legality::{Problem, Rule};

fn problem(placement: &str) -> Problem {
    Problem::of(Board::from_ascii_board_fen(placement.as_bytes()).expect(placement))
}

/// The fewest captures by pawns for which there is a kernel.
fn fewest(placement: &str) -> Option<u8> {
    let kernels = Kernels::of(&problem(placement)).expect(placement);
    (0..=kernels.most_captures())
        .find(|captures| kernels.existence(*captures, 1_000_000, &|| false) == Existence::Some)
}

/// Random numbers that are the same each time.
fn random(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    }
}

#[test]
fn the_fewest_captures_are_those_that_let_pawns_pass() {
    for (placement, captures) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", Some(0)),
        // A pawn left its file, and the other one is free.
        ("rnbqkbnr/1ppppppp/8/8/8/8/P1PPPPPP/RNBQKBNR", Some(0)),
        ("rnbqkbnr/1ppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1", Some(0)),
        ("rnbqkbnr/1ppppppp/8/8/8/1P6/1PPPPPPP/RNBQKBNR", Some(1)),
        // A piece captured one pawn of the a-file, and the other one promoted.
        ("rnbqkbnr/1ppppppp/8/8/8/Q7/1PPPPPPP/RNBQKBNR", Some(0)),
        // All four pawns of two files promoted: each side captured once.
        ("rnbqkb1r/2pppppp/qq6/8/8/QQ6/2PPPPPP/RNBQKB1R", Some(2)),
        ("rnbqkb1r/2pppppp/qq6/8/8/QQ6/2PPPPPP/RNBQKBNR", None),
        // Three of them: one captured the fourth.
        ("rnbqkbnr/2pppppp/q7/8/8/QQ6/2PPPPPP/RNBQKBNR", Some(1)),
        // A bishop that promoted on a8 stands on light squares.
        ("rnbqkbnr/1ppppppp/8/8/8/1B6/1PPPPPPP/RNBQKBNR", Some(0)),
        ("rnbqkbnr/1ppppppp/8/8/8/B7/1PPPPPPP/RNBQKBNR", None),
        // All twelve pawns that can.
        ("rnbqkbnr/q7/q1q1q1q1/8/8/Q1Q1Q1Q1/Q1Q1Q1Q1/RNBQKBNR", None),
        ("rnbqkbnr/8/q1q1q1q1/8/8/Q1Q1Q1Q1/Q1Q1Q1Q1/RNBQKBNR", Some(4)),
    ] {
        assert_eq!(fewest(placement), captures, "{placement}");
    }
}

#[test]
fn a_plan_leads_the_pawns_forward_to_their_squares() {
    let placement = "rnbqkbnr/8/q1q1q1q1/8/8/Q1Q1Q1Q1/Q1Q1Q1Q1/RNBQKBNR";
    let kernels = Kernels::of(&problem(placement)).unwrap();
    for seed in 0..20 {
        let stages = kernels.plan(4, 1_000_000, &mut random(seed), &|| false).expect("there is a kernel");
        assert_eq!(stages.len(), 5);
        assert!(stages[..4].iter().all(|stage| stage.capture.is_some()) && stages[4].capture.is_none());
        let promoted: usize = stages.iter().map(|stage| stage.promotes.len()).sum();
        assert_eq!(promoted, 12);
        for pair in stages.windows(2) {
            for pawn in 0..PAWNS {
                let (Some(before), Some(after)) = (pair[0].squares[pawn], pair[1].squares[pawn]) else {
                    continue;
                };
                let captures = pair[0].capture.is_some_and(|(capture, _)| usize::from(capture.pawn) == pawn);
                assert_eq!(before.file() != after.file(), captures);
                let (low, high) = if pawn < 8 { (before, after) } else { (after, before) };
                assert!(low.rank() <= high.rank());
            }
        }
    }
}

#[test]
fn the_reason_counts_promotions_and_captures() {
    let diagram = problem("rnbqkb1r/2pppppp/qq6/8/8/QQ6/2PPPPPP/RNBQKBNR");
    let reason = refuse(&diagram, 1_000_000, &|| false).unwrap();
    assert_eq!(reason.rule, Rule::PawnOrder);
    assert_eq!(
        reason.to_string(),
        "at least 2 of White's pawns and 2 of Black's pawns were promoted, but with 1 capture in the whole game, no order of \
         captures and promotions gets them past the other pawns"
    );
    assert!(refuse(&diagram, 10, &|| false).is_none(), "a search that is too short proves nothing");
}
