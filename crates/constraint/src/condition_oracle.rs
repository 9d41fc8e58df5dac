//! Verdicts on the conditions that the rules of chess do not decide.

use super::{Atom, Constraint, Judged, Situation};

/// Decides whether judged conditions hold. The searches that can decide this implement the trait.
pub trait ConditionOracle {
    /// Why a condition could not be decided.
    type Error;

    /// True if `judged` holds. If `negated`, the constraint requires that it does not hold. An oracle that is not sure
    /// returns the answer that fails the constraint: true if `negated`, otherwise false.
    ///
    /// # Errors
    /// If the oracle could not decide.
    fn holds(&mut self, judged: Judged, negated: bool, situation: Situation<'_>)
    -> Result<bool, Self::Error>;
}

impl Constraint {
    /// True if the constraint has conditions that an oracle must judge.
    pub fn is_judged(&self) -> bool {
        self.has_judged(|_| true)
    }

    /// True if one of its judged conditions passes a test, also under `!`.
    pub fn has_judged(&self, test: impl Fn(Judged) -> bool) -> bool {
        self.atoms().iter().any(|atom| matches!(atom, Atom::Judged(judged) if test(*judged)))
    }

    /// True if the constraint holds whatever the verdict on its judged conditions.
    pub fn certainly_holds(&self, situation: Situation<'_>) -> bool {
        self.holds_if(situation, false)
    }

    /// True if the constraint may hold according to a test of its judged conditions: all of them must pass, but of
    /// alternatives (`|`) only one. Other conditions, and those under `!`, always pass.
    pub fn may_hold(&self, test: &mut impl FnMut(Judged) -> bool) -> bool {
        match self {
            Constraint::All(parts) => parts.iter().all(|part| part.may_hold(test)),
            Constraint::Any(parts) => parts.iter().any(|part| part.may_hold(test)),
            Constraint::Atom(Atom::Judged(judged)) => test(*judged),
            Constraint::Not(_) | Constraint::Atom(_) => true,
        }
    }

    /// The total cost of the judged conditions. Of alternatives (`|`), the cheapest counts. Other conditions, and those
    /// under `!`, cost nothing.
    pub fn least_cost(&self, cost: &impl Fn(Judged) -> u32) -> u32 {
        match self {
            Constraint::All(parts) => parts.iter().map(|part| part.least_cost(cost)).sum(),
            Constraint::Any(parts) => parts.iter().map(|part| part.least_cost(cost)).min().unwrap_or(0),
            Constraint::Atom(Atom::Judged(judged)) => cost(*judged),
            Constraint::Not(_) | Constraint::Atom(_) => 0,
        }
    }

    /// True if the constraint cannot hold unless a judged condition that passes the test holds.
    pub fn needs(&self, mut test: impl FnMut(Judged) -> bool) -> bool {
        !self.may_hold(&mut |judged| !test(judged))
    }

    /// True if the constraint mostly holds just after a mistake of a player.
    pub fn needs_a_mistake(&self) -> bool {
        self.needs(Judged::needs_a_mistake)
    }

    /// True if the constraint holds according to `oracle`. The oracle is asked only about conditions that affect the
    /// result, the cheapest first.
    ///
    /// # Errors
    /// If the oracle could not decide.
    pub fn holds_by<W: ConditionOracle>(
        &self,
        situation: Situation<'_>,
        oracle: &mut W,
    ) -> Result<bool, W::Error> {
        self.judged(situation, false, oracle)
    }

    /// The same for a part of a constraint, which is `negated` if it stands under an odd number of `!`.
    fn judged<W: ConditionOracle>(
        &self,
        situation: Situation<'_>,
        negated: bool,
        oracle: &mut W,
    ) -> Result<bool, W::Error> {
        let (least, most) = (self.holds_if(situation, false), self.holds_if(situation, true));
        if least == most {
            return Ok(most);
        }
        match self {
            Constraint::Not(inner) => Ok(!inner.judged(situation, !negated, oracle)?),
            Constraint::All(parts) | Constraint::Any(parts) => {
                let is_all = matches!(self, Constraint::All(_));
                let mut parts: Vec<&Constraint> = parts.iter().collect();
                parts.sort_by_key(|part| part.cost());
                for part in parts {
                    if part.judged(situation, negated, oracle)? != is_all {
                        return Ok(!is_all);
                    }
                }
                Ok(is_all)
            }
            Constraint::Atom(Atom::Judged(judged)) => oracle.holds(*judged, negated, situation),
            Constraint::Atom(_) => Ok(most),
        }
    }

    /// The total cost of the judged conditions.
    fn cost(&self) -> u32 {
        let cost = |atom: &&Atom| match atom {
            Atom::Judged(judged) => judged.cost(),
            _ => 0,
        };
        self.atoms().iter().map(cost).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use shakmaty::Chess;

    use super::*;

    /// An oracle to which the conditions in `held` hold. It records the questions.
    struct Knowing<'a> {
        held: &'a [&'a str],
        asked: Vec<String>,
    }

    impl ConditionOracle for Knowing<'_> {
        type Error = Infallible;

        fn holds(&mut self, judged: Judged, negated: bool, _: Situation<'_>) -> Result<bool, Infallible> {
            self.asked.push(format!("{}{judged}", if negated { "!" } else { "" }));
            Ok(self.held.contains(&judged.to_string().as_str()))
        }
    }

    /// Whether the constraint holds in the initial position if the conditions in `held` do, and what the oracle was
    /// asked.
    fn asked(constraint: &str, held: &[&str]) -> (bool, String) {
        let constraint: Constraint = constraint.parse().unwrap();
        let mut oracle = Knowing { held, asked: Vec::new() };
        let start = Chess::default();
        let Ok(holds) = constraint.holds_by(Situation::root(&start), &mut oracle);
        (holds, oracle.asked.join(" "))
    }

    #[test]
    fn the_witness_is_asked_only_what_affects_the_result_the_cheapest_first() {
        for (constraint, held, holds, questions) in [
            ("Q=1", &[][..], true, ""),
            ("Q=0 quiet", &["quiet"], false, ""),
            ("Q=1 | quiet", &[], true, ""),
            ("Q=1 quiet", &["quiet"], true, "quiet"),
            ("only quiet eval=0 mate=1", &["mate=1", "eval=0", "quiet"], false, "mate=1 eval=0 quiet only"),
            ("only quiet eval=0 mate=1", &["only"], false, "mate=1"),
            ("puzzle<=1500 only", &["only", "puzzle<=1500"], true, "only puzzle<=1500"),
            ("!quiet", &[], true, "!quiet"),
            ("!(quiet Q=1)", &["quiet"], false, "!quiet"),
            ("!(quiet !mate=1)", &["quiet"], false, "mate=1 !quiet"),
            ("!(quiet Q=0)", &["quiet"], true, ""),
            ("(quiet | Q=0) (mate=1 | eval=3)", &["quiet", "eval=3"], true, "mate=1 eval=3 quiet"),
        ] {
            let expected = (holds, questions.to_owned());
            assert_eq!(asked(constraint, held), expected, "{constraint}");
        }
    }

    #[test]
    fn without_a_witness_judged_conditions_count_as_satisfied() {
        let start = Chess::default();
        let holds = |text: &str| text.parse::<Constraint>().unwrap().holds(Situation::root(&start));
        assert!(holds("quiet") && holds("!quiet") && holds("Q=1 !(only | mate=2)"));
        assert!(!holds("Q=0 quiet") && !holds("!(quiet | Q=1)"));
    }

    #[test]
    fn a_constraint_may_hold_if_all_that_it_needs_passes() {
        let fork = |judged: Judged| judged.to_string() == "theme=fork";
        for (constraint, may_hold, needs) in [
            ("theme=fork", true, true),
            ("theme=pin", false, false),
            ("theme=fork theme=pin", false, true),
            ("theme=fork | theme=pin", true, false),
            ("theme=pin | theme=skewer", false, false),
            ("Q=0 | theme=pin", true, false),
            ("Q=0 theme=pin", false, false),
            ("!theme=pin", true, false),
            ("!theme=fork", true, false),
        ] {
            let parsed: Constraint = constraint.parse().unwrap();
            assert_eq!(parsed.may_hold(&mut { fork }), may_hold, "{constraint}");
            assert_eq!(parsed.needs(fork), needs, "{constraint}");
        }
    }

    #[test]
    fn the_least_cost_is_that_of_the_cheapest_alternatives() {
        let cost = |judged: Judged| judged.to_string().len() as u32;
        for (constraint, least) in [
            ("theme=fork", 10),
            ("theme=fork theme=pin Q=0", 19),
            ("theme=fork | theme=pin", 9),
            ("Q=0 | theme=fork", 0),
            ("!theme=fork quiet", 5),
        ] {
            assert_eq!(constraint.parse::<Constraint>().unwrap().least_cost(&cost), least, "{constraint}");
        }
    }

    #[test]
    fn patterns_of_mates_need_a_mistake_and_mates_do_not() {
        for (constraint, expected) in [
            ("theme=smothered", true),
            ("theme=boden | theme=double-bishop", true),
            ("theme=back-rank mate=2", true),
            ("theme=mate mate=2", false),
            ("theme=fork | mate=1", false),
            ("!theme=fork", false),
        ] {
            assert_eq!(constraint.parse::<Constraint>().unwrap().needs_a_mistake(), expected, "{constraint}");
        }
    }
}
