use std::path::PathBuf;

use clap::Args;

use crate::{
    cli::flags::{GenerationFlags, choice},
    generation::Format,
};

/// The last position of a seed that can be begun with: far enough from the end of all numbers.
const MOST_INDEX: u64 = 1 << 62;

/// The examples come before the many options.
const EXAMPLES_FIRST: &str =
    "{before-help}{about-with-newline}\n{usage-heading} {usage}{after-help}\n\n{all-args}";

/// Generate legal positions that satisfy a constraint, each with its proof game.
///
/// Results go to standard output; progress and a summary go to standard error. Ctrl-C ends the run and keeps the
/// positions found so far. The exit status is 0 if every position was found, 1 if some were not, and 2 if the constraint
/// is impossible or the input is wrong.
#[derive(Args)]
#[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  entente generate \"(1,2,1,1,7)\" --count 5
      White has a queen, two rooks, a bishop, a knight and seven pawns
  entente generate \"Q=0 q=0 R-r=1\" --format fen --count 100 > positions.fen
      No queens, White a rook ahead
  entente generate \"P<=3 p<=3 (N=2 | n=2)\" --distinct --count 20 --format pgn --output games.pgn
      Few pawns and a side with both knights
  entente generate \"material=KRPvKR P@6-7 turn=white\" --count 10
      Rook and pawn against rook, the pawn far advanced, White to move
  entente generate \"[BN]=1 [bn]=1 [QRqr]=0 P=3 p=3 check=none\" --count 10 --format epd
      An endgame with one minor piece on each side
  entente generate \"checkmate N@f7 k@h8\"
      A mate with a knight on f7 and the king on h8
  entente generate \"castling=KQkq Q=0 q=0\"
      No queens, and both sides may still castle both ways
  entente generate \"(Q-q=1 turn=black) | mirror(Q-q=1 turn=black)\"
      One side is a queen ahead, and the other side is to move
  entente generate \"fen=r1bq1rk1/pp3ppp/2n1pn2/2bp4/8/2N1PN2/PPQ1BPPP/R1B2RK1\" --movetime 60000
      A proof game for this diagram
  entente generate \"k@e4 check=black ply<=30\" --from \"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1\"
      From another position, within 30 plies
  entente generate \"(0,2,2,2,7)\" --faithful --depth 2 --network thesis-2 --seed 7
      The published algorithm")]
pub struct Arguments {
    /// The constraint, in quotes, such as "(1,2,1,1,7)" or "N@f5 check=black"; see docs/constraints.md
    #[arg(allow_hyphen_values = true)]
    pub(super) constraint: String,
    /// How many positions to generate
    #[arg(long, short = 'n', default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) count: u64,
    /// Generate only positions that differ in the placement of their men
    #[arg(long)]
    pub(super) distinct: bool,
    /// Start from this position instead of the initial one
    #[arg(long, value_name = "FEN")]
    pub(super) from: Option<String>,
    /// Begin with the position of this index, counted from 0, as EPD and JSON lines carry it
    #[arg(long, default_value_t = 0, requires = "seed", hide_default_value = true,
        value_parser = clap::value_parser!(u64).range(..=MOST_INDEX))]
    pub(super) index: u64,
    /// The format of the results
    #[arg(long, default_value = "text", value_parser = choice::<Format>())]
    pub(super) format: Format,
    /// Write the results to this file instead of standard output, completely or not at all
    ///
    /// The file appears, or replaces an older one, when the run ends. If you press Ctrl-C, it holds the positions found
    /// so far. If there are none, or if you press Ctrl-C twice, an older file stays as it is. Pipes and devices get
    /// every result at once; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) flags: GenerationFlags,
}
