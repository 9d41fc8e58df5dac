//! `entente policy`: the policy's move probabilities in a position.

use std::fmt::Write as _;

use anyhow::{anyhow, ensure};
use clap::Args;
use entente::{
    engine::Engine,
    generation::{
        DEFAULT_MAX_PLIES, Plan, Request, known_rating,
        policy::{Aims, Reach},
    },
    predictor::MovePredictor as _,
    settings::{Method, choices},
    skill::Skilled,
};
use entente_constraint::{Constraint, Men, Situation, Target, guide::Guide, plies_before};
use entente_network::{
    NetworkKind as _, Policy, Prediction, Query,
    encoding::{
        goal_policy::{Aim, Context},
        moves::{AlphaZero, FromTo, MoveEncoding},
        softmax,
    },
};
use shakmaty::{CastlingMode, Chess, Move, Position, san::San};

use super::{
    FOUND,
    flags::{PlayerFlags, choice},
    position, print, words,
};

/// Print the most likely moves of a position, according to the policy network.
///
/// Each line has a move, its index in the encoding, and probabilities in percent. "raw" is the output of the network,
/// in which illegal moves have a share; "legal" is the same after the legality mask. "skill", for networks that have a
/// skill, adds a short search, as far as players of the rating see what it finds.
///
/// With a constraint there are three more columns. "one-ply" is the probability after the reachability mask of one ply
/// (the constraint stays within reach), and "two-ply" after that of two plies (the other side also has a reply that
/// keeps it within reach). "met" is the probability that the game satisfies the constraint in time after the move.
#[derive(Args)]
#[command(after_help = "\
Examples:
  entente policy startpos
      The first move of a game
  entente policy startpos --elo 1100 --moves 5
      The same for players rated 1100
  entente policy \"4k3/8/2p5/8/8/3Q4/8/4K3 w - - 0 1\" --elo 2200 --skill off
      The network alone, which does not see where the queen can be captured
  entente policy \"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 3\" --constraint \"black(1,2,2,2,7)\"
      The next move of a game in which Black loses one pawn and nothing else")]
pub(super) struct Arguments {
    /// The FEN of the position, or "startpos"
    fen: String,
    /// The constraint that both players aim for, such as "(1,2,1,1,7)"; see docs/constraints.md
    #[arg(long, short, value_name = "CONSTRAINT", allow_hyphen_values = true)]
    constraint: Option<String>,
    /// The plies left to satisfy the constraint
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_PLIES,
        value_parser = words::number::<u32>(1..=1000))]
    plies: u32,
    /// The encoding of moves
    #[arg(long, default_value = "alpha-zero", value_parser = choice::<Encoding>())]
    encoding: Encoding,
    /// The number of moves to print, most likely first; 0 for all
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10)]
    moves: usize,
    /// A built-in policy or an ONNX file
    #[arg(long, value_name = "NAME|FILE", default_value = Policy::DEFAULT)]
    network: String,
    #[command(flatten)]
    players: PlayerFlags,
}

choices! {
    /// An encoding of moves.
    Encoding {
        /// 8 × 8 × 73: origin square, and direction and distance of the move
        AlphaZero = "alpha-zero",
        /// 64 × 64: origin and destination square; pawns promote to queens
        FromTo = "from-to",
    }
}

/// The policy's answers for a position.
#[derive(Clone, Copy)]
struct Answers<'a> {
    policy: &'a Policy,
    /// The network's outputs for all moves, including illegal ones.
    outputs: &'a [f32],
    /// The prediction of the network alone.
    prediction: &'a Prediction,
    /// The prediction corrected by the skill.
    skilled: Option<&'a Prediction>,
}

/// A line of the output. The probabilities are described in the help of [`Arguments`].
struct Row {
    m: Move,
    index: u16,
    raw: f32,
    legal: f32,
    skilled: Option<f32>,
    reachable: Option<[f32; 2]>,
    action_value: f32,
}

/// Runs `entente policy` and returns its exit status.
///
/// # Errors
/// Wrong input, and a network that cannot be used.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let position = match arguments.fen.as_str() {
        "startpos" => Chess::default(),
        fen => position("position", fen)?,
    };
    let target = arguments.constraint.as_deref().map(|text| {
        let constraint: Constraint = text.parse()?;
        anyhow::Ok(Target::new(constraint)?)
    });
    let target = target.transpose()?;
    let anything =
        || Target::new(Constraint::All(Vec::new())).expect("the empty constraint is not too complex");
    let settings = arguments.players.0.clone().changed(|settings| {
        settings.method = Some(Method::GoalPolicy);
        settings.network = Some(arguments.network.clone());
    });
    let request = Request::new(target.clone().unwrap_or_else(anything), settings);
    let job = Engine::default().job_within_reach(&request).map_err(|error| anyhow!(error.with_flags()))?;
    for note in &job.notes {
        eprintln!("note: {note}");
    }
    let legal = position.legal_moves();
    ensure!(!legal.is_empty(), "the game is over in this position");

    let Plan::GoalPolicy(plan) = &job.plan else { unreachable!("this method uses a policy") };
    let policy = &plan.policy.network;
    let mut session = policy.session();
    let situation = Situation::root(&position);
    let aim = match &target {
        Some(target) if policy.reads_goals() => Aims::new(target, situation).nearest(&position).clone(),
        _ => Aim::NONE,
    };
    let context = Context {
        ratings: job
            .plan
            .ratings()
            .map(|range| range.map(|(least, most)| known_rating(least.midpoint(most)))),
        scale: Some(plan.policy.scale),
        ply: plies_before(&position),
        plies_left: target.as_ref().map(|_| arguments.plies),
        ..Context::default()
    };
    let query = Query { position: &position, moves: &legal, played: &[], context, aim: &aim };
    let (prediction, outputs) = session.ask_of_all_moves(&query)?;
    let is_skilled = plan.skill && policy.skill().is_some();
    let skilled = is_skilled.then(|| Skilled::of(policy).predict_one(&query)).transpose()?;
    let answers = Answers { policy, outputs: &outputs, prediction: &prediction, skilled: skilled.as_ref() };
    let reach = target.as_ref().map(|target| {
        let guide = Guide::new(target, situation)?;
        anyhow::Ok(Reach::new(target, &guide, situation))
    });
    let reach = reach.transpose()?;
    let rows = match arguments.encoding {
        Encoding::AlphaZero => rows::<AlphaZero>(&position, &legal, answers, reach.as_ref()),
        Encoding::FromTo => rows::<FromTo>(&position, &legal, answers, reach.as_ref()),
    };
    print(&text(&position, &rows, &prediction, policy.reads_goals(), arguments.moves))?;
    Ok(FOUND)
}

/// A row for each index of the encoding `E`, most likely first. Moves that share an index are added up in the row of
/// the move that the index decodes to.
fn rows<E: MoveEncoding>(
    position: &Chess,
    legal: &[Move],
    answers: Answers<'_>,
    reach: Option<&Reach>,
) -> Vec<Row> {
    let mover = position.turn();
    let Answers { outputs, prediction, skilled, .. } = answers;
    let (raw, alone) = (softmax(outputs), softmax(&prediction.logits));
    let skilled = skilled.map(|skilled| softmax(&skilled.logits));
    let chances = skilled.as_ref().unwrap_or(&alone);
    let men = Men::on(position.board());
    let keeps = |m: Move, plies: u32| {
        reach.is_none_or(|reach| reach.keeps(Situation::root(position), &men, m, plies))
    };
    // The total probability that each mask leaves.
    let left = [1, 2].map(|plies| -> f32 {
        legal.iter().zip(chances).filter(|(m, _)| keeps(**m, plies)).map(|(_, chance)| chance).sum()
    });
    let mut rows: Vec<Row> = Vec::new();
    for (place, m) in legal.iter().enumerate() {
        let index = E::encode(*m, mover);
        let after = |mask: usize| {
            if keeps(*m, mask as u32 + 1) && left[mask] > 0.0 { chances[place] / left[mask] } else { 0.0 }
        };
        let row = Row {
            m: E::decode(index, mover, legal).unwrap_or(*m),
            index: index.0,
            raw: raw[answers.policy.index(*m, mover)],
            legal: alone[place],
            skilled: skilled.as_ref().map(|skilled| skilled[place]),
            reachable: reach.map(|_| [after(0), after(1)]),
            action_value: prediction.action_values[place],
        };
        match rows.iter_mut().find(|other| other.index == row.index) {
            Some(other) => {
                other.raw += row.raw;
                other.legal += row.legal;
                other.skilled = other.skilled.zip(row.skilled).map(|(sum, part)| sum + part);
                if let (Some(sum), Some(part)) = (&mut other.reachable, row.reachable) {
                    sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
                }
            }
            None => rows.push(row),
        }
    }
    let chance = |row: &Row| row.skilled.unwrap_or(row.legal);
    rows.sort_by(|a, b| chance(b).total_cmp(&chance(a)));
    rows
}

/// The table of the first `most` rows (all if 0), and the network's predictions for the game if it `uses_aims`.
fn text(position: &Chess, rows: &[Row], prediction: &Prediction, uses_aims: bool, most: usize) -> String {
    let has_goal = rows.iter().any(|row| row.reachable.is_some());
    let mut text = String::from("move     uci    index     raw   legal");
    if rows.iter().any(|row| row.skilled.is_some()) {
        text += "    skill";
    }
    if has_goal {
        text += "  one-ply  two-ply    met";
    }
    text.push('\n');
    let shown = if most == 0 { rows.len() } else { most.min(rows.len()) };
    let percent = |share: f32| 100.0 * share;
    for row in &rows[..shown] {
        let san = San::from_move(position, row.m).to_string();
        let uci = row.m.to_uci(CastlingMode::Standard).to_string();
        let (raw, legal) = (percent(row.raw), percent(row.legal));
        let _ = write!(text, "{san:8} {uci:6} {:5} {raw:7.2} {legal:7.2}", row.index);
        if let Some(skilled) = row.skilled {
            let _ = write!(text, "  {:7.2}", percent(skilled));
        }
        if let Some([one, two]) = row.reachable {
            let (one, two, met) = (percent(one), percent(two), percent(row.action_value));
            let _ = write!(text, "  {one:7.2}  {two:7.2}  {met:5.1}");
        }
        text.push('\n');
    }
    if shown < rows.len() {
        let _ = writeln!(text, "… and {} more", rows.len() - shown);
    }
    if !uses_aims {
        text += "this network predicts moves only\n";
        return text;
    }
    let [won, drawn, lost] = prediction.result.map(percent);
    let mover = position.turn().fold_wb("White", "Black");
    let _ = writeln!(text, "{mover} wins {won:.0}%, draws {drawn:.0}%, loses {lost:.0}%");
    if has_goal {
        let _ =
            writeln!(text, "the game satisfies the constraint in time: {:.1}%", percent(prediction.value));
    }
    text
}
