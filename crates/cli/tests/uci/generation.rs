//! `go generate`: positions found, and impossible requests.

use shakmaty::Chess;

use crate::engine::*;

#[test]
fn a_piped_generation_is_finished_before_quit() {
    let lines = pipe(
        "uci\nisready\nsetoption name Constraint value (0,2,2,2,7)\nposition startpos\n\
         go generate count 3 depth 1\nquit",
    );
    assert!(lines[0].starts_with("id name Entente "), "{}", lines[0]);
    let ready = lines.iter().position(|line| line == "readyok").unwrap();
    assert_eq!(lines[ready - 1], "uciok");
    assert_eq!(check_found(&lines[ready..], &Chess::default(), "(0,2,2,2,7)"), 3);
    let [.., info, best] = lines.as_slice() else { panic!("{lines:?}") };
    check_best_move(best, &Chess::default());
    let mut words = after(info, "pv").split(' ');
    let (first, second) = (words.next().unwrap(), words.next().unwrap());
    assert_eq!(*best, format!("bestmove {first} ponder {second}"));
}

#[test]
fn the_end_of_the_input_counts_as_quit() {
    let lines = pipe("setoption name Constraint value Q=0 q=0\ngo generate count 2");
    assert_eq!(check_found(&lines, &Chess::default(), "Q=0 q=0"), 2);
    assert_eq!(pipe("go infinite").last().unwrap().split(' ').next(), Some("bestmove"));
    assert!(pipe("").is_empty());
}

#[test]
fn generation_starts_from_the_position_set() {
    let fen = "4k3/8/8/3q4/8/8/3R4/4K3 w - - 0 1";
    let lines = pipe(&format!(
        "setoption name Constraint value q=0 R=0\nposition fen {fen} moves d2d1\ngo generate count 2\nquit"
    ));
    let root = play(&position(fen), "d2d1");
    assert_eq!(check_found(&lines, &root, "q=0 R=0"), 2);
    check_best_move(lines.last().unwrap(), &root);
}

#[test]
fn a_seed_repeats_positions_with_any_number_of_threads() {
    let run = |threads: u32| {
        let lines = pipe(&format!(
            "setoption name Seed value 7\nsetoption name Threads value {threads}\n\
             setoption name Constraint value Q=0 | R=0\ngo generate count 5"
        ));
        lines.into_iter().filter(|line| line.contains(" position ")).collect::<Vec<_>>()
    };
    let one = run(1);
    assert_eq!(one.len(), 5);
    assert_eq!(one, run(3));
    assert_eq!(one, run(1));
}

#[test]
fn a_satisfied_root_needs_no_moves() {
    let lines = pipe("setoption name Constraint value (1,2,2,2,8)\ngo generate");
    assert_eq!(
        lines[0],
        "info string position 1/1 found ply 0 fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    );
    assert!(lines[1].starts_with("info depth 0 multipv 1 score cp 1000 nodes "), "{}", lines[1]);
    assert!(!lines[1].contains(" pv "));
    check_best_move(&lines[2], &Chess::default());
}

#[test]
fn a_failed_generation_is_answered_with_the_reason_and_no_move() {
    for (input, reason) in [
        (
            "setoption name Constraint value (1,2,1,1,9)\ngo generate count 4",
            "info string position 1/4 impossible White needs at least 9 pawns and has 8; pawns never return",
        ),
        (
            "go generate",
            "info string error: go generate: there is no constraint; set the option Constraint first",
        ),
        (
            "setoption name Constraint value p=3\nsetoption name Evaluator value network\ngo generate",
            "info string error: network thesis-2 reads only exact counts of White",
        ),
        (
            "setoption name Constraint value Q=0\ngo generate count three",
            "info string error: go generate: expected a number from 1 to 4294967295 after 'count', found 'three'",
        ),
    ] {
        let lines = pipe(input);
        let [.., why, info, best] = lines.as_slice() else { panic!("{input}: {lines:?}") };
        assert!(why.starts_with(reason), "{input}: {why}");
        assert!(info.starts_with("info depth ") && info.contains(" score cp "), "{input}: {info}");
        assert_eq!(best, "bestmove (none)", "{input}");
    }
    let lines = pipe("setoption name Constraint value Q=9\nsetoption name MaxPlies value 3\ngo generate");
    let [why, _, best] = lines.as_slice() else { panic!("{lines:?}") };
    assert!(why.starts_with("info string position 1/1 undetermined distance 8 fen "), "{why}");
    check_best_move(best, &Chess::default());
}

#[test]
fn without_a_legal_move_bestmove_is_none() {
    let mated = "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    let lines = pipe(&format!("{mated}\ngo\nsetoption name Constraint value Q=0\ngo generate\nquit"));
    assert_eq!(lines.iter().filter(|line| *line == "bestmove (none)").count(), 2, "{lines:?}");
    assert_eq!(
        lines[2], "info string position 1/1 impossible the game is over in that position",
        "{lines:?}"
    );
}
