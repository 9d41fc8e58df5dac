//! Command-line arguments: those that clap would misread, and better error messages.

use std::{ffi::OsString, ops::RangeInclusive, process::exit};

use clap::{
    Error, Parser,
    error::{ContextKind, ContextValue, ErrorKind},
};
use entente_constraint::Constraint;

/// Flags of other programs, and the flags of `generate` that do the same.
const MEANT: [(&str, &str); 5] =
    [("--rating", "--elo"), ("-o", "--output"), ("-e", "--elo"), ("-s", "--seed"), ("-f", "--format")];

/// Parses the arguments of a program, its name first. If they are wrong, prints the error and exits.
pub(super) fn read<P: Parser>(arguments: &[OsString]) -> P {
    P::try_parse_from(arguments.iter().cloned().map(guarded)).unwrap_or_else(|error| {
        let error = explained(error, arguments.get(1).and_then(|word| word.to_str()));
        let _ = error.print();
        exit(error.exit_code())
    })
}

/// Puts a space before a constraint such as `-@e2`, so that clap does not take it for a flag. [`constraint`] removes
/// it.
fn guarded(word: OsString) -> OsString {
    match word.to_str() {
        Some(text) if text.starts_with("-@") => format!(" {text}").into(),
        _ => word,
    }
}

/// Adds a tip to an error about an unknown argument: to quote the whole constraint if the argument looks like part of
/// it, or the name of our flag if it is another program's flag.
fn explained(mut error: Error, command: Option<&str>) -> Error {
    let (ErrorKind::UnknownArgument, Some(ContextValue::String(word))) =
        (error.kind(), error.get(ContextKind::InvalidArg))
    else {
        return error;
    };
    let meant = MEANT.iter().find(|(written, _)| command == Some("generate") && written == word);
    let tip = if word.parse::<Constraint>().is_ok() || ["|", "&", "!"].contains(&word.as_str()) {
        format!(
            "'{word}' looks like part of the constraint: put the whole constraint in quotes, as in \"Q=0 q=0\""
        )
    } else if let Some((_, meant)) = meant {
        format!("did you mean '{meant}'?")
    } else {
        return error;
    };
    error.remove(ContextKind::SuggestedArg);
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    error
}

/// The text of a constraint, as a value parser of clap.
///
/// # Errors
/// Never. The constraint is parsed later, so that the error can name the column.
pub(super) fn constraint(text: &str) -> Result<String, std::convert::Infallible> {
    Ok(text.trim_start().to_owned())
}

/// A value parser of clap for whole numbers in a range. Its errors name the range.
pub(super) fn number<N: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<N, String> + Clone + Send + Sync + 'static {
    let expected = match (*range.start(), *range.end()) {
        (least, u64::MAX | 0xffff_ffff) => format!("expected a whole number, {least} or more"),
        (least, most) => format!("expected a whole number from {least} to {most}"),
    };
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.and_then(|number| N::try_from(number).ok()).ok_or_else(|| expected.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Parser)]
    struct Words {
        #[arg(value_parser = constraint)]
        constraint: String,
        #[arg(long, default_value_t = 1, value_parser = number::<u8>(1..=9))]
        count: u8,
    }

    fn parse(words: &[&str]) -> Result<Words, String> {
        let words = ["generate"].iter().chain(words).map(|word| guarded((*word).into()));
        Words::try_parse_from(words).map_err(|error| explained(error, Some("generate")).to_string())
    }

    #[test]
    fn constraints_may_begin_like_flags_and_flags_are_not_taken_for_constraints() {
        let words = parse(&["-@e2 N@f3", "--count", "3"]).unwrap();
        assert_eq!((words.constraint.as_str(), words.count), ("-@e2 N@f3", 3));
        let error = parse(&["--cout", "3", "Q=1"]).unwrap_err();
        assert!(error.contains("unexpected argument '--cout'") && error.contains("'--count'"), "{error}");
    }

    #[test]
    fn an_error_about_part_of_a_constraint_asks_for_quotes() {
        for part in ["q=0", "|", "!(Q=1)"] {
            let error = parse(&["Q=0", part]).unwrap_err();
            assert!(error.contains("put the whole constraint in quotes, as in \"Q=0 q=0\""), "{error}");
        }
        let error = parse(&["Q=0", "games.pgn"]).unwrap_err();
        assert!(!error.contains("quotes"), "{error}");
    }

    #[test]
    fn errors_about_flags_of_other_programs_name_ours() {
        let error = parse(&["Q=0", "--rating", "1500"]).unwrap_err();
        assert!(error.contains("did you mean '--elo'?"), "{error}");
    }

    #[test]
    fn errors_about_numbers_name_the_range() {
        for count in ["0", "10", "-1", "x", "99999999999999999999"] {
            let error = parse(&["Q=0", &format!("--count={count}")]).unwrap_err();
            assert!(error.contains("expected a whole number from 1 to 9"), "{error}");
        }
        assert_eq!(number::<u64>(1..=u64::MAX)("0"), Err("expected a whole number, 1 or more".to_owned()));
    }
}
