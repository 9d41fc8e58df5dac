use std::fmt::Write as _;

use super::{Grid, SatisfyingGame};

/// The numbers of games and of compared games, by rating, in Markdown. A human game counts once for each constraint
/// that it met.
pub fn counts(
    grid: &Grid,
    human: &[SatisfyingGame],
    methods: &[String],
    games: &[Vec<SatisfyingGame>],
) -> String {
    let mut text = String::from(
        "\n## Games\n\nGames that met a constraint; a human game counts once for each constraint that it met. For each \
         method, also the number of games that are compared: for each constraint, at most as many as there are human \
         games.\n\n",
    );
    let _ = writeln!(text, "| rating | both players | people | {} |", methods.join(" | "));
    let _ = writeln!(text, "|---|---|---|{}", "---|".repeat(methods.len()));
    for (index, window) in grid.windows.iter().enumerate() {
        let by_constraint = |games: &[SatisfyingGame]| -> Vec<usize> {
            let mut counts = vec![0; grid.targets.len()];
            games.iter().filter(|game| game.rating == index).for_each(|game| counts[game.constraint] += 1);
            counts
        };
        let theirs = by_constraint(human);
        let (low, high) = window.ends();
        let _ = write!(text, "| {window} | {low}–{high} | {} |", theirs.iter().sum::<usize>());
        for games in games {
            let ours = by_constraint(games);
            let compared: usize = ours.iter().zip(&theirs).map(|(ours, theirs)| ours.min(theirs)).sum();
            let _ = write!(text, " {}, {compared} compared |", ours.iter().sum::<usize>());
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use entente_constraint::Target;
    use entente_network::encoding::goal_policy::RatingScale;
    use shakmaty::Chess;

    use super::*;
    use crate::{realism::Window, samples::goal::GameInfo};

    #[test]
    fn for_each_constraint_the_side_with_fewer_games_limits_the_comparison() {
        let target = |text: &str| Target::new(text.parse().unwrap()).unwrap();
        let grid = Grid {
            targets: vec![target("Q=0"), target("q=0")],
            windows: Window::around([(1500, RatingScale::Online), (2200, RatingScale::Fide)], 100),
            max_plies: 101,
        };
        let game = |&(constraint, rating): &(usize, usize)| SatisfyingGame {
            game: 0,
            constraint,
            rating,
            info: GameInfo::generated([1500; 2], RatingScale::Online),
            moves: Vec::new(),
            last: Chess::default(),
            delivered_by: None,
            surprise: Vec::new(),
            losses: Vec::new(),
        };
        let games = |places: &[(usize, usize)]| -> Vec<SatisfyingGame> { places.iter().map(game).collect() };
        let human = games(&[(0, 0), (0, 0), (0, 0), (1, 1)]);
        let ours = games(&[(0, 0), (1, 0), (1, 0), (1, 1), (1, 1)]);
        let text = counts(&grid, &human, &["fast".to_owned()], &[ours]);
        assert!(text.contains("| 1500 | 1400–1600 | 3 | 3, 1 compared |\n"), "{text}");
        assert!(text.ends_with("| 2200 FIDE | 2100–2300 | 1 | 2, 1 compared |\n"), "{text}");
    }
}
