use shakmaty::Chess;

use super::fen;
use crate::settings::{Settings, quoted};

/// The command line that generates for `constraint` from `root` again, all games with that seed; `--index` asks for one of
/// them.
pub fn command(settings: &Settings, constraint: &str, root: &Chess, seed: u64) -> String {
    let mut words = vec!["entente generate".to_owned(), quoted(constraint)];
    words.extend(settings.flags());
    if settings.max_plies != Settings::default().max_plies {
        words.push(format!("--max-plies {}", settings.max_plies));
    }
    let root = fen(root);
    if root != fen(&Chess::default()) {
        words.push(format!("--from {}", quoted(&root.to_string())));
    }
    words.push(format!("--seed {seed}"));
    words.join(" ")
}
