//! What a user chooses by a word, the same on the command line and over UCI.

use clap::ValueEnum;

use crate::{constraint::Goal, evaluator::is_default_network_trained_on};

/// How moves are to be chosen, on the command line or as a UCI option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MethodChoice {
    /// The best that exists for the job
    Auto,
    /// Cooperative negamax
    Negamax,
}

/// Which evaluator a user asks for, on the command line or as a UCI option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EvaluatorChoice {
    /// Network where one was trained on the constraint, else material
    Auto,
    /// A trained network
    Network,
    /// Counts men; no network
    Material,
}

impl EvaluatorChoice {
    /// True if a network is to value positions, `is_named` if the user named one.
    pub fn wants_network(self, is_named: bool, goal: &Goal) -> bool {
        match self {
            EvaluatorChoice::Auto => is_named || is_default_network_trained_on(goal),
            EvaluatorChoice::Network => true,
            EvaluatorChoice::Material => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_values_what_it_was_trained_on_or_named_for() {
        let goal = |text: &str| Goal::new(&text.parse().unwrap()).unwrap();
        let (trained, other) = (goal("(1,2,1,1,7)"), goal("q=0"));
        for (choice, is_named, goal, expected) in [
            (EvaluatorChoice::Auto, false, &trained, true),
            (EvaluatorChoice::Auto, false, &other, false),
            (EvaluatorChoice::Auto, true, &other, true),
            (EvaluatorChoice::Network, false, &other, true),
            (EvaluatorChoice::Material, true, &trained, false),
        ] {
            assert_eq!(choice.wants_network(is_named, goal), expected, "{choice:?} {is_named}");
        }
    }
}
