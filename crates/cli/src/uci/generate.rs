//! `go generate`: turns settings and limits into positions with their proof games.

use entente::{
    engine::{Engine, EngineError},
    generation::{Distance, Generation, GenerationError, Outcome, Quota, Request},
    settings::GenerationSettings,
};
use entente_constraint::{Situation, Target, guide::GuideError};
use entente_search::Score;
use shakmaty::{Chess, Position};

use super::{
    go::Generate,
    options,
    play::to_uci,
    reply::{Generated, Info, Reply},
    stop::Stop,
    writer::{Writer, tell},
};

/// Everything that a generation needs.
pub(super) struct GenerateJob {
    pub root: Chess,
    pub limits: Generate,
    pub target: Option<Target>,
    pub settings: GenerationSettings,
}

impl GenerateJob {
    /// Generates positions, reports each one immediately, and returns the answer: a legal move, or none if the request
    /// cannot be executed.
    pub(super) fn run(&self, engine: &mut Engine, stop: &Stop, writer: &Writer) -> Reply {
        self.generate(engine, stop, writer).unwrap_or_else(|why| {
            let is_cut = matches!(*why, Reply::Generated { result: Generated::Undetermined { .. }, .. });
            writer.send(&why);
            writer.send(&Reply::Info(Info::nothing()));
            if is_cut { any_move(&self.root) } else { Reply::no_move() }
        })
    }

    /// Returns the answer, or the error or reason why there are fewer positions.
    fn generate(&self, engine: &mut Engine, stop: &Stop, writer: &Writer) -> Result<Reply, Box<Reply>> {
        let count = self.limits.count;
        let mut request = self.request()?;
        request.settings = engine.settled(&request.settings, &mut |event| tell(event, writer));
        let job = engine.resolve(&request).map_err(|error| {
            Box::new(match error {
                EngineError::Impossible(reason) => {
                    let result = Generated::Impossible { reason: reason.to_string() };
                    Reply::Generated { number: 1, count, result }
                }
                EngineError::TooLong { fewest, max_plies } => Reply::Error(format!(
                    "option MaxPlies is {max_plies}: the constraint needs at least {fewest} plies"
                )),
                EngineError::Request(error) => {
                    Reply::Error(format!("option {}", error.with_names(options::name_of)))
                }
                error => Reply::Error(error.to_string()),
            })
        })?;
        let unused = job
            .unused
            .as_ref()
            .map(|error| format!("without effect: {}", error.with_names(options::name_of)));
        unused.into_iter().chain(job.notes.iter().cloned()).for_each(|note| writer.send(&Reply::Note(note)));

        // With more threads than cores, the session would react too slowly. The results do not depend on the number.
        let threads = (self.settings.threads as usize).min(Quota::cores());
        let quota = Quota::new(count.into(), threads);
        let mut delivered = 0;
        let mut last = Vec::new();
        let mut cut = false;
        Engine::run_job(&job, quota, stop.flag(), |generation| {
            delivered += 1;
            report(delivered, count, &generation, writer);
            cut = generation.outcome == Outcome::Undetermined;
            last = generation.moves.iter().map(|&m| to_uci(&self.root, m)).collect();
            // The output is closed, so the work is pointless.
            if writer.is_closed() {
                stop.request();
            }
        })
        .map_err(|error| match error {
            // A search has proved it.
            GenerationError::Guide(GuideError::Impossible(reason)) => {
                let result = Generated::Impossible { reason: reason.to_string() };
                Reply::Generated { number: delivered + 1, count, result }
            }
            error => Reply::Error(error.to_string()),
        })?;
        if delivered < count && !cut {
            // Generation was stopped before the next position had any result, so the root is the nearest position met.
            let distance = Distance::of(&job.target, Situation::root(&self.root)).map_or(0, Distance::number);
            let result = Generated::Undetermined { distance, position: self.root.clone() };
            return Err(Reply::Generated { number: delivered + 1, count, result }.into());
        }
        Ok(match last.as_slice() {
            [] => any_move(&self.root),
            [best, rest @ ..] => Reply::BestMove { best: Some(*best), ponder: rest.first().copied() },
        })
    }

    /// The request: the settings, and the limits of the command.
    fn request(&self) -> Result<Request, Box<Reply>> {
        let Some(target) = self.target.clone() else {
            let reason = "go generate: there is no constraint; set the option Constraint first";
            return Err(Reply::Error(reason.to_owned()).into());
        };
        let Generate { depth, nodes, move_time, .. } = self.limits;
        let settings = self.settings.clone().changed(|settings| {
            settings.depth = depth.or(settings.depth);
            settings.nodes = nodes;
            settings.movetime = move_time.map(|time| time.as_millis() as u64);
        });
        Ok(Request::new(target, settings).from_root(self.root.clone()))
    }
}

fn report(number: u32, count: u32, generation: &Generation, writer: &Writer) {
    writer.send(&Reply::Generated { number, count, result: result(generation) });
    writer.send(&Reply::Info(Info { multipv: Some(number), ..info(generation) }));
}

/// The result of a generation.
pub(super) fn result(generation: &Generation) -> Generated {
    let position = generation.position.clone();
    match generation.outcome {
        Outcome::Found => Generated::Found { plies: generation.moves.len(), position },
        Outcome::Undetermined => Generated::Undetermined { distance: generation.distance.number(), position },
    }
}

/// The statistics of a generation, and its game.
pub(super) fn info(generation: &Generation) -> Info {
    Info {
        depth: generation.moves.len() as u32,
        score: Score::Centipawns((generation.value * 1000.0).round() as i32),
        nodes: generation.nodes,
        time: generation.time,
        pv: generation.moves.iter().map(|&m| to_uci(&generation.position, m)).collect(),
        ..Info::nothing()
    }
}

/// Any legal move, because the GUI expects one.
pub(super) fn any_move(root: &Chess) -> Reply {
    Reply::BestMove { best: root.legal_moves().first().map(|&m| to_uci(root, m)), ponder: None }
}
