//! Exercises as cards for Anki: the board on the front, the solution on the back.

use entente::records::{Exercise, fen};
use entente_render::Drawing;
use shakmaty::Position;

/// The header of a file.
const HEADER: &str = "#separator:tab\n#html:true\n#columns:Front\tBack\n";

/// The exercise as a line of a file that Anki imports. The file's header comes before the first exercise.
pub fn anki(exercise: &Exercise<'_>) -> String {
    let position = exercise.position;
    let drawing =
        Drawing { bottom: position.turn(), ..Drawing::new(position.board(), fen(position).to_string()) };
    let (task, players) = (exercise.task(), exercise.players());
    let rated = if players.is_empty() { String::new() } else { format!(" · {players}") };
    let front = format!("{}<br>{task}", drawing.svg());
    let solution = if exercise.solution.is_some() {
        let wrong = exercise.wrong_line();
        let wrong = if wrong.is_empty() { wrong } else { format!("<br>{wrong}") };
        format!("<b>{}</b><br>{}{rated}{wrong}", exercise.line(), exercise.value())
    } else {
        format!("<b>{task}</b>{rated}")
    };
    let back = format!("{solution}<br><small>{}</small>", exercise.game());
    let header = if exercise.number == 1 { HEADER } else { "" };
    format!("{header}{}\t{}\n", field(&front), field(&back))
}

/// A text as a field: on one line and in quotation marks, because it may contain quotation marks.
fn field(text: &str) -> String {
    format!("\"{}\"", text.replace(['\t', '\n'], " ").replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use entente::solution::Solver;
    use entente_search::position_from_fen;

    use super::*;

    #[test]
    fn a_card_is_one_line_of_two_fields() {
        let position = position_from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 31").unwrap();
        let solution = Solver::new().solve(&position);
        let mut exercise = Exercise {
            number: 3,
            root: &position,
            moves: &[],
            position: &position,
            ratings: [Some(1500); 2],
            caveat: None,
            solution: solution.as_ref(),
            wrong_try: None,
            puzzle: None,
        };
        let card = anki(&exercise);
        assert_eq!((card.lines().count(), card.matches('\t').count()), (1, 1), "{card}");
        assert!(card.starts_with("\"<svg ") && card.contains("</svg><br>White to move\"\t"), "{card}");
        let back = "\"<b>31. Ra8#</b><br>White mates in 1 (back rank) · 1500<br><small></small>\"\n";
        assert!(card.ends_with(back), "{card}");
        exercise.number = 1;
        assert!(anki(&exercise).starts_with("#separator:tab\n#html:true\n#columns:Front\tBack\n\"<svg "));
    }
}
