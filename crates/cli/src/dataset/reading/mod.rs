//! Reads the plan of a data set from TOML. Everything that could stop a run later is checked here, before anything is
//! created.

mod text;

use std::{ops::Range, path::Path};

use entente::{
    engine::Engine,
    records::fen,
    settings::{GenerationSettings, Setting, Settings, ValueError},
};
use entente_network::embedded_network;
use sha2::{Digest as _, Sha256};
use toml::Spanned;

use self::text::{DatasetText, PlanText};
use super::PLAYERS;
use crate::tournament::{Entrant, Pairing, Plan, PlanError, Source, Written, written};

/// The keys of a plan that are not settings.
const KEYS: [&str; 8] =
    ["name", "positions", "seed", "max-plies", "from", "constraints", "constraints-file", "ratings"];
/// The settings for the players' ratings.
const ELOS: [Setting; 3] = [Setting::Elo, Setting::WhiteElo, Setting::BlackElo];

/// Reads the plan of a data set in `file` and the files that it names, and prepares its pairings of a rating and a
/// constraint. File names are relative to the plan's folder.
///
/// # Errors
/// [`PlanError`] for the first error.
pub fn read_plan(file: &Path) -> Result<(Plan, Vec<Pairing>), PlanError> {
    let source = Source::open(file, None)?;
    let text: PlanText = toml::from_str(source.text()).map_err(|error| source.misread(&error))?;
    Reading { source: &source, at: text.dataset.span(), text: text.dataset.get_ref() }.plan()
}

/// A plan that is being read.
struct Reading<'a> {
    source: &'a Source,
    /// The span of its table.
    at: Range<usize>,
    text: &'a DatasetText,
}

impl Reading<'_> {
    fn plan(&self) -> Result<(Plan, Vec<Pairing>), PlanError> {
        let Reading { source, text, .. } = self;
        let name = source.name(text.name.as_ref())?;
        let max_plies = source.max_plies(text.max_plies.as_ref())?;
        let root = source.root(text.from.as_ref())?;
        let constraints = source.constraints(text.constraints.as_ref(), text.constraints_file.as_ref())?;
        source.check_reach(&constraints, &root, max_plies)?;
        let entrants = self.entrants()?;
        let plan = Plan {
            name,
            seed: text.seed.unwrap_or(1),
            games: self.positions(entrants.len() as u64 * constraints.len() as u64)?,
            max_plies,
            root: fen(&root).to_string(),
            entrants: Vec::new(),
            constraints: constraints.iter().map(|written| written.target.constraint.to_string()).collect(),
            published: Vec::new(),
            distinct: true,
        };
        self.with_pairings(plan, entrants, &constraints)
    }

    /// The number of positions for each pair of a constraint and a rating. `pairings` is the number of pairs.
    fn positions(&self, pairings: u64) -> Result<u64, PlanError> {
        let Some(text) = &self.text.positions else {
            return Err(self.source.place(self.at.clone(), "").error("missing field `positions`"));
        };
        let positions = *text.get_ref();
        let total = pairings.saturating_mul(positions);
        let most = Plan::MAX_GAMES;
        let reason = match () {
            () if positions == 0 => "expected at least 1 for each constraint and rating, found 0".to_owned(),
            () if total > most => format!("expected a total of at most {most}, found {total}"),
            () if pairings > Plan::MAX_PAIRINGS => {
                let most = Plan::MAX_PAIRINGS;
                format!("expected at most {most} pairs of a constraint and a rating, found {pairings}")
            }
            () => return Ok(positions),
        };
        Err(self.source.place(text.span(), "positions").error(reason))
    }

    /// The entrants: one for each rating, or a single one without ratings.
    fn entrants(&self) -> Result<Vec<Entrant>, PlanError> {
        let fields = &self.text.settings;
        let key = |setting: Setting| fields.iter().find(|(key, _)| key.get_ref() == setting.row().name);
        if let Some((key, _)) = key(Setting::Movetime) {
            let reason =
                "with it the positions would depend on the speed of the machine; nodes limits the work, too";
            return Err(self.source.place(key.span(), key.get_ref()).error(reason));
        }
        let settings = self.source.settings(fields.iter(), &KEYS, |key| (key.to_owned(), String::new()))?;
        let Some(ratings) = &self.text.ratings else {
            return Ok(vec![Entrant::new(PLAYERS.to_owned(), settings)]);
        };
        if let Some((key, _)) = ELOS.into_iter().find_map(key) {
            let reason = "not allowed with ratings, which sets it";
            return Err(self.source.place(key.span(), key.get_ref()).error(reason));
        }
        if ratings.get_ref().is_empty() {
            let reason = "expected at least one rating, such as [1500]";
            return Err(self.source.place(ratings.span(), "ratings").error(reason));
        }
        let mut entrants: Vec<Entrant> = Vec::new();
        for rating in ratings.get_ref() {
            let entrant = self.rated(&settings, rating)?;
            if entrants.iter().any(|other| other.name == entrant.name) {
                let reason = format!("{} occurs twice", entrant.name);
                return Err(self.source.place(rating.span(), "ratings").error(reason));
            }
            entrants.push(entrant);
        }
        Ok(entrants)
    }

    fn rated(
        &self,
        settings: &GenerationSettings,
        rating: &Spanned<toml::Value>,
    ) -> Result<Entrant, PlanError> {
        let fault = |reason: String| self.source.place(rating.span(), "ratings").error(reason);
        let elo = Setting::Elo.row();
        let mut settings = Settings::from(settings.clone());
        let text = written(rating.get_ref(), elo.kind).map_err(fault)?;
        elo.parse(&mut settings, &text).map_err(|error: ValueError| fault(error.to_string()))?;
        Ok(Entrant::new(text, settings.generation))
    }

    fn with_pairings(
        &self,
        mut plan: Plan,
        entrants: Vec<Entrant>,
        constraints: &[Written],
    ) -> Result<(Plan, Vec<Pairing>), PlanError> {
        let mut engine = Engine::with_folder(self.source.beside(Path::new("")));
        if self.text.ratings.is_some()
            && let Some(written) = constraints.iter().find(|written| written.target.constraint.has_ratings())
        {
            let reason = "a constraint may not set ratings if the plan has ratings";
            return Err(written.place.error(reason));
        }
        let mut pairings = Vec::new();
        for mut entrant in entrants {
            for written in constraints {
                let pairing = Pairing::new(&plan, &entrant, &written.target, &mut engine);
                pairings.push(pairing.map_err(|(setting, reason)| {
                    let place = self.source.place(self.span(setting), "");
                    place.error(format!("{reason} (for {})", written.target.constraint))
                })?);
            }
            let first = pairings.len() - constraints.len();
            let digest =
                |name: &str| engine.network_digest(name).or_else(|| embedded_network(name).map(sha256));
            let mut plans = pairings[first..].iter().map(|pairing| &pairing.job.plan);
            entrant.network_sha256 = plans.clone().find_map(|plan| plan.network_name().and_then(digest));
            entrant.human_network_sha256 = plans.find_map(|plan| plan.human_network_name().and_then(digest));
            plan.entrants.push(entrant);
        }
        Ok((plan, pairings))
    }

    /// The span of a setting; the whole table if the plan does not set it.
    fn span(&self, setting: Option<Setting>) -> Range<usize> {
        let fields = &self.text.settings;
        let is_it = |key: &str| setting.is_some_and(|setting| setting.row().name == key);
        let field = fields.iter().find(|(key, _)| is_it(key.get_ref()));
        match (field, &self.text.ratings) {
            (Some((key, _)), _) => key.span(),
            (None, Some(ratings)) if setting.is_some_and(|setting| ELOS.contains(&setting)) => ratings.span(),
            (None, _) => self.at.clone(),
        }
    }
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
