//! `entente man`: the manual pages, made of the help texts.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap::{Args, Command, CommandFactory};
use clap_mangen::{
    Man,
    roff::{Roff, bold, roman},
};

use super::{Arguments as Program, FOUND, print};
use crate::whole_file::WholeFile;

/// Print the manual page, or write the pages of all commands to a folder.
///
/// The pages have the text of --help, in the format roff, which man reads.
#[derive(Args)]
#[command(after_help = "\
Examples:
  entente man --output ~/.local/share/man/man1
      Then \"man entente\" and \"man entente-generate\" show the pages
  entente man | man -l -
      Read the main page without installing it")]
pub(super) struct Arguments {
    /// The folder for the pages of all commands: entente.1, entente-generate.1 and so on; it is created if it is missing
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

/// What each section begins with as the library writes it: a string for the apostrophe, which no section needs, because
/// [`page`] puts the usual escape in its place.
const PREAMBLE: &str = ".ie \\n(.g .ds Aq \\(aq\n.el .ds Aq '\n";

/// A manual page with the name of its file.
struct Page {
    name: String,
    roff: String,
}

/// Runs `entente man` and returns its exit status.
///
/// # Errors
/// If the pages cannot be written. Then no page is replaced, unless the folder fails between the renaming of two files.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let mut program = Program::command().disable_help_subcommand(true);
    program.build();
    match &arguments.output {
        Some(folder) => {
            let mut pages = Vec::new();
            add_pages(&program, &program, &mut pages)?;
            write(&pages, folder).with_context(|| format!("--output {}", folder.display()))?;
        }
        None => print(&page(&program, &program)?.roff)?,
    }
    Ok(FOUND)
}

/// Adds the pages of `command` and of its subcommands.
fn add_pages(program: &Command, command: &Command, pages: &mut Vec<Page>) -> io::Result<()> {
    pages.push(page(program, command)?);
    command.get_subcommands().try_for_each(|command| add_pages(program, command, pages))
}

/// The page of a command. The last section holds the examples, line by line as in the help.
fn page(program: &Command, command: &Command) -> io::Result<Page> {
    let version = program.get_version().unwrap_or_default();
    let man = Man::new(command.clone())
        .source(format!("{} {version}", program.get_name()))
        .manual("Entente manual".to_owned());
    let name = man.get_filename();
    let mut roff = Vec::new();
    man.render_title(&mut roff)?;
    man.render_name_section(&mut roff)?;
    man.render_synopsis_section(&mut roff)?;
    man.render_description_section(&mut roff)?;
    man.render_options_section(&mut roff)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut roff)?;
    }
    if let Some(text) = command.get_after_long_help().or_else(|| command.get_after_help()) {
        examples(&text.to_string()).to_writer(&mut roff)?;
    }
    related(program, &name).to_writer(&mut roff)?;
    Ok(Page {
        name,
        roff: String::from_utf8(roff)
            .map_err(io::Error::other)?
            .replace(PREAMBLE, "")
            .replace("\\*(Aq", "\\(aq"),
    })
}

/// The end of a help text: a line that is not indented is a heading, and the lines below it keep their breaks.
fn examples(text: &str) -> Roff {
    let mut roff = Roff::new();
    let mut is_open = false;
    for line in text.lines().filter(|line| !line.is_empty()) {
        match line.strip_suffix(':') {
            Some(heading) if !line.starts_with(' ') => {
                if is_open {
                    roff.control("fi", []);
                }
                roff.control("SH", [heading.to_uppercase().as_str()]);
                roff.control("nf", []);
                is_open = true;
            }
            _ => {
                roff.text([roman(line)]);
            }
        }
    }
    if is_open {
        roff.control("fi", []);
    }
    roff
}

/// The section that names the other pages.
fn related(program: &Command, own: &str) -> Roff {
    let main = program.get_name();
    let names = [main.to_owned()]
        .into_iter()
        .chain(program.get_subcommands().map(|command| format!("{main}-{}", command.get_name())))
        .filter(|name| format!("{name}.1") != own);
    let mut roff = Roff::new();
    roff.control("SH", ["SEE ALSO"]);
    let mut line = Vec::new();
    for name in names {
        line.extend([roman(if line.is_empty() { "" } else { ", " }), bold(name), roman("(1)")]);
    }
    roff.text(line);
    roff
}

/// Writes all pages under temporary names before the first one gets its own.
fn write(pages: &[Page], folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut files = Vec::new();
    for page in pages {
        let target = folder.join(&page.name);
        if target.is_dir() {
            // Found only when the file gets its name, which is too late for the pages before it.
            return Err(io::Error::new(
                io::ErrorKind::IsADirectory,
                format!("{}: expected a file, found a folder", page.name),
            ));
        }
        let mut file = WholeFile::create(&target)?;
        file.write_all(page.roff.as_bytes())?;
        file.sync()?;
        files.push(file);
    }
    files.into_iter().try_for_each(WholeFile::finish)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_the_help_are_sections_and_examples_keep_their_lines() {
        let roff = examples("Examples:\n  entente bench\n      All four\n\nExit status:\n  0").render();
        let expected =
            ".SH EXAMPLES\n.nf\n  entente bench\n      All four\n.fi\n.SH \"EXIT STATUS\"\n.nf\n  0\n.fi\n";
        assert!(roff.ends_with(expected), "{roff}");
    }
}
