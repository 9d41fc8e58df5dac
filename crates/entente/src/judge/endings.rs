//! Which tables of endings a judge of a target or of positions needs, and tables for programs that do not show how they
//! are made.

use std::{num::NonZero, sync::atomic::AtomicBool, thread};

use entente_constraint::{KINDS, Situation, Target};
use entente_endings::{Endings, EndingsError, Material, Store, syzygy_folders};
use shakmaty::{Chess, Color, Position as _};

/// The tables in the user's cache and those of Syzygy in `folders`, with those of the `wanted` endings; see [`prepare`].
///
/// # Errors
/// If a folder of Syzygy tablebases cannot be read.
pub fn open(folders: Option<&str>, wanted: &[Material], stop: &AtomicBool) -> Result<Endings, EndingsError> {
    let folders = folders.map(syzygy_folders).unwrap_or_default();
    let endings = Endings::new(&folders, Store::of_user())?;
    prepare(&endings, wanted, stop);
    Ok(endings)
}

/// Loads the tables of the `wanted` endings, and makes those that are missing, which may take a minute, once. Where that
/// fails, a warning is logged, and search decides instead.
pub fn prepare(endings: &Endings, wanted: &[Material], stop: &AtomicBool) {
    let threads = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    for material in wanted {
        if let Err(error) = endings.prepare(*material, threads, &|_| (), stop) {
            log::warn!("without an exact table of {material}: {error}");
        }
    }
}

/// The endings of up to five men whose men the alternatives of a target fix, in games from `root`.
pub fn endings_of(target: &Target, root: &Chess) -> Vec<Material> {
    let mut found = Vec::new();
    for facts in target.facts(Situation::root(root)).flatten() {
        let bounds = facts.counts.bounds();
        if bounds.iter().any(|(least, most)| least != most) {
            continue;
        }
        let side = |color: Color| {
            let men = KINDS.iter().zip(bounds).filter(|(piece, _)| piece.color == color);
            let letters = men.map(|(piece, (number, _))| {
                piece.role.upper_char().to_string().repeat(usize::try_from(number).unwrap_or(0))
            });
            format!("K{}", letters.collect::<String>())
        };
        let name = format!("{}v{}", side(Color::White), side(Color::Black));
        if let Ok(material) = name.parse::<Material>()
            && !found.contains(&material)
        {
            found.push(material);
        }
    }
    found
}

/// The endings of these positions that have at most five men, each once.
pub fn endings_on<'a>(positions: impl Iterator<Item = &'a Chess>) -> Vec<Material> {
    let mut found: Vec<Material> =
        positions.filter_map(|position| Material::of(position.board()).ok()).collect();
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_endings_of_a_constraint_are_those_whose_men_are_fixed() {
        let endings = |constraint: &str| -> Vec<String> {
            let target: Target = constraint.parse().unwrap();
            endings_of(&target, &Chess::default()).iter().map(ToString::to_string).collect()
        };
        assert_eq!(endings("material=KRPvKR eval>=300"), ["KRPvKR"]);
        assert_eq!(endings("material=KRvKRP"), ["KRPvKR"], "the stronger side comes first");
        assert_eq!(endings("material=KPvK | material=KBPvK"), ["KPvK", "KBPvK"]);
        assert!(endings("material=KRPPvKR").is_empty(), "six men");
        assert!(endings("Q=0 q=0 R=1 r=1").is_empty());
    }
}
