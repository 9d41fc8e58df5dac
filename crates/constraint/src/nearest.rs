//! Suggestions for unknown words.

/// Only this many characters are compared: words are untrusted input, and comparing long ones takes time.
const LONGEST: usize = 40;

/// The word of `known` that is most similar to `word`, ignoring case; `None` if more than one letter in three is wrong
/// (Damerau–Levenshtein distance). A word of three letters or fewer may lack a letter or have its letters in another
/// order, but with one letter replaced it is another word.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: String = word.chars().take(LONGEST).flat_map(char::to_lowercase).collect();
    let compared = known.into_iter().map(|known| {
        let distance = strsim::damerau_levenshtein(&word, &known.to_lowercase());
        (distance, known)
    });
    let (distance, nearest) = compared.min_by_key(|(distance, _)| *distance)?;
    let length = word.chars().count();
    let is_replaced = nearest.chars().count() == length && letters(&word) != letters(nearest);
    (3 * distance <= length && (length > 3 || !is_replaced)).then_some(nearest)
}

/// The letters of a word in the order of the alphabet, ignoring case.
fn letters(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().flat_map(char::to_lowercase).collect();
    letters.sort_unstable();
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_few_wrong_letters_are_recognised() {
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
        let short =
            [("eco", None), ("ELO", Some("elo")), ("pyl", Some("ply")), ("el", None), ("tun", Some("turn"))];
        for (word, meant) in short {
            assert_eq!(nearest(word, ["elo", "ply", "turn"]), meant, "{word}");
        }
        assert_eq!(nearest(&"x".repeat(1 << 20), words), None);
        assert_eq!(nearest("thesis", []), None);
    }
}
