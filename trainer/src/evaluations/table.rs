use std::io::Read;

use shakmaty::{CastlingMode, Chess, fen::Fen};
use thiserror::Error;

use super::evaluation;
use crate::games::Evaluation;

/// A row of a table.
#[derive(Clone, Debug)]
pub struct Row {
    /// The position.
    pub position: Chess,
    /// The move number in the FEN.
    pub fullmoves: u32,
    /// The evaluation, for White.
    pub evaluation: Evaluation,
}

/// Why a table cannot be read.
#[derive(Debug, Error)]
pub enum TableError {
    /// A column is missing.
    #[error("no column {0}: the first line must name the columns FEN and Evaluation, in any order")]
    Column(&'static str),
    /// The file is not a CSV table, or cannot be read.
    #[error(transparent)]
    Csv(#[from] csv::Error),
}

/// Reads a CSV table with the columns `FEN` and `Evaluation`, in any order, and possibly other columns. Calls `f` with
/// each row, or with the line and the fault of an invalid row.
///
/// # Errors
///
/// If a column is missing, or the table cannot be read.
pub fn read_table(
    source: impl Read,
    mut f: impl FnMut(Result<Row, (u64, String)>),
) -> Result<(), TableError> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(source);
    let headers = reader.headers()?.clone();
    let column = |name: &'static str| {
        let is_it = |header: &str| header.trim_start_matches('\u{feff}').eq_ignore_ascii_case(name);
        headers.iter().position(is_it).ok_or(TableError::Column(name))
    };
    let (fen, value) = (column("FEN")?, column("Evaluation")?);
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record)? {
        let line = record.position().map_or(0, csv::Position::line);
        f(row(record.get(fen).unwrap_or(""), record.get(value).unwrap_or("")).map_err(|fault| (line, fault)));
    }
    Ok(())
}

fn row(fen: &str, value: &str) -> Result<Row, String> {
    let found: Fen = fen.parse().map_err(|error| format!("\"{fen}\" is not a FEN: {error}"))?;
    let fullmoves = found.as_setup().fullmoves.get();
    let position =
        found.into_position(CastlingMode::Standard).map_err(|error| format!("\"{fen}\": {error}"))?;
    let evaluation = evaluation(value).ok_or_else(|| {
        format!("\"{value}\" is not an evaluation; expected centipawns such as +56, pawns such as 0.56, or mates such \
                 as #-3 and M5")
    })?;
    Ok(Row { position, fullmoves, evaluation })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Result<(u32, Evaluation), (u64, String)>> {
        let mut rows = Vec::new();
        read_table(text.as_bytes(), |row| rows.push(row.map(|row| (row.fullmoves, row.evaluation)))).unwrap();
        rows
    }

    #[test]
    fn tables_may_have_any_order_of_columns_quotes_and_any_line_ends() {
        let expected = vec![Ok((7, Evaluation::Centipawns(56))), Ok((9, Evaluation::Mate(-3)))];
        for text in [
            "FEN,Evaluation\n8/8/4k3/8/8/3K4/4P3/8 w - - 0 7,+56\n8/8/4k3/8/8/3K4/4P3/8 b - - 0 9,#-3\n",
            "FEN,Evaluation\r\n8/8/4k3/8/8/3K4/4P3/8 w - - 0 7,+56\r\n8/8/4k3/8/8/3K4/4P3/8 b - - 0 9,#-3",
            "\u{feff}evaluation,depth,fen\n0.56,20,\"8/8/4k3/8/8/3K4/4P3/8 w - - 0 7\"\n\"#-3\",1, 8/8/4k3/8/8/3K4/4P3/8 b - - 0 9 \n",
        ] {
            assert_eq!(read(text), expected, "{text:?}");
        }
    }

    #[test]
    fn an_invalid_row_is_reported_with_its_line_and_the_rest_is_read() {
        let rows = read(
            "FEN,Evaluation\nx,1\n8/8/4k3/8/8/3K4/4P3/8 w - - 0 7,\n8/8/8/8/8/3K4/4P3/8 w - - 0 7,1\n8/8/4k3/8/8/3K4/4P3/8 w - - 0 7\n8/8/4k3/8/8/3K4/4P3/8 w - - 0 7,3\n",
        );
        let faults: Vec<(u64, &str)> = rows
            .iter()
            .filter_map(|row| row.as_ref().err().map(|(line, text)| (*line, text.as_str())))
            .collect();
        assert_eq!(faults.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 3, 4, 5]);
        assert!(faults[0].1.contains("\"x\" is not a FEN") && faults[1].1.contains("is not an evaluation"));
        assert_eq!(rows.last().unwrap(), &Ok((7, Evaluation::Centipawns(3))));
    }

    #[test]
    fn a_table_without_the_columns_is_refused() {
        let refusal = |text: &str| read_table(text.as_bytes(), |_| ()).unwrap_err().to_string();
        assert!(refusal("fen,score\n").contains("no column Evaluation"));
        assert!(refusal("").contains("no column FEN"));
    }
}
