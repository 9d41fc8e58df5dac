//! Settings as UCI options: how they are declared and set.

mod error;
mod option;
mod usual;

use entente::settings::{Group, Setting, Settings, ValueError};
use entente_constraint::nearest;
pub(super) use error::OptionError;
pub(super) use option::UciOption;
pub(super) use usual::Usual;

use super::words::shortened;

/// Groups in the order of importance to users.
const ORDER: [Group; 7] =
    [Group::Run, Group::Play, Group::Players, Group::Method, Group::Tuning, Group::Negamax, Group::Rollout];

/// Every option, in the order in which they are declared to the GUI.
pub(super) fn all() -> impl Iterator<Item = UciOption> {
    let of_group = |group| Setting::ALL.iter().copied().filter(move |setting| setting.row().group == group);
    let settings = ORDER.into_iter().flat_map(of_group);
    settings.filter_map(|setting| Some(UciOption { setting, form: setting.row().uci? }))
}

/// Sets an option as `setoption` does, and returns its setting.
///
/// # Errors
/// [`OptionError`]; then all settings are unchanged.
pub(super) fn set(settings: &mut Settings, name: &str, value: Option<&str>) -> Result<Setting, OptionError> {
    let option =
        all().find(|option| is_same_name(option.form.name, name)).ok_or_else(|| OptionError::Unknown {
            name: shortened(name),
            nearest: nearest(name, all().map(|option| option.form.name).chain(Usual::ALL.map(Usual::name))),
        })?;
    let name = option.form.name;
    let checked = option.read(value).ok_or_else(|| OptionError::Value {
        name,
        expected: option.expected(),
        found: value.map_or("no value".to_owned(), |value| format!("'{value}'")),
    })?;
    let setting = option.setting;
    let refused = |error: ValueError| OptionError::Refused { setting, name, reason: error.to_string() };
    option.setting.row().check_build(checked.as_ref()).map_err(refused)?;
    option.setting.row().set(settings, checked).map_err(refused)?;
    Ok(option.setting)
}

/// The name of the setting's option, or the setting's own name if it has no option.
pub(super) fn name_of(setting: Setting) -> String {
    let row = setting.row();
    row.uci.map_or(row.name, |form| form.name).to_owned()
}

/// Compares names without case and spaces: the option `Move Overhead` was once called `MoveOverhead`.
fn is_same_name(declared: &str, given: &str) -> bool {
    let letters = |name: &str| -> String { name.chars().filter(|c| !c.is_whitespace()).collect() };
    letters(declared).eq_ignore_ascii_case(&letters(given))
}

#[cfg(test)]
mod tests {
    use entente::settings::{Evaluator, Method};

    use super::*;

    fn set(settings: &mut Settings, name: &str, value: &str) -> Result<(), String> {
        super::set(settings, name, Some(value)).map(drop).map_err(|error| error.to_string())
    }

    #[test]
    fn every_type_prints_as_the_protocol_requires() {
        let lines: Vec<String> = all().map(|option| option.to_string()).collect();
        for line in [
            "option name Constraint type string default <empty>",
            "option name Criterion type spin default 10 min 0 max 100",
            "option name Guidance type spin default 150 min -100 max 1000",
            "option name Temperature type spin default 0 min 0 max 1000",
            "option name WhiteElo type spin default 0 min 0 max 4000",
            "option name Seed type spin default 0 min 0 max 2147483647",
            "option name Evaluator type combo default auto var auto var network var men var hand-written var article",
            "option name Method type combo default auto var auto var goal-policy var puct var negamax var rollout var best-first",
            "option name Faithful type check default false",
            "option name PolicyFile type string default goal-policy",
            "option name EvalFile type string default thesis-2",
            "option name Move Overhead type spin default 30 min 0 max 5000",
            "option name Hash type spin default 64 min 1 max 262144",
        ] {
            assert!(lines.iter().any(|other| other == line), "{line} is not among {lines:#?}");
        }
    }

    #[test]
    fn advertised_defaults_are_those_of_the_documentation() {
        let page = include_str!("../../../../../docs/options.md");
        for option in all().filter(|option| option.usual_file().is_some()) {
            let name = format!("`{}`", option.form.name);
            let row = page.lines().find(|line| line.contains(&name)).expect(&name);
            assert!(row.contains(&format!("| {} |", option.default())), "{row}");
        }
    }

    #[test]
    fn setting_every_default_again_changes_nothing() {
        let mut settings = Settings::default();
        for option in all() {
            set(&mut settings, option.form.name, &option.default()).unwrap();
        }
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn names_do_not_contain_the_word_that_ends_them() {
        for option in all() {
            assert!(!option.form.name.to_ascii_lowercase().contains("value"), "{}", option.form.name);
        }
    }

    #[test]
    fn names_and_choices_may_be_in_any_case_and_former_words_are_understood() {
        let mut settings = Settings::default();
        set(&mut settings, "evaluator", "MATERIAL").unwrap();
        set(&mut settings, "SEED", "7").unwrap();
        set(&mut settings, "faithful", "True").unwrap();
        set(&mut settings, "MoveOverhead", "70").unwrap();
        assert_eq!(settings.play.move_overhead, 70);
        set(&mut settings, "move overhead", "100").unwrap();
        set(&mut settings, "Guidance", "-100").unwrap();
        set(&mut settings, "Method", "Negamax").unwrap();
        assert_eq!((settings.play.move_overhead, settings.generation.guidance), (100, -1.0));
        assert_eq!(settings.generation.evaluator, Evaluator::Men);
        assert_eq!((settings.generation.seed, settings.generation.faithful), (Some(7), true));
        assert_eq!(settings.generation.method, Some(Method::Negamax));
    }

    #[test]
    fn a_bad_value_is_named_and_the_old_one_is_kept() {
        let mut settings = Settings::default();
        set(&mut settings, "Constraint", "Q=0 | q=0").unwrap();
        let before = settings.clone();
        for (name, value, message) in [
            ("Criterion", "101", "option Criterion: expected a whole number from 0 to 100, found '101'"),
            (
                "Method",
                "magic",
                "option Method: expected one of auto, goal-policy, puct, negamax, rollout, best-first, found 'magic'",
            ),
            (
                "Constraint",
                "(1,2,1",
                "option Constraint: constraint, column 7: expected ',' and the number of knights, found the end",
            ),
            ("Style", "16", "there is no option 'Style'"),
        ] {
            assert_eq!(set(&mut settings, name, value).unwrap_err(), message);
        }
        let nothing = super::set(&mut settings, "Seed", None).unwrap_err().to_string();
        assert_eq!(nothing, "option Seed: expected a whole number from 0 to 2147483647, found no value");
        assert_eq!(settings, before);
    }

    #[test]
    fn empty_is_understood_in_both_spellings() {
        let mut settings = Settings::default();
        for empty in ["<empty>", ""] {
            set(&mut settings, "Constraint", "Q=0").unwrap();
            assert!(settings.session.target.is_some());
            set(&mut settings, "Constraint", empty).unwrap();
            assert_eq!(settings, Settings::default());
        }
    }
}
