//! `entente policy`: what the policy says of a position.

use std::fmt::Write as _;

use anyhow::{anyhow, ensure};
use clap::Args;
use entente::{
    engine::Engine,
    generation::{
        Plan, Request, USUAL_MAX_PLIES, known_rating,
        policy::{Aims, Reach},
    },
    settings::{Method, choices},
    skill::SkilledSession,
};
use entente_constraint::{Constraint, Men, Situation, Target, guide::Guide, plies_before};
use entente_network::{
    NetworkKind as _, Opinion, Policy, Question,
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

/// Print the moves that the policy network finds likeliest in a position.
///
/// Each line has a move, its index in the encoding, and its probability in percent: as the network gives it (illegal
/// moves included), after the legality mask, and, if the network has a skill, with what a short search sees of the
/// moves, as far as players of the rating see it. With a constraint it also has the probability after the reachability
/// mask of one ply (the constraint stays within reach) and of two plies (the other side also has a reply that keeps it
/// within reach), and the probability that the game satisfies the constraint in time after the move.
#[derive(Args)]
#[command(after_help = "\
Examples:
  entente policy startpos
      The first move of a game
  entente policy startpos --elo 1100 --moves 5
      The same for players rated 1100
  entente policy \"4k3/8/2p5/8/8/3Q4/8/4K3 w - - 0 1\" --elo 2200 --skill off
      What the network alone says, which does not look where the queen is taken
  entente policy \"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 3\" --constraint \"black(1,2,2,2,7)\"
      The next move if Black is to lose one pawn and nothing else")]
pub(super) struct Arguments {
    /// The position, or `startpos`
    fen: String,
    /// The constraint as the goal of both players, such as "(1,2,1,1,7)"; see docs/constraints.md
    #[arg(long, short, value_name = "CONSTRAINT", allow_hyphen_values = true)]
    constraint: Option<String>,
    /// The plies left to satisfy the constraint
    #[arg(long, value_name = "N", default_value_t = USUAL_MAX_PLIES,
        value_parser = words::number::<u32>(1..=1000))]
    plies: u32,
    /// The numbering of moves
    #[arg(long, default_value = "alpha-zero", value_parser = choice::<Encoding>())]
    encoding: Encoding,
    /// How many moves to print, the likeliest first; 0 for all
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10)]
    moves: usize,
    /// An embedded policy or an ONNX file
    #[arg(long, value_name = "NAME|FILE", default_value = Policy::DEFAULT)]
    network: String,
    #[command(flatten)]
    players: PlayerFlags,
}

choices! {
    /// A numbering of moves.
    Encoding {
        /// 8 × 8 × 73: the square that a man leaves, and its direction and distance
        AlphaZero = "alpha-zero",
        /// 64 × 64: the square that a man leaves and the one that it reaches; pawns promote to queens
        FromTo = "from-to",
    }
}

/// What is said of a position: all outputs for its moves, illegal ones among them, the opinion of the network alone, and
/// that with skill.
#[derive(Clone, Copy)]
struct Said<'a> {
    policy: &'a Policy,
    outputs: &'a [f32],
    opinion: &'a Opinion,
    skilled: Option<&'a Opinion>,
}

/// What is printed of a move.
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
/// Bad input, and a network that cannot be used.
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
    let anything = || Target::new(Constraint::All(Vec::new())).expect("nothing is not too complex");
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
    ensure!(!legal.is_empty(), "the game is over in that position");

    let Plan::GoalPolicy(plan) = &job.plan else { unreachable!("this is the method") };
    let policy = &plan.policy.network;
    let mut session = policy.session();
    let situation = Situation::root(&position);
    let aim = match &target {
        Some(target) if policy.heeds_aims() => Aims::new(target, situation).nearest(&position).clone(),
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
    let question = Question { position: &position, moves: &legal, played: &[], context, aim: &aim };
    let (opinion, outputs) = session.ask_of_all_moves(&question)?;
    let is_skilled = plan.skill && policy.skill().is_some();
    let skilled = is_skilled.then(|| SkilledSession::new(policy).ask_one(&question)).transpose()?;
    let said = Said { policy, outputs: &outputs, opinion: &opinion, skilled: skilled.as_ref() };
    let reach = target.as_ref().map(|target| {
        let guide = Guide::new(target, situation)?;
        anyhow::Ok(Reach::new(target, &guide, situation))
    });
    let reach = reach.transpose()?;
    let rows = match arguments.encoding {
        Encoding::AlphaZero => rows::<AlphaZero>(&position, &legal, said, reach.as_ref()),
        Encoding::FromTo => rows::<FromTo>(&position, &legal, said, reach.as_ref()),
    };
    print(&text(&position, &rows, &opinion, policy.heeds_aims(), arguments.moves))?;
    Ok(FOUND)
}

/// The moves in the encoding `E`, the likeliest first; of moves that share an index the one that it decodes to.
fn rows<E: MoveEncoding>(
    position: &Chess,
    legal: &[Move],
    said: Said<'_>,
    reach: Option<&Reach>,
) -> Vec<Row> {
    let mover = position.turn();
    let Said { outputs, opinion, skilled, .. } = said;
    let (raw, alone) = (softmax(outputs), softmax(&opinion.logits));
    let skilled = skilled.map(|skilled| softmax(&skilled.logits));
    let chances = skilled.as_ref().unwrap_or(&alone);
    let men = Men::on(position.board());
    let keeps = |m: Move, plies: u32| {
        reach.is_none_or(|reach| reach.keeps(Situation::root(position), &men, m, plies))
    };
    // What each mask leaves in all.
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
            raw: raw[said.policy.index(*m, mover)],
            legal: alone[place],
            skilled: skilled.as_ref().map(|skilled| skilled[place]),
            reachable: reach.map(|_| [after(0), after(1)]),
            action_value: opinion.action_values[place],
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

fn text(position: &Chess, rows: &[Row], opinion: &Opinion, heeds_aims: bool, most: usize) -> String {
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
    if !heeds_aims {
        text += "the network speaks of moves alone\n";
        return text;
    }
    let [won, drawn, lost] = opinion.result.map(percent);
    let mover = position.turn().fold_wb("White", "Black");
    let _ = writeln!(text, "{mover} wins {won:.0}%, draws {drawn:.0}%, loses {lost:.0}%");
    if has_goal {
        let _ = writeln!(text, "the constraint is met in time: {:.1}%", percent(opinion.value));
    }
    text
}
