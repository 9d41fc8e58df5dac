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
    /// Its row of the table.
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// The setting of that name on the command line and in plans.
    pub fn named(name: &str) -> Option<Setting> {
        Setting::ALL.iter().copied().find(|setting| setting.row().name == name)
    }

    /// The settings of an entrant of a tournament.
    pub fn of_entrants() -> impl Iterator<Item = Setting> {
        Setting::ALL.iter().copied().filter(|setting| setting.row().spelling == Spelling::FlagAndKey)
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

/// The longest game that may be asked for, in plies.
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
    /// What only a UCI session has: what it is about.
    session: Session SessionSettings {
        /// What a plain `go` does: `play` plays to win; `generate` plays toward `Constraint`, with the other side's
        /// help.
        Mode mode: Mode = Mode::Play =>
            Row::word("mode", Mode::WORDS).uci("Mode").only(Spelling::None).used_by(Scope::Both);

        /// The condition that generated positions must satisfy, for example `(1,2,1,1,7)` or `Q=0 q=0 R>=1`.
        Constraint target: Option<Target> = None =>
            Row::text("constraint").uci("Constraint").only(Spelling::None).used_by(Scope::Both);
    }

    /// What a request for positions can set. Play reads some of these too, such as the network and the players' ratings.
    generation: Generation GenerationSettings {
        /// The seed of the random numbers. The same seed gives the same positions, at any number of threads. In play at
        /// a rating it gives the same moves.
        Seed seed: Option<u64> = None =>
            Row::integer("seed", 0, u64::MAX).first(4).uci("Seed").unset(0).only(Spelling::Flag).used_by(Scope::Both)
                .usually("another one each time");

        /// The number of threads. Generation works on that many positions at the same time; its results do not depend
        /// on the number. In play all searches use them, except at a limited strength without a network.
        Threads threads: u32 = 1 =>
            Row::integer("threads", 1, 256).first(8).uci("Threads").only(Spelling::Flag).used_by(Scope::Both)
                .usually("all cores; in UCI 1");

        /// The longest proof game, in plies from the root position. Unless it is set, games may be longer than usual where
        /// many men have to be captured first, as in endgames, or the constraint itself asks for long ones; not with
        /// `faithful`.
        MaxPlies max_plies: Option<u32> = None =>
            Row::integer("max-plies", 1, MAX_PLIES_LIMIT as u64).short().uci("MaxPlies").unset(0).only(Spelling::Flag).placeholder("PLIES")
                .usually("101, or what the constraint takes");

        /// The most nodes for each position: positions searched and evaluated. Without it a method gives up after 20
        /// games, `best-first` after 127 searches, and `faithful` after one game.
        Nodes nodes: Option<u64> = None => Row::integer("nodes", 1, u64::MAX).in_method_name().usually("no limit");

        /// The most milliseconds for each position. With it results depend on the speed of the machine.
        Movetime movetime: Option<u64> = None => Row::integer("movetime", 1, u64::MAX).in_method_name().short().placeholder("MS").usually("no limit");

        /// White's rating. The policy networks know ratings from 1000 to 3200 and take others as the nearest of these.
        /// A rating in the constraint overrides this one. In play, the default is `UCI_Elo` if strength is limited,
        /// else the best rating.
        WhiteElo white_elo: Option<u16> = None =>
            Row::integer("white-elo", 1, 4000).uci("WhiteElo").unset(0).used_by(BY_POLICY).group(Group::Players)
                .placeholder("R").usually("unknown");

        /// Black's rating; see White's.
        BlackElo black_elo: Option<u16> = None =>
            Row::integer("black-elo", 1, 4000).uci("BlackElo").unset(0).used_by(BY_POLICY).group(Group::Players)
                .placeholder("R").usually("unknown");

        /// The rating system of these ratings.
        RatingScale rating_scale: RatingScale = RatingScale::Online =>
            Row::word("rating-scale", RatingScale::WORDS).short().uci("RatingScale").used_by(BY_POLICY)
                .group(Group::Players);

        /// Whether players look at what comes of their moves: a short search of each likely move, further the stronger
        /// they are, corrects what the policy network takes for likely. Off, moves are drawn from the network alone,
        /// which hangs pieces at any rating. It needs a policy that was fitted to it; others play without.
        Skill skill: bool = true =>
            Row::switch("skill").uci("Skill").used_by(DRAWN).group(Group::Players);

        /// A UCI engine that has the last word on what a constraint says of evaluations and best moves, such as
        /// `eval=-30..30`, `quiet` or `only`: the path of its program. Without it Entente's own search decides.
        Judge judge: Option<String> = None =>
            Row::text("judge").uci("JudgeEngine").group(Group::Method).placeholder("ENGINE").usually("none");

        /// The nodes of each search that decides what a constraint says of evaluations and best moves, Entente's own
        /// and that of the judge.
        JudgeNodes judge_nodes: u64 = JudgeOptions::NODES =>
            Row::integer("judge-nodes", 1000, 1_000_000_000).uci("JudgeNodes").group(Group::Method);

        /// How closely games of the method `goal-policy` follow human play; closer costs more time. Games to a whole
        /// diagram are searched for, with `natural` and `auto` those that people are likeliest to have played.
        Realism realism: Realism = Realism::Auto =>
            Row::word("realism", Realism::WORDS).in_method_name().short().uci("Realism").used_by(DRAWN).group(Group::Method);

        /// Refuse games that another way delivered than `realism` asks for: with `natural` all come from populations or,
        /// to a whole diagram, from beams, with `fast` all are played one by one, with `auto` either. Without it, what
        /// these do not find is found by other ways,
        /// at last by search, and the results say so. With it, it is not found.
        Strict strict: bool = false =>
            Row::switch("strict").uci("Strict").used_by(DRAWN).group(Group::Method);

        /// How generation chooses moves; of these, play knows `rollout` alone. `auto` takes the first of `goal-policy`, `negamax` (for numbers of men, else
        /// `best-first`) and `puct` that uses every setting you gave. For a plain `go`, which has less time, `auto` is
        /// `negamax` for numbers of men, else `best-first`.
        Method method: Option<Method> = None =>
            Row::word_or_auto("method", Method::WORDS).in_method_name().short().uci("Method").group(Group::Method);

        /// The network: the name of an embedded one or an ONNX file. `goal-policy` and `puct` need a policy network
        /// such as `goal-policy`; `negamax` needs a satisfaction network such as `thesis-1` or `thesis-2`.
        Network network: Option<String> = None =>
            Row::text("network").in_method_name().used_by(NO_PLAN).group(Group::Method).placeholder("NAME|FILE")
                .usually("goal-policy, or thesis-2");

        /// The policy network: an ONNX file, or `goal-policy`, the embedded one. The methods `goal-policy` and `puct`
        /// use it, and so does play with a network. The engine loads it at the next `isready` or search that needs it,
        /// and again each time you set it.
        PolicyFile policy_file: Option<String> = None =>
            Row::text("policy-file").uci("PolicyFile").only(Spelling::None).used_by(Scope::Both)
                .group(Group::Method).usually("goal-policy");

        /// The satisfaction network of the method `negamax`: an ONNX file, `thesis-1` or `thesis-2`. The engine loads
        /// it as it loads `PolicyFile`.
        EvalFile eval_file: Option<String> = None =>
            Row::text("eval-file").uci("EvalFile").only(Spelling::None).used_by(COUNTED).group(Group::Method)
                .usually("thesis-2");

        /// How the engine evaluates positions. In `negamax`: `network` uses a satisfaction network (exact counts of
        /// White only), `men` counts men, and `auto` takes the network if you name one or if one was trained on the
        /// constraint. In play: `network` uses `PolicyFile` and plays like people, `hand-written` plays without any
        /// network, and `auto` takes the former if `UCI_LimitStrength` is set, else the embedded evaluation network, which
        /// plays best. The method `rollout` values playouts by that network, by hand or by counts of `men`, which was
        /// formerly called `material`.
        Evaluator evaluator: Evaluator = Evaluator::Auto =>
            Row::word("evaluator", Evaluator::WORDS).in_method_name().uci("Evaluator").used_by(SEARCH).group(Group::Method);

        /// The library that runs the network.
        Backend backend: Backend = Backend::Tract =>
            Row::word("backend", Backend::WORDS).in_method_name().built(has_backend).uci("Backend").used_by(NO_PLAN).group(Group::Method);

        /// How much more the constraint influences moves in `fast` games. The network's logits with the goal differ
        /// from those without it; this factor adds the difference again. 0 adds nothing, −1 removes the influence.
        Guidance guidance: f32 = 1.5 =>
            Row::number("guidance", -1.0, 10.0).uci("Guidance").percent().used_by(DRAWN).group(Group::Tuning)
                .placeholder("G");

        /// The temperature of the draw in the opening. 1 draws moves as the network or the visits say; a lower value
        /// prefers likelier moves.
        Temperature temperature: Option<f32> = None =>
            Row::number("temperature", 0.01, 10.0).uci("Temperature").percent().unset(0).used_by(BY_POLICY)
                .group(Group::Tuning).placeholder("T").usually("as fitted to people of the rating; 0.85 if fast");

        /// The temperature from ply 30 on. Between plies 10 and 30 it changes by degrees; a network's file may say one for
        /// ply 16, which counts where neither temperature is set.
        LateTemperature late_temperature: Option<f32> = None =>
            Row::number("late-temperature", 0.01, 10.0).uci("LateTemperature").percent().unset(0)
                .used_by(BY_POLICY).group(Group::Tuning).placeholder("T").usually("as fitted to people of the rating; 0.55 if fast");

        /// The number of games in a population, of which one is drawn. Where none of them satisfies the constraint, the
        /// next population is twice as large, up to eight times. To a whole diagram a beam has many times as many games. For `natural` games.
        Population population: u32 = 4 =>
            Row::integer("population", 1, 1024).used_by(DRAWN).group(Group::Tuning);

        /// How many plies the reachability mask looks ahead. It removes moves after which the constraint is out of
        /// reach; 0 removes none. For `fast` games.
        Mask mask: u32 = 2 =>
            Row::integer("mask", 0, 2).used_by(DRAWN).group(Group::Tuning).placeholder("PLIES");

        /// The weight of the action value, which favours moves toward the constraint as the plies run out. For `fast`
        /// games.
        Tilt tilt: f32 = 2.0 =>
            Row::number("tilt", 0.0, 10.0).used_by(DRAWN).group(Group::Tuning).placeholder("W");

        /// Whether best-first search finishes a game when the plies have nearly run out, or late in it the mask leaves no
        /// move. Where it finds nothing, moves are taken back. For `fast` games.
        Finish finish: bool = true => Row::switch("finish").used_by(DRAWN).group(Group::Tuning);

        /// The number of visits before each move in the tree search of the method `puct`.
        Visits visits: u32 = 64 =>
            Row::integer("visits", 1, 1_000_000).in_method_name().uci("Visits").used_by(BY_TREE).group(Group::Tuning);

        /// The priors of the tree search of the method `puct`: which moves it looks at first.
        Priors priors: Priors = Priors::Network =>
            Row::word("priors", Priors::WORDS).in_method_name().used_by(BY_TREE).group(Group::Tuning);

        /// The depth of cooperative negamax, in plies.
        Depth depth: Option<u32> = None =>
            Row::integer("depth", 1, NegamaxSettings::MAX_DEPTH as u64).in_method_name().uci("SearchDepth").unset(0)
                .used_by(NEGAMAX).group(Group::Negamax).placeholder("PLIES")
                .usually("1 with a network, 2 without");

        /// How far below the best a move's value may be for the move to be drawn. With a network, and with `faithful`,
        /// it is subtracted from the best value; with `men` it is a share of the best value. If search finds a
        /// satisfied position, only the shortest ways there are drawn, unless `faithful` is set.
        Criterion criterion: f32 = NegamaxSettings::DEFAULT_CRITERION =>
            Row::number("criterion", 0.0, 1.0).uci("Criterion").percent().used_by(NEGAMAX).group(Group::Negamax)
                .placeholder("C");

        /// Search exactly as the published algorithm does: no pruning, no exact leaves, no transposition table, one
        /// attempt.
        Faithful faithful: bool = false =>
            Row::switch("faithful").uci("Faithful").used_by(NEGAMAX).group(Group::Negamax);

        /// How many random plies follow a move in a playout of the method `rollout`, at most. `go depth` overrides it
        /// and counts the move itself too.
        PlayoutDepth playout_depth: u32 = RolloutSettings::DEFAULT.depth =>
            Row::integer("playout-depth", 0, 500).uci("PlayoutDepth").used_by(BY_PLAYOUTS).group(Group::Rollout)
                .placeholder("PLIES");

        /// The number of playouts for each move of the game, unless the clock or `go nodes` says how many.
        Playouts playouts: Option<u32> = None =>
            Row::integer("playouts", 1, u32::MAX as u64).uci("Playouts").unset(0).used_by(BY_PLAYOUTS)
                .group(Group::Rollout).usually("100000 in play, 2000 in generation");

        /// Which move the next playout begins with: the one that may be best (`ucb`), or each in its turn (`uniform`).
        Allotment allotment: Allotment = Allotment::Ucb =>
            Row::word("allotment", Allotment::WORDS).uci("Allotment").used_by(BY_PLAYOUTS).group(Group::Rollout);
    }

    /// What only play against an opponent reads.
    play: Play PlaySettings {
        /// Play as weakly as `UCI_Elo` says.
        LimitStrength limit_strength: bool = false => Row::switch("limit-strength").uci("UCI_LimitStrength").play();

        /// The strength if `UCI_LimitStrength` is set. The engine draws moves as people of that rating (`RatingScale`)
        /// play, who look the further the better they are. With the hand-written evaluation it searches fewer nodes
        /// instead, up to 1850.
        PlayElo play_elo: u32 = 1500 =>
            Row::integer("play-elo", Strength::WEAKEST as u64, Strength::STRONGEST as u64).uci("UCI_Elo").play();

        /// Memory of a plain `go` in mebibytes, for its tree or its transposition table.
        Hash hash: u32 = 64 => Row::integer("hash", 1, 4096).uci("Hash").play();

        /// How many of the best moves a plain `go` reports a line for, in play.
        MultiPv multi_pv: u32 = 1 => Row::integer("multi-pv", 1, 218).uci("MultiPV").play();

        /// Tells the engine that the GUI may send `go ponder`; it changes nothing else.
        Ponder ponder: bool = false => Row::switch("ponder").uci("Ponder").play();

        /// Adds the chances of a win, a draw and a loss to the score, in thousandths.
        ShowWdl show_wdl: bool = false => Row::switch("show-wdl").uci("UCI_ShowWDL").play();

        /// The time lost between engine and GUI for each move, in milliseconds.
        MoveOverhead move_overhead: u32 = 30 => Row::integer("move-overhead", 0, 5000).uci("MoveOverhead").play();

        /// The exploration constant of the tree search in play (PUCT): the weight of the network's priors against the
        /// values found.
        Exploration exploration: f32 = 1.5 =>
            Row::number("exploration", 0.0, 10.0).uci("Exploration").percent().play();

        /// How much lower than its position the tree search values a move that it has not visited, where a win is 1 and
        /// a loss −1.
        FirstPlayReduction first_play_reduction: f32 = 0.3 =>
            Row::number("first-play-reduction", 0.0, 2.0).uci("FirstPlayReduction").percent().play();

        /// The temperature of the priors in that tree search; 1 takes them as the network gives them.
        PriorTemperature prior_temperature: f32 = 1.0 =>
            Row::number("prior-temperature", 0.1, 10.0).uci("PriorTemperature").percent().play();

        /// The nodes, in hundreds, of the short alpha-beta search that corrects the network in every position of the
        /// tree search; 0 switches it off. More nodes see deeper, at most 12 plies, and slow the search.
        LookAhead look_ahead: u32 = 20 => Row::integer("look-ahead", 0, 1000).uci("LookAhead").play();

        /// The weight of the short search's score against the network's value.
        LookAheadShare look_ahead_share: f32 = 0.7 =>
            Row::number("look-ahead-share", 0.0, 1.0).uci("LookAheadShare").percent().play();

        /// The share of the prior that goes to the short search's best move.
        LookAheadPrior look_ahead_prior: f32 = 0.25 =>
            Row::number("look-ahead-prior", 0.0, 0.9).uci("LookAheadPrior").percent().play();
    }
}
