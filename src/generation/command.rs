use shakmaty::Chess;

use super::{fen, max_plies};
use crate::{
    constraint::Situation,
    settings::{Settings, quoted},
};

/// The command line that generates for `constraint` from `root` again, all games with that seed; `--index` asks for one of
/// them.
pub fn command(settings: &Settings, constraint: &str, root: &Chess, seed: u64) -> String {
    let mut words = vec!["entente generate".to_owned(), quoted(constraint)];
    words.extend(settings.flags());
    let usual =
        constraint.parse().ok().map(|target| max_plies(&target, Situation::root(root), &Settings::default()));
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
