//! The tool `check`: what a constraint means, whether it is possible, and whether a position satisfies it.

use entente::{
    generation::reason_impossible,
    judge::{Judge, JudgeOptions, endings::endings_on},
    records::fen,
    settings::Kind,
};
use entente_constraint::{Constraint, Situation, plies_before};
use entente_search::Limits;
use serde_json::{Value, json};
use shakmaty::Chess;

use super::{
    arguments::Arguments,
    call::Call,
    parameter::{Inputs, Parameter, no_settings},
    tool::{Answer, Tool},
};

pub(super) const TOOL: Tool = Tool {
    name: "check",
    title: "Check a constraint on chess positions",
    help: "Says in words what a constraint means and, if no legal game can satisfy it, why. With a FEN it says whether \
           this position satisfies it, and which of its conditions hold. Use it before 'generate' when a constraint is \
           new to you.",
    inputs: Inputs {
        parameters: &[
            Parameter::required("constraint", Kind::Text, "The constraint, such as 'Q=0 q=0 R-r=1'"),
            Parameter::optional("fen", Kind::Text, "The FEN of a position to test"),
        ],
        settings: no_settings,
    },
    run,
};

fn run(arguments: &Arguments, call: &Call) -> Result<Answer, String> {
    let constraint =
        arguments.constraint("constraint")?.ok_or("constraint: expected a text, found nothing")?;
    match arguments.position("fen")? {
        Some(position) => test(&constraint, &position, call),
        None => Ok(explain(&constraint)),
    }
}

fn explain(constraint: &Constraint) -> Answer {
    let meaning: Vec<String> = constraint.in_words().iter().map(ToString::to_string).collect();
    let reason = reason_impossible(constraint, &Chess::default()).map(|reason| reason.to_string());
    let mut text = format!("{constraint}\n{}", meaning.join("\n"));
    if let Some(reason) = &reason {
        text += &format!("\nImpossible: {reason}");
    }
    let value = json!({
        "constraint": constraint.to_string(),
        "meaning": meaning,
        "is_proved_impossible": reason.is_some(),
        "reason": reason,
    });
    Answer::new(value, text)
}

fn test(constraint: &Constraint, position: &Chess, call: &Call) -> Result<Answer, String> {
    if let Some(atom) = constraint.atoms().into_iter().find(|atom| atom.is_of_the_game()) {
        return Err(format!("fen: '{atom}' is about the game, and a FEN has none"));
    }
    let situation = Situation::first(position, plies_before(position));
    let wanted = if constraint.is_judged() { endings_on([position].into_iter()) } else { Vec::new() };
    let endings = call.endings(&wanted)?;
    let judge = Judge::new(constraint, &JudgeOptions::default(), Some(&endings));
    let mut judge = judge.map_err(|error| error.to_string())?;
    let mut holds = |constraint: &Constraint| match &mut judge {
        Some(judge) => {
            let limits = Limits { deadline: Some(call.deadline), ..Limits::until(&call.stop) };
            judge.rules(constraint, situation, limits).map_err(|error| error.to_string())
        }
        None => Ok(constraint.holds(situation)),
    };
    let is_satisfied = holds(constraint)?;
    let mut conditions: Vec<Value> = Vec::new();
    let mut text = format!("{constraint}: {}", if is_satisfied { "satisfied" } else { "not satisfied" });
    for line in constraint.in_words() {
        let is_so = holds(line.part)? != line.negated;
        text += &format!("\n{:3}  {line}", if is_so { "yes" } else { "no" });
        conditions.push(json!({ "condition": line.to_string().trim(), "holds": is_so }));
    }
    if call.is_stopped() {
        return Err("the time was over before all conditions were decided; 'seconds' allows more".to_owned());
    }
    let value = json!({
        "constraint": constraint.to_string(),
        "fen": fen(position).to_string(),
        "is_satisfied": is_satisfied,
        "conditions": conditions,
    });
    Ok(Answer::new(value, text))
}
