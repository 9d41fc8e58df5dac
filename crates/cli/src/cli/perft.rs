use std::{sync::atomic::AtomicBool, time::Instant};

use clap::Args;
use entente_search::perft;
use shakmaty::Chess;

use super::{FOUND, position, print, words};

/// Count the leaves of the tree of legal moves, the usual test of a move generator.
///
/// Prints the number of leaves below each move, then the total.
#[derive(Args)]
#[command(after_help = "\
Examples:
  entente perft 5
      4865609 leaves from the initial position
  entente perft 4 \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\"
      4085603 leaves")]
pub(super) struct Arguments {
    /// The depth in plies
    #[arg(value_parser = words::number::<u32>(1..=perft::DEEPEST.into()))]
    depth: u32,
    /// The FEN of the position, in quotes [default: the initial position]
    fen: Option<String>,
}

/// Runs `entente perft` and returns its exit status.
///
/// # Errors
/// If the FEN is wrong or standard output cannot be written.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let root = arguments.fen.as_deref().map_or(Ok(Chess::default()), |fen| position("FEN", fen))?;
    let start = Instant::now();
    let leaves = perft::divide(&root, arguments.depth, &AtomicBool::new(false)).expect("nothing stops it");
    let report = perft::PerftReport::new(&root, leaves, start.elapsed());
    print(&format!("{report}\n")).map(|()| FOUND)
}
