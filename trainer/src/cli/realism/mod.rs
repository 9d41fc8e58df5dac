//! `entente-trainer realism`: compares generated games with human games.

mod study;

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
};

use anyhow::{Context, anyhow};
use entente_cli::whole_file::replace_file;

use self::study::Study;
use super::bars::{Bars, bar};
use crate::{
    games::{GameStore, Split},
    realism::{
        Choice, Comparison, Grid, Judge, JudgeEntry, Row, SatisfyingGame, Side, Tournaments, counts,
        deliveries, enough, games_csv, human_games, judges_table,
        loss::{Contest, contests, loss_plot, losses_csv, sampled, table},
        matched, plot, positions_csv, report,
    },
    samples::goal::Archive,
    valuer::Judgement,
};

const EXAMPLES: &str = "\
Examples:
  entente tournament tournaments/realism.toml --output runs/policy
  entente tournament tournaments/realism-search.toml --output runs/search
  entente-trainer realism runs/policy runs/search -s games.store -j models/reference-policy.onnx -o runs/realism
  entente-trainer realism runs/policy -s games.store -j models/reference-policy.onnx --engine stockfish -o runs/realism
  entente-trainer realism runs/policy -s games.store -j maia-1500.onnx -j models/reference-policy.onnx -o runs/realism

The entrants of the tournaments give the ratings (elo) and their scale (rating-scale). Entrants whose names differ \
only in these, such as \"natural 1500\" and \"natural 2200 FIDE\", count as one method. The human games are those of \
the validation and the test split, on the same scale. The output folder gets realism.md, realism.svg, positions.csv \
with the final positions and games.csv with the numbers of each game, so that other programs can classify them, and \
losses.svg and losses.csv with the loss of each move.

Exit status: 0 the report was written, 2 an error.";

/// Options of `realism`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Folders of tournaments for the same constraints
    #[arg(required = true)]
    tournaments: Vec<PathBuf>,

    /// The game store (made by `import`)
    #[arg(short, long, value_name = "FILE")]
    store: PathBuf,

    /// A policy that judges how surprising moves are, without a goal and without skill: an ONNX file in any format of
    /// a policy, such as Maia's. May be given more than once; the tables by constraint and the plot are of the first
    #[arg(short, long, value_name = "FILE", required = true)]
    judge: Vec<String>,

    /// The report's folder
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// How far the ratings of human players may be from the rating; less if two ratings of a scale are closer than
    /// twice that
    #[arg(long, value_name = "POINTS", default_value_t = 100)]
    reach: u16,

    /// Number of human games for each generated game, if there are enough
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..))]
    people: u16,

    /// Minimum number of games on each side for a classifier
    #[arg(long, value_name = "N", default_value_t = 200)]
    least: usize,

    /// The UCI engine that measures the loss of moves: a path, or the name of a program in PATH [default: Entente's
    /// alpha-beta search]
    #[arg(long, value_name = "PATH")]
    engine: Option<PathBuf>,

    /// Nodes that it searches for each position
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1000..))]
    nodes: u64,

    /// Number of games on each side, for each rating and method, whose moves it evaluates, if there are enough; 0: none
    #[arg(long, value_name = "N", default_value_t = 300)]
    loss_games: usize,

    /// Seed for the choice of games and for the classifiers
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Arguments {
    fn choice(&self) -> Choice {
        Choice { human_per_generated: self.people.into(), seed: self.seed }
    }
}

/// Compares.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<()> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let judges = Judge::open_all(&arguments.judge)?;
    let judgement = Judgement::new(arguments.engine.clone(), arguments.nodes);
    // Start an engine now, so that one that does not work is reported before the long work begins.
    let valuer = if arguments.loss_games > 0 { judgement.open()?.name().to_owned() } else { String::new() };
    let tournaments = Tournaments::open(&arguments.tournaments)?;
    let grid = tournaments.grid(arguments.reach)?;
    let mut methods = tournaments.games(&grid)?;
    let store = GameStore::open(&arguments.store)?;
    let (mut theirs, mut numbers) = (Vec::new(), 0);
    for archive in Archive::read(&store, [Split::Validation, Split::Test], threads, &Bars::default())? {
        theirs.extend(human_games(&archive, &grid, numbers, threads));
        numbers += archive.len();
    }
    let names = &tournaments.methods;
    let counts = counts(&grid, &theirs, names, &methods);
    let mut theirs = enough(theirs, &methods, &grid, arguments.choice());
    let games = theirs.len() + methods.iter().map(Vec::len).sum::<usize>();
    for judge in &judges {
        let template = "{msg} judges {bar:32} {pos}/{len} games, {per_sec}, {eta} left";
        let progress = bar(games as u64, template).with_message(judge.name.clone());
        for games in [&mut theirs].into_iter().chain(&mut methods) {
            judge.judge(games, threads, |some| progress.inc(some))?;
        }
        progress.finish_and_clear();
    }

    let choice = arguments.choice();
    let contests = if arguments.loss_games > 0 {
        measured(&arguments, &judgement, &grid, &theirs, &methods, threads)?
    } else {
        Vec::new()
    };
    Contest::tell(&contests, &mut theirs, &mut methods);
    let study = Study {
        grid: &grid,
        human: &theirs,
        judges: judges.len(),
        has_losses: !contests.is_empty(),
        choice,
        least: arguments.least,
        threads,
    };
    let by_rating = study.rows(names, &methods, grid.windows.len(), |window| {
        (grid.windows[window].to_string(), Box::new(move |_, rating| rating == window))
    })?;
    let by_constraint = study.rows(names, &methods, grid.targets.len(), |wanted| {
        (grid.targets[wanted].constraint.to_string(), Box::new(move |constraint, _| constraint == wanted))
    })?;
    let rows =
        |pairs: &[(Row, Comparison<'_>)]| -> Vec<Row> { pairs.iter().map(|(row, _)| row.clone()).collect() };
    let entry = |judge: Judge| JudgeEntry {
        users: tournaments.users(&judge.file),
        name: judge.name,
        origin: judge.origin,
    };
    let judges: Vec<JudgeEntry> = judges.into_iter().map(entry).collect();
    let first = (judges[0].name.as_str(), judges[0].origin);
    let text = report(&grid, first, &rows(&by_rating), &rows(&by_constraint), arguments.least);
    let text = text + &judges_table(&judges, &rows(&by_rating)) + &deliveries(names, &methods) + &counts;
    let compared = methods.iter().map(|games| matched(&theirs, games, &grid, |_, _| true, choice));
    let compared: Vec<Comparison<'_>> = compared.collect();
    let human = compared.first().map(|comparison| ("people", comparison.weighed(Side::Human)));
    let generated = compared.iter().map(|comparison| comparison.weighed(Side::Generated));
    let kinds: Vec<(&str, Vec<(&SatisfyingGame, f64)>)> =
        human.into_iter().chain(names.iter().map(String::as_str).zip(generated)).collect();
    let picture = plot(&kinds, grid.max_plies).map_err(|error| anyhow!("the plot: {error}"))?;
    let judges: Vec<String> = judges.into_iter().map(|judge| judge.name).collect();
    let games = games_csv(&grid, &judges, &by_rating)?;
    let all: Vec<_> = by_rating.into_iter().chain(by_constraint).collect();
    let output = &arguments.output;
    fs::create_dir_all(output).with_context(|| output.display().to_string())?;
    write(output, "positions.csv", &positions_csv(&all)?)?;
    write(output, "games.csv", &games)?;
    write(output, "realism.svg", picture.as_bytes())?;
    let text = if contests.is_empty() {
        text
    } else {
        let picture = loss_plot(&grid, names, &contests).map_err(|error| anyhow!("the plot: {error}"))?;
        write(output, "losses.csv", &losses_csv(&grid, names, &contests)?)?;
        write(output, "losses.svg", picture.as_bytes())?;
        text + &table(&grid, names, &contests, &valuer, arguments.nodes)
    };
    write(output, "realism.md", text.as_bytes())?;
    println!("{}", output.join("realism.md").display());
    Ok(())
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
    let path = folder.join(name);
    replace_file(&path, bytes).with_context(|| path.display().to_string())
}

/// The losses of the moves in a sample of games for each window and method, compared with those in human games.
fn measured(
    arguments: &Arguments,
    judgement: &Judgement,
    grid: &Grid,
    human: &[SatisfyingGame],
    methods: &[Vec<SatisfyingGame>],
    threads: usize,
) -> anyhow::Result<Vec<Contest>> {
    let samples = sampled(human, methods, grid, arguments.loss_games, arguments.seed);
    let mut progress = None;
    let contests = contests(&samples, judgement, threads, |positions| {
        let template = "evaluating {bar:32} {pos}/{len} positions, {per_sec}, {eta} left";
        let bar = progress.insert(bar(positions, template)).clone();
        move |more| bar.inc(more)
    });
    progress.inspect(|bar| bar.finish_and_clear());
    contests
}
