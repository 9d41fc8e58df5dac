use entente_endings::Endings;
use entente_network::Policy;
use entente_search::{
    Chess960, Game, Limits, Reporter, SearchRequest, Variation,
    rollout::RolloutSettings,
    tree::{Exploration, Found},
};
use shakmaty::{Move, Position};

use super::{Engine, EngineError, Event};
use crate::{
    generation::{Quota, drawn_seed, known_rating},
    play::{self, Evaluation, HumanModel, LookAhead, Parameters, PlayStyle, Players, Setup, Turn},
    settings::{Evaluator, GenerationSettings, Method, PlaySettings, PlayerSettings},
    skill::Skilled,
};

/// The policy network's answer for a position.
pub struct PolicyAnswer {
    /// The network's name.
    pub network: String,
    /// The evaluation of the position.
    pub found: Found,
    /// The moves with the probabilities that humans play them, the likeliest first.
    pub moves: Vec<(Move, f32)>,
}

impl Engine {
    /// The best lines for the side to move, the best first: as many as the request wants; none if there is no legal
    /// move. If a network fails, an event reports it, and a search without a network answers. If a setting is out of
    /// bounds, an event reports it, and the default settings play.
    pub fn best_lines(
        &mut self,
        game: &Game,
        request: &SearchRequest,
        settings: PlayerSettings<'_>,
        limits: Limits<'_>,
        tell: &mut dyn FnMut(Event),
        report: &mut Reporter<'_>,
    ) -> Vec<Variation> {
        let usual = (GenerationSettings::default(), PlaySettings::default());
        let settings = settings.check().map_or_else(
            |error| {
                tell(Event::Error(format!("{error}; playing with the default settings")));
                PlayerSettings { generation: &usual.0, play: &usual.1 }
            },
            |()| settings,
        );
        let setup = if Setup::may_be_tree(request) {
            self.setup_for(game, settings, tell)
        } else {
            // With the hand-written evaluation the search prunes less, and any move may be part of a mate.
            alpha_beta(settings, Evaluation::HandWritten)
        };
        let policy = match &setup {
            Setup::Tree { policy, .. } => Some(&**policy),
            Setup::AlphaBeta { .. } | Setup::Rollout { .. } => None,
        };
        let turn = Turn { game, request, style: &style(settings, policy), limits };
        self.play_search.best(setup, turn, report).unwrap_or_else(|error| {
            tell(Event::Error(format!("{error}; playing without a network")));
            play::without_network(settings.play.hash, turn, report)
        })
    }

    /// Plays with tables of endings from now on: alpha-beta at full strength looks results up.
    pub fn set_endings(&mut self, endings: Endings) {
        self.play_search.set_endings(endings);
    }

    /// The setup that plays in this game. Policies know only standard chess, so that alpha-beta plays where the castling
    /// rights are those of Chess960; the first time, an event says so.
    fn setup_for(&mut self, game: &Game, settings: PlayerSettings<'_>, tell: &mut dyn FnMut(Event)) -> Setup {
        if !settings.plays_by_policy() || !Chess960::castles_differently(game.position()) {
            return self.setup(settings, tell);
        }
        if !std::mem::replace(&mut self.has_refused_chess960, true) {
            tell(Event::Note(format!(
                "{}; alpha-beta plays at full strength until castling rights are gone",
                EngineError::StandardChessOnly
            )));
        }
        alpha_beta(settings, Evaluation::Network)
    }

    /// The answer of the policy network that plays; `None` if none plays, or if the game is over.
    ///
    /// # Errors
    /// [`EngineError`] if the network cannot be loaded or run.
    pub fn likeliest(
        &mut self,
        game: &Game,
        settings: PlayerSettings<'_>,
        tell: &mut dyn FnMut(Event),
    ) -> Result<Option<PolicyAnswer>, EngineError> {
        let is_over = game.position().legal_moves().is_empty();
        if !settings.plays_by_policy() || is_over || Chess960::castles_differently(game.position()) {
            return Ok(None);
        }
        let policy = self.playing_policy(settings, tell)?;
        predicted(game, settings, &policy).map(Some)
    }

    /// What people play in a position of a game that is not over, according to the policy that models them, whether or
    /// not it plays.
    ///
    /// # Errors
    /// [`EngineError`] if the network cannot be loaded or run.
    pub fn move_probabilities(
        &mut self,
        game: &Game,
        settings: PlayerSettings<'_>,
        tell: &mut dyn FnMut(Event),
    ) -> Result<PolicyAnswer, EngineError> {
        if Chess960::castles_differently(game.position()) {
            return Err(EngineError::StandardChessOnly);
        }
        let policy = self.people_policy(settings.generation, tell)?;
        predicted(game, settings, &policy)
    }

    /// Forgets earlier games before the next one begins.
    pub fn forget_games(&mut self) {
        self.play_search.forget();
        self.kept_plan = None;
        self.has_refused_chess960 = false;
    }

    /// The setup that plays. If a network cannot be loaded, an event reports it, and the setup is one without a
    /// network.
    pub(super) fn setup(&mut self, settings: PlayerSettings<'_>, tell: &mut dyn FnMut(Event)) -> Setup {
        if settings.plays_by_policy()
            && let Err(error) = self.playing_policy(settings, tell)
        {
            tell(Event::Error(error.to_string()));
        }
        self.setup_at_hand(settings)
    }

    /// The setup that would play with what is already loaded.
    pub(super) fn setup_at_hand(&self, settings: PlayerSettings<'_>) -> Setup {
        if settings.generation.method == Some(Method::Rollout) {
            return rollout(settings.generation);
        }
        match self.loaded_playing_policy(settings).filter(|_| settings.plays_by_policy()) {
            Some(policy) => Setup::Tree {
                mebibytes: settings.play.hash,
                policy,
                threads: threads(settings.generation),
                parameters: parameters(settings.play),
            },
            None => {
                let excludes_networks = settings.generation.evaluator.excludes_networks();
                let is_by_hand = excludes_networks || settings.play.limit_strength;
                alpha_beta(settings, if is_by_hand { Evaluation::HandWritten } else { Evaluation::Network })
            }
        }
    }
}

/// What `policy` predicts for a position of a game that is not over.
fn predicted(
    game: &Game,
    settings: PlayerSettings<'_>,
    policy: &Policy,
) -> Result<PolicyAnswer, EngineError> {
    let style = style(settings, Some(policy));
    let predictor = Skilled::of_if(policy, style.is_skilled);
    let (moves, found) = HumanModel::new(predictor, style.players).likeliest(game)?;
    Ok(PolicyAnswer { network: policy.name().to_owned(), found, moves })
}

/// Alpha-beta with an evaluation. The ratings of limited strengths were measured with the hand-written evaluation and
/// one thread.
fn alpha_beta(settings: PlayerSettings<'_>, evaluation: Evaluation) -> Setup {
    let threads = if settings.play.limit_strength { 1 } else { threads(settings.generation) };
    Setup::AlphaBeta { mebibytes: settings.play.hash, evaluation, threads }
}

/// Playouts with the evaluation that was asked for.
fn rollout(settings: &GenerationSettings) -> Setup {
    let evaluation = match settings.evaluator {
        Evaluator::Auto | Evaluator::Network => Evaluation::Network,
        Evaluator::HandWritten => Evaluation::HandWritten,
        Evaluator::Men => Evaluation::Material,
        Evaluator::Article => Evaluation::Article,
    };
    let usual = RolloutSettings::DEFAULT.playouts as u32;
    Setup::Rollout { evaluation, threads: threads(settings), settings: settings.rollout(usual) }
}

/// With more threads than cores, the session would react too slowly.
fn threads(settings: &GenerationSettings) -> u32 {
    settings.threads.min(Quota::cores() as u32)
}

/// The style of play, with `policy` if there is one. Without a seed, each game is different.
fn style(settings: PlayerSettings<'_>, policy: Option<&Policy>) -> PlayStyle {
    let PlayerSettings { generation: settings, play } = settings;
    let is_skilled = settings.skill && policy.is_some_and(|policy| policy.skill().is_some());
    let elo = play.limit_strength.then_some(play.play_elo);
    let named = [settings.white_elo, settings.black_elo].map(|rating| rating.map(known_rating));
    let players = Players::named(named, elo, is_skilled, settings.rating_scale);
    PlayStyle { elo, is_skilled, players, seed: settings.seed.unwrap_or_else(drawn_seed) }
}

/// The parameters of the tree search of play.
fn parameters(settings: &PlaySettings) -> Parameters {
    Parameters {
        exploration: Exploration {
            factor: settings.exploration,
            first_play_reduction: settings.first_play_reduction,
            ..Exploration::COMPETITIVE
        },
        prior_temperature: settings.prior_temperature,
        look_ahead: LookAhead {
            nodes: settings.look_ahead * 100,
            share: settings.look_ahead_share,
            prior: settings.look_ahead_prior,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_out_of_bounds_is_reported_and_the_default_settings_play() {
        let generation = GenerationSettings::default();
        let play = PlaySettings { hash: 0, ..PlaySettings::default() };
        let settings = PlayerSettings { generation: &generation, play: &play };
        let game = Game::new(shakmaty::Chess::default());
        let moves = game.position().legal_moves().to_vec();
        let request = SearchRequest { moves, depth: 1, mate: None, patient: true, lines: 1 };
        let mut events = Vec::new();
        let tell = &mut |event| events.push(event);
        let mut engine = Engine::default();
        let lines = engine.best_lines(&game, &request, settings, Limits::none(), tell, &mut |_| ());
        assert_eq!(lines.len(), 1);
        let told = "hash 0: expected 1 to 262144, found \"0\"; playing with the default settings";
        assert_eq!(events, [Event::Error(told.to_owned())]);
    }

    #[test]
    fn the_default_settings_give_the_default_parameters() {
        assert_eq!(parameters(&PlaySettings::default()), Parameters::DEFAULT);
    }
}
