//! A file of a plan, and the fields of plans of every kind: name, settings, constraints, and the root position.

use std::{
    collections::HashSet,
    ops::Range,
    path::{Path, PathBuf},
};

use entente::{
    generation::{Distance, Unreachable, default_max_plies},
    settings::{GenerationSettings, Kind, Setting, Settings, Value, ValueError},
};
use entente_constraint::{Constraint, Situation, Target};
use entente_search::position_from_fen;
use shakmaty::Chess;
use toml::Spanned;

use super::{OneOrMore, PlanError, location::Location};
use crate::tournament::{
    plan::{Constraints, checked_name},
    text_file::read_text,
};

/// A constraint, and its place in the plan.
pub(crate) struct Written {
    pub target: Target,
    pub place: Location,
}

/// A file of the plan.
pub(crate) struct Source {
    file: PathBuf,
    text: String,
}

impl Source {
    /// The maximum size of a file, in bytes.
    const MAX_BYTES: u64 = 16 << 20;

    /// Reads a file. `named` is the place in the plan that names it.
    ///
    /// # Errors
    /// [`PlanError`] if the file cannot be read.
    pub(crate) fn open(file: &Path, named: Option<&Location>) -> Result<Source, PlanError> {
        let text = read_text(file, Source::MAX_BYTES).map_err(|error| match named {
            Some(place) => place.error(format!("{}: {error}", file.display())),
            None => {
                Location { file: file.to_owned(), line: None, field: String::new() }.error(error.to_string())
            }
        })?;
        Ok(Source { file: file.to_owned(), text })
    }

    /// The place of a span of the text, which belongs to a field.
    pub(crate) fn place(&self, span: Range<usize>, field: impl Into<String>) -> Location {
        let line = self.text[..span.start.min(self.text.len())].matches('\n').count() + 1;
        Location { file: self.file.clone(), line: Some(line), field: field.into() }
    }

    /// The path of the file.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// The text of the file.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// An error of the TOML parser with its place. The field is the text before '=' on that line.
    pub(crate) fn misread(&self, error: &toml::de::Error) -> PlanError {
        let span = error.span().unwrap_or(0..0);
        let start = self.text[..span.start.min(self.text.len())].rfind('\n').map_or(0, |end| end + 1);
        let line = self.text[start..].lines().next().unwrap_or_default();
        let field = line.split_once('=').map_or("", |(key, _)| key.trim());
        // A message may have several lines.
        let reason = error.message().lines().collect::<Vec<_>>().join(", ");
        let is_missing = reason.starts_with("missing field");
        self.place(span, if is_missing { "" } else { field }).error(reason)
    }

    /// The path of a file that the plan names: names are relative to the plan's folder.
    pub(crate) fn beside(&self, name: &Path) -> PathBuf {
        self.file.parent().unwrap_or(Path::new("")).join(name)
    }

    /// The name of the plan: the given one, or else the file's without its extension.
    ///
    /// # Errors
    /// [`PlanError`] if it is not a valid name.
    pub(crate) fn name(&self, given: Option<&Spanned<String>>) -> Result<String, PlanError> {
        if let Some(name) = given {
            return checked_name(name.get_ref())
                .map_err(|reason| self.place(name.span(), "name").error(reason));
        }
        let stem = self.file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        checked_name(&stem).map_err(|reason| {
            self.place(0..0, "name").error(format!("the default is the name of the file: {reason}"))
        })
    }

    /// The maximum length of a proof game, if it is given.
    ///
    /// # Errors
    /// [`PlanError`] if it is too large or too small.
    pub(crate) fn max_plies(&self, given: Option<&Spanned<u32>>) -> Result<Option<u32>, PlanError> {
        let Some(plies) = given else { return Ok(None) };
        let row = Setting::MaxPlies.row();
        row.kind
            .check(&Value::Integer((*plies.get_ref()).into()))
            .map_err(|error| self.place(plies.span(), row.name).error(error.to_string()))?;
        Ok(Some(*plies.get_ref()))
    }

    /// The position that games start from: the given one, or else the initial position.
    ///
    /// # Errors
    /// [`PlanError`] if it is not a legal position.
    pub(crate) fn root(&self, given: Option<&Spanned<String>>) -> Result<Chess, PlanError> {
        let Some(from) = given else { return Ok(Chess::default()) };
        position_from_fen(from.get_ref()).map_err(|error| {
            let reason = format!("expected the FEN of a legal position: {error}");
            self.place(from.span(), "from").error(reason)
        })
    }

    /// Checks that games from `root` can satisfy the constraints within `plies`, or else within the default for each
    /// constraint.
    ///
    /// # Errors
    /// [`PlanError`] for the first constraint that no such game can satisfy.
    pub(crate) fn check_reach(
        &self,
        constraints: &[Written],
        root: &Chess,
        plies: Option<u32>,
    ) -> Result<(), PlanError> {
        for Written { target, place } in constraints {
            let situation = Situation::root(root);
            let longest = plies.unwrap_or_else(|| default_max_plies(target, situation, false));
            let reason = match Distance::within(target, situation, longest) {
                Ok(_) => continue,
                Err(Unreachable::TooLong { fewest }) => {
                    format!("the constraint needs at least {fewest} plies, but max-plies is {longest}")
                }
                Err(Unreachable::Guide(error)) => format!("{}: {error}", target.constraint),
            };
            return Err(place.error(reason));
        }
        Ok(())
    }

    /// Reads settings by their keys. `others` are the other keys allowed there, for error messages. `named` gives the
    /// field that an error about a key names, and a prefix for the reason.
    ///
    /// # Errors
    /// [`PlanError`] if a key is not a setting, or its value is wrong.
    pub(crate) fn settings<'a>(
        &self,
        fields: impl Iterator<Item = (&'a Spanned<String>, &'a Spanned<toml::Value>)> + Clone,
        others: &[&str],
        named: impl Fn(&str) -> (String, String),
    ) -> Result<GenerationSettings, PlanError> {
        let mut settings = Settings::default();
        for (key, value) in fields.clone() {
            let key_name = key.get_ref();
            let mut rows = Setting::of_entrants().map(Setting::row);
            let Some(row) = rows.find(|row| row.name == key_name) else {
                let known: Vec<&str> = Setting::of_entrants().map(|setting| setting.row().name).collect();
                let (others, known) = (others.join(", "), known.join(", "));
                let reason = format!("unknown field, expected {others} or one of {known}");
                return Err(self.place(key.span(), key_name).error(reason));
            };
            let fault = |reason: String| {
                let (field, before) = named(key_name);
                self.place(value.span(), field).error(before + &reason)
            };
            let is_given =
                |covered: &Setting| fields.clone().any(|(key, _)| key.get_ref() == covered.row().name);
            if row.covers.iter().any(is_given) {
                return Err(fault("sets both ratings, but white-elo or black-elo is given, too".to_owned()));
            }
            let text = written(value.get_ref(), row.kind).map_err(fault)?;
            let refused = |error: ValueError| fault(error.to_string());
            row.parse(&mut settings, &text).map_err(refused)?;
            row.check_build(row.get(&settings).as_ref()).map_err(refused)?;
        }
        Ok(settings.generation)
    }

    /// The constraints of a list and of a file, without duplicates.
    ///
    /// # Errors
    /// [`PlanError`] if a constraint is invalid, too complex, or occurs twice, or if there are none.
    pub(crate) fn constraints(
        &self,
        list: Option<&Spanned<OneOrMore>>,
        file: Option<&Spanned<PathBuf>>,
    ) -> Result<Vec<Written>, PlanError> {
        let mut all = Vec::new();
        if let Some(list) = list {
            for (constraint, span) in &list.get_ref().0 {
                let place = self.place(span.clone().unwrap_or(list.span()), "constraints");
                match Constraints::named(constraint) {
                    Some(set) => {
                        all.extend(set.all().into_iter().map(|constraint| (constraint, place.clone())));
                    }
                    None => all.push((parsed(constraint, &place)?, place)),
                }
            }
        }
        if let Some(file) = file {
            let named = self.place(file.span(), "constraints-file");
            let lines = Source::open(&self.beside(file.get_ref()), Some(&named))?;
            for (index, line) in lines.text.lines().enumerate() {
                let place =
                    Location { file: lines.file.clone(), line: Some(index + 1), field: String::new() };
                let line = line.trim();
                if !line.is_empty() && !line.starts_with('#') {
                    all.push((parsed(line, &place)?, place));
                }
            }
        }
        if all.is_empty() {
            let span = list.map_or(0..0, Spanned::span);
            let sets = Constraints::NAMED.map(|(name, _)| name).join(", ");
            let reason = format!("expected constraints, the name of a set ({sets}), or a constraints-file");
            return Err(self.place(span, "constraints").error(reason));
        }
        let mut written: Vec<Written> = Vec::with_capacity(all.len());
        let mut seen = HashSet::new();
        for (constraint, place) in all {
            if !seen.insert(constraint.to_string()) {
                return Err(place.error(format!("{constraint} occurs twice")));
            }
            let target = Target::new(constraint).map_err(|error| place.error(error.to_string()))?;
            written.push(Written { target, place });
        }
        Ok(written)
    }
}

/// A TOML value as text, if it has the type of `kind`.
///
/// # Errors
/// What was expected and what was found.
pub(crate) fn written(value: &toml::Value, kind: Kind) -> Result<String, String> {
    match (value, kind) {
        (toml::Value::String(text), Kind::Text | Kind::Word { .. }) => Ok(text.clone()),
        (toml::Value::String(text), Kind::Integer { .. } | Kind::Number { .. } | Kind::Switch) => {
            Err(format!("expected {kind}, found the string {text:?}"))
        }
        (toml::Value::Integer(_), Kind::Integer { .. } | Kind::Number { .. })
        | (toml::Value::Float(_), Kind::Number { .. })
        | (toml::Value::Boolean(_), Kind::Switch) => Ok(value.to_string()),
        _ => Err(format!("expected {kind}, found {value}")),
    }
}

fn parsed(text: &str, place: &Location) -> Result<Constraint, PlanError> {
    text.parse().map_err(|error| place.error(format!("\"{text}\": {error}")))
}
