use std::fmt::Write as _;

use entente_cli::tournament::interval::{Estimate, median, share};
use entente_network::encoding::goal_policy::RatingScale;
use shakmaty::Square;

use super::{
    Study,
    figures::kinds,
    findings::{Contrast, Finding, Group, are_of_the_thesis, contrasts, groups},
    pass::scale_name,
    published,
    tables::man_name,
    tally::BandTally,
};
use crate::games::report::grouped;

/// A table of the summary and the report.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub title: String,
    pub lead: String,
    pub headers: Vec<String>,
    /// The text of each cell, and the value by which it is sorted if that is not the text.
    pub rows: Vec<Vec<(String, Option<f64>)>>,
}

/// Number of differences between groups that are listed for each constraint.
const CONTRASTS: usize = 3;

fn text(text: impl Into<String>) -> (String, Option<f64>) {
    (text.into(), None)
}

fn count(number: u64) -> (String, Option<f64>) {
    (grouped(number), Some(number as f64))
}

fn number(value: Option<f64>, digits: usize) -> (String, Option<f64>) {
    (value.map_or_else(|| "–".to_owned(), |value| format!("{value:.digits$}")), value)
}

fn ranged(estimate: Option<Estimate>, digits: usize) -> (String, Option<f64>) {
    let Some(Estimate { value, low, high }) = estimate else { return text("–") };
    (format!("{value:.digits$} ({low:.digits$}–{high:.digits$})"), Some(value))
}

fn percent(estimate: Option<Estimate>) -> (String, Option<f64>) {
    let Some(Estimate { value, low, high }) = estimate else { return text("–") };
    (format!("{:.1}% ({:.1}–{:.1})", 100.0 * value, 100.0 * low, 100.0 * high), Some(value))
}

fn names(headers: &[&str]) -> Vec<String> {
    headers.iter().map(|header| (*header).to_owned()).collect()
}

/// All tables, in the order of the report.
pub(super) fn tables(
    study: &Study,
    findings: &[Finding],
    beside: Option<(&Study, &[Finding])>,
) -> Vec<Table> {
    let mut tables = vec![constraints(study, findings)];
    if let Some((other, others)) = beside {
        tables.push(side_by_side(study, findings, other, others));
    }
    tables.push(classes(findings));
    if !study.subject.is_generated {
        for scale in [RatingScale::Online, RatingScale::ChessCom, RatingScale::Fide] {
            tables.extend(skill(study, findings, scale));
            tables.extend(looks(study, findings, scale));
        }
    }
    tables
}

fn constraints(study: &Study, findings: &[Finding]) -> Table {
    let is_published = findings.iter().any(|finding| finding.published.is_some());
    let mut headers = names(&["constraint", "games"]);
    if !study.subject.is_generated {
        headers.extend(names(&["share of games", "White's share of decided"]));
        if is_published {
            headers.push("published".to_owned());
        }
    }
    headers.extend(names(&["White's expected points", "mean plies", "median plies"]));
    let rows = findings.iter().map(|finding| {
        let mut row = vec![text(&finding.constraint), count(finding.met.games)];
        if !study.subject.is_generated {
            row.extend([percent(finding.share), ranged(finding.white_wins, 3)]);
            if is_published {
                row.push(number(finding.published, 3));
            }
        }
        row.extend([
            number(finding.expected, 3),
            ranged(finding.mean_plies, 1),
            ranged(finding.median_plies, 0),
        ]);
        row
    });
    let rows = rows.collect();
    let mut lead =
        "Shares and plies have 95% intervals. Expected points are the evaluation network's estimate for the \
                    positions; it sees only the board."
            .to_owned();
    if is_published && !study.subject.is_generated {
        let both =
            findings.iter().filter_map(|finding| Some((finding.white_wins?.value, finding.published?)));
        let near = both.clone().filter(|(ours, theirs)| (ours - theirs).abs() <= 0.03).count();
        let _ = write!(lead, " {near} of {} shares are within 0.03 of the published ones.", both.count());
    }
    Table { title: "Constraints".to_owned(), lead, headers, rows }
}

fn side_by_side(study: &Study, findings: &[Finding], other: &Study, others: &[Finding]) -> Table {
    let [one, two] = kinds(study, other);
    let mut headers = names(&["constraint", "squares in common"]);
    for name in [&one, &two] {
        headers
            .extend(["games", "White's expected points", "mean plies"].map(|what| format!("{name}: {what}")));
    }
    let pairs = findings.iter().filter_map(|finding| {
        let same = others.iter().find(|other| other.constraint == finding.constraint)?;
        (finding.met.games > 0 && same.met.games > 0).then_some((finding, same))
    });
    let rows = pairs.map(|(finding, same)| {
        let shared = overlap(&finding.met, &same.met);
        let mut row = vec![text(&finding.constraint), (format!("{:.0}%", 100.0 * shared), Some(shared))];
        for side in [finding, same] {
            row.extend([count(side.met.games), number(side.expected, 3), ranged(side.mean_plies, 1)]);
        }
        row
    });
    Table {
        title: format!("Comparison: {one} and {two}"),
        lead: "Squares in common: the share of all men that stand on the same squares in both. 100% means that each \
               man stands on each square equally often."
            .to_owned(),
        headers,
        rows: rows.collect(),
    }
}

/// The share of men that stand on the same squares in two groups of games.
fn overlap(one: &BandTally, other: &BandTally) -> f64 {
    let share = |men: u32, of: &BandTally| f64::from(men) / of.games.max(1) as f64;
    let pairs = || one.places.iter().zip(&other.places).map(|(a, b)| (share(*a, one), share(*b, other)));
    let most: f64 = pairs().map(|(a, b)| a + b).sum::<f64>() / 2.0;
    pairs().map(|(a, b)| a.min(b)).sum::<f64>() / most.max(f64::MIN_POSITIVE)
}

fn classes(findings: &[Finding]) -> Table {
    let is_thesis = are_of_the_thesis(findings);
    let mut headers = names(&["constraint", "class", "mean plies", "White's men", "sum of piece values"]);
    if is_thesis {
        headers.push("class in the thesis".to_owned());
    }
    let mut sorted: Vec<&Finding> = findings.iter().filter(|finding| finding.class.is_some()).collect();
    sorted.sort_by(|one, other| {
        let key = |finding: &Finding| (finding.class, finding.met.plies.mean());
        key(one).partial_cmp(&key(other)).unwrap_or(std::cmp::Ordering::Equal)
    });
    let rows = sorted.iter().map(|finding| {
        let whole = |value: Option<usize>| number(value.map(|value| value as f64), 0);
        let mut row = vec![
            text(&finding.constraint),
            whole(finding.class),
            number(finding.met.plies.mean(), 1),
            whole(finding.men.map(|men| men as usize)),
            whole(finding.worth.map(|worth| worth as usize)),
        ];
        if is_thesis {
            row.push(whole(published::class(&finding.constraint)));
        }
        row
    });
    Table {
        title: "Classes".to_owned(),
        lead: "Classes of constraints that are met after similar numbers of plies. The distance between two \
               constraints is the average number of plies by which the curve of one must be shifted to become the \
               other. The classes with the least average distance are merged first."
            .to_owned(),
        headers,
        rows: rows.collect(),
    }
}

fn group_name(group: Group) -> String {
    match group {
        Group { from: 0, below, .. } => format!("under {below}"),
        Group { from, below: u16::MAX, .. } => format!("{from} and more"),
        Group { from, below, .. } => format!("{from}–{}", below - 1),
    }
}

/// How many games of each group meet the constraints, and after how many plies; `None` if fewer than two groups have
/// games.
fn skill(study: &Study, findings: &[Finding], scale: RatingScale) -> Option<Table> {
    let groups: Vec<(Group, u64)> = groups(scale)
        .map(|group| (group, study.of(|band| group.has(band)).games))
        .filter(|(_, games)| *games > 0)
        .collect();
    if groups.len() < 2 {
        return None;
    }
    let mut headers = names(&["constraint"]);
    headers.extend(groups.iter().map(|(group, _)| format!("{}: share", group_name(*group))));
    headers.extend(groups.iter().map(|(group, _)| format!("{}: median plies", group_name(*group))));
    let rows = findings.iter().zip(&study.tallies).map(|(finding, tally)| {
        let mets: Vec<(BandTally, u64)> =
            groups.iter().map(|(group, games)| (tally.of(|band| group.has(band)), *games)).collect();
        let shares = mets.iter().map(|(met, games)| percent(share(met.games, *games)));
        let medians = mets.iter().map(|(met, _)| {
            let plies = met.plies.iter().map(|(ply, games)| (ply as usize, games)).collect();
            ranged(median(&plies), 0)
        });
        std::iter::once(text(&finding.constraint)).chain(shares).chain(medians).collect()
    });
    let games: Vec<String> =
        groups.iter().map(|(group, games)| format!("{}: {}", group_name(*group), grouped(*games))).collect();
    Some(Table {
        title: format!("Skill ({})", scale_name(scale)),
        lead: format!("By the players' mean rating; games: {}.", games.join(", ")),
        headers,
        rows: rows.collect(),
    })
}

/// How positions differ between the weakest and the strongest group when a constraint is met; `None` if there are too
/// few games.
fn looks(study: &Study, findings: &[Finding], scale: RatingScale) -> Option<Table> {
    let groups: Vec<Group> =
        groups(scale).filter(|group| study.of(|band| group.has(band)).games > 0).collect();
    let [weakest, .., strongest] = groups[..] else { return None };
    let mut rows = Vec::new();
    for (finding, tally) in findings.iter().zip(&study.tallies) {
        let [weaker, stronger] = [weakest, strongest].map(|group| tally.of(|band| group.has(band)));
        let found = contrasts(&weaker, &stronger);
        if found.is_empty() {
            continue;
        }
        let mut row = vec![text(&finding.constraint)];
        let common = overlap(&weaker, &stronger);
        row.push((format!("{:.0}%", 100.0 * common), Some(common)));
        row.extend((0..CONTRASTS).map(|index| found.get(index).map_or_else(|| text("–"), contrast)));
        rows.push(row);
    }
    let headers = ["constraint", "squares in common", "first", "second", "third"];
    (!rows.is_empty()).then(|| Table {
        title: format!("What the positions look like ({})", scale_name(scale)),
        lead: format!(
            "Mean rating {} compared with {}: the three combinations of man and square that differ most significantly, \
             with both shares of the games and the difference in percentage points. The 95% intervals are not \
             corrected for multiple comparisons.",
            group_name(weakest),
            group_name(strongest)
        ),
        headers: names(&headers),
        rows,
    })
}

fn contrast(found: &Contrast) -> (String, Option<f64>) {
    let [weaker, stronger] = found.shares.map(|share| 100.0 * share);
    let Estimate { value, low, high } = found.difference;
    let (man, square) = (man_name(found.place / 64).replace('_', " "), Square::new(found.place as u32 % 64));
    let words = format!(
        "{man} {square}: {weaker:.1}% → {stronger:.1}% ({:+.1}, {:+.1} to {:+.1})",
        100.0 * value,
        100.0 * low,
        100.0 * high
    );
    (words, Some(value))
}

/// The subject of the study, in words.
pub(super) fn lead(study: &Study) -> String {
    let subject = &study.subject;
    let all = study.of(|_| true);
    let mut words = format!(
        "{} {} games of {}",
        grouped(all.games),
        if subject.is_generated { "generated" } else { "human" },
        subject.source
    );
    if let Some(scale) = subject.selection.scale {
        let _ = write!(words, ", {} ratings", scale_name(scale));
    }
    if let Some((from, below)) = subject.selection.ratings {
        let _ = write!(words, ", mean rating {from} to {}", below - 1);
    }
    if let Some(entrant) = &subject.selection.entrant {
        let _ = write!(words, ", entrant {entrant}");
    }
    words
}

/// All tables in Markdown.
pub(super) fn markdown(study: &Study, tables: &[Table]) -> String {
    let mut all = format!("# Games that meet constraints\n\n{}.\n", lead(study));
    for table in tables {
        let _ = write!(all, "\n## {}\n\n{}\n\n", table.title, table.lead);
        // A `|` would end the cell.
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        all += &line(table.headers.clone());
        all += &format!("|{}\n", "---|".repeat(table.headers.len()));
        for row in &table.rows {
            all += &line(row.iter().map(|(text, _)| text.replace('|', "\\|")).collect());
        }
    }
    all
}
