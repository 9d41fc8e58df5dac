//! Tables of measures in Markdown.

use std::fmt::Write as _;

use super::{Measures, MoveScore, RatingMatrix, ReachScore};

/// The measures as tables in Markdown, each with an explanation. A policy that does not read goals has only the table
/// of moves.
pub fn tables(measures: &Measures, matrix: &RatingMatrix) -> String {
    let mut text = String::from(
        "Moves. Plain: without a goal, with all plies of the games equally likely. Hindsight: with a goal that the \
         game reached later. Cross-entropy: the mean of −ln of the probability of the move that was played, in nats; \
         top-1, 3, 5: the share of positions in which it was among the 1, 3 or 5 most likely moves.\n\n\
         | samples | positions | cross-entropy | top-1 | top-3 | top-5 |\n|---|---|---|---|---|---|\n",
    );
    for (group, score) in &measures.moves {
        let MoveScore { samples, cross_entropy, top_1, top_3, top_5 } = score;
        let percent = |share: &f64| format!("{:.1}%", 100.0 * share);
        let [one, three, five] = [top_1, top_3, top_5].map(percent);
        let _ = writeln!(text, "| {group} | {samples} | {cross_entropy:.3} | {one} | {three} | {five} |");
    }
    if measures.reach.is_empty() {
        return text;
    }
    text += "\nReaching the goal in time. Foreign: a goal that another game reached; perturbed: a goal that this game \
             reached, with one or two changed numbers; both only if the goal is not known to be unreachable. Value: \
             for the position; action value: for the move that was played. AUC: area under the ROC curve; loss: mean \
             binary cross-entropy in nats.\n\n\
             | goals | samples | reached | value AUC | loss | action value AUC | loss |\n\
             |---|---|---|---|---|---|---|\n";
    for (group, score) in &measures.reach {
        let ReachScore { samples, reached, value_loss, action_value_loss, .. } = score;
        let auc = |auc: Option<f64>| auc.map_or("–".to_owned(), |auc| format!("{auc:.3}"));
        let (value, action) = (auc(score.value_auc), auc(score.action_value_auc));
        let reached = 100.0 * reached;
        let _ = writeln!(
            text,
            "| {group} | {samples} | {reached:.1}% | {value} | {value_loss:.3} | {action} | {action_value_loss:.3} |"
        );
    }
    if let Some(all) = measures.reach.get("all") {
        text += "\nCalibration of the satisfaction value, over all foreign and perturbed goals:\n\n\
                 | value | samples | mean value | reached |\n|---|---|---|---|\n";
        for (index, (samples, value, reached)) in all.calibration.iter().enumerate() {
            let (low, high) = (index as f64 / 10.0, (index + 1) as f64 / 10.0);
            if *samples > 0 {
                let _ = writeln!(text, "| {low:.1}–{high:.1} | {samples} | {value:.3} | {reached:.3} |");
            }
        }
    }
    let _ = writeln!(text, "\nResult (win, draw, loss): {:.3} nats.", measures.result_loss);
    text + &matrix.table()
}
