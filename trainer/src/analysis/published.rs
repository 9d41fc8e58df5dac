//! Published results of L. T. Petrželka's thesis (2024), from figure 3.4 and section 3.2.1.

/// The published share of White in the decided games that met a constraint.
pub(super) fn white_wins(constraint: &str) -> Option<f64> {
    let table = include_str!("published.csv");
    let mut rows = csv::Reader::from_reader(table.as_bytes()).into_deserialize::<(String, f64)>();
    rows.find_map(|row| row.ok().filter(|(name, _)| name == constraint)).map(|(_, share)| share)
}

/// The classes of the thesis: constraints with similar curves over plies. Constraints that the thesis does not classify
/// are not in the list.
pub(super) const CLASSES: [&[&str]; 4] = [
    &["(0,2,2,2,8)", "(1,2,1,2,8)", "(0,2,2,2,7)", "(1,2,2,1,8)"],
    &["(1,2,2,2,6)", "(1,2,1,2,7)", "(1,2,2,1,7)", "(1,1,2,2,8)"],
    &["(1,2,2,0,7)", "(1,2,1,1,7)", "(1,2,0,2,7)"],
    &["(1,2,1,1,6)", "(1,2,2,0,6)", "(1,2,0,2,6)"],
];

/// The class of a constraint in the thesis, from 1.
pub(super) fn class(constraint: &str) -> Option<usize> {
    CLASSES.iter().position(|class| class.contains(&constraint)).map(|place| place + 1)
}

#[cfg(test)]
mod tests {
    use entente_constraint::thesis::{SEVENTEEN, constraint};

    use super::*;

    #[test]
    fn every_constraint_of_the_thesis_has_its_figure() {
        assert!(SEVENTEEN.iter().all(|counts| white_wins(&constraint(*counts).to_string()).is_some()));
        assert_eq!((white_wins("(0,2,2,2,8)"), white_wins("Q=0")), (Some(0.389848), None));
        assert_eq!((class("(1,2,0,2,6)"), class("(1,2,1,1,8)")), (Some(4), None));
    }
}
