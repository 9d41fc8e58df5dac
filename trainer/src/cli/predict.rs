//! `entente-trainer predict`: compares how well policies predict the moves of human games.

use std::{path::PathBuf, sync::Arc, thread};

use super::{bars::Bars, scale::Scale};
use crate::{
    games::{GameStore, Split},
    prediction::{Bands, Predictor, PredictorName, compare, draw},
    progress::ProgressObserver as _,
    samples::goal::Archive,
};
use clap::ValueEnum;

const EXAMPLES: &str = "\
Examples:
  entente-trainer predict games.store -p ours=goal-policy -p before=runs/old.onnx
  entente-trainer predict games.store --alone network=goal-policy \\
      -p maia=1100:maia-1100.onnx,1300:maia-1300.onnx,1500:maia-1500.onnx,1700:maia-1700.onnx,1900:maia-1900.onnx
  entente-trainer predict games.store -p ours=goal-policy --scale fide --bands 1500,1800,2100,2400 --width 150

All policies are measured on the same positions. They come from games, without bullet, in which both players are rated \
within --width of the middle of a band. Several files after one name are networks that each predict players of one \
rating; the network nearest to the mover's rating is asked. The output is a table in Markdown: top-1 is the share of \
positions in which the most likely move was played; nats is the mean of −ln of the probability of the move played; ± \
is half of a 95% interval, with games as clusters.

Exit status: 0 all policies were measured, 2 an error.";

/// Options of `predict`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The game store (made by `import`)
    store: PathBuf,

    /// A policy, with its skill if it has one; or several that each predict players of one rating. May be given more
    /// than once
    #[arg(short, long, value_name = "NAME=FILE")]
    policy: Vec<PredictorName>,

    /// A policy without its skill. May be given more than once
    #[arg(short, long, value_name = "NAME=FILE")]
    alone: Vec<PredictorName>,

    /// The split from which the games are taken
    #[arg(long, value_enum, default_value = "test")]
    split: Part,

    /// The scale of the ratings
    #[arg(long, value_enum, default_value = "online")]
    scale: Scale,

    /// The ratings in the middle of the bands
    #[arg(long, value_name = "R,R…", value_delimiter = ',', default_values_t = [1100, 1300, 1500, 1700, 1900])]
    bands: Vec<u16>,

    /// Both players are rated within N points of the middle of a band
    #[arg(long, value_name = "N", default_value_t = 50)]
    width: u16,

    /// Leave out the first N plies
    #[arg(long, value_name = "N", default_value_t = 10)]
    first_ply: usize,

    /// Maximum number of positions per band
    #[arg(long, value_name = "N", default_value_t = 12_000)]
    positions: usize,

    /// Leave out players with more than N games; 0: keep all players
    #[arg(long, value_name = "N", default_value_t = 20)]
    player_games: u32,

    /// Seed of the order in which games are drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Part {
    /// The games with which networks are chosen
    Validation,
    /// Games that are used for nothing else
    Test,
}

/// Measures and prints a table.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<()> {
    let threads =
        arguments.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let named = arguments.policy.iter().map(|name| (name, false));
    let named = named.chain(arguments.alone.iter().map(|name| (name, true)));
    let mut predictors = Vec::new();
    for (name, alone) in named {
        predictors.push((name.name.as_str(), Predictor::open(name, alone)?));
    }
    anyhow::ensure!(!predictors.is_empty(), "no policy given: add --policy NAME=FILE");
    let split = match arguments.split {
        Part::Validation => Split::Validation,
        Part::Test => Split::Test,
    };
    let bars = Bars::default();
    let [archive] =
        Archive::read(&GameStore::open(&arguments.store)?, [split], threads, &bars)?.map(Arc::new);
    let bands = Bands {
        ratings: arguments.bands.clone(),
        width: arguments.width,
        scale: arguments.scale.into(),
        first_ply: arguments.first_ply,
        most: arguments.positions,
        player_games: arguments.player_games,
    };
    let positions = draw(&archive, &bands, arguments.seed);
    let count: usize = positions.iter().map(|band| band.samples.len()).sum();
    let mut rows = Vec::new();
    for (name, predictor) in &predictors {
        bars.begin(name, count as u64, "positions");
        rows.push((name, compare(predictor, &positions, threads, &bars)?));
        bars.end();
    }
    let headings = rows.iter().map(|(name, _)| format!(" {name}: top-1 | nats |")).collect::<String>();
    println!("| band | positions |{headings}");
    println!("|---|---|{}", "---|---|".repeat(rows.len()));
    let names = positions.iter().map(|band| band.rating.to_string()).chain(["all".to_owned()]);
    for (index, name) in names.enumerate() {
        let cells = rows.iter().map(|(_, scores)| {
            let score = &scores[index];
            let ([hit, hit_error], [loss, loss_error]) = (score.top_1, score.cross_entropy);
            format!(" {:.1}% ± {:.1} | {loss:.3} ± {loss_error:.3} |", 100.0 * hit, 100.0 * hit_error)
        });
        let positions = rows.first().map_or(0, |(_, scores)| scores[index].positions);
        println!("| {name} | {positions} |{}", cells.collect::<String>());
    }
    Ok(())
}
