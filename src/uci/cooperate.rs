//! A plain `go` with `Mode` = generate: a move of a game in which both sides cooperate toward the constraint.

use std::time::Instant;

use shakmaty::Position;

use super::{
    generate::{info, result, settings},
    options::Options,
    play::{self, to_uci},
    reply::{Generated, Info, Reply},
    resources::Resources,
    stop::Stop,
    writer::Writer,
};
use crate::{
    constraint::Situation,
    evaluator::{NetworkError, Recipe},
    generation::{Budget, Distance, Generation, Method, Outcome, PLANS, cooperate},
    guide::GuideError,
};

/// The longest PV that is sent: older GUIs and adapters copy it into buffers of a fixed size. As long as the longest
/// proof game, unless `MaxPlies` is changed.
const LONGEST_PV: usize = 101;

/// Everything that a cooperative move needs.
pub(super) struct Job {
    /// What is done where there is nothing to cooperate toward.
    pub play: play::Job,
    pub options: Options,
}

impl Job {
    /// Reports the proof game that the move begins, and returns the answer, the move. With the constraint satisfied
    /// already, or beyond reach, it says so and plays on.
    pub fn run(&self, resources: &mut Resources, stop: &Stop, writer: &Writer) -> Reply {
        let start = Instant::now();
        match self.way(resources, stop, writer) {
            Ok(Some(generation)) => return self.answer(&generation, start, stop, writer),
            Ok(None) => {}
            Err(why) => writer.send(&why),
        }
        self.play.run(resources, &self.options, stop, writer)
    }

    /// The way to the goal; why there is none to go; `None` without a legal move.
    fn way(
        &self,
        resources: &mut Resources,
        stop: &Stop,
        writer: &Writer,
    ) -> Result<Option<Generation>, Box<Reply>> {
        let play::Job { game, request, .. } = &self.play;
        let Some(target) = &self.options.target else {
            let reason = "option Mode is generate and there is no Constraint: playing on";
            return Err(Reply::Note(reason.to_owned()).into());
        };
        let satisfied = game
            .positions()
            .enumerate()
            .find(|(ply, position)| target.is_satisfied(Situation { position, ply: *ply as u32 }));
        if let Some((ply, position)) = satisfied {
            return Err(Reply::Satisfied { ply, position }.into());
        }
        Distance::of(target, game.situation()).map_err(|error| match error {
            GuideError::Impossible(reason) => {
                Reply::Plan(Generated::Impossible { reason: reason.to_string() })
            }
            GuideError::TooComplex => Reply::Error(error.to_string()),
        })?;
        let limits = self.play.limits(stop);
        let plan = |method, recipe: &Recipe, plans| {
            let attempts = if method == Method::BestFirst { Budget::SEARCHES } else { 1 };
            let budget = Budget { attempts, nodes: None, time: None };
            let settings = settings(&self.options, game.position().clone(), target.clone(), method, budget);
            cooperate(game, &request.moves, &settings, recipe, plans, limits)
                .map_err(|error| Box::new(Reply::Error(error.to_string())))
        };
        let search = |recipe: &Recipe, plans| {
            // A depth that suits alpha-beta would keep this search busy for ever.
            let depth = self.options.generation_depth(recipe).min(request.depth.max(1));
            plan(self.options.search(target, depth), recipe, plans)
        };
        let failed = |error: NetworkError| Box::new(Reply::Error(error.to_string()));
        // Without a network it takes no time to find some way, and with one the time may be too short for any.
        let (some_way, way) = if self.options.cooperates_by_policy() {
            // What only the policy leads to is no fault of the search.
            let some_way = search(&Recipe::Material, 1).unwrap_or(None);
            let policy = resources.networks.policy(&self.options, writer).map_err(failed)?;
            let settings = self.options.policy_settings(target).map_err(Reply::Error)?;
            // The shortest of several would not be one that people might play.
            (some_way, plan(Method::GoalPolicy(settings), &Recipe::Policy(policy), 1)?)
        } else {
            let some_way = if self.options.wants_network() { search(&Recipe::Material, 1)? } else { None };
            let recipe = resources.networks.recipe(&self.options, writer).map_err(failed)?;
            // With no clock to use up, the first that is found will do.
            (some_way, search(&recipe, if stop.timer.is_set() { PLANS } else { 1 })?)
        };
        let is_found =
            |way: &Option<Generation>| way.as_ref().is_some_and(|way| way.outcome == Outcome::Found);
        Ok(if is_found(&some_way) && !is_found(&way) { some_way } else { way })
    }

    fn answer(&self, generation: &Generation, start: Instant, stop: &Stop, writer: &Writer) -> Reply {
        let game = &self.play.game;
        let best = generation.begun_with.expect("a way begins with a move");
        let mut after = game.position().clone();
        after.play_unchecked(best);
        let situation = Situation { position: &after, ply: game.moves().len() as u32 + 1 };
        let is_there = self.options.target.as_ref().is_some_and(|target| target.is_satisfied(situation));
        writer.send(&if is_there {
            Reply::Satisfied { ply: game.moves().len() + 1, position: after }
        } else {
            Reply::Plan(result(generation))
        });
        let mut info = Info { time: start.elapsed(), ..info(generation) };
        if info.pv.is_empty() {
            // All its moves led away; one has to be played.
            info.pv.push(to_uci(best));
        }
        info.pv.truncate(LONGEST_PV);
        let ponder = info.pv.get(1).copied();
        writer.send(&Reply::Info(info));
        stop.wait_for_release();
        Reply::BestMove { best: Some(to_uci(best)), ponder }
    }
}
