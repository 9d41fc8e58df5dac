use std::fmt::{self, Display, Formatter};

use super::ConstraintState;
use crate::evaluator::hand_written::{FULL_PHASE, Terms};

/// What the evaluators say of a position.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The hand-written evaluation, for play.
    pub terms: Terms,
    /// What there is to say of the constraint, if there is one.
    pub constraint: Option<ConstraintEvaluation>,
}

/// How a position stands to the constraint, and what the evaluator of generation makes of it.
#[derive(Clone, Debug)]
pub struct ConstraintEvaluation {
    /// As it is understood.
    pub constraint: String,
    /// How the position stands to it.
    pub state: ConstraintState,
    /// The evaluator's name and the satisfaction value, in [0, 1]; none where the constraint speaks of more than men.
    pub value: Option<(String, f32)>,
}

impl Display for Evaluation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let terms = &self.terms;
        writeln!(f, "Term       middlegame   endgame   White's less Black's, hundredths of a pawn")?;
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
    use shakmaty::{Chess, Position};

    use super::*;
    use crate::{evaluator::hand_written, generation::Distance};

    #[test]
    fn every_term_has_its_line_and_the_constraint_stands_behind() {
        let mut evaluation =
            Evaluation { terms: hand_written::evaluate(Chess::default().board()), constraint: None };
        let text = evaluation.to_string();
        assert_eq!(text.lines().count(), 7, "{text}");
        assert!(text.ends_with("\nEvaluation: +0, phase 24 of 24"), "{text}");
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
