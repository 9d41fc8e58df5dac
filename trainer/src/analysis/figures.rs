use entente_cli::tournament::interval::{Estimate, share};
use entente_network::encoding::goal_policy::RatingScale;
use entente_render::{Figure, HeatMap, PlotError, Series, curves, heat_maps, intervals};
use shakmaty::Square;

use super::{
    Study,
    findings::Finding,
    pass::scale_name,
    tally::{BAND, ROLES, place},
};
use crate::games::report::grouped;

/// A plot of a report, and the name of its files.
pub(super) struct Picture {
    /// The name without an extension.
    pub name: String,
    /// The plot with its title.
    pub figure: Figure,
}

/// Maximum numbers of constraints in a plot of shares, and with boards of their own.
const CONSTRAINTS: usize = 60;
const BOARDS: usize = 20;
/// Maximum number of constraints in a plot of curves; more colours are hard to distinguish.
const CURVES: usize = 7;
/// Smaller shares of the games are not drawn, as in the thesis.
const CUT: f64 = 0.05;
/// The description of plots of curves.
const PLIES: &str = "number of plies after which the constraint is met; shares under 5% are left out";
/// Minimum number of games in a band whose share is drawn.
const MIN: u64 = 200;

/// All plots: White's share, when constraints are met, at which ratings, and where the men stand. `compared` is another
/// study to compare with the first, such as one of human games.
///
/// # Errors
///
/// If a plot cannot be drawn.
pub(super) fn pictures(
    study: &Study,
    findings: &[Finding],
    compared: Option<(&Study, &[Finding])>,
) -> Result<Vec<Picture>, PlotError> {
    let files = file_names(&study.subject.constraints);
    let mut pictures = Vec::new();
    let mut add = |name: String, title: String, svg: String| {
        pictures.push(Picture { name, figure: Figure { title, svg } });
    };
    // If not all constraints can be shown, begin with those that most games meet.
    let mut order: Vec<usize> = (0..findings.len()).collect();
    if findings.len() > BOARDS {
        order.sort_by_key(|index| std::cmp::Reverse(findings[*index].met.games));
    }
    let shown: Vec<&Finding> = order.iter().map(|index| &findings[*index]).collect();

    if findings.iter().any(|finding| finding.white_wins.is_some()) {
        let some = &shown[..shown.len().min(CONSTRAINTS)];
        let names: Vec<String> = some.iter().map(|finding| finding.constraint.clone()).collect();
        let values = some.iter().map(|finding| finding.white_wins.map(interval)).collect();
        let mut series = vec![Series { name: "games here".to_owned(), values }];
        if some.iter().any(|finding| finding.published.is_some()) {
            let values = some.iter().map(|finding| finding.published.map(|share| (share, share, share)));
            series.push(Series { name: "published".to_owned(), values: values.collect() });
        }
        let title = "White's share of the decided games that met the constraint, with 95% intervals";
        add("white-wins".to_owned(), title.to_owned(), intervals(&names, &series)?);
    }

    let [ours, theirs] = match compared {
        Some((other, _)) => kinds(study, other),
        None => [kind(study).to_owned(), String::new()],
    };
    let other_of = |constraint: &str| {
        let (_, others) = compared?;
        others.iter().find(|other| other.constraint == constraint && other.met.games > 0)
    };
    match compared {
        None => {
            for class in 1..=findings.iter().filter_map(|finding| finding.class).max().unwrap_or(0) {
                let of = |finding: &&&Finding| finding.class == Some(class);
                let alike: Vec<&Finding> = shown.iter().filter(of).take(CURVES).copied().collect();
                let series: Vec<Series<(f64, f64)>> =
                    alike.iter().map(|finding| half_moves(&finding.constraint, finding)).collect();
                if series.iter().any(|series| !series.values.is_empty()) {
                    let title = format!("Class {class}: {PLIES}");
                    add(format!("plies-{class}"), title, curves("plies", 0.0, &series)?);
                }
            }
        }
        Some(_) => {
            for index in order.iter().take(BOARDS) {
                let finding = &findings[*index];
                let mut series = vec![half_moves(&ours, finding)];
                series.extend(other_of(&finding.constraint).map(|other| half_moves(&theirs, other)));
                if series.iter().any(|series| !series.values.is_empty()) {
                    let title = format!("{}: {PLIES}", finding.constraint);
                    add(format!("plies-{}", files[*index]), title, curves("plies", 0.0, &series)?);
                }
            }
        }
    }

    for scale in [RatingScale::Online, RatingScale::ChessCom, RatingScale::Fide] {
        let series: Vec<Series<(f64, f64)>> = shown
            .iter()
            .take(CURVES)
            .map(|finding| by_rating(study, finding, scale))
            .filter(|series| series.values.len() > 1)
            .collect();
        let first = series.iter().flat_map(|series| &series.values).map(|(x, _)| *x).reduce(f64::min);
        if let Some(first) = first.filter(|_| !study.subject.is_generated) {
            let scale = scale_name(scale);
            let title =
                format!("Share of games that meet the constraint, by the players' mean rating ({scale})");
            add(format!("ratings-{scale}"), title, curves("rating", first, &series)?);
        }
    }

    for index in order.iter().take(BOARDS) {
        let finding = &findings[*index];
        if finding.met.games == 0 {
            continue;
        }
        let mut rows = vec![(row_name(&ours, finding), boards(finding))];
        rows.extend(other_of(&finding.constraint).map(|other| (row_name(&theirs, other), boards(other))));
        let title = format!("{}: where White's men stand", finding.constraint);
        add(format!("squares-{}", files[*index]), title, heat_maps(&rows));
    }
    Ok(pictures)
}

/// The word for the kind of games.
fn kind(study: &Study) -> &'static str {
    if study.subject.is_generated { "generated" } else { "people" }
}

/// The labels of two studies that are compared. If both are of the same kind, the label of the second says that it is
/// the second.
pub(super) fn kinds(one: &Study, other: &Study) -> [String; 2] {
    let names = [one, other].map(|study| kind(study).to_owned());
    if names[0] != names[1] { names } else { [names[0].clone(), format!("{} (second analysis)", names[1])] }
}

fn row_name(name: &str, finding: &Finding) -> String {
    format!("{name}: {} games", grouped(finding.met.games))
}

/// Maximum length of the part of a file's name that is made from the constraint.
const LONGEST: usize = 100;

/// File names for constraints: letters and digits, with hyphens for everything else, and a number if two names would be
/// the same.
pub fn file_names(constraints: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for constraint in constraints {
        let words = constraint.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let mut plain = words.collect::<Vec<_>>().join("-");
        plain.truncate(LONGEST);
        let mut name = plain.clone();
        let mut number = 1;
        // Some file systems ignore case.
        while names.iter().any(|other| other.eq_ignore_ascii_case(&name)) {
            number += 1;
            name = format!("{plain}-no{number}");
        }
        names.push(name);
    }
    names
}

fn interval(Estimate { value, low, high }: Estimate) -> entente_render::Interval {
    (value, low, high)
}

fn half_moves(name: &str, finding: &Finding) -> Series<(f64, f64)> {
    let games = finding.met.games.max(1) as f64;
    let shares = finding.met.plies.iter().map(|(ply, some)| (f64::from(ply), some as f64 / games));
    Series { name: name.to_owned(), values: shares.filter(|(_, share)| *share >= CUT).collect() }
}

fn by_rating(study: &Study, finding: &Finding, scale: RatingScale) -> Series<(f64, f64)> {
    let index = study.subject.constraints.iter().position(|name| *name == finding.constraint);
    let tally = &study.tallies[index.expect("a finding of this study")];
    let of_scale = study.games.iter().filter(|all| all.band.scale == scale && all.games >= MIN);
    let values = of_scale.filter_map(|all| {
        let met = tally.of(|band| band == all.band).games;
        Some((f64::from(all.band.from + BAND / 2), share(met, all.games)?.value))
    });
    Series { name: finding.constraint.clone(), values: values.collect() }
}

/// Boards of White's men: king, queen, rook, bishop, knight and pawn.
fn boards(finding: &Finding) -> Vec<HeatMap> {
    let of = |man: usize| HeatMap {
        title: format!("{:?}", ROLES[man]).to_lowercase(),
        shares: std::array::from_fn(|square| {
            let men = finding.met.places[place(man, Square::new(square as u32))];
            f64::from(men) / finding.met.games.max(1) as f64
        }),
    };
    (0..ROLES.len()).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_plain_and_distinct() {
        let constraints = ["(1,2,1,1,7)", "Q=0 N@f3 | mirror(P=7)", "Q=0", "Q>0", "q=0"].map(str::to_owned);
        let names = ["1-2-1-1-7", "Q-0-N-f3-mirror-P-7", "Q-0", "Q-0-no2", "q-0-no3"];
        assert_eq!(file_names(&constraints), names);
    }
}
