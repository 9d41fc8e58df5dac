use super::{
    Published, Row,
    table::{MAX_PIECE_DIFFERENCES, PIECE_DIFFERENCES},
};

/// All rows as CSV with a header. Shares are in [0, 1]; values that do not apply are empty.
pub(crate) fn csv(rows: &[Row]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for (index, row) in rows.iter().enumerate() {
        let fields = fields(row);
        if index == 0 {
            writer.write_record(fields.iter().map(|(name, _)| name)).expect("writing to memory succeeds");
        }
        writer.write_record(fields.iter().map(|(_, value)| value)).expect("all rows have the same length");
    }
    writer.into_inner().expect("writing to memory succeeds")
}

fn fields(row: &Row) -> Vec<(String, String)> {
    let Row { entrant, constraint, method, is_exact, measures, published } = row;
    let mut fields: Vec<(String, String)> = Vec::new();
    let text = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.6}"));
    let mut add = |name: &str, value: String| fields.push((name.to_owned(), value));
    add("entrant", entrant.clone());
    add("constraint", constraint.clone().unwrap_or_default());
    add("method", method.clone());
    add("games", measures.generated.to_string());
    for (name, estimate) in [
        ("first_attempt", measures.first_attempt_share()),
        ("delivered", measures.delivered_share()),
        ("plies_mean", measures.mean_plies()),
        ("plies_median", measures.median_plies()),
    ] {
        add(name, text(estimate.map(|estimate| estimate.value)));
        add(&format!("{name}_low"), text(estimate.map(|estimate| estimate.low)));
        add(&format!("{name}_high"), text(estimate.map(|estimate| estimate.high)));
    }
    add("unique", text(measures.unique_ratio()));
    for men in 1..=MAX_PIECE_DIFFERENCES {
        let ratio = measures.piece_difference_ratio(men).filter(|_| *is_exact);
        add(&format!("pdr_{men}"), text(ratio.map(|ratio| ratio.value)));
        if men <= PIECE_DIFFERENCES {
            add(&format!("pdr_{men}_low"), text(ratio.map(|ratio| ratio.low)));
            add(&format!("pdr_{men}_high"), text(ratio.map(|ratio| ratio.high)));
        }
    }
    add("nodes_each", text(measures.nodes_each()));
    add("evaluations_each", text(measures.evaluations_each()));
    for (name, value) in [
        ("natural", measures.policy.natural_share()),
        ("surprise", measures.policy.mean_surprise()),
        ("masked", measures.policy.masked_share()),
        ("tilted", measures.policy.tilted_share()),
        ("finished", measures.policy.finished_share()),
    ] {
        add(name, text(value));
    }
    let theirs = |of: fn(&Published) -> f64| text(published.as_ref().map(of));
    add("published_satisfied", theirs(|published| published.satisfied / 100.0));
    add("published_unique", theirs(|published| published.unique / 100.0));
    add("published_plies_mean", theirs(|published| published.mean_steps + 1.0));
    add("published_plies_median", theirs(|published| published.median_steps + 1.0));
    add("p_below", text(published.as_ref().and_then(|published| measures.below(published))));
    fields
}

#[cfg(test)]
mod tests {
    use super::{super::table::tests::row, *};

    #[test]
    fn csv_has_all_values_in_named_columns() {
        let text = String::from_utf8(csv(&[row(Some("(1,2,2,2,7)")), row(None)])).unwrap();
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let names = reader.headers().unwrap().clone();
        let first = reader.records().next().unwrap().unwrap();
        let value = |name: &str| &first[names.iter().position(|other| other == name).expect(name)];
        assert_eq!((value("constraint"), value("pdr_5"), value("p_below")), ("(1,2,2,2,7)", "0.250000", ""));
        assert_eq!((value("delivered"), value("nodes_each")), ("0.750000", "333.333333"));
    }
}
