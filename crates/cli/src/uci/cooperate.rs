//! A plain `go` with `Mode` = generate: a move of a game in which both sides cooperate toward the constraint.

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

/// The longest PV that is sent: older GUIs and adapters copy it into buffers of a fixed size. As long as
/// proof games usually are at most.
const LONGEST_PV: usize = 101;

/// Everything that a cooperative move needs.
pub(super) struct CooperateJob {
    /// What is done where there is nothing to cooperate toward.
    pub play: play::PlayJob,
    pub settings: Settings,
}

impl CooperateJob {
    /// Reports the proof game that the move begins, and returns the answer, the move. With the constraint satisfied
    /// already, or beyond reach, it says so and plays on.
    pub(super) fn run(&self, engine: &mut Engine, stop: &Stop, writer: &Writer) -> Reply {
        let start = Instant::now();
        match self.way(engine, stop, writer) {
            Ok(Some(generation)) => return self.answer(&generation, start, stop, writer),
            Ok(None) => {}
            Err(why) => writer.send(&why),
        }
        self.play.run(engine, self.settings.player(), stop, writer)
    }

    /// The way to the goal; why there is none to go; `None` without a legal move.
    fn way(
        &self,
        engine: &mut Engine,
        stop: &Stop,
        writer: &Writer,
    ) -> Result<Option<Generation>, Box<Reply>> {
        let play::PlayJob { game, request, .. } = &self.play;
        let Some(target) = &self.settings.session.target else {
            let reason = "option Mode is generate and there is no Constraint: playing on";
            return Err(Reply::Note(reason.to_owned()).into());
        };
        let satisfied = game
            .positions()
            .enumerate()
            .find(|(ply, position)| target.is_satisfied(Situation { position, ply: *ply as u32 }));
        let is_sure = |ply: usize, position: &shakmaty::Chess| {
            target.is_surely_satisfied(Situation { position, ply: ply as u32 })
        };
        if satisfied.as_ref().is_some_and(|(ply, position)| !is_sure(*ply, position)) {
            let reason = "a plain go does not lead to what search must judge (eval, quiet, mate, only, best), and the \
                          rest of the constraint holds: playing on; go generate judges";
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
        let mut together = Cooperation::new(game, &request.moves, target, &settings);
        // A depth that suits alpha-beta would keep this search busy for ever.
        together.most_depth = request.depth;
        together.limits = self.play.limits(stop);
        let way = engine.cooperate(&together);
        way.map_err(|error| Box::new(Reply::Error(error.to_string())))
    }

    fn answer(&self, generation: &Generation, start: Instant, stop: &Stop, writer: &Writer) -> Reply {
        let game = &self.play.game;
        let best = generation.begun_with.expect("a way begins with a move");
        let mut after = game.position().clone();
        after.play_unchecked(best);
        let situation = Situation { position: &after, ply: game.moves().len() as u32 + 1 };
        let target = self.settings.session.target.as_ref();
        let is_there = target.is_some_and(|target| target.is_surely_satisfied(situation));
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
