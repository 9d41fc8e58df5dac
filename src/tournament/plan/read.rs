//! A plan from TOML. Everything that could end a tournament later is found here, before anything is created.

use std::{
    collections::HashSet,
    ops::Range,
    path::{Path, PathBuf},
};

use shakmaty::Chess;
use toml::Spanned;

use super::{
    super::pairing::{Networks, Pairing},
    Constraints, Entrant, Plan, PlanError, Published, checked_name,
    place::Place,
    read_text,
    text::{EntrantText, PlanText},
};
use crate::{
    constraint::{Constraint, Situation, Target},
    generation::{
        BackendChoice, Distance, EvaluatorChoice, MethodChoice, Request, Settings, Unreachable, fen,
        goal_policy::PolicyRequest,
    },
    search::{NegamaxSettings, position_from_fen},
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
        let max_plies = text.max_plies.as_ref().map_or(Settings::DEFAULT_MAX_PLIES, |plies| *plies.get_ref());
        if let Some(plies) = &text.max_plies
            && !(1..=Settings::MOST_MAX_PLIES).contains(&max_plies)
        {
            let reason = format!("expected 1 to {}, found {max_plies}", Settings::MOST_MAX_PLIES);
            return Err(self.place(plies.span(), "max-plies").error(reason));
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
        entrants: &[EntrantText],
        constraints: &[Written],
    ) -> Result<(Plan, Vec<Pairing>), PlanError> {
        let mut networks = Networks::new(self.beside(Path::new("")));
        let mut pairings = Vec::new();
        for text in entrants {
            let mut entrant = self.entrant(text)?;
            if plan.entrants.iter().any(|other| other.name == entrant.name) {
                let reason = format!("\"{}\" stands there twice; names tell entrants apart", entrant.name);
                return Err(self.place(text.name.span(), "entrants name").error(reason));
            }
            for written in constraints {
                let pairing = Pairing::new(&plan, &entrant, &written.target, &mut networks);
                pairings.push(pairing.map_err(|(option, reason)| {
                    let span = text.span_of(option).unwrap_or(text.name.span());
                    let place = self.place(span, format!("entrant \"{}\" {option}", entrant.name));
                    place.error(format!("{reason} (for {})", written.target.constraint))
                })?);
            }
            entrant.network_sha256 =
                entrant.request.network.as_deref().and_then(|name| networks.digest(name));
            plan.entrants.push(entrant);
        }
        Ok((plan, pairings))
    }

    fn entrant(&self, text: &EntrantText) -> Result<Entrant, PlanError> {
        let name = checked_name(text.name.get_ref())
            .map_err(|reason| self.place(text.name.span(), "entrants name").error(reason))?;
        let fault = |option: &str, reason: String| {
            let span = text.span_of(option).unwrap_or(text.name.span());
            Err(self.place(span, format!("entrant \"{name}\" {option}")).error(reason))
        };
        if text.elo.is_some() && (text.white_elo.is_some() || text.black_elo.is_some()) {
            return fault("elo", "both players' rating, and one of them besides".to_owned());
        }
        let usual = PolicyRequest::default();
        let policy = PolicyRequest {
            realism: inner(&text.realism).unwrap_or(usual.realism),
            guidance: inner(&text.guidance).unwrap_or(usual.guidance),
            temperature: inner(&text.temperature),
            late_temperature: inner(&text.late_temperature),
            white_elo: inner(&text.elo).or(inner(&text.white_elo)),
            black_elo: inner(&text.elo).or(inner(&text.black_elo)),
            rating_scale: inner(&text.rating_scale).unwrap_or(usual.rating_scale),
            population: inner(&text.population).unwrap_or(usual.population),
            mask: inner(&text.mask).unwrap_or(usual.mask),
            tilt: inner(&text.tilt).unwrap_or(usual.tilt),
            finish: inner(&text.finish).unwrap_or(usual.finish),
            visits: inner(&text.visits).unwrap_or(usual.visits),
            priors: inner(&text.priors).unwrap_or(usual.priors),
        };
        let request = Request {
            method: inner(&text.method).unwrap_or(MethodChoice::Auto),
            depth: inner(&text.depth),
            criterion: inner(&text.criterion).unwrap_or(NegamaxSettings::DEFAULT_CRITERION),
            faithful: inner(&text.faithful).unwrap_or(false),
            evaluator: inner(&text.evaluator).unwrap_or(EvaluatorChoice::Auto),
            network: inner(&text.network),
            backend: inner(&text.backend).unwrap_or(BackendChoice::Tract),
            policy,
            nodes: inner(&text.nodes),
            movetime: inner(&text.movetime),
        };
        if let Some(depth) = request.depth
            && !(1..=NegamaxSettings::MAX_DEPTH).contains(&depth)
        {
            return fault("depth", format!("expected 1 to {}, found {depth}", NegamaxSettings::MAX_DEPTH));
        }
        if !(0.0..=1.0).contains(&request.criterion) {
            return fault("criterion", format!("expected 0 to 1, found {}", request.criterion));
        }
        for (option, limit) in [("nodes", request.nodes), ("movetime", request.movetime)] {
            if limit == Some(0) {
                return fault(option, "expected at least 1, found 0".to_owned());
            }
        }
        Ok(Entrant { name, request, network_sha256: None })
    }
}

fn inner<T: Clone>(field: &Option<Spanned<T>>) -> Option<T> {
    field.as_ref().map(|field| field.get_ref().clone())
}

fn parsed(text: &str, place: &Place) -> Result<Constraint, PlanError> {
    text.parse().map_err(|error| place.error(format!("\"{text}\": {error}")))
}
