use crate::games::Evaluation;

/// What an engine's evaluation says, seen from White: whole numbers are centipawns (`+56`, `-3`, `0`), those with a point
/// pawns (`0.00`, `+12.3`), `#-3`, `M5` or `-M2` mates in so many moves. `None` if it is none of these.
pub fn evaluation(text: &str) -> Option<Evaluation> {
    let text = text.trim();
    let (sign, size) = match text.as_bytes().first()? {
        b'+' => (1, &text[1..]),
        b'-' => (-1, &text[1..]),
        _ => (1, text),
    };
    if let Some(moves) = size.strip_prefix(['#', 'M']) {
        // The sign may stand before or behind the mark, not at both places.
        let has_sign = size.len() < text.len();
        let (sign, moves) = match moves.strip_prefix(['-', '+']) {
            Some(_) if has_sign => return None,
            Some(rest) if moves.starts_with('-') => (-1, rest),
            Some(rest) => (1, rest),
            None => (sign, moves),
        };
        let moves = moves.parse::<u8>().ok()?;
        return Some(Evaluation::Mate(sign * i16::from(moves)));
    }
    let is_number = size.starts_with(|letter: char| letter.is_ascii_digit())
        && size.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
    let hundredths = if size.contains('.') { 100.0 } else { 1.0 };
    let centipawns = is_number.then(|| size.parse::<f64>().ok())?? * hundredths;
    (centipawns <= f64::from(i16::MAX)).then(|| Evaluation::Centipawns(sign * centipawns.round() as i16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_read_as_people_write_them() {
        use Evaluation::{Centipawns, Mate};
        for (text, expected) in [
            ("+56", Some(Centipawns(56))),
            ("-7", Some(Centipawns(-7))),
            ("0", Some(Centipawns(0))),
            ("0.00", Some(Centipawns(0))),
            ("+12.3", Some(Centipawns(1230))),
            (" -1.5 ", Some(Centipawns(-150))),
            ("#5", Some(Mate(5))),
            ("#-3", Some(Mate(-3))),
            ("#12", Some(Mate(12))),
            ("M5", Some(Mate(5))),
            ("-M2", Some(Mate(-2))),
            ("#+4", Some(Mate(4))),
            ("M0", Some(Mate(0))),
            ("", None),
            ("+", None),
            ("-#-3", None),
            ("1.2.3", None),
            ("1e3", None),
            ("nan", None),
            ("99999", None),
            ("#", None),
            ("M-", None),
            ("--3", None),
        ] {
            assert_eq!(evaluation(text), expected, "{text:?}");
        }
    }
}
