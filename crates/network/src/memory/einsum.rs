use super::value::{Value, product};

/// The output of an Einsum such as `bqd,bkd->bqk`, and the product of all its sizes, which is at least as much as any
/// step of its work needs.
pub(super) fn einsum(equation: &str, inputs: &[&Value]) -> Result<(Value, u64), String> {
    let equation: String = equation.split_whitespace().collect();
    let refused = || format!("expected an equation such as bqd,bkd->bqk, found '{equation}'");
    let (left, right) = equation.split_once("->").ok_or_else(refused)?;
    let terms: Vec<&str> = left.split(',').collect();
    if terms.len() != inputs.len()
        || !equation.bytes().all(|byte| byte.is_ascii_alphabetic() || b",->".contains(&byte))
    {
        return Err(refused());
    }
    let mut known: Vec<(char, u64)> = Vec::new();
    for (term, input) in terms.iter().zip(inputs) {
        if term.len() != input.shape.len() {
            return Err(refused());
        }
        for (letter, &size) in term.chars().zip(&input.shape) {
            match known.iter_mut().find(|(other, _)| *other == letter) {
                Some((_, largest)) => *largest = size.max(*largest),
                None => known.push((letter, size)),
            }
        }
    }
    let size = |letter| known.iter().find(|(other, _)| *other == letter).map(|(_, size)| *size);
    let shape = right.chars().map(size).collect::<Option<Vec<u64>>>().ok_or_else(refused)?;
    let first = inputs.first().ok_or_else(refused)?;
    // For each input, the place of its element in each term takes as much as two numbers.
    let all: Vec<u64> = known.iter().map(|(_, size)| *size).collect();
    let unfolded = product(&all).saturating_mul(2 * inputs.len() as u64);
    Ok((first.unknown(shape), unfolded))
}
