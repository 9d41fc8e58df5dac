//! `go generate`: from options and limits to positions with their proof games.

use shakmaty::{Chess, Position};

use super::{
    options::Target,
    play::to_uci,
    reply::{Generated, Info, Reply},
    stop::Stop,
    writer::Writer,
};
use crate::{
    constraint::Men,
    evaluator::Recipe,
    generation::{Generation, Outcome, Plan, Settings, generate_many},
    search::Score,
};

/// Everything that a generation needs.
pub(super) struct Job {
    pub settings: Settings,
    pub recipe: Recipe,
    pub count: u32,
    pub threads: usize,
}

impl Job {
    /// Generates, reports each position as it is there, and answers with a legal move.
    pub fn run(&self, stop: &Stop, writer: &Writer) {
        let plan = Plan { count: u64::from(self.count), distinct: false, threads: self.threads };
        let mut delivered = 0;
        let mut last = Vec::new();
        let mut cut = false;
        let generated = generate_many(&self.settings, &self.recipe, plan, stop.flag(), |generation| {
            delivered += 1;
            self.report(delivered, &generation, writer);
            cut = generation.outcome == Outcome::Undetermined;
            last = generation.moves.iter().map(|&m| to_uci(m)).collect();
            // Nobody listens: no reason to work on.
            if writer.is_closed() {
                stop.request();
            }
        });
        if let Err(error) = generated {
            return give_up(&self.settings.root, Reply::Error(error.to_string()), writer);
        }
        if delivered < self.count && !cut {
            return give_up(&self.settings.root, self.stopped(delivered + 1), writer);
        }
        match last.as_slice() {
            [] => writer.send(&any_move(&self.settings.root)),
            [best, rest @ ..] => {
                writer.send(&Reply::BestMove { best: Some(*best), ponder: rest.first().copied() });
            }
        }
    }

    fn report(&self, number: u32, generation: &Generation, writer: &Writer) {
        let position = generation.position.clone();
        let plies = generation.moves.len();
        let result = match generation.outcome {
            Outcome::Found => Generated::Found { plies, position },
            Outcome::Undetermined => Generated::Undetermined { distance: generation.distance, position },
        };
        writer.send(&Reply::Generated { number, count: self.count, result });
        writer.send(&Reply::Info(Info {
            depth: plies as u32,
            multipv: Some(number),
            score: Score::Centipawns((generation.value * 1000.0).round() as i32),
            nodes: generation.nodes,
            time: generation.time,
            pv: generation.moves.iter().map(|&m| to_uci(m)).collect(),
            ..Info::nothing()
        }));
    }

    /// What is said of a position that `stop` came before: nothing nearer than the root was met.
    fn stopped(&self, number: u32) -> Reply {
        let position = self.settings.root.clone();
        let distance = self.settings.goal.distance(&position);
        let result = Generated::Undetermined { distance, position };
        Reply::Generated { number, count: self.count, result }
    }
}

/// What is said of a constraint that no legal game from `root` satisfies; `None` if that is not proved.
pub(super) fn impossible(root: &Chess, target: &Target, count: u32) -> Option<Reply> {
    let reason = target.goal.impossible_from(&Men::on(root.board()))?.to_string();
    Some(Reply::Generated { number: 1, count, result: Generated::Impossible { reason } })
}

/// Ends a generation that has nothing to show: why, a score as GUIs need one, and a legal move.
pub(super) fn give_up(root: &Chess, why: Reply, writer: &Writer) {
    writer.send(&why);
    writer.send(&Reply::Info(Info::nothing()));
    writer.send(&any_move(root));
}

fn any_move(root: &Chess) -> Reply {
    Reply::BestMove { best: root.legal_moves().first().map(|&m| to_uci(m)), ponder: None }
}
