//! Wrong tries: moves that seem to solve a position, with the line that refutes them.

use entente_constraint::child_of;
use entente_search::{Limits, Score};
use shakmaty::{Chess, Move};

use super::{Solution, Solver, Solving};

/// A move that does not solve a position, and how the opponent refutes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongTry {
    /// The try, followed by the refutation: up to the opponent's first capture or promotion, or to the mate; otherwise
    /// a few moves.
    pub moves: Vec<Move>,
    /// The evaluation after the try, for the side that tries.
    pub score: Score,
}

/// The number of plies of a refutation without capture, promotion or mate.
const PLIES: usize = 3;

impl Solver {
    /// `tried` as a wrong try; `None` if it is a solution, nearly as good as one, or illegal.
    pub fn wrong_try(&mut self, position: &Chess, solution: &Solution, tried: Move) -> Option<WrongTry> {
        let mut solving = Solving::new(&mut self.search, Limits::none());
        let Ok(line) = solving.best(position, &[tried], None);
        let line = line?;
        let of = |score: Score| score.within(Solution::DECIDED);
        // A move that wins less quickly wins.
        let is_worse = of(solution.score) - of(line.score) >= Solution::ONLY;
        if !is_worse {
            return None;
        }
        let mut moves = vec![tried];
        match line.score {
            Score::Mate(mate) if mate < 0 => {
                let after = child_of(position, tried);
                let Ok(mating) = solving.mating_line(&after, line.moves[1..].to_vec(), mate.abs());
                moves.extend(mating);
            }
            _ => {
                for (place, m) in line.moves.iter().enumerate().skip(1).take(PLIES) {
                    moves.push(*m);
                    let is_reply = place % 2 == 1;
                    if is_reply && (m.is_capture() || m.is_promotion()) {
                        break;
                    }
                }
                // The opponent has the last word.
                if moves.len() > 1 && moves.len() % 2 == 1 {
                    moves.pop();
                }
            }
        }
        Some(WrongTry { moves, score: line.score })
    }
}

#[cfg(test)]
mod tests {
    use entente_search::position_from_fen;
    use shakmaty::san::{San, SanPlus};

    use super::*;

    fn tried(fen: &str, san: &str) -> Option<(Vec<String>, Score)> {
        let position = position_from_fen(fen).unwrap();
        let m = san.parse::<San>().unwrap().to_move(&position).unwrap();
        let mut solver = Solver::with_nodes(20_000);
        let solution = solver.solve(&position).unwrap();
        let wrong = solver.wrong_try(&position, &solution, m)?;
        let mut after = position;
        let mut moves = Vec::new();
        for m in &wrong.moves {
            moves.push(SanPlus::from_move_and_play_unchecked(&mut after, *m).to_string());
        }
        Some((moves, wrong.score))
    }

    #[test]
    fn a_try_is_refuted_by_what_it_overlooks() {
        // White must not leave its first rank.
        let fen = "3r2k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
        let (moves, score) = tried(fen, "Ra7").unwrap();
        assert_eq!((moves.as_slice(), score), (&["Ra7".to_owned(), "Rd1#".to_owned()][..], Score::Mate(-1)));
    }

    #[test]
    fn a_try_that_loses_a_man_ends_with_its_capture() {
        let (moves, score) = tried("4k3/2q2ppp/8/3N4/8/8/5PPP/6K1 w - - 0 1", "Nf6").unwrap();
        assert_eq!(moves, ["Nf6+", "gxf6"]);
        assert!(matches!(score, Score::Centipawns(..-500)), "{score:?}");
    }

    #[test]
    fn what_solves_the_position_is_no_wrong_try() {
        let mates = "6k1/5ppp/8/8/8/8/8/R3R1K1 w - - 0 1";
        assert_eq!((tried(mates, "Ra8"), tried(mates, "Re8")), (None, None));
        // It wins less quickly.
        assert_eq!(tried(mates, "Ra7"), None);
        // Nothing is to be found in the initial position.
        assert_eq!(tried("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "d4"), None);
    }
}
