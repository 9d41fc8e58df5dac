//! The settings of generation as flags of the command line.

use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser},
    error::ErrorKind,
};
use entente::{
    generation::Quota,
    settings::{
        Choice, GenerationSettings, Group, Kind, Prominence, Row, Setting, Settings, Spelling, TABLE, Word,
    },
};

/// The flags of all settings of generation.
#[derive(Clone)]
pub(super) struct GenerationFlags(pub GenerationSettings);

/// Only the flags about the players.
pub(super) struct PlayerFlags(pub GenerationSettings);

/// Only the flags that matter for proof games of whole diagrams.
pub(super) struct ProofFlags(pub GenerationSettings);

fn of_generation(row: &Row) -> bool {
    row.spelling != Spelling::None
}

fn of_players(row: &Row) -> bool {
    row.group == Group::Players
}

fn of_proofs(row: &Row) -> bool {
    row.is_of_proofs()
}

macro_rules! flags {
    ($name:ident, $belongs:expr, $help:expr) => {
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
                helped(declare(command, $belongs), &$help)
            }

            fn augment_args_for_update(command: Command) -> Command {
                helped(declare(command, $belongs), &$help)
            }
        }
    };
}

flags!(GenerationFlags, of_generation, []);
flags!(PlayerFlags, of_players, []);
flags!(ProofFlags, of_proofs, HELP_FOR_PROOFS);

/// What flags mean for proof games, where it is not what they mean for generation.
const HELP_FOR_PROOFS: [Help; 4] = [
    Help {
        setting: Setting::Seed,
        text: "The seed of the random numbers. The same seed gives the same game, unless the time runs out.",
        usual: "1",
    },
    Help {
        setting: Setting::Movetime,
        text: "The maximum time for each diagram, in milliseconds.",
        usual: "60000",
    },
    Help {
        setting: Setting::Nodes,
        text: "The maximum number of positions that are searched for each diagram.",
        usual: "no limit",
    },
    Help {
        setting: Setting::Threads,
        text: "The number of threads. That many diagrams of a file are solved at the same time; a search for a shortest \
               game uses all threads.",
        usual: "all cores",
    },
];

/// What a flag of a command means, where it is not what the setting means elsewhere, and its default there.
struct Help {
    setting: Setting,
    text: &'static str,
    usual: &'static str,
}

/// The command with other help for some of its flags.
fn helped(command: Command, help: &[Help]) -> Command {
    help.iter().fold(command, |command, Help { setting, text, usual }| {
        let row = setting.row();
        let with_bounds = |text: &str| format!("{text} [{}; default: {usual}]", row.kind);
        command
            .mut_arg(row.name, |arg| arg.help(with_bounds(first_sentence(text))).long_help(with_bounds(text)))
    })
}

fn declare(command: Command, belongs: fn(&Row) -> bool) -> Command {
    let of_group = |group| TABLE.iter().filter(move |row| row.group == group);
    let rows = Group::ALL.into_iter().flat_map(of_group).filter(|row| belongs(row));
    rows.fold(command, |command, row| {
        let is_hidden = row.prominence == Prominence::Long;
        let arg = Arg::new(row.name).long(row.name).hide_short_help(is_hidden);
        let arg = match row.prominence {
            Prominence::First(place) => arg.display_order(place),
            _ => arg.help_heading(row.group.heading()),
        };
        let arg = if row.is_switch() {
            let help = row.help.trim();
            arg.action(ArgAction::SetTrue).help(first_sentence(help)).long_help(help)
        } else {
            arg.value_name(row.placeholder)
                .allow_negative_numbers(true)
                .ignore_case(true)
                .value_parser(parser(row))
                .help(format!("{} [{}]", first_sentence(row.help.trim()), bounds(row)))
                .long_help(format!("{} [{}]", row.help.trim(), bounds(row)))
        };
        command.arg(arg.conflicts_with_all(row.covers.iter().map(|covered| covered.row().name)))
    })
}

/// The short help.
fn first_sentence(help: &str) -> &str {
    help.find(". ").map_or(help, |end| &help[..=end])
}

/// The allowed values and the default.
fn bounds(row: &Row) -> String {
    match row.kind {
        // The words are listed below.
        Kind::Word { .. } | Kind::Text => format!("default: {}", row.usual()),
        kind => format!("{kind}; default: {}", row.usual()),
    }
}

fn parser(row: &'static Row) -> ValueParser {
    // A value of the right type may still be refused.
    let check = move |text: String| {
        row.parse(&mut Settings::default(), &text)?;
        row.check_build(row.kind.parse(&text)?.as_ref()).map(|()| text)
    };
    match row.kind {
        Kind::Word { .. } => words(row.kind.words()).try_map(check).into(),
        _ => ValueParser::new(move |text: &str| check(text.to_owned())),
    }
}

fn words(words: Vec<Word>) -> PossibleValuesParser {
    PossibleValuesParser::new(words.into_iter().map(|word| {
        PossibleValue::new(word.word).help(word.help.trim()).aliases(word.former.iter().copied())
    }))
}

/// Parses the words of a choice.
pub(super) fn choice<C: Choice + Send + Sync>() -> impl TypedValueParser<Value = C> {
    words(C::WORDS.to_vec()).map(|word| C::named(&word).expect("only these words are accepted"))
}

fn read(matches: &ArgMatches, belongs: fn(&Row) -> bool) -> Result<GenerationSettings, Error> {
    let mut settings = Settings::default();
    // The command line is used without a GUI, so all cores are free.
    settings.generation.threads = (Quota::cores() as u32).min(Quota::MAX_THREADS);
    for row in TABLE.iter().filter(|row| belongs(row)) {
        let text = if row.is_switch() {
            matches.get_flag(row.name).then(|| "true".to_owned())
        } else {
            matches.get_one::<String>(row.name).cloned()
        };
        if let Some(text) = text {
            row.parse(&mut settings, &text)
                .map_err(|reason| Error::raw(ErrorKind::ValueValidation, format!("{reason}\n")))?;
        }
    }
    Ok(settings.generation)
}
