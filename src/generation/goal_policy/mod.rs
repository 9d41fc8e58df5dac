//! Games drawn from the goal-conditioned policy.

mod aims;
mod fast;
mod look;
mod natural;
mod reach;
mod report;
mod request;
mod settings;
mod tree;

pub use aims::Aims;
use look::{Eyes, Ratings};
use natural::Outcome;
pub use reach::Reach;
pub use report::{Delivery, Report};
pub use request::PolicyRequest;
pub use settings::{PolicySettings, Realism, Temperatures};
pub use tree::{Priors, TreeSettings};

use rand::{RngExt, rngs::ChaCha8Rng};
use shakmaty::Move;

use super::{
    Budget, Settings,
    generator::{Attempts, plan},
};
use crate::{
    constraint::{Situation, Target},
    evaluator::{NetworkError, Policy},
    guide::{Guide, GuideError},
    search::{BestFirst, Game, Limits},
};

/// The least chance, by the network, that people reach the goal, for which populations are worth their cost.
const LEAST_VALUE: f32 = 0.01;

/// Plays games by the goal-conditioned policy.
pub struct ByPolicy {
    settings: PolicySettings,
    eyes: Eyes,
    reach: Reach,
    search: BestFirst,
}

/// A game, ended for whatever reason.
struct PlayedGame {
    game: Game,
    /// How far its last position is from the constraint.
    distance: u32,
    report: Report,
}

impl ByPolicy {
    /// Games toward `target` from `start`.
    ///
    /// # Errors
    /// [`GuideError`] if nothing leads there, or the constraint is too complex.
    pub fn new(
        policy: &Policy,
        target: &Target,
        start: Situation<'_>,
        settings: PolicySettings,
    ) -> Result<ByPolicy, GuideError> {
        let aims = Aims::new(target, start);
        let guide = Guide::new(target, start)?;
        Ok(ByPolicy {
            settings,
            eyes: Eyes::new(policy.session(), aims, settings),
            reach: Reach::new(target, &guide, start),
            search: BestFirst::new(guide),
        })
    }

    /// Positions searched and evaluated so far.
    pub fn counters(&self) -> (u64, u64) {
        (self.spent(), self.eyes.evaluations())
    }

    /// What limits on nodes count: positions evaluated and searched.
    fn spent(&self) -> u64 {
        self.eyes.evaluations() + self.search.nodes
    }

    /// Games until one satisfies the target or the budget is spent: a population, games one by one, a plan; or games by
    /// tree search, and a plan.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub(super) fn play(
        &mut self,
        settings: &Settings,
        rng: &mut ChaCha8Rng,
        limits: Limits<'_>,
        may_begin: &impl Fn(Move) -> bool,
    ) -> Result<(Attempts, Report), NetworkError> {
        let ratings = self.ratings(rng);
        let root = Situation { position: &settings.root, ply: settings.ply };
        let whole = self.reach.distance(root);
        let mut attempts = Attempts {
            begun: 0,
            first_distance: whole,
            line: Vec::new(),
            distance: self.reach.measured(whole),
            value: 0.0,
            begun_with: None,
        };
        if whole == 0 || settings.max_plies == 0 {
            attempts.begun = 1;
            return Ok((attempts, Report::default()));
        }
        let mut nearest = whole;
        if self.settings.tree.is_none() && self.is_natural(settings, ratings)? {
            attempts.begun += 1;
            match self.play_natural(settings, ratings, rng, limits, may_begin)? {
                Outcome::Met(met) => {
                    let PlayedGame { game, report, .. } = *met;
                    attempts.first_distance = 0;
                    self.keep(&mut attempts, game, 0);
                    let report = self.judged(settings, ratings, &attempts, report, Delivery::Natural)?;
                    return Ok((attempts, report));
                }
                Outcome::Missed(distance) => attempts.first_distance = distance,
            }
        }
        while attempts.begun < settings.budget.attempts.max(1) && !limits.forbid(self.spent(), 1) {
            let (game, by) = match self.settings.tree {
                Some(tree) => {
                    (self.play_by_tree(tree, settings, ratings, rng, limits, may_begin)?, Delivery::Tree)
                }
                None => (self.play_fast(settings, ratings, rng, limits, may_begin)?, Delivery::Fast),
            };
            attempts.begun += 1;
            if attempts.begun == 1 {
                attempts.first_distance = game.distance;
            }
            if game.distance < nearest || attempts.begun_with.is_none() {
                nearest = game.distance;
                let report = game.report;
                self.keep(&mut attempts, game.game, nearest);
                if nearest == 0 {
                    let report = self.judged(settings, ratings, &attempts, report, by)?;
                    return Ok((attempts, report));
                }
            }
        }
        let rest = self.search_limits(limits);
        let budget = Budget { attempts: Budget::SEARCHES, ..settings.budget };
        let planned = plan(&mut self.search, &Settings { budget, ..settings.clone() }, rng, rest, may_begin);
        attempts.begun += planned.begun;
        if planned.distance.number() > 0 {
            return Ok((attempts, Report { ratings, ..Report::default() }));
        }
        let Attempts { begun, first_distance, .. } = attempts;
        let attempts = Attempts { begun, first_distance, ..planned };
        let report = Report { finished: attempts.line.len() as u32, ..Report::default() };
        let report = self.judged(settings, ratings, &attempts, report, Delivery::Search)?;
        Ok((attempts, report))
    }

    /// Limits on positions evaluated and searched as what they leave for search, which counts its own alone.
    fn search_limits<'a>(&self, limits: Limits<'a>) -> Limits<'a> {
        Limits { nodes: limits.nodes.saturating_sub(self.eyes.evaluations()), ..limits }
    }

    /// The report of a game that was found, with the surprise of all its plies.
    fn judged(
        &mut self,
        settings: &Settings,
        ratings: Ratings,
        attempts: &Attempts,
        report: Report,
        by: Delivery,
    ) -> Result<Report, NetworkError> {
        let mut report = Report { by: Some(by), ratings, ..report };
        let mut game = Game::new(settings.root.clone());
        for (m, ply) in attempts.line.iter().zip(0..) {
            // The first plies may be judged already, as they were played.
            if ply >= report.judged {
                let (moves, human) = self.eyes.human(&game, settings.ply, ratings)?;
                let index = moves.iter().position(|other| other == m).expect("games are legal");
                report.surprise -= f64::from(human.logarithms()[index]);
                report.judged += 1;
            }
            game.play(*m);
        }
        Ok(report)
    }

    /// Who plays: ratings are drawn once a game.
    fn ratings(&self, rng: &mut ChaCha8Rng) -> Ratings {
        self.settings
            .ratings
            .map(|range| range.map(|(least, most)| PolicySettings::known(rng.random_range(least..=most))))
    }

    fn is_natural(&mut self, settings: &Settings, ratings: Ratings) -> Result<bool, NetworkError> {
        Ok(match self.settings.realism {
            Realism::Natural => true,
            Realism::Fast => false,
            Realism::Auto => {
                let game = Game::new(settings.root.clone());
                let plies = self.reach.plies_left(settings, 0);
                let look = self.eyes.look(&game, settings.ply, ratings, plies, false)?;
                look.outlook.is_some_and(|outlook| outlook.value >= LEAST_VALUE)
            }
        })
    }

    fn keep(&self, attempts: &mut Attempts, game: Game, distance: u32) {
        attempts.begun_with = game.moves().first().copied();
        attempts.line = game.into_parts().0;
        attempts.distance = self.reach.measured(distance);
    }
}

/// Where a game is.
fn situation<'a>(settings: &Settings, game: &'a Game) -> Situation<'a> {
    Situation { position: game.position(), ply: settings.ply + game.moves().len() as u32 }
}
