use std::{fs, path::Path};

use anyhow::{Context as _, anyhow};
use entente_cli::whole_file::replace_file;
use entente_render::{Figure, Page, Section, png, standalone};

use super::{
    Study,
    figures::{Picture, pictures},
    findings::{Finding, findings},
    summary::{lead, markdown, tables},
    tables::write_tables,
};

/// Another study to compare with the first.
pub(super) type Beside<'a> = Option<&'a Study>;

/// Writes the results of a study to a folder: the tables `constraints.csv`, `plies.csv`, `bands.csv`, `squares.csv` and
/// `summary.md`, the plots in `plots/` as SVG and PNG, and `report.html`. The study itself is written last, so a folder
/// that contains it is complete.
///
/// # Errors
///
/// If a plot cannot be drawn or a file cannot be written.
pub fn publish(
    folder: &Path,
    study: &Study,
    beside: Beside<'_>,
    classes: usize,
    command: &str,
) -> anyhow::Result<()> {
    let found = findings(study, classes);
    let other = beside.map(|other| (other, findings(other, classes)));
    let other: Option<(&Study, &[Finding])> = other.as_ref().map(|(study, found)| (*study, &found[..]));
    write_tables(folder, study, &found)?;
    let tables = tables(study, &found, other);
    write(&folder.join("summary.md"), markdown(study, &tables).as_bytes())?;
    let pictures = pictures(study, &found, other).map_err(|error| anyhow!("{error}"))?;
    let plots = folder.join("plots");
    fs::create_dir_all(&plots).with_context(|| format!("cannot make the folder {}", plots.display()))?;
    let mut without_png = None;
    for Picture { name, figure } in &pictures {
        let svg = standalone(&figure.svg);
        write(&plots.join(format!("{name}.svg")), svg.as_bytes())?;
        match png(&svg) {
            Ok(pixels) => write(&plots.join(format!("{name}.png")), &pixels)?,
            Err(error) => without_png = Some(error),
        }
    }
    if let Some(error) = without_png {
        eprintln!("plots are written only as SVG: {error}");
    }
    let sections = tables.into_iter().map(|table| Section {
        title: table.title,
        lead: table.lead,
        headers: table.headers,
        rows: table.rows,
        footer: Vec::new(),
    });
    let figures: Vec<Figure> = pictures.into_iter().map(|picture| picture.figure).collect();
    let page = Page {
        title: "Games that meet constraints".to_owned(),
        lead: match beside {
            Some(other) => format!("{}; compared with {}.", lead(study), lead(other)),
            None => format!("{}.", lead(study)),
        },
        sections: sections.collect(),
        figures,
        command: command.to_owned(),
        ..Page::default()
    };
    write(&folder.join("report.html"), page.html().as_bytes())?;
    study.save(folder)
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    replace_file(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
