use entente_network::{Query, Skill, SkillEffort, Study};
use entente_search::{
    AlphaBeta, Limits, MAX_DEPTHS, MoveScores, ProfileLimits, SearchEffort,
    scorer::{EvaluationNetwork, NetworkScorer},
};
use shakmaty::{Chess, Move, Position};

use super::strength;

/// Searches moves as far as humans look ahead.
pub struct ShallowSearch {
    search: AlphaBeta<NetworkScorer>,
    /// The search that studies moves, made when it is first needed.
    student: Option<AlphaBeta<NetworkScorer>>,
    nodes: u64,
}

/// The maximum loss of a move, in centipawns; greater losses count as this much.
const CAP: i32 = 800;
/// The minimum number of moves to study: the move that seems clearly best may turn out not to be.
const MIN: usize = 3;
/// The memory of the table of a study, in mebibytes. It is cleared for each study.
const TABLE: usize = 2;

fn scorer() -> NetworkScorer {
    NetworkScorer::new(EvaluationNetwork::embedded())
}

impl ShallowSearch {
    /// A search that has not searched anything.
    pub fn new() -> ShallowSearch {
        ShallowSearch { search: AlphaBeta::short_with_scorer(scorer()), student: None, nodes: 0 }
    }

    /// The nodes searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The scores of the query's moves for the side to move; `probabilities` are the moves' probabilities. The scores
    /// depend on nothing else. It returns `None` if `until` ends the search; the node limit of `until` is ignored.
    pub fn scores(
        &mut self,
        skill: &Skill,
        query: &Query<'_>,
        probabilities: &[f32],
        until: Limits<'_>,
    ) -> Option<Vec<MoveScores>> {
        let Query { position, moves, context, .. } = query;
        let strength = strength(context, position.turn());
        let SkillEffort { depths, nodes, slack, study, .. } = skill.effort(strength);
        let attention = |probability: f32| match probability {
            likely if likely >= skill.look => SearchEffort::Full,
            rare if rare >= skill.glance => SearchEffort::Glance,
            _ => SearchEffort::None,
        };
        let moves: Vec<(Move, SearchEffort)> =
            moves.iter().zip(probabilities).map(|(m, probability)| (*m, attention(*probability))).collect();
        let profile_limits = ProfileLimits { depths, nodes: u64::from(nodes), slack, cap: CAP };
        let mut profile = self.search.profile(position, &moves, profile_limits, until);
        self.nodes += profile.nodes;
        if let Some(study) = study {
            self.study(position, (study, slack), &moves, until, &mut profile.moves);
        }
        (!until.forbid(0, 0)).then_some(profile.moves)
    }

    /// Compares the moves that still seem good, and gives each a score at the last depth.
    fn study(
        &mut self,
        position: &Chess,
        (Study { plies, nodes }, slack): (Study, i32),
        moves: &[(Move, SearchEffort)],
        until: Limits<'_>,
        scores: &mut [MoveScores],
    ) {
        let looks = scores.iter().map(MoveScores::looks).max().unwrap_or(0);
        let deepest = scores.iter().filter(|scores| scores.looks() == looks);
        let Some(best) = deepest.filter_map(MoveScores::last).max() else { return };
        let score = |index: &usize| scores[*index].last().filter(|_| moves[*index].1 == SearchEffort::Full);
        let mut left: Vec<usize> = (0..moves.len()).filter(|index| score(index).is_some()).collect();
        left.sort_by_key(|index| score(index).map(|score| -score));
        let good = left.iter().take_while(|index| score(index) >= Some(best - slack)).count();
        left.truncate(good.max(MIN));
        if left.len() < 2 {
            return;
        }
        let student = self.student.get_or_insert_with(|| AlphaBeta::with_scorer(TABLE, scorer()));
        let chosen: Vec<Move> = left.iter().map(|index| moves[*index].0).collect();
        let effort = (plies, u64::from(nodes));
        let (comparison, searched) = student.compare(position, &chosen, effort, CAP, until);
        self.nodes += searched;
        let Some(comparison) = comparison else { return };
        for (index, loss) in left.into_iter().zip(comparison.losses) {
            scores[index].push_at(MAX_DEPTHS - 1, comparison.best - loss);
        }
    }
}

impl Default for ShallowSearch {
    fn default() -> ShallowSearch {
        ShallowSearch::new()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use entente_network::encoding::{
        goal_policy::{Aim, Context},
        skill::losses,
    };
    use entente_search::position_from_fen;
    use shakmaty::Position;

    use super::*;

    /// If White's queen is taken, White mates in two (Légal's mate).
    const OFFERED_QUEEN: &str = "rn1qkbnr/ppp2p1p/3p2p1/4N3/2B1P1b1/2N5/PPPP1PPP/R1BQK2R b KQkq - 0 5";

    fn skill(study: Option<Study>) -> Skill {
        Skill {
            evaluation: EvaluationNetwork::embedded().fingerprint(),
            glance: 0.0,
            look: 0.01,
            efforts: vec![SkillEffort { from: 0, depths: 2, nodes: 10_000, slack: 250, study }],
            cooling: Vec::new(),
            calibration: Vec::new(),
            layers: Vec::new(),
        }
    }

    #[test]
    fn a_study_finds_the_trap_and_omits_unlikely_moves() {
        let position = position_from_fen(OFFERED_QUEEN).unwrap();
        let moves = position.legal_moves();
        let context = Context::default();
        let query = Query { position: &position, moves: &moves, played: &[], context, aim: &Aim::NONE };
        let named = |name: &str| moves.iter().position(|m| m.to_string() == name).unwrap();
        let mut probabilities = vec![0.001; moves.len()];
        let likely = ["Bg4xd1", "d6xe5", "Bg4-e6"].map(named);
        likely.iter().for_each(|index| probabilities[*index] = 0.3);
        let mut shallow_search = ShallowSearch::new();
        let [shallow, deep] = [None, Some(Study { plies: 6, nodes: 100_000 })].map(|study| {
            shallow_search.scores(&skill(study), &query, &probabilities, Limits::none()).unwrap()
        });
        let lost = |scores: &[MoveScores]| losses(scores).nth(likely[0]).unwrap();
        assert_eq!([lost(&shallow), lost(&deep)], [0.0, 5.0]);
        for (index, scores) in deep.iter().enumerate() {
            let expected = if likely.contains(&index) { MAX_DEPTHS } else { 1 };
            assert_eq!(scores.looks(), expected, "{}", moves[index]);
            // Earlier scores are kept.
            assert_eq!(scores.at(0), shallow[index].at(0));
        }
        let skill = skill(Some(Study { plies: 6, nodes: 100_000 }));
        let again = |until| ShallowSearch::new().scores(&skill, &query, &probabilities, until);
        assert_eq!(again(Limits::none()), Some(deep));
        let stop = AtomicBool::new(true);
        assert_eq!(again(Limits::until(&stop)), None, "half a search is worth nothing");
        let nodes = |stop| {
            let mut shallow_search = ShallowSearch::new();
            shallow_search.scores(&skill, &query, &probabilities, Limits::until(&AtomicBool::new(stop)));
            shallow_search.nodes()
        };
        assert!(nodes(true) < nodes(false) / 2, "and it ends early: {} and {}", nodes(true), nodes(false));
    }

    #[test]
    fn a_single_move_needs_no_study() {
        let position = position_from_fen("7k/8/8/8/8/8/r7/6K1 w - - 0 1").unwrap();
        let moves = position.legal_moves();
        let query = Query {
            position: &position,
            moves: &moves,
            played: &[],
            context: Context::default(),
            aim: &Aim::NONE,
        };
        let probabilities: Vec<f32> = (0..moves.len()).map(|index| f32::from(u8::from(index == 0))).collect();
        let [none, study] = [None, Some(Study { plies: 6, nodes: 100_000 })].map(|study| {
            let mut shallow_search = ShallowSearch::new();
            (
                shallow_search.scores(&skill(study), &query, &probabilities, Limits::none()).unwrap(),
                shallow_search.nodes(),
            )
        });
        assert_eq!(none, study);
    }
}
