/// The longest name, in characters.
const LONGEST: usize = 60;
/// The characters that a name may contain apart from letters, digits and spaces. None of them is special in Markdown,
/// HTML, PGN or a shell.
const SIGNS: &str = "-_.,;+=()%@?";

/// Checks that a name of a tournament or an entrant can be used in tables, tags and file names.
///
/// # Errors
/// What was expected and what was found.
pub(crate) fn checked_name(name: &str) -> Result<String, String> {
    let is_fit = |c: char| c.is_alphanumeric() || c == ' ' || SIGNS.contains(c);
    let begins_well = name.starts_with(char::is_alphanumeric) && !name.ends_with(' ');
    if begins_well && name.chars().count() <= LONGEST && name.chars().all(is_fit) {
        Ok(name.to_owned())
    } else {
        Err(format!(
            "expected up to {LONGEST} letters, digits, spaces and {SIGNS}, beginning with a letter or digit and not \
             ending with a space, found {name:?}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_contain_no_special_characters() {
        for name in ["faithful", "thesis-2 depth 2", "Größe 1,5", "2_b (c)"] {
            assert!(checked_name(name).is_ok(), "{name}");
        }
        let long = "a".repeat(61);
        for name in
            ["", " a", "a ", "a|b", "<b>", "a\nb", "=1+1", "-a", "`a`", "a*b*", "\u{202e}a", "a\"", &long]
        {
            assert!(checked_name(name).is_err(), "{name:?}");
        }
    }
}
