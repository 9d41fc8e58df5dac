//! The plain `go`: moves, scores and the clock.
//!
//! The tests of the clock hold on a machine of any speed: they compare with the least time that the engine must take,
//! and a search that takes much too long ends only after [`PATIENCE`].

use std::time::{Duration, Instant};

use shakmaty::{Chess, Position};

use crate::engine::*;

#[test]
fn a_plain_go_gives_a_legal_move_and_its_numbers() {
    let mut engine = Engine::start();
    engine.say("position startpos moves e2e4 d7d5");
    let root = play(&Chess::default(), "e2e4 d7d5");
    let lines = engine.search("go depth 5");
    let [infos @ .., best] = &lines[..] else { unreachable!("there is a bestmove") };
    assert_eq!(infos.len(), 5);
    for (info, depth) in infos.iter().zip(1..) {
        assert!(info.starts_with(&format!("info depth {depth} seldepth ")), "{info}");
        assert!(info.contains(" score cp ") && !info.contains("multipv") && !info.contains("wdl"), "{info}");
        let (nodes, nps, time) = (number(info, "nodes"), number(info, "nps"), number(info, "time"));
        assert!(nodes > 0 && (nps > 0 || time == 0) && number(info, "hashfull") <= 1000, "{info}");
        play(&root, after(info, "pv"));
    }
    let pv: Vec<&str> = after(infos.last().unwrap(), "pv").split(' ').collect();
    assert_eq!(*best, format!("bestmove {} ponder {}", pv[0], pv[1]));
    assert_eq!(engine.search("go searchmoves h2h3 depth 3").last().unwrap().split(' ').nth(1), Some("h2h3"));
}

#[test]
fn the_same_search_has_the_same_nodes() {
    let mut engine = Engine::start();
    let mut nodes = || {
        engine.say("ucinewgame\nposition startpos moves d2d4 g8f6");
        let lines = engine.search("go depth 6");
        number(&lines[lines.len() - 2], "nodes")
    };
    assert_eq!(nodes(), nodes());
    let lines = engine.search("go nodes 5000");
    assert_eq!(number(&lines[lines.len() - 2], "nodes"), 5000);
}

#[test]
fn playouts_find_a_mate_with_every_evaluator_and_repeat_themselves() {
    let mut engine = Engine::start();
    engine.say("setoption name Method value rollout\nsetoption name Seed value 3");
    for evaluator in ["auto", "men", "hand-written", "article"] {
        let mut search = || {
            engine.say(&format!("ucinewgame\nsetoption name Evaluator value {evaluator}"));
            engine.say("position fen r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 3");
            let mate = engine.search("go nodes 20000");
            assert_eq!(mate.last().unwrap(), "bestmove f3f7", "{evaluator}: {mate:?}");
            assert_eq!(number(&mate[mate.len() - 2], "nodes"), 20_000);
            engine.say("position startpos");
            let lines = engine.search("go nodes 20000");
            let score = after(&lines[lines.len() - 2], "cp").split(' ').next().unwrap();
            let score: i32 = score.parse().unwrap();
            assert!(score.abs() < 300, "{evaluator}: {lines:?}");
            (score, lines.last().unwrap().clone())
        };
        assert_eq!(search(), search(), "{evaluator}");
    }
}

#[test]
fn a_search_for_a_mate_ends_when_it_finds_one() {
    let mut engine = Engine::start();
    engine.say("position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    let lines = engine.search("go mate 2");
    let [.., info, best] = &lines[..] else { panic!("{lines:?}") };
    assert!(info.contains(" score mate 2 "), "{info}");
    assert!(best.starts_with("bestmove a1a6"), "{best}");
    assert_eq!(
        play(&position("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"), after(info, "pv")).legal_moves().len(),
        0
    );
    engine.say("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(
        engine.search("go")[..],
        ["info depth 0 score mate 0 nodes 0 nps 0 time 0", "bestmove (none)"]
    );
    engine.say("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(engine.search("go")[..], ["info depth 0 score cp 0 nodes 0 nps 0 time 0", "bestmove (none)"]);
}

#[test]
fn several_lines_are_numbered_and_the_first_is_played() {
    let mut engine = Engine::start();
    engine.say("setoption name MultiPV value 3\nsetoption name UCI_ShowWDL value true");
    let lines = engine.search("go depth 4");
    let last = &lines[lines.len() - 4..lines.len() - 1];
    for (line, index) in last.iter().zip(1..) {
        assert!(line.contains(&format!(" multipv {index} score cp ")), "{line}");
        assert_eq!(sum_of_chances(line), 1000, "{line}");
    }
    let first = |line: &str| after(line, "pv").split(' ').next().unwrap().to_owned();
    assert!(lines.last().unwrap().starts_with(&format!("bestmove {}", first(&last[0]))));
    assert!(first(&last[0]) != first(&last[1]) && first(&last[1]) != first(&last[2]));
    // More lines than moves.
    engine.say("setoption name MultiPV value 218\nposition fen 7k/8/8/8/8/8/r7/7K w - - 0 1");
    let lines = engine.search("go depth 2");
    assert!(lines[lines.len() - 2].contains(" multipv 1 "), "{lines:?}");
}

#[test]
fn ponderhit_starts_the_clock() {
    let mut engine = Engine::start();
    engine.say("go ponder wtime 600 btime 600");
    assert!(engine.holds_its_move_for(Duration::from_millis(700)));
    engine.say("ponderhit");
    // Without a clock, it would search forever.
    check_best_move(engine.until("bestmove").last().unwrap(), &Chess::default());
    // `ponderhit` also starts the time of `movetime`, which is used up.
    engine.say("go ponder movetime 300");
    assert!(engine.holds_its_move_for(Duration::from_millis(100)));
    let start = Instant::now();
    engine.say("ponderhit");
    engine.until("bestmove");
    assert!(start.elapsed() >= Duration::from_millis(200), "{:?}", start.elapsed());
}

#[test]
fn a_forced_move_takes_no_time_of_the_clock() {
    let mut engine = Engine::start();
    const FORCED: &str = "r6k/8/8/8/8/8/2r5/K7 w - - 0 1";
    assert_eq!(position(FORCED).legal_moves().len(), 1);
    engine.say(&format!("position fen {FORCED}"));
    // A usual share of these months would be days.
    let lines = engine.search("go wtime 6000000000 btime 6000000000");
    check_best_move(lines.last().unwrap(), &position(FORCED));
    // Clocks that have run out, no time at all, and almost no time.
    for go in [
        "go wtime -50 btime 1",
        "go wtime 0 btime 0 movestogo 0",
        "go movetime 0",
        "go movetime 1",
        "go depth 0",
    ] {
        check_best_move(engine.search(go).last().unwrap(), &position(FORCED));
    }
    let lines = engine.search("go depth 1000 nodes 2000");
    assert!(lines.last().unwrap().starts_with("bestmove "));
}

#[test]
fn lines_of_an_iteration_that_was_cut_short_keep_their_depth_and_order() {
    let mut engine = Engine::start();
    engine.say("setoption name MultiPV value 4");
    let mut cut = 0;
    for nodes in (4000..40_000).step_by(2000) {
        engine.say("ucinewgame\nposition startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 g8f6");
        let lines = engine.search(&format!("go nodes {nodes}"));
        let infos: Vec<&String> = lines.iter().filter(|line| line.contains(" multipv ")).collect();
        let block = &infos[infos.len() - 4..];
        let scores: Vec<i32> =
            block.iter().map(|line| after(line, "cp").split(' ').next().unwrap().parse().unwrap()).collect();
        assert!(scores.is_sorted_by(|better, worse| better >= worse), "{nodes}: {scores:?}");
        for line in block {
            // The last whole iteration had the same line at the same depth, if this one did not reach it.
            let is_old = number(line, "depth") < number(block[0], "depth");
            let is_there = |other: &&String| {
                number(other, "depth") == number(line, "depth") && after(other, "pv") == after(line, "pv")
            };
            assert!(!is_old || infos[..infos.len() - 4].iter().any(is_there), "{nodes}: {line}");
        }
        cut += u32::from(number(block[0], "depth") != number(block[3], "depth"));
    }
    assert!(cut > 0, "no iteration was cut between two lines");
}
