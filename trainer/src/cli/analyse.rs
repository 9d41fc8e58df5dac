//! `entente-trainer analyse`: statistics of games that meet constraints.

use std::{
    env, fs,
    ops::Range,
    path::{Path, PathBuf},
    thread,
    time::Instant,
};

use anyhow::{Context as _, bail, ensure};
use clap::{Args, Subcommand, ValueEnum};
use entente_cli::tournament::Shard;
use entente_constraint::noun;

use super::{bars::Bars, fresh::Fresh, interrupt, scale::Scale, words::command};
use crate::{
    analysis::{
        Generated, Pass, Rows, Selection, Study, Subject, WantedConstraints, file_names, publish,
        rows::{Formats, TableWriter, read_csv},
    },
    files::{file_name, sha256_file},
    games::{GameStore, report::grouped},
};

const EXAMPLES: &str = "\
Examples:
  entente-trainer analyse games.store --output runs/analysis
      The 17 constraints of the thesis
  entente-trainer analyse games.store --constraints endgames.txt --ratings 1400..1600 --scale online --output runs/club
      Constraints from a file, one per line, in the games of players rated 1400 to 1600
  entente-trainer analyse runs/tournament --entrant \"natural 1500\" --beside runs/club --output runs/generated
      Generated games, compared with human games
  entente-trainer analyse games.store --games csv,parquet --output runs/tables
      Also a row for each game that met a constraint, for spreadsheets, DuckDB, Polars or Spark
  entente-trainer analyse games.store --shard 1/2 --output runs/first
  entente-trainer analyse games.store --shard 2/2 --output runs/second
  entente-trainer analyse merge runs/first runs/second --output runs/both
      Divide the work between two machines, and join the results

The folder gets report.html, summary.md, the tables constraints.csv, plies.csv, bands.csv and squares.csv, and the \
plots in plots/ as SVG and PNG. A game meets a constraint at the first ply after which it holds; plies are counted \
from 1.

Exit status: 0 everything was written, 2 an error or interrupted, and nothing was written.";

/// Options of `analyse`.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,

    /// A game store (made by `import`), or the folder of a tournament
    #[arg(required = true, value_name = "FILE|DIR")]
    source: Option<PathBuf>,

    /// The folder for all results; it must be new or empty
    #[arg(short, long, required = true, value_name = "DIR")]
    output: Option<PathBuf>,

    /// thesis (17), all (486), or a file with one constraint per line; a tournament has the constraints of its plan
    /// [default: thesis]
    #[arg(short, long, value_name = "SET|FILE")]
    constraints: Option<String>,

    /// Only games in which the mean of both ratings is from FROM to TO
    #[arg(long, value_name = "FROM..TO", value_parser = ratings)]
    ratings: Option<(u16, u16)>,

    /// Only games with ratings on this scale
    #[arg(long, value_enum)]
    scale: Option<Scale>,

    /// Only games of this entrant of a tournament
    #[arg(long, value_name = "NAME")]
    entrant: Option<String>,

    /// Show another analysis, given by its folder, next to this one
    #[arg(long, value_name = "DIR", conflicts_with = "shard")]
    beside: Option<PathBuf>,

    /// Analyse only part I of N of the store; auto: take the part from the array job's task
    #[arg(long, value_name = "I/N", value_parser = Shard::given)]
    shard: Option<Shard>,

    #[command(flatten)]
    shared: Shared,

    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

#[derive(Args, Clone)]
struct Shared {
    /// Also write a table of games for each constraint into games/; a shard always writes CSV, from which merge makes
    /// all formats
    #[arg(long, value_enum, value_delimiter = ',', value_name = "FORMAT")]
    games: Vec<Format>,

    /// Number of classes of constraints that are met after similar numbers of plies
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..))]
    classes: u16,
}

#[derive(Subcommand)]
enum Command {
    /// Join the analyses of all shards into one that equals the analysis of a single run
    Merge {
        /// The folders of all shards
        #[arg(required = true)]
        parts: Vec<PathBuf>,
        /// The folder for the joined results; it must be new or empty
        #[arg(short, long, value_name = "DIR")]
        output: PathBuf,
        #[command(flatten)]
        shared: Shared,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text
    Csv,
    /// Compressed columns
    Parquet,
}

fn ratings(text: &str) -> Result<(u16, u16), String> {
    let ends =
        text.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse::<u16>().ok()?)));
    let ends = ends.filter(|(from, to)| from <= to).and_then(|(from, to)| Some((from, to.checked_add(1)?)));
    ends.ok_or_else(|| "expected two ratings, the lower one first, such as 1400..1600".to_owned())
}

/// Analyses, or joins analyses.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<()> {
    // The handler of Ctrl-C must exist before any folder is created.
    interrupt::flag();
    match (&arguments.command, &arguments.source, &arguments.output) {
        (Some(Command::Merge { parts, output, shared }), ..) => merge(parts, output, shared),
        (None, Some(source), Some(output)) => analyse(&arguments, source, output),
        (None, ..) => bail!("expected a game store or the folder of a tournament, and --output DIR"),
    }
}

fn analyse(arguments: &Arguments, source: &Path, output: &Path) -> anyhow::Result<()> {
    let start = Instant::now();
    let beside = arguments.beside.as_deref().map(Study::open).transpose()?;
    if let (Some(path), Some(study)) = (&arguments.beside, &beside) {
        let shard = study.shard;
        ensure!(shard == Shard::WHOLE, "{}: only shard {shard}; join the parts with merge", path.display());
    }
    let selection = Selection {
        ratings: arguments.ratings,
        scale: arguments.scale.map(Into::into),
        entrant: arguments.entrant.clone(),
    };
    let study = match if source.is_dir() { Generated::open(source)? } else { None } {
        Some(generated) => {
            for (is_given, option) in [
                (arguments.constraints.is_some(), "constraints"),
                (arguments.shard.is_some(), "shard"),
                (!arguments.shared.games.is_empty(), "games"),
            ] {
                ensure!(!is_given, "option --{option}: not available for tournaments");
            }
            let study = generated.study(selection)?;
            let folder = Fresh::begin(output)?;
            publish(folder.path(), &study, beside.as_ref(), classes(&arguments.shared), &ours())?;
            folder.finish()?;
            study
        }
        None => {
            ensure!(arguments.entrant.is_none(), "option --entrant: only for tournaments");
            of_store(arguments, source, output, selection, beside.as_ref())?
        }
    };
    let games: u64 = study.of(|_| true).games;
    let seconds = start.elapsed().as_secs_f64().max(1e-3);
    eprintln!(
        "{} {} in {seconds:.1} s, {} games/s",
        grouped(games),
        noun(games, "game", "games"),
        grouped((games as f64 / seconds) as u64)
    );
    println!("{}", output.join(if arguments.shard.is_some() { "" } else { "report.html" }).display());
    Ok(())
}

fn classes(shared: &Shared) -> usize {
    usize::from(shared.classes)
}

/// The command of this run, as reports show it.
fn ours() -> String {
    command("entente-trainer", env::args_os().skip(1))
}

fn of_store(
    arguments: &Arguments,
    source: &Path,
    output: &Path,
    selection: Selection,
    beside: Option<&Study>,
) -> anyhow::Result<Study> {
    let wanted = WantedConstraints::named(arguments.constraints.as_deref().unwrap_or("thesis"))?;
    for name in wanted.held_at_first() {
        eprintln!("{name} holds before the first move; no game is counted for it");
    }
    let store = GameStore::open(source)?;
    ensure!(!store.is_empty(), "{}: no games", source.display());
    let shard = arguments.shard.unwrap_or(Shard::WHOLE);
    let is_part = arguments.shard.is_some();
    let blocks = part(store.block_count(), shard);
    let subject = Subject {
        source: file_name(source),
        hash: sha256_file(source).with_context(|| format!("cannot read {}", source.display()))?,
        is_generated: false,
        selection,
        constraints: wanted.names().to_vec(),
    };
    let threads =
        arguments.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let folder = Fresh::begin(output)?;
    // A part keeps only CSV; merge makes all formats from it.
    let mut formats = formats(&arguments.shared.games);
    if is_part && formats != Formats::default() {
        formats = Formats { csv: true, parquet: false };
    }
    let mut tables = Tables::create(folder.path(), wanted.names(), formats)?;
    let pass = Pass { store: &store, blocks, wanted: &wanted, threads, stop: interrupt::flag() };
    let bars = Bars::default();
    let study = match &mut tables {
        Some(tables) => pass.run(subject, shard, Some(&mut |rows| tables.write(rows)), &bars),
        None => pass.run(subject, shard, None, &bars),
    }?;
    if let Some(tables) = tables {
        tables.finish()?;
    }
    if is_part {
        study.save(folder.path())?;
    } else {
        ensure!(!study.games.is_empty(), "{}: no game by such players", source.display());
        publish(folder.path(), &study, beside, classes(&arguments.shared), &ours())?;
    }
    folder.finish()?;
    Ok(study)
}

/// The blocks of a part. They are consecutive, and the sizes of the parts differ by at most one.
fn part(blocks: usize, shard: Shard) -> Range<usize> {
    let bound = |number: u64| (blocks as u64 * number / shard.of) as usize;
    bound(shard.number - 1)..bound(shard.number)
}

fn merge(parts: &[PathBuf], output: &Path, shared: &Shared) -> anyhow::Result<()> {
    let (study, order) = Study::join(parts)?;
    if let Some(part) = parts.iter().find(|part| !shared.games.is_empty() && !part.join(GAMES).is_dir()) {
        bail!("{}: made without --games", part.display());
    }
    let folder = Fresh::begin(output)?;
    if let Some(mut tables) =
        Tables::create(folder.path(), &study.subject.constraints, formats(&shared.games))?
    {
        for (index, name) in file_names(&study.subject.constraints).iter().enumerate() {
            let mut games = 0;
            for place in &order {
                let path = parts[*place].join(GAMES).join(format!("{name}.csv"));
                for row in read_csv(&path)? {
                    tables.write(vec![(index, row?)])?;
                    games += 1;
                }
            }
            let counted = study.tallies[index].all().games;
            ensure!(
                games == counted,
                "{}: the parts' tables have {games} games, but {counted} were counted",
                study.subject.constraints[index]
            );
        }
        tables.finish()?;
    }
    publish(folder.path(), &study, None, classes(shared), &ours())?;
    folder.finish()?;
    println!("{}", output.join("report.html").display());
    Ok(())
}

/// The folder of the tables of games.
const GAMES: &str = "games";

fn formats(wanted: &[Format]) -> Formats {
    Formats { csv: wanted.contains(&Format::Csv), parquet: wanted.contains(&Format::Parquet) }
}

/// A table of games for each constraint.
struct Tables {
    writers: Vec<TableWriter>,
}

impl Tables {
    /// Creates the tables in a folder of their own, [`GAMES`]; `None` if no format is wanted.
    fn create(folder: &Path, constraints: &[String], formats: Formats) -> anyhow::Result<Option<Tables>> {
        if formats == Formats::default() {
            return Ok(None);
        }
        let folder = folder.join(GAMES);
        fs::create_dir(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let names = file_names(constraints);
        let create = |name: &String| TableWriter::create(&folder.join(name), formats);
        Ok(Some(Tables { writers: names.iter().map(create).collect::<Result<_, _>>()? }))
    }

    fn write(&mut self, rows: Rows) -> anyhow::Result<()> {
        rows.into_iter().try_for_each(|(constraint, row)| self.writers[constraint].write(&[row]))
    }

    fn finish(self) -> anyhow::Result<()> {
        self.writers.into_iter().try_for_each(TableWriter::finish)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_store_are_consecutive_and_cover_it() {
        for (blocks, of) in [(206, 8), (3, 5), (1, 1), (0, 2)] {
            let parts: Vec<_> = (1..=of).map(|number| part(blocks, Shard { number, of })).collect();
            assert_eq!((parts[0].start, parts[parts.len() - 1].end), (0, blocks));
            assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start));
        }
    }

    #[test]
    fn ratings_are_two_numbers_in_ascending_order() {
        assert_eq!(ratings("1400..1600"), Ok((1400, 1601)));
        assert!(["1400", "1600..1400", "a..b", "1..70000"].iter().all(|text| ratings(text).is_err()));
    }
}
