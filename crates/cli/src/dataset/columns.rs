//! The positions as columns of Parquet.

use std::io::Write;

use entente::generation::policy::Delivery;
use parquet::{
    data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type},
    errors::Result,
    file::writer::SerializedFileWriter,
};

use super::Position;
use crate::table::{self, Lists, Texts, write_column, write_optional};

/// The number of rows in a row group, which takes some 40 MB while it is written.
pub(super) const GROUP_ROWS: usize = 10_000;

/// A table of positions that is being written.
pub(super) struct Table<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    group: Group,
    group_rows: usize,
}

impl<W: Write + Send> Table<W> {
    /// Starts a table whose row groups have `group_rows` rows, except for the last one, which has the rest.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn begin(sink: W, group_rows: usize) -> Result<Table<W>> {
        let writer = table::begin(sink, "positions", &columns(), table::CREATED_BY)?;
        Ok(Table { writer, group: Group::default(), group_rows })
    }

    /// Adds a row.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(&mut self, position: &Position) -> Result<()> {
        self.group.push(position);
        if self.group.plies.len() == self.group_rows {
            std::mem::take(&mut self.group).write(&mut self.writer)?;
        }
        Ok(())
    }

    /// Writes the last row group, and returns the finished file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn finish(mut self) -> Result<W> {
        if !self.group.plies.is_empty() {
            self.group.write(&mut self.writer)?;
        }
        self.writer.into_inner()
    }
}

/// The columns, in the order in which a [`Group`] writes them.
fn columns() -> String {
    let mut columns =
        "required binary fen (STRING); required binary constraint (STRING); optional int32 white_elo; \
                       optional int32 black_elo; required int32 plies; required binary root (STRING); "
            .to_owned();
    columns += &table::list_of("moves", "binary", " (STRING)");
    columns += &table::list_of("san", "binary", " (STRING)");
    columns
        + "required binary method (STRING); optional binary delivered_by (STRING); optional double surprise; \
               optional int32 centipawns; required int64 seed; required int64 index; "
}

/// The rows of a row group, as columns.
#[derive(Default)]
struct Group {
    fen: Texts,
    constraint: Texts,
    elos: [Vec<Option<i32>>; 2],
    plies: Vec<i32>,
    root: Texts,
    games: [Lists<Texts>; 2],
    method: Texts,
    delivered_by: Vec<Option<Delivery>>,
    surprise: Vec<Option<f64>>,
    centipawns: Vec<Option<i32>>,
    seed: Vec<i64>,
    index: Vec<i64>,
}

impl Group {
    fn push(&mut self, position: &Position) {
        self.fen.push(&position.fen);
        self.constraint.push(&position.constraint);
        for (column, elo) in self.elos.iter_mut().zip([position.white_elo, position.black_elo]) {
            column.push(elo.map(i32::from));
        }
        self.plies.push(position.plies as i32);
        self.root.push(&position.root);
        for (column, moves) in self.games.iter_mut().zip([&position.moves, &position.san]) {
            moves.iter().for_each(|text| column.values.push(text));
            column.close(moves.len());
        }
        self.method.push(&position.method);
        self.delivered_by.push(position.delivered_by);
        self.surprise.push(position.surprise);
        self.centipawns.push(position.centipawns);
        // Seeds have 31 bits, and indices are smaller than the largest data set.
        self.seed.push(position.seed as i64);
        self.index.push(position.index as i64);
    }

    fn write(self, writer: &mut SerializedFileWriter<impl Write + Send>) -> Result<()> {
        let mut group = writer.next_row_group()?;
        for texts in [self.fen, self.constraint] {
            write_column::<ByteArrayType>(&mut group, &texts.values(), None, None)?;
        }
        for elos in &self.elos {
            write_optional::<Int32Type>(&mut group, elos)?;
        }
        write_column::<Int32Type>(&mut group, &self.plies, None, None)?;
        write_column::<ByteArrayType>(&mut group, &self.root.values(), None, None)?;
        for lists in self.games {
            let (texts, present, continued) = lists.into_parts();
            write_column::<ByteArrayType>(&mut group, &texts.values(), Some(&present), Some(&continued))?;
        }
        write_column::<ByteArrayType>(&mut group, &self.method.values(), None, None)?;
        let word = |delivery: &Option<Delivery>| delivery.map(|delivery| ByteArray::from(delivery.word()));
        let delivered_by: Vec<Option<ByteArray>> = self.delivered_by.iter().map(word).collect();
        write_optional::<ByteArrayType>(&mut group, &delivered_by)?;
        write_optional::<DoubleType>(&mut group, &self.surprise)?;
        write_optional::<Int32Type>(&mut group, &self.centipawns)?;
        write_column::<Int64Type>(&mut group, &self.seed, None, None)?;
        write_column::<Int64Type>(&mut group, &self.index, None, None)?;
        group.close()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use parquet::{
        file::reader::{FileReader as _, SerializedFileReader},
        record::Field,
    };

    use super::*;

    fn position(number: u32) -> Position {
        let moves: Vec<String> =
            ["g1f3", "b8c6"].into_iter().take(number as usize % 3).map(str::to_owned).collect();
        let has_policy = number % 2 == 1;
        Position {
            fen: format!("fen {number}"),
            constraint: "Q=0 & q=0".to_owned(),
            white_elo: has_policy.then_some(1500),
            black_elo: None,
            plies: moves.len() as u32,
            root: "root".to_owned(),
            san: moves.clone(),
            moves,
            method: "goal-policy".to_owned(),
            delivered_by: has_policy.then_some(Delivery::Natural),
            surprise: has_policy.then_some(1.25),
            centipawns: has_policy.then_some(-30),
            seed: 7,
            index: u64::from(number),
        }
    }

    fn value(field: &Field) -> serde_json::Value {
        match field {
            Field::Null => serde_json::Value::Null,
            Field::Str(text) => text.as_str().into(),
            Field::Int(number) => (*number).into(),
            Field::Long(number) => (*number).into(),
            Field::Double(number) => (*number).into(),
            Field::ListInternal(list) => list.elements().iter().map(value).collect(),
            other => panic!("{other:?}"),
        }
    }

    fn table(rows: u32) -> Vec<u8> {
        let mut table = Table::begin(Vec::new(), 4).unwrap();
        (0..rows).for_each(|number| table.write(&position(number)).unwrap());
        table.finish().unwrap()
    }

    #[test]
    fn a_parquet_reader_finds_the_same_columns_and_values_as_in_the_lines() {
        let path = tempfile::NamedTempFile::new().unwrap();
        for (rows, groups) in [(0, vec![]), (3, vec![3]), (8, vec![4, 4]), (9, vec![4, 4, 1])] {
            std::fs::write(path.path(), table(rows)).unwrap();
            let reader = SerializedFileReader::new(path.reopen().unwrap()).unwrap();
            let sizes: Vec<i64> =
                reader.metadata().row_groups().iter().map(|group| group.num_rows()).collect();
            assert_eq!(sizes, groups);
            for (number, row) in (0..).zip(reader.get_row_iter(None).unwrap()) {
                let line = serde_json::to_value(position(number)).unwrap();
                let row = row.unwrap();
                let names: Vec<String> = row.get_column_iter().map(|(name, _)| name.clone()).collect();
                assert_eq!(names.len(), line.as_object().unwrap().len());
                for (name, field) in row.get_column_iter() {
                    assert_eq!(value(field), line[name], "{name} of {number}");
                }
            }
        }
    }

    #[test]
    fn the_same_rows_give_the_same_bytes() {
        assert!(table(9) == table(9));
    }
}
