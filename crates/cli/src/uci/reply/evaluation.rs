use std::fmt::{self, Display, Formatter};

use super::ConstraintState;
use entente_search::scorer::hand_written::{FULL_PHASE, Terms};
use shakmaty::uci::UciMove;

/// The evaluations of a position.
#[derive(Clone, Debug)]
pub(crate) struct Evaluation {
    /// The hand-written evaluation, for play without a network.
    pub terms: Terms,
    /// The output of the policy network, if one is used in play.
    pub network: Option<NetworkEvaluation>,
    /// The state of the constraint, if there is one.
    pub constraint: Option<ConstraintEvaluation>,
}

/// The output of a policy network for a position.
#[derive(Clone, Debug)]
pub(crate) struct NetworkEvaluation {
    /// The name of the network.
    pub name: String,
    /// The probabilities that the side to move wins, draws and loses, in thousandths.
    pub chances: [u32; 3],
    /// The most likely moves, with their probabilities.
    pub moves: Vec<(UciMove, f32)>,
}

/// The state of the constraint, and the position's value according to the evaluator for generation.
#[derive(Clone, Debug)]
pub(crate) struct ConstraintEvaluation {
    /// The constraint, in normal form.
    pub constraint: String,
    /// Its state in the position.
    pub state: ConstraintState,
    /// The evaluator's name and the satisfaction value, in [0, 1]; `None` if the constraint is not about numbers of men
    /// alone.
    pub value: Option<(String, f32)>,
}

impl Display for Evaluation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let terms = &self.terms;
        writeln!(f, "Term       middlegame   endgame   White minus Black, in centipawns")?;
        for (name, term) in [
            ("material", terms.material),
            ("placement", terms.placement),
            ("mobility", terms.mobility),
            ("pawns", terms.pawns),
            ("king", terms.king),
        ] {
            writeln!(f, "{name:10} {:+10} {:+9}", term.middlegame, term.endgame)?;
        }
        write!(f, "Evaluation: {:+}, phase {} of {FULL_PHASE}", terms.centipawns(), terms.phase)?;
        if let Some(NetworkEvaluation { name, chances, moves }) = &self.network {
            let [won, drawn, lost] = chances.map(|chance| f64::from(chance) / 10.0);
            write!(
                f,
                "\nNetwork ({name}): {won:.1}% won, {drawn:.1}% drawn, {lost:.1}% lost for the side to move"
            )?;
            if !moves.is_empty() {
                write!(f, "\nMost likely:")?;
                moves.iter().try_for_each(|(m, chance)| write!(f, " {m} {:.1}%", 100.0 * chance))?;
            }
        }
        if let Some(ConstraintEvaluation { constraint, state, value }) = &self.constraint {
            write!(f, "\nConstraint: {constraint}\nState: {state}")?;
            if let Some((name, value)) = value {
                write!(f, "\nSatisfaction ({name}): {value:.3}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use entente::generation::Distance;
    use entente_search::scorer::hand_written;
    use shakmaty::{Chess, Position};

    use super::*;

    #[test]
    fn every_term_has_its_line_and_the_constraint_comes_last() {
        let mut evaluation = Evaluation {
            terms: hand_written::evaluate(Chess::default().board()),
            network: None,
            constraint: None,
        };
        let text = evaluation.to_string();
        assert_eq!(text.lines().count(), 7, "{text}");
        assert!(text.ends_with("\nEvaluation: +0, phase 24 of 24"), "{text}");
        evaluation.network = Some(NetworkEvaluation {
            name: "goal-policy".to_owned(),
            chances: [400, 250, 350],
            moves: vec![("e2e4".parse().unwrap(), 0.5), ("d2d4".parse().unwrap(), 0.25)],
        });
        let text = evaluation.to_string();
        let network = "Network (goal-policy): 40.0% won, 25.0% drawn, 35.0% lost for the side to move\n\
                       Most likely: e2e4 50.0% d2d4 25.0%";
        assert!(text.ends_with(&format!("\n{network}")), "{text}");
        evaluation.constraint = Some(ConstraintEvaluation {
            constraint: "Q=0".to_owned(),
            state: ConstraintState::Reachable { distance: Distance::Men(1) },
            value: Some(("material".to_owned(), 0.25)),
        });
        let text = evaluation.to_string();
        assert!(
            text.ends_with("\nConstraint: Q=0\nState: reachable, distance 1\nSatisfaction (material): 0.250"),
            "{text}"
        );
    }
}
