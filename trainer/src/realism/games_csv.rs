use anyhow::Context;

use super::{Comparison, Grid, Row, Side, number_names, numbers};

/// The games that are compared by rating as CSV, so that other programs can classify them. Each has a line with the
/// rating, the method, the side, the constraint, the number of the game on its side (a human game may have met several
/// constraints), its weight, and its [`numbers()`], which are empty where they are missing.
///
/// # Errors
///
/// If the CSV cannot be written.
pub fn games_csv(
    grid: &Grid,
    judges: &[String],
    by_rating: &[(Row, Comparison<'_>)],
) -> anyhow::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut names = ["rating", "method", "side", "constraint", "game", "weight"].map(str::to_owned).to_vec();
    names.extend(number_names(judges));
    writer.write_record(&names)?;
    for (row, comparison) in by_rating {
        for (side, name) in [(Side::Human, "people"), (Side::Generated, "generated")] {
            for (game, weight) in comparison.weighed(side) {
                let constraint = grid.targets[game.constraint].constraint.to_string();
                let mut fields = vec![row.of.clone(), row.method.clone(), name.to_owned(), constraint];
                fields.extend([game.game.to_string(), weight.to_string()]);
                let number = |number: f64| if number.is_nan() { String::new() } else { number.to_string() };
                fields.extend(numbers(game).into_iter().map(number));
                writer.write_record(&fields)?;
            }
        }
    }
    writer.into_inner().context("writing to memory succeeds")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::realism::{
        Figures,
        compare::tests::{game, grid},
    };

    #[test]
    fn each_game_has_a_line_with_its_numbers() {
        let (human, mut generated) = (game(1, 0, &[1.0, 2.0]), game(1, 0, &[5.0]));
        generated.losses = vec![7];
        let comparison = Comparison { human: vec![(&human, 1.0)], generated: vec![&generated] };
        let row = Row {
            of: "1500".to_owned(),
            method: "fast".to_owned(),
            human: Figures::default(),
            generated: Figures::default(),
            auc: None,
            auc_games: None,
            by_surprise: Vec::new(),
        };
        let csv = games_csv(&grid(), &["maia".to_owned()], &[(row, comparison)]).unwrap();
        let expected = "\
rating,method,side,constraint,game,weight,plies,maia surprise,maia surprise_from_0,maia surprise_from_10,\
maia surprise_from_30,maia rare,loss_from_0,loss_from_10,loss_from_30
1500,fast,people,q=0,0,1,2,1.5,1.5,,,0,,,
1500,fast,generated,q=0,0,1,1,5,5,,,1,7,,
";
        assert_eq!(String::from_utf8(csv).unwrap(), expected);
    }
}
