use std::time::Duration;

use clap::ValueEnum;

use super::{Mode, parse_target};
use crate::{
    encoding::goal_policy::RatingScale,
    generation::{
        BackendChoice, EvaluatorChoice, MethodChoice, Plan, Settings,
        goal_policy::{PolicyRequest, Realism, TreeSettings},
    },
    search::{
        NegamaxSettings,
        puct::{Parameters, Strength},
    },
    uci::declaration::{Declaration, Kind},
};

/// Every option, in the order in which the GUI is told of them.
pub static TABLE: [Declaration; 34] = [
    Declaration {
        name: "Mode",
        kind: Kind::Combo { default: "play", choices: &["play", "generate"] },
        help: "What a plain `go` is for: to `play` and win, or to `generate`, a game in which both sides cooperate \
               toward `Constraint`.",
        store: |options, value| {
            options.mode = if value.choice() == "generate" { Mode::Generate } else { Mode::Play };
            Ok(())
        },
    },
    Declaration {
        name: "Constraint",
        kind: Kind::Text { default: "" },
        help: "What generated positions must look like, for example `(1,2,1,1,7)` or `Q=0 q=0 R>=1`.",
        store: |options, value| {
            let text = value.text();
            options.target = if text.trim().is_empty() { None } else { Some(parse_target(&text)?) };
            Ok(())
        },
    },
    Declaration {
        name: "Method",
        kind: Kind::Combo {
            default: "auto",
            choices: &["auto", "best-first", "goal-policy", "negamax", "puct", "rollout"],
        },
        help: "How moves are chosen in generation: `goal-policy`, drawn from a network that knows how people play who \
               reach the constraint, `puct`, a tree search by the same network, `negamax`, the cooperative search for \
               numbers of men, `best-first`, a search for a plan to anything, or `auto`: with `go generate` \
               `goal-policy`, unless something is set that only `negamax` heeds; with a plain `go`, which has less \
               time, `negamax` where it will do, else `best-first`. `rollout` is not in this version.",
        store: |options, value| {
            let word = value.choice();
            options.method =
                MethodChoice::from_str(word, true).map_err(|_| format!("{word} is not in this version"))?;
            Ok(())
        },
    },
    Declaration {
        name: "Evaluator",
        kind: Kind::Combo { default: "auto", choices: &["auto", "network", "material"] },
        help: "What values positions: in play the `network` of `PolicyFile`, or `material`, the hand-written \
               evaluation, which plays more strongly and less like people; `auto` is the network if \
               `UCI_LimitStrength` is set, else `material`; with `negamax` a trained `network` (exact counts of White \
               only), `material` (any constraint), or `auto`: the network where `EvalFile` names one or the constraint \
               is one of the 17 it was trained on, else `material`.",
        store: |options, value| {
            options.evaluator = EvaluatorChoice::from_str(value.choice(), true)?;
            Ok(())
        },
    },
    Declaration {
        name: "Backend",
        kind: Kind::Combo { default: "tract", choices: &["tract", "torch"] },
        help: "What runs the network: `tract` on the CPU, or `torch`, libtorch in batches and on a GPU, in builds \
               with `--features torch`.",
        store: |options, value| {
            let backend = BackendChoice::from_str(value.choice(), true)?;
            backend.check()?;
            options.backend = backend;
            Ok(())
        },
    },
    Declaration {
        name: "EvalFile",
        kind: Kind::Text { default: "" },
        help: "The network: an ONNX file, `thesis-1`, `thesis-2`, or `<empty>` for `thesis-2`; \
               loaded at the next `isready` or search that needs it, and again each time it is set.",
        store: |options, value| {
            options.eval_file.name = value.text();
            options.eval_file.setting += 1;
            Ok(())
        },
    },
    Declaration {
        name: "PolicyFile",
        kind: Kind::Text { default: "" },
        help: "The network that plays, and that of the methods `goal-policy` and `puct`: an ONNX file, `goal-policy`, \
               or `<empty>` for that; loaded like `EvalFile`.",
        store: |options, value| {
            options.policy_file.name = value.text();
            options.policy_file.setting += 1;
            Ok(())
        },
    },
    Declaration {
        name: "SearchDepth",
        kind: Kind::Spin { default: 0, min: 0, max: NegamaxSettings::MAX_DEPTH },
        help: "Plies of cooperative search for each move, where `go generate` gives no depth; \
               0 for 1 with a network and 2 without.",
        store: |options, value| {
            let depth = value.number();
            options.search_depth = (depth != 0).then_some(depth);
            Ok(())
        },
    },
    Declaration {
        name: "MaxPlies",
        kind: Kind::Spin { default: Settings::DEFAULT_MAX_PLIES, min: 1, max: Settings::MOST_MAX_PLIES },
        help: "The longest proof game, in plies from the position searched.",
        store: |options, value| {
            options.max_plies = value.number();
            Ok(())
        },
    },
    Declaration {
        name: "Criterion",
        kind: Kind::Spin { default: NegamaxSettings::DEFAULT_CRITERION_PERCENT, min: 0, max: 100 },
        help: "How far below the best a move's value may be for the move to be drawn, in percent: \
               of 1 with a network and if `Faithful`, of the best value with `material`. Unless `Faithful`, \
               where search finds a satisfied position only the shortest ways there are drawn.",
        store: |options, value| {
            options.criterion = value.number() as f32 / 100.0;
            Ok(())
        },
    },
    Declaration {
        name: "Faithful",
        kind: Kind::Check { default: false },
        help: "Search exactly as the published algorithm: nothing pruned, no exact leaves, no table, \
               no second attempt.",
        store: |options, value| {
            options.faithful = value.switch();
            Ok(())
        },
    },
    Declaration {
        name: "Realism",
        kind: Kind::Combo { default: "auto", choices: &["auto", "natural", "fast"] },
        help: "What games of the method `goal-policy` may cost to look like people's: `natural` draws each from a \
               population, `fast` plays one at a time, `auto` is `natural` where people meet the constraint often \
               enough.",
        store: |options, value| {
            options.policy.realism = Realism::from_str(value.choice(), true)?;
            Ok(())
        },
    },
    Declaration {
        name: "Guidance",
        kind: Kind::Spin { default: 100, min: 0, max: 1000 },
        help: "How many times what the constraint adds to a move's chance is added once more in `fast` games, in \
               percent.",
        store: |options, value| {
            options.policy.guidance = value.number() as f32 / 100.0;
            Ok(())
        },
    },
    Declaration {
        name: "Temperature",
        kind: Kind::Spin { default: 0, min: 0, max: 1000 },
        help: "How evenly the methods `goal-policy` and `puct` draw moves of the opening, in percent: 100 as the network \
               or the visits say, less for likelier ones; 0 as fitted to people's games: 95 for `natural` ones, else \
               85.",
        store: |options, value| {
            options.policy.temperature = percent(value.number());
            Ok(())
        },
    },
    Declaration {
        name: "LateTemperature",
        kind: Kind::Spin { default: 0, min: 0, max: 1000 },
        help: "The same from ply 30 on, and by degrees from ply 10; 0 as fitted: 90 for `natural` games, else 55.",
        store: |options, value| {
            options.policy.late_temperature = percent(value.number());
            Ok(())
        },
    },
    Declaration {
        name: "Visits",
        kind: Kind::Spin { default: TreeSettings::USUAL.visits, min: 1, max: PolicyRequest::MOST_VISITS },
        help: "Visits of the tree search of the method `puct` in generation, a move.",
        store: |options, value| {
            options.policy.visits = value.number();
            Ok(())
        },
    },
    Declaration {
        name: "WhiteElo",
        kind: Kind::Spin { default: 0, min: 0, max: 4000 },
        help: "White's rating, from 1000 to 3200, as the network is told in generation and in play. 0: unknown in \
               generation; in play that of `UCI_Elo` or the best. A rating in the constraint comes first.",
        store: |options, value| {
            options.policy.white_elo = rating(value.number());
            Ok(())
        },
    },
    Declaration {
        name: "BlackElo",
        kind: Kind::Spin { default: 0, min: 0, max: 4000 },
        help: "Black's, likewise.",
        store: |options, value| {
            options.policy.black_elo = rating(value.number());
            Ok(())
        },
    },
    Declaration {
        name: "RatingScale",
        kind: Kind::Combo { default: "online", choices: &["online", "fide", "chess.com"] },
        help: "Whose ratings these are: of Lichess, of the world chess federation, or of chess.com.",
        store: |options, value| {
            options.policy.rating_scale = RatingScale::from_str(value.choice(), true)?;
            Ok(())
        },
    },
    Declaration {
        name: "Seed",
        kind: Kind::Spin { default: 0, min: 0, max: i32::MAX as u32 },
        help: "The same seed gives the same positions, and with `UCI_LimitStrength` the same moves; 0 for other ones each \
               time.",
        store: |options, value| {
            let seed = value.number();
            options.seed = (seed != 0).then_some(u64::from(seed));
            Ok(())
        },
    },
    Declaration {
        name: "Threads",
        kind: Kind::Spin { default: 1, min: 1, max: Plan::MAX_THREADS },
        help: "How many threads look ahead in play with the network, and how many positions `go generate` works on \
               at the same time, whose results do not depend on it. Other searches use one thread.",
        store: |options, value| {
            options.threads = value.number();
            Ok(())
        },
    },
    Declaration {
        name: "Hash",
        kind: Kind::Spin { default: 64, min: 1, max: 4096 },
        help: "Memory of a plain `go`, in mebibytes: of its tree, or of its transposition table.",
        store: |options, value| {
            options.hash = value.number();
            Ok(())
        },
    },
    Declaration {
        name: "MultiPV",
        kind: Kind::Spin { default: 1, min: 1, max: 218 },
        help: "How many of the best moves a plain `go` reports a line of, if it plays.",
        store: |options, value| {
            options.multi_pv = value.number();
            Ok(())
        },
    },
    Declaration {
        name: "Ponder",
        kind: Kind::Check { default: false },
        help: "Says that the GUI may send `go ponder`; changes nothing else.",
        store: |_, _| Ok(()),
    },
    tunable::<0>(),
    tunable::<1>(),
    tunable::<2>(),
    tunable::<3>(),
    tunable::<4>(),
    tunable::<5>(),
    Declaration {
        name: "MoveOverhead",
        kind: Kind::Spin { default: 30, min: 0, max: 5000 },
        help: "Time lost between engine and GUI, for every move, in milliseconds.",
        store: |options, value| {
            options.move_overhead = Duration::from_millis(u64::from(value.number()));
            Ok(())
        },
    },
    Declaration {
        name: "UCI_LimitStrength",
        kind: Kind::Check { default: false },
        help: "Play as weakly as `UCI_Elo` says.",
        store: |options, value| {
            options.limit_strength = value.switch();
            Ok(())
        },
    },
    Declaration {
        name: "UCI_Elo",
        kind: Kind::Spin { default: 1500, min: Strength::WEAKEST, max: Strength::STRONGEST },
        help: "How strongly to play if `UCI_LimitStrength` is set: with the network up to 2200 by moves drawn as \
               people of that rating (`RatingScale`) play, compared the more carefully the higher it is, above by a \
               search of few positions; without it by fewer nodes, up to 1850.",
        store: |options, value| {
            options.elo = value.number();
            Ok(())
        },
    },
    Declaration {
        name: "UCI_ShowWDL",
        kind: Kind::Check { default: false },
        help: "Adds the chances to win, draw and lose to the score, in thousandths.",
        store: |options, value| {
            options.show_wdl = value.switch();
            Ok(())
        },
    },
];

/// The option for one of [`Parameters::TUNABLE`].
const fn tunable<const INDEX: usize>() -> Declaration {
    let (min, max) = Parameters::TUNABLE[INDEX].range;
    Declaration {
        name: Parameters::TUNABLE[INDEX].name,
        kind: Kind::Spin { default: Parameters::TUNABLE[INDEX].usual, min, max },
        help: Parameters::TUNABLE[INDEX].help,
        store: |options, value| {
            Parameters::TUNABLE[INDEX].set(&mut options.parameters, value.number());
            Ok(())
        },
    }
}

/// 0 stands for what is usual.
fn percent(number: u32) -> Option<f32> {
    (number > 0).then_some(number as f32 / 100.0)
}

/// 0 stands for an unknown rating.
fn rating(number: u32) -> Option<u16> {
    u16::try_from(number).ok().filter(|number| *number > 0)
}
