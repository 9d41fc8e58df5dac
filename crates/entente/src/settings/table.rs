//! The one table of settings.

use entente_constraint::Target;
use entente_network::encoding::goal_policy::RatingScale;
use entente_search::{
    NegamaxSettings,
    rollout::{Allotment, RolloutSettings},
};

use super::{
    Backend,
    attributes::{Group, Part, Scope, Spelling},
    choices::{Choice, Evaluator, Method, Mode, Priors, Realism},
    declare::settings,
    field::Field,
    kind::Value,
    row::RowOf,
};
use crate::{judge::JudgeOptions, play::Strength};

/// A row of the table of settings.
pub type Row = RowOf<Setting, Settings>;

impl Setting {
    /// Its row in the table.
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// The setting with this name on the command line and in plans.
    pub fn named(name: &str) -> Option<Setting> {
        Setting::ALL.iter().copied().find(|setting| setting.row().name == name)
    }

    /// The settings of a tournament's entrant.
    pub fn of_entrants() -> impl Iterator<Item = Setting> {
        Setting::ALL.iter().copied().filter(|setting| setting.row().spelling == Spelling::FlagAndKey)
    }
}

impl Row {
    /// True for a setting of generation that proof games of whole diagrams use.
    pub fn is_of_proofs(&self) -> bool {
        /// Settings of the method, in addition to those about the run and the players.
        const OF_METHOD: [Setting; 5] =
            [Setting::Realism, Setting::Strict, Setting::Network, Setting::Backend, Setting::Population];
        let is_needed = matches!(self.group, Group::Run | Group::Players)
            || OF_METHOD.iter().any(|setting| setting.row().name == self.name);
        self.spelling != Spelling::None && is_needed
    }
}

/// Whether this build has the backend.
fn has_backend(value: &Value) -> Result<(), String> {
    match value {
        Value::Word(word) => Backend::named(word).map_or(Ok(()), Backend::check),
        _ => Ok(()),
    }
}

const DRAWN: Scope = Scope::Methods(&[Method::GoalPolicy]);
const BY_TREE: Scope = Scope::Methods(&[Method::Puct]);
const BY_POLICY: Scope = Scope::Methods(&[Method::GoalPolicy, Method::Puct]);
const NEGAMAX: Scope = Scope::Methods(&[Method::Negamax]);
const NO_PLAN: Scope = Scope::Methods(&[Method::GoalPolicy, Method::Puct, Method::Negamax, Method::Rollout]);
const SEARCH: Scope = Scope::Methods(&[Method::Negamax, Method::Rollout, Method::BestFirst]);
const COUNTED: Scope = Scope::Methods(&[Method::Negamax, Method::Rollout]);
const BY_PLAYOUTS: Scope = Scope::Methods(&[Method::Rollout]);

/// The maximum of `max_plies`: the longest game that can be requested.
pub const MAX_PLIES_LIMIT: u32 = 1000;

settings! {
    derived {
        /// The rating of both players.
        Elo (
            |Settings { generation: settings, .. }| {
                settings.white_elo.filter(|_| settings.white_elo == settings.black_elo).map(u64::from).map(Value::Integer)
            },
            |Settings { generation: settings, .. }, value| {
                settings.white_elo = value.map_or(Ok(None), Field::of)?;
                settings.black_elo = settings.white_elo;
                Ok(())
            }
        ) => Row::integer("elo", 1, 4000).first(3).covering(&[Setting::WhiteElo, Setting::BlackElo]).used_by(BY_POLICY)
            .group(Group::Players).placeholder("R").usually("unknown");
    }
    /// The settings that only a UCI session has.
    session: Session SessionSettings {
        /// What a plain `go` does: `play` plays to win; `generate` plays toward `Constraint`, together with the other
        /// side.
        Mode mode: Mode = Mode::Play =>
            Row::word("mode", Mode::WORDS).uci("Mode").only(Spelling::None).used_by(Scope::Both);

        /// The condition that generated positions must satisfy, for example `(1,2,1,1,7)` or `Q=0 q=0 R>=1`.
        Constraint target: Option<Target> = None =>
            Row::text("constraint").uci("Constraint").only(Spelling::None).used_by(Scope::Both);
    }

    /// The settings of a request for positions. Play reads some of these, too, such as the network and the players'
    /// ratings.
    generation: Generation GenerationSettings {
        /// The seed of the random numbers. The same seed gives the same positions with any number of threads. In play
        /// at a limited strength it gives the same moves.
        Seed seed: Option<u64> = None =>
            Row::integer("seed", 0, u64::MAX).first(4).uci("Seed").unset(0).only(Spelling::Flag).used_by(Scope::Both)
                .usually("a different one each time");

        /// The number of threads. Generation works on that many positions at the same time; the results do not depend
        /// on this number. In play all searches use that many, except at a limited strength without a network.
        Threads threads: u32 = 1 =>
            Row::integer("threads", 1, 256).first(8).uci("Threads").only(Spelling::Flag).used_by(Scope::Both)
                .usually("all cores; 1 over UCI");

        /// The maximum length of the proof game, in plies from the root position. By default, games may be longer than
        /// 101 plies if many men must be captured first, as in endgames, or if the constraint requires it; but not with
        /// `faithful`.
        MaxPlies max_plies: Option<u32> = None =>
            Row::integer("max-plies", 1, MAX_PLIES_LIMIT as u64).short().uci("MaxPlies").unset(0).only(Spelling::Flag).placeholder("PLIES")
                .usually("101, or as many as the constraint needs");

        /// The maximum number of nodes (positions searched or evaluated) for each generated position. Without this
        /// limit, a method gives up after 20 games, `best-first` after 127 searches, and `faithful` after one game.
        Nodes nodes: Option<u64> = None => Row::integer("nodes", 1, u64::MAX).in_method_name().usually("no limit");

        /// The maximum time for each position, in milliseconds. With it, results depend on the speed of the machine.
        Movetime movetime: Option<u64> = None => Row::integer("movetime", 1, u64::MAX).in_method_name().short().placeholder("MS").usually("no limit");

        /// White's rating. The policy networks know ratings from 600 to 3200; one outside that range counts as its
        /// nearer end. A rating in the constraint overrides this one. In play, the default is `UCI_Elo` if strength is
        /// limited, otherwise the highest rating.
        WhiteElo white_elo: Option<u16> = None =>
            Row::integer("white-elo", 1, 4000).uci("WhiteElo").unset(0).used_by(BY_POLICY).group(Group::Players)
                .placeholder("R").usually("unknown");

        /// Black's rating; see `white-elo`.
        BlackElo black_elo: Option<u16> = None =>
            Row::integer("black-elo", 1, 4000).uci("BlackElo").unset(0).used_by(BY_POLICY).group(Group::Players)
                .placeholder("R").usually("unknown");

        /// The scale of these ratings.
        RatingScale rating_scale: RatingScale = RatingScale::Online =>
            Row::word("rating-scale", RatingScale::WORDS).short().uci("RatingScale").used_by(BY_POLICY)
                .group(Group::Players);

        /// Whether players look ahead. A short search of each likely move corrects the policy network's probabilities;
        /// stronger players look further. Without it, moves are drawn from the network alone, which blunders pieces at
        /// any rating. It needs a policy file with a fitted skill; other policies play without it.
        Skill skill: bool = true =>
            Row::switch("skill").uci("Skill").used_by(DRAWN).group(Group::Players);

        /// The path of a UCI engine that has the final say on conditions about evaluations and best moves, such as
        /// `eval=-30..30`, `quiet` or `only`. Without it, Entente's own search decides.
        Judge judge: Option<String> = None =>
            Row::text("judge").uci("JudgeEngine").group(Group::Method).placeholder("ENGINE").usually("none");

        /// The number of nodes of each search that decides a condition about evaluations or best moves, both for
        /// Entente's own search and for the judge's. A search with four times as many confirms evaluations and single good
        /// moves.
        JudgeNodes judge_nodes: u64 = JudgeOptions::NODES =>
            Row::integer("judge-nodes", 1000, 1_000_000_000).uci("JudgeNodes").group(Group::Method);

        /// How closely games of the method `goal-policy` follow human play; following it more closely takes more time.
        /// With `natural` and `auto`, games to a whole diagram are searched for among those that humans are most likely
        /// to have played.
        Realism realism: Realism = Realism::Auto =>
            Row::word("realism", Realism::WORDS).in_method_name().short().uci("Realism").used_by(DRAWN).group(Group::Method);

        /// Refuse games that were not produced the way `realism` asks for. With `natural`, all games must come from
        /// populations, or from beam search for a whole diagram. With `fast`, each must be played on its own. With
        /// `auto`, both kinds are accepted. Without `strict`, other methods finish what these two cannot, with search
        /// as the last resort, and the results say so.
        Strict strict: bool = false =>
            Row::switch("strict").uci("Strict").used_by(DRAWN).group(Group::Method);

        /// How generation chooses moves; in play, only `rollout` has an effect. `auto` takes the first of these methods
        /// that uses every setting you gave: `goal-policy`, then `negamax` for numbers of men or `best-first` for other
        /// constraints, then `puct`. A constraint that gives the squares of eight or more men, such as a whole diagram,
        /// takes `best-first` before `goal-policy`.
        Method method: Option<Method> = None =>
            Row::word_or_auto("method", Method::WORDS).in_method_name().short().uci("Method").group(Group::Method);

        /// The network: the name of an embedded one or an ONNX file. `goal-policy` and `puct` need a policy network
        /// such as `goal-policy`; `negamax` needs a satisfaction network such as `thesis-1` or `thesis-2`.
        Network network: Option<String> = None =>
            Row::text("network").in_method_name().used_by(NO_PLAN).group(Group::Method).placeholder("NAME|FILE")
                .usually("goal-policy, or thesis-2");

        /// The policy network: an ONNX file, or `goal-policy`, the embedded one. The methods `goal-policy` and `puct`
        /// use it, and so does play with `Evaluator` = `network`. The engine loads it at the next `isready` or search
        /// that needs it, and again each time you set it.
        PolicyFile policy_file: Option<String> = None =>
            Row::text("policy-file").uci("PolicyFile").only(Spelling::None).used_by(Scope::Both)
                .group(Group::Method).usually("goal-policy");

        /// The policy network that models people: how likely each move is without a constraint. `natural` and `fast`
        /// games follow it, and `network` leads them to the constraint. Play with `UCI_LimitStrength` draws its moves
        /// from it. `human-policy` is the embedded one; an ONNX file may be one of Maia or of Leela Chess Zero; with
        /// `none`, the policy network does both.
        HumanNetwork human_network: Option<String> = None =>
            Row::text("human-network").in_method_name().uci("HumanNetwork").used_by(DRAWN).group(Group::Method)
                .placeholder("NAME|FILE|none").usually("human-policy with the embedded goal-policy, otherwise none");

        /// The satisfaction network of the method `negamax`: an ONNX file, `thesis-1` or `thesis-2`. The engine loads
        /// it at the same times as `PolicyFile`.
        EvalFile eval_file: Option<String> = None =>
            Row::text("eval-file").uci("EvalFile").only(Spelling::None).used_by(COUNTED).group(Group::Method)
                .usually("thesis-2");

        /// How the engine evaluates positions. In `negamax`, `network` uses a satisfaction network (exact numbers of
        /// White's men only), `men` counts men, and `auto` takes the network if you name one or if one was trained on
        /// the constraint. In play, `network` uses `PolicyFile` and plays like humans, `hand-written` plays without any
        /// network, and `auto` is `network` if `UCI_LimitStrength` is set, otherwise the embedded evaluation network,
        /// which plays best. The method `rollout` evaluates the ends of playouts with a smaller network, with the
        /// hand-written evaluation, or by counting men (`men`, formerly `material`).
        Evaluator evaluator: Evaluator = Evaluator::Auto =>
            Row::word("evaluator", Evaluator::WORDS).in_method_name().uci("Evaluator").used_by(SEARCH).group(Group::Method);

        /// The library that runs the network.
        Backend backend: Backend = Backend::Cpu =>
            Row::word("backend", Backend::WORDS).in_method_name().built(has_backend).uci("Backend").used_by(NO_PLAN).group(Group::Method);

        /// How strongly the constraint influences moves in `fast` games. The network's logits are computed with and
        /// without the constraint as its goal; their difference, times this factor, is added to those with it: 0 adds
        /// nothing, −1 removes the influence.
        Guidance guidance: f32 = 1.5 =>
            Row::number("guidance", -1.0, 10.0).uci("Guidance").percent().used_by(DRAWN).group(Group::Tuning)
                .placeholder("G");

        /// The temperature at which moves are drawn in the opening. 1 keeps the probabilities of the network or, in
        /// `puct`, the shares of visits; a lower value prefers likelier moves.
        Temperature temperature: Option<f32> = None =>
            Row::number("temperature", 0.01, 10.0).uci("Temperature").percent().unset(0).used_by(BY_POLICY)
                .group(Group::Tuning).placeholder("T").usually("fitted to players of the rating; 0.85 if fast");

        /// The temperature from ply 30 on. Between plies 10 and 30 the temperature changes linearly. A network's file
        /// may have a temperature for ply 16, which is used if neither of these two is set.
        LateTemperature late_temperature: Option<f32> = None =>
            Row::number("late-temperature", 0.01, 10.0).uci("LateTemperature").percent().unset(0)
                .used_by(BY_POLICY).group(Group::Tuning).placeholder("T").usually("fitted to players of the rating; 0.55 if fast");

        /// For `natural` games: the number of games in a population, one of which is drawn. If none of them satisfies
        /// the constraint, the next population is twice as large, up to eight times as large as the first. For a whole
        /// diagram, beam search keeps many times as many games.
        Population population: u32 = 5 =>
            Row::integer("population", 1, 1024).used_by(DRAWN).group(Group::Tuning);

        /// For `fast` games: how many plies the reachability mask looks ahead. The mask removes moves that put the
        /// constraint out of reach; with 0 it removes none.
        Mask mask: u32 = 2 =>
            Row::integer("mask", 0, 2).used_by(DRAWN).group(Group::Tuning).placeholder("PLIES");

        /// For `fast` games: the weight of the action value, which favours moves toward the constraint as the plies run
        /// out.
        Tilt tilt: f32 = 2.0 =>
            Row::number("tilt", 0.0, 10.0).used_by(DRAWN).group(Group::Tuning).placeholder("W");

        /// For `fast` games: whether best-first search finishes a game if the plies have nearly run out, or if the mask
        /// leaves no move late in the game. If the search finds nothing, moves are taken back.
        Finish finish: bool = true => Row::switch("finish").used_by(DRAWN).group(Group::Tuning);

        /// The number of visits before each move in the tree search of the method `puct`.
        Visits visits: u32 = 64 =>
            Row::integer("visits", 1, 1_000_000).in_method_name().uci("Visits").used_by(BY_TREE).group(Group::Tuning);

        /// The priors of the tree search of the method `puct`: which moves it visits first.
        Priors priors: Priors = Priors::Network =>
            Row::word("priors", Priors::WORDS).in_method_name().used_by(BY_TREE).group(Group::Tuning);

        /// The depth of cooperative negamax, in plies.
        Depth depth: Option<u32> = None =>
            Row::integer("depth", 1, NegamaxSettings::MAX_DEPTH as u64).in_method_name().uci("SearchDepth").unset(0)
                .used_by(NEGAMAX).group(Group::Negamax).placeholder("PLIES")
                .usually("1 with a network, 2 without");

        /// Moves are drawn from those whose values are at most this far below the best. With a network, and with
        /// `faithful`, it is an absolute difference; with `men` it is a fraction of the best value. If search finds a
        /// position that satisfies the constraint, only the shortest ways to one are drawn, unless `faithful` is set.
        Criterion criterion: f32 = NegamaxSettings::DEFAULT_CRITERION =>
            Row::number("criterion", 0.0, 1.0).uci("Criterion").percent().used_by(NEGAMAX).group(Group::Negamax)
                .placeholder("C");

        /// Search exactly as the published algorithm does: no pruning, no exact leaves, no transposition table, one
        /// attempt.
        Faithful faithful: bool = false =>
            Row::switch("faithful").uci("Faithful").used_by(NEGAMAX).group(Group::Negamax);

        /// The maximum number of random plies after a move in a playout of the method `rollout`. `go depth` overrides
        /// it; the number in `go depth` includes the move itself.
        PlayoutDepth playout_depth: u32 = RolloutSettings::DEFAULT.depth =>
            Row::integer("playout-depth", 0, 500).uci("PlayoutDepth").used_by(BY_PLAYOUTS).group(Group::Rollout)
                .placeholder("PLIES");

        /// The number of playouts for each move of the game, unless the clock or `go nodes` decides.
        Playouts playouts: Option<u32> = None =>
            Row::integer("playouts", 1, u32::MAX as u64).uci("Playouts").unset(0).used_by(BY_PLAYOUTS)
                .group(Group::Rollout).usually("100000 in play, 2000 in generation");

        /// Which move the next playout begins with: the one with the highest upper confidence bound (`ucb`), or each in
        /// turn (`uniform`).
        Allotment allotment: Allotment = Allotment::Ucb =>
            Row::word("allotment", Allotment::WORDS).uci("Allotment").used_by(BY_PLAYOUTS).group(Group::Rollout);
    }

    /// The settings that only play against an opponent reads.
    play: Play PlaySettings {
        /// Limit the strength to `UCI_Elo`.
        LimitStrength limit_strength: bool = false => Row::switch("limit-strength").uci("UCI_LimitStrength").play();

        /// The strength if `UCI_LimitStrength` is set. The engine draws moves as humans of that rating (`RatingScale`)
        /// play them; stronger players look further ahead. With the hand-written evaluation it searches fewer nodes
        /// instead, from 900 to 1850.
        PlayElo play_elo: u32 = 1500 =>
            Row::integer("play-elo", Strength::WEAKEST as u64, Strength::STRONGEST as u64).uci("UCI_Elo").play();

        /// Memory for a plain `go`, in mebibytes: for its tree or its transposition table.
        Hash hash: u32 = 64 => Row::integer("hash", 1, 262_144).uci("Hash").play();

        /// The number of lines that a plain `go` reports: of its best moves or, with `Mode` = `generate`, proof games
        /// that begin with different moves.
        MultiPv multi_pv: u32 = 1 => Row::integer("multi-pv", 1, 218).uci("MultiPV").play();

        /// Tells the engine that the GUI may send `go ponder`. It has no other effect.
        Ponder ponder: bool = false => Row::switch("ponder").uci("Ponder").play();

        /// Adds the probabilities of a win, a draw and a loss to the score, in permille.
        ShowWdl show_wdl: bool = false => Row::switch("show-wdl").uci("UCI_ShowWDL").play();

        /// The time lost between engine and GUI for each move, in milliseconds. With a clock, the engine keeps back as
        /// much for each of the moves to come.
        MoveOverhead move_overhead: u32 = 30 => Row::integer("move-overhead", 0, 5000).uci("Move Overhead").play();

        /// The exploration constant of the tree search in play (PUCT): the weight of the network's priors relative to
        /// the values found.
        Exploration exploration: f32 = 1.5 =>
            Row::number("exploration", 0.0, 10.0).uci("Exploration").percent().play();

        /// How far below its parent's value the tree search values an unvisited move. A win is 1 and a loss −1.
        FirstPlayReduction first_play_reduction: f32 = 0.3 =>
            Row::number("first-play-reduction", 0.0, 2.0).uci("FirstPlayReduction").percent().play();

        /// The temperature of the priors in that tree search; 1 takes them as they come from the network.
        PriorTemperature prior_temperature: f32 = 1.0 =>
            Row::number("prior-temperature", 0.1, 10.0).uci("PriorTemperature").percent().play();

        /// The nodes, in hundreds, of the short alpha-beta search that corrects the network at every node of the tree
        /// search; 0 switches it off. More nodes see deeper, at most 12 plies, but slow the search.
        LookAhead look_ahead: u32 = 20 => Row::integer("look-ahead", 0, 1000).uci("LookAhead").play();

        /// The weight of the short search's score relative to the network's value.
        LookAheadShare look_ahead_share: f32 = 0.7 =>
            Row::number("look-ahead-share", 0.0, 1.0).uci("LookAheadShare").percent().play();

        /// The share of the prior that goes to the short search's best move.
        LookAheadPrior look_ahead_prior: f32 = 0.25 =>
            Row::number("look-ahead-prior", 0.0, 0.9).uci("LookAheadPrior").percent().play();
    }
}
