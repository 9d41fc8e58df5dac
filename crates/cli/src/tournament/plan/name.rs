/// The longest name, in characters.
const LONGEST: usize = 60;
/// What a name may hold besides letters, figures and spaces: nothing that means something in Markdown, HTML, PGN or a
/// line of the shell.
const SIGNS: &str = "-_.,;+=()%@?";

/// A name of a tournament or an entrant, if it fits into tables, tags and file names.
///
/// # Errors
/// What is expected of names.
pub(crate) fn checked_name(name: &str) -> Result<String, String> {
    let is_fit = |c: char| c.is_alphanumeric() || c == ' ' || SIGNS.contains(c);
    let begins_well = name.starts_with(char::is_alphanumeric) && !name.ends_with(' ');
    if begins_well && name.chars().count() <= LONGEST && name.chars().all(is_fit) {
        Ok(name.to_owned())
    } else {
        Err(format!(
            "expected up to {LONGEST} letters, figures, spaces and {SIGNS}, with a letter or figure in front and no \
             space at the end, found {name:?}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_hold_nothing_that_means_something_elsewhere() {
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
