use std::{convert::Infallible, sync::atomic::AtomicBool};

use shakmaty::{CastlingMode, Chess, Move, Position, fen::Fen};

use super::*;
use crate::{Game, Limits};

/// A evaluator that knows only the rules: all moves have the same prior, and open positions are even.
struct Rules;

impl NodeEvaluator for Rules {
    type Error = Infallible;

    fn evaluate(&mut self, game: &Game, depth: u32, _: Limits<'_>) -> Result<NodeEvaluation, Infallible> {
        if let Some(ended) = NodeEvaluation::if_over(game, depth) {
            return Ok(ended);
        }
        let moves = game.position().legal_moves();
        let prior = 1.0 / moves.len() as f32;
        let edges = moves.iter().map(|m| Edge::new(*m, prior, None)).collect();
        Ok(NodeEvaluation::Open { found: Found { value: 0.0, drawn: 0.0 }, edges })
    }
}

/// A evaluator for a cooperative goal: a board without queens.
struct NoQueens;

impl NodeEvaluator for NoQueens {
    type Error = Infallible;

    fn evaluate(&mut self, game: &Game, _: u32, _: Limits<'_>) -> Result<NodeEvaluation, Infallible> {
        let queens = game.position().board().queens().count() as f32;
        let found = Found { value: 1.0 - queens / 4.0, drawn: 0.0 };
        if queens == 0.0 {
            let found = Found { value: 1.0, ..found };
            return Ok(NodeEvaluation::Ended { found, known: Some(Known { value: 1.0, plies: 0 }) });
        }
        let moves = game.position().legal_moves();
        let prior = 1.0 / moves.len() as f32;
        let edges = moves.iter().map(|m| Edge::new(*m, prior, None)).collect();
        Ok(NodeEvaluation::Open { found, edges })
    }
}

fn game(fen: &str) -> Game {
    Game::new(fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap())
}

fn search<J: NodeEvaluator<Error = Infallible>>(
    puct: &mut Puct,
    game: &Game,
    evaluators: &mut [J],
    visits: u64,
) -> Vec<Candidate> {
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: visits, ..Limits::until(&stop) };
    let moves = game.position().legal_moves();
    puct.search(game, &moves, evaluators, limits, |_, _| true).unwrap().0
}

fn competitive() -> Puct {
    Puct::new(16, Backup::Competitive, Exploration::COMPETITIVE)
}

fn uci(m: Move) -> String {
    m.to_uci(CastlingMode::Standard).to_string()
}

#[test]
fn mates_are_proved_with_their_length() {
    for (fen, m, plies) in
        [("7k/8/6K1/8/8/8/8/R7 w - - 0 1", "a1a8", 1), ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6", 3)]
    {
        let game = game(fen);
        let candidates = search(&mut competitive(), &game, &mut [Rules], 20_000);
        let best = &candidates[0];
        assert_eq!(
            (uci(best.moves[0]).as_str(), best.known),
            (m, Some(Known { value: 1.0, plies })),
            "{fen}"
        );
        assert_eq!(best.moves.len() as u32, plies, "{fen}");
    }
}

#[test]
fn the_same_input_gives_the_same_tree() {
    let game = game("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    let run = || search(&mut competitive(), &game, &mut [Rules], 3000);
    assert_eq!(run(), run());
    let visits: u32 = run().iter().map(|candidate| candidate.visits).sum();
    // The first visit is to the root itself.
    assert_eq!(visits, 2999);
}

#[test]
fn threads_together_respect_the_limit_on_visits_and_leave_none_in_progress() {
    let mut puct = competitive();
    let candidates = search(&mut puct, &Game::new(Chess::default()), &mut [Rules, Rules, Rules], 5000);
    let root = puct.tree.node(puct.tree.root().unwrap());
    assert_eq!(root.visits, 5000);
    assert!(root.edges.iter().all(|edge| edge.waiting == 0));
    // Threads that evaluate the root at the same time visit none of its moves.
    let visits: u32 = candidates.iter().map(|candidate| candidate.visits).sum();
    assert!((4997..5000).contains(&visits), "{visits}");
}

/// A evaluator that knows the rules and counts men.
struct Men;

impl NodeEvaluator for Men {
    type Error = Infallible;

    fn evaluate(
        &mut self,
        game: &Game,
        depth: u32,
        limits: Limits<'_>,
    ) -> Result<NodeEvaluation, Infallible> {
        let mut evaluation = Rules.evaluate(game, depth, limits)?;
        if let NodeEvaluation::Open { found, .. } = &mut evaluation {
            let board = game.position().board();
            let [own, others] = [game.position().turn(), game.position().turn().other()]
                .map(|color| board.by_color(color).count() as f32);
            found.value = (own - others) / 16.0;
        }
        Ok(evaluation)
    }
}

#[test]
fn evicted_subtrees_keep_their_statistics() {
    // Black is a rook and a pawn down, so no value is near 0.
    let game = game("1nbqkbnr/1ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1");
    let search_in = |mebibytes| {
        let mut puct = Puct::new(mebibytes, Backup::Competitive, Exploration::COMPETITIVE);
        let candidates = search(&mut puct, &game, &mut [Men], 30_000);
        (candidates, puct.tree.full())
    };
    let (candidates, full) = search_in(1);
    assert!((400..=1000).contains(&full), "{full}");
    assert_eq!(candidates.iter().map(|candidate| candidate.visits).sum::<u32>(), 29_999);
    let (undisturbed, full) = search_in(256);
    assert!(full < 900, "{full}");
    // If the visits of evicted subtrees were lost, the values would be means of only a few visits.
    for candidate in &candidates {
        let same = |other: &&Candidate| other.moves[0] == candidate.moves[0];
        let other = undisturbed.iter().find(same).expect("the same moves");
        assert!((candidate.found.value - other.found.value).abs() < 0.03, "{candidate:?} {other:?}");
        assert!(candidate.found.value > 0.05, "{candidate:?}");
    }
}

#[test]
fn moves_that_the_judge_left_out_are_not_searched() {
    /// Returns only the first move.
    struct Narrow;
    impl NodeEvaluator for Narrow {
        type Error = Infallible;

        fn evaluate(
            &mut self,
            game: &Game,
            depth: u32,
            limits: Limits<'_>,
        ) -> Result<NodeEvaluation, Infallible> {
            let evaluation = Rules.evaluate(game, depth, limits)?;
            Ok(match evaluation {
                NodeEvaluation::Open { found, mut edges } => {
                    edges.truncate(1);
                    NodeEvaluation::Open { found, edges }
                }
                ended => ended,
            })
        }
    }
    let game = Game::new(Chess::default());
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: 500, ..Limits::until(&stop) };
    let moves = &game.position().legal_moves()[3..5];
    let (candidates, progress) =
        competitive().search(&game, moves, &mut [Narrow], limits, |_, _| true).unwrap();
    assert!(candidates.is_empty() && progress.visits <= 2, "{progress:?}");
}

#[test]
fn the_subtree_of_the_new_root_is_kept() {
    let mut puct = competitive();
    let mut game = Game::new(Chess::default());
    let best = search(&mut puct, &game, &mut [Rules], 2000).swap_remove(0);
    best.moves.iter().take(2).for_each(|m| game.play(*m));
    search(&mut puct, &game, &mut [Rules], 0);
    let kept = puct.tree.node(puct.tree.root().unwrap()).visits;
    assert!(kept > 1);
    assert_eq!(search(&mut puct, &game, &mut [Rules], 100).iter().map(|c| c.visits).sum::<u32>(), kept + 99);
    // Another game begins with an empty tree.
    search(&mut puct, &self::game("7k/8/6K1/8/8/8/8/R7 w - - 0 1"), &mut [Rules], 0);
    assert!(puct.tree.root().is_none());
}

#[test]
fn a_repetition_below_the_root_is_a_draw_and_proves_nothing() {
    let mut game = Game::new(Chess::default());
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
        let m = text.parse::<shakmaty::uci::UciMove>().unwrap().to_move(game.position()).unwrap();
        game.play(m);
    }
    // The position occurred four plies ago. If that was below the root it is a draw, if it was before the root it is
    // not.
    for (depth, is_drawn) in [(4, true), (3, false), (0, false)] {
        let ended = NodeEvaluation::if_over(&game, depth);
        let is_draw =
            matches!(ended, Some(NodeEvaluation::Ended { found: Found { value: 0.0, .. }, known: None }));
        assert_eq!((ended.is_some(), is_draw), (is_drawn, is_drawn), "{depth}");
    }
}

#[test]
fn cooperating_sides_find_the_goal() {
    let backup = Backup::Cooperative { best_share: 0.5 };
    let mut puct = Puct::new(16, backup, Exploration::COOPERATIVE);
    let game = game("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    let best = search(&mut puct, &game, &mut [NoQueens], 30_000).swap_remove(0);
    assert_eq!(best.known.map(|known| known.value), Some(1.0), "{best:?}");
    let mut end = game;
    best.moves.iter().for_each(|m| end.play(*m));
    assert_eq!(end.position().board().queens().count(), 0);
}

#[test]
fn only_the_given_root_moves_are_searched() {
    let game = Game::new(Chess::default());
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: 500, ..Limits::until(&stop) };
    let moves = &game.position().legal_moves()[3..5];
    let (candidates, _) = competitive().search(&game, moves, &mut [Rules], limits, |_, _| true).unwrap();
    assert_eq!(candidates.len(), 2);
    assert!(candidates.iter().all(|candidate| moves.contains(&candidate.moves[0])));
    let none = Limits { nodes: 0, ..limits };
    assert_eq!(competitive().search(&game, moves, &mut [Rules], none, |_, _| true).unwrap().0.len(), 2);
}
