//! `entente-trainer ladder`: matches of a policy against itself at different ratings.

use std::thread;

use anyhow::{Context as _, ensure};
use entente_network::{NetworkKind as _, Policy};

use super::{bars::bar, scale::Scale};
use crate::training::policy::{Match, Points};

const EXAMPLES: &str = "\
Examples:
  entente-trainer ladder models/goal-policy.onnx 1500 1900
  entente-trainer ladder models/goal-policy.onnx 1200 1500 1800 2100 --games 300

Each rating plays the rating before it in the list. Both sides draw their moves from the policy, which is given both \
ratings. Its skill corrects the moves, unless --alone is given. The output has the wins, draws and losses of the later \
rating, its share of the points with a standard error, and the Elo difference that corresponds to this share.

Exit status: 0 all games were played, 2 an error.";

/// Options of `ladder`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The policy: the name of an embedded one, or an ONNX file
    model: String,

    /// The ratings, at least two
    #[arg(required = true, num_args = 2..)]
    ratings: Vec<u16>,

    /// The scale of these ratings
    #[arg(long, value_enum, default_value_t = Scale::Online)]
    rating_scale: Scale,

    /// Number of games between two neighbouring ratings
    #[arg(long, value_name = "N", default_value_t = 200)]
    games: usize,

    /// Draw moves from the network alone, without the short search of the policy's skill
    #[arg(long)]
    alone: bool,

    /// Seed of all games
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

/// Plays.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<()> {
    let Arguments { model, ratings, rating_scale, games, alone, seed, threads } = arguments;
    ensure!(games > 0, "option --games: expected at least 1, found 0");
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let policy = Policy::open(&model).context("a policy is needed")?;
    let policy = if alone { policy.with_skill(None) } else { policy };
    for pair in ratings.windows(2) {
        let pairing = Match { ratings: [pair[1], pair[0]], scale: rating_scale.into(), games, seed };
        let bar = bar(games as u64, "{bar:32} {pos}/{len} games, {per_sec}, {eta} left");
        let points = pairing.play(&policy, threads.map_or(cores, usize::from), || bar.inc(1))?;
        bar.finish_and_clear();
        let (share, error) = points.share();
        let Points { won, drawn, lost } = points;
        println!(
            "{} against {}: +{won} ={drawn} -{lost}, {:.1}% ± {:.1}%, {}",
            pair[1],
            pair[0],
            100.0 * share,
            100.0 * error,
            elo(share)
        );
    }
    Ok(())
}

/// The rating difference for which the logistic formula expects this share of the points.
fn elo(share: f64) -> String {
    if share <= 0.0 || share >= 1.0 {
        return "no finite Elo difference".to_owned();
    }
    format!("{:+.0} Elo", -400.0 * (1.0 / share - 1.0).log10())
}
