//! A row of the output for many positions, as a line of JSON and as a row of Parquet.

use std::io::Write;

use entente::{generation::policy::MoveProbabilities, records::fen};
use entente_search::PortableMath as _;
use parquet::{
    data_type::{ByteArray, ByteArrayType, FloatType, Int32Type, Int64Type},
    errors::Result,
    file::writer::SerializedFileWriter,
};
use serde::Serialize;
use shakmaty::{Move, Position as _};

use super::input::Entry;
use crate::table::{self, Lists, Texts, write_column, write_optional};

/// The number of rows in a row group, which takes some 20 MB while it is written.
const GROUP_ROWS: usize = 20_000;

/// The columns, in the order in which a [`Group`] writes them.
fn columns() -> String {
    let scalars = "required int64 number; optional binary id (STRING); required int32 ply; \
                   required binary fen (STRING); optional int32 white_elo; optional int32 black_elo; ";
    let lists =
        table::list_of("moves", "binary", " (STRING)") + &table::list_of("probabilities", "float", "");
    let rest = "optional binary played (STRING); optional float surprise; optional float win; \
                optional float draw; optional float loss; optional float met; ";
    [scalars, &lists, rest].concat()
}

/// What the policy predicts for a position.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    /// The number of its line or game in the file, from 1.
    number: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// The number of plies played since the game began.
    ply: u32,
    fen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    white_elo: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    black_elo: Option<u16>,
    /// Legal moves in UCI notation, most likely first.
    moves: Vec<String>,
    /// The probability of each of them.
    probabilities: Vec<f32>,
    /// The move that was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<String>,
    /// −ln of the probability of the move that was played, in nats.
    #[serde(skip_serializing_if = "Option::is_none")]
    surprise: Option<f32>,
    /// The probabilities that the mover wins, draws and loses.
    #[serde(skip_serializing_if = "Option::is_none")]
    win: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    draw: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loss: Option<f32>,
    /// The probability that the game satisfies the constraint in time.
    #[serde(skip_serializing_if = "Option::is_none")]
    met: Option<f32>,
}

/// What a network predicts besides moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Predicted {
    /// Whether it predicts results.
    pub results: bool,
    /// Whether it was asked about a constraint.
    pub goal: bool,
}

impl Row {
    /// The row of a position. At most `count` moves are listed; 0: all.
    pub(super) fn new(entry: &Entry, answer: &MoveProbabilities, predicted: Predicted, count: usize) -> Row {
        let MoveProbabilities { moves, probabilities, prediction } = answer;
        let uci = |m: Move| m.to_uci(entry.game.position().castles().mode()).to_string();
        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.sort_by(|a, b| probabilities[*b].total_cmp(&probabilities[*a]));
        let played = entry.played.and_then(|played| moves.iter().position(|m| *m == played));
        if count > 0 {
            order.truncate(count);
        }
        let result = predicted.results.then_some(prediction.result);
        Row {
            number: entry.number,
            id: entry.id.clone(),
            ply: entry.game.age(),
            fen: fen(entry.game.position()).to_string(),
            white_elo: entry.ratings[0],
            black_elo: entry.ratings[1],
            moves: order.iter().map(|place| uci(moves[*place])).collect(),
            probabilities: order.iter().map(|place| probabilities[*place]).collect(),
            played: entry.played.map(uci),
            surprise: played.map(|place| -probabilities[place].max(f32::MIN_POSITIVE).portable_ln()),
            win: result.map(|[win, _, _]| win),
            draw: result.map(|[_, draw, _]| draw),
            loss: result.map(|[_, _, loss]| loss),
            met: predicted.goal.then_some(prediction.value),
        }
    }

    /// −ln of the probability of the move that was played.
    pub(super) fn surprise(&self) -> Option<f32> {
        self.surprise
    }
}

/// A table of rows that is being written.
pub(super) struct Table<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    rows: Vec<Row>,
}

impl<W: Write + Send> Table<W> {
    /// Starts a table.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn begin(sink: W) -> Result<Table<W>> {
        Ok(Table { writer: table::begin(sink, "policy", &columns(), table::CREATED_BY)?, rows: Vec::new() })
    }

    /// Adds a row.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(&mut self, row: Row) -> Result<()> {
        self.rows.push(row);
        if self.rows.len() == GROUP_ROWS { self.write_group() } else { Ok(()) }
    }

    /// Writes the last row group, and returns the finished file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn finish(mut self) -> Result<W> {
        if !self.rows.is_empty() {
            self.write_group()?;
        }
        self.writer.into_inner()
    }

    fn write_group(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.rows);
        let mut group = self.writer.next_row_group()?;
        let optional_text = |text: &Option<String>| text.as_deref().map(ByteArray::from);
        let elo = |elo: Option<u16>| elo.map(i32::from);
        let numbers: Vec<i64> = rows.iter().map(|row| row.number as i64).collect();
        write_column::<Int64Type>(&mut group, &numbers, None, None)?;
        let ids: Vec<Option<ByteArray>> = rows.iter().map(|row| optional_text(&row.id)).collect();
        write_optional::<ByteArrayType>(&mut group, &ids)?;
        let plies: Vec<i32> = rows.iter().map(|row| row.ply as i32).collect();
        write_column::<Int32Type>(&mut group, &plies, None, None)?;
        let mut fens = Texts::default();
        rows.iter().for_each(|row| fens.push(&row.fen));
        write_column::<ByteArrayType>(&mut group, &fens.values(), None, None)?;
        for column in [|row: &Row| row.white_elo, |row: &Row| row.black_elo] {
            let elos: Vec<Option<i32>> = rows.iter().map(|row| elo(column(row))).collect();
            write_optional::<Int32Type>(&mut group, &elos)?;
        }
        let (mut moves, mut probabilities) = (Lists::<Texts>::default(), Lists::<Vec<f32>>::default());
        for row in &rows {
            row.moves.iter().for_each(|m| moves.values.push(m));
            moves.close(row.moves.len());
            probabilities.values.extend(&row.probabilities);
            probabilities.close(row.probabilities.len());
        }
        let (moves, present, continued) = moves.into_parts();
        write_column::<ByteArrayType>(&mut group, &moves.values(), Some(&present), Some(&continued))?;
        let (probabilities, present, continued) = probabilities.into_parts();
        write_column::<FloatType>(&mut group, &probabilities, Some(&present), Some(&continued))?;
        let played: Vec<Option<ByteArray>> = rows.iter().map(|row| optional_text(&row.played)).collect();
        write_optional::<ByteArrayType>(&mut group, &played)?;
        let numbers: [fn(&Row) -> Option<f32>; 5] =
            [|row| row.surprise, |row| row.win, |row| row.draw, |row| row.loss, |row| row.met];
        for column in numbers {
            let numbers: Vec<Option<f32>> = rows.iter().map(column).collect();
            write_optional::<FloatType>(&mut group, &numbers)?;
        }
        group.close()?;
        Ok(())
    }
}
