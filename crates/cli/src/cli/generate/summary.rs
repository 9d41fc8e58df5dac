use std::fmt::{self, Display, Formatter};

use entente::{
    generation::{Job, policy::Delivery},
    records::Statistics,
    settings::{MAX_PLIES_LIMIT, Method},
};
use entente_constraint::{Situation, counted};

use super::scarce::Scarce;

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// All positions were generated.
    Complete,
    /// The user pressed Ctrl-C.
    Interrupted,
    /// With `--distinct`, no more new positions were found.
    NoMoreDistinct,
    /// The reader of the results has closed the pipe, as `head` does.
    ReaderGone,
}

/// The ways in which a method with a policy delivers a game.
const KINDS: [Delivery; 4] = [Delivery::Natural, Delivery::Fast, Delivery::Tree, Delivery::Search];

/// The summary of a run: how many positions were found and how, and what to try if some were not found.
pub(super) struct Summary<'a> {
    pub statistics: &'a Statistics,
    /// Which conditions were lacking.
    pub scarce: &'a Scarce,
    /// The number of positions requested.
    pub count: u64,
    pub seed: u64,
    pub end: End,
    pub job: &'a Job,
    /// True to add first attempts, surprise, and the shares of plies under the tilt and by search.
    pub is_verbose: bool,
}

impl Display for Summary<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Statistics { satisfied, generated, .. } = *self.statistics;
        write!(f, "{satisfied} of {} found", self.count)?;
        if satisfied > 1 {
            match self.statistics.unique_found() {
                unique if unique == satisfied => f.write_str(", all different")?,
                unique => write!(f, ", {unique} distinct")?,
            }
        }
        self.kinds(f)?;
        if let Some(plies) = self.statistics.median_plies() {
            write!(f, ", median {}", counted(plies, "ply", "plies"))?;
        }
        writeln!(f, ", seed {}", self.seed)?;
        if self.is_verbose {
            self.details(f)?;
        }
        let missing = self.count.saturating_sub(generated);
        match self.end {
            End::Interrupted => writeln!(f, "stopped: {missing} not generated")?,
            End::NoMoreDistinct => writeln!(f, "no more distinct positions found: {missing} not generated")?,
            End::Complete | End::ReaderGone => {}
        }
        if generated > satisfied {
            let missing = generated - satisfied;
            if let Some((condition, count)) = self.scarce.most() {
                writeln!(f, "lacking in {count} of {missing} not found: {condition}")?;
            }
            writeln!(f, "{missing} not found: {}", self.advice())?;
        }
        Ok(())
    }
}

impl Summary<'_> {
    /// How the policy's games were produced, in plain words, if it played any.
    fn kinds(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let kinds = self.counted(KINDS.map(Delivery::in_words));
        match &kinds[..] {
            [] => Ok(()),
            [(1, kind)] => write!(f, ", {kind}"),
            [(_, kind)] => write!(f, ", all {kind}"),
            kinds => kinds.iter().try_for_each(|(count, kind)| write!(f, ", {count} {kind}")),
        }
    }

    /// The number of games of each kind, without zeros. `words` names the [`KINDS`].
    fn counted(&self, words: [&'static str; 4]) -> Vec<(u64, &'static str)> {
        let policy = &self.statistics.policy;
        let fast = policy.games - policy.natural - policy.by_tree - policy.searched;
        let counts = [policy.natural, fast, policy.by_tree, policy.searched];
        counts.into_iter().zip(words).filter(|(count, _)| *count > 0).collect()
    }

    /// How many positions were found at the first attempt, and how the policy played, if it did.
    fn details(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Statistics { satisfied, satisfied_at_first_attempt, policy, .. } = self.statistics;
        if *satisfied > 0 {
            writeln!(f, "{satisfied_at_first_attempt} at the first attempt")?;
        }
        let Some(surprise) = policy.mean_surprise() else { return Ok(()) };
        let percent = |share: Option<f64>| 100.0 * share.unwrap_or(0.0);
        let kinds = self.counted(["natural", "fast", "by tree search", "by search"]);
        let kinds: Vec<String> = kinds.iter().map(|(count, kind)| format!("{count} {kind}")).collect();
        writeln!(
            f,
            "{}; surprise {surprise:.2} nats per ply; {:.1}% of plies under the tilt, {:.1}% by search",
            kinds.join(", "),
            percent(policy.tilted_share()),
            percent(policy.finished_share())
        )
    }

    /// What to try if positions were not found, and what it does.
    fn advice(&self) -> String {
        let Job { max_plies, budget, target, root, .. } = self.job;
        let mut advice = Vec::new();
        let most = target.max_plies(Situation::root(root)).min(MAX_PLIES_LIMIT);
        if *max_plies < most {
            let longer = max_plies.saturating_mul(2).min(most);
            advice.push(format!("allow longer games with --max-plies {longer}"));
        }
        match (budget.time, budget.nodes) {
            (None, None) => {}
            (Some(_), _) => advice.push("allow more time with --movetime".to_owned()),
            (None, Some(_)) => advice.push("allow more search with --nodes".to_owned()),
        }
        if self.job.method() != Method::BestFirst {
            advice.push(
                "search for any game with --method best-first, whose moves do not look human".to_owned(),
            );
        }
        if advice.is_empty() {
            advice.push("try other games with another --seed".to_owned());
        }
        advice.join(", or ")
    }
}

#[cfg(test)]
mod tests {
    use entente::{
        generation::{Distance, Generation, NegamaxPlan, Outcome, Plan},
        satisfaction::SatisfactionModel,
    };
    use entente_constraint::Target;
    use entente_search::Game;
    use shakmaty::{Chess, Position};

    use super::*;

    fn summary(outcomes: &[Outcome], count: u64, end: End, is_verbose: bool) -> String {
        let mut statistics = Statistics::default();
        for &outcome in outcomes {
            let (root, found) = (Chess::default(), outcome == Outcome::Found);
            let mut game = Game::new(root.clone());
            (0..4).for_each(|_| game.play(game.position().legal_moves()[0]));
            let moves = game.moves().to_vec();
            let mut generation = Generation::of_game(&root, moves, Distance::Men(u32::from(!found)));
            generation.attempts = 1;
            statistics.add(&generation);
        }
        let target = Target::new("Q=0".parse().unwrap()).unwrap();
        let mut job = Job::new(target, Plan::Negamax(NegamaxPlan::new(SatisfactionModel::Men)));
        job.budget.nodes = Some(9);
        let scarce = Scarce::default();
        Summary { statistics: &statistics, scarce: &scarce, count, seed: 7, end, job: &job, is_verbose }
            .to_string()
    }

    #[test]
    fn distinct_positions_are_counted_among_those_found() {
        use Outcome::{Found, Undetermined};
        let advice = "not found: allow longer games with --max-plies 202, or allow more search with --nodes, or search \
                      for any game with --method best-first, whose moves do not look human\n";
        let summary = |outcomes: &[Outcome], count| summary(outcomes, count, End::Complete, false);
        assert_eq!(summary(&[Undetermined], 1), format!("0 of 1 found, seed 7\n1 {advice}"));
        assert_eq!(summary(&[Found], 1), "1 of 1 found, median 4 plies, seed 7\n");
        assert_eq!(
            summary(&[Found, Undetermined, Found], 3),
            format!("2 of 3 found, 1 distinct, median 4 plies, seed 7\n1 {advice}")
        );
    }

    #[test]
    fn details_are_shown_on_demand() {
        let text = summary(&[Outcome::Found], 1, End::Complete, true);
        assert_eq!(text, "1 of 1 found, median 4 plies, seed 7\n1 at the first attempt\n");
    }

    #[test]
    fn a_run_that_ends_early_says_why() {
        let second = |end| summary(&[Outcome::Found], 3, end, false).lines().nth(1).map(str::to_owned);
        assert_eq!(second(End::Interrupted).unwrap(), "stopped: 2 not generated");
        assert_eq!(second(End::NoMoreDistinct).unwrap(), "no more distinct positions found: 2 not generated");
        assert_eq!(second(End::ReaderGone), None);
    }
}
