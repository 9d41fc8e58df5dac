//! Reads a plan from TOML. Everything that could stop a tournament later is checked here, before anything is created.

use std::{
    ops::Range,
    path::{Path, PathBuf},
};

use toml::Spanned;

mod location;
mod source;
mod text;

use entente::{engine::Engine, generation::DEFAULT_MAX_PLIES, records::fen};
pub use location::PlanError;
pub(crate) use source::{Source, Written, written};
pub(crate) use text::OneOrMore;
use text::{EntrantText, PlanText};

use super::{Entrant, Pairing, Plan, Published, plan::checked_name};

impl Plan {
    /// Reads the plan in `file` and the files that it names, and prepares its pairings. File names are relative to the
    /// plan's folder.
    ///
    /// # Errors
    /// [`PlanError`] for the first error.
    pub fn read(file: &Path) -> Result<(Plan, Vec<Pairing>), PlanError> {
        let source = Source::open(file, None)?;
        let text: PlanText = toml::from_str(source.text()).map_err(|error| source.misread(&error))?;
        source.plan(text)
    }
}

impl Source {
    fn plan(&self, text: PlanText) -> Result<(Plan, Vec<Pairing>), PlanError> {
        let name = self.name(text.name.as_ref())?;
        let games = *text.games.get_ref();
        let max_plies = self.max_plies(text.max_plies.as_ref())?.unwrap_or(DEFAULT_MAX_PLIES);
        let root = self.root(text.from.as_ref())?;
        let entrants = text.entrants.get_ref();
        if entrants.is_empty() {
            return Err(self.place(text.entrants.span(), "entrants").error("expected at least one"));
        }
        let constraints = self.constraints(text.constraints.as_ref(), text.constraints_file.as_ref())?;
        self.check_reach(&constraints, &root, Some(max_plies))?;
        let plan = Plan {
            name,
            seed: text.seed,
            games,
            max_plies: Some(max_plies),
            root: fen(&root).to_string(),
            entrants: Vec::new(),
            constraints: constraints.iter().map(|written| written.target.constraint.to_string()).collect(),
            published: self.published(text.published.as_ref())?,
            distinct: false,
        };
        let pairings = entrants.len() as u64 * constraints.len() as u64;
        let total = pairings.saturating_mul(games);
        let wrong = |reason: String| Err(self.place(text.games.span(), "games").error(reason));
        match () {
            () if games == 0 => {
                wrong("expected at least 1 for each entrant and constraint, found 0".to_owned())
            }
            () if total > Plan::MAX_GAMES => {
                wrong(format!("expected a total of at most {}, found {total}", Plan::MAX_GAMES))
            }
            () if pairings > Plan::MAX_PAIRINGS => {
                let most = Plan::MAX_PAIRINGS;
                wrong(format!(
                    "expected at most {most} pairs of an entrant and a constraint, found {pairings}"
                ))
            }
            () => self.with_entrants(plan, entrants, &constraints),
        }
    }

    fn published(&self, file: Option<&Spanned<PathBuf>>) -> Result<Vec<Published>, PlanError> {
        let Some(file) = file else { return Ok(Vec::new()) };
        let named = self.place(file.span(), "published");
        let table = Source::open(&self.beside(file.get_ref()), Some(&named))?;
        Published::read(table.text()).map_err(|(line, reason)| PlanError {
            file: table.file().to_owned(),
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
        let mut engine = Engine::with_folder(self.beside(Path::new("")));
        let mut pairings = Vec::new();
        for text in entrants {
            let mut entrant = self.entrant(text)?;
            let span = |name: Option<&str>| {
                let field = text.get_ref().iter().find(|(key, _)| Some(key.get_ref().as_str()) == name);
                field.map_or(text.span(), |(_, value)| value.span())
            };
            if plan.entrants.iter().any(|other| other.name == entrant.name) {
                let reason = format!("\"{}\" occurs twice; entrants need different names", entrant.name);
                return Err(self.place(span(Some("name")), "entrants name").error(reason));
            }
            for written in constraints {
                let pairing = Pairing::new(&plan, &entrant, &written.target, &mut engine);
                pairings.push(pairing.map_err(|(setting, reason)| {
                    let place = self.place(
                        span(setting.map(|setting| setting.row().name)),
                        format!("entrant \"{}\"", entrant.name),
                    );
                    place.error(format!("{reason} (for {})", written.target.constraint))
                })?);
            }
            let digest = |name: &Option<String>| name.as_deref().and_then(|name| engine.network_digest(name));
            entrant.network_sha256 = digest(&entrant.settings.network);
            entrant.human_network_sha256 = digest(&entrant.settings.human_network);
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
        let text =
            name.get_ref().as_str().ok_or_else(|| fault(name.span(), "expected a string".to_owned()))?;
        let name = checked_name(text).map_err(|reason| fault(name.span(), reason))?;
        let fields = fields.iter().filter(|(key, _)| key.get_ref() != "name");
        let settings =
            self.settings(fields, &["name"], |key| (format!("entrant \"{name}\""), format!("{key}: ")))?;
        Ok(Entrant::new(name, settings))
    }
}
