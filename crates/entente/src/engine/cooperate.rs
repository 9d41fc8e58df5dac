use std::time::Instant;

use entente_constraint::child_of;
use entente_search::{Limits, Timer};
use shakmaty::Move;

use super::{
    Engine, EngineError,
    cooperative_jobs::{Cooperation, plan},
    kept_plan::{KeptPlan, Promise},
};
use crate::{
    generation::{Distance, Generation, Job, Outcome, PLANS, drawn_seed, rank},
    satisfaction::SatisfactionModel,
    settings::GenerationSettings,
};

impl Engine {
    /// Proof games from here to the target, the best first; none if there are no moves. Each begins with another move.
    /// `report` receives them whenever there is another one or a better one, and at least once if there is a move.
    ///
    /// The proof game of the last move is continued as long as it leads to the target. If the other side has left it,
    /// several are drawn until one is no longer; if the game would still become one and a half times as long as first
    /// promised, it is ended by search. If a network is used, the time may be too short for games as people play them.
    /// With a clock, a proof game that takes a tenth of the time is therefore drawn first, and if the network finds
    /// none at all, a search without a network uses the rest of the time.
    ///
    /// # Errors
    /// [`EngineError`] if a network is wanted but none can be loaded, or if it cannot be run.
    pub fn cooperate(
        &mut self,
        wanted: &Cooperation<'_>,
        report: &mut dyn FnMut(&[Generation]),
    ) -> Result<Vec<Generation>, EngineError> {
        // Drawn once for all attempts.
        let seed = Some(wanted.settings.seed.unwrap_or_else(drawn_seed));
        let settings = GenerationSettings { seed, ..wanted.settings.clone() };
        let job = self.cooperative_job(wanted, settings.clone())?;
        let before = self.kept_plan.take().filter(|plan| plan.is_for(wanted.target, wanted.settings));
        let promise = before.as_ref().and_then(|plan| plan.promise(wanted.game));
        let kept = before
            .and_then(|plan| Some((plan.rest(wanted.game, wanted.moves, wanted.target)?, plan.is_as_wanted)));
        if wanted.is_patient && kept.is_none() && job.method().has_policy() {
            self.show_quick_plan(wanted, &job, &settings, report)?;
        }
        let mut lines: Vec<Generation> = Vec::new();
        let mut is_as_wanted = true;
        let mut nodes = 0;
        for number in 0.. {
            let others: Vec<Move> = wanted
                .moves
                .iter()
                .copied()
                .filter(|m| lines.iter().all(|line| line.begun_with != Some(*m)))
                .collect();
            let is_first = number == 0;
            let limits = Limits { nodes: wanted.limits.nodes.saturating_sub(nodes), ..wanted.limits };
            if number >= wanted.lines || others.is_empty() || !is_first && is_late(limits) {
                break;
            }
            let here = Cooperation { moves: &others, limits, lines: 1, ..*wanted };
            let (kept, promise) = if is_first { (kept.clone(), promise) } else { (None, None) };
            let Some((line, as_wanted)) = self.line(&here, &job, &settings, kept, promise)? else { break };
            nodes += line.nodes;
            is_as_wanted &= as_wanted || !is_first;
            lines.push(line);
            // The first line is the one that is played. The others are in order.
            lines[1..].sort_by_key(rank);
            report(&lines);
        }
        if wanted.is_patient && !lines.is_empty() {
            self.improve(wanted, &job, nodes, &mut lines, report)?;
        }
        if let Some(best) = lines.first().filter(|best| best.outcome == Outcome::Found) {
            let plies = wanted.game.moves().len();
            self.kept_plan = Some(KeptPlan {
                plies,
                due: promise.map_or(plies + best.moves.len(), |promise| promise.due),
                target: wanted.target.constraint.to_string(),
                settings: wanted.settings.clone(),
                is_as_wanted,
                root: wanted.game.position().clone(),
                moves: best.moves.clone(),
            });
        }
        Ok(lines)
    }

    /// Reports a proof game that is found in a tenth of the time, so that the user of an analysis sees something soon.
    fn show_quick_plan(
        &mut self,
        wanted: &Cooperation<'_>,
        job: &Job,
        settings: &GenerationSettings,
        report: &mut dyn FnMut(&[Generation]),
    ) -> Result<(), EngineError> {
        let Some(quick) = self.quick_job(wanted, job, settings)? else { return Ok(()) };
        let way = plan(wanted, &quick, 1, 0)?;
        way.filter(|way| way.outcome == Outcome::Found)
            .iter()
            .for_each(|way| report(std::slice::from_ref(way)));
        Ok(())
    }

    /// The best proof game for a move, and whether it was found in the way that the settings ask for. `promise` is that
    /// of the plan of before, if the game continues the one that it was made for.
    fn line(
        &mut self,
        wanted: &Cooperation<'_>,
        job: &Job,
        settings: &GenerationSettings,
        kept: Option<(Generation, bool)>,
        promise: Option<Promise>,
    ) -> Result<Option<(Generation, bool)>, EngineError> {
        let position = wanted.game.position();
        let satisfies = |m: &&Move| {
            let child = child_of(position, **m);
            wanted.target.is_certainly_satisfied(wanted.game.situation().after(&[**m], &child))
        };
        // Whoever draws the moves, the game is over as soon as the target is reached.
        if let Some(last) = wanted.moves.iter().find(satisfies) {
            let distance = Distance::to(wanted.target, 0);
            return Ok(Some((Generation::of_game(position, vec![*last], distance), true)));
        }
        let (by_policy, is_timed) =
            (job.method().has_policy(), wanted.limits.timer.is_some_and(Timer::is_set));
        if by_policy && let Some((kept, true)) = kept {
            return Ok(Some((kept, true)));
        }
        let asks_network = by_policy || matches!(job.plan.model(), Some(SatisfactionModel::Network(_)));
        let kept = kept.map(|(kept, _)| kept);
        let time = wanted.limits.timer.and_then(Timer::soft_left).filter(|_| asks_network);
        let start = Instant::now();
        let until = |share: f64| {
            let deadline = time.map(|left| start + left.mul_f64(share)).or(wanted.limits.deadline);
            Cooperation { limits: Limits { deadline, ..wanted.limits }, ..*wanted }
        };
        // Insurance against a time that is too short for a game as people play it.
        let quick = if by_policy && (is_timed || promise.is_some()) && kept.is_none() {
            self.quick_job(wanted, job, settings)?
        } else {
            None
        };
        // The other side has left the plan. If every new plan were longer, the game would never end.
        let promised = promise.map(|promise| promise.plies).filter(|&plies| plies > 0);
        let keeps = |way: &Option<Generation>| {
            promised.is_none_or(|promised| way.as_ref().is_some_and(|way| rank(way) <= (0, promised)))
        };
        // With a clock these come first: a game as people play it may take all the time, and may not be found.
        let mut quick_way = match &quick {
            Some(quick) if is_timed => quick_plan(&until(SHARE_OF_QUICK), quick, None, keeps)?,
            _ => None,
        };
        // The shortest of several games would be unlike human play. Without a clock, the first one is good enough.
        let plans = if is_timed && !by_policy { PLANS } else { 1 };
        let mut way = plan(&until(SHARE_OF_NETWORK), job, plans, 0)?;
        if by_policy && !keeps(&way) {
            if let Some(quick) = quick.filter(|_| !keeps(&quick_way)) {
                quick_way = quick_plan(&until(SHARE_OF_LAST), &quick, quick_way, keeps)?;
            }
            way = shorter(way, quick_way.take());
        }
        if by_policy && !is_found(&way) && is_found(&quick_way) {
            way = shorter(quick_way, way);
        }
        // Two sides that do not know each other's plans may never reach a rare target as people play. A game that has
        // become far longer than first promised is brought to its end by search.
        let length = |way: &Generation| wanted.game.moves().len() + way.moves.len();
        let is_broken = |way: &Generation| promise.is_some_and(|promise| promise.is_broken_by(length(way)));
        if by_policy && way.as_ref().is_some_and(is_broken) {
            let search = match kept {
                Some(kept) => Some(kept),
                None => self.without_network(wanted, settings, by_policy)?,
            };
            return Ok(
                shorter(search.filter(|way| way.outcome == Outcome::Found), way).map(|best| (best, false))
            );
        }
        let some_way = if asks_network && kept.is_none() && !is_found(&way) {
            self.without_network(wanted, settings, by_policy)?
        } else {
            None
        };
        let some_way = kept.or(some_way).filter(|some_way| some_way.outcome == Outcome::Found);
        Ok(match (way, some_way) {
            (Some(way), Some(other)) if by_policy && rank(&way) <= rank(&other) => Some((way, true)),
            (way, Some(some_way)) => shorter(Some(some_way), way).map(|best| (best, !by_policy)),
            (way, None) => way.map(|way| (way, true)),
        })
    }

    /// Looks for shorter proof games until the limits are reached, and reports each one.
    fn improve(
        &mut self,
        wanted: &Cooperation<'_>,
        job: &Job,
        mut nodes: u64,
        lines: &mut [Generation],
        report: &mut dyn FnMut(&[Generation]),
    ) -> Result<(), EngineError> {
        for attempt in 1..LAST_ATTEMPT {
            let limits = Limits { nodes: wanted.limits.nodes.saturating_sub(nodes), ..wanted.limits };
            // No proof game is shorter than a move.
            if is_late(limits) || lines.iter().all(|line| rank(line) <= (0, 1)) {
                break;
            }
            let Some(way) = plan(&Cooperation { limits, ..*wanted }, job, 1, attempt)? else { break };
            nodes += way.nodes;
            let way = Generation { nodes, ..way };
            let same = lines.iter().position(|line| line.begun_with == way.begun_with);
            let place = same.unwrap_or(lines.len() - 1);
            if rank(&way) < rank(&lines[place]) {
                lines[place] = way;
                lines.sort_by_key(rank);
                report(lines);
            }
        }
        Ok(())
    }
}

/// The share of the time that a quick proof game may take.
const SHARE_OF_QUICK: f64 = 0.4;
/// The share of the time after which a search without a network begins, if the network has found no proof game.
const SHARE_OF_NETWORK: f64 = 0.7;
/// The share of the time after which no further quick proof game is drawn to keep the length of the game.
const SHARE_OF_LAST: f64 = 0.9;
/// The number of quick proof games that are drawn at once at most to find one that is no longer than the plan of
/// before. Each takes about ten milliseconds.
const REPLANS: u64 = 24;
/// More attempts than any analysis makes; each has its own random numbers.
const LAST_ATTEMPT: u64 = 1 << 20;

/// The first proof game by a quick job that is enough, or else the shortest of [`REPLANS`] or of as many as the limits
/// allow. Without one from `before`, there is at least one.
fn quick_plan(
    wanted: &Cooperation<'_>,
    quick: &Job,
    before: Option<Generation>,
    is_enough: impl Fn(&Option<Generation>) -> bool,
) -> Result<Option<Generation>, EngineError> {
    // Other random numbers than those before.
    let first = if before.is_some() { REPLANS } else { 0 };
    let mut best = before;
    for attempt in first..first + REPLANS {
        if best.is_some() && (is_enough(&best) || is_late(wanted.limits)) {
            break;
        }
        best = shorter(best, plan(wanted, quick, 1, attempt)?);
    }
    Ok(best)
}

/// The one that is nearer to the target, or shorter, with the nodes of both.
fn shorter(one: Option<Generation>, other: Option<Generation>) -> Option<Generation> {
    let (Some(one), Some(other)) = (&one, &other) else { return one.or(other) };
    let best = if rank(other) < rank(one) { other } else { one };
    let (nodes, evaluations) = (one.nodes + other.nodes, one.evaluations + other.evaluations);
    Some(Generation { nodes, evaluations, ..best.clone() })
}

fn is_found(way: &Option<Generation>) -> bool {
    way.as_ref().is_some_and(|way| way.outcome == Outcome::Found)
}

/// True if no further proof game should be begun.
fn is_late(limits: Limits<'_>) -> bool {
    limits.forbid(0, 1) || limits.timer.filter(|timer| timer.is_set()).is_some_and(Timer::soft_passed)
}

#[cfg(test)]
mod tests {
    use entente_constraint::Target;
    use entente_search::{Game, searchable_position_from_fen};
    use shakmaty::{Chess, Position as _};

    use super::*;
    use crate::settings::{Method, Realism};

    /// Plays both sides until the target is reached, and returns the length of each plan.
    fn lengths(engine: &mut Engine, target: &Target, settings: &GenerationSettings) -> Vec<usize> {
        let mut game = Game::new(Chess::default());
        let mut lengths = Vec::new();
        while !target.is_satisfied(game.situation()) {
            let moves = game.position().legal_moves().to_vec();
            let wanted = Cooperation::new(&game, &moves, target, settings);
            let lines = engine.cooperate(&wanted, &mut |_| ()).unwrap();
            lengths.push(lines[0].moves.len());
            game.play(lines[0].moves[0]);
        }
        lengths
    }

    #[test]
    fn a_plan_is_kept_from_move_to_move() {
        let target: Target = "Q=0 q=0".parse().unwrap();
        for method in [Method::Negamax, Method::BestFirst] {
            let settings = GenerationSettings::default().changed(|settings| settings.method = Some(method));
            let lengths = lengths(&mut Engine::default(), &target, &settings);
            assert!(lengths.is_sorted_by(|earlier, later| later < earlier), "{method:?}: {lengths:?}");
        }
    }

    #[test]
    fn a_plan_is_not_kept_for_another_target_game_or_choice_of_moves() {
        let target: Target = "Q=0".parse().unwrap();
        let settings =
            GenerationSettings::default().changed(|settings| settings.method = Some(Method::Negamax));
        let mut engine = Engine::default();
        let game = Game::new(Chess::default());
        let moves = game.position().legal_moves().to_vec();
        let plan =
            engine.cooperate(&Cooperation::new(&game, &moves, &target, &settings), &mut |_| ()).unwrap();
        let kept = engine.kept_plan.take().unwrap();
        let after = |moves: &[Move]| {
            let mut game = Game::new(Chess::default());
            moves.iter().for_each(|m| game.play(*m));
            game
        };
        let rest = |game: &Game, target: &Target, settings: &GenerationSettings| {
            let moves = game.position().legal_moves().to_vec();
            let rest = kept.rest(game, &moves, target).map(|rest| rest.moves);
            rest.filter(|_| kept.is_for(target, settings))
        };
        let first = plan[0].moves[0];
        assert_eq!(rest(&after(&[first]), &target, &settings), Some(plan[0].moves[1..].to_vec()));
        assert_eq!(rest(&after(&plan[0].moves), &target, &settings), None, "nothing is left");
        assert_eq!(rest(&after(&[]), &target, &settings), Some(plan[0].moves.clone()));
        assert_eq!(rest(&after(&[first]), &"Q=0 q=1".parse().unwrap(), &settings), None);
        let longer = settings.clone().changed(|settings| settings.max_plies = Some(300));
        assert_eq!(rest(&after(&[first]), &target, &longer), None);
        let excluded: Vec<Move> = moves.iter().copied().filter(|m| *m != first).collect();
        assert!(kept.rest(&game, &excluded, &target).is_none());
    }

    #[test]
    fn several_lines_begin_with_different_moves_and_patience_makes_them_shorter() {
        let target: Target = "q=0".parse().unwrap();
        let settings = GenerationSettings::default()
            .changed(|settings| (settings.method, settings.seed) = (Some(Method::Negamax), Some(1)));
        let game = Game::new(Chess::default());
        let moves = game.position().legal_moves().to_vec();
        let limits = Limits { nodes: 1_000_000, ..Limits::none() };
        let mut reports: Vec<Vec<(u32, usize)>> = Vec::new();
        let wanted = Cooperation {
            lines: 3,
            is_patient: true,
            limits,
            ..Cooperation::new(&game, &moves, &target, &settings)
        };
        let lines = Engine::default()
            .cooperate(&wanted, &mut |lines| reports.push(lines.iter().map(rank).collect()))
            .unwrap();
        let firsts: Vec<Option<Move>> = lines.iter().map(|line| line.begun_with).collect();
        assert!(firsts[0] != firsts[1] && firsts[1] != firsts[2] && firsts[0] != firsts[2], "{firsts:?}");
        assert_eq!(reports[2].len(), 3);
        let plies = |lines: &[(u32, usize)]| lines.iter().map(|(_, plies)| plies).sum::<usize>();
        assert!(reports[2..].windows(2).all(|pair| plies(&pair[1]) < plies(&pair[0])), "{reports:?}");
        assert!(reports.last().unwrap().is_sorted());
        assert!(reports.len() > 3, "nothing better was found: {reports:?}");
    }

    #[test]
    fn a_move_that_reaches_the_target_is_played_at_once() {
        let target: Target = "q=0".parse().unwrap();
        let settings = GenerationSettings::default();
        let game = Game::new(searchable_position_from_fen("3qk3/8/8/8/8/8/8/3RK3 w - - 0 1", None).unwrap());
        let moves = game.position().legal_moves().to_vec();
        let wanted = Cooperation::new(&game, &moves, &target, &settings);
        let lines = Engine::default().cooperate(&wanted, &mut |_| ()).unwrap();
        assert_eq!((lines[0].moves.len(), lines[0].nodes), (1, 0));
    }

    /// Plays a game in which every other move is one that the engine's plan does not have, and returns the lengths of
    /// the engine's plans.
    fn lengths_against_a_stranger(settings: &GenerationSettings) -> Vec<usize> {
        let target: Target = "(1,2,1,1,7)".parse().unwrap();
        let mut engines = [Engine::default(), Engine::default()];
        let mut game = Game::new(Chess::default());
        let mut lengths = Vec::new();
        while !target.is_satisfied(game.situation()) {
            let mover = game.moves().len() % 2;
            let moves = game.position().legal_moves().to_vec();
            let settings = settings.clone().changed(|settings| settings.seed = Some(1 + mover as u64));
            let wanted = Cooperation::new(&game, &moves, &target, &settings);
            let lines = engines[mover].cooperate(&wanted, &mut |_| ()).unwrap();
            lengths.push(lines[0].moves.len());
            game.play(lines[0].moves[0]);
        }
        lengths
    }

    #[test]
    fn two_engines_that_do_not_know_each_others_plans_do_not_make_the_game_longer_and_longer() {
        let settings = GenerationSettings::default()
            .changed(|settings| (settings.realism, settings.skill) = (Realism::Fast, false));
        let lengths = lengths_against_a_stranger(&settings);
        // The first plan of each side may have any length. Later ones are chosen among several.
        let longer = lengths.windows(3).filter(|plans| plans[2] + 2 > plans[0]).count();
        assert!(lengths.len() <= 40 && longer * 4 <= lengths.len(), "{lengths:?}");
    }
}
