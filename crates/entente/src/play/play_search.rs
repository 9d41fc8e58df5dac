use entente_endings::Endings;
use entente_network::NetworkError;
use entente_search::{
    AlphaBeta, Limits, Reporter, SearchEvent, SearchReport, Variation,
    rollout::{ByScorer, Rollout, RolloutSettings},
    scorer::{
        ArticleNetwork, ArticleScorer, EvaluationNetwork, HandWritten, Material, NetworkScorer, Scorer, WIDE,
    },
};
use rand::{SeedableRng, rngs::ChaCha8Rng};
use shakmaty::Position as _;

use super::{
    handicap::nodes_for,
    setup::{Evaluation, Setup},
    strength::{MoveChoice, Strength},
    tree_search::TreeSearch,
    turn::Turn,
};

/// The search that plays. It is made when it is first needed, or when another setup is requested.
#[derive(Default)]
pub(crate) struct PlaySearch {
    search: Option<(Setup, Search)>,
    /// True if it remembers games that it should forget.
    is_stale: bool,
    /// Tables of endings, for alpha-beta at full strength.
    endings: Option<Endings>,
}

/// A search for a move.
enum Search {
    AlphaBeta(Box<AlphaBeta<HandWritten>>),
    NetworkAlphaBeta(Box<AlphaBeta<NetworkScorer<WIDE>>>),
    Tree(Box<TreeSearch>),
    Rollout(Rollout<ByScorer<NetworkScorer>>),
    HandWrittenRollout(Rollout<ByScorer<HandWritten>>),
    MaterialRollout(Rollout<ByScorer<Material>>),
    ArticleRollout(Rollout<ByScorer<ArticleScorer>>),
}

impl PlaySearch {
    /// Replaces the tables of endings.
    pub(crate) fn set_endings(&mut self, endings: Endings) {
        self.endings = Some(endings);
    }

    /// Makes the next search forget earlier games. It is not done at once, because clearing a large table takes time.
    pub(crate) fn forget(&mut self) {
        self.is_stale = self.search.is_some();
    }

    /// True if a search can begin at once.
    pub(crate) fn is_ready_for(&self, setup: &Setup) -> bool {
        !self.is_stale && self.search.as_ref().is_some_and(|(there, _)| there == setup)
    }

    /// Makes the search of this setup, unless it exists.
    pub(crate) fn prepare(&mut self, setup: Setup) {
        self.search_of(setup);
    }

    /// The best lines for the side to move, the best first: as many as the request wants, and at least one if there is
    /// a legal move. It is only one line if the move is drawn as humans play. `report` receives the progress.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run. [`without_network`] can then replace it.
    pub(crate) fn best(
        &mut self,
        setup: Setup,
        turn: Turn<'_>,
        report: &mut Reporter<'_>,
    ) -> Result<Vec<Variation>, NetworkError> {
        let endings = self.endings.clone();
        let search = self.search_of(setup);
        if turn.request.moves.is_empty() {
            return Ok(Vec::new());
        }
        match search {
            Search::AlphaBeta(search) => Ok(by_alpha_beta(search, turn, report)),
            Search::NetworkAlphaBeta(search) => {
                if let Some(endings) = endings {
                    search.set_endings(endings);
                }
                Ok(by_alpha_beta(search, turn, report))
            }
            Search::Tree(search) => by_tree(search, turn, report),
            Search::Rollout(search) => Ok(by_rollout(search, turn, report)),
            Search::HandWrittenRollout(search) => Ok(by_rollout(search, turn, report)),
            Search::MaterialRollout(search) => Ok(by_rollout(search, turn, report)),
            Search::ArticleRollout(search) => Ok(by_rollout(search, turn, report)),
        }
    }

    /// The search of this setup: the existing one, or a new one.
    fn search_of(&mut self, setup: Setup) -> &mut Search {
        // The old search is dropped first, because both together might need too much memory.
        self.search.take_if(|(there, _)| *there != setup);
        if let (true, Some((_, search))) = (self.is_stale, &mut self.search) {
            search.forget();
        }
        self.is_stale = false;
        &mut self.search.get_or_insert_with(|| (setup.clone(), Search::new(&setup))).1
    }
}

impl Search {
    fn new(setup: &Setup) -> Search {
        match setup {
            Setup::AlphaBeta { mebibytes, evaluation: Evaluation::Network, threads } => {
                let scorer = NetworkScorer::new(EvaluationNetwork::embedded_wide());
                let search = AlphaBeta::with_scorer(*mebibytes as usize, scorer);
                Search::NetworkAlphaBeta(Box::new(search.with_threads(*threads)))
            }
            Setup::AlphaBeta { mebibytes, threads, .. } => {
                let search = AlphaBeta::new(*mebibytes as usize);
                Search::AlphaBeta(Box::new(search.with_threads(*threads)))
            }
            Setup::Rollout { evaluation, threads, settings } => match evaluation {
                Evaluation::Network => {
                    // Each playout ends in another position, where nothing can be updated: more playouts in the same time
                    // are worth more than a wider network.
                    let scorer = NetworkScorer::new(EvaluationNetwork::embedded());
                    Search::Rollout(rollout(scorer, *threads, *settings))
                }
                Evaluation::HandWritten => {
                    Search::HandWrittenRollout(rollout(HandWritten, *threads, *settings))
                }
                Evaluation::Material => Search::MaterialRollout(rollout(Material, *threads, *settings)),
                Evaluation::Article => {
                    let scorer = ArticleScorer::new(ArticleNetwork::embedded());
                    Search::ArticleRollout(rollout(scorer, *threads, *settings))
                }
            },
            Setup::Tree { mebibytes, policy, threads, parameters } => {
                let search = TreeSearch::new(*mebibytes as usize, policy, *threads, parameters);
                Search::Tree(Box::new(search))
            }
        }
    }

    fn forget(&mut self) {
        match self {
            Search::AlphaBeta(search) => search.forget(),
            Search::NetworkAlphaBeta(search) => search.forget(),
            Search::Tree(search) => search.forget(),
            // They keep no state.
            Search::Rollout(_)
            | Search::HandWrittenRollout(_)
            | Search::MaterialRollout(_)
            | Search::ArticleRollout(_) => {}
        }
    }
}

/// The best lines, as in [`PlaySearch::best`], by an alpha-beta search that keeps no state. It is used if a network
/// fails.
pub(crate) fn without_network(mebibytes: u32, turn: Turn<'_>, report: &mut Reporter<'_>) -> Vec<Variation> {
    if turn.request.moves.is_empty() {
        return Vec::new();
    }
    by_alpha_beta(&mut AlphaBeta::new(mebibytes as usize), turn, report)
}

fn by_alpha_beta<S: Scorer>(
    search: &mut AlphaBeta<S>,
    turn: Turn<'_>,
    report: &mut Reporter<'_>,
) -> Vec<Variation> {
    let limits = at_most(turn.limits, turn.style.elo.map(nodes_for));
    search.search(turn.game, turn.request, limits, report)
}

fn rollout<S: Scorer>(scorer: S, threads: u32, settings: RolloutSettings) -> Rollout<ByScorer<S>> {
    Rollout::new(settings, vec![ByScorer::new(scorer); threads.max(1) as usize])
}

fn by_rollout<S: Scorer>(
    search: &mut Rollout<ByScorer<S>>,
    turn: Turn<'_>,
    report: &mut Reporter<'_>,
) -> Vec<Variation> {
    let Turn { game, request, style, limits } = turn;
    search.evaluators_mut().iter_mut().for_each(|evaluator| evaluator.seat(game.position().turn()));
    // Each move of a game has different playouts, and they are the same if the game is repeated.
    let seed = style.seed.wrapping_add(game.moves().len() as u64);
    let Ok(lines) = search.search(game, request, limits, seed, report);
    lines
}

fn by_tree(
    search: &mut TreeSearch,
    turn: Turn<'_>,
    report: &mut Reporter<'_>,
) -> Result<Vec<Variation>, NetworkError> {
    let Turn { game, request, style, limits } = turn;
    search.seat(style.players);
    // Each move of a game has a different draw, and it is the same if the game is repeated.
    let mut rng = ChaCha8Rng::seed_from_u64(style.seed.wrapping_add(game.moves().len() as u64));
    let (drawn, nodes) = match style.elo.map(|elo| Strength::of(elo, style.is_skilled).choice) {
        Some(MoveChoice::Skilled) => search.draw_skilled(game, &request.moves, &mut rng)?,
        Some(MoveChoice::Drawn(best_of_draws)) => {
            (search.draw(game, &request.moves, best_of_draws, limits, &mut rng)?, 1)
        }
        Some(MoveChoice::Searched { visits }) => {
            return search.search(game, request, at_most(limits, Some(visits)), report);
        }
        None => return search.search(game, request, limits, report),
    };
    let lines = vec![drawn];
    let event = SearchEvent::Variations(&lines);
    report(&SearchReport { depth: 1, selective_depth: 1, event, nodes, hashfull: 0, table_hits: 0 });
    Ok(lines)
}

/// The limits of a search that may also have at most `nodes` nodes.
fn at_most(limits: Limits<'_>, nodes: Option<u64>) -> Limits<'_> {
    Limits { nodes: limits.nodes.min(nodes.unwrap_or(u64::MAX)), ..limits }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, atomic::AtomicBool};

    use entente_network::{NetworkKind, Policy};
    use entente_search::{Game, SearchRequest, position_from_fen};
    use shakmaty::{Chess, Position};

    use super::*;
    use crate::play::{Parameters, PlayStyle, Players};

    fn alpha_beta(mebibytes: u32) -> Setup {
        Setup::AlphaBeta { mebibytes, evaluation: Evaluation::HandWritten, threads: 1 }
    }

    fn tree(policy: &Arc<Policy>, threads: u32, parameters: Parameters) -> Setup {
        Setup::Tree { mebibytes: 1, policy: Arc::clone(policy), threads, parameters }
    }

    fn policy() -> Arc<Policy> {
        Arc::new(Policy::open(Policy::DEFAULT).unwrap())
    }

    /// The lines for a move, and the number of nodes they took.
    fn best(
        setup: &Setup,
        position: Chess,
        elo: Option<u32>,
        seed: u64,
        nodes: u64,
    ) -> (Vec<Variation>, u64) {
        let request = SearchRequest {
            moves: position.legal_moves().to_vec(),
            depth: 30,
            mate: None,
            patient: true,
            lines: 2,
        };
        let players = Players::named([None; 2], elo, false, Players::UNKNOWN.scale);
        let style = PlayStyle { elo, is_skilled: false, players, seed };
        let stop = AtomicBool::new(false);
        let limits = Limits { nodes, ..Limits::until(&stop) };
        let turn = Turn { game: &Game::new(position), request: &request, style: &style, limits };
        let mut counted = 0;
        let lines = PlaySearch::default().best(setup.clone(), turn, &mut |report| counted = report.nodes);
        (lines.unwrap(), counted)
    }

    #[test]
    fn a_search_is_ready_until_the_setup_changes_or_a_game_begins() {
        let [small, large] = [1, 2].map(alpha_beta);
        let mut player = PlaySearch::default();
        player.forget();
        assert!(!player.is_ready_for(&small));
        player.prepare(small.clone());
        assert!(player.is_ready_for(&small) && !player.is_ready_for(&large));
        player.forget();
        assert!(!player.is_ready_for(&small));
        player.prepare(small.clone());
        assert!(player.is_ready_for(&small));
    }

    #[test]
    fn a_change_of_network_threads_or_parameters_is_another_setup() {
        let (policy, same_file) = (policy(), policy());
        let parameters = Parameters::DEFAULT;
        let first = tree(&policy, 1, parameters);
        let mut player = PlaySearch::default();
        player.prepare(first.clone());
        assert!(player.is_ready_for(&first));
        assert!(!player.is_ready_for(&alpha_beta(1)));
        assert!(!player.is_ready_for(&tree(&policy, 2, parameters)));
        let even = Parameters { prior_temperature: 2.0, ..parameters };
        assert!(!player.is_ready_for(&tree(&policy, 1, even)));
        assert!(!player.is_ready_for(&tree(&same_file, 1, parameters)), "the file may have changed");
    }

    #[test]
    fn a_limited_strength_never_exceeds_the_node_limit() {
        let alpha_beta = alpha_beta(1);
        let tree = tree(&policy(), 1, Parameters::DEFAULT);
        let nodes = |setup, elo, allowed| best(setup, Chess::default(), elo, 1, allowed).1;
        assert_eq!(nodes(&alpha_beta, Some(1220), u64::MAX), 300);
        assert_eq!(nodes(&alpha_beta, Some(1220), 50), 50);
        assert_eq!(nodes(&alpha_beta, None, 2000), 2000);
        assert_eq!(nodes(&tree, Some(2400), u64::MAX), 5);
        assert_eq!(nodes(&tree, Some(2400), 3), 3);
        assert_eq!(nodes(&tree, None, 9), 9);
        assert_eq!(nodes(&tree, Some(1500), u64::MAX), 1, "one evaluation by the network");
    }

    #[test]
    fn imitation_gives_one_line_that_depends_only_on_the_seed() {
        let tree = tree(&policy(), 1, Parameters::DEFAULT);
        let drawn = |seed| best(&tree, Chess::default(), Some(1200), seed, u64::MAX).0;
        assert_eq!(drawn(1).len(), 1);
        assert_eq!(drawn(1), drawn(1));
        assert!((2..12).any(|seed| drawn(seed) != drawn(1)));
        assert_eq!(best(&tree, Chess::default(), None, 1, 20).0.len(), 2);
    }

    #[test]
    fn without_legal_moves_there_is_no_line() {
        let mated = position_from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").unwrap();
        for setup in [alpha_beta(1), tree(&policy(), 1, Parameters::DEFAULT)] {
            assert!(best(&setup, mated.clone(), None, 1, 10).0.is_empty());
        }
    }
}
