//! The files that a tournament's folder gets from the results: tables, games, positions and the report.

use entente::{
    generation::Outcome,
    records::{Provenance, Replay, Sample, Statistics, pgn::pgn},
};
use entente_constraint::{Constraint, Target};
use shakmaty::Position;

use super::{
    Folder, Manifest, TournamentError,
    folder::Unfinished,
    heading::Heading,
    journal::{Journal, Played},
    measures::{Measures, Row, Table, csv, markdown},
    report,
};

/// Writes the files made from the results: `table.md`, `table.csv`, `times.md`, `games.pgn`, `positions.epd` and
/// `report.html`.
///
/// # Errors
/// If the results cannot be read or contain an illegal game, or if a file cannot be written.
pub fn publish(folder: &Folder, manifest: &Manifest, journal: &Journal) -> Result<(), TournamentError> {
    let mut publication = Publication::begin(folder, manifest)?;
    journal.replay(|ordinal, played| {
        let record = &played.record;
        let replay = record.replay().map_err(|error| {
            let game = format!("game {} of \"{}\" for {}", record.index, played.entrant, record.constraint);
            TournamentError::folder(folder.path(), format!("{game}: {error}"))
        })?;
        publication.add(ordinal, &played, &replay, journal.seconds(ordinal))
    })?;
    publication.finish(journal.done)
}

/// The files made from the results, while games are added in order.
pub(super) struct Publication<'a> {
    folder: &'a Folder,
    manifest: &'a Manifest,
    rows: Rows<'a>,
    gallery: report::Boards<'a>,
    games: Unfinished,
    positions: Unfinished,
    /// The number of games in the PGN.
    found: u64,
}

impl<'a> Publication<'a> {
    /// Starts without games.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub(super) fn begin(
        folder: &'a Folder,
        manifest: &'a Manifest,
    ) -> Result<Publication<'a>, TournamentError> {
        let (games, positions) = (folder.create("games.pgn")?, folder.create("positions.epd")?);
        let (rows, gallery) = (Rows::new(manifest), report::Boards::new(manifest));
        Ok(Publication { folder, manifest, rows, gallery, games, positions, found: 0 })
    }

    /// Adds the next game, with its replay and the seconds that it took, if known.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub(super) fn add(
        &mut self,
        ordinal: u64,
        played: &Played,
        replay: &Replay,
        seconds: Option<f32>,
    ) -> Result<(), TournamentError> {
        let record = &played.record;
        let game = self.manifest.schedule().game(ordinal);
        let context = context(self.manifest, played, replay);
        if record.outcome == Outcome::Found {
            self.found += 1;
            let game = pgn(&context, self.found, &replay.moves, &replay.last, record.policy.as_ref());
            self.games.write(&game)?;
            let epd = context.epd(record.index, record.plies, &replay.last, record.centipawns);
            self.positions.write(&epd)?;
        }
        self.gallery.add(game, played, replay, &context);
        self.rows.add(game.pairing, played, replay, seconds);
        Ok(())
    }

    /// Writes the tables and the report. `done` is the number of games played.
    ///
    /// # Errors
    /// If a file cannot be written or a plot cannot be drawn.
    pub(super) fn finish(self, done: u64) -> Result<(), TournamentError> {
        let Publication { folder, manifest, rows, gallery, games, positions, .. } = self;
        games.finish()?;
        positions.finish()?;

        let rows = rows.finish();
        let notes = vec![TABLE_NOTES.to_owned(), TIME_NOTES.to_owned()];
        let heading = Heading::new(manifest, done);
        folder.write("table.md", &tables(&heading, &rows, Table::new, TABLE_NOTES))?;
        folder.write("times.md", &tables(&heading, &rows, Table::of_times, TIME_NOTES))?;
        folder.write("table.csv", &csv(&rows.concat()))?;
        folder.write("report.html", &report::page(manifest, &heading, &rows, notes, gallery)?)
    }
}

/// The explanation of the columns.
const TABLE_NOTES: &str = "\
First attempt: satisfied without a retry; delivered: satisfied after retries within the budget. The numbers in \
brackets are 95% confidence intervals: Wilson's for shares, Student's for means, and ranks for medians. Unique: \
distinct piece placements among all generated positions, satisfied or not, whose games have at least one ply. Plies: \
of the satisfied games. k-PDR: the share of first attempts that ended k men away from the constraint. Nodes and \
evaluations: per position found. For the methods goal-policy and puct: the share of games drawn from populations \
(natural), the mean surprise per ply in nats, the mean share of the moves removed by the masks (masked), and the \
shares of plies played under the tilt (tilted) and by search (finished).";

/// The explanation of the columns of times.
const TIME_NOTES: &str = "Seconds on one thread, which differ from run to run.";

/// A Markdown document with a table for each entrant.
fn tables(heading: &Heading, rows: &[Vec<Row>], table: fn(&[Row]) -> Table, notes: &str) -> String {
    let mut text = format!("# {}\n\n{}\n", markdown(&heading.title), heading.lead);
    for rows in rows {
        let table = table(rows);
        let (title, method) = (markdown(&table.title), markdown(&table.method));
        text += &format!("\n## {title}\n\n{method}\n\n{}", table.markdown());
    }
    text + "\n" + notes + "\n"
}

/// The data of a game for PGN and EPD, apart from its moves.
fn context(manifest: &Manifest, played: &Played, replay: &Replay) -> Provenance {
    Provenance {
        event: manifest.plan.name.clone(),
        player: played.entrant.clone(),
        root: replay.root.clone(),
        constraint: played.record.constraint.clone(),
        method: played.record.method.clone(),
        seed: played.record.seed,
    }
}

/// The rows of all tables, while games are added. Because the games are in order, only the positions of one pairing are
/// in memory.
struct Rows<'a> {
    manifest: &'a Manifest,
    /// The rows of each entrant that has games.
    done: Vec<Vec<Row>>,
    current: Option<Current>,
}

/// The pairing whose games are being counted.
struct Current {
    pairing: u64,
    method: String,
    statistics: Statistics,
    seconds: f64,
    timed: u64,
}

impl<'a> Rows<'a> {
    fn new(manifest: &'a Manifest) -> Rows<'a> {
        Rows { manifest, done: Vec::new(), current: None }
    }

    fn add(&mut self, pairing: u64, played: &Played, replay: &Replay, seconds: Option<f32>) {
        let record = &played.record;
        if self.current.as_ref().is_none_or(|current| current.pairing != pairing) {
            self.close();
        }
        let current = self.current.get_or_insert_with(|| Current {
            pairing,
            method: record.method.clone(),
            statistics: Statistics::default(),
            seconds: 0.0,
            timed: 0,
        });
        current.statistics.count(Sample::of(record, replay.last.board()));
        if let Some(seconds) = seconds {
            current.seconds += f64::from(seconds);
            current.timed += 1;
        }
    }

    /// Completes the row of the current pairing.
    fn close(&mut self) {
        let Some(current) = self.current.take() else { return };
        let plan = &self.manifest.plan;
        let (entrant, constraint) = plan.pairing(current.pairing);
        let row = Row {
            entrant: entrant.name.clone(),
            method: current.method,
            is_exact: is_exact(constraint),
            measures: Measures::new(&current.statistics, current.seconds, current.timed),
            published: plan.published(constraint).cloned(),
            constraint: Some(constraint.to_owned()),
        };
        match self.done.last_mut() {
            Some(rows) if rows[0].entrant == row.entrant => rows.push(row),
            _ => self.done.push(vec![row]),
        }
    }

    /// The rows of each entrant. If there are several, the total comes last.
    fn finish(mut self) -> Vec<Vec<Row>> {
        self.close();
        for rows in self.done.iter_mut().filter(|rows| rows.len() > 1) {
            let mut measures = Measures::default();
            rows.iter().for_each(|row| measures.add(&row.measures));
            rows.push(Row {
                constraint: None,
                is_exact: rows.iter().all(|row| row.is_exact),
                published: None,
                measures,
                ..rows[0].clone()
            });
        }
        self.done
    }
}

/// True if the constraint gives White's exact counts and nothing else.
fn is_exact(constraint: &str) -> bool {
    let constraint = constraint.parse::<Constraint>().ok();
    let goal = constraint.and_then(|constraint| Target::new(constraint).ok()?.goal);
    goal.is_some_and(|goal| goal.exact_white().is_some())
}
