//! The tool `policy`: which moves people play.

use entente::{
    generation::{
        DEFAULT_MAX_PLIES, Plan, Request,
        policy::{Asked, Inquiry, MoveProbabilities},
    },
    records::fen,
    settings::{Group, Kind, MAX_PLIES_LIMIT, Row},
};
use entente_constraint::counted;
use entente_search::Game;
use serde_json::{Value, json};
use shakmaty::{Chess, Move, Position as _, san::SanPlus};

use crate::{
    Refusal,
    arguments::{Arguments, position},
    call::{Call, Report},
    parameter::{Inputs, Parameter, Shape},
    tool::{Answer, Tool},
};

/// The most positions of a call.
const MOST: usize = 64;
/// The number of moves of each position, unless it is given.
const DEFAULT_MOVES: u64 = 5;
/// The number of positions that the network is asked about at once.
const GROUP: usize = 8;

fn of_players(row: &Row) -> bool {
    row.group == Group::Players
}

pub(crate) const TOOL: Tool = Tool {
    name: "policy",
    title: "Predict people's moves",
    help: "Says how likely people of a rating are to play each move of a chess position: the likeliest moves with their \
           probabilities. With a constraint, both players aim for a position that satisfies it.",
    inputs: Inputs {
        parameters: &[
            Parameter {
                name: "positions",
                shape: Shape::Texts(MOST),
                is_required: true,
                help: "The FENs of the positions",
            },
            Parameter::optional(
                "moves",
                Kind::Integer { least: 1, most: 218 },
                "How many moves of each position to list, likeliest first [default: 5]",
            ),
            Parameter::optional(
                "constraint",
                Kind::Text,
                "The constraint that both players aim for [default: none]",
            ),
            Parameter::optional(
                "plies",
                Kind::Integer { least: 1, most: MAX_PLIES_LIMIT as u64 },
                "With a constraint: in how many plies (half-moves) it should be satisfied [default: 101]",
            ),
        ],
        settings: of_players,
    },
    is_long: false,
    reported: None,
    draws: false,
    run,
};

fn run(arguments: &Arguments, call: &Call) -> Result<Answer, Refusal> {
    let games = arguments.texts("positions").map(|text| position("positions", text).map(Game::new));
    let games: Vec<Game> = games.collect::<Result<_, _>>()?;
    let target = arguments.target("constraint")?;
    let plies = arguments.number("plies").and_then(|plies| u32::try_from(plies).ok());
    let plies = plies.unwrap_or(DEFAULT_MAX_PLIES);
    let count = arguments.number("moves").unwrap_or(DEFAULT_MOVES) as usize;
    let request = Request::for_predictions(target.as_ref(), arguments.settings.clone());
    let job = call.engine().job_within_reach(&request).map_err(Refusal::failure)?;
    let Plan::GoalPolicy(plan) = &job.plan else {
        return Err(Refusal::failure(format!("{}: expected a method with a policy", job.description)));
    };
    let ratings = job.plan.middle_ratings();
    let inquiry = Inquiry::of(plan, target.as_ref().map(|target| (target, plies)));
    let mut session = inquiry.session();
    let mut answers: Vec<Value> = Vec::new();
    let mut text = String::new();
    // In small groups, so that a call that is stopped ends soon.
    for positions in games.chunks(GROUP) {
        if call.is_stopped() {
            break;
        }
        let asked: Vec<Asked<'_>> = positions.iter().map(|game| Asked { game, ratings }).collect();
        let found = inquiry.answer(&asked, &mut session).map_err(Refusal::failure)?;
        for (game, answer) in positions.iter().zip(&found) {
            let rows = likeliest(game.position(), answer, count);
            text += &line(game.position(), &rows);
            let mut value = json!({
                "fen": fen(game.position()).to_string(),
                "is_over": answer.moves.is_empty(),
                "moves": rows,
            });
            if inquiry.predicts_goal() {
                value["probability_of_constraint"] = rounded(answer.prediction.value).into();
            }
            answers.push(value);
        }
        let message = counted(answers.len() as u64, "position", "positions");
        call.report(Report::Progress {
            done: answers.len() as u64,
            total: Some(games.len() as u64),
            message,
        });
    }
    let is_cut = answers.len() < games.len();
    if is_cut {
        text += &format!("the time was over after {} of {} positions\n", answers.len(), games.len());
    }
    let value = json!({ "policy": job.description, "positions": answers, "is_cut": is_cut });
    Ok(Answer::new(value, text.trim_end().to_owned()))
}

/// The likeliest moves of a position, as rows of the answer.
fn likeliest(position: &Chess, answer: &MoveProbabilities, count: usize) -> Vec<Value> {
    let mut likely: Vec<(f32, Move)> =
        answer.probabilities.iter().copied().zip(answer.moves.iter().copied()).collect();
    likely.sort_by(|one, other| other.0.total_cmp(&one.0));
    likely.truncate(count);
    let rows = likely.into_iter().map(|(probability, m)| {
        let san = SanPlus::from_move(position.clone(), m).to_string();
        let uci = m.to_uci(position.castles().mode()).to_string();
        json!({ "move": uci, "san": san, "probability": rounded(probability) })
    });
    rows.collect()
}

/// A probability with the digits that matter.
fn rounded(probability: f32) -> f64 {
    (f64::from(probability) * 1e4).round() / 1e4
}

/// The row of a position as text.
fn line(position: &Chess, rows: &[Value]) -> String {
    let moves = rows.iter().map(|row| {
        let percent = row["probability"].as_f64().unwrap_or_default() * 100.0;
        format!("{} {percent:.1}%", row["san"].as_str().unwrap_or_default())
    });
    let moves: Vec<String> = moves.collect();
    let moves = if moves.is_empty() { "the game is over".to_owned() } else { moves.join(", ") };
    format!("{}: {moves}\n", fen(position))
}
