use super::super::bars::bar;
use crate::realism::{
    Auc, Choice, Comparison, Figures, Grid, Row, SatisfyingGame, Side, auc_by_surprise, auc_of, features,
    matched, numbers,
};

/// The inputs that all comparisons share.
pub(super) struct Study<'a> {
    pub(super) grid: &'a Grid,
    pub(super) human: &'a [SatisfyingGame],
    /// The number of judges.
    pub(super) judges: usize,
    /// True if losses were measured, in some of the games.
    pub(super) has_losses: bool,
    pub(super) choice: Choice,
    /// Minimum number of games on each side for a classifier.
    pub(super) least: usize,
    pub(super) threads: usize,
}

/// Whether games of a constraint and a window are compared, given their indices.
pub(super) type Wanted = Box<dyn Fn(usize, usize) -> bool>;

impl<'a> Study<'a> {
    /// A row for each of `count` subsets of the games and each method with games in it. `thing` gives the name of a
    /// subset and which games belong to it.
    pub(super) fn rows(
        &self,
        names: &[String],
        methods: &'a [Vec<SatisfyingGame>],
        count: usize,
        thing: impl Fn(usize) -> (String, Wanted),
    ) -> anyhow::Result<Vec<(Row, Comparison<'a>)>> {
        // Positions have many features, so that more human games would take long.
        let pairs = Choice { human_per_generated: 1, ..self.choice };
        let mut rows = Vec::new();
        let all = (count * methods.len()) as u64;
        let progress = bar(all, "classifying {bar:32} {pos}/{len} comparisons, {eta} left");
        for index in 0..count {
            for (name, games) in names.iter().zip(methods) {
                let (of, is_wanted) = thing(index);
                let comparison = matched(self.human, games, self.grid, &is_wanted, self.choice);
                progress.inc(1);
                if comparison.human.is_empty() {
                    continue;
                }
                let is_complete = |game: &SatisfyingGame| self.is_complete(game);
                let row = Row {
                    of,
                    method: name.clone(),
                    human: Figures::of(&comparison, Side::Human),
                    generated: Figures::of(&comparison, Side::Generated),
                    auc: self.auc(games, &is_wanted, pairs, |_| true, |game| features(&game.last))?,
                    auc_games: self.auc(games, &is_wanted, self.choice, is_complete, numbers)?,
                    by_surprise: (0..self.judges).map(|judge| auc_by_surprise(&comparison, judge)).collect(),
                };
                rows.push((row, comparison));
            }
        }
        progress.finish_and_clear();
        Ok(rows)
    }

    /// True if a game has all its numbers. If losses were measured, a classifier must not see games without: it could
    /// recognise human games by that.
    fn is_complete(&self, game: &SatisfyingGame) -> bool {
        !self.has_losses || !game.losses.is_empty()
    }

    /// How well a classifier separates the games by their features, if there are at least `least` on each side. Each
    /// constraint and rating has equal weights on both sides.
    fn auc(
        &self,
        games: &[SatisfyingGame],
        is_wanted: &Wanted,
        choice: Choice,
        is_complete: impl Fn(&SatisfyingGame) -> bool,
        features: impl Fn(&SatisfyingGame) -> Vec<f64>,
    ) -> anyhow::Result<Option<Auc>> {
        let [human, generated] =
            [self.human, games].map(|games| games.iter().filter(|game| is_complete(game)));
        let comparison = matched(human, generated, self.grid, is_wanted, choice);
        if comparison.generated.len() < self.least.max(1) {
            return Ok(None);
        }
        auc_of(&comparison, features, self.threads, self.choice.seed).map(Some)
    }
}
