use std::collections::HashMap;

use super::{Comparison, Estimate};

/// How well a game is told from a human one by its mean surprise per ply: the probability that a random generated game
/// has a higher mean surprise than a random human game of the same constraint and rating, where ties count half. 0.5 is
/// chance. `None` if there are no games.
///
/// The estimate is the mean, over the generated games, of the share of human games that are less surprising. With its
/// weights, it is also the mean, over the human games, of the share of generated games that are more surprising. The
/// error unites the standard errors of both means, with games as clusters, as in E. R. DeLong, D. M. DeLong and D. L.
/// Clarke-Pearson, Comparing the areas under two or more correlated ROC curves, 1988.
pub fn auc_by_surprise(comparison: &Comparison<'_>, judge: usize) -> Option<Estimate> {
    // The mean surprises of both sides, for each constraint and rating, in order.
    let mut cells: HashMap<(usize, usize), [Vec<f64>; 2]> = HashMap::new();
    let human = comparison.human.iter().map(|(game, _)| (*game, 0));
    for (game, side) in human.chain(comparison.generated.iter().map(|game| (*game, 1))) {
        let cell = cells.entry((game.constraint, game.rating)).or_default();
        cell[side].push(game.mean_surprise(judge));
    }
    cells.values_mut().flatten().for_each(|numbers| numbers.sort_unstable_by(f64::total_cmp));
    let [human, generated] = [0, 1].map(|side| {
        let games = match side {
            0 => comparison.human.clone(),
            _ => comparison.generated.iter().map(|game| (*game, 1.0)).collect(),
        };
        Estimate::of_games(games.into_iter().map(|(game, weight)| {
            let others = &cells[&(game.constraint, game.rating)][1 - side];
            let below = share_below(others, game.mean_surprise(judge));
            let placement = if side == 0 { 1.0 - below } else { below };
            (game.game, weight * placement, weight)
        }))
    });
    let (human, generated) = (human?, generated?);
    let error = human.error.zip(generated.error).map(|(human, generated)| human.hypot(generated));
    Some(Estimate { mean: generated.mean, error })
}

/// The share of ordered numbers that are below `number`, where equal ones count half; ½ if there are none.
fn share_below(numbers: &[f64], number: f64) -> f64 {
    if numbers.is_empty() {
        return 0.5;
    }
    let below = numbers.partition_point(|other| *other < number);
    let up_to = numbers.partition_point(|other| *other <= number);
    (below + up_to) as f64 / (2 * numbers.len()) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::realism::{SatisfyingGame, compare::tests::game};

    fn numbered(games: Vec<SatisfyingGame>) -> Vec<SatisfyingGame> {
        games.into_iter().enumerate().map(|(number, game)| SatisfyingGame { game: number, ..game }).collect()
    }

    #[test]
    fn it_is_the_share_of_pairs_in_which_the_generated_game_is_more_surprising() {
        let human = numbered([1.0, 2.0, 3.0, 4.0].map(|surprise| game(0, 0, &[surprise])).to_vec());
        // The mean over its plies counts, not the sum.
        let generated = numbered(vec![game(0, 0, &[3.5]), game(0, 0, &[2.0, 2.0])]);
        let comparison = Comparison {
            human: human.iter().map(|game| (game, 0.5)).collect(),
            generated: generated.iter().collect(),
        };
        let auc = auc_by_surprise(&comparison, 0).unwrap();
        // 3 of 4 pairs, and 1.5 of 4.
        assert_eq!(auc.mean, (3.0 + 1.5) / 8.0);
        // The placements are 0.75 and 0.375 on one side, and 1, 0.75, 0.5 and 0 on the other.
        let generated = (2.0_f64 * 2.0 * 0.1875 * 0.1875).sqrt() / 2.0;
        let human = (4.0_f64 / 3.0 * [0.4375_f64, 0.1875, 0.0625, 0.5625].map(|d| d * d).iter().sum::<f64>())
            .sqrt()
            / 4.0;
        assert!((auc.error.unwrap() - generated.hypot(human)).abs() < 1e-12, "{auc:?}");
        assert_eq!(auc_by_surprise(&Comparison::default(), 0), None);
    }

    #[test]
    fn only_games_of_the_same_constraint_and_rating_are_compared() {
        let human =
            numbered(vec![game(0, 0, &[1.0]), game(0, 0, &[1.0]), game(1, 0, &[9.0]), game(1, 1, &[5.0])]);
        let generated = numbered(vec![game(0, 0, &[2.0]), game(1, 0, &[8.0]), game(1, 1, &[5.0])]);
        let weights = [0.5, 0.5, 1.0, 1.0];
        let comparison =
            Comparison { human: human.iter().zip(weights).collect(), generated: generated.iter().collect() };
        let auc = auc_by_surprise(&comparison, 0).unwrap();
        assert_eq!(auc.mean, (1.0 + 0.0 + 0.5) / 3.0);
    }

    #[test]
    fn a_human_game_that_met_several_constraints_is_one_cluster() {
        let human = numbered([1.0, 2.0, 3.0].map(|surprise| game(0, 0, &[surprise])).to_vec());
        let generated = numbered([2.0, 3.0].map(|surprise| game(0, 0, &[surprise])).to_vec());
        let again: Vec<SatisfyingGame> =
            human.iter().map(|game| SatisfyingGame { constraint: 1, ..game.clone() }).collect();
        let further: Vec<SatisfyingGame> = generated
            .iter()
            .map(|game| SatisfyingGame { constraint: 1, game: game.game + 2, ..game.clone() })
            .collect();
        let once = Comparison {
            human: human.iter().map(|game| (game, 2.0 / 3.0)).collect(),
            generated: generated.iter().collect(),
        };
        let twice = Comparison {
            human: human.iter().chain(&again).map(|game| (game, 2.0 / 3.0)).collect(),
            generated: generated.iter().chain(&further).collect(),
        };
        let [once, twice] = [once, twice].map(|comparison| auc_by_surprise(&comparison, 0).unwrap());
        assert_eq!(once.mean, twice.mean);
        // The human part of the error stays.
        let human = (1.5_f64 * [0.25_f64, 0.0, 0.25].map(|d| d * d).iter().sum::<f64>()).sqrt() / 3.0;
        assert!(
            twice.error.unwrap() > human && twice.error.unwrap() < once.error.unwrap(),
            "{once:?} {twice:?}"
        );
    }
}
