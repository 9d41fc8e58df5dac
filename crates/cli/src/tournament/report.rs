//! The report of a tournament: tables, plots and games on a page.

use entente::{
    generation::Outcome,
    records::{PolicyRecord, Provenance, Replay, command},
};
use entente_constraint::{Constraint, Situation, noun};
use shakmaty::Chess;

use super::{
    Entrant, Game, Manifest, Published, TournamentError,
    heading::Heading,
    interval::Estimate,
    journal::Played,
    measures::{Cell, MAX_PIECE_DIFFERENCES, Measures, Row, Table},
};
use entente_render::{
    Figure, Gallery, GalleryGame, Interval, Page, Section, Series, bars, curves, intervals,
};

/// The maximum number of boards in a report, which a browser opens within a second.
const BOARDS: u64 = 2_000;
/// The maximum number of boards of a pairing.
const BOARDS_EACH: u64 = 24;
/// The maximum number of constraints in the plots of satisfaction.
const CONSTRAINTS: usize = 60;
/// The maximum number of entrants in a plot. More colours would be hard to distinguish, and one is for published
/// results.
const ENTRANTS: usize = 6;
/// The width of a bin in the plot of game lengths, in plies.
const BIN: usize = 2;

/// The boards of a report: the first few games of every pairing, found or not.
pub(super) struct Boards<'a> {
    manifest: &'a Manifest,
    each: u64,
    gallery: Gallery,
}

impl<'a> Boards<'a> {
    pub(super) fn new(manifest: &'a Manifest) -> Boards<'a> {
        let each = (BOARDS / manifest.plan.pairings()).clamp(1, BOARDS_EACH);
        Boards { manifest, each, gallery: Gallery::default() }
    }

    /// Adds a game, if it is one of the first.
    pub(super) fn add(&mut self, game: Game, played: &Played, replay: &Replay, context: &Provenance) {
        // The games of a shard have larger indices.
        if game.index / self.manifest.shard.of >= self.each || self.gallery.len() as u64 >= BOARDS {
            return;
        }
        let record = &played.record;
        let Replay { root, moves, last } = replay;
        let constraint = record.constraint.parse::<Constraint>().ok();
        let situation = Situation::root(root).after(moves, last);
        self.gallery.add(&GalleryGame {
            name: &played.entrant,
            constraint: &record.constraint,
            is_found: record.outcome == Outcome::Found,
            root,
            moves,
            last,
            marked: constraint.map(|constraint| constraint.named_squares(situation)).unwrap_or_default(),
            caveat: record.policy.as_ref().and_then(|policy| policy.delivered_by.caveat()),
            ratings: record.policy.as_ref().map_or([None, None], PolicyRecord::ratings),
            distance: record.distance,
            command: self.command(played, root),
            tags: context.tags(last, record.policy.as_ref()),
        });
    }

    /// The command that generates a game again.
    fn command(&self, played: &Played, root: &Chess) -> String {
        let Played { entrant, record } = played;
        let plan = &self.manifest.plan;
        let entrant = plan.entrants.iter().find(|other| other.name == *entrant);
        let of_entrant = |entrant: &Entrant| {
            let settings = entrant.settings.clone().changed(|settings| settings.max_plies = plan.max_plies);
            command(&settings, &record.constraint, root, record.seed)
        };
        format!("{} --index {}", entrant.map(of_entrant).unwrap_or_default(), record.index)
    }
}

/// The report as HTML. `rows` has the rows of each entrant.
///
/// # Errors
/// [`TournamentError::Plot`] if a plot cannot be drawn.
pub(super) fn page(
    manifest: &Manifest,
    heading: &Heading,
    rows: &[Vec<Row>],
    notes: Vec<String>,
    boards: Boards<'_>,
) -> Result<String, TournamentError> {
    let sections = rows.iter().map(|rows| section(Table::new(rows), ""));
    let times = rows.iter().map(|rows| section(Table::of_times(rows), ": times"));
    let shown = boards.gallery.len() as u64;
    let selection = match boards.each {
        _ if shown >= manifest.schedule().here() => String::new(),
        _ if manifest.plan.pairings() > BOARDS => {
            format!("The first game of each entrant for each constraint, at most {BOARDS}.")
        }
        1 => "The first game of each entrant for each constraint.".to_owned(),
        each => format!("The first {each} games of each entrant for each constraint."),
    };
    let page = Page {
        title: heading.title.clone(),
        lead: heading.lead.clone(),
        sections: sections.chain(times).collect(),
        notes,
        figures: figures(rows)?,
        gallery: boards.gallery,
        selection,
        command: String::new(),
    };
    Ok(page.html())
}

fn section(table: Table, what: &str) -> Section {
    let Table { title, method, headers, mut rows } = table;
    let footer = if rows.len() > 1 { rows.pop().unwrap_or_default() } else { Vec::new() };
    Section {
        title: title + what,
        lead: method,
        headers,
        rows: rows
            .into_iter()
            .map(|row| row.into_iter().map(|Cell { text, value }| (text, value)).collect())
            .collect(),
        footer: footer.into_iter().map(|cell| cell.text).collect(),
    }
}

fn figures(rows: &[Vec<Row>]) -> Result<Vec<Figure>, TournamentError> {
    let more = match rows.len().saturating_sub(ENTRANTS) {
        0 => String::new(),
        more => format!(" ({more} more {} only in the tables)", noun(more, "entrant is", "entrants are")),
    };
    let rows = &rows[..rows.len().min(ENTRANTS)];
    let mut figures = Vec::new();
    let mut add = |title: &str, svg: String| figures.push(Figure { title: format!("{title}{more}"), svg });
    let (constraints, selection) = constraints(rows);
    let mut first = shares(rows, &constraints, Measures::first_attempt_share);
    first.extend(published_shares(rows, &constraints));
    add(
        &format!("Satisfied at the first attempt, with 95% intervals{selection}"),
        intervals(&constraints, &first)?,
    );
    let delivered = shares(rows, &constraints, Measures::delivered_share);
    add(
        &format!("Satisfied as delivered, with 95% intervals{selection}"),
        intervals(&constraints, &delivered)?,
    );
    add("Length of the satisfied games in plies: share of games", curves("plies", 0.0, &lengths(rows))?);
    let differences: Vec<String> = (1..=MAX_PIECE_DIFFERENCES).map(|men| men.to_string()).collect();
    let mut differing: Vec<Series<f64>> = rows.iter().filter_map(|rows| piece_differences(rows)).collect();
    if !differing.is_empty() {
        differing.extend(published_piece_differences(rows));
        add(
            "k-PDR: first attempts that ended k men away from the constraint",
            bars(&differences, &differing)?,
        );
    }
    Ok(figures)
}

/// The constraints to plot: all, or those that are satisfied least. The text says so if some are left out.
fn constraints(rows: &[Vec<Row>]) -> (Vec<String>, String) {
    let mut all: Vec<(String, f64)> = Vec::new();
    for row in rows.iter().flatten() {
        let (Some(constraint), Some(share)) = (&row.constraint, row.measures.first_attempt_share()) else {
            continue;
        };
        match all.iter_mut().find(|(other, _)| other == constraint) {
            Some((_, least)) => *least = least.min(share.value),
            None => all.push((constraint.clone(), share.value)),
        }
    }
    let mut selection = String::new();
    if all.len() > CONSTRAINTS {
        selection = format!("; the {CONSTRAINTS} of {} constraints that are satisfied least", all.len());
        all.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        all.truncate(CONSTRAINTS);
    }
    (all.into_iter().map(|(constraint, _)| constraint).collect(), selection)
}

/// An estimate as an interval for a plot.
fn interval(Estimate { value, low, high }: Estimate) -> Interval {
    (value, low, high)
}

fn shares(
    rows: &[Vec<Row>],
    constraints: &[String],
    share: fn(&Measures) -> Option<Estimate>,
) -> Vec<Series<Option<Interval>>> {
    let of = |rows: &[Row], constraint: &String| {
        let row = rows.iter().find(|row| row.constraint.as_ref() == Some(constraint))?;
        share(&row.measures).map(interval)
    };
    let series = |rows: &Vec<Row>| Series {
        name: rows.first().map_or_else(String::new, |row| row.entrant.clone()),
        values: constraints.iter().map(|constraint| of(rows, constraint)).collect(),
    };
    rows.iter().map(series).collect()
}

/// The published shares for the constraints, if there are any.
fn published_shares(rows: &[Vec<Row>], constraints: &[String]) -> Option<Series<Option<Interval>>> {
    let of = |constraint: &String| {
        let row = rows.iter().flatten().find(|row| row.constraint.as_ref() == Some(constraint))?;
        row.published.as_ref()?.share().map(interval)
    };
    let values: Vec<_> = constraints.iter().map(of).collect();
    let is_any = values.iter().any(Option::is_some);
    is_any.then(|| Series { name: "published".to_owned(), values })
}

/// The distribution of game lengths of each entrant, from its total.
fn lengths(rows: &[Vec<Row>]) -> Vec<Series<(f64, f64)>> {
    let series = |row: &Row| {
        let Measures { plies, satisfied, .. } = &row.measures;
        let bins = plies.keys().next_back().map_or(0, |last| last / BIN + 1);
        let mut values = vec![0; bins];
        plies.iter().for_each(|(plies, games)| values[plies / BIN] += games);
        let middle = |bin: usize| (bin * BIN) as f64 + (BIN - 1) as f64 / 2.0;
        let share = |games: u64| games as f64 / (*satisfied).max(1) as f64;
        let values = values.into_iter().enumerate().map(|(bin, games)| (middle(bin), share(games))).collect();
        Series { name: row.entrant.clone(), values }
    };
    rows.iter().filter_map(|rows| rows.last()).map(series).collect()
}

fn piece_differences(rows: &[Row]) -> Option<Series<f64>> {
    let row = rows.last().filter(|row| row.is_exact)?;
    let ratio = |men| row.measures.piece_difference_ratio(men).map_or(0.0, |ratio| ratio.value);
    Some(Series { name: row.entrant.clone(), values: (1..=MAX_PIECE_DIFFERENCES).map(ratio).collect() })
}

/// The means of the published ratios over the constraints of the first entrant, if there are any. Missing ratios count
/// as zero.
fn published_piece_differences(rows: &[Vec<Row>]) -> Option<Series<f64>> {
    let published: Vec<[Option<f64>; 4]> =
        rows.first()?.iter().filter_map(|row| row.published.as_ref()).map(Published::pdr).collect();
    let mean = |men: usize| {
        published.iter().map(|ratios| ratios[men].unwrap_or(0.0)).sum::<f64>()
            / 100.0
            / published.len() as f64
    };
    (!published.is_empty())
        .then(|| Series { name: "published".to_owned(), values: (0..4).map(mean).collect() })
}
