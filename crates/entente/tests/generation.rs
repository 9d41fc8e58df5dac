//! Rules of a single generation: attempts, the closest position, where games end, limits of time.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like tests")]

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use entente::{
    engine::Engine,
    generation::{
        Distance, Generation, GoalPolicyPlan, Job, NegamaxPlan, Outcome, Plan, PolicyPlan,
        policy::{Delivery, PolicyReport},
    },
    satisfaction::SatisfactionModel,
    settings::Realism,
};
use entente_constraint::Target;
use entente_network::{NetworkKind as _, Policy};
use entente_search::NegamaxSettings;
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().expect(fen).into_position(CastlingMode::Standard).expect(fen)
}

/// Games of up to `max_plies` plies by negamax one ply deep. With a criterion of 1 every move can be drawn, so games
/// are aimless and many fail.
fn job(constraint: &str, root: Chess, faithful: bool, max_plies: u32) -> Job {
    let target = Target::new(constraint.parse().expect(constraint)).expect(constraint);
    let mut plan = NegamaxPlan::new(SatisfactionModel::Men);
    plan.search = NegamaxSettings { depth: 1, criterion: 1.0, faithful };
    let mut job = Job::new(target, Plan::Negamax(plan));
    (job.root, job.max_plies) = (root, max_plies);
    job
}

fn generate(job: &Job, index: u64) -> Generation {
    Engine::generator(job).unwrap().generate(index, &AtomicBool::new(false)).unwrap()
}

/// The positions of a game, the root first.
fn positions(root: &Chess, generation: &Generation) -> Vec<Chess> {
    let mut positions = vec![root.clone()];
    for &m in &generation.moves {
        let mut next = positions[positions.len() - 1].clone();
        assert!(next.is_legal(m), "{m}");
        next.play_unchecked(m);
        positions.push(next);
    }
    positions
}

#[test]
fn a_game_is_given_up_to_the_first_of_its_closest_positions() {
    let job = job("(1,1,1,1,5) black(0,1,1,2,6)", Chess::default(), true, 40);
    let (mut undetermined, mut cut_back) = (0, 0);
    for index in 0..30 {
        let generation = generate(&job, index);
        let positions = positions(&job.root, &generation);
        let goal = job.target.goal.as_ref().unwrap();
        let distances: Vec<u32> = positions.iter().map(|position| goal.distance(position)).collect();
        let (last, before) = distances.split_last().unwrap();
        assert_eq!(positions.last(), Some(&generation.position), "the moves lead to the position given");
        assert_eq!((*last, generation.outcome == Outcome::Found), (generation.distance.number(), *last == 0));
        assert!(before.iter().all(|distance| distance > last), "{distances:?}");
        assert!(generation.distance.number() <= generation.first_attempt_distance);
        undetermined += u32::from(generation.outcome == Outcome::Undetermined);
        cut_back += u32::from(generation.distance.number() < generation.first_attempt_distance);
    }
    assert!(undetermined > 0 && cut_back > 0, "{undetermined} {cut_back}: the games show nothing");
}

#[test]
fn a_failed_game_is_retried_and_both_the_first_and_the_best_attempt_are_told() {
    let mut once = job("(1,2,1,2,7)", Chess::default(), false, 30);
    once.budget.attempts = 1;
    let mut often = once.clone();
    often.budget.attempts = 20;
    let mut retried = 0;
    for index in 0..20 {
        let (first, best) = (generate(&once, index), generate(&often, index));
        assert_eq!(first.attempts, 1);
        assert_eq!(best.first_attempt_distance, first.first_attempt_distance);
        assert!(best.distance.number() <= first.distance.number() && best.nodes >= first.nodes);
        if first.outcome == Outcome::Found {
            assert_eq!((best.attempts, &best.moves, best.first_attempt_distance), (1, &first.moves, 0));
        } else {
            assert!(first.first_attempt_distance > 0);
            assert!((2..=20).contains(&best.attempts), "{}", best.attempts);
            assert!(best.attempts == 20 || best.outcome == Outcome::Found);
            retried += u32::from(best.outcome == Outcome::Found);
        }
    }
    assert!(retried > 0, "no retry succeeded: the games show nothing");
}

/// The constraint, a root with one legal move that comes nearer to it, and why it goes no further.
const DEAD_ENDS: [(&str, &str); 2] = [
    // The capture leaves a bishop: the position is dead.
    ("q=0 B=0", "7k/8/8/8/8/8/1q6/K6B w - - 0 1"),
    // The capture takes the pawn that would have to promote: the goal is lost.
    ("q=2 p=0", "7k/8/8/3b4/8/3q4/1p6/K7 w - - 0 1"),
];

#[test]
fn the_published_algorithm_plays_on_to_a_draw_or_a_lost_goal_and_never_retries() {
    for (constraint, fen) in DEAD_ENDS {
        let generation = generate(&job(constraint, position(fen), true, 101), 0);
        assert_eq!(
            (generation.outcome, generation.distance),
            (Outcome::Undetermined, Distance::Men(1)),
            "{constraint}"
        );
        assert_eq!((generation.moves.len(), generation.attempts), (1, 1), "{constraint}");
    }
    let (constraint, fen) = DEAD_ENDS[0];
    assert_eq!(generate(&job(constraint, position(fen), true, 101), 0).nodes, 1, "the draw ends the game");
}

#[test]
fn the_default_plays_no_move_that_draws_or_loses_the_goal() {
    for (constraint, fen) in DEAD_ENDS {
        let generation = generate(&job(constraint, position(fen), false, 101), 0);
        assert_eq!(
            (generation.outcome, generation.distance),
            (Outcome::Undetermined, Distance::Men(2)),
            "{constraint}"
        );
        assert!(generation.moves.is_empty(), "{constraint}");
    }
}

#[test]
fn no_move_follows_the_end_of_chess_at_the_root() {
    for (constraint, fen) in [
        ("B=0", "8/8/8/8/8/2k5/1B6/7K b - - 0 1"),
        ("q=0", "4k3/8/8/8/8/8/3q4/4K2R w - - 150 140"),
        ("Q=0", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"),
    ] {
        for faithful in [false, true] {
            let generation = generate(&job(constraint, position(fen), faithful, 101), 0);
            assert_eq!(generation.outcome, Outcome::Undetermined, "{constraint}");
            assert_eq!(
                (generation.moves.len(), generation.attempts, generation.nodes),
                (0, 1, 0),
                "{constraint}"
            );
        }
    }
    let in_time = job("q=0", position("4k3/8/8/8/8/8/3q4/4K2R w - - 149 140"), false, 101);
    assert_eq!(generate(&in_time, 0).outcome, Outcome::Found);
}

#[test]
fn a_limit_of_time_ends_a_search_that_would_take_hours() {
    let mut job = job("Q=9 q=9", Chess::default(), false, 101);
    if let Plan::Negamax(plan) = &mut job.plan {
        plan.search.depth = 8;
    }
    job.budget.time = Some(Duration::from_millis(50));
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    let flag = Arc::clone(&stop);
    let search = thread::spawn(move || {
        let mut generator = Engine::generator(&job).unwrap();
        let _ = sender.send(generator.generate(0, &flag).unwrap());
    });
    let generation = receiver.recv_timeout(Duration::from_secs(60));
    stop.store(true, Ordering::Relaxed);
    search.join().unwrap();
    let generation = generation.expect("the search ends long before");
    assert_eq!(generation.outcome, Outcome::Undetermined);
    assert!(generation.time >= Duration::from_millis(50));
}

/// The policy's games for a constraint, four of them.
fn by_policy(constraint: &str, realism: Realism) -> Vec<PolicyReport> {
    let target = Target::new(constraint.parse().expect(constraint)).expect(constraint);
    let policy = Policy::open(Policy::DEFAULT).unwrap();
    let mut policy = PolicyPlan::new(Arc::new(policy));
    policy.ratings = [Some((1500, 1500)); 2];
    let mut plan = GoalPolicyPlan::new(policy);
    plan.realism = realism;
    let job = Job::new(target, Plan::GoalPolicy(plan));
    let mut generator = Engine::generator(&job).unwrap();
    let mut report = |index| {
        let generation = generator.generate(index, &AtomicBool::new(false)).unwrap();
        assert_eq!(generation.outcome, Outcome::Found, "{constraint}");
        generation.report.expect("a policy played it")
    };
    (0..4).map(&mut report).collect()
}

#[test]
fn a_game_of_few_plies_is_played_as_people_play_and_not_by_search() {
    for constraint in ["ply=16 Q=1 q=1", "ply=12", "turn=black P=7 ply=9..15"] {
        for report in by_policy(constraint, Realism::Auto) {
            assert_eq!(
                (report.by, report.finished),
                (Some(Delivery::Natural), 0),
                "{constraint}: {report:?}"
            );
        }
    }
    // Game by game there is nothing to be done, either, but to wait.
    for report in by_policy("ply=16 Q=1 q=1", Realism::Fast) {
        assert_eq!((report.by, report.finished), (Some(Delivery::Fast), 0), "{report:?}");
    }
}
