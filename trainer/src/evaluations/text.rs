use crate::games::Evaluation;

/// Parses an engine's evaluation from White's point of view. Integers are centipawns (`+56`, `-3`, `0`), numbers with a
/// decimal point are pawns (`0.00`, `+12.3`), and `#-3`, `M5` or `-M2` are mates in this number of moves. `None` if the
/// text is none of these.
pub fn evaluation(text: &str) -> Option<Evaluation> {
    let text = text.trim();
    let (sign, size) = match text.as_bytes().first()? {
        b'+' => (1, &text[1..]),
        b'-' => (-1, &text[1..]),
        _ => (1, text),
    };
    if let Some(moves) = size.strip_prefix(['#', 'M']) {
        // The sign may be before or after the mark, but not both.
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
    fn all_common_notations_of_evaluations_are_read() {
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
