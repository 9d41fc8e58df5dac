use std::fmt::{self, Display, Formatter};

use crate::generation::Statistics;

/// Why no more positions came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// All that were asked for.
    Complete,
    /// Ctrl-C.
    Interrupted,
    /// `--distinct`, and only known positions were met.
    NoMoreDistinct,
    /// Nobody reads the results any more, as in `| head`.
    ReaderGone,
}

/// The end of a run in words: one line, and another if less came than was asked for.
pub(super) struct Summary<'a> {
    pub statistics: &'a Statistics,
    /// Positions asked for.
    pub count: u64,
    pub seed: u64,
    pub end: End,
}

impl Display for Summary<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Statistics { satisfied, satisfied_at_first_attempt, generated, .. } = *self.statistics;
        write!(f, "{satisfied} of {} found", self.count)?;
        if satisfied > 1 {
            match self.statistics.unique_found() {
                unique if unique == satisfied => f.write_str(", all different")?,
                unique => write!(f, ", {unique} of them different")?,
            }
        }
        if let Some(plies) = self.statistics.median_plies() {
            let noun = if plies == 1.0 { "ply" } else { "plies" };
            write!(f, ", {satisfied_at_first_attempt} at the first attempt, median {plies} {noun}")?;
        }
        writeln!(f, ", seed {}", self.seed)?;
        self.policy(f)?;
        let missing = self.count.saturating_sub(generated);
        match self.end {
            End::Interrupted => writeln!(f, "stopped: {missing} not generated"),
            End::NoMoreDistinct => writeln!(f, "no more distinct positions found: {missing} not generated"),
            End::Complete | End::ReaderGone => Ok(()),
        }
    }
}

impl Summary<'_> {
    /// How the policy played, if it did.
    fn policy(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let policy = &self.statistics.policy;
        let Some(surprise) = policy.mean_surprise() else { return Ok(()) };
        let percent = |share: Option<f64>| 100.0 * share.unwrap_or(0.0);
        let fast = policy.games - policy.natural - policy.by_tree - policy.searched;
        let kinds = [
            (policy.natural, "natural"),
            (fast, "fast"),
            (policy.by_tree, "by tree search"),
            (policy.searched, "by search"),
        ];
        let kinds = kinds.iter().filter(|(count, _)| *count > 0);
        let kinds: Vec<String> = kinds.map(|(count, kind)| format!("{count} {kind}")).collect();
        writeln!(
            f,
            "{}; surprise {surprise:.2} nats a ply; {:.1}% of plies under the tilt, \
             {:.1}% by search",
            kinds.join(", "),
            percent(policy.tilted_share()),
            percent(policy.finished_share())
        )
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use shakmaty::{Chess, Position};

    use super::*;
    use crate::generation::{Distance, Generation, Outcome};

    fn summary(outcomes: &[Outcome], count: u64, end: End) -> String {
        let mut statistics = Statistics::default();
        for &outcome in outcomes {
            let found = outcome == Outcome::Found;
            statistics.add(&Generation {
                index: 0,
                outcome,
                begun_with: None,
                moves: Chess::default().legal_moves()[..4].to_vec(),
                position: Chess::default(),
                distance: Distance::Men(u32::from(!found)),
                value: 1.0,
                attempts: 1,
                first_attempt_distance: u32::from(!found),
                nodes: 0,
                evaluations: 0,
                report: None,
                time: Duration::ZERO,
            });
        }
        Summary { statistics: &statistics, count, seed: 7, end }.to_string()
    }

    #[test]
    fn different_positions_are_counted_among_those_found() {
        use Outcome::{Found, Undetermined};
        assert_eq!(summary(&[Undetermined], 1, End::Complete), "0 of 1 found, seed 7\n");
        assert_eq!(
            summary(&[Found], 1, End::Complete),
            "1 of 1 found, 1 at the first attempt, median 4 plies, seed 7\n"
        );
        assert_eq!(
            summary(&[Found, Undetermined, Found], 3, End::Complete),
            "2 of 3 found, 1 of them different, 2 at the first attempt, median 4 plies, seed 7\n"
        );
    }

    #[test]
    fn a_run_that_ends_early_says_why() {
        let second = |end| summary(&[Outcome::Found], 3, end).lines().nth(1).map(str::to_owned);
        assert_eq!(second(End::Interrupted).unwrap(), "stopped: 2 not generated");
        assert_eq!(second(End::NoMoreDistinct).unwrap(), "no more distinct positions found: 2 not generated");
        assert_eq!(second(End::ReaderGone), None);
    }
}
