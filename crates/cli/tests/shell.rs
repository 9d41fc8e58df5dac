//! What shells and man read: the completion scripts and the manual pages.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use entente::settings::{Spelling, TABLE};

/// Runs the program with `arguments`, which it must accept.
fn run(arguments: &[&str]) -> String {
    let output = status(arguments);
    assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

fn status(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_entente")).args(arguments).output().expect("it starts")
}

/// The commands that the help lists.
fn commands() -> Vec<String> {
    let help = run(&["--help"]);
    let (_, list) = help.split_once("\nCommands:\n").expect("a list of commands");
    let names = list.lines().take_while(|line| line.starts_with(' ')).filter(|line| !line.starts_with("   "));
    let names: Vec<String> =
        names.filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect();
    assert!(names.len() > 15 && names.contains(&"generate".to_owned()), "{names:?}");
    names
}

/// The flags of the settings of generation.
fn flags() -> impl Iterator<Item = &'static str> {
    TABLE.iter().filter(|row| row.spelling != Spelling::None).map(|row| row.name)
}

/// True if a program of this name can be started.
fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

#[test]
fn completions_for_every_shell_name_all_commands_and_all_flags_of_settings() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = run(&["completions", shell]);
        // fish writes flags as `-l seed`.
        let flag_of = |name: &str| if shell == "fish" { format!("-l {name}") } else { format!("--{name}") };
        let is_word = |word: &str| {
            let ends = |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || c == '-' || c == '_');
            script.match_indices(word).any(|(at, _)| ends(script[at + word.len()..].chars().next()))
        };
        for name in commands() {
            assert!(is_word(&name), "{shell}: {name}");
        }
        for name in flags() {
            assert!(is_word(&flag_of(name)), "{shell}: {name}");
        }
    }
    let refused = status(&["completions", "csh"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&refused.stderr).contains("bash, elvish, fish, powershell, zsh"),
        "{refused:?}"
    );
}

#[test]
fn the_completion_of_bash_is_a_valid_script_that_completes() {
    if !is_installed("bash") {
        eprintln!("NOT TESTED: the completion in bash, which is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("entente.bash");
    fs::write(&script, run(&["completions", "bash"])).unwrap();
    let checked = Command::new("bash").arg("-n").arg(&script).output().unwrap();
    assert!(checked.status.success() && checked.stderr.is_empty(), "{checked:?}");
    // What bash offers after `entente ge` and after `entente generate --realism `.
    let completed = |words: &str, at: usize, current: &str, previous: &str| {
        let line = format!(
            ". '{}'; COMP_WORDS=({words}); COMP_CWORD={at}; _entente entente '{current}' '{previous}'; echo ${{COMPREPLY[@]}}",
            script.display()
        );
        let output = Command::new("bash").args(["--norc", "-c", &line]).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    assert_eq!(completed("entente ge", 1, "ge", "entente"), "generate");
    assert_eq!(completed("entente generate --realism ''", 3, "", "--realism"), "auto natural fast");
}

/// Checks a page with a program that reads manual pages, and says so if there is none.
fn check(page: &Path) {
    let (program, arguments): (_, &[&str]) = if is_installed("groff") {
        ("groff", &["-k", "-ww", "-man", "-Tutf8", "-z"])
    } else if is_installed("mandoc") {
        ("mandoc", &["-T", "lint", "-W", "warning"])
    } else {
        eprintln!("NOT TESTED: the format of {}: neither groff nor mandoc is installed", page.display());
        return;
    };
    let output = Command::new(program).args(arguments).arg(page).output().expect("it starts");
    let quiet = output.stderr.is_empty() && output.stdout.is_empty();
    assert!(output.status.success() && quiet, "{program} {}: {output:?}", page.display());
}

#[test]
fn there_is_a_valid_manual_page_for_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("share/man1");
    assert_eq!(run(&["man", "--output", pages.to_str().unwrap()]), "");
    let names: Vec<String> = commands().into_iter().filter(|name| name != "help").collect();
    for name in &names {
        let page = pages.join(format!("entente-{name}.1"));
        let text = fs::read_to_string(&page).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(text.contains(&format!(".TH entente-{name} 1 ")), "{name}");
        check(&page);
    }
    check(&pages.join("entente.1"));
    let generate = fs::read_to_string(pages.join("entente-generate.1")).unwrap();
    for name in flags() {
        assert!(generate.contains(&format!("\n\\fB\\-\\-{}\\fR", name.replace('-', "\\-"))), "{name}");
    }
    assert!(generate.contains("\n.SH EXAMPLES\n.nf\n  entente generate"));
    // The main page is the one that is printed, and nothing but pages is left in the folder.
    assert_eq!(fs::read_to_string(pages.join("entente.1")).unwrap(), run(&["man"]));
    for entry in fs::read_dir(&pages).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(name.starts_with("entente") && name.ends_with(".1"), "{name}");
    }
}

#[test]
fn pages_that_cannot_be_written_leave_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "kept").unwrap();
    let output = status(&["man", "--output", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("entente: --output "), "{output:?}");
    // The last page cannot get its name, because a folder has it: no other page appears.
    let pages = folder.path().join("pages");
    fs::create_dir_all(pages.join("entente-uci.1")).unwrap();
    let output = status(&["man", "--output", pages.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(fs::read_dir(&pages).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(&file).unwrap(), "kept");
}
