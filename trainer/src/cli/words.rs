//! The command line as model cards show it.

use std::ffi::{OsStr, OsString};

use crate::files::file_name;

/// The command `program` with the arguments `words`. Folders are removed from paths, because they mean nothing on
/// another machine. Arguments with white space are quoted. Bytes that are not UTF-8 are replaced by �.
pub(super) fn command(program: &str, words: impl IntoIterator<Item = OsString>) -> String {
    let words = words.into_iter().map(|word| quoted(shortened(&word)));
    std::iter::once(program.to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// `path/to/file` → `file`, `--option=path/to/file` → `--option=file`, `-opath/to/file` → `-ofile`.
fn shortened(word: &OsStr) -> String {
    let text = word.to_string_lossy();
    let path_from = match text.as_bytes() {
        [b'-', b'-', ..] => text.find('=').map_or(text.len(), |equals| equals + 1),
        [b'-', _, b'=', ..] => 3,
        // The letter of a short option is ASCII; nothing else with one dash has a path after it.
        [b'-', letter, ..] if letter.is_ascii() => 2,
        _ => 0,
    };
    let (option, path) = text.split_at(path_from);
    if path.contains('/') { format!("{option}{}", file_name(path.as_ref())) } else { text.into_owned() }
}

fn quoted(word: String) -> String {
    if word.contains(char::is_whitespace) { format!("'{word}'") } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(words: &[&str]) -> String {
        command("entente-trainer", words.iter().map(Into::into))
    }

    #[test]
    fn folders_are_removed_and_options_kept() {
        let words =
            ["train", "models/recipes/thesis-1.toml", "--store=data/games.store", "--output", "runs/a/"];
        assert_eq!(shown(&words), "entente-trainer train thesis-1.toml --store=games.store --output a");
        assert_eq!(shown(&["-sdata/b", "-s=data/b", "-s", "..", "/"]), "entente-trainer -sb -s=b -s .. /");
        assert_eq!(shown(&["my games/my store", "--resume"]), "entente-trainer 'my store' --resume");
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_not_utf_8_are_replaced() {
        use std::os::unix::ffi::OsStringExt;
        let word = OsString::from_vec(b"data/caf\xe9.store".to_vec());
        assert_eq!(command("x", [word]), "x caf\u{fffd}.store");
    }
}
