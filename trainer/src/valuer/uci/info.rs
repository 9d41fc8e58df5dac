use entente::search::Score;

/// The score for the side to move in a line such as `info depth 12 score cp 31 nodes 20014 pv e2e4`; `None` if it has
/// none, or that of another line than the best. A bound counts as a score.
pub(super) fn score(line: &str) -> Option<Score> {
    let mut words = line.split_ascii_whitespace();
    if words.next() != Some("info") {
        return None;
    }
    let (mut score, mut number) = (None, 1);
    while let Some(word) = words.next() {
        match word {
            // Free text up to the end of the line.
            "string" => break,
            "multipv" => number = words.next()?.parse().ok()?,
            "score" => {
                let kind = words.next()?;
                let count: i32 = words.next()?.parse().ok()?;
                score = match kind {
                    "cp" => Some(Score::Centipawns(count)),
                    "mate" => Some(Score::Mate(count)),
                    _ => return None,
                };
            }
            _ => {}
        }
    }
    score.filter(|_| number == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_wherever_they_stand_in_the_line() {
        let cases = [
            (
                "info depth 12 seldepth 17 multipv 1 score cp 31 nodes 20014 pv e2e4",
                Some(Score::Centipawns(31)),
            ),
            ("info score mate -2 upperbound depth 3", Some(Score::Mate(-2))),
            ("info\tscore  cp -7 lowerbound", Some(Score::Centipawns(-7))),
            ("info score mate 0", Some(Score::Mate(0))),
            ("info depth 12 multipv 2 score cp 5", None),
            ("info score cp 5 multipv 2", None),
            ("info string score cp 5", None),
            ("info depth 3", None),
            ("info score cp", None),
            ("info score cp much", None),
            ("info score cp 99999999999", None),
            ("info score wdl 300", None),
            ("bestmove e2e4 score cp 5", None),
            ("", None),
        ];
        for (line, expected) in cases {
            assert_eq!(score(line), expected, "{line}");
        }
    }
}
