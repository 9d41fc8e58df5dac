//! The tool `check`: what a constraint means, whether it is possible, and whether a position satisfies it.

use entente::{
    generation::reason_impossible,
    judge::{Judge, JudgeOptions, endings::endings_on},
    records::fen,
    settings::Kind,
};
use entente_constraint::{Atom, Constraint, Part, Situation, plies_before};
use entente_search::Limits;
use serde_json::{Value, json};
use shakmaty::Chess;

use crate::{
    Refusal,
    arguments::Arguments,
    call::Call,
    parameter::{Inputs, Parameter, no_settings},
    tool::{Answer, Tool},
};

pub(crate) const TOOL: Tool = Tool {
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
    is_long: false,
    reported: None,
    draws: false,
    run,
};

fn run(arguments: &Arguments, call: &Call) -> Result<Answer, Refusal> {
    let constraint = arguments
        .constraint("constraint")?
        .ok_or_else(|| Refusal::of("constraint", "expected a text, found nothing"))?;
    match arguments.position("fen")? {
        Some(position) => test(&constraint, &position, call),
        None => {
            let text = arguments.text("constraint").unwrap_or_default();
            let parts =
                Constraint::parts(text).map_err(|error| Refusal::of_constraint("constraint", &error))?;
            Ok(explain(&constraint, &parts))
        }
    }
}

fn explain(constraint: &Constraint, parts: &[Part]) -> Answer {
    let parts: Vec<Value> = parts.iter().map(part).collect();
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
        "parts": parts,
    });
    Answer::new(value, text)
}

/// A condition of the text that was given, for editors.
fn part(part: &Part) -> Value {
    let words: Vec<String> = part.constraint.in_words().iter().map(|line| line.text.clone()).collect();
    let (inner, is_negated) = match &part.constraint {
        Constraint::Not(inner) => (&**inner, true),
        constraint => (constraint, false),
    };
    let (men, squares) = on_squares(inner).unwrap_or_default();
    json!({
        "start": part.range.start,
        "end": part.range.end,
        "text": part.constraint.to_string(),
        "words": words,
        "is_negated": is_negated,
        "men": men,
        "squares": squares,
    })
}

/// The men, of which one must stand on one of the squares, and the squares; a minus sign is no man. `None` if the
/// condition is not of this kind.
fn on_squares(constraint: &Constraint) -> Option<(String, Vec<String>)> {
    let alternatives = match constraint {
        Constraint::Any(alternatives) => alternatives.as_slice(),
        single => std::slice::from_ref(single),
    };
    let mut men = String::new();
    let mut place = None;
    for alternative in alternatives {
        let Constraint::Atom(Atom::Square(square)) = alternative else { return None };
        if *place.get_or_insert(square.region) != square.region {
            return None;
        }
        men.push(square.man.map_or('-', |man| man.char()));
    }
    let squares = place?.squares().into_iter().map(|square| square.to_string());
    Some((men, squares.collect()))
}

fn test(constraint: &Constraint, position: &Chess, call: &Call) -> Result<Answer, Refusal> {
    if let Some(atom) = constraint.atoms().into_iter().find(|atom| atom.is_of_the_game()) {
        return Err(Refusal::of("fen", format!("'{atom}' is about the game, and a FEN has none")));
    }
    let situation = Situation::first(position, plies_before(position));
    let wanted = if constraint.is_judged() { endings_on([position].into_iter()) } else { Vec::new() };
    let endings = call.endings(&wanted)?;
    let judge = Judge::new(constraint, &JudgeOptions::default(), Some(&endings));
    let mut judge = judge.map_err(Refusal::failure)?;
    let mut holds = |constraint: &Constraint| match &mut judge {
        Some(judge) => {
            let limits = Limits { deadline: Some(call.deadline), ..Limits::until(&call.stop) };
            judge.rules(constraint, situation, limits).map_err(Refusal::failure)
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
        return Err(Refusal::failure(
            "the time was over before all conditions were decided; 'seconds' allows more",
        ));
    }
    let value = json!({
        "constraint": constraint.to_string(),
        "fen": fen(position).to_string(),
        "is_satisfied": is_satisfied,
        "conditions": conditions,
    });
    Ok(Answer::new(value, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_tell_editors_which_men_are_on_which_squares() {
        let text = "N@f5 !k@g8 [Bn]@a-b -@d4 Q=0";
        let parts: Vec<Value> = Constraint::parts(text).unwrap().iter().map(part).collect();
        let of = |index: usize| (parts[index]["men"].as_str().unwrap(), parts[index]["is_negated"] == true);
        assert_eq!([of(0), of(1), of(3), of(4)], [("N", false), ("k", true), ("-", false), ("", false)]);
        assert_eq!(parts[0]["squares"], json!(["f5"]));
        assert_eq!((of(2), parts[2]["squares"].as_array().unwrap().len()), (("Bn", false), 16));
        assert_eq!((&parts[4]["start"], &parts[4]["end"]), (&json!(25), &json!(28)));
        assert_eq!(parts[0]["words"], json!(["a white knight stands on f5"]));
    }
}
