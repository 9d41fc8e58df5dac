//! The card of a data set: what it holds, how it came about, and what is in its columns.

use entente::{
    generation::{PolicyTotals, Statistics, command, fen},
    settings::{GenerationSettings, Kind, Setting},
};
use entente_search::position_from_fen;

use super::{Selection, Share};
use crate::tournament::{Entrant, Manifest, Plan, markdown, schedule_seed};

/// The name of those who play where the plan has no ratings.
pub const PLAYERS: &str = "players";

/// Stands where there is nothing to say.
const NOTHING: &str = "–";

/// What the card says of a pair of a rating and a constraint.
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

    /// That of several pairs together.
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

    /// Median plies of the games.
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

/// The card in Markdown; `rows` are those of the pairs in their order.
pub(super) fn card(manifest: &Manifest, selection: &Selection, rows: &[Row]) -> String {
    let Manifest { version, plan, .. } = manifest;
    let mut text = format!(
        "# {}\n\n{} chess positions, no two of them equal, each with a legal game that leads to it. Entente {version} \
         generated them from the plan below.\n",
        markdown(&plan.name),
        selection.positions(),
    );
    if selection.missing() > 0 {
        text += &format!(
            "\nThe plan asks for {}; {} are missing, because no more different ones were found.\n",
            selection.all_wanted(),
            selection.missing()
        );
    }
    text += FILES;
    text += "\n## Measures\n\n| constraint | rating | positions | candidates | not found | equal to others | median plies \
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
`positions.jsonl` has a position a line, as a JSON object; `positions.parquet` has the same in columns. Positions are
equal if the same men stand on the same squares, and side to move, castling rights and en passant square are the same.
The same plan and version give the same bytes, at any number of threads, resumed or joined from shards.
";

const MEASURES: &str = "
Candidates are the games that were generated. Those that did not satisfy the constraint, or ended in a position equal to
an earlier one, had others in their place. As people play: the share of games that the network drew as people play,
without being led to the constraint. Surprise: the mean of −ln of the probability that the network without the
constraint gives the moves, in nats a ply.
";

const COLUMNS: &str = "
## Columns

| column | type | meaning |
|---|---|---|
| `fen` | text | the position |
| `constraint` | text | what it satisfies, in Entente's language |
| `white_elo`, `black_elo` | whole number or null | the ratings that the players were told to play like |
| `plies` | whole number | length of the game, in half-moves |
| `root` | text | the position that the game starts from, as FEN |
| `moves` | list of texts | the game, in UCI notation |
| `san` | list of texts | the game, in standard algebraic notation |
| `method` | text | the method, with its network and what was set |
| `delivered_by` | text or null | `natural`: as people play; `fast`: as people play, but led to the constraint; `tree`: by \
tree search; `search`: by search, not as people play; null for methods without a policy network |
| `surprise` | number or null | mean surprise of the game's moves, in nats a ply |
| `centipawns` | number or null | what the position is worth to White, where the constraint has judged conditions that needed an evaluation; 10,000 is a mate |
| `seed`, `index` | whole numbers | the random numbers of the game; both together name it |
";

/// The rating of an entrant, in words.
fn rating(entrant: &Entrant) -> String {
    let told = |elo: Option<u16>| elo.map_or(NOTHING.to_owned(), |elo| elo.to_string());
    let GenerationSettings { white_elo, black_elo, .. } = entrant.settings;
    if white_elo == black_elo { told(white_elo) } else { format!("{}, {}", told(white_elo), told(black_elo)) }
}

/// The plan as it could have been written.
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
    for (row, value) in changes.into_iter().filter(|(row, _)| !(is_rated && row.id == Setting::Elo)) {
        let value = value.to_string();
        let value = if matches!(row.kind, Kind::Text | Kind::Word { .. }) { text(&value) } else { value };
        lines.push(format!("{} = {value}", row.name));
    }
    lines.join("\n") + "\n"
}

/// How a game is generated alone.
fn again(plan: &Plan) -> String {
    let (entrant, constraint) = plan.pairing(0);
    let settings = entrant.settings.clone().changed(|settings| settings.max_plies = plan.max_plies);
    let root = position_from_fen(&plan.root).unwrap_or_default();
    let seed = schedule_seed(plan.seed, &entrant.name, constraint);
    let command = command(&settings, constraint, &root, seed);
    format!(
        "\nAny game can be generated alone by its seed and index, for example:\n\n```\n{command} --index 0\n```\n"
    )
}
