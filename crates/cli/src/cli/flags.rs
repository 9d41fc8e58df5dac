//! Settings as flags of the command line.

use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser},
    error::ErrorKind,
};
use entente::{
    generation::Quota,
    settings::{Choice, Group, Kind, Setting, Settings, Spelling, TABLE, Word},
};

/// The flags of all settings of generation.
#[derive(Clone)]
pub(super) struct GenerationFlags(pub Settings);

/// Those that say who plays.
pub(super) struct PlayerFlags(pub Settings);

fn of_generation(setting: &Setting) -> bool {
    setting.spelling != Spelling::None
}

fn of_players(setting: &Setting) -> bool {
    setting.group == Group::Players
}

macro_rules! flags {
    ($name:ident, $belongs:expr) => {
        impl FromArgMatches for $name {
            fn from_arg_matches(matches: &ArgMatches) -> Result<$name, Error> {
                read(matches, $belongs).map($name)
            }

            fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
                *self = $name::from_arg_matches(matches)?;
                Ok(())
            }
        }

        impl Args for $name {
            fn augment_args(command: Command) -> Command {
                declare(command, $belongs)
            }

            fn augment_args_for_update(command: Command) -> Command {
                declare(command, $belongs)
            }
        }
    };
}

flags!(GenerationFlags, of_generation);
flags!(PlayerFlags, of_players);

fn declare(command: Command, belongs: fn(&Setting) -> bool) -> Command {
    let of_group = |group| TABLE.iter().filter(move |setting| setting.group == group);
    let settings = Group::ALL.into_iter().flat_map(of_group).filter(|setting| belongs(setting));
    settings.fold(command, |command, setting| {
        let arg = Arg::new(setting.name).long(setting.name).hide_short_help(!SHORT.contains(&setting.name));
        let first = FIRST.iter().find(|(name, _)| *name == setting.name);
        let arg = match first {
            Some((_, order)) => arg.display_order(*order),
            None => arg.help_heading(setting.group.heading()),
        };
        let arg = if setting.is_flag_alone() {
            let help = setting.help.trim();
            arg.action(ArgAction::SetTrue).help(first_sentence(help)).long_help(help)
        } else {
            arg.value_name(setting.placeholder)
                .allow_negative_numbers(true)
                .ignore_case(true)
                .value_parser(parser(setting))
                .help(format!("{} [{}]", first_sentence(setting.help.trim()), bounds(setting)))
                .long_help(format!("{} [{}]", setting.help.trim(), bounds(setting)))
        };
        command.arg(if setting.name == "elo" {
            arg.conflicts_with_all(["white-elo", "black-elo"])
        } else {
            arg
        })
    })
}

/// Flags that stand among the first of all, and their places there.
const FIRST: [(&str, usize); 3] = [("elo", 3), ("seed", 4), ("threads", 8)];
/// Flags that a short help has.
const SHORT: [&str; 8] =
    ["elo", "seed", "threads", "max-plies", "movetime", "rating-scale", "realism", "method"];

/// What a short help says.
fn first_sentence(help: &str) -> &str {
    help.find(". ").map_or(help, |end| &help[..=end])
}

/// What may be set, and what it is if it is not.
fn bounds(setting: &Setting) -> String {
    match setting.kind {
        // The words stand below.
        Kind::Word { .. } | Kind::Text => format!("default: {}", setting.usual()),
        kind => format!("{kind}; default: {}", setting.usual()),
    }
}

fn parser(setting: &'static Setting) -> ValueParser {
    // What is of the right kind may be refused all the same.
    let check = move |text: String| {
        setting.parse(&mut Settings::default(), &text)?;
        setting.check_build(setting.kind.parse(&text)?.as_ref()).map(|()| text)
    };
    match setting.kind {
        Kind::Word { .. } => words(setting.kind.words()).try_map(check).into(),
        _ => ValueParser::new(move |text: &str| check(text.to_owned())),
    }
}

fn words(words: Vec<Word>) -> PossibleValuesParser {
    PossibleValuesParser::new(words.into_iter().map(|word| {
        PossibleValue::new(word.word).help(word.help.trim()).aliases(word.former.iter().copied())
    }))
}

/// Takes the words of a choice.
pub(super) fn choice<C: Choice + Send + Sync>() -> impl TypedValueParser<Value = C> {
    words(C::WORDS.to_vec()).map(|word| C::named(&word).expect("only these words are let in"))
}

fn read(matches: &ArgMatches, belongs: fn(&Setting) -> bool) -> Result<Settings, Error> {
    // Nobody else uses the machine through us meanwhile, as a GUI does.
    let mut settings = Settings { threads: Quota::cores() as u32, ..Settings::default() };
    for setting in TABLE.iter().filter(|setting| belongs(setting)) {
        let text = if setting.is_flag_alone() {
            matches.get_flag(setting.name).then(|| "true".to_owned())
        } else {
            matches.get_one::<String>(setting.name).cloned()
        };
        if let Some(text) = text {
            setting
                .parse(&mut settings, &text)
                .map_err(|reason| Error::raw(ErrorKind::ValueValidation, format!("{reason}\n")))?;
        }
    }
    Ok(settings)
}
