//! A position as a puzzle: the moves that solve it, for as long as there is only one way.

use entente_search::{Game, Limits, Score, SearchEvent, SearchRequest, Variation};
use shakmaty::{Chess, Move, MoveList, Position};

use crate::{
    play::FixedSearch,
    solution::{Solution, Solver},
};

/// A position to solve, with the moves that the solver must find.
#[derive(Clone, Debug, PartialEq)]
pub struct Puzzle {
    /// The positions in which the solver must find a move; at least one.
    pub steps: Vec<Step>,
}

/// A position in which the solver must find a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The position.
    pub position: Chess,
    /// Its legal moves.
    pub moves: MoveList,
    /// The places in `moves` of the moves that solve it, the best first.
    pub solving: Vec<usize>,
    /// The score of the best move.
    pub best: Score,
    /// The score of the best move that does not solve it; `None` if there is no other move.
    pub next: Option<Score>,
    /// The depth of the iteration of the search from which on the best move was the best, in plies.
    pub depth: u32,
    /// The nodes up to the end of that iteration.
    pub nodes: u64,
}

impl Step {
    /// The best move.
    pub fn solution(&self) -> Move {
        self.moves[self.solving[0]]
    }
}

impl Puzzle {
    /// The most moves that the solver must find; later ones are not looked for.
    pub const MAX_STEPS: usize = 8;
    /// The most first moves that solve a puzzle. If there are more, it is none.
    pub const MAX_SOLVING: usize = 3;
    /// The lowest score that still holds the game, in centipawns.
    pub const HOLD: i32 = -100;
    /// A move solves the position as well as the best one if its score is less than this much lower, in centipawns.
    pub const MARGIN: i32 = Solution::ONLY;
    /// Beyond this score, in centipawns, a game counts as decided, and differences do not matter.
    pub const DECIDED: i32 = Solution::DECIDED;
    /// The nodes of the search for a later move, of that for a reply, and of each search for another move.
    const LATER_NODES: u64 = 40_000;

    /// The puzzle of a position; `None` if no move wins, mates or holds the game, if more than
    /// [`Puzzle::MAX_SOLVING`] moves do, if only one move is legal, or if `limits` end the search early.
    ///
    /// It depends on the position alone. The first search has as many nodes as that of a [`Solver`].
    pub(crate) fn new(search: &mut FixedSearch, position: &Chess, limits: Limits<'_>) -> Option<Puzzle> {
        let mut game = Game::new(position.clone());
        if game.is_over() || position.legal_moves().len() < 2 {
            return None;
        }
        // The result must not depend on earlier positions.
        search.forget();
        let mut steps: Vec<Step> = Vec::new();
        while !game.is_over() && steps.len() < Puzzle::MAX_STEPS {
            let nodes = if steps.is_empty() { Solver::NODES } else { Puzzle::LATER_NODES };
            let most = if steps.is_empty() { Puzzle::MAX_SOLVING } else { 1 };
            let step = step(search, &game, nodes, most, limits);
            if limits.forbid(0, 0) {
                return None;
            }
            let Some(step) = step else { break };
            game.play(step.solution());
            steps.push(step);
            if game.is_over() {
                break;
            }
            // The solver's opponent replies.
            let moves = game.position().legal_moves().to_vec();
            let request = request(moves);
            let limits = Limits { nodes: Puzzle::LATER_NODES, ..limits };
            let reply = search.search(&game, &request, limits, &mut |_| ());
            game.play(reply[0].moves[0]);
        }
        (!steps.is_empty()).then_some(Puzzle { steps })
    }

    /// True if a best move with this score wins, mates or holds the game.
    pub(crate) fn is_goal(score: Score) -> bool {
        match score {
            Score::Mate(moves) => moves > 0,
            Score::Centipawns(centipawns) => centipawns >= Puzzle::HOLD,
        }
    }

    /// True if a move with the score `other` solves a position, given the score of the best move.
    pub(crate) fn solves(best: Score, other: Score) -> bool {
        match (best, other) {
            (Score::Mate(best), Score::Mate(other)) => 0 < other && other <= best,
            (Score::Mate(_), Score::Centipawns(_)) => false,
            _ => best.within(Puzzle::DECIDED) - other.within(Puzzle::DECIDED) < Puzzle::MARGIN,
        }
    }
}

/// The step in the current position; `None` if nothing is to be found there, or more than `most` moves solve it.
fn step(search: &mut FixedSearch, game: &Game, nodes: u64, most: usize, limits: Limits<'_>) -> Option<Step> {
    let position = game.position();
    let moves = position.legal_moves();
    let place = |m: Move| moves.iter().position(|other| *other == m);
    let (mut depth, mut nodes_then, mut first) = (0, 0, None);
    let mut watch = |report: &entente_search::SearchReport<'_>| {
        if let SearchEvent::Variations(lines) = report.event {
            let best = lines.first().and_then(|line| line.moves.first().copied());
            if best != first {
                (first, depth, nodes_then) = (best, report.depth, report.nodes);
            }
        }
    };
    let own = Limits { nodes, ..limits };
    let Variation { score: best, moves: line, .. } =
        search.search(game, &request(moves.to_vec()), own, &mut watch).into_iter().next()?;
    let solution = *line.first()?;
    if !Puzzle::is_goal(best) {
        return None;
    }
    let mut solving = vec![place(solution)?];
    let mut next = None;
    while solving.len() < moves.len() {
        let others = moves.iter().enumerate().filter(|(index, _)| !solving.contains(index));
        let request = request(others.map(|(_, m)| *m).collect());
        let limits = Limits { nodes: Puzzle::LATER_NODES, ..limits };
        let other = search.search(game, &request, limits, &mut |_| ()).into_iter().next()?;
        if !Puzzle::solves(best, other.score) {
            next = Some(other.score);
            break;
        }
        // Whichever way a later mate is given, the mate was found.
        let most = if matches!(best, Score::Mate(_)) { Puzzle::MAX_SOLVING } else { most };
        if solving.len() == most {
            return None;
        }
        solving.push(place(*other.moves.first()?)?);
    }
    Some(Step { position: position.clone(), moves, solving, best, next, depth, nodes: nodes_then })
}

fn request(moves: Vec<Move>) -> SearchRequest {
    SearchRequest { patient: true, ..SearchRequest::best_of(moves) }
}

#[cfg(test)]
mod tests {
    use entente_search::position_from_fen;

    use super::*;

    fn puzzle(fen: &str) -> Option<Puzzle> {
        let mut search = FixedSearch::new(Solver::NODES, FixedSearch::MEBIBYTES);
        Puzzle::new(&mut search, &position_from_fen(fen).unwrap(), Limits::none())
    }

    #[test]
    fn a_puzzle_has_every_move_that_only_one_move_solves() {
        for (fen, moves) in [
            // A mate in one, a mate in two after forced moves, a fork, and a capture that only the king may make.
            ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", &["Ra1-a8"][..]),
            ("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", &["Kf6-f7", "Rg1-h1"]),
            ("4k3/2q2ppp/8/3N4/8/8/5PPP/6K1 w - - 0 1", &["Nd5xc7"]),
        ] {
            let puzzle = puzzle(fen).unwrap();
            let found: Vec<String> = puzzle.steps.iter().map(|step| step.solution().to_string()).collect();
            assert!(found.len() >= moves.len() && found[..moves.len()] == *moves, "{fen}: {found:?}");
        }
    }

    #[test]
    fn a_position_without_a_choice_or_with_too_many_solutions_is_no_puzzle() {
        for fen in [
            // A won ending, the initial position, a lost position, a forced move, checkmate.
            "4k3/8/8/8/8/8/8/QQQ1K3 b - - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "4k3/8/8/8/8/8/5q2/3q2RK w - - 0 1",
            "7k/8/6K1/8/8/8/8/5R2 b - - 0 1",
            "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
        ] {
            assert_eq!(puzzle(fen), None, "{fen}");
        }
    }

    #[test]
    fn several_moves_that_mate_solve_it_together() {
        let puzzle = puzzle("6k1/5ppp/8/8/8/8/8/R3R1K1 w - - 0 1").unwrap();
        assert_eq!((puzzle.steps.len(), puzzle.steps[0].solving.len()), (1, 2));
        assert!(matches!(puzzle.steps[0].next, Some(Score::Centipawns(_))));
    }

    #[test]
    fn differences_beyond_a_decided_game_do_not_matter() {
        use Score::{Centipawns, Mate};
        for (best, other, solves) in [
            (Centipawns(300), Centipawns(151), true),
            (Centipawns(300), Centipawns(150), false),
            (Centipawns(2000), Centipawns(700), true),
            (Centipawns(2000), Centipawns(450), false),
            (Centipawns(900), Mate(5), true),
            (Mate(2), Mate(2), true),
            (Mate(2), Mate(3), false),
            (Mate(2), Centipawns(3000), false),
            (Centipawns(0), Mate(-3), false),
        ] {
            assert_eq!(Puzzle::solves(best, other), solves, "{best:?} {other:?}");
        }
    }
}
