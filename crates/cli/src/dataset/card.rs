//! The card of a data set: its contents, how they were generated, and its columns.

use entente::{
    records::{PolicyTotals, Statistics, command, fen},
    settings::{GenerationSettings, Kind, Setting},
};
use entente_search::position_from_fen;

use super::{Selection, Share};
use crate::tournament::{Entrant, Manifest, Plan, markdown, schedule_seed};

/// The name of the only entrant if the plan has no ratings.
pub const PLAYERS: &str = "players";

/// The text for a value that does not apply.
const NOTHING: &str = "–";

/// A row of the card, for a pair of a rating and a constraint.
pub(super) struct Row {
    positions: u64,
    candidates: u64,
    not_found: u64,
    equal: u64,
    plies: Vec<(usize, u64)>,
    policy: PolicyTotals,
}

impl Row {
    pub(super) fn new(share: &Share, statistics: &Statistics) -> Row {
        Row {
            positions: share.kept.len() as u64,
            candidates: share.candidates,
            not_found: share.not_found,
            equal: share.equal,
            plies: statistics.plies().iter().map(|(&plies, &games)| (plies, games)).collect(),
            policy: statistics.policy,
        }
    }

    /// The row of several pairs together.
    fn sum(rows: &[Row]) -> Row {
        let mut policy = PolicyTotals::default();
        rows.iter().for_each(|row| policy.add(&row.policy));
        let mut plies: Vec<(usize, u64)> = rows.iter().flat_map(|row| row.plies.iter().copied()).collect();
        plies.sort_unstable();
        let sum = |of: fn(&Row) -> u64| rows.iter().map(of).sum();
        Row {
            positions: sum(|row| row.positions),
            candidates: sum(|row| row.candidates),
            not_found: sum(|row| row.not_found),
            equal: sum(|row| row.equal),
            plies,
            policy,
        }
    }

    /// Median length of the games, in plies.
    fn median(&self) -> Option<f64> {
        let nth = |rank: u64| {
            let mut counted = 0;
            self.plies.iter().find_map(|&(plies, games)| {
                counted += games;
                (counted > rank).then_some(plies as f64)
            })
        };
        Some((nth(self.positions.checked_sub(1)? / 2)? + nth(self.positions / 2)?) / 2.0)
    }

    fn cells(&self) -> String {
        let number = |value: Option<f64>, digits: usize| {
            value.map_or(NOTHING.to_owned(), |value| format!("{value:.digits$}"))
        };
        let natural = self.policy.natural_share();
        let median = self.median().map_or(NOTHING.to_owned(), |plies| plies.to_string());
        format!(
            "{} | {} | {} | {} | {median} | {} | {} |",
            self.positions,
            self.candidates,
            self.not_found,
            self.equal,
            natural.map_or(NOTHING.to_owned(), |share| format!("{:.1}%", 100.0 * share)),
            number(self.policy.mean_surprise(), 3),
        )
    }
}

/// The card in Markdown. `rows` has the rows of the pairs, in order.
pub(super) fn card(manifest: &Manifest, selection: &Selection, rows: &[Row]) -> String {
    let Manifest { version, plan, .. } = manifest;
    let mut text = format!(
        "# {}\n\n{} chess positions, all different, each with a legal game that leads to it. Entente {version} \
         generated them from the plan below.\n",
        markdown(&plan.name),
        selection.positions(),
    );
    if selection.missing() > 0 {
        text += &format!(
            "\nThe plan asks for {}; {} are missing, because no more different positions were found.\n",
            selection.all_wanted(),
            selection.missing()
        );
    }
    text += FILES;
    text += "\n## Measures\n\n| constraint | rating | positions | candidates | not found | duplicates | median plies \
             | as people play | surprise |\n|---|---|---|---|---|---|---|---|---|\n";
    for (place, row) in (0..).zip(rows) {
        let (entrant, constraint) = plan.pairing(place);
        text += &format!("| {} | {} | {}\n", markdown(constraint), rating(entrant), row.cells());
    }
    if rows.len() > 1 {
        text += &format!("| all together | | {}\n", Row::sum(rows).cells());
    }
    text += MEASURES;
    text += COLUMNS;
    text += &format!("\n## The plan\n\n```toml\n{}```\n", toml(plan));
    for entrant in &plan.entrants[..1] {
        if let Some(digest) = &entrant.network_sha256 {
            text += &format!("\nThe SHA-256 of the network's file is `{digest}`.\n");
        }
    }
    text + &again(plan)
}

const FILES: &str = "
`positions.jsonl` has one position per line, as a JSON object; `positions.parquet` has the same in columns. Two
positions are equal if they have the same men on the same squares, the same side to move, the same castling rights and
the same en passant square. The same plan and version give the same bytes, with any number of threads, also after a
resumed run or a merge of shards.
";

const MEASURES: &str = "
Candidates are the generated games. Those that did not satisfy the constraint, and duplicates, whose final positions
equal earlier ones, were replaced. As people play: the share of games that the network drew without being led to the
constraint. Surprise: the mean of −ln of the probability that the network without the constraint gives the moves, in
nats per ply.
";

const COLUMNS: &str = "
## Columns

| column | type | meaning |
|---|---|---|
| `fen` | text | the position |
| `constraint` | text | the constraint that it satisfies, in Entente's language |
| `white_elo`, `black_elo` | whole number or null | the ratings at which the players were simulated |
| `plies` | whole number | length of the game, in half-moves |
| `root` | text | the position that the game starts from, as FEN |
| `moves` | list of texts | the game, in UCI notation |
| `san` | list of texts | the game, in standard algebraic notation |
| `method` | text | the method, with its network and settings |
| `delivered_by` | text or null | `natural`: as people play; `fast`: as people play, but led to the constraint; \
`tree`: by tree search; `search`: by search, not as people play; null for methods without a policy network |
| `surprise` | number or null | mean surprise of the game's moves, in nats per ply |
| `centipawns` | number or null | the evaluation for White, if judged conditions of the constraint needed one; 10,000 \
is a mate |
| `seed`, `index` | whole numbers | these determine the random numbers of the game |
";

/// The rating of an entrant, in words.
fn rating(entrant: &Entrant) -> String {
    let text = |elo: Option<u16>| elo.map_or(NOTHING.to_owned(), |elo| elo.to_string());
    let GenerationSettings { white_elo, black_elo, .. } = entrant.settings;
    if white_elo == black_elo { text(white_elo) } else { format!("{}, {}", text(white_elo), text(black_elo)) }
}

/// The plan in TOML.
fn toml(plan: &Plan) -> String {
    let text = |text: &str| toml::Value::from(text).to_string();
    let list = |texts: &mut dyn Iterator<Item = String>| texts.collect::<Vec<_>>().join(", ");
    let mut lines = vec![
        "[dataset]".to_owned(),
        format!("name = {}", text(&plan.name)),
        format!("positions = {}", plan.games),
        format!("seed = {}", plan.seed),
        format!("constraints = [{}]", list(&mut plan.constraints.iter().map(|constraint| text(constraint)))),
    ];
    let is_rated = plan.entrants.iter().any(|entrant| entrant.name != PLAYERS);
    if is_rated {
        let ratings = list(&mut plan.entrants.iter().map(|entrant| entrant.name.clone()));
        lines.push(format!("ratings = [{ratings}]"));
    }
    if let Some(plies) = plan.max_plies {
        lines.push(format!("max-plies = {plies}"));
    }
    let root = position_from_fen(&plan.root).unwrap_or_default();
    if fen(&root) != fen(&shakmaty::Chess::default()) {
        lines.push(format!("from = {}", text(&plan.root)));
    }
    let changes = plan.entrants.first().map(|entrant| entrant.settings.changes()).unwrap_or_default();
    for (setting, value) in changes.into_iter().filter(|(setting, _)| !(is_rated && *setting == Setting::Elo))
    {
        let row = setting.row();
        let value = value.to_string();
        let value = if matches!(row.kind, Kind::Text | Kind::Word { .. }) { text(&value) } else { value };
        lines.push(format!("{} = {value}", row.name));
    }
    lines.join("\n") + "\n"
}

/// The paragraph with a command that generates a single game again.
fn again(plan: &Plan) -> String {
    let (entrant, constraint) = plan.pairing(0);
    let settings = entrant.settings.clone().changed(|settings| settings.max_plies = plan.max_plies);
    let root = position_from_fen(&plan.root).unwrap_or_default();
    let seed = schedule_seed(plan.seed, &entrant.name, constraint);
    let command = command(&settings, constraint, &root, seed);
    format!(
        "\nEach game can be generated again from its seed and index, for example:\n\n```\n{command} --index 0\n```\n"
    )
}
