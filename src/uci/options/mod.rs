//! The options, declared once, in [`TABLE`], which prints them, checks and stores what is set, and is the source of
//! the table in the README.

mod requirements;
mod table;

use std::time::Duration;

use thiserror::Error;

pub use table::TABLE;

use crate::{
    constraint::{Constraint, Target},
    generation::{BackendChoice, EvaluatorChoice, MethodChoice, goal_policy::PolicyRequest},
    play::Parameters,
};

/// `Mode`: what a plain `go` is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// To win.
    Play,
    /// To reach the constraint, together with the other side.
    Generate,
}

/// `EvalFile` or `PolicyFile`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NetworkFile {
    /// A path or an embedded network's name; empty for the default network.
    pub name: String,
    /// How often it was set, to whatever: the file may be another one each time.
    pub setting: u64,
}

/// The value of every option.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// `Mode`
    pub mode: Mode,
    /// `Constraint`; `None` if it is empty.
    pub target: Option<Target>,
    /// `Method`
    pub method: MethodChoice,
    /// `Evaluator`
    pub evaluator: EvaluatorChoice,
    /// `EvalFile`
    pub eval_file: NetworkFile,
    /// `PolicyFile`
    pub policy_file: NetworkFile,
    /// `Realism`, `Guidance`, `Temperature`, `LateTemperature`, `Visits`, `WhiteElo`, `BlackElo`, `RatingScale`
    pub policy: PolicyRequest,
    /// `Backend`
    pub backend: BackendChoice,
    /// `SearchDepth`, in plies; `None` for the evaluator's default.
    pub search_depth: Option<u32>,
    /// `MaxPlies`
    pub max_plies: u32,
    /// `Criterion`, as a share, in [0, 1].
    pub criterion: f32,
    /// `Faithful`
    pub faithful: bool,
    /// `Threads`
    pub threads: u32,
    /// `Hash`, in mebibytes.
    pub hash: u32,
    /// `MultiPV`
    pub multi_pv: u32,
    /// `Exploration`, `FirstPlayReduction`, `PriorTemperature`
    pub parameters: Parameters,
    /// `UCI_LimitStrength`
    pub limit_strength: bool,
    /// `UCI_Elo`
    pub elo: u32,
    /// `UCI_ShowWDL`
    pub show_wdl: bool,
    /// `MoveOverhead`
    pub move_overhead: Duration,
    /// `Seed`; `None` for a fresh one each time.
    pub seed: Option<u64>,
}

/// An option that cannot be set; its value stays as it was.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// There is none of that name. GUIs send options that were never offered, so this is no fault.
    #[error("there is no option '{0}'")]
    Unknown(String),
    /// The value is not one of those allowed.
    #[error("option {name}: expected {expected}, found {found}")]
    Value {
        /// The option.
        name: &'static str,
        /// What it takes.
        expected: String,
        /// What was given.
        found: String,
    },
    /// The value is of the right type and still makes no sense.
    #[error("option {name}: {reason}")]
    Refused {
        /// The option.
        name: &'static str,
        /// Why.
        reason: String,
    },
}

impl Default for Options {
    fn default() -> Options {
        let mut options = Options {
            mode: Mode::Play,
            target: None,
            method: MethodChoice::Auto,
            evaluator: EvaluatorChoice::Auto,
            eval_file: NetworkFile::default(),
            policy_file: NetworkFile::default(),
            policy: PolicyRequest::default(),
            backend: BackendChoice::Tract,
            search_depth: None,
            max_plies: 0,
            criterion: 0.0,
            faithful: false,
            threads: 0,
            hash: 0,
            multi_pv: 0,
            parameters: Parameters::USUAL,
            limit_strength: false,
            elo: 0,
            show_wdl: false,
            move_overhead: Duration::ZERO,
            seed: None,
        };
        for declaration in &TABLE {
            (declaration.store)(&mut options, declaration.kind.default_value())
                .expect("defaults are allowed");
        }
        // Nobody has set it yet.
        options.eval_file.setting = 0;
        options.policy_file.setting = 0;
        options
    }
}

impl Options {
    /// Sets an option as `setoption` asks.
    ///
    /// # Errors
    /// [`OptionError`]; then every option keeps its value.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        let declaration = TABLE
            .iter()
            .find(|declaration| is_same_name(declaration.name, name))
            .ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let name = declaration.name;
        let checked = declaration.kind.check(value).ok_or_else(|| OptionError::Value {
            name,
            expected: declaration.kind.expected(),
            found: value.map_or("no value".to_owned(), |value| format!("'{value}'")),
        })?;
        (declaration.store)(self, checked).map_err(|reason| OptionError::Refused { name, reason })
    }
}

/// Names are the same in any case, and with or without spaces: some GUIs write "Move Overhead".
fn is_same_name(declared: &str, given: &str) -> bool {
    let letters = given.chars().filter(|c| !c.is_whitespace());
    letters.map(|c| c.to_ascii_lowercase()).eq(declared.chars().map(|c| c.to_ascii_lowercase()))
}

/// What the text of `Constraint` means.
fn parse_target(text: &str) -> Result<Target, String> {
    let constraint: Constraint = text.parse().map_err(|error| format!("{error}"))?;
    Target::new(constraint).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;
    use crate::{
        encoding::goal_policy::RatingScale, generation::goal_policy::Realism, uci::declaration::Kind,
    };

    fn set(options: &mut Options, name: &str, value: &str) -> Result<(), String> {
        options.set(name, Some(value)).map_err(|error| error.to_string())
    }

    #[test]
    fn every_option_prints_with_its_default() {
        let lines: Vec<String> = TABLE.iter().map(ToString::to_string).collect();
        assert!(lines.contains(&"option name Constraint type string default <empty>".to_owned()));
        assert!(lines.contains(&"option name Criterion type spin default 10 min 0 max 100".to_owned()));
        assert!(lines.contains(
            &"option name Evaluator type combo default auto var auto var network var material".to_owned()
        ));
        assert!(lines.contains(&"option name Faithful type check default false".to_owned()));
    }

    #[test]
    fn setting_every_default_back_changes_nothing() {
        let mut options = Options::default();
        for declaration in &TABLE {
            let line = declaration.to_string();
            let default = line.split(" default ").nth(1).unwrap().split(' ').next().unwrap();
            set(&mut options, declaration.name, default).unwrap();
        }
        assert_ne!(options.eval_file.setting, 0, "the file may be another one by now");
        assert_ne!(options.policy_file.setting, 0);
        (options.eval_file.setting, options.policy_file.setting) = (0, 0);
        assert_eq!(options, Options::default());
    }

    #[test]
    fn the_words_of_the_command_line_are_choices() {
        fn words<C: ValueEnum>() -> Vec<String> {
            let word = |choice: &C| choice.to_possible_value().expect("none is hidden").get_name().to_owned();
            C::value_variants().iter().map(word).collect()
        }
        for (name, words) in [
            ("Method", words::<MethodChoice>()),
            ("Evaluator", words::<EvaluatorChoice>()),
            ("Backend", words::<BackendChoice>()),
            ("Realism", words::<Realism>()),
            ("RatingScale", words::<RatingScale>()),
        ] {
            let declaration = TABLE.iter().find(|declaration| declaration.name == name).unwrap();
            let Kind::Combo { choices, .. } = declaration.kind else { panic!("{name} is no choice") };
            // More words may be declared than there are methods yet; they are refused.
            for choice in choices {
                let refused = OptionError::Refused { name: declaration.name, reason: String::new() };
                let set = Options::default().set(name, Some(choice));
                let is_refused = set
                    .is_err_and(|error| std::mem::discriminant(&error) == std::mem::discriminant(&refused));
                let is_there = words.iter().any(|word| word == choice);
                assert!(is_there || is_refused, "{name} {choice}");
            }
            assert!(words.iter().all(|word| choices.contains(&word.as_str())), "{name}");
        }
    }

    #[test]
    fn names_contain_no_word_that_ends_them() {
        for declaration in &TABLE {
            assert!(!declaration.name.to_ascii_lowercase().contains("value"), "{}", declaration.name);
        }
    }

    #[test]
    fn names_and_choices_may_be_in_any_case() {
        let mut options = Options::default();
        set(&mut options, "evaluator", "MATERIAL").unwrap();
        set(&mut options, "SEED", "7").unwrap();
        set(&mut options, "faithful", "True").unwrap();
        set(&mut options, "move overhead", "100").unwrap();
        assert_eq!(options.move_overhead, Duration::from_millis(100));
        assert_eq!(options.evaluator, EvaluatorChoice::Material);
        assert_eq!((options.seed, options.faithful), (Some(7), true));
    }

    #[test]
    fn a_bad_value_is_named_and_the_old_one_stays() {
        let mut options = Options::default();
        set(&mut options, "Constraint", "Q=0 | q=0").unwrap();
        let before = options.clone();
        assert_eq!(
            set(&mut options, "Criterion", "101").unwrap_err(),
            "option Criterion: expected a whole number from 0 to 100, found '101'"
        );
        assert_eq!(
            set(&mut options, "Method", "magic").unwrap_err(),
            "option Method: expected one of auto, best-first, goal-policy, negamax, puct, rollout, found 'magic'"
        );
        assert_eq!(
            options.set("Seed", None).unwrap_err().to_string(),
            "option Seed: expected a whole number from 0 to 2147483647, found no value"
        );
        assert_eq!(
            set(&mut options, "Constraint", "(1,2,1").unwrap_err(),
            "option Constraint: constraint, column 7: expected ',' and the number of knights, found the end"
        );
        assert_eq!(set(&mut options, "Style", "16").unwrap_err(), "there is no option 'Style'");
        assert_eq!(options, before);
    }

    #[test]
    fn empty_is_understood_in_both_spellings() {
        let mut options = Options::default();
        for empty in ["<empty>", ""] {
            set(&mut options, "Constraint", "Q=0").unwrap();
            assert!(options.target.is_some());
            set(&mut options, "Constraint", empty).unwrap();
            assert_eq!(options, Options::default());
        }
    }

    #[test]
    fn what_does_not_exist_yet_is_refused_and_its_default_is_not() {
        let mut options = Options::default();
        let error = set(&mut options, "Method", "rollout").unwrap_err();
        assert!(error.starts_with("option Method: ") && error.contains("not in this version"), "{error}");
        set(&mut options, "Method", "auto").unwrap();
        assert_eq!(options, Options::default());
    }

    #[test]
    fn the_documentation_has_the_same_table() {
        let mut table = String::from("| Option | Values | Default | |\n|---|---|---|---|\n");
        TABLE.iter().for_each(|declaration| table += &declaration.markdown_row());
        let page = include_str!("../../../README.md");
        assert!(page.contains(&table), "README.md should contain this table:\n{table}");
    }
}
