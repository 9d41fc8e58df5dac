use super::{RANGES, SatisfyingGame};

/// The names of the [`numbers()`] of a game.
pub fn number_names(judges: &[String]) -> Vec<String> {
    let mut names = vec!["plies".to_owned()];
    for judge in judges {
        names.push(format!("{judge} surprise"));
        names.extend(RANGES.map(|(_, from, _)| format!("{judge} surprise_from_{from}")));
        names.push(format!("{judge} rare"));
    }
    names.extend(RANGES.map(|(_, from, _)| format!("loss_from_{from}")));
    names
}

/// The numbers of a game, by which a classifier tells generated games from human ones: its length; for each judge, the
/// mean surprise over all plies and in each of the [`RANGES`], and the share of rare moves; and the mean loss in each
/// range, in centipawns. Numbers that a game does not have are NaN.
pub fn numbers(game: &SatisfyingGame) -> Vec<f64> {
    let plies = game.moves.len();
    let mut numbers = vec![plies as f64];
    for judge in 0..game.surprise.len() {
        numbers.push(game.mean_surprise(judge));
        // A mean over no plies is NaN.
        numbers.extend(RANGES.map(|(_, from, to)| {
            game.surprise_within(judge, from, to) / (plies.clamp(from, to) - from) as f64
        }));
        numbers.push(game.rare(judge) as f64 / plies as f64);
    }
    numbers.extend(RANGES.map(|(_, from, to)| {
        let losses = &game.losses[from.min(game.losses.len())..to.min(game.losses.len())];
        f64::from(losses.iter().sum::<i32>()) / losses.len() as f64
    }));
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::realism::compare::tests::game;

    #[test]
    fn what_a_game_does_not_have_is_missing() {
        let mut game = game(0, 0, &[1.0; 12]);
        game.surprise.push([vec![5.0; 3], vec![2.0; 9]].concat());
        let judges = ["maia".to_owned(), "other".to_owned()];
        let named = |game: &SatisfyingGame| -> Vec<String> {
            let all = number_names(&judges).into_iter().zip(numbers(game));
            all.filter(|(_, number)| !number.is_nan())
                .map(|(name, number)| format!("{name}: {number}"))
                .collect()
        };
        let mut expected = vec![
            "plies: 12",
            "maia surprise: 1",
            "maia surprise_from_0: 1",
            "maia surprise_from_10: 1",
            "maia rare: 0",
            "other surprise: 2.75",
            "other surprise_from_0: 2.9",
            "other surprise_from_10: 2",
            "other rare: 0.25",
        ];
        assert_eq!(named(&game), expected);
        assert_eq!(numbers(&game).len(), number_names(&judges).len());
        game.losses = [vec![10; 10], vec![0, 60]].concat();
        expected.extend(["loss_from_0: 10", "loss_from_10: 30"]);
        assert_eq!(named(&game), expected);
    }
}
