//! What may be meant by a word that is none.

/// Longer words are not compared: they come from outside, and comparing takes time.
const LONGEST: usize = 40;

/// The one of `known` that is most like `word`, in upper or lower case, if one is like it: one letter in three may be
/// wrong.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: String = word.chars().take(LONGEST).flat_map(char::to_lowercase).collect();
    let compared = known.into_iter().map(|known| {
        let distance = strsim::damerau_levenshtein(&word, &known.to_lowercase());
        (distance, known)
    });
    let (distance, nearest) = compared.min_by_key(|(distance, _)| *distance)?;
    (3 * distance <= word.chars().count()).then_some(nearest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_with_few_wrong_letters_is_recognised() {
        let words = ["goal-policy", "thesis-1", "thesis-2"];
        for (word, meant) in [
            ("goal-polcy", Some("goal-policy")),
            ("Goal-Policy", Some("goal-policy")),
            ("thesis2", Some("thesis-2")),
            ("stockfish", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, words), meant, "{word}");
        }
        assert_eq!(nearest(&"x".repeat(1 << 20), words), None);
        assert_eq!(nearest("thesis", []), None);
    }
}
