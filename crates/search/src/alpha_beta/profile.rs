//! The scores of many moves at increasing depths.
//!
//! Human players choose moves that look good at a glance, and stronger players discard those that turn out badly. So a
//! move is described best not by one score but by its profile: its scores at a glance, after a reply, and at greater
//! depths (Regan and Biswas 2013, "Psychometric modeling of decision making via game play").

use shakmaty::{Chess, Move};

use super::{
    AlphaBeta, MAX_DEPTHS, MoveScores, grading::Grades, node::Node, ordering, value::Value, window::Window,
};
use crate::{Limits, scorer::Scorer};

/// The settings of a profile: how deeply moves are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProfileLimits {
    /// The number of depths, 1 to [`MAX_DEPTHS`]. The first depth is 0, which is only a quiescence search after the
    /// move. Each further depth is a ply deeper.
    pub depths: usize,
    /// The most nodes. The first depth is completed in any case. A depth that would exceed the limit is discarded.
    pub nodes: u64,
    /// Moves that are worse than the best by more than this, in centipawns, are not searched deeper, until the best
    /// score falls far enough.
    pub slack: i32,
    /// The greatest difference to the best score, in centipawns. The scores of worse moves are raised to it.
    pub cap: i32,
}

/// The nodes of a depth, as a multiple of the nodes of all previous depths: a lower bound in most positions.
const GROWTH: u64 = 3;

/// From this depth on, moves that are not the best get only the score of a grade; see [`GRADES`].
const FIRST_GRADED: i32 = 2;
/// The bounds of the grades: the loss compared with the best move, in centipawns. The first one tests whether a move is
/// better than the best so far.
const GRADES: [i32; 6] = [0, 30, 80, 150, 250, 400];

/// How thoroughly a move is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SearchEffort {
    /// Not at all.
    None,
    /// Only at the first depth.
    Glance,
    /// At all depths of the [`ProfileLimits`].
    Full,
}

/// The scores of some moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// The scores of each move.
    pub moves: Vec<MoveScores>,
    /// The number of completed depths.
    pub depths: usize,
    /// The number of nodes searched.
    pub nodes: u64,
}

/// The moves searched at one depth.
struct Scored {
    depth: i32,
    cap: i32,
    /// The value of the best move.
    best: Option<Value>,
    /// The index and the score of each move.
    scores: Vec<(usize, i32)>,
}

impl<S: Scorer> AlphaBeta<S> {
    /// The profile of `moves`, legal moves of the position, each with its attention. The result depends neither on
    /// earlier searches nor on the game so far. It is incomplete if `until` ends the search; the limit on nodes in
    /// `until` is ignored.
    pub fn profile(
        &mut self,
        position: &Chess,
        moves: &[(Move, SearchEffort)],
        profile_limits: ProfileLimits,
        until: Limits<'_>,
    ) -> Profile {
        self.start_fresh();
        let mut profile = Profile { moves: vec![MoveScores::default(); moves.len()], ..Profile::default() };
        let root = self.root(position);
        let tactical = |m: Move| if ordering::is_quiet(m) { 0 } else { ordering::tactical(m) };
        let mut seen: Vec<usize> =
            (0..moves.len()).filter(|index| moves[*index].1 > SearchEffort::None).collect();
        seen.sort_by_key(|index| -tactical(moves[*index].0));
        let mut limits = until.alone();
        // Moves that were too bad to be searched deeper.
        let mut dropped: Vec<usize> = Vec::new();
        for depth in 0..profile_limits.depths.min(MAX_DEPTHS) {
            let mut line =
                Scored { depth: depth as i32, cap: profile_limits.cap, best: None, scores: Vec::new() };
            if !self.score(&root, moves, &seen, &mut line, limits) {
                break;
            }
            // The best score may have fallen below the scores of moves that were dropped because of it.
            let best = line.best.map_or(0, Value::centipawns);
            let (back, still): (Vec<usize>, Vec<usize>) = dropped
                .into_iter()
                .partition(|index| profile.moves[*index].last() >= Some(best - profile_limits.slack));
            dropped = still;
            if !self.score(&root, moves, &back, &mut line, limits) {
                break;
            }
            let best = line.best.map_or(0, Value::centipawns);
            for (index, score) in &line.scores {
                profile.moves[*index].push_at(depth, (*score).max(best - profile_limits.cap));
            }
            profile.depths = depth + 1;
            seen.extend(back);
            seen.retain(|index| moves[*index].1 == SearchEffort::Full);
            let (on, off): (Vec<usize>, Vec<usize>) = seen
                .into_iter()
                .partition(|index| profile.moves[*index].last() >= Some(best - profile_limits.slack));
            dropped.extend(off);
            seen = on;
            // The best moves come first at the next depth, so that worse moves are refuted quickly.
            seen.sort_by_key(|index| profile.moves[*index].at(depth).map(|score| -score));
            limits.nodes = profile_limits.nodes;
            // A depth that cannot be completed is not begun.
            if seen.is_empty() || self.nodes.saturating_mul(GROWTH) > limits.nodes {
                break;
            }
        }
        profile.nodes = self.nodes;
        profile
    }

    /// Adds a score for each of the `chosen` moves to `line`, exact if the move is not worse than the best by more than
    /// the cap. Returns false if a limit is reached.
    fn score(
        &mut self,
        root: &Node,
        moves: &[(Move, SearchEffort)],
        chosen: &[usize],
        line: &mut Scored,
        limits: Limits<'_>,
    ) -> bool {
        let (depth, mut variation) = (line.depth, Vec::new());
        for index in chosen {
            let m = moves[*index].0;
            let value = match line.best {
                None => {
                    let whole = Window { alpha: Value::MIN, beta: Value::MAX };
                    self.child(root, m, depth, whole, limits, &mut variation)
                }
                Some(best) => {
                    let value = if depth >= FIRST_GRADED {
                        let scale = Grades { bounds: &GRADES, most: line.cap };
                        self.graded(root, m, depth, best, scale, limits)
                    } else {
                        let window = Window { alpha: best.plus(-line.cap), beta: best.plus(1) };
                        self.child(root, m, depth, window, limits, &mut variation)
                    };
                    if value > best && !self.stopped {
                        let above = Window { alpha: best, beta: Value::MAX };
                        self.child(root, m, depth, above, limits, &mut variation)
                    } else {
                        value
                    }
                }
            };
            if self.stopped {
                return false;
            }
            line.best = line.best.max(Some(value));
            line.scores.push((*index, value.centipawns()));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Position;

    use super::*;
    use crate::position_from_fen;

    const PROFILE_LIMITS: ProfileLimits = ProfileLimits { depths: 4, nodes: 1_000_000, slack: 250, cap: 500 };
    /// If Black's queen captures the pawn on b2, the rook traps it.
    const POISONED_PAWN: &str = "r3k2r/ppp2ppp/2n2n2/3p4/3P4/q1N1PN2/PPQ2PPP/R3K2R b KQkq - 0 12";
    /// The knight can capture the queen; no other move can.
    const HANGING_QUEEN: &str = "4k3/8/8/3q4/8/4N3/4P3/4K3 w - - 0 1";

    fn profile(
        search: &mut AlphaBeta,
        fen: &str,
        profile_limits: ProfileLimits,
        of: impl Fn(&str) -> SearchEffort,
    ) -> (Vec<(String, MoveScores)>, Profile) {
        let position = position_from_fen(fen).unwrap();
        let moves: Vec<(Move, SearchEffort)> =
            position.legal_moves().iter().map(|m| (*m, of(&m.to_string()))).collect();
        let profile = search.profile(&position, &moves, profile_limits, Limits::none());
        let named = moves.iter().map(|(m, _)| m.to_string()).zip(profile.moves.iter().copied());
        (named.collect(), profile)
    }

    fn score(moves: &[(String, MoveScores)], m: &str, depth: usize) -> Option<i32> {
        moves.iter().find(|(name, _)| name == m).expect("a legal move").1.at(depth)
    }

    #[test]
    fn a_glance_sees_hanging_men_and_hopeless_moves_are_not_searched_deeper() {
        let (moves, profile) =
            profile(&mut AlphaBeta::new(1), HANGING_QUEEN, PROFILE_LIMITS, |_| SearchEffort::Full);
        assert_eq!(profile.depths, 4);
        let taken = score(&moves, "Ne3xd5", 0).unwrap();
        for (name, scores) in moves.iter().filter(|(name, _)| name != "Ne3xd5") {
            assert_eq!(
                scores.at(0),
                Some(taken - PROFILE_LIMITS.cap),
                "{name}: every other move is worse by a queen"
            );
            assert_eq!((scores.looks(), scores.at(1)), (1, None), "{name}");
        }
        assert!((0..4).all(|depth| score(&moves, "Ne3xd5", depth).is_some()));
    }

    #[test]
    fn attention_and_the_number_of_depths_are_respected() {
        let of = |m: &str| match m {
            "Ne3xd5" => SearchEffort::None,
            "Ke1-f2" => SearchEffort::Glance,
            _ => SearchEffort::Full,
        };
        let profile_limits = ProfileLimits { depths: 2, ..PROFILE_LIMITS };
        let (moves, profile) = profile(&mut AlphaBeta::new(1), HANGING_QUEEN, profile_limits, of);
        assert_eq!(profile.depths, 2);
        assert_eq!(score(&moves, "Ne3xd5", 0), None);
        assert!(score(&moves, "Ke1-f2", 0).is_some() && score(&moves, "Ke1-f2", 1).is_none());
        assert!(score(&moves, "Ke1-f1", 1).is_some() && score(&moves, "Ke1-f1", 2).is_none());
    }

    #[test]
    fn the_first_depth_is_always_completed_and_no_depth_is_left_incomplete() {
        for nodes in [0, 500, 1000, 2000, 4000, 8000] {
            let profile_limits = ProfileLimits { nodes, ..PROFILE_LIMITS };
            let (moves, profile) =
                profile(&mut AlphaBeta::new(1), POISONED_PAWN, profile_limits, |_| SearchEffort::Full);
            assert!((1..=4).contains(&profile.depths), "{nodes}");
            assert!(
                moves.iter().all(|(_, scores)| (1..=profile.depths).contains(&scores.looks())),
                "{nodes}"
            );
            assert!(profile.nodes <= nodes.max(2000), "{nodes}: {}", profile.nodes);
        }
    }

    #[test]
    fn dropped_moves_are_searched_again_once_the_best_is_no_better() {
        // A ply or two deeper, the move that looked best scores less than many that were dropped because of it.
        let profile_limits = ProfileLimits { slack: 50, ..PROFILE_LIMITS };
        let mut search = AlphaBeta::new(1);
        let (moves, profile) = profile(&mut search, POISONED_PAWN, profile_limits, |_| SearchEffort::Full);
        let deepest = profile.depths - 1;
        let best = moves.iter().filter_map(|(_, scores)| scores.at(deepest)).max().unwrap();
        for (name, scores) in &moves {
            assert!(
                scores.looks() == profile.depths || scores.last().unwrap() < best - profile_limits.slack,
                "{name}: {scores:?}, the best {best}"
            );
        }
        let early = |scores: &MoveScores| {
            (0..deepest).any(|depth| {
                let best = moves.iter().filter_map(|(_, scores)| scores.at(depth)).max().unwrap();
                scores.at(depth).is_some_and(|score| score < best - profile_limits.slack)
            })
        };
        assert!(moves.iter().any(|(_, scores)| early(scores) && scores.looks() == profile.depths));
    }

    #[test]
    fn the_result_does_not_depend_on_earlier_searches() {
        let mut search = AlphaBeta::new(1);
        let first = profile(&mut search, POISONED_PAWN, PROFILE_LIMITS, |_| SearchEffort::Full).1;
        profile(&mut search, HANGING_QUEEN, PROFILE_LIMITS, |_| SearchEffort::Full);
        assert_eq!(profile(&mut search, POISONED_PAWN, PROFILE_LIMITS, |_| SearchEffort::Full).1, first);
    }

    /// Scores within the cap equal those of a separate search of each move.
    #[test]
    fn scores_agree_with_full_windows() {
        let profile_limits = ProfileLimits { depths: 2, slack: 10_000, ..PROFILE_LIMITS };
        let (moves, _) =
            profile(&mut AlphaBeta::new(1), POISONED_PAWN, profile_limits, |_| SearchEffort::Full);
        for depth in 0..2 {
            let alone = moves.iter().map(|(m, _)| {
                let only = |other: &str| if other == m { SearchEffort::Full } else { SearchEffort::None };
                let (alone, _) = profile(&mut AlphaBeta::new(1), POISONED_PAWN, profile_limits, only);
                score(&alone, m, depth).unwrap()
            });
            let alone: Vec<i32> = alone.collect();
            let best = alone.iter().max().unwrap();
            let expected: Vec<i32> =
                alone.iter().map(|score| *score.max(&(best - profile_limits.cap))).collect();
            let found: Vec<i32> = moves.iter().map(|(m, _)| score(&moves, m, depth).unwrap()).collect();
            assert_eq!(found, expected, "depth {depth}");
        }
    }
}
