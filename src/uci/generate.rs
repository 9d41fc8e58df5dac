//! `go generate`: from options and limits to positions with their proof games.

use shakmaty::{Chess, Position};

use super::{
    go::Generate,
    networks::Networks,
    options::Options,
    play::to_uci,
    reply::{Generated, Info, Reply},
    stop::Stop,
    writer::Writer,
};
use crate::{
    constraint::{Situation, Target},
    evaluator::{NetworkError, Recipe},
    generation::{
        Budget, Distance, Generation, Method, MethodChoice, Outcome, Plan, Settings, generate_many,
    },
    guide::GuideError,
    search::{Effort, Score},
};

/// Everything that a generation needs.
pub(super) struct Job {
    pub root: Chess,
    pub limits: Generate,
    pub options: Options,
}

impl Job {
    /// Generates, reports each position as it is there, and returns the answer, a legal move.
    pub fn run(&self, networks: &mut Networks, stop: &Stop, writer: &Writer) -> Reply {
        self.generate(networks, stop, writer).unwrap_or_else(|why| {
            writer.send(&why);
            writer.send(&Reply::Info(Info::nothing()));
            any_move(&self.root)
        })
    }

    /// Returns the answer, or why there is none but any move.
    fn generate(&self, networks: &mut Networks, stop: &Stop, writer: &Writer) -> Result<Reply, Box<Reply>> {
        let count = self.limits.count;
        let Some(target) = &self.options.target else {
            let reason = "go generate: there is no constraint; set the option Constraint first";
            return Err(Reply::Error(reason.to_owned()).into());
        };
        let impossible = |reason: String| {
            Box::new(Reply::Generated { number: 1, count, result: Generated::Impossible { reason } })
        };
        let distance = Distance::of(target, Situation::root(&self.root)).map_err(|error| match error {
            GuideError::Impossible(reason) => impossible(reason.to_string()),
            GuideError::TooComplex => Reply::Error(error.to_string()).into(),
        })?;
        let fewest = target.fewest_plies(Situation::root(&self.root));
        if fewest > self.options.max_plies {
            let max_plies = self.options.max_plies;
            let why =
                format!("option MaxPlies is {max_plies}: the constraint asks for {fewest} plies at least");
            return Err(Reply::Error(why).into());
        }
        let (method, recipe) = self.method(target, networks, writer)?;
        let budget = Budget::new(&method, self.limits.nodes, self.limits.move_time);
        let settings = settings(&self.options, self.root.clone(), target.clone(), method, budget);

        // More threads than cores would only keep the session from being heard; the results do not depend on them.
        let threads = (self.options.threads as usize).min(Plan::cores());
        let plan = Plan { count: u64::from(count), first: 0, distinct: false, threads };
        let mut delivered = 0;
        let mut last = Vec::new();
        let mut cut = false;
        generate_many(&settings, &recipe, plan, stop.flag(), |generation| {
            delivered += 1;
            report(delivered, count, &generation, writer);
            cut = generation.outcome == Outcome::Undetermined;
            last = generation.moves.iter().map(|&m| to_uci(m)).collect();
            // Nobody listens: no reason to work on.
            if writer.is_closed() {
                stop.request();
            }
        })
        .map_err(|error| Reply::Error(error.to_string()))?;
        if delivered < count && !cut {
            // Stopped before the next one came anywhere: nothing nearer than the root was met.
            let distance = distance.number();
            let result = Generated::Undetermined { distance, position: self.root.clone() };
            return Err(Reply::Generated { number: delivered + 1, count, result }.into());
        }
        Ok(match last.as_slice() {
            [] => any_move(&self.root),
            [best, rest @ ..] => Reply::BestMove { best: Some(*best), ponder: rest.first().copied() },
        })
    }

    /// How moves are chosen, and what works for that.
    fn method(
        &self,
        target: &Target,
        networks: &mut Networks,
        writer: &Writer,
    ) -> Result<(Method, Recipe), Box<Reply>> {
        let failed = |error: NetworkError| Box::new(Reply::Error(error.to_string()));
        let note = |note: String| writer.send(&Reply::Note(note));
        let (options, depth) = (&self.options, self.limits.depth);
        let (method, recipe) = if options.generates_by_policy(target, depth.is_some()) {
            let settings = options.policy_settings(target).map_err(Reply::Error)?;
            let policy = networks.policy(options, writer).map_err(failed)?;
            (Method::GoalPolicy(settings), Recipe::Policy(policy))
        } else {
            let recipe = networks.recipe(options, writer).map_err(failed)?;
            let depth = depth.unwrap_or_else(|| options.generation_depth(&recipe));
            (options.search(target, depth), recipe)
        };
        if depth.is_some() && !matches!(method, Method::Negamax(_)) {
            let name = match method {
                Method::BestFirst => "best-first",
                _ if options.method == MethodChoice::Puct => "puct",
                _ => "goal-policy",
            };
            note(format!("the method {name} looks as far ahead as it can: depth has no effect"));
        }
        method.notes(&target.constraint).into_iter().for_each(note);
        Ok((method, recipe))
    }
}

/// How positions are generated, by the options.
pub(super) fn settings(
    options: &Options,
    root: Chess,
    target: Target,
    method: Method,
    budget: Budget,
) -> Settings {
    Settings {
        root,
        ply: 0,
        target,
        method,
        max_plies: options.max_plies,
        budget,
        opening_plies: Effort::OPENING,
        seed: options.seed.unwrap_or_else(rand::random),
    }
}

impl Options {
    /// Plies of cooperative search a move, where no command says how many.
    pub(super) fn generation_depth(&self, recipe: &Recipe) -> u32 {
        self.search_depth.unwrap_or(recipe.default_depth())
    }
}

fn report(number: u32, count: u32, generation: &Generation, writer: &Writer) {
    writer.send(&Reply::Generated { number, count, result: result(generation) });
    writer.send(&Reply::Info(Info { multipv: Some(number), ..info(generation) }));
}

/// What came of a generation.
pub(super) fn result(generation: &Generation) -> Generated {
    let position = generation.position.clone();
    match generation.outcome {
        Outcome::Found => Generated::Found { plies: generation.moves.len(), position },
        Outcome::Undetermined => Generated::Undetermined { distance: generation.distance.number(), position },
    }
}

/// The numbers of a generation, and its game.
pub(super) fn info(generation: &Generation) -> Info {
    Info {
        depth: generation.moves.len() as u32,
        score: Score::Centipawns((generation.value * 1000.0).round() as i32),
        nodes: generation.nodes,
        time: generation.time,
        pv: generation.moves.iter().map(|&m| to_uci(m)).collect(),
        ..Info::nothing()
    }
}

/// An answer for those who must have one.
pub(super) fn any_move(root: &Chess) -> Reply {
    Reply::BestMove { best: root.legal_moves().first().map(|&m| to_uci(m)), ponder: None }
}
