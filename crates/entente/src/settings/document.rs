//! The tables of `docs/options.md`, which a test compares with the file.

use super::{Choice, Group, Kind, Method, Row, Scope, Spelling, TABLE};

/// The page from its first table on.
fn tables() -> String {
    let mut page = String::new();
    for group in Group::ALL {
        let settings: Vec<&Row> = TABLE.iter().filter(|setting| setting.group == group).collect();
        page += &format!("## {}\n\n", group.heading());
        page += "| Flag and key | UCI option | Values | Default | Used by | What it does |\n|---|---|---|---|---|---|\n";
        settings.iter().for_each(|setting| page += &row(setting));
        page += "\n";
        for setting in settings {
            if let Kind::Word { .. } = setting.kind {
                page += &format!("`{}`:\n\n", setting.name);
                for word in setting.kind.words() {
                    page += &format!("- `{}`: {}\n", word.word, word.help.trim());
                }
                page += "\n";
            }
        }
    }
    page.trim_end().to_owned() + "\n"
}

fn row(setting: &Row) -> String {
    let flag = match setting.spelling {
        Spelling::None => "–".to_owned(),
        _ if setting.is_switch() => format!("`--{}`", setting.name),
        _ => format!("`--{} {}`", setting.name, setting.placeholder.replace('|', "\\|")),
    };
    let option = setting.uci.map_or("–".to_owned(), |form| {
        let percent = if form.factor == 1.0 { "" } else { ", in percent" };
        let unset = form.unset.map_or(String::new(), |number| format!("; {number} for the default"));
        format!("`{}`{percent}{unset}", form.name)
    });
    let values = match setting.kind {
        Kind::Text => "text".to_owned(),
        Kind::Word { .. } => "a word, see below".to_owned(),
        Kind::Switch => "`true`, `false`".to_owned(),
        kind => kind.to_string(),
    };
    let used_by = match setting.scope {
        Scope::Methods(methods) => {
            let words: Vec<String> = methods.iter().map(|method| format!("`{}`", method.word())).collect();
            words.join(", ")
        }
        Scope::Generation => "all of generation".to_owned(),
        Scope::Play => "play".to_owned(),
        Scope::Both => "play and generation".to_owned(),
    };
    let help = setting.help.trim();
    format!("| {flag} | {option} | {values} | {} | {used_by} | {help} |\n", setting.usual())
}

#[test]
fn the_documentation_has_the_same_tables() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/options.md");
    let page = std::fs::read_to_string(path).unwrap();
    let (intro, _) = page.split_once("## ").expect("the page has headings");
    let page_of_today = format!("{intro}{}", tables());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, &page_of_today).unwrap();
    }
    assert!(
        page == page_of_today || std::env::var_os("UPDATE_DOCS").is_some(),
        "docs/options.md is out of date; UPDATE_DOCS=1 cargo test --release -p entente --lib documentation writes it"
    );
    // Methods are named by their words there, too.
    assert!(Method::ALL.iter().all(|method| page_of_today.contains(method.word())));
}
