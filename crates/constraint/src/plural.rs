use std::fmt::Display;

/// The singular for the number 1, otherwise the plural.
pub fn noun<'a, N: PartialEq + From<u8>>(number: N, singular: &'a str, plural: &'a str) -> &'a str {
    if number == N::from(1) { singular } else { plural }
}

/// A number with its noun, in the singular or plural.
///
/// ```
/// use entente_constraint::counted;
///
/// assert_eq!(counted(1, "ply", "plies"), "1 ply");
/// assert_eq!(counted(0, "ply", "plies"), "0 plies");
/// ```
pub fn counted<N: PartialEq + From<u8> + Copy + Display>(number: N, singular: &str, plural: &str) -> String {
    format!("{number} {}", noun(number, singular, plural))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_number_1_has_the_singular() {
        assert_eq!(
            [0, 1, 2, 11].map(|games| counted(games, "game", "games")),
            ["0 games", "1 game", "2 games", "11 games"]
        );
        assert_eq!(noun(1.0, "is", "are"), "is");
    }
}
