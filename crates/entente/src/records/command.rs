use entente_constraint::Situation;
use shakmaty::Chess;

use super::fen;
use crate::{
    generation::default_max_plies,
    settings::{GenerationSettings, quoted},
};

/// The command line that generates positions for `constraint` from `root` with this seed again. With `--index`, it
/// generates one of them.
pub fn command(settings: &GenerationSettings, constraint: &str, root: &Chess, seed: u64) -> String {
    let mut words = vec!["entente generate".to_owned(), quoted(constraint)];
    words.extend(settings.flags());
    let usual = constraint.parse().ok();
    let usual = usual.map(|target| default_max_plies(&target, Situation::root(root), settings.faithful));
    if let Some(plies) = settings.max_plies.filter(|plies| Some(*plies) != usual) {
        words.push(format!("--max-plies {plies}"));
    }
    let root = fen(root);
    if root != fen(&Chess::default()) {
        words.push(format!("--from {}", quoted(&root.to_string())));
    }
    words.push(format!("--seed {seed}"));
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unusual_maximum_of_plies_is_part_of_the_command() {
        let root = Chess::default();
        let of = |faithful: bool, plies: u32| {
            let settings =
                GenerationSettings { faithful, max_plies: Some(plies), ..GenerationSettings::default() };
            command(&settings, "(0,0,0,0,0)", &root, 7)
        };
        assert_eq!(of(false, 120), "entente generate '(0,0,0,0,0)' --seed 7");
        assert_eq!(of(false, 101), "entente generate '(0,0,0,0,0)' --max-plies 101 --seed 7");
        assert!(of(true, 120).contains("--max-plies 120"), "{}", of(true, 120));
        assert!(!of(true, 101).contains("--max-plies"), "{}", of(true, 101));
    }
}
