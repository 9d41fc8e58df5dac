use std::path::Path;

use anyhow::Context as _;
use entente_cli::{
    tournament::interval::{Estimate, share},
    whole_file::replace_file,
};
use shakmaty::{Piece, Square};

use super::{
    Study,
    findings::Finding,
    pass::scale_name,
    tally::{MEN, Results, piece, place},
};

/// The name of a kind of man in tables: `white_king` and so on.
pub(super) fn man_name(man: usize) -> String {
    let Piece { color, role } = piece(man);
    format!("{color}_{role:?}").to_lowercase()
}

/// Writes a table.
///
/// # Errors
///
/// If the table cannot be written.
fn write(
    folder: &Path,
    name: &str,
    header: &[&str],
    rows: impl Iterator<Item = Vec<String>>,
) -> anyhow::Result<()> {
    let path = folder.join(name);
    let table = || -> anyhow::Result<()> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(header)?;
        for row in rows {
            writer.write_record(row)?;
        }
        let bytes = writer.into_inner().map_err(|error| error.into_error())?;
        Ok(replace_file(&path, &bytes)?)
    };
    table().with_context(|| format!("cannot write {}", path.display()))
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value:.6}"))
}

fn counts(Results { won, drawn, lost }: Results) -> [String; 3] {
    [won, drawn, lost].map(|count| count.to_string())
}

fn estimate(value: Option<Estimate>) -> [String; 3] {
    [value.map(|of| of.value), value.map(|of| of.low), value.map(|of| of.high)].map(number)
}

/// Writes all tables, which have a row for each constraint, each ply, each rating band and each square.
///
/// # Errors
///
/// If a table cannot be written.
pub(super) fn write_tables(folder: &Path, study: &Study, findings: &[Finding]) -> anyhow::Result<()> {
    constraints(folder, findings)?;
    plies(folder, findings)?;
    bands(folder, study)?;
    squares(folder, study)
}

fn constraints(folder: &Path, findings: &[Finding]) -> anyhow::Result<()> {
    let header = [
        "constraint",
        "games",
        "share",
        "share_low",
        "share_high",
        "white_won",
        "drawn",
        "black_won",
        "white_wins",
        "white_wins_low",
        "white_wins_high",
        "published_white_wins",
        "expected_points",
        "mean_plies",
        "mean_plies_low",
        "mean_plies_high",
        "median_plies",
        "median_plies_low",
        "median_plies_high",
        "class",
        "men",
        "worth",
    ];
    let rows = findings.iter().map(|finding| {
        let mut row = vec![finding.constraint.clone(), finding.met.games.to_string()];
        row.extend(estimate(finding.share));
        row.extend(counts(finding.met.results));
        row.extend(estimate(finding.white_wins));
        row.extend([number(finding.published), number(finding.expected)]);
        row.extend(estimate(finding.mean_plies));
        row.extend(estimate(finding.median_plies));
        row.push(finding.class.map_or_else(String::new, |class| class.to_string()));
        row.push(finding.men.map_or_else(String::new, |men| men.to_string()));
        row.push(finding.worth.map_or_else(String::new, |worth| worth.to_string()));
        row
    });
    write(folder, "constraints.csv", &header, rows)
}

fn plies(folder: &Path, findings: &[Finding]) -> anyhow::Result<()> {
    let rows = findings.iter().flat_map(|finding| {
        finding.met.plies.iter().map(|(ply, games)| {
            let share = games as f64 / finding.met.games as f64;
            vec![finding.constraint.clone(), ply.to_string(), games.to_string(), number(Some(share))]
        })
    });
    write(folder, "plies.csv", &["constraint", "ply", "games", "share"], rows)
}

fn bands(folder: &Path, study: &Study) -> anyhow::Result<()> {
    let header = [
        "constraint",
        "rating_scale",
        "rating_from",
        "games_of_band",
        "games",
        "share",
        "share_low",
        "share_high",
        "white_won",
        "drawn",
        "black_won",
        "mean_plies",
        "median_plies",
    ];
    let rows = study.subject.constraints.iter().zip(&study.tallies).flat_map(|(constraint, tally)| {
        study.games.iter().map(|all| {
            let band = all.band;
            let met = tally.of(|other| other == band);
            let mut row = vec![
                constraint.clone(),
                scale_name(band.scale).to_owned(),
                band.from.to_string(),
                all.games.to_string(),
                met.games.to_string(),
            ];
            row.extend(estimate(share(met.games, all.games)));
            row.extend(counts(met.results));
            row.extend([number(met.plies.mean()), number(met.plies.median())]);
            row
        })
    });
    write(folder, "bands.csv", &header, rows)
}

fn squares(folder: &Path, study: &Study) -> anyhow::Result<()> {
    let header = [
        "constraint",
        "man",
        "square",
        "games",
        "share",
        "white_wins",
        "white_wins_low",
        "white_wins_high",
        "mean_plies",
        "median_plies",
        "opening",
    ];
    let rows = study.subject.constraints.iter().zip(&study.tallies).flat_map(|(constraint, tally)| {
        let games = tally.all().games;
        let cells = (0..MEN).flat_map(|man| Square::ALL.map(|square| (man, square)));
        cells.filter_map(move |(man, square)| {
            let of = &tally.places[place(man, square)];
            let here = of.plies.total();
            let named = |number: u32| study.openings[number as usize].as_str();
            let opening = of.openings.most_common(|one, other| named(one) < named(other));
            (here > 0).then(|| {
                let mut row = vec![constraint.clone(), man_name(man), square.to_string(), here.to_string()];
                row.push(number(Some(here as f64 / games as f64)));
                row.extend(estimate(share(of.results.won, of.results.decided())));
                row.extend([number(of.plies.mean()), number(of.plies.median())]);
                row.push(opening.map_or_else(String::new, |number| named(number).to_owned()));
                row
            })
        })
    });
    write(folder, "squares.csv", &header, rows)
}
