//! Calibrates play at a rating by matches.
//!
//! If moves are drawn as predicted, all players share too many mistakes, and a higher rating is worth too little. So
//! the moves of each rating are drawn with more or less [`Sharpness`]. One rating, the anchor, has none. From it
//! outward, the sharpness of each further rating is chosen so that its score against the rating before it is the one
//! that the Elo formula expects.

use entente_network::{Calibration, NetworkError, Policy, Skill, encoding::goal_policy::RatingScale};
use serde::{Deserialize, Serialize};

use crate::{
    progress::ProgressObserver,
    training::policy::{Match, Points},
};

/// How play at a rating is calibrated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CalibrationPlan {
    /// The lowest rating, on the scale of Lichess.
    pub lowest: u16,
    /// The highest rating.
    pub highest: u16,
    /// The difference between two ratings that play each other.
    pub step: u16,
    /// The rating whose moves are drawn as predicted; one of those between which the steps lead.
    pub anchor: u16,
    /// The number of games between two neighbours.
    pub games: usize,
    /// The seed of all games.
    pub seed: u64,
}

/// The calibration of one rating, and how it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Rung {
    /// The calibration.
    pub calibration: Calibration,
    /// The rating against which it was found; `None` for the anchor.
    pub opponent: Option<u16>,
    /// The result against this opponent in the batch whose sharpness was nearest to the final one.
    pub points: Points,
}

/// How decided a player is: 0 draws moves as predicted. A positive number prefers likely moves and avoids those that
/// the short search sees losing something; a negative one makes all moves more equal.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Sharpness(f64);

impl Sharpness {
    const MOST: f64 = 3.0;

    fn within_bounds(sharpness: f64) -> Sharpness {
        Sharpness(sharpness.clamp(-Sharpness::MOST, Sharpness::MOST))
    }

    /// The temperature is e^(−0.35 s), and the caution s if it is positive. This is near a line through values that
    /// were fitted separately.
    fn calibration(self, at: u16) -> Calibration {
        Calibration { at, temperature: (-0.35 * self.0).exp() as f32, caution: self.0.max(0.0) as f32 }
    }
}

/// The number of batches into which the games of a pair are divided. Each tries another sharpness.
const BATCHES: usize = 6;
/// The change of sharpness that is expected between two neighbours, before any game is played.
const FIRST_CHANGE: f64 = 0.15;
/// The least slope of ln(score / (1 − score)) over the sharpness that a fit may find: more sharpness is never weaker.
const LEAST_SLOPE: f64 = 0.5;

impl CalibrationPlan {
    /// What a sound plan has, for messages.
    pub(super) const EXPECTED: &'static str = "`lowest` below `highest`, the `anchor` between them at a whole number \
                                               of `step`s from both, and at least 6 `games`";

    /// True if the plan can be played.
    pub(super) fn is_sound(&self) -> bool {
        let CalibrationPlan { lowest, highest, step, anchor, games, .. } = *self;
        lowest < highest
            && step > 0
            && (lowest..=highest).contains(&anchor)
            && (anchor - lowest).is_multiple_of(step)
            && (highest - anchor).is_multiple_of(step)
            && games >= BATCHES
    }

    /// The number of pairs of neighbours.
    fn pairs(&self) -> usize {
        usize::from((self.highest - self.lowest) / self.step)
    }

    /// Plays the matches with `threads` threads, whose number does not change the result. Returns the rungs by rising
    /// rating. A policy without skill has none.
    ///
    /// # Errors
    /// [`NetworkError`] if the policy cannot be run.
    pub fn rungs(
        &self,
        policy: &Policy,
        threads: usize,
        observer: &dyn ProgressObserver,
    ) -> Result<Vec<Rung>, NetworkError> {
        let Some(skill) = policy.skill() else { return Ok(Vec::new()) };
        let pairing = Pairing { plan: self, policy, skill, threads, observer };
        observer.begin("matches", (self.pairs() * self.games) as u64, "games");
        let anchor = (self.anchor, Sharpness(0.0));
        let first = Rung {
            calibration: anchor.1.calibration(self.anchor),
            opponent: None,
            points: Points::default(),
        };
        let mut rungs = vec![first];
        let up = (self.anchor..=self.highest).step_by(self.step.into()).skip(1);
        let down = (self.lowest..=self.anchor).rev().step_by(self.step.into()).skip(1);
        let ladders: [Vec<u16>; 2] = [up.collect(), down.collect()];
        for ratings in ladders {
            let mut known = anchor;
            for rating in ratings {
                let (sharpness, points) = pairing.sharpness(known, rating)?;
                rungs.push(Rung {
                    calibration: sharpness.calibration(rating),
                    opponent: Some(known.0),
                    points,
                });
                known = (rating, sharpness);
            }
        }
        observer.end();
        rungs.sort_by_key(|rung| rung.calibration.at);
        Ok(rungs)
    }
}

/// The share of the points that the Elo formula expects of a player with this rating.
fn expected_score(rating: u16, opponent: u16) -> f64 {
    1.0 / (1.0 + 10f64.powf((f64::from(opponent) - f64::from(rating)) / 400.0))
}

/// A policy that plays itself.
struct Pairing<'a> {
    plan: &'a CalibrationPlan,
    policy: &'a Policy,
    skill: &'a Skill,
    threads: usize,
    observer: &'a dyn ProgressObserver,
}

impl Pairing<'_> {
    /// The sharpness with which `rating` scores as expected against a rating whose sharpness is known, and its points
    /// in the batch that was played nearest to it.
    fn sharpness(&self, known: (u16, Sharpness), rating: u16) -> Result<(Sharpness, Points), NetworkError> {
        let (opponent, Sharpness(theirs)) = known;
        let wanted = logit(expected_score(rating, opponent));
        let change = if rating > opponent { FIRST_CHANGE } else { -FIRST_CHANGE };
        // The first two batches are apart, to see what sharpness is worth.
        let mut next = theirs + 0.5 * change;
        let mut tried: Vec<(f64, Points)> = Vec::new();
        for batch in 0..BATCHES {
            let games = self.plan.games * (batch + 1) / BATCHES - self.plan.games * batch / BATCHES;
            let sharpness = Sharpness::within_bounds(next);
            let seed = self.plan.seed.wrapping_add(((u64::from(rating) << 8) + batch as u64) << 16);
            tried.push((sharpness.0, self.play(known, (rating, sharpness), games, seed)?));
            next = if batch == 0 { theirs + 2.0 * change } else { solved(&tried, wanted) };
        }
        let found = Sharpness::within_bounds(next);
        let nearest = tried.iter().min_by(|a, b| (a.0 - found.0).abs().total_cmp(&(b.0 - found.0).abs()));
        Ok((found, nearest.map_or(Points::default(), |(_, points)| *points)))
    }

    /// A match of `player` against `opponent`, from the view of the former.
    fn play(
        &self,
        opponent: (u16, Sharpness),
        player: (u16, Sharpness),
        games: usize,
        seed: u64,
    ) -> Result<Points, NetworkError> {
        let mut calibration =
            [opponent, player].map(|(rating, sharpness)| sharpness.calibration(rating)).to_vec();
        calibration.sort_by_key(|row| row.at);
        let policy = self.policy.with_skill(Some(Skill { calibration, ..self.skill.clone() }));
        let ratings = [player.0, opponent.0];
        let pairing = Match { ratings, scale: RatingScale::Online, games, seed };
        pairing.play(&policy, self.threads, || self.observer.done(1))
    }
}

/// ln(p / (1 − p)), finite for all shares.
fn logit(share: f64) -> f64 {
    let share = share.clamp(0.02, 0.98);
    (share / (1.0 - share)).ln()
}

/// The sharpness at which a line through the scores, in logits, has the value `wanted`. Each score has the weight of
/// its games.
fn solved(tried: &[(f64, Points)], wanted: f64) -> f64 {
    let rows = tried.iter().map(|(sharpness, points)| {
        let share = points.share().0;
        // The variance of a logit is that of the share divided by (p (1 − p))².
        let weight = points.games() as f64 * (share * (1.0 - share)).max(0.02);
        (*sharpness, logit(share), weight)
    });
    let total: f64 = rows.clone().map(|(_, _, weight)| weight).sum();
    let mean = |of: &dyn Fn(f64, f64) -> f64| {
        rows.clone().map(|(x, y, weight)| weight * of(x, y)).sum::<f64>() / total
    };
    let (x, y) = (mean(&|x, _| x), mean(&|_, y| y));
    let (variance, covariance) = (mean(&|a, _| (a - x) * (a - x)), mean(&|a, b| (a - x) * (b - y)));
    let slope = if variance > 0.0 { (covariance / variance).max(LEAST_SLOPE) } else { LEAST_SLOPE };
    x + (wanted - y) / slope
}

#[cfg(test)]
mod tests {
    use entente_network::NetworkKind as _;

    use super::*;
    fn points(won: usize, drawn: usize, lost: usize) -> Points {
        Points { won, drawn, lost }
    }

    #[test]
    fn the_expected_score_is_that_of_the_elo_formula() {
        assert!((expected_score(1200, 1000) - 0.7597).abs() < 1e-4);
        assert!((expected_score(1000, 1200) - 0.2403).abs() < 1e-4);
        assert!((expected_score(1500, 1500) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_line_through_two_scores_is_solved_exactly() {
        // In logits the scores are −ln 3 at 0 and ln 3 at 1, so one half is expected at 0.5.
        let tried = [(0.0, points(25, 0, 75)), (1.0, points(75, 0, 25))];
        assert!((solved(&tried, 0.0) - 0.5).abs() < 1e-9);
        assert!((solved(&tried, 3f64.ln()) - 1.0).abs() < 1e-9);
        // A slope that is too small, or the wrong way round, counts as the least one.
        let noise = [(0.0, points(50, 0, 50)), (1.0, points(50, 0, 50))];
        assert!((solved(&noise, 1.0) - (0.5 + 1.0 / LEAST_SLOPE)).abs() < 1e-9);
        // Scores of 0 and 1 are finite.
        assert!(solved(&[(0.0, points(0, 0, 10)), (1.0, points(10, 0, 0))], 0.0).is_finite());
    }

    #[test]
    fn sharpness_0_draws_moves_as_predicted_and_more_makes_players_careful() {
        assert_eq!(
            Sharpness(0.0).calibration(1600),
            Calibration { at: 1600, temperature: 1.0, caution: 0.0 }
        );
        let [dull, sharp] = [-1.0, 1.0].map(|number| Sharpness(number).calibration(0));
        assert!(dull.temperature > 1.4 && dull.caution == 0.0);
        assert!(sharp.temperature < 0.71 && sharp.caution == 1.0);
        assert_eq!(Sharpness::within_bounds(9.0), Sharpness(3.0));
    }

    #[test]
    fn a_plan_has_its_anchor_on_the_ladder() {
        let plan =
            CalibrationPlan { lowest: 600, highest: 2600, step: 200, anchor: 1600, games: 600, seed: 1 };
        assert!(plan.is_sound());
        assert_eq!(plan.pairs(), 10);
        for wrong in [
            CalibrationPlan { anchor: 1700, ..plan },
            CalibrationPlan { anchor: 400, ..plan },
            CalibrationPlan { highest: 600, ..plan },
            CalibrationPlan { step: 0, ..plan },
            CalibrationPlan { games: 5, ..plan },
        ] {
            assert!(!wrong.is_sound(), "{wrong:?}");
        }
    }

    #[test]
    fn rungs_rise_and_do_not_depend_on_threads() {
        let policy = Policy::open(Policy::DEFAULT).unwrap();
        let plan =
            CalibrationPlan { lowest: 1400, highest: 1800, step: 200, anchor: 1600, games: 12, seed: 1 };
        let rungs = plan.rungs(&policy, 1, &()).unwrap();
        let ratings: Vec<_> = rungs.iter().map(|rung| (rung.calibration.at, rung.opponent)).collect();
        assert_eq!(ratings, [(1400, Some(1600)), (1600, None), (1800, Some(1600))]);
        assert_eq!(rungs[1].calibration, Sharpness(0.0).calibration(1600));
        assert_eq!(plan.rungs(&policy, 3, &()).unwrap(), rungs);
        assert!(plan.rungs(&policy.with_skill(None), 1, &()).unwrap().is_empty());
    }
}
