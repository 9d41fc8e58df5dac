use serde::{Deserialize, Serialize};

use super::{
    Measures, MoveScore,
    measures::{ONLINE, OVER_THE_BOARD, TIMED},
};
use crate::training::Stretch;

/// The measures of a validation.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct RecordedMeasures {
    /// The measures on the games of the store.
    pub whole: Measures,
    /// The measures on the games of the second store.
    pub compared: Option<Measures>,
}

/// A row of `metrics.csv`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Record {
    /// Number of samples used in training.
    pub positions: u64,
    /// Training loss since the previous row, in nats: cross-entropy of the moves.
    pub train_policy: f64,
    /// … binary cross-entropy of the satisfaction value.
    pub train_value: f64,
    /// … binary cross-entropy of the action value.
    pub train_action_value: f64,
    /// … cross-entropy of the result.
    pub train_result: f64,
    /// Cross-entropy of the moves in online validation games without a goal, if the store has any.
    pub online_cross_entropy: Option<f64>,
    /// The share of these moves that were the most likely.
    pub online_top_1: Option<f64>,
    /// Cross-entropy of the moves in validation games over the board without a goal, if the store has any.
    pub over_the_board_cross_entropy: Option<f64>,
    /// The share of these moves that were the most likely.
    pub over_the_board_top_1: Option<f64>,
    /// Cross-entropy of the moves in online games with a goal that they reached.
    pub hindsight_cross_entropy: Option<f64>,
    /// Cross-entropy of the moves in games with clocks that are hidden from the network.
    pub hidden_clock_cross_entropy: Option<f64>,
    /// The same positions with clocks that are shown.
    pub told_clock_cross_entropy: Option<f64>,
    /// Cross-entropy of the moves in online games of the second store, if there is one.
    pub compared_online_cross_entropy: Option<f64>,
    /// The share of these moves that were the most likely.
    pub compared_online_top_1: Option<f64>,
    /// Cross-entropy of the moves in games over the board of the second store, if there is one.
    pub compared_over_the_board_cross_entropy: Option<f64>,
    /// The share of these moves that were the most likely.
    pub compared_over_the_board_top_1: Option<f64>,
    /// Area under the ROC curve of the satisfaction value.
    pub value_auc: Option<f64>,
    /// Area under the ROC curve of the action value.
    pub action_value_auc: Option<f64>,
    /// Cross-entropy of the results of the validation games.
    pub result_loss: f64,
    /// Learning rate of the last step.
    pub learning_rate: f64,
    /// Training speed since the previous row.
    pub positions_per_second: f64,
    /// Seconds of training since the run began, without validations.
    pub seconds: f64,
}

impl Record {
    /// The row of a validation at the end of a stretch.
    pub fn new(stretch: &Stretch, measures: &RecordedMeasures) -> Record {
        let RecordedMeasures { whole, compared } = measures;
        let train = |index: usize| stretch.losses.get(index).copied().unwrap_or(f64::NAN);
        let moves = |group: &str| -> Option<MoveScore> { whole.moves.get(group).copied() };
        let timed = TIMED.map(|group| whole.moves.get(group).map(|score| score.cross_entropy));
        let compared = [ONLINE, OVER_THE_BOARD]
            .map(|group| -> Option<MoveScore> { compared.as_ref()?.moves.get(group).copied() });
        let reach = whole.reach.get("all");
        Record {
            positions: stretch.samples,
            train_policy: train(0),
            train_value: train(1),
            train_action_value: train(2),
            train_result: train(3),
            online_cross_entropy: moves(ONLINE).map(|score| score.cross_entropy),
            online_top_1: moves(ONLINE).map(|score| score.top_1),
            over_the_board_cross_entropy: moves(OVER_THE_BOARD).map(|score| score.cross_entropy),
            over_the_board_top_1: moves(OVER_THE_BOARD).map(|score| score.top_1),
            hindsight_cross_entropy: moves("hindsight online").map(|score| score.cross_entropy),
            hidden_clock_cross_entropy: timed[0],
            told_clock_cross_entropy: timed[1],
            compared_online_cross_entropy: compared[0].map(|score| score.cross_entropy),
            compared_online_top_1: compared[0].map(|score| score.top_1),
            compared_over_the_board_cross_entropy: compared[1].map(|score| score.cross_entropy),
            compared_over_the_board_top_1: compared[1].map(|score| score.top_1),
            value_auc: reach.and_then(|reach| reach.value_auc),
            action_value_auc: reach.and_then(|reach| reach.action_value_auc),
            result_loss: whole.result_loss,
            learning_rate: stretch.learning_rate,
            positions_per_second: stretch.samples_per_second,
            seconds: stretch.seconds,
        }
    }

    /// The line that is printed for the row.
    pub fn line(&self) -> String {
        let nats = |nats: Option<f64>| nats.map_or("–".to_owned(), |nats| format!("{nats:.4}"));
        let mut line = format!(
            "{:.2} M positions: moves {:.4} in training, {} online (top-1 {}), {} over the board, {} with hindsight",
            self.positions as f64 / 1e6,
            self.train_policy,
            nats(self.online_cross_entropy),
            self.online_top_1.map_or("–".to_owned(), |share| format!("{:.2}%", 100.0 * share)),
            nats(self.over_the_board_cross_entropy),
            nats(self.hindsight_cross_entropy)
        );
        if let (Some(hidden), Some(told)) = (self.hidden_clock_cross_entropy, self.told_clock_cross_entropy) {
            line += &format!(", {hidden:.4} with hidden and {told:.4} with shown clocks");
        }
        if let (Some(online), Some(top_1)) = (self.compared_online_cross_entropy, self.compared_online_top_1)
        {
            line += &format!("; compared {online:.4} online (top-1 {:.2}%)", 100.0 * top_1);
        }
        let auc = |auc: Option<f64>| auc.map_or("–".to_owned(), |auc| format!("{auc:.3}"));
        line + &format!(
            "; AUC {} and {}; result {:.3}; {:.0} samples/s",
            auc(self.value_auc),
            auc(self.action_value_auc),
            self.result_loss,
            self.positions_per_second
        )
    }
}
