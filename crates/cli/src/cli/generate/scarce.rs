use entente::generation::Generation;
use entente_constraint::{Constraint, Situation, plies_before};
use shakmaty::Chess;

/// Which conditions the nearest positions lack, where no position was found.
#[derive(Debug, Default)]
pub(super) struct Scarce {
    /// Conditions in words, each with the number of positions that lack it.
    lacking: Vec<(String, u64)>,
}

impl Scarce {
    /// Counts the conditions that the nearest position of an unsuccessful attempt lacks. If it has all that the rules
    /// of chess decide, it lacks the first one that a search decides.
    pub(super) fn add(&mut self, constraint: &Constraint, root: &Chess, generation: &Generation) {
        let situation =
            Situation::first(root, plies_before(root)).after(&generation.moves, &generation.position);
        let lines: Vec<_> = constraint.in_words().into_iter().filter(|line| line.depth == 0).collect();
        let by_rules = lines.iter().filter(|line| !line.part.is_judged() && !line.holds(situation));
        let mut lacking: Vec<&String> = by_rules.map(|line| &line.text).collect();
        if lacking.is_empty() {
            lacking.extend(lines.iter().find(|line| line.part.is_judged()).map(|line| &line.text));
        }
        for text in lacking {
            match self.lacking.iter_mut().find(|(known, _)| known == text) {
                Some((_, count)) => *count += 1,
                None => self.lacking.push((text.clone(), 1)),
            }
        }
    }

    /// The condition that is lacking most often, and in how many positions; of several, the first one counted.
    pub(super) fn most(&self) -> Option<(&str, u64)> {
        let most = self.lacking.iter().map(|(_, count)| *count).max()?;
        let (text, count) = self.lacking.iter().find(|(_, count)| *count == most)?;
        Some((text.trim_end_matches(':'), *count))
    }
}

#[cfg(test)]
mod tests {
    use entente::generation::Distance;

    use super::*;

    #[test]
    fn the_condition_that_is_lacking_most_often_is_named() {
        let root = Chess::default();
        let generation = Generation::of_game(&root, Vec::new(), Distance::Men(1));
        let mut scarce = Scarce::default();
        assert_eq!(scarce.most(), None);
        scarce.add(&"Q=1 r=2 quiet".parse::<Constraint>().unwrap(), &root, &generation);
        let quiet: Constraint = "quiet".parse().unwrap();
        assert_eq!(scarce.most(), Some((quiet.in_words()[0].text.as_str(), 1)));
        for _ in 0..2 {
            scarce.add(&"Q=1 N@f5".parse::<Constraint>().unwrap(), &root, &generation);
        }
        assert_eq!(scarce.most(), Some(("a white knight stands on f5", 2)));
    }
}
