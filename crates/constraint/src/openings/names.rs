//! Openings by name, as players write them: "Sicilian, Najdorf" for "Sicilian Defense: Najdorf Variation".

use std::collections::BTreeSet;

use super::{Entry, List};
use crate::nearest;

/// The most names in an error.
const MAX_LISTED: usize = 4;

/// A name that does not say which opening is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NameError {
    /// No opening has this name. The nearest one may be meant.
    Unknown(Option<String>),
    /// Several openings have it.
    Several(Vec<&'static str>),
}

impl List {
    /// The name under which an opening is listed, given as players write it: in any case, with or without accents,
    /// commas and colons, and with the first words of its parts alone.
    ///
    /// # Errors
    /// [`NameError`] if no opening is meant, or several are.
    pub(crate) fn named(&self, text: &str) -> Result<&'static str, NameError> {
        let words = words(text);
        if words.is_empty() {
            return Err(NameError::Unknown(None));
        }
        let meant = self.meant(&words);
        if meant.is_empty() {
            let meant = self.meant(&self.corrected(&words));
            let likely = self.roots(&meant).first().map(|name| (*name).to_owned());
            return Err(NameError::Unknown(likely));
        }
        let roots = self.roots(&meant);
        // If all lines pass through one of the openings, it is meant, as the Benko Gambit is before it is accepted.
        let entries: Vec<&Entry> = roots.iter().flat_map(|root| self.of_name(root)).collect();
        let main = roots.iter().find(|root| {
            let keys: Vec<u64> = self.of_name(root).iter().map(|entry| entry.key()).collect();
            entries.iter().all(|entry| entry.keys.iter().any(|key| keys.contains(key)))
        });
        match main {
            Some(name) => Ok(name),
            None => Err(NameError::Several(roots.into_iter().take(MAX_LISTED).collect())),
        }
    }

    /// The names that the words may mean: those that satisfy the strictest rule that any name satisfies.
    fn meant(&self, wanted: &[String]) -> Vec<&'static str> {
        type Rule = fn(&[Vec<String>], &[String]) -> bool;
        let rules: [Rule; 4] = [
            |parts, wanted| parts.concat() == wanted,
            |parts, wanted| begins_parts(parts, wanted, true),
            |parts, wanted| parts[0].first() == wanted.first() && begins_parts(parts, wanted, false),
            |parts, wanted| begins_parts(parts, wanted, false),
        ];
        let names = self.names.get_or_init(|| names(&self.entries));
        let found = rules.into_iter().map(|rule| -> Vec<&'static str> {
            names.iter().filter(|name| rule(&name.parts, wanted)).map(|name| name.text).collect()
        });
        found.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// The names that are not variations of others of these, those with the shortest lines first.
    fn roots(&self, names: &[&'static str]) -> Vec<&'static str> {
        let is_root =
            |name: &&&'static str| !names.iter().any(|other| other != *name && is_variation_of(name, other));
        let plies = |name: &&'static str| self.of_name(name).iter().map(|entry| entry.moves.len()).min();
        let mut roots: Vec<&'static str> = names.iter().filter(is_root).copied().collect();
        roots.sort_by_cached_key(|name| (plies(name), *name));
        roots
    }

    /// The words with each unknown one replaced by the most similar word of all names.
    fn corrected(&self, wanted: &[String]) -> Vec<String> {
        let known: BTreeSet<String> = self.entries.iter().flat_map(|entry| words(entry.name)).collect();
        let correct = |word: &String| {
            if known.contains(word) {
                return word.clone();
            }
            nearest(word, known.iter().map(String::as_str)).map_or(word.clone(), str::to_owned)
        };
        wanted.iter().map(correct).collect()
    }
}

/// True if `name` is `opening` or one of its variations: its name with further parts.
pub(super) fn is_variation_of(name: &str, opening: &str) -> bool {
    name.strip_prefix(opening).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', ',']))
}

/// A name, and the words of its parts.
#[derive(Debug)]
pub(super) struct Name {
    text: &'static str,
    parts: Vec<Vec<String>>,
}

/// The names of the entries, and those of openings of which only variations are listed: each part of a name after the
/// colon is a variation.
fn names(entries: &[Entry]) -> Vec<Name> {
    let mut texts = BTreeSet::new();
    for Entry { name, .. } in entries {
        texts.insert(*name);
        let colon = name.find(':').unwrap_or(name.len());
        let ends = name.char_indices().filter(|(index, c)| *index == colon || *index > colon && *c == ',');
        texts.extend(ends.map(|(end, _)| &name[..end]));
    }
    texts.into_iter().map(|text| Name { text, parts: parts(text) }).collect()
}

/// True if the wanted words are the first words of parts of a name, in order; of its first parts, without a gap, if
/// `without_gap`.
fn begins_parts(parts: &[Vec<String>], wanted: &[String], without_gap: bool) -> bool {
    if wanted.is_empty() {
        return true;
    }
    let Some((part, rest)) = parts.split_first() else { return false };
    let most = part.iter().zip(wanted).take_while(|(word, wanted)| word == wanted).count();
    (1..=most).rev().any(|taken| begins_parts(rest, &wanted[taken..], without_gap))
        || !without_gap && begins_parts(rest, wanted, false)
}

/// The words of each part of a name; colons and commas separate the parts.
fn parts(name: &str) -> Vec<Vec<String>> {
    name.split([':', ',']).map(words).filter(|words| !words.is_empty()).collect()
}

/// The words of a text in lower case, without accents and punctuation, and in the spelling of the list.
fn words(text: &str) -> Vec<String> {
    let plain: String = text.chars().flat_map(char::to_lowercase).filter_map(plain).collect();
    let spelled = |word: &str| match word {
        "defence" => "defense".to_owned(),
        "counter-gambit" => "countergambit".to_owned(),
        word => word.to_owned(),
    };
    plain
        .split(|c: char| !c.is_alphanumeric() && c != '-')
        .filter(|word| !word.is_empty())
        .map(spelled)
        .collect()
}

/// A letter without its accent; `None` for marks that do not separate words.
fn plain(letter: char) -> Option<char> {
    Some(match letter {
        '\'' | '’' | '.' => return None,
        'à'..='å' => 'a',
        'ç' | 'ć' | 'č' => 'c',
        'è'..='ë' => 'e',
        'ì'..='ï' => 'i',
        'ñ' | 'ń' => 'n',
        'ò'..='ö' | 'ø' | 'ő' => 'o',
        'ś' | 'š' => 's',
        'ù'..='ü' | 'ű' => 'u',
        'ź' | 'ż' | 'ž' => 'z',
        'ł' => 'l',
        letter => letter,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_found_as_players_write_them() {
        let najdorf = "Sicilian Defense: Najdorf Variation";
        for (text, name) in [
            ("Sicilian Defense: Najdorf Variation", najdorf),
            ("sicilian, najdorf", najdorf),
            ("Sicilian Najdorf", najdorf),
            ("NAJDORF", najdorf),
            ("Sicilian Defence, Najdorf", najdorf),
            ("Sicilian", "Sicilian Defense"),
            ("Grunfeld", "Grünfeld Defense"),
            ("Grünfeld Defense", "Grünfeld Defense"),
            ("reti opening", "Réti Opening"),
            ("Caro-Kann", "Caro-Kann Defense"),
            ("french, winawer", "French Defense: Winawer Variation"),
            ("Queen's Gambit", "Queen's Gambit"),
            ("queens gambit declined", "Queen's Gambit Declined"),
            ("Benko", "Benko Gambit"),
            ("Marshall Attack", "Ruy Lopez: Marshall Attack"),
            ("Ruy Lopez, Berlin", "Ruy Lopez: Berlin Defense"),
            ("Bongcloud", "Bongcloud Attack"),
            // Only variations of it are listed.
            ("rat defence", "Rat Defense"),
        ] {
            assert_eq!(List::get().named(text), Ok(name), "{text}");
        }
    }

    #[test]
    fn unknown_and_ambiguous_names_have_suggestions() {
        for (text, likely) in [
            ("Sicilain Najdorf", Some("Sicilian Defense: Najdorf Variation")),
            ("Sicilian, Nadjorf", Some("Sicilian Defense: Najdorf Variation")),
            ("xyzzy", None),
            ("", None),
            ("Najdorf Sicilian", None),
        ] {
            assert_eq!(List::get().named(text), Err(NameError::Unknown(likely.map(str::to_owned))), "{text}");
        }
        for text in ["Exchange Variation", "King's Indian"] {
            let Err(NameError::Several(names)) = List::get().named(text) else { panic!("{text}") };
            assert!((2..=MAX_LISTED).contains(&names.len()), "{names:?}");
        }
    }

    #[test]
    fn every_name_of_the_list_is_found_and_includes_its_variations() {
        for entry in &List::get().entries {
            let found = List::get().named(entry.name);
            let found = found.unwrap_or_else(|error| panic!("{}: {error:?}", entry.name));
            assert_eq!(words(found), words(entry.name));
        }
        let codes: Vec<&str> = List::get()
            .of_name("Sicilian Defense: Najdorf Variation")
            .iter()
            .map(|entry| entry.code)
            .collect();
        assert!(
            codes.contains(&"B90")
                && codes.contains(&"B99")
                && codes.iter().all(|code| code.starts_with('B'))
        );
    }
}
