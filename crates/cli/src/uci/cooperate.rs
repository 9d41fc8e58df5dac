//! A plain `go` with `Mode` = `generate`: a move of a game in which both sides cooperate toward the constraint.

use std::time::Instant;

use entente::{
    engine::{Cooperation, Engine},
    generation::{Distance, Generation},
    settings::Settings,
};
use entente_constraint::{Situation, guide::GuideError};
use shakmaty::Position;

use super::{
    generate::{info, result},
    play::{self, to_uci},
    reply::{Generated, Info, Reply},
    stop::Stop,
    writer::{Writer, tell},
};

/// The longest PV sent, in moves: older GUIs and adapters copy the PV into buffers of a fixed size. It is as long as
/// the default limit for proof games.
const LONGEST_PV: usize = 101;

/// A cooperative move.
pub(super) struct CooperateJob {
    /// The search for a move if there is nothing to cooperate toward.
    pub play: play::PlayJob,
    pub settings: Settings,
}

impl CooperateJob {
    /// Reports the proof game that the move begins, and returns `bestmove` with the move. If the constraint is already
    /// satisfied or out of reach, reports that and plays to win.
    pub(super) fn run(&self, engine: &mut Engine, stop: &Stop, writer: &Writer) -> Reply {
        let start = Instant::now();
        match self.generation(engine, stop, writer) {
            Ok(Some(generation)) => return self.answer(&generation, start, stop, writer),
            Ok(None) => {}
            Err(why) => writer.send(&why),
        }
        self.play.run(engine, self.settings.player(), stop, writer)
    }

    /// A generation that leads to the constraint, or `None` without a legal move.
    ///
    /// # Errors
    /// The reason why there is no generation, as a reply.
    fn generation(
        &self,
        engine: &mut Engine,
        stop: &Stop,
        writer: &Writer,
    ) -> Result<Option<Generation>, Box<Reply>> {
        let play::PlayJob { game, request, .. } = &self.play;
        let Some(target) = &self.settings.session.target else {
            let reason = "option Mode is generate, but there is no Constraint: playing to win";
            return Err(Reply::Note(reason.to_owned()).into());
        };
        let satisfied = game
            .positions()
            .enumerate()
            .find(|(ply, position)| target.is_satisfied(Situation { position, ply: *ply as u32 }));
        let is_sure = |ply: usize, position: &shakmaty::Chess| {
            target.is_certainly_satisfied(Situation { position, ply: ply as u32 })
        };
        if satisfied.as_ref().is_some_and(|(ply, position)| !is_sure(*ply, position)) {
            let reason = "the constraint is satisfied, except for conditions that search must judge (eval, quiet, \
                          mate, only, best); a plain go ignores them: playing to win; go generate judges them";
            return Err(Reply::Note(reason.to_owned()).into());
        }
        if let Some((ply, position)) = satisfied {
            return Err(Reply::Satisfied { ply, position }.into());
        }
        Distance::of(target, game.situation()).map_err(|error| match error {
            GuideError::Impossible(reason) => {
                Reply::Plan(Generated::Impossible { reason: reason.to_string() })
            }
            GuideError::TooComplex => Reply::Error(error.to_string()),
        })?;
        let settings = engine.settled(&self.settings.generation, &mut |event| tell(event, writer));
        let mut cooperation = Cooperation::new(game, &request.moves, target, &settings);
        // At depths that suit alpha-beta, this search would never end.
        cooperation.max_depth = request.depth;
        cooperation.limits = self.play.limits(stop);
        let generation = engine.cooperate(&cooperation);
        generation.map_err(|error| Box::new(Reply::Error(error.to_string())))
    }

    fn answer(&self, generation: &Generation, start: Instant, stop: &Stop, writer: &Writer) -> Reply {
        let game = &self.play.game;
        let best = generation.begun_with.expect("a cooperative game begins with a move");
        let mut after = game.position().clone();
        after.play_unchecked(best);
        let situation = Situation { position: &after, ply: game.moves().len() as u32 + 1 };
        let target = self.settings.session.target.as_ref();
        let is_there = target.is_some_and(|target| target.is_certainly_satisfied(situation));
        writer.send(&if is_there {
            Reply::Satisfied { ply: game.moves().len() + 1, position: after }
        } else {
            Reply::Plan(result(generation))
        });
        let mut info = Info { time: start.elapsed(), ..info(generation) };
        if info.pv.is_empty() {
            // Every move led away from the constraint, but one must be played.
            info.pv.push(to_uci(best));
        }
        info.pv.truncate(LONGEST_PV);
        let ponder = info.pv.get(1).copied();
        writer.send(&Reply::Info(info));
        stop.wait_for_release();
        Reply::BestMove { best: Some(to_uci(best)), ponder }
    }
}
