//! Exercises as chapters of a study: PGN that starts at the position and continues with the solution.

use entente_constraint::child_of;
use shakmaty::Position;

use super::{
    Exercise, Provenance, fen,
    pgn::{joined, movetext, tag},
};
use crate::solution::Solution;

impl Exercise<'_> {
    /// The exercise as a chapter, followed by an empty line. The chapter has the game that led to the position in a
    /// comment, then the solution with the wrong try as a variation, and the evaluation in another comment.
    pub fn study(&self, context: &Provenance) -> String {
        let name = format!("{} · {}", self.number, self.task());
        let mut pgn = String::new();
        for (key, value) in [
            ("Event", &*name),
            ("Site", "?"),
            ("Date", "????.??.??"),
            ("Round", &*self.number.to_string()),
            ("White", "?"),
            ("Black", "?"),
            ("Result", "*"),
        ] {
            pgn += &tag(key, value);
        }
        for (key, rating) in ["WhiteElo", "BlackElo"].into_iter().zip(self.ratings) {
            if let Some(rating) = rating {
                pgn += &tag(key, &rating.to_string());
            }
        }
        pgn += &tag("SetUp", "1");
        pgn += &tag("FEN", &fen(self.position).to_string());
        // Lichess names the chapter after this tag, and without it after the players.
        pgn += &tag("ChapterName", &name);
        // The solver sits on the side to move.
        pgn += &tag("Orientation", self.position.turn().fold_wb("white", "black"));
        pgn += &tag("Constraint", &context.constraint);
        pgn += &tag("Seed", &context.seed.to_string());
        let game =
            if self.moves.is_empty() { String::new() } else { format!("{{ The game: {} }}", self.game()) };
        let words: Vec<&str> = game.split(' ').collect();
        let solved = self.solution.map_or_else(Vec::new, |solution| self.solved(solution));
        // A comment on the solution stays on one line, because programs show line breaks within comments.
        let words = words.into_iter().chain(solved.iter().map(String::as_str)).chain(["*"]);
        let words = words.filter(|word| !word.is_empty());
        format!("{pgn}\n{}\n\n", joined(words, 80))
    }

    /// The words of the solution: its moves, the wrong try after the first of them, and the evaluation at the end.
    fn solved(&self, solution: &Solution) -> Vec<String> {
        let split = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let value = format!("{{ {} }}", self.value());
        let Some(wrong) = self.wrong_try else {
            return [split(&self.line()), vec![value]].concat();
        };
        let first = split(&movetext(self.position, &solution.moves[..1]));
        let mut tried = split(&movetext(self.position, &wrong.moves));
        // The second word is the try. $2 is a question mark.
        tried.insert(2, "$2".to_owned());
        let variation = [
            vec!["(".to_owned()],
            tried,
            vec![format!("{{ {} }}", self.scored(wrong.score)), ")".to_owned()],
        ]
        .concat();
        let rest = movetext(&child_of(self.position, solution.moves[0]), &solution.moves[1..]);
        // A comment belongs to the move before it, so a variation must not come between.
        if rest.is_empty() {
            [first, vec![value], variation].concat()
        } else {
            [first, variation, split(&rest), vec![value]].concat()
        }
    }
}

#[cfg(test)]
mod tests {
    use entente_search::position_from_fen;
    use shakmaty::Chess;

    use crate::{
        records::{Provenance, exercise::tests::exercise},
        solution::Solver,
    };

    fn context() -> Provenance {
        Provenance {
            event: String::new(),
            player: String::new(),
            root: Chess::default(),
            constraint: "a \"q\"".to_owned(),
            method: String::new(),
            seed: 7,
        }
    }

    #[test]
    fn a_chapter_starts_at_the_position_and_has_the_solution() {
        let position = position_from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 31").unwrap();
        let solution = Solver::new().solve(&position);
        let study = exercise(&position, solution.as_ref()).study(&context());
        for part in [
            "[Event \"3 · White to move\"]\n",
            "[WhiteElo \"1500\"]\n",
            "[SetUp \"1\"]\n[FEN \"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 31\"]\n",
            "[Constraint \"a \\\"q\\\"\"]\n",
            "\n\n31. Ra8# { White mates in 1 (back rank) } *\n\n",
        ] {
            assert!(study.contains(part), "{part}: {study}");
        }
    }

    #[test]
    fn the_board_is_seen_from_the_side_to_move() {
        for (turn, side) in [("w", "white"), ("b", "black")] {
            let fen = format!("r5k1/5ppp/8/8/8/8/5PPP/R5K1 {turn} - - 0 31");
            let study = exercise(&position_from_fen(&fen).unwrap(), None).study(&context());
            assert!(study.contains(&format!("[Orientation \"{side}\"]\n")), "{study}");
        }
    }

    #[test]
    fn a_chapter_without_solution_has_no_moves() {
        let position = position_from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 40").unwrap();
        let study = exercise(&position, None).study(&context());
        assert!(study.starts_with("[Event \"3 · Checkmate\"]\n") && study.ends_with("]\n\n*\n\n"), "{study}");
    }
}
