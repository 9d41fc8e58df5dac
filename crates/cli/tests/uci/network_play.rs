//! The plain `go` with a network: tree search, and human-like moves.
//!
//! Tests whose results depend on what the network says use a network made for them. The others hold for any network.
//! None depends on the speed of the machine: limits of time are much longer than the searches.

use std::{collections::BTreeSet, time::Duration};

use shakmaty::Chess;

use crate::{
    engine::*,
    support::{policy_that_prefers, skill_that_grows_with_the_rating},
};

/// The move of an answer `bestmove MOVE`.
fn best(lines: &[String]) -> &str {
    lines.last().unwrap().split(' ').nth(1).unwrap()
}

#[test]
fn a_node_limit_is_exact_and_a_search_repeats() {
    let mut engine = Engine::with_network();
    let root = play(&Chess::default(), "e2e4 d7d5");
    let mut once = || {
        engine.say("ucinewgame\nposition startpos moves e2e4 d7d5");
        let lines = engine.search("go nodes 60");
        let info = &lines[lines.len() - 2];
        assert_eq!(number(info, "nodes"), 60, "{info}");
        assert!(info.contains(" score cp ") && number(info, "hashfull") <= 1000, "{info}");
        play(&root, after(info, "pv"));
        lines.iter().map(|line| line.split(" nps ").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let [first, second] = [once(), once()];
    assert_eq!(first.last(), second.last());
    // A slow machine tells more in between; what it tells after as many nodes is the same.
    let infos = |lines: &[String]| lines[..lines.len() - 1].to_vec();
    for line in infos(&first) {
        let same_nodes = |other: &String| number(other, "nodes") == number(&line, "nodes");
        assert!(
            infos(&second).into_iter().find(same_nodes).is_none_or(|other| other == line),
            "{second:?}: {line}"
        );
    }
}

#[test]
fn a_proved_mate_is_reported_and_played() {
    let mut engine = Engine::with_policy(&policy_that_prefers(&[], None));
    const MATE_IN_TWO: &str = "r2r2k1/5ppp/8/8/8/8/3R1PPP/3Q2K1 w - - 0 1";
    engine.say(&format!("position fen {MATE_IN_TWO}"));
    for go in ["go nodes 3000", "go mate 2", "go movetime 600000", "go wtime 60000000 btime 60000000"] {
        let lines = engine.search(go);
        let info = &lines[lines.len() - 2];
        assert!(info.contains(" score mate 2 "), "{go}: {info}");
        assert!(after(info, "pv").starts_with(best(&lines)), "{go}: {info}");
    }
    engine.say("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(best(&engine.search("go")), "(none)");
}

#[test]
fn a_look_ahead_finds_a_mate_at_once_and_leaves_other_moves_open() {
    // The network recaptures, but the rook mates.
    let mut engine = Engine::with_policy(&policy_that_prefers(&[("a2b3", 5.0)], None));
    engine.say("setoption name MultiPV value 2\nposition fen 6k1/5ppp/8/8/8/1q6/P4PPP/3R2K1 w - - 0 1");
    assert_eq!(best(&engine.search("go nodes 1")), "d1d8");
    let lines = engine.search("go nodes 100");
    let second = &lines[lines.len() - 2];
    assert!(second.contains(" multipv 2 ") && after(second, "pv").contains(' '), "not searched: {second}");
    engine.say("setoption name LookAhead value 0");
    assert_eq!(best(&engine.search("go nodes 1")), "a2b3");
}

#[test]
fn lines_are_numbered_and_their_probabilities_add_up() {
    let mut engine = Engine::with_network();
    engine.say("setoption name MultiPV value 3\nsetoption name UCI_ShowWDL value true");
    let lines = engine.search("go nodes 40");
    let last = &lines[lines.len() - 4..lines.len() - 1];
    let mut first_moves = BTreeSet::new();
    for (line, index) in last.iter().zip(1..) {
        assert!(line.contains(&format!(" multipv {index} score ")), "{line}");
        assert_eq!(sum_of_chances(line), 1000, "{line}");
        first_moves.insert(after(line, "pv").split(' ').next().unwrap().to_owned());
    }
    assert_eq!(first_moves.len(), 3);
    assert!(after(&last[0], "pv").starts_with(best(&lines)));
}

#[test]
fn play_at_a_rating_is_drawn_from_the_network_and_repeats_with_a_seed() {
    let skill = skill_that_grows_with_the_rating();
    let mut engine = Engine::with_policy(&policy_that_prefers(&[("e2e4", 2.0), ("d2d4", 1.0)], Some(&skill)));
    // Human-like play needs no other option.
    engine.say("setoption name Evaluator value auto");
    engine.say("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1200");
    let mut with_seed = |seed: u32| {
        engine.say(&format!("setoption name Seed value {seed}\nposition startpos"));
        let lines = engine.search("go movetime 600000");
        assert_eq!(lines.len(), 2, "{lines:?}");
        // The position itself, and a short search of each likely move.
        assert!((2..1000).contains(&number(&lines[0], "nodes")), "{lines:?}");
        best(&lines).to_owned()
    };
    let drawn: Vec<String> = (1..=20).map(&mut with_seed).collect();
    assert!(drawn.iter().collect::<BTreeSet<_>>().len() > 1, "{drawn:?}");
    assert_eq!((1..=20).map(&mut with_seed).collect::<Vec<_>>(), drawn);
    // Stronger players search more, but still little.
    engine.say("setoption name UCI_Elo value 2600");
    let lines = engine.search("go wtime 600000 btime 600000");
    let nodes = number(&lines[lines.len() - 2], "nodes");
    assert!((1000..200_000).contains(&nodes), "{lines:?}");
    // Without skill, the nodes of a tree search determine the strength.
    engine.say("setoption name Skill value false");
    let lines = engine.search("go wtime 600000 btime 600000");
    assert_eq!(number(&lines[lines.len() - 2], "nodes"), 12, "{lines:?}");
}

#[test]
fn stronger_players_overlook_less_and_a_seed_repeats_their_moves() {
    let skill = skill_that_grows_with_the_rating();
    let mut engine = Engine::with_policy(&policy_that_prefers(&[], Some(&skill)));
    // The queen mates, but for the policy it is one move of many.
    const MATE: &str = "r1bqkb1r/2p2p1p/p5p1/3np1N1/1p1n4/1B1P1Q2/PPP2PPP/RNB2RK1 w kq - 0 1";
    engine.say(&format!("setoption name UCI_LimitStrength value true\nposition fen {MATE}"));
    let mut with_rating = |rating: u32, seeds: std::ops::RangeInclusive<u32>| {
        engine.say(&format!("setoption name UCI_Elo value {rating}"));
        let mut draw = |seed: u32| {
            engine.say(&format!("setoption name Seed value {seed}"));
            best(&engine.search("go")).to_owned()
        };
        seeds.map(&mut draw).collect::<Vec<_>>()
    };
    let mates = |moves: &[String]| moves.iter().filter(|m| *m == "f3f7").count();
    let [weak, strong] = [1000, 2200].map(|rating| with_rating(rating, 1..=40));
    assert!(mates(&weak) + 8 < mates(&strong), "{weak:?} {strong:?}");
    assert_eq!(with_rating(2200, 1..=40), strong);
}

#[test]
fn searchmoves_are_respected_and_zero_limits_still_give_a_legal_move() {
    let mut engine = Engine::with_network();
    for go in ["go searchmoves h2h3 nodes 20", "go searchmoves h2h3 movetime 50"] {
        assert_eq!(best(&engine.search(go)), "h2h3", "{go}");
    }
    engine.say("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 2200");
    assert_eq!(best(&engine.search("go searchmoves h2h3")), "h2h3");
    for go in [
        "go searchmoves h2h3 a2a3",
        "go searchmoves a2a3 h2h3 nodes 0",
        "go searchmoves a2a3 h2h3 movetime 0",
    ] {
        assert!(["a2a3", "h2h3"].contains(&best(&engine.search(go))), "{go}");
    }
    engine.say("setoption name UCI_LimitStrength value false");
    for go in ["go movetime 0", "go nodes 0", "go wtime -50 btime 1", "go depth 0", "go depth 3"] {
        check_best_move(engine.search(go).last().unwrap(), &Chess::default());
    }
}

#[test]
fn it_ponders_and_searches_with_little_memory_and_two_threads() {
    let mut engine = Engine::with_network();
    engine.say(
        "setoption name Hash value 1\nsetoption name Threads value 2\nposition startpos moves e2e4 e7e5",
    );
    engine.say("go ponder wtime 600 btime 600");
    assert!(engine.holds_its_move_for(Duration::from_millis(700)));
    engine.say("ponderhit");
    engine.until("bestmove");
    engine.say("go infinite");
    assert!(engine.holds_its_move_for(Duration::from_millis(1500)));
    engine.say("stop");
    let lines = engine.until("bestmove");
    check_best_move(lines.last().unwrap(), &play(&Chess::default(), "e2e4 e7e5"));
}

#[test]
fn a_network_that_cannot_be_loaded_is_reported_once_and_the_current_one_stays() {
    let mut engine = Engine::with_network();
    engine.say("setoption name PolicyFile value no/such/file.onnx");
    let lines = engine.search("go nodes 5");
    assert!(lines[0].starts_with("info string error: option PolicyFile: "), "{lines:?}");
    assert!(lines[0].ends_with("the network in use is kept"), "{lines:?}");
    let lines = engine.search("go nodes 5");
    assert!(!lines[0].contains("error"), "{lines:?}");
    // Two games without and with a network.
    engine.say("ucinewgame\nsetoption name Evaluator value material");
    assert!(number(&engine.search("go depth 4")[3], "nodes") > 30);
    engine.say("ucinewgame\nsetoption name Evaluator value network");
    let lines = engine.search("go nodes 7");
    assert_eq!(number(&lines[lines.len() - 2], "nodes"), 7);
}
