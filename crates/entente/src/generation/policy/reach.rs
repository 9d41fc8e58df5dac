use entente_constraint::{
    Men, Prospects, Situation, Target, child_of,
    guide::{Guide, GuideError},
};
use entente_search::Game;
use shakmaty::{Move, Position as _};

use crate::generation::Job;

/// The number of plies that a search may need for each man.
const PLIES_A_MAN: u32 = 4;

/// Each ply that conditions on sets of men still need makes success e^0.35 times less likely, up to a limit in plies.
/// This is a rule of thumb: it decides which games of a population to follow, not how likely they are.
const LOSS_A_PLY: f64 = 0.35;
const MOST_PLIES: f32 = 12.0;
/// What a move that saves a ply of this work adds to its logit, and the most that is added or subtracted.
const GAIN_A_PLY: f32 = 0.7;
const MAX_GAIN: f32 = 2.0;

/// Decides which moves keep the constraint within reach.
pub struct Reach {
    target: Target,
    /// Proves from numbers of men that a position cannot lead to the target. If there are none, the guide does.
    prospects: Option<Prospects>,
    guide: Guide,
}

impl Reach {
    /// The reach of `target` from `start`, with the guide that was made for them.
    pub fn new(target: &Target, guide: &Guide, start: Situation<'_>) -> Reach {
        Reach { target: target.clone(), prospects: target.prospects(start), guide: guide.clone() }
    }

    /// The reach of a job's target from its root.
    ///
    /// # Errors
    ///
    /// [`GuideError`] if it is proved that no game reaches the target, or the target is too complex.
    pub(crate) fn of(job: &Job) -> Result<Reach, GuideError> {
        let start = job.game();
        let start = start.situation();
        Ok(Reach::new(&job.target, &Guide::new(&job.target, start)?, start))
    }

    /// The guide to the target.
    pub(crate) fn guide(&self) -> &Guide {
        &self.guide
    }

    /// True if the constraint holds, apart from conditions that need a judge.
    pub fn is_satisfied(&self, situation: Situation<'_>) -> bool {
        self.target.is_satisfied(situation)
    }

    /// The distance of a position, in men or in estimated plies.
    pub fn distance(&self, situation: Situation<'_>) -> u32 {
        self.distance_and_work(situation).0
    }

    /// The same, with a rough estimate of the plies in which something must be done before the constraint holds. Plies
    /// that only pass until the game is long enough do not count.
    pub fn distance_and_work(&self, situation: Situation<'_>) -> (u32, u32) {
        match &self.target.goal {
            Some(goal) => {
                let men = goal.distance(situation.position);
                (men, men.saturating_mul(PLIES_A_MAN))
            }
            // Any move may satisfy a condition that needs a judge.
            None if self.is_satisfied(situation) => {
                (u32::from(!self.target.is_certainly_satisfied(situation)), 0)
            }
            None => {
                let estimate = self.guide.estimate(situation);
                estimate.map_or((u32::MAX, u32::MAX), |estimate| (estimate.plies(), estimate.plies_of_work()))
            }
        }
    }

    /// The number of plies in which the constraint must be satisfied, after `played` plies from the root.
    pub fn plies_left(&self, job: &Job, played: u32) -> u32 {
        let longest = self.guide.max_plies().saturating_sub(job.first_ply);
        job.max_plies.min(longest).saturating_sub(played)
    }

    /// True if the constraint has conditions on sets of men or on the game. The network is not shown these, so games
    /// must be led to them.
    pub(crate) fn leads(&self) -> bool {
        self.guide.leads()
    }

    /// True if a required opening, or required first moves, have not been reached yet.
    pub(crate) fn is_in_the_opening(&self, situation: Situation<'_>) -> bool {
        self.opening_plies(situation).is_some_and(|plies| plies > 0)
    }

    /// The fewest plies of a required opening, or of required first moves, that must still be played; `None` if they
    /// are out of reach.
    pub(crate) fn opening_plies(&self, situation: Situation<'_>) -> Option<u32> {
        self.guide.opening_plies(situation)
    }

    /// ln of the estimated probability that the conditions on sets of men and on the game will hold; 0 if there are
    /// none.
    pub(crate) fn promise(&self, situation: Situation<'_>) -> f64 {
        if !self.leads() {
            return 0.0;
        }
        -LOSS_A_PLY * f64::from(self.guide.led_distance(situation).min(MOST_PLIES))
    }

    /// For each move, what to add to its logit because it brings the conditions on sets of men and on the game nearer;
    /// `None` if there are none, or only the moves of an opening are left to choose from.
    pub(crate) fn gains(&self, game: &Game, moves: &[Move]) -> Option<Vec<f32>> {
        let here = game.situation();
        if !self.leads() || self.is_in_the_opening(here) {
            return None;
        }
        let distance = |situation: Situation<'_>| self.guide.led_distance(situation).min(MOST_PLIES);
        let before = distance(here);
        let gain = |m: &Move| {
            let saved = before - distance(here.after(&[*m], &child_of(here.position, *m)));
            (GAIN_A_PLY * saved).clamp(-MAX_GAIN, MAX_GAIN)
        };
        Some(moves.iter().map(gain).collect())
    }

    /// Which of the legal moves of a game may be played: those that keep the constraint within reach, looking `mask`
    /// plies ahead, and do not end the game before it holds. With a mask of 0, all may be played. The first move must
    /// also be one that `may_begin` allows. `men` are the men on the board.
    pub fn allowed(
        &self,
        game: &Game,
        (moves, men): (&[Move], &Men),
        mask: u32,
        may_begin: &dyn Fn(Move) -> bool,
    ) -> Vec<bool> {
        let situation = game.situation();
        let begins = game.moves().is_empty();
        let is_allowed = |m: Move| {
            (!begins || may_begin(m))
                && self.keeps(situation, men, m, mask)
                && (mask == 0 || !self.ends_short(game, m))
        };
        moves.iter().map(|m| is_allowed(*m)).collect()
    }

    /// True if `m` ends the game and the constraint does not hold then.
    fn ends_short(&self, game: &Game, m: Move) -> bool {
        if !game.ends_with(m) {
            return false;
        }
        let child = child_of(game.position(), m);
        // No judged condition holds in a finished game.
        !self.target.is_certainly_satisfied(game.situation().after(&[m], &child))
    }

    /// True if `m` keeps the constraint within reach, looking `plies` plies ahead. With 2 plies, the other side must
    /// have a reply that does so, too.
    pub fn keeps(&self, situation: Situation<'_>, men: &Men, m: Move, plies: u32) -> bool {
        if plies == 0 {
            return true;
        }
        let after = men.after(m, situation.position.turn());
        let by_numbers = self.prospects.as_ref().map(|prospects| prospects.keep(situation, m, &after));
        if by_numbers == Some(false) || (by_numbers == Some(true) && plies == 1) {
            return by_numbers == Some(true);
        }
        let (child, moves) = (child_of(situation.position, m), [m]);
        let next = situation.after(&moves, &child);
        if self.is_satisfied(next) {
            return true;
        }
        let is_within_reach = by_numbers.unwrap_or_else(|| self.guide.estimate(next).is_some());
        is_within_reach && (plies == 1 || self.has_reply(next, &after))
    }

    fn has_reply(&self, situation: Situation<'_>, men: &Men) -> bool {
        let replies = situation.position.legal_moves();
        replies.iter().any(|reply| self.keeps(situation, men, *reply, 1))
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, san::San};

    use super::*;

    fn reach(constraint: &str) -> Reach {
        let (target, root): (Target, _) = (constraint.parse().unwrap(), Chess::default());
        let start = Situation::root(&root);
        Reach::new(&target, &Guide::new(&target, start).unwrap(), start)
    }

    fn after(moves: &str) -> Game {
        let mut game = Game::new(Chess::default());
        for san in moves.split_whitespace() {
            game.play(san.parse::<San>().unwrap().to_move(game.position()).unwrap());
        }
        game
    }

    #[test]
    fn games_are_led_only_to_conditions_that_the_network_is_not_shown() {
        let game = Game::new(Chess::default());
        for constraint in ["Q=0 q=0", "N@f5 check=black", "captures<=4 Q=0"] {
            assert!(!reach(constraint).leads(), "{constraint}");
            assert_eq!(reach(constraint).promise(game.situation()), 0.0);
            assert!(reach(constraint).gains(&game, &game.position().legal_moves()).is_none());
        }
        assert!(reach("isolated(P@d)").leads());
        assert!(reach("P@a-c").leads() && reach("P@c4 P@d=0").leads());
        assert!(reach("N@f5 P@d=1").leads());
        for constraint in
            ["white.castled=long", "captures>=9", "eco=B90", "Q=0 then Q=1", "earlier(passed(P@7))"]
        {
            assert_eq!(reach(constraint).leads(), constraint != "Q=0 then Q=1", "{constraint}");
        }
    }

    #[test]
    fn a_move_to_a_structure_gains_and_a_move_away_from_it_loses() {
        let reach = reach("locked(P)>=1");
        let game = after("e4 d5");
        let position = game.position();
        let moves = position.legal_moves();
        let gains = reach.gains(&game, &moves).unwrap();
        let gain = |san: &str| {
            let m = san.parse::<San>().unwrap().to_move(position).unwrap();
            gains[moves.iter().position(|other| *other == m).unwrap()]
        };
        assert!(gain("d4") > 0.0, "{}", gain("d4"));
        assert!(gain("d4") > gain("exd5"));
        let promise = |moves: &str| reach.promise(after(moves).situation());
        assert_eq!(promise("e4 d5 d4 Nf6 e5"), 0.0);
        assert!(promise("") < 0.0 && promise("") >= -LOSS_A_PLY * f64::from(MOST_PLIES));
    }
}
