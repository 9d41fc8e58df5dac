use std::{collections::HashMap, fs, ops::ControlFlow, path::Path};

use anyhow::{Context as _, bail};
use entente_constraint::{
    Men, Situation, Target,
    thesis::{SEVENTEEN, all, constraint},
};
use shakmaty::{Chess, Color, Move, Position as _};

/// The constraints to look for in games.
#[derive(Clone, Debug)]
pub struct WantedConstraints {
    names: Vec<String>,
    targets: Vec<Target>,
    /// Constraints that give White's exact numbers and nothing else, for a direct lookup.
    exact: HashMap<[u8; 5], usize>,
    /// Other constraints on numbers of men, which are tested when these numbers change.
    of_men: Vec<usize>,
    /// Constraints that are tested at every ply.
    of_positions: Vec<usize>,
    /// The least number of White's men in any of the exact constraints. This number never increases in a game.
    fewest: u32,
}

impl WantedConstraints {
    /// `thesis` for the 17 constraints of the thesis, `all` for all 486 of its kind, or a file with one constraint per
    /// line.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or a line is not a constraint, is about ratings or a search, or repeats an earlier
    /// constraint.
    pub fn named(name: &str) -> anyhow::Result<WantedConstraints> {
        let exact = |counts: &[[u8; 5]]| {
            let texts: Vec<String> = counts.iter().map(|counts| constraint(*counts).to_string()).collect();
            WantedConstraints::new(texts.iter().map(String::as_str).zip(1..), name)
        };
        match name {
            "thesis" => exact(&SEVENTEEN),
            "all" => exact(&all()),
            _ => {
                let text = fs::read_to_string(name).with_context(|| {
                    format!("option --constraints: expected thesis, all or a file, but {name} cannot be read")
                })?;
                let lines = text.lines().zip(1..).map(|(line, number)| (line.trim(), number));
                WantedConstraints::new(
                    lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#')),
                    name,
                )
            }
        }
    }

    /// The constraints of a tournament's plan.
    ///
    /// # Errors
    ///
    /// If a text is not a constraint or occurs twice.
    pub fn of(texts: &[String]) -> anyhow::Result<WantedConstraints> {
        WantedConstraints::new(texts.iter().map(String::as_str).zip(1..), "the constraints")
    }

    fn new<'a>(
        texts: impl Iterator<Item = (&'a str, usize)>,
        source: &str,
    ) -> anyhow::Result<WantedConstraints> {
        let mut wanted = WantedConstraints {
            names: Vec::new(),
            targets: Vec::new(),
            exact: HashMap::new(),
            of_men: Vec::new(),
            of_positions: Vec::new(),
            fewest: u32::MAX,
        };
        let start = Chess::default();
        for (text, line) in texts {
            let place = || format!("{}, line {line}", Path::new(source).display());
            let target: Target = text.parse().with_context(place)?;
            if target.constraint.has_ratings() {
                bail!(
                    "{}: ratings are not allowed here; the results are broken down by rating anyway",
                    place()
                );
            }
            if target.is_judged() {
                bail!(
                    "{}: eval, quiet, mate, only and best are not allowed here, because the analysis does not search",
                    place()
                );
            }
            if target.constraint.is_of_the_game() {
                bail!(
                    "{}: captures, castled, opening, eco, begins, earlier and then are not allowed here, because the \
                     analysis looks at each position alone",
                    place()
                );
            }
            let name = target.constraint.to_string();
            if wanted.names.contains(&name) {
                bail!("{}: {name} occurs twice", place());
            }
            let number = wanted.names.len();
            // If a constraint holds before the first move, no game counts as meeting it.
            if !target.is_satisfied(Situation::root(&start)) {
                match &target.goal {
                    Some(goal) => match goal.exact_white() {
                        // Another spelling of the same numbers is tested like other constraints.
                        Some(counts) if wanted.exact.contains_key(&counts) => wanted.of_men.push(number),
                        Some(counts) => {
                            wanted.exact.insert(counts, number);
                            wanted.fewest = wanted.fewest.min(total(counts));
                        }
                        None => wanted.of_men.push(number),
                    },
                    None => wanted.of_positions.push(number),
                }
            }
            wanted.names.push(name);
            wanted.targets.push(target);
        }
        if wanted.names.is_empty() {
            bail!("{source}: no constraints");
        }
        Ok(wanted)
    }

    /// The constraints, as printed.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of constraints.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// True if there are no constraints, which cannot happen.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The constraints that hold in the initial position.
    pub fn held_at_first(&self) -> impl Iterator<Item = &str> {
        let start = Chess::default();
        let held = self.targets.iter().map(move |target| target.is_satisfied(Situation::root(&start)));
        self.names.iter().zip(held).filter(|(_, held)| *held).map(|(name, _)| name.as_str())
    }
}

fn total(counts: [u8; 5]) -> u32 {
    counts.into_iter().map(u32::from).sum()
}

/// Finds the first position of a game in which each constraint holds.
#[derive(Debug)]
pub struct Finder<'a> {
    wanted: &'a WantedConstraints,
    /// For each constraint, the number of the last game in which it was met.
    met: Vec<u64>,
    game: u64,
    /// The men in the initial position.
    start: Men,
    men: Men,
    ply: u32,
}

impl<'a> Finder<'a> {
    /// Creates a finder for these constraints.
    pub fn new(wanted: &'a WantedConstraints) -> Finder<'a> {
        let start = Men::on(Chess::default().board());
        Finder { wanted, met: vec![0; wanted.len()], game: 0, start, men: start, ply: 0 }
    }

    /// Begins a game.
    pub fn begin(&mut self) {
        (self.men, self.ply) = (self.start, 0);
        self.game += 1;
    }

    /// Processes the move `m` by `mover`, which led to `position`. Calls `met` with each constraint that holds for the
    /// first time, and the number of plies. Breaks if no other constraint can be met in this game.
    pub fn after(
        &mut self,
        m: Move,
        mover: Color,
        position: &Chess,
        mut met: impl FnMut(usize, u32),
    ) -> ControlFlow<()> {
        self.ply += 1;
        let WantedConstraints { targets, exact, of_men, of_positions, fewest, .. } = self.wanted;
        let (game, ply) = (self.game, self.ply);
        let mut ask = |constraint: usize, holds: &dyn Fn(&Target) -> bool| {
            if self.met[constraint] != game && holds(&targets[constraint]) {
                self.met[constraint] = game;
                met(constraint, ply);
            }
        };
        if m.is_capture() || m.is_promotion() {
            self.men = self.men.after(m, mover);
            let men = self.men;
            if let Some(constraint) = exact.get(&men.white()) {
                ask(*constraint, &|_| true);
            }
            let holds = |target: &Target| target.goal.as_ref().is_some_and(|goal| goal.is_satisfied_by(&men));
            of_men.iter().for_each(|constraint| ask(*constraint, &holds));
            if of_men.is_empty() && of_positions.is_empty() && total(men.white()) < *fewest {
                return ControlFlow::Break(());
            }
        }
        let holds = |target: &Target| target.is_satisfied(Situation::first(position, ply));
        of_positions.iter().for_each(|constraint| ask(*constraint, &holds));
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    fn moves(ucis: &str) -> Vec<Move> {
        let mut position = Chess::default();
        let play = |uci: &str| {
            let m = uci.parse::<shakmaty::uci::UciMove>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(m);
            m
        };
        ucis.split(' ').map(play).collect()
    }

    #[test]
    fn each_constraint_is_met_once_in_a_game_and_at_its_first_ply() {
        let texts =
            ["(1,2,2,2,7)", "P=7", "p=7 P=8", "N@f3", "check=any", "(1,2,2,2,8)", "P=7 Q=1 R=2 B=2 N=2"];
        let texts = texts.map(str::to_owned);
        let wanted = WantedConstraints::of(&texts).unwrap();
        let mut finder = Finder::new(&wanted);
        // exd5, Qxd5, Nf3, Qe4+; later the knight returns.
        let game = moves("e2e4 d7d5 e4d5 d8d5 g1f3 d5e4 d1e2 e4e2 f1e2 g8f6 f3g1 b8c6 g1f3");
        for _ in 0..2 {
            let (mut found, mut position) = (Vec::new(), Chess::default());
            finder.begin();
            for m in &game {
                let mover = position.turn();
                position.play_unchecked(*m);
                let is_continued =
                    finder.after(*m, mover, &position, |constraint, ply| found.push((constraint, ply)));
                assert!(is_continued.is_continue());
            }
            assert_eq!(found, [(2, 3), (0, 4), (1, 4), (6, 4), (3, 5), (4, 6)]);
        }
        assert_eq!(wanted.held_at_first().collect::<Vec<_>>(), ["(1,2,2,2,8)"]);
    }

    #[test]
    fn a_game_ends_early_if_white_has_too_few_men() {
        let wanted = WantedConstraints::of(&["(1,2,2,2,7)".to_owned(), "(1,2,2,1,8)".to_owned()]).unwrap();
        let mut finder = Finder::new(&wanted);
        let mut position = Chess::default();
        finder.begin();
        let ends: Vec<bool> = moves("e2e4 d7d5 g1f3 d5e4 b1c3 e4f3 h2h3")
            .into_iter()
            .map(|m| {
                let mover = position.turn();
                position.play_unchecked(m);
                finder.after(m, mover, &position, |_, _| ()).is_break()
            })
            .collect();
        // After the sixth ply, White has lost two men.
        assert_eq!(ends.iter().position(|is_over| *is_over), Some(5));
    }

    #[test]
    fn an_invalid_line_of_a_file_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.txt");
        let error = |text: &str| {
            std::fs::write(&path, text).unwrap();
            format!("{:#}", WantedConstraints::named(path.to_str().unwrap()).unwrap_err())
        };
        assert!(
            error("# men\n\nQ=0\nQ=\n").contains("some.txt, line 4: constraint, column 3"),
            "{}",
            error("Q=0\nQ=\n")
        );
        assert!(error("Q=0\n Q = 0").contains("line 2: Q=0 occurs twice"));
        assert!(error("elo=1500 Q=0").contains("ratings are not allowed"));
        assert!(error("Q=0 quiet").contains("line 1: eval, quiet, mate, only and best are not allowed here"));
        assert!(error("# nothing").contains("no constraints"));
        let missing = format!("{:#}", WantedConstraints::named("no-such-file").unwrap_err());
        assert!(missing.contains("expected thesis, all or a file"), "{missing}");
        assert_eq!(WantedConstraints::named("all").unwrap().len(), 486);
    }
}
