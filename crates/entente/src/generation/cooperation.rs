use std::sync::Arc;

use entente_constraint::{
    Goal, Men, Situation, child_of,
    guide::{Estimate, Guide},
};
use entente_search::{Game, Limits, Timer};
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use shakmaty::{Chess, Move, Position};

use super::{Distance, Generation, GenerationError, Generator, Job, Outcome};
use crate::settings::Method;

/// The usual number of proof games from which the shortest is chosen. It is much shorter than a single one, and when
/// two engines cooperate, each move is a step of another game.
pub const PLANS: u64 = 8;
/// The maximum number of proof games that are tried.
const TRIES: u64 = 40;
/// More than the number of games of an attempt.
const STREAMS_OF_ATTEMPT: u64 = 1 << 10;
/// More than the number of games for a move, so that each move of a game has its own random numbers.
const STREAMS: u64 = 1 << 32;

/// How to continue a game in which both sides cooperate: the shortest of `plans` proof games from the position on the
/// board, otherwise the game that comes nearest, or at least a move that does not lead away. It begins with one of
/// `moves`. If possible, it does not begin with a move after which a draw may be claimed, because GUIs then end the
/// game. `None` if there are no moves.
///
/// The root of `job` and its ply are not used. After the soft deadline of `limits`, no further proof game is started.
/// Another `attempt` at the same move has other random numbers.
///
/// # Errors
/// [`GenerationError`] if no generator can be made, or its network cannot evaluate a position that the search reached.
pub fn cooperate(
    game: &Game,
    moves: &[Move],
    job: &Job,
    plans: u64,
    attempt: u64,
    limits: Limits<'_>,
) -> Result<Option<Generation>, GenerationError> {
    let position = game.position();
    let job = Job {
        root: position.clone(),
        first_ply: game.situation().ply,
        before: Some(Arc::new(game.clone())),
        // Random plies at every move would lead nowhere.
        opening_plies: 0,
        ..job.clone()
    };
    let target = job.target.clone();
    let lasts = |m: &Move| {
        let child = child_of(position, *m);
        !game.may_be_claimed_after(*m) || target.is_satisfied(game.situation().after(&[*m], &child))
    };
    let lasting: Vec<Move> = moves.iter().copied().filter(lasts).collect();
    let first = game.moves().len() as u64 * STREAMS + attempt * STREAMS_OF_ATTEMPT;
    let step = least_loss(if lasting.is_empty() { moves } else { &lasting }, &job, first)?;
    if lasting.is_empty() {
        return Ok(step);
    }
    // Best-first search then has made all its attempts, and would find nothing new.
    let tries = if job.method() == Method::BestFirst { 1 } else { TRIES };
    let mut generator = Generator::new(job)?;
    let mut best: Option<Generation> = None;
    let (mut found, mut nodes, mut evaluations) = (0, 0, 0);
    for index in first.. {
        let limits = Limits { nodes: limits.nodes.saturating_sub(nodes), ..limits };
        let generation = generator.generate_within(index, limits, &|m| lasting.contains(&m))?;
        nodes += generation.nodes;
        evaluations += generation.evaluations;
        found += u64::from(generation.outcome == Outcome::Found);
        if best.as_ref().is_none_or(|best| rank(&generation) < rank(best)) {
            best = Some(generation);
        }
        let timer = limits.timer.filter(|timer| timer.is_set());
        let late = timer.is_some_and(Timer::soft_passed);
        let tired = index - first + 1 - found >= tries;
        if found >= plans || late || tired || limits.forbid(nodes, 1) {
            break;
        }
    }
    let chosen = best.filter(|best| best.begun_with.is_some()).or(step);
    Ok(chosen.map(|best| Generation { nodes, evaluations, ..best }))
}

/// A game of one move, for when there is no time for a better one. The move is drawn from those that lead nearest to
/// the target, and if possible do not put it out of reach. `None` if there are no moves.
fn least_loss(moves: &[Move], job: &Job, stream: u64) -> Result<Option<Generation>, GenerationError> {
    let position = &job.root;
    let losses: Vec<Loss> = match (job.method(), &job.target.goal) {
        (Method::Negamax | Method::Rollout, None) => return Err(GenerationError::not_counted(&job.target)),
        (Method::Negamax | Method::Rollout | Method::GoalPolicy | Method::Puct, Some(goal)) => {
            moves.iter().map(|m| Loss::of_men(goal, position, *m)).collect()
        }
        _ => {
            let game = job.game();
            let guide = Guide::new(&job.target, game.situation())?;
            moves.iter().map(|m| Loss::of_plies(&guide, game.situation(), *m)).collect()
        }
    };
    let Some(least) = losses.iter().map(|loss| loss.rank).min() else { return Ok(None) };
    let nearest: Vec<usize> = (0..moves.len()).filter(|&index| losses[index].rank == least).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(job.seed);
    rng.set_stream(stream);
    let index = nearest[rng.random_range(0..nearest.len())];
    let (m, distance) = (moves[index], losses[index].distance);
    Ok(Some(Generation { index: stream, ..Generation::of_game(position, vec![m], distance) }))
}

/// The effect of a move on the distance from the target.
struct Loss {
    /// Whether the move puts the target out of reach, and then the distance after it.
    rank: (bool, u32),
    distance: Distance,
}

impl Loss {
    fn of_men(goal: &Goal, position: &Chess, m: Move) -> Loss {
        let men = Men::on(position.board()).after(m, position.turn());
        let distance = goal.distance_of(&men);
        Loss { rank: (!goal.keeps_reachable(m, &men), distance), distance: Distance::Men(distance) }
    }

    fn of_plies(guide: &Guide, here: Situation<'_>, m: Move) -> Loss {
        let (child, moves) = (child_of(here.position, m), [m]);
        let next = here.after(&moves, &child);
        if guide.is_satisfied(next) {
            return Loss { rank: (false, 0), distance: Distance::Plies(0) };
        }
        let estimate = guide.estimate(next);
        Loss {
            rank: (estimate.is_none(), estimate.map_or(u32::MAX, Estimate::total)),
            distance: Distance::Plies(estimate.map_or(guide.distance(), Estimate::plies)),
        }
    }
}

/// The order of generations: the nearest first, then the shortest.
pub(crate) fn rank(generation: &Generation) -> (u32, usize) {
    (
        generation.distance.number(),
        if generation.begun_with.is_none() { usize::MAX } else { generation.moves.len() },
    )
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use entente_constraint::Target;
    use shakmaty::{CastlingMode, fen::Fen, uci::UciMove};

    use super::*;
    use crate::{
        generation::{Budget, NegamaxPlan, Plan},
        satisfaction::SatisfactionModel,
    };

    fn job(constraint: &str, seed: u64) -> Job {
        let target = Target::new(constraint.parse().unwrap()).unwrap();
        let budget = Budget { attempts: 1, nodes: None, time: None };
        Job { budget, seed, ..Job::new(target, Plan::Negamax(NegamaxPlan::new(SatisfactionModel::Men))) }
    }

    fn game(fen: &str, moves: &str) -> Game {
        let mut game = Game::new(fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap());
        for text in moves.split_whitespace() {
            let m = text.parse::<UciMove>().unwrap().to_move(game.position()).unwrap();
            game.play(m);
        }
        game
    }

    fn next(game: &Game, job: &Job, stop: bool) -> Option<Generation> {
        let legal = game.position().legal_moves();
        let stop = AtomicBool::new(stop);
        cooperate(game, &legal, job, PLANS, 0, Limits::until(&stop)).unwrap()
    }

    #[test]
    fn two_sides_that_know_nothing_of_each_other_reach_the_goal() {
        for constraint in ["(1,2,2,2,7)", "Q=0 q=0", "Q=2"] {
            let (white, black) = (job(constraint, 1), job(constraint, 2));
            let mut game = Game::new(Chess::default());
            while !white.target.is_satisfied(Situation::root(game.position())) {
                assert!(game.moves().len() < 101, "{constraint}");
                let job = game.position().turn().fold_wb(&white, &black);
                let way = next(&game, job, false).expect("there is a move");
                assert_eq!(way.outcome, Outcome::Found, "{constraint}");
                game.play(way.moves[0]);
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_continuation() {
        let game = Game::new(Chess::default());
        let moves = |seed| next(&game, &job("Q=0 q=0 R-r=1", seed), false).unwrap().moves;
        assert_eq!(moves(1), moves(1));
        assert_ne!(moves(1), moves(2));
    }

    #[test]
    fn a_move_allows_a_draw_claim_only_if_it_reaches_the_goal() {
        let start = "4k3/8/8/8/8/8/q7/1N2K3 w - - 98 90";
        let goal = job("q=0", 1);
        let way = next(&game(start, ""), &goal, false).unwrap();
        let game = game(start, "");
        assert!(!game.may_be_claimed_after(way.begun_with.unwrap()));
        // With a halfmove clock of 99, every move except a capture allows a draw claim.
        let last = "4k3/8/8/8/8/8/q7/1N2K3 w - - 99 90";
        assert_eq!(next(&self::game(last, ""), &goal, false).unwrap().outcome, Outcome::Undetermined);
        let capture = "4k3/8/8/8/8/2N5/q7/4K3 w - - 99 90";
        assert_eq!(next(&self::game(capture, ""), &goal, false).unwrap().moves.len(), 1);
    }

    #[test]
    fn a_continuation_begins_with_an_allowed_move_also_if_it_is_stopped() {
        let game = Game::new(Chess::default());
        let job = job("Q=0", 1);
        let legal = game.position().legal_moves();
        for m in &legal {
            let stop = AtomicBool::new(false);
            let way = cooperate(&game, &[*m], &job, PLANS, 0, Limits::until(&stop)).unwrap();
            assert_eq!(way.unwrap().begun_with, Some(*m));
        }
        let stopped = next(&game, &job, true).unwrap();
        assert_eq!((stopped.outcome, stopped.nodes, stopped.moves.len()), (Outcome::Undetermined, 0, 1));
        let stop = AtomicBool::new(false);
        let none = cooperate(&game, &[], &job, PLANS, 0, Limits::until(&stop)).unwrap();
        assert!(none.is_none());
    }

    #[test]
    fn without_time_a_move_keeps_the_goal_in_reach_or_satisfies_it() {
        let moves = |fen: &str, constraint: &str| -> Vec<String> {
            let game = game(fen, "");
            let mut moves: Vec<String> = (0..50)
                .map(|seed| next(&game, &job(constraint, seed), true).unwrap().moves[0])
                .map(|m| m.to_uci(CastlingMode::Standard).to_string())
                .collect();
            moves.sort();
            moves.dedup();
            moves
        };
        let queen_hangs = "4k3/8/8/8/8/8/q7/1RK5 w - - 0 1";
        assert_eq!(moves("4k3/8/8/8/8/2N5/q7/4K3 w - - 0 1", "q=0"), ["c3a2"]);
        assert!(moves("4k3/8/8/8/8/2N5/q7/4K3 w - - 0 1", "q=1").len() > 3);
        assert!(!moves("4k3/8/8/8/8/2N5/q7/4K3 w - - 0 1", "q=1").contains(&"c3a2".to_owned()));
        assert!(!moves(queen_hangs, "q=1").is_empty());
    }
}
