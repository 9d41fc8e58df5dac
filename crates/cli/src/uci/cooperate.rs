//! A plain `go` with `Mode` = `generate`: a move of a game in which both sides cooperate toward the constraint.

use std::{slice, time::Instant};

use entente::{
    engine::{Cooperation, Engine},
    generation::{Distance, Generation},
    settings::Settings,
};
use entente_constraint::{Situation, child_of, guide::GuideError};
use entente_search::Score;
use shakmaty::{Color, Position, uci::UciMove};

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

/// What to do without a generation.
enum Otherwise {
    /// Plays to win, after this message.
    Play(Box<Reply>),
    /// Nothing, for this reason: the request cannot be executed, and ordinary chess would be something else.
    Refuse(String),
}

/// A cooperative move.
pub(super) struct CooperateJob {
    /// The search for a move if there is nothing to cooperate toward.
    pub play: play::PlayJob,
    pub settings: Settings,
    /// Whether to look for better proof games until `stop`.
    pub is_infinite: bool,
}

impl CooperateJob {
    /// Reports the proof game that the move begins, and returns `bestmove` with the move. If the constraint is already
    /// satisfied or out of reach, reports that and plays to win.
    pub(super) fn run(self, engine: &mut Engine, stop: &Stop, writer: &Writer) -> Option<Reply> {
        let start = Instant::now();
        let otherwise = if self.play.request.moves.is_empty() {
            None
        } else {
            match self.generations(engine, start, stop, writer) {
                Ok(lines) => {
                    stop.wait_for_release();
                    return Some(Reply::BestMove {
                        best: moves(&lines[0]).next(),
                        ponder: moves(&lines[0]).nth(1),
                    });
                }
                Err(otherwise) => Some(otherwise),
            }
        };
        match otherwise {
            Some(Otherwise::Refuse(why)) => {
                writer.send(&Reply::Error(format!("go: {why}")));
                writer.send(&Reply::Info(Info::nothing()));
                stop.wait_for_release();
                return Some(Reply::no_move());
            }
            Some(Otherwise::Play(why)) => {
                writer.send(&why);
                if matches!(*why, Reply::Satisfied { .. }) {
                    return self.play.without_scores().run(engine, self.settings.player(), stop, writer);
                }
            }
            None => {}
        }
        self.play.run(engine, self.settings.player(), stop, writer)
    }

    /// Generations that lead to the constraint, at least one, which are also reported.
    ///
    /// # Errors
    /// What to do if there is no generation.
    fn generations(
        &self,
        engine: &mut Engine,
        start: Instant,
        stop: &Stop,
        writer: &Writer,
    ) -> Result<Vec<Generation>, Otherwise> {
        let play::PlayJob { game, request, .. } = &self.play;
        let Some(target) = &self.settings.session.target else {
            let reason = "option Mode is generate, but there is no constraint; set the option Constraint";
            return Err(Otherwise::Refuse(reason.to_owned()));
        };
        let satisfied = game
            .positions()
            .enumerate()
            .map(|(ply, position)| (ply, position, Situation::root(game.root())))
            .map(|(ply, position, root)| {
                let situation = root.after(&game.moves()[..ply], &position);
                let held = (target.is_satisfied(situation), target.is_certainly_satisfied(situation));
                (ply, held, position)
            })
            .find(|(_, (may_hold, _), _)| *may_hold);
        if satisfied.as_ref().is_some_and(|(_, (_, holds), _)| !holds) {
            let reason = "the constraint is satisfied, except for conditions that search must judge (eval, quiet, \
                          mate, only, best); a plain go ignores them: playing to win; go generate judges them";
            return Err(Otherwise::Play(Box::new(Reply::Note(reason.to_owned()))));
        }
        if let Some((ply, _, position)) = satisfied {
            return Err(Otherwise::Play(Box::new(Reply::Satisfied { ply, position })));
        }
        // Nothing can be done about a move of the other side that has put the constraint out of reach. But a constraint
        // that was never within reach is a mistake of the user.
        let root = game.after(0);
        if let Err(error) = Distance::of(target, root.situation()) {
            return Err(Otherwise::Refuse(format!("option Constraint: {error}")));
        }
        Distance::of(target, game.situation()).map_err(|error| match error {
            GuideError::Impossible(reason) => {
                Otherwise::Play(Box::new(Reply::Plan(Generated::Impossible { reason: reason.to_string() })))
            }
            error => Otherwise::Refuse(format!("option Constraint: {error}")),
        })?;
        let settings = engine.settled(&self.settings.generation, &mut |event| tell(event, writer));
        let mut cooperation = Cooperation::new(game, &request.moves, target, &settings);
        // At depths that suit alpha-beta, this search would never end.
        cooperation.max_depth = request.depth;
        cooperation.limits = self.play.limits(stop);
        cooperation.lines = request.lines;
        cooperation.is_patient = self.is_infinite;
        engine
            .cooperate(&cooperation, &mut |lines| self.report(lines, start, stop, writer))
            .map_err(|error| Otherwise::Refuse(error.to_string()))
    }

    /// Reports proof games, the best first.
    fn report(&self, lines: &[Generation], start: Instant, stop: &Stop, writer: &Writer) {
        let game = &self.play.game;
        let first = lines[0].begun_with.expect("a cooperative game begins with a move");
        let after = child_of(game.position(), first);
        let ply = game.moves().len() + 1;
        let situation = game.situation().after(slice::from_ref(&first), &after);
        let target = self.settings.session.target.as_ref();
        let is_there = target.is_some_and(|target| target.is_certainly_satisfied(situation));
        writer.send(&if is_there {
            Reply::Satisfied { ply, position: after }
        } else {
            Reply::Plan(result(&lines[0]))
        });
        let numbered = self.play.request.lines > 1;
        for (line, number) in lines.iter().zip(1..) {
            writer.send(&Reply::Info(Info {
                multipv: numbered.then_some(number),
                score: score(line, game.position().turn()),
                time: start.elapsed(),
                pv: moves(line).take(LONGEST_PV).collect(),
                ..info(line)
            }));
        }
        // Nothing reads the output any more.
        if writer.is_closed() {
            stop.request();
        }
    }
}

/// The moves of a generation; at least one.
fn moves(generation: &Generation) -> impl Iterator<Item = UciMove> {
    // If every move led away from the constraint, one must be played nevertheless.
    let only = generation.begun_with.filter(|_| generation.moves.is_empty());
    generation.moves.iter().copied().chain(only).map(|m| to_uci(&generation.position, m))
}

/// The score of a proof game: ten centipawns for each ply to the constraint, positive for White. Both sides want the
/// same, and a GUI draws one curve, which falls to 0 where the constraint is satisfied.
fn score(generation: &Generation, turn: Color) -> Score {
    let plies = generation.moves.len() as i32 + generation.distance.number().min(100) as i32;
    Score::Centipawns(turn.fold_wb(10, -10) * plies)
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;

    #[test]
    fn the_score_falls_to_nothing_for_both_sides() {
        let legal = Chess::default().legal_moves();
        let after = |plies: usize, distance| {
            Generation::of_game(&Chess::default(), legal[..plies].to_vec(), Distance::Plies(distance))
        };
        let scores =
            [(1, Color::White), (1, Color::Black)].map(|(plies, turn)| score(&after(plies, 0), turn));
        assert_eq!(scores, [Score::Centipawns(10), Score::Centipawns(-10)]);
        assert_eq!(score(&after(1, 7), Color::White), Score::Centipawns(80));
    }
}
