use std::path::PathBuf;

use clap::Args;

use super::policy_arguments::PolicyArguments;
use crate::{
    generation::{BackendChoice, Budget, EvaluatorChoice, Format, MethodChoice, Plan, Request, Settings},
    search::NegamaxSettings,
};

/// The last position of a seed that can be begun with: far enough from the end of all numbers.
const MOST_INDEX: u64 = 1 << 62;

/// Generate legal positions that satisfy a constraint, each with its proof game.
///
/// Results go to standard output, progress and a summary to standard error. Ctrl-C ends the run and keeps
/// what was found. The exit status is 0 if all positions were found, 1 if some were not, 2 if the
/// constraint is impossible or the input is bad.
#[derive(Args)]
#[command(after_help = "\
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
      An endgame with a minor piece each
  entente generate \"checkmate N@f7 k@h8\"
      A smothered mate
  entente generate \"castling=KQkq Q=0 q=0\"
      No queens, and everybody may still castle both ways
  entente generate \"(Q-q=1 turn=black) | mirror(Q-q=1 turn=black)\"
      A queen ahead, and the other side to move, whoever it is
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
    /// Positions to generate
    #[arg(long, short = 'n', default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) count: u64,
    /// Generate only positions that differ in the placement of their men
    #[arg(long)]
    pub(super) distinct: bool,
    /// How moves are chosen [auto: goal-policy, or what heeds the other options]
    #[arg(long, value_enum, default_value_t = MethodChoice::Auto)]
    pub(super) method: MethodChoice,
    /// Plies to look ahead with negamax [default: 1 with a network, 2 without]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(NegamaxSettings::MAX_DEPTH)))]
    pub(super) depth: Option<u32>,
    /// Search exactly as the thesis did: no pruning, no exact leaves, no table, no retries
    #[arg(long)]
    pub(super) faithful: bool,
    /// How far below the best a move's value may be for the move to be drawn, from 0 to 1
    ///
    /// Subtracted from the best value with a network and if --faithful; a share of the best value with the material
    /// evaluator. Unless --faithful, where search finds a satisfied position only the shortest ways there are drawn.
    #[arg(long, default_value_t = NegamaxSettings::DEFAULT_CRITERION)]
    pub(super) criterion: f32,
    /// What values positions [auto: network where one was trained on the constraint, else material]
    #[arg(long, value_enum, default_value_t = EvaluatorChoice::Auto)]
    pub(super) evaluator: EvaluatorChoice,
    /// An embedded network or an ONNX file: for negamax thesis-1, thesis-2 or one like them, else a policy
    /// [default: thesis-2, goal-policy]
    #[arg(long, value_name = "NAME|FILE")]
    pub(super) network: Option<String>,
    /// What runs the network; torch needs a build with `--features torch`
    #[arg(long, value_enum, default_value_t = BackendChoice::Tract)]
    pub(super) backend: BackendChoice,
    #[command(flatten)]
    pub(super) policy: PolicyArguments,
    /// Start from this position instead of the initial one; its men and its rights to castle are what there is
    #[arg(long, value_name = "FEN")]
    pub(super) from: Option<String>,
    /// The same seed gives the same positions, with any number of threads [default: a random one]
    #[arg(long)]
    pub(super) seed: Option<u64>,
    /// Begin with this position of the seed, counted from 0: the index that EPD and JSON lines carry
    #[arg(long, default_value_t = 0, requires = "seed", hide_default_value = true,
        value_parser = clap::value_parser!(u64).range(..=MOST_INDEX))]
    pub(super) index: u64,
    #[arg(long, help = format!("Threads, 1 to {} [default: all cores]", Plan::MAX_THREADS),
        value_parser = clap::value_parser!(u32).range(1..=i64::from(Plan::MAX_THREADS)))]
    pub(super) threads: Option<u32>,
    #[arg(long, help = format!("The longest proof game, in plies, 1 to {}", Settings::MOST_MAX_PLIES),
        default_value_t = Settings::DEFAULT_MAX_PLIES,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(Settings::MOST_MAX_PLIES)))]
    pub(super) max_plies: u32,
    #[arg(long, help = format!(
            "Positions searched for each position generated, at most; negamax gives up after {} games, with \
             --faithful after one, and best-first, unless limited, after {} searches",
            Budget::ATTEMPTS, Budget::SEARCHES
        ), value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes: Option<u64>,
    /// Milliseconds for each position, at most
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) movetime: Option<u64>,
    /// How positions are written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
    /// Write to this file instead of standard output, whole or not at all
    ///
    /// The file appears, or replaces one of its name, when the run ends. If Ctrl-C ends it early, it holds the
    /// positions found until then; without any, and if Ctrl-C comes twice, nothing is written and an older
    /// file stays. Pipes and devices are written at once; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}

impl Arguments {
    /// How positions are to be generated.
    pub(super) fn request(&self) -> Request {
        Request {
            method: self.method,
            depth: self.depth,
            criterion: self.criterion,
            faithful: self.faithful,
            evaluator: self.evaluator,
            network: self.network.clone(),
            backend: self.backend,
            policy: self.policy.request(),
            nodes: self.nodes,
            movetime: self.movetime,
        }
    }
}
