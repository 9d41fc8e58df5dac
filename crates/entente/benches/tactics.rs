//! How many tactical positions the tree search with the network solves, by visits: `cargo bench --workspace --bench
//! tactics`.
//!
//! The positions of `tactics.epd` come from games that Entente generated; in each Stockfish 15.1 found one move to be
//! much better than all others. A position is solved if that move is the answer; one thread, each position by itself.

use std::{collections::BTreeMap, sync::atomic::AtomicBool, time::Instant};

use entente::play::{LookAhead, Parameters, Players, Strength, TreeSearch};
use entente_network::{NetworkKind, Policy};
use entente_search::{Game, Limits, SearchRequest, position_from_fen};
use shakmaty::{Chess, Move, Position, san::SanPlus};

/// Visits after which the answer is looked at.
const VISITS: [u64; 4] = [1, 100, 400, 800];

/// A position, its theme, and the best move.
struct Puzzle {
    theme: &'static str,
    position: Chess,
    best: Move,
}

fn main() {
    let puzzles: Vec<Puzzle> = include_str!("tactics.epd").lines().map(puzzle).collect();
    println!("the network alone");
    look_at(&puzzles, Parameters { look_ahead: LookAhead::NONE, ..Parameters::DEFAULT });
    println!("with a look ahead, as it plays");
    look_at(&puzzles, Parameters::DEFAULT);
}

fn look_at(puzzles: &[Puzzle], parameters: Parameters) {
    let policy = Policy::open(Policy::DEFAULT).expect("it is built in");
    let players = Players { ratings: [Some(Strength::BEST_RATING); 2], ..Players::UNKNOWN };
    let mut search = TreeSearch::new(64, &policy, 1, &parameters);
    search.seat(players);

    // For each theme, the number of puzzles, and the number solved with each number of visits.
    let mut solved: BTreeMap<&str, (usize, [usize; VISITS.len()])> = BTreeMap::new();
    let start = Instant::now();
    for Puzzle { theme, position, best } in puzzles {
        search.forget();
        let (count, solved) = solved.entry(theme).or_default();
        *count += 1;
        let moves = position.legal_moves().to_vec();
        let request = SearchRequest { moves, depth: u32::MAX, mate: None, patient: true, lines: 1 };
        let game = Game::new(position.clone());
        let mut before = 0;
        for (solved, visits) in solved.iter_mut().zip(VISITS) {
            let stop = AtomicBool::new(false);
            // The search continues with the same tree.
            let limits = Limits { nodes: visits - before, ..Limits::until(&stop) };
            before = visits;
            let lines = search.search(&game, &request, limits, &mut |_| {}).expect("it runs");
            *solved += usize::from(lines[0].moves[0] == *best);
        }
    }
    print!("{:<16}{:>10}", "solved with", "positions");
    VISITS.iter().for_each(|visits| print!("{:>14}", format!("{visits} visits")));
    println!();
    let mut all = (0, [0; VISITS.len()]);
    for (theme, (count, solved)) in &solved {
        print_row(theme, *count, solved);
        all.0 += count;
        all.1.iter_mut().zip(solved).for_each(|(sum, solved)| *sum += solved);
    }
    print_row("all together", all.0, &all.1);
    println!("{:.0} s", start.elapsed().as_secs_f64());
}

fn print_row(theme: &str, count: usize, solved: &[usize]) {
    print!("{theme:<16}{count:>10}");
    for solved in solved {
        print!("{:>14}", format!("{solved} ({:.0}%)", 100.0 * *solved as f64 / count as f64));
    }
    println!();
}

/// A line such as `FEN bm Nc7+; id "fork";`.
fn puzzle(line: &'static str) -> Puzzle {
    let (fen, operations) = line.split_once(" bm ").expect("a best move");
    let (best, rest) = operations.split_once(';').expect("its end");
    let theme = rest.split('"').nth(1).expect("a theme");
    let position = position_from_fen(fen).expect("a legal position");
    let best = best.parse::<SanPlus>().expect("a move").san.to_move(&position).expect("a legal one");
    Puzzle { theme, position, best }
}
