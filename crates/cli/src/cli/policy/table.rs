//! The moves of one position as a table for people.

use std::fmt::Write as _;

use entente::generation::policy::Reach;
use entente_constraint::{Men, Situation};
use entente_network::{
    Policy, Prediction,
    encoding::{moves::MoveEncoding, softmax},
};
use shakmaty::{Chess, Move, Position as _, san::San};

/// The policy's answers for a position.
#[derive(Clone, Copy)]
pub(super) struct Answers<'a> {
    /// The network.
    pub policy: &'a Policy,
    /// The network's outputs for all moves, including illegal ones.
    pub outputs: &'a [f32],
    /// The prediction of the network alone.
    pub prediction: &'a Prediction,
    /// The prediction corrected by the skill.
    pub skilled: Option<&'a Prediction>,
}

/// A line of the table. The probabilities are described in the help of [`Arguments`](super::Arguments).
pub(super) struct Row {
    m: Move,
    index: u16,
    raw: f32,
    legal: f32,
    skilled: Option<f32>,
    reachable: Option<[f32; 2]>,
    action_value: f32,
}

/// A row for each index of the encoding `E`, most likely first. Moves that share an index are added up in the row of
/// the move that the index decodes to.
pub(super) fn rows<E: MoveEncoding>(
    position: &Chess,
    legal: &[Move],
    answers: Answers<'_>,
    reach: Option<&Reach>,
) -> Vec<Row> {
    let mover = position.turn();
    let Answers { outputs, prediction, skilled, .. } = answers;
    let (raw, alone) = (softmax(outputs), softmax(&prediction.logits));
    let skilled = skilled.map(|skilled| softmax(&skilled.logits));
    let chances = skilled.as_ref().unwrap_or(&alone);
    let men = Men::on(position.board());
    let keeps = |m: Move, plies: u32| {
        reach.is_none_or(|reach| reach.keeps(Situation::root(position), &men, m, plies))
    };
    // The total probability that each mask leaves.
    let left = [1, 2].map(|plies| -> f32 {
        legal.iter().zip(chances).filter(|(m, _)| keeps(**m, plies)).map(|(_, chance)| chance).sum()
    });
    let mut rows: Vec<Row> = Vec::new();
    for (place, m) in legal.iter().enumerate() {
        let index = E::encode(*m, mover);
        let after = |mask: usize| {
            if keeps(*m, mask as u32 + 1) && left[mask] > 0.0 { chances[place] / left[mask] } else { 0.0 }
        };
        let row = Row {
            m: E::decode(index, mover, legal).unwrap_or(*m),
            index: index.0,
            raw: raw[answers.policy.index(*m, mover)],
            legal: alone[place],
            skilled: skilled.as_ref().map(|skilled| skilled[place]),
            reachable: reach.map(|_| [after(0), after(1)]),
            action_value: prediction.action_values[place],
        };
        match rows.iter_mut().find(|other| other.index == row.index) {
            Some(other) => {
                other.raw += row.raw;
                other.legal += row.legal;
                other.skilled = other.skilled.zip(row.skilled).map(|(sum, part)| sum + part);
                if let (Some(sum), Some(part)) = (&mut other.reachable, row.reachable) {
                    sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
                }
            }
            None => rows.push(row),
        }
    }
    let chance = |row: &Row| row.skilled.unwrap_or(row.legal);
    rows.sort_by(|a, b| chance(b).total_cmp(&chance(a)));
    rows
}

/// The table of the first `most` rows (all if 0), and the network's predictions for the game if it `uses_aims`.
pub(super) fn text(
    position: &Chess,
    rows: &[Row],
    prediction: &Prediction,
    uses_aims: bool,
    most: usize,
) -> String {
    let has_goal = rows.iter().any(|row| row.reachable.is_some());
    let mut text = String::from("move     uci    index     raw   legal");
    if rows.iter().any(|row| row.skilled.is_some()) {
        text += "    skill";
    }
    if has_goal {
        text += "  one-ply  two-ply    met";
    }
    text.push('\n');
    let shown = if most == 0 { rows.len() } else { most.min(rows.len()) };
    let percent = |share: f32| 100.0 * share;
    for row in &rows[..shown] {
        let san = San::from_move(position, row.m).to_string();
        let uci = row.m.to_uci(position.castles().mode()).to_string();
        let (raw, legal) = (percent(row.raw), percent(row.legal));
        let _ = write!(text, "{san:8} {uci:6} {:5} {raw:7.2} {legal:7.2}", row.index);
        if let Some(skilled) = row.skilled {
            let _ = write!(text, "  {:7.2}", percent(skilled));
        }
        if let Some([one, two]) = row.reachable {
            let (one, two, met) = (percent(one), percent(two), percent(row.action_value));
            let _ = write!(text, "  {one:7.2}  {two:7.2}  {met:5.1}");
        }
        text.push('\n');
    }
    if shown < rows.len() {
        let _ = writeln!(text, "… and {} more", rows.len() - shown);
    }
    if !uses_aims {
        text += "this network predicts moves only\n";
        return text;
    }
    let [won, drawn, lost] = prediction.result.map(percent);
    let mover = position.turn().fold_wb("White", "Black");
    let _ = writeln!(text, "{mover} wins {won:.0}%, draws {drawn:.0}%, loses {lost:.0}%");
    if has_goal {
        let _ =
            writeln!(text, "the game satisfies the constraint in time: {:.1}%", percent(prediction.value));
    }
    text
}
