//! `entente policy`: what the policy says of a position.

use std::fmt::Write as _;

use anyhow::{anyhow, ensure};
use clap::Args;
use shakmaty::{CastlingMode, Chess, Move, Position, san::San};

use super::{
    FOUND,
    flags::{PlayerFlags, choice},
    position, print,
};
use crate::{
    constraint::{Constraint, Men, Situation, Target},
    encoding::{
        goal_policy::{Aim, Context, plies_before},
        moves::{AlphaZero, FromTo, MoveEncoding},
        softmax,
    },
    engine::Networks,
    generation::{
        Request, known_rating,
        policy::{Aims, Reach},
    },
    guide::Guide,
    network::{NetworkKind as _, Opinion, Policy, Question},
    satisfaction::Adviser,
    settings::{Method, Settings, choices},
};

/// Print the moves that the policy thinks likeliest in a position.
///
/// For each move its index in the encoding, and its chance in percent: as the network says (of all its outputs, illegal
/// moves among them), after the legality mask, and with a constraint after the reachability masks of one ply (the
/// constraint stays within reach) and of two plies (the other side has a reply that keeps it there); and the chance
/// that the constraint is met in time after the move.
#[derive(Args)]
#[command(after_help = "\
Examples:
  entente policy startpos
      How games begin
  entente policy startpos --elo 1100 --moves 5
      … at that rating
  entente policy \"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 3\" --constraint \"black(1,2,2,2,7)\"
      … and how they go on if Black is to lose a pawn and nothing else")]
pub struct Arguments {
    /// The position, or `startpos`
    fen: String,
    /// What the game is to come to, such as "(1,2,1,1,7)"; see docs/constraints.md
    #[arg(long, short, value_name = "CONSTRAINT", allow_hyphen_values = true)]
    constraint: Option<String>,
    /// Plies in which it is to come to that
    #[arg(long, value_name = "N", default_value_t = Settings::default().max_plies,
        value_parser = clap::value_parser!(u32).range(1..=1000))]
    plies: u32,
    /// How moves are numbered
    #[arg(long, default_value = "alpha-zero", value_parser = choice::<Encoding>())]
    encoding: Encoding,
    /// Moves printed, the likeliest first; 0 for all
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
        /// 8 × 8 × 73: the square that a man leaves, and how it goes
        AlphaZero = "alpha-zero",
        /// 64 × 64: where a man comes from and goes to; promotions are to queens
        FromTo = "from-to",
    }
}

/// What is printed of a move.
struct Row {
    m: Move,
    index: u16,
    raw: f32,
    legal: f32,
    reachable: Option<[f32; 2]>,
    action_value: f32,
}

/// Runs `entente policy` and returns its exit status.
///
/// # Errors
/// Bad input, and a network that cannot be used.
pub fn run(arguments: &Arguments) -> anyhow::Result<u8> {
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
    let settings = Settings {
        method: Some(Method::GoalPolicy),
        network: Some(arguments.network.clone()),
        ..arguments.players.0.clone()
    };
    let request = Request::new(target.clone().unwrap_or_else(anything), settings);
    let job = request
        .resolve_strictly(&mut Networks::default())
        .map_err(|error| anyhow!(error.said_with(|setting| format!("--{setting}"))))?;
    for note in job.notes() {
        eprintln!("note: {note}");
    }
    let legal = position.legal_moves();
    ensure!(!legal.is_empty(), "the game is over in that position");

    let Adviser::Policy(policy) = &job.adviser else { unreachable!("the method has one") };
    let mut session = policy.session();
    let situation = Situation::root(&position);
    let aim = match &target {
        Some(target) => Aims::new(target, situation).nearest(&position).clone(),
        None => Aim::NONE,
    };
    let context = Context {
        ratings: job.ratings.map(|range| range.map(|(least, most)| known_rating(least.midpoint(most)))),
        scale: Some(job.settings.rating_scale),
        ply: plies_before(&position),
        plies_left: target.as_ref().map(|_| arguments.plies),
        ..Context::default()
    };
    let question = Question { position: &position, moves: &legal, context, aim: &aim };
    let (opinion, outputs) = session.ask_of_all_moves(&question)?;
    let reach = target.as_ref().map(|target| {
        let guide = Guide::new(target, situation)?;
        anyhow::Ok(Reach::new(target, &guide, situation))
    });
    let reach = reach.transpose()?;
    let rows = match arguments.encoding {
        Encoding::AlphaZero => rows::<AlphaZero>(&position, &legal, &outputs, &opinion, reach.as_ref()),
        Encoding::FromTo => rows::<FromTo>(&position, &legal, &outputs, &opinion, reach.as_ref()),
    };
    print(&text(&position, &rows, &opinion, arguments.moves))?;
    Ok(FOUND)
}

/// The moves in the encoding `E`, the likeliest first; of moves that share an index the one that it decodes to.
fn rows<E: MoveEncoding>(
    position: &Chess,
    legal: &[Move],
    outputs: &[f32],
    opinion: &Opinion,
    reach: Option<&Reach>,
) -> Vec<Row> {
    let mover = position.turn();
    let (raw, chances) = (softmax(outputs), softmax(&opinion.logits));
    let men = Men::on(position.board());
    let keeps = |m: Move, plies: u32| {
        reach.is_none_or(|reach| reach.keeps(Situation::root(position), &men, m, plies))
    };
    // What each mask leaves in all.
    let left = [1, 2].map(|plies| -> f32 {
        legal.iter().zip(&chances).filter(|(m, _)| keeps(**m, plies)).map(|(_, chance)| chance).sum()
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
            raw: raw[usize::from(AlphaZero::encode(*m, mover).0)],
            legal: chances[place],
            reachable: reach.map(|_| [after(0), after(1)]),
            action_value: opinion.action_values[place],
        };
        match rows.iter_mut().find(|other| other.index == row.index) {
            Some(other) => {
                other.raw += row.raw;
                other.legal += row.legal;
                if let (Some(sum), Some(part)) = (&mut other.reachable, row.reachable) {
                    sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
                }
            }
            None => rows.push(row),
        }
    }
    rows.sort_by(|a, b| b.legal.total_cmp(&a.legal));
    rows
}

fn text(position: &Chess, rows: &[Row], opinion: &Opinion, most: usize) -> String {
    let has_goal = rows.iter().any(|row| row.reachable.is_some());
    let mut text = String::from("move     uci    index     raw   legal");
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
        if let Some([one, two]) = row.reachable {
            let (one, two, met) = (percent(one), percent(two), percent(row.action_value));
            let _ = write!(text, "  {one:7.2}  {two:7.2}  {met:5.1}");
        }
        text.push('\n');
    }
    if shown < rows.len() {
        let _ = writeln!(text, "… and {} more", rows.len() - shown);
    }
    let [won, drawn, lost] = opinion.result.map(percent);
    let mover = position.turn().fold_wb("White", "Black");
    let _ = writeln!(text, "{mover} wins {won:.0}%, draws {drawn:.0}%, loses {lost:.0}%");
    if has_goal {
        let _ = writeln!(text, "the constraint is met in time: {:.1}%", percent(opinion.value));
    }
    text
}
