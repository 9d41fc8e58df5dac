//! Exercises as chapters of a study: PGN that starts at the position and continues with the solution.

use shakmaty::Position;

use super::{
    Exercise, Provenance, fen,
    pgn::{joined, tag},
};

impl Exercise<'_> {
    /// The exercise as a chapter, followed by an empty line. The chapter has the game that led to the position in a
    /// comment, then the solution, and then the evaluation in another comment.
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
        let (line, value) = match self.solution {
            Some(_) => (self.line(), format!("{{ {} }}", self.value())),
            None => Default::default(),
        };
        // Keep the evaluation on one line, because programs show line breaks within comments.
        let words = game.split(' ').chain(line.split(' ')).chain([&*value, "*"]);
        let words = words.filter(|word| !word.is_empty());
        format!("{pgn}\n{}\n\n", joined(words, 80))
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
