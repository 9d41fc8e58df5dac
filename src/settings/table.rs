//! The one table of settings.

use super::{
    Backend,
    choices::{Choice, Evaluator, Method, Mode, Priors, Realism},
    field::Field,
    kind::Value,
    setting::{Group, Scope, SettingOf, Spelling},
};
use crate::{
    constraint::Target, encoding::goal_policy::RatingScale, play::Strength, search::NegamaxSettings,
};

/// Declares [`Settings`] and [`SETTINGS`]: for each field its type, its usual value, its setting, and, as its comment, what
/// it does. `derived` settings have no field of their own but read and write others.
macro_rules! settings {
    (
        derived { $( $(#[doc = $derived_help:expr])* ($get:expr, $set:expr) => $derived:expr; )* }
        fields { $( $(#[doc = $help:expr])* $field:ident: $type:ty = $usual:expr => $setting:expr; )* }
    ) => {
        /// The value of every setting.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Settings {
            $( $(#[doc = $help])* pub $field: $type, )*
        }

        impl Default for Settings {
            fn default() -> Settings {
                Settings { $( $field: $usual, )* }
            }
        }

        /// Every setting, in the order of help, documents and UCI.
        pub static SETTINGS: &[Setting] = &[
            $( $derived.with(concat!($($derived_help),*), $get, $set), )*
            $(
                $setting.with(
                    concat!($($help),*),
                    |settings| settings.$field.value(),
                    |settings, value| {
                        settings.$field = <$type as Field>::of(value, || $usual)?;
                        Ok(())
                    },
                ),
            )*
        ];
    };
}

/// A setting of the engine.
pub type Setting = SettingOf<Settings>;

const DRAWN: Scope = Scope::Methods(&[Method::GoalPolicy]);
const BY_TREE: Scope = Scope::Methods(&[Method::Puct]);
const BY_POLICY: Scope = Scope::Methods(&[Method::GoalPolicy, Method::Puct]);
const NEGAMAX: Scope = Scope::Methods(&[Method::Negamax]);
const NO_PLAN: Scope = Scope::Methods(&[Method::GoalPolicy, Method::Puct, Method::Negamax]);
const SEARCH: Scope = Scope::Methods(&[Method::Negamax, Method::BestFirst]);

settings! {
    derived {
        /// Both players' rating.
        (
            |settings| settings.white_elo.filter(|_| settings.white_elo == settings.black_elo).map(u64::from).map(Value::Integer),
            |settings, value| {
                settings.white_elo = Field::of(value, || None)?;
                settings.black_elo = settings.white_elo;
                Ok(())
            }
        ) => Setting::integer("elo", 1, 4000).heeded_by(BY_POLICY).group(Group::Players).placeholder("R").usually("unknown");
    }
    fields {
        /// What a plain `go` is for: to `play` and win, or to `generate`, a game in which both sides cooperate toward
        /// `Constraint`.
        mode: Mode = Mode::Play =>
            Setting::word("mode", Mode::WORDS).uci("Mode").only(Spelling::None).heeded_by(Scope::Both);

        /// What generated positions must look like, for example `(1,2,1,1,7)` or `Q=0 q=0 R>=1`.
        target: Option<Target> = None =>
            Setting::text("constraint").uci("Constraint").only(Spelling::None).heeded_by(Scope::Both);

        /// The same seed gives the same positions, at any number of threads, and in play at a rating the same moves.
        seed: Option<u64> = None =>
            Setting::integer("seed", 0, u64::MAX).uci("Seed").unset(0).only(Spelling::Flag).heeded_by(Scope::Both)
                .usually("another one each time");

        /// Threads: as many positions are generated at the same time, and as many threads look ahead in play with the
        /// network. Results of generation do not depend on it; other searches use one thread.
        threads: u32 = 1 =>
            Setting::integer("threads", 1, 256).uci("Threads").only(Spelling::Flag).heeded_by(Scope::Both)
                .usually("all cores; in UCI 1");

        /// The longest proof game, in plies from the position searched.
        max_plies: u32 = 101 =>
            Setting::integer("max-plies", 1, 1000).uci("MaxPlies").only(Spelling::Flag).placeholder("PLIES");

        /// Positions searched and evaluated for each position generated, at most. Without it every method gives up after
        /// 20 games, or 127 searches for a plan; `faithful` after one game.
        nodes: Option<u64> = None => Setting::integer("nodes", 1, u64::MAX).usually("no limit");

        /// Milliseconds for each position, at most. Results then depend on the machine's speed.
        movetime: Option<u64> = None => Setting::integer("movetime", 1, u64::MAX).placeholder("MS").usually("no limit");

        /// White's rating. The networks know ratings from 1000 to 3200; others count as the nearest of these. A rating in
        /// the constraint comes first. In play, if it is not set, that of `UCI_Elo`, or the best.
        white_elo: Option<u16> = None =>
            Setting::integer("white-elo", 1, 4000).uci("WhiteElo").unset(0).heeded_by(BY_POLICY).group(Group::Players)
                .placeholder("R").usually("unknown");

        /// Black's rating.
        black_elo: Option<u16> = None =>
            Setting::integer("black-elo", 1, 4000).uci("BlackElo").unset(0).heeded_by(BY_POLICY).group(Group::Players)
                .placeholder("R").usually("unknown");

        /// Whose ratings these are.
        rating_scale: RatingScale = RatingScale::Online =>
            Setting::word("rating-scale", RatingScale::WORDS).uci("RatingScale").heeded_by(BY_POLICY)
                .group(Group::Players);

        /// How much a game of the method `goal-policy` may cost to look like people's.
        realism: Realism = Realism::Auto =>
            Setting::word("realism", Realism::WORDS).uci("Realism").heeded_by(DRAWN).group(Group::Method);

        /// How moves are chosen in generation. `auto` is the first of `goal-policy`, `negamax` or `best-first`, and
        /// `puct` that heeds all that is set; with a plain `go`, which has less time, it is `negamax` for numbers of men
        /// and else `best-first`.
        method: Option<Method> = None =>
            Setting::word_or_auto("method", Method::WORDS).uci("Method").group(Group::Method);

        /// An embedded network or an ONNX file: `goal-policy` or one like it for the methods `goal-policy` and `puct`,
        /// `thesis-1`, `thesis-2` or one like them for `negamax`.
        network: Option<String> = None =>
            Setting::text("network").heeded_by(NO_PLAN).group(Group::Method).placeholder("NAME|FILE")
                .usually("goal-policy, or thesis-2");

        /// The network of play at a rating, and of the methods `goal-policy` and `puct`: an ONNX file, or `goal-policy`.
        /// It is loaded at the next `isready` or search that needs it, and again each time it is set.
        policy_file: Option<String> = None =>
            Setting::text("policy-file").uci("PolicyFile").only(Spelling::None).heeded_by(Scope::Both)
                .group(Group::Method).usually("goal-policy");

        /// The network that values positions for the method `negamax`: an ONNX file, `thesis-1` or `thesis-2`. It is
        /// loaded like `PolicyFile`.
        eval_file: Option<String> = None =>
            Setting::text("eval-file").uci("EvalFile").only(Spelling::None).heeded_by(NEGAMAX).group(Group::Method)
                .usually("thesis-2");

        /// What values positions. With the method `negamax` a `network` (exact counts of White only), or `men`, which
        /// counts them; `auto` is the network where one is named or was trained on the constraint. In play the `network`
        /// of `PolicyFile`, which plays like people, or `hand-written`, which plays more strongly; `auto` is the network
        /// if `UCI_LimitStrength` is set. `material` still stands for no network.
        evaluator: Evaluator = Evaluator::Auto =>
            Setting::word("evaluator", Evaluator::WORDS).uci("Evaluator").heeded_by(SEARCH).group(Group::Method);

        /// What runs a network.
        backend: Backend = Backend::Tract =>
            Setting::word("backend", Backend::WORDS).uci("Backend").heeded_by(NO_PLAN).group(Group::Method);

        /// How many times what the constraint adds to a move's chance is added once more in `fast` games; −1 takes it
        /// away again.
        guidance: f32 = 1.0 =>
            Setting::number("guidance", -1.0, 10.0).uci("Guidance").percent().heeded_by(DRAWN).group(Group::Tuning)
                .placeholder("G");

        /// How evenly moves of the opening are drawn: 1 as the network or the visits say, less for likelier ones.
        temperature: Option<f32> = None =>
            Setting::number("temperature", 0.01, 10.0).uci("Temperature").percent().unset(0).heeded_by(BY_POLICY)
                .group(Group::Tuning).placeholder("T").usually("as fitted to people: 0.95 if natural, else 0.85");

        /// The same from ply 30 on, and by degrees from ply 10.
        late_temperature: Option<f32> = None =>
            Setting::number("late-temperature", 0.01, 10.0).uci("LateTemperature").percent().unset(0)
                .heeded_by(BY_POLICY).group(Group::Tuning).placeholder("T").usually("0.9 if natural, else 0.55");

        /// Games of a population, of which one is drawn; for `natural` games.
        population: u32 = 8 =>
            Setting::integer("population", 1, 1024).heeded_by(DRAWN).group(Group::Tuning);

        /// Plies to look ahead for moves that lead out of the constraint's reach; 0 leaves none of them out. For `fast`
        /// games.
        mask: u32 = 2 =>
            Setting::integer("mask", 0, 2).heeded_by(DRAWN).group(Group::Tuning).placeholder("PLIES");

        /// How strongly moves toward the constraint are preferred as the plies run out; for `fast` games.
        tilt: f32 = 2.0 =>
            Setting::number("tilt", 0.0, 10.0).heeded_by(DRAWN).group(Group::Tuning).placeholder("W");

        /// Whether search finishes a game when the plies have nearly run out; for `fast` games.
        finish: bool = true => Setting::switch("finish").heeded_by(DRAWN).group(Group::Tuning);

        /// Visits of the tree search of the method `puct`, a move.
        visits: u32 = 64 =>
            Setting::integer("visits", 1, 1_000_000).uci("Visits").heeded_by(BY_TREE).group(Group::Tuning);

        /// Which moves the tree search of the method `puct` looks at first.
        priors: Priors = Priors::Network =>
            Setting::word("priors", Priors::WORDS).heeded_by(BY_TREE).group(Group::Tuning);

        /// Plies to look ahead.
        depth: Option<u32> = None =>
            Setting::integer("depth", 1, NegamaxSettings::MAX_DEPTH as u64).uci("SearchDepth").unset(0)
                .heeded_by(NEGAMAX).group(Group::Negamax).placeholder("PLIES")
                .usually("1 with a network, 2 without");

        /// How far below the best a move's value may be for the move to be drawn: subtracted from the best value with a
        /// network and if `faithful`, else a share of it. Unless `faithful`, where search finds a satisfied position only
        /// the shortest ways there are drawn.
        criterion: f32 = NegamaxSettings::DEFAULT_CRITERION =>
            Setting::number("criterion", 0.0, 1.0).uci("Criterion").percent().heeded_by(NEGAMAX).group(Group::Negamax)
                .placeholder("C");

        /// Search exactly as the published algorithm: nothing pruned, no exact leaves, no table, no second attempt.
        faithful: bool = false =>
            Setting::switch("faithful").uci("Faithful").heeded_by(NEGAMAX).group(Group::Negamax);

        /// Play as weakly as `UCI_Elo` says.
        limit_strength: bool = false => Setting::switch("limit-strength").uci("UCI_LimitStrength").play();

        /// How strongly to play if `UCI_LimitStrength` is set: with the network up to 2200 by moves drawn as people of
        /// that rating (`RatingScale`) play, compared the more carefully the higher it is, above by a search of few
        /// positions; without it by fewer nodes, up to 1850.
        play_elo: u32 = 1500 =>
            Setting::integer("play-elo", Strength::WEAKEST as u64, Strength::STRONGEST as u64).uci("UCI_Elo").play();

        /// Memory of a plain `go`, in mebibytes: of its tree, or of its transposition table.
        hash: u32 = 64 => Setting::integer("hash", 1, 4096).uci("Hash").play();

        /// How many of the best moves a plain `go` reports a line of, if it plays.
        multi_pv: u32 = 1 => Setting::integer("multi-pv", 1, 218).uci("MultiPV").play();

        /// Says that the GUI may send `go ponder`; changes nothing else.
        ponder: bool = false => Setting::switch("ponder").uci("Ponder").play();

        /// Adds the chances to win, draw and lose to the score, in thousandths.
        show_wdl: bool = false => Setting::switch("show-wdl").uci("UCI_ShowWDL").play();

        /// Time lost between engine and GUI, for every move, in milliseconds.
        move_overhead: u32 = 30 => Setting::integer("move-overhead", 0, 5000).uci("MoveOverhead").play();

        /// How much a move's chance by the network counts in the tree search of a plain `go` against what was found of
        /// it.
        exploration: f32 = 1.5 =>
            Setting::number("exploration", 0.0, 10.0).uci("Exploration").percent().play();

        /// How much worse than its position a move counts there before it was looked at; 1 is a game.
        first_play_reduction: f32 = 0.3 =>
            Setting::number("first-play-reduction", 0.0, 2.0).uci("FirstPlayReduction").percent().play();

        /// How even the moves' chances are there: 1 as the network says.
        prior_temperature: f32 = 1.0 =>
            Setting::number("prior-temperature", 0.1, 10.0).uci("PriorTemperature").percent().play();

        /// Nodes, in hundreds, of the alpha-beta search that corrects the network in every position of the tree search;
        /// 0 switches it off. More see deeper, at most 12 plies, and slow the search.
        look_ahead: u32 = 20 => Setting::integer("look-ahead", 0, 1000).uci("LookAhead").play();

        /// Weight of that search's score against the network's value.
        look_ahead_share: f32 = 0.7 =>
            Setting::number("look-ahead-share", 0.0, 1.0).uci("LookAheadShare").percent().play();

        /// Share of the prior that goes to that search's best move.
        look_ahead_prior: f32 = 0.25 =>
            Setting::number("look-ahead-prior", 0.0, 0.9).uci("LookAheadPrior").percent().play();
    }
}
