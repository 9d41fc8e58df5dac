//! A plan from TOML. Everything that could end a tournament later is found here, before anything is created.

use std::{
    collections::HashSet,
    ops::Range,
    path::{Path, PathBuf},
};

use shakmaty::Chess;
use toml::Spanned;

mod place;
mod text;

use place::Place;
pub use place::PlanError;
use text::{EntrantText, PlanText};

use super::{Constraints, Entrant, Pairing, Plan, Published, plan::checked_name, text_file::read_text};
use crate::{
    constraint::{Constraint, Situation, Target},
    engine::Networks,
    generation::{Distance, USUAL_MAX_PLIES, Unreachable, fen},
    search::position_from_fen,
    settings::{Kind, Setting, Settings},
};

/// A constraint and where it was written.
struct Written {
    target: Target,
    place: Place,
}

/// A file of the plan.
struct Source {
    file: PathBuf,
    text: String,
}

impl Plan {
    /// Reads the plan in `file`, with all that it names, and prepares its pairings. Files are named relative to the
    /// plan's folder.
    ///
    /// # Errors
    /// [`PlanError`] with the place of the first fault.
    pub fn read(file: &Path) -> Result<(Plan, Vec<Pairing>), PlanError> {
        let source = Source::open(file, None)?;
        let text: PlanText = toml::from_str(&source.text).map_err(|error| source.misread(&error))?;
        source.plan(text)
    }
}

impl Source {
    /// The longest file, in bytes.
    const MOST_BYTES: u64 = 16 << 20;

    fn open(file: &Path, named: Option<&Place>) -> Result<Source, PlanError> {
        let text = read_text(file, Source::MOST_BYTES).map_err(|error| match named {
            Some(place) => place.error(format!("{}: {error}", file.display())),
            None => {
                Place { file: file.to_owned(), line: None, field: String::new() }.error(error.to_string())
            }
        })?;
        Ok(Source { file: file.to_owned(), text })
    }

    fn place(&self, span: Range<usize>, field: impl Into<String>) -> Place {
        let line = self.text[..span.start.min(self.text.len())].matches('\n').count() + 1;
        Place { file: self.file.clone(), line: Some(line), field: field.into() }
    }

    /// What the parser did not understand; the field is what stands before the '=' of that line.
    fn misread(&self, error: &toml::de::Error) -> PlanError {
        let span = error.span().unwrap_or(0..0);
        let start = self.text[..span.start.min(self.text.len())].rfind('\n').map_or(0, |end| end + 1);
        let line = self.text[start..].lines().next().unwrap_or_default();
        let field = line.split_once('=').map_or("", |(key, _)| key.trim());
        // A message may be of several lines.
        let reason = error.message().lines().collect::<Vec<_>>().join(", ");
        let is_missing = reason.starts_with("missing field");
        self.place(span, if is_missing { "" } else { field }).error(reason)
    }

    /// The file that the plan names so.
    fn beside(&self, name: &Path) -> PathBuf {
        self.file.parent().unwrap_or(Path::new("")).join(name)
    }

    fn plan(&self, text: PlanText) -> Result<(Plan, Vec<Pairing>), PlanError> {
        let name = match &text.name {
            Some(name) => checked_name(name.get_ref())
                .map_err(|reason| self.place(name.span(), "name").error(reason))?,
            None => {
                let stem = self
                    .file
                    .file_stem()
                    .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
                checked_name(&stem).map_err(|reason| {
                    self.place(0..0, "name").error(format!("without one it is the file's: {reason}"))
                })?
            }
        };
        let games = *text.games.get_ref();
        let max_plies = text.max_plies.as_ref().map_or(USUAL_MAX_PLIES, |plies| *plies.get_ref());
        if let Some(plies) = &text.max_plies {
            Settings::checked_max_plies(max_plies)
                .map_err(|reason| self.place(plies.span(), "max-plies").error(reason))?;
        }
        let root = match &text.from {
            Some(from) => position_from_fen(from.get_ref()).map_err(|error| {
                let reason = format!("expected the FEN of a legal position: {error}");
                self.place(from.span(), "from").error(reason)
            })?,
            None => Chess::default(),
        };
        let entrants = text.entrants.get_ref();
        if entrants.is_empty() {
            return Err(self.place(text.entrants.span(), "entrants").error("expected at least one"));
        }
        let constraints = self.constraints(&text)?;
        for written in &constraints {
            let constraint = &written.target.constraint;
            let reason = match Distance::within(&written.target, Situation::root(&root), max_plies) {
                Ok(_) => continue,
                Err(Unreachable::TooLong { fewest }) => {
                    format!("it asks for {fewest} plies at least, and max-plies is {max_plies}")
                }
                Err(Unreachable::Guide(error)) => format!("{constraint}: {error}"),
            };
            return Err(written.place.error(reason));
        }
        let plan = Plan {
            name,
            seed: text.seed,
            games,
            max_plies,
            root: fen(&root).to_string(),
            entrants: Vec::new(),
            constraints: constraints.iter().map(|written| written.target.constraint.to_string()).collect(),
            published: self.published(text.published.as_ref())?,
        };
        let pairings = entrants.len() as u64 * constraints.len() as u64;
        let total = pairings.saturating_mul(games);
        let wrong = |reason: String| Err(self.place(text.games.span(), "games").error(reason));
        match () {
            () if games == 0 => {
                wrong("expected at least 1 for each entrant and constraint, found 0".to_owned())
            }
            () if total > Plan::MOST_GAMES => {
                wrong(format!("expected at most {} of all together, found {total}", Plan::MOST_GAMES))
            }
            () if pairings > Plan::MOST_PAIRINGS => {
                let most = Plan::MOST_PAIRINGS;
                wrong(format!(
                    "expected at most {most} pairs of an entrant and a constraint, found {pairings}"
                ))
            }
            () => self.with_entrants(plan, entrants, &constraints),
        }
    }

    fn constraints(&self, text: &PlanText) -> Result<Vec<Written>, PlanError> {
        let mut all = Vec::new();
        if let Some(list) = &text.constraints {
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
        if let Some(file) = &text.constraints_file {
            let named = self.place(file.span(), "constraints-file");
            let list = Source::open(&self.beside(file.get_ref()), Some(&named))?;
            for (index, line) in list.text.lines().enumerate() {
                let place = Place { file: list.file.clone(), line: Some(index + 1), field: String::new() };
                let line = line.trim();
                if !line.is_empty() && !line.starts_with('#') {
                    all.push((parsed(line, &place)?, place));
                }
            }
        }
        if all.is_empty() {
            let span = text.constraints.as_ref().map_or(0..0, Spanned::span);
            let sets = Constraints::NAMED.map(|(name, _)| name).join(", ");
            let reason = format!("expected constraints, the name of a set ({sets}), or a constraints-file");
            return Err(self.place(span, "constraints").error(reason));
        }
        let mut written: Vec<Written> = Vec::with_capacity(all.len());
        let mut seen = HashSet::new();
        for (constraint, place) in all {
            if !seen.insert(constraint.to_string()) {
                return Err(place.error(format!("{constraint} stands there twice")));
            }
            let target = Target::new(constraint).map_err(|error| place.error(error.to_string()))?;
            written.push(Written { target, place });
        }
        Ok(written)
    }

    fn published(&self, file: Option<&Spanned<PathBuf>>) -> Result<Vec<Published>, PlanError> {
        let Some(file) = file else { return Ok(Vec::new()) };
        let named = self.place(file.span(), "published");
        let table = Source::open(&self.beside(file.get_ref()), Some(&named))?;
        Published::read(&table.text).map_err(|(line, reason)| PlanError {
            file: table.file,
            line: line.map(|line| line as usize),
            field: String::new(),
            reason,
        })
    }

    fn with_entrants(
        &self,
        mut plan: Plan,
        entrants: &[Spanned<EntrantText>],
        constraints: &[Written],
    ) -> Result<(Plan, Vec<Pairing>), PlanError> {
        let mut networks = Networks::beside(self.beside(Path::new("")));
        let mut pairings = Vec::new();
        for text in entrants {
            let mut entrant = self.entrant(text)?;
            let span = |option: &str| {
                let field = text.get_ref().iter().find(|(key, _)| key.get_ref() == option);
                field.map_or(text.span(), |(_, value)| value.span())
            };
            if plan.entrants.iter().any(|other| other.name == entrant.name) {
                let reason = format!("\"{}\" stands there twice; names tell entrants apart", entrant.name);
                return Err(self.place(span("name"), "entrants name").error(reason));
            }
            for written in constraints {
                let pairing = Pairing::new(&plan, &entrant, &written.target, &mut networks);
                pairings.push(pairing.map_err(|(setting, reason)| {
                    let place = self.place(span(&setting), format!("entrant \"{}\"", entrant.name));
                    place.error(format!("{reason} (for {})", written.target.constraint))
                })?);
            }
            entrant.network_sha256 =
                entrant.settings.network.as_deref().and_then(|name| networks.digest(name));
            plan.entrants.push(entrant);
        }
        Ok((plan, pairings))
    }

    fn entrant(&self, text: &Spanned<EntrantText>) -> Result<Entrant, PlanError> {
        let fields = text.get_ref();
        let name = fields.iter().find(|(key, _)| key.get_ref() == "name");
        let Some((_, name)) = name else {
            return Err(self.place(text.span(), "").error("missing field `name`"));
        };
        let fault = |place: Range<usize>, reason| self.place(place, "entrants name").error(reason);
        let text = name.get_ref().as_str().ok_or_else(|| fault(name.span(), "expected a text".to_owned()))?;
        let name = checked_name(text).map_err(|reason| fault(name.span(), reason))?;
        let mut settings = Settings::default();
        for (key, value) in fields.iter().filter(|(key, _)| key.get_ref() != "name") {
            let key_name = key.get_ref();
            let Some(setting) = Setting::of_entrants().find(|setting| setting.name == key_name) else {
                let known: Vec<&str> = Setting::of_entrants().map(|setting| setting.name).collect();
                let reason = format!("unknown field, expected name or one of {}", known.join(", "));
                return Err(self.place(key.span(), key_name).error(reason));
            };
            let fault = |reason: String| {
                self.place(value.span(), format!("entrant \"{name}\"")).error(format!("{key_name}: {reason}"))
            };
            let is_of_both = ["white-elo", "black-elo"]
                .iter()
                .any(|one| fields.iter().any(|(key, _)| key.get_ref() == one));
            if key_name == "elo" && is_of_both {
                return Err(fault("both players' rating, and one of them besides".to_owned()));
            }
            let text = written(value.get_ref(), setting.kind).map_err(fault)?;
            setting.parse(&mut settings, &text).map_err(fault)?;
            setting.check_build(setting.get(&settings).as_ref()).map_err(fault)?;
        }
        Ok(Entrant { name, settings, network_sha256: None })
    }
}

/// What stands there, if it is of the type that `kind` has in TOML.
fn written(value: &toml::Value, kind: Kind) -> Result<String, String> {
    match (value, kind) {
        (toml::Value::String(text), Kind::Text | Kind::Word { .. }) => Ok(text.clone()),
        (toml::Value::String(text), Kind::Integer { .. } | Kind::Number { .. } | Kind::Switch) => {
            Err(format!("expected {kind}, found {text:?}, a text"))
        }
        (toml::Value::Integer(_), Kind::Integer { .. } | Kind::Number { .. })
        | (toml::Value::Float(_), Kind::Number { .. })
        | (toml::Value::Boolean(_), Kind::Switch) => Ok(value.to_string()),
        _ => Err(format!("expected {kind}, found {value}")),
    }
}

fn parsed(text: &str, place: &Place) -> Result<Constraint, PlanError> {
    text.parse().map_err(|error| place.error(format!("\"{text}\": {error}")))
}
