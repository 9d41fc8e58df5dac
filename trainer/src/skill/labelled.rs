use std::ops::ControlFlow;

use entente::{parallel::in_order, skill::ShallowSearch};
use entente_network::{
    NetworkError, Policy, PolicySession, Skill,
    encoding::{
        Distribution,
        skill::{FEATURES, encode},
    },
};
use entente_search::Limits;
use shakmaty::Position;

use crate::{progress::ProgressObserver, samples::goal::Sample};

/// Positions with the policy's probabilities and the search's scores of their moves, and the move that was played.
#[derive(Clone, Debug, Default)]
pub struct Labelled {
    /// The features of each move of the first position, then of the second, and so on.
    rows: Vec<f32>,
    /// The logarithms of the policy's probabilities of the same moves.
    logarithms: Vec<f32>,
    /// For each position, the index of its first move, and then the total number of moves.
    starts: Vec<usize>,
    /// For each position, the index of the move that was played.
    played: Vec<usize>,
    /// The number of nodes searched for all positions.
    nodes: u64,
}

/// The number of positions in a part for a thread.
const PART: usize = 256;
/// For each thread, the number of parts that may wait for an earlier one.
const PARTS_AHEAD: usize = 16;

impl Labelled {
    /// Labels the samples on `threads` threads. The number of threads does not change the labels.
    ///
    /// # Errors
    ///
    /// If the policy cannot be run.
    pub fn new(
        policy: &Policy,
        looking: &Skill,
        samples: &[Sample],
        threads: usize,
        observer: &dyn ProgressObserver,
    ) -> Result<Labelled, NetworkError> {
        let mut workers: Vec<_> =
            (0..threads.max(1)).map(|_| (policy.session(), ShallowSearch::new())).collect();
        let label = |(session, shallow_search): &mut (PolicySession, ShallowSearch), part: &[Sample]| {
            let mut labelled = Labelled::empty();
            let before = shallow_search.nodes();
            for sample in part {
                let Sample { position, context, aim, .. } = sample;
                let moves = position.legal_moves();
                let question = sample.question(&moves);
                let chances = Distribution::new(session.ask_one(&question)?.logits);
                let chance: Vec<f32> = (0..moves.len()).map(|index| chances.probability(index)).collect();
                let scores = shallow_search.scores(looking, &question, &chance, Limits::none());
                let scores = scores.expect("a search without limits is not stopped");
                let played = moves.iter().position(|m| *m == sample.played).expect("games are legal");
                let mut rows = Vec::new();
                let logarithms = chances.logarithms();
                encode(position, &moves, context, !aim.is_none(), logarithms, &scores, &mut rows);
                labelled.push(&rows, logarithms, played);
            }
            labelled.nodes = shallow_search.nodes() - before;
            observer.done(part.len() as u64);
            Ok(labelled)
        };
        observer.begin("searching", samples.len() as u64, "positions");
        let window = PARTS_AHEAD * workers.len();
        let mut all = Labelled::empty();
        in_order(samples.chunks(PART), &mut workers, window, label, |part| {
            all.append(&part);
            Ok(ControlFlow::Continue(()))
        })?;
        observer.end();
        Ok(all)
    }

    pub(super) fn empty() -> Labelled {
        Labelled { starts: vec![0], ..Labelled::default() }
    }

    pub(super) fn push(&mut self, rows: &[f32], logarithms: &[f32], played: usize) {
        self.rows.extend_from_slice(rows);
        // A move with the probability 0 would make the likelihood 0.
        self.logarithms.extend(logarithms.iter().map(|logarithm| logarithm.max(LEAST_LOGARITHM)));
        self.starts.push(self.logarithms.len());
        self.played.push(played);
    }

    fn append(&mut self, other: &Labelled) {
        let first = self.logarithms.len();
        self.rows.extend_from_slice(&other.rows);
        self.logarithms.extend_from_slice(&other.logarithms);
        self.starts.extend(other.starts[1..].iter().map(|start| first + start));
        self.played.extend_from_slice(&other.played);
        self.nodes += other.nodes;
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.played.len()
    }

    /// True if there are no positions.
    pub fn is_empty(&self) -> bool {
        self.played.is_empty()
    }

    /// The mean number of nodes per position.
    pub fn nodes(&self) -> f64 {
        self.nodes as f64 / self.len().max(1) as f64
    }

    /// For a position: the features of its moves, move by move; the logarithms of their probabilities; the index of the
    /// move that was played.
    pub fn position(&self, index: usize) -> (&[f32], &[f32], usize) {
        let (from, to) = (self.starts[index], self.starts[index + 1]);
        (&self.rows[from * FEATURES..to * FEATURES], &self.logarithms[from..to], self.played[index])
    }
}

/// The least logarithm of a probability.
const LEAST_LOGARITHM: f32 = -30.0;

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use entente_network::{Layer, NetworkKind as _, SkillEffort};
    use entente_search::scorer::EvaluationNetwork;

    use super::*;
    use crate::{
        samples::goal::{Rounds, Sampler, Source, tests::archive},
        skill::with_skill,
    };

    fn looking() -> Skill {
        let efforts = vec![SkillEffort { from: 0, depths: 2, nodes: 2000, slack: 200, study: None }];
        let evaluation = EvaluationNetwork::embedded().fingerprint();
        Skill {
            evaluation,
            glance: 0.001,
            look: 0.01,
            efforts,
            cooling: Vec::new(),
            calibration: Vec::new(),
            layers: Vec::new(),
        }
    }

    #[test]
    fn labels_do_not_depend_on_threads_and_include_the_played_move() {
        let source = Source { archive: Arc::new(archive(20)), online: 0.5, player_games: 0, own: None };
        let samples = Rounds::new(source, Sampler::default(), 300, 1, 0, 1).next_round();
        let samples = &samples[..300];
        let policy = Policy::open(Policy::DEFAULT).unwrap();
        let label = |threads| Labelled::new(&policy, &looking(), samples, threads, &()).unwrap();
        let (one, three) = (label(1), label(3));
        assert_eq!(one.len(), 300);
        assert!(one.nodes() > 100.0);
        for (index, sample) in samples.iter().enumerate() {
            assert_eq!(one.position(index), three.position(index));
            let (rows, logarithms, played) = one.position(index);
            let moves = sample.position.legal_moves();
            assert_eq!((rows.len(), logarithms.len()), (moves.len() * FEATURES, moves.len()));
            assert_eq!(moves[played], sample.played);
        }
    }

    #[test]
    fn a_new_skill_replaces_the_previous_one() {
        let layer = |bias| Layer { weights: vec![vec![0.0; FEATURES]], biases: vec![bias] };
        let [first, second] = [1.0, 2.0].map(|bias| Skill { layers: vec![layer(bias)], ..looking() });
        let bytes = Policy::EMBEDDED[0].1;
        let once = with_skill("net", bytes, &first).unwrap();
        let twice = with_skill("net", &once, &second).unwrap();
        assert_eq!(twice, with_skill("net", bytes, &second).unwrap());
        assert_eq!(Policy::from_bytes("net", &twice).unwrap().skill().map(|skill| &**skill), Some(&second));
        assert!(with_skill("net", b"no network", &first).is_err());
        assert!(with_skill("net", bytes, &looking()).is_err(), "it has no layers");
    }
}
