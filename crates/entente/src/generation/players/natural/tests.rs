use std::sync::atomic::AtomicBool;

use entente_network::{Cooling, NetworkKind as _, Policy, Skill};
use entente_search::position_from_fen;
use shakmaty::Position as _;

use super::*;
use crate::generation::{Generator, Plan, PolicyPlan};

/// The plies before this position: moves in openings are not reviewed.
const PLIES: u32 = 9;
/// Black has two legal moves: the rook takes White's, or the bishop protects the king and loses the rook.
const TWO_MOVES: &str = "r3R1k1/5ppp/3b4/8/8/8/5PPP/6K1 b - - 0 5";
/// A temperature at which all moves are equally likely, whatever the network says.
const ANY: f32 = 1e9;

/// In how many of ten games of one ply Black loses the rook, by what a pawn lost takes from a game's weight.
fn blunders(review: f32) -> usize {
    let policy = Policy::open(Policy::DEFAULT).unwrap();
    let cooling = vec![Cooling { at: 1000, opening: 1.0, middle: None, late: 1.0, caution: 0.0, review }];
    let skill = Skill { cooling, ..Skill::clone(policy.skill().unwrap()) };
    let policy = PolicyPlan {
        ratings: [Some((1000, 1000)); 2],
        temperatures: TemperatureOverrides { opening: Some(ANY), late: Some(ANY) },
        ..PolicyPlan::new(policy.with_skill(Some(skill)).into())
    };
    let plan = GoalPolicyPlan { realism: Realism::Natural, population: 16, ..GoalPolicyPlan::new(policy) };
    let target = format!("ply={}", PLIES + 1).parse().unwrap();
    let mut job = Job::new(target, Plan::GoalPolicy(plan));
    job.root = position_from_fen(TWO_MOVES).unwrap();
    assert_eq!(job.root.legal_moves().len(), 2);
    job.first_ply = PLIES;
    let mut generator = Generator::new(job).unwrap();
    let games = (0..10).map(|index| generator.generate(index, &AtomicBool::new(false)).unwrap());
    games.filter(|game| game.moves[0].to_string() == "Bd6-f8").count()
}

/// This holds for any network, because the temperature leaves it no say.
#[test]
fn games_with_a_blunder_are_not_drawn_once_they_are_reviewed() {
    // Without a review, half of the games on average.
    assert!((1..10).contains(&blunders(0.0)));
    assert_eq!(blunders(10.0), 0, "in each population of sixteen games, some have the other move");
}
