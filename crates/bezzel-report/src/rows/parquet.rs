//! Rows as a Parquet file: the columns of the CSV with their types, and nulls where nothing was measured.
//!
//! *Source.* Apache Parquet format, <https://parquet.apache.org/docs/file-format/>.

use std::io::{self, Write};
use std::sync::Arc;

use ::parquet::basic::{LogicalType, Repetition, Type as Physical};
use ::parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use ::parquet::schema::types::{Type, TypePtr};
use bezzel_lab::{ExperimentRecord, Row};

use super::cell::{Cell, Wide, cells};
use super::heads;

/// So many rows are kept in memory at a time, by columns.
const GROUP: usize = 1 << 14;

/// Writes the rows of a record.
///
/// # Errors
///
/// When nothing can be written.
pub fn parquet(record: &ExperimentRecord, out: impl Write + Send) -> io::Result<()> {
    write(record, out).map_err(|error| match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    })
}

fn write(record: &ExperimentRecord, out: impl Write + Send) -> Result<(), ParquetError> {
    let wide = Wide::of(&record.rows);
    let heads = heads(&wide);
    let fields = heads.iter().map(|(name, kind)| field(name, kind));
    let fields = fields.collect::<Result<Vec<_>, _>>()?;
    let schema = Type::group_type_builder("rows").with_fields(fields).build()?;
    let properties = WriterProperties::builder().set_created_by("bezzel".into()).build();
    let mut file = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))?;
    for rows in record.rows.chunks(GROUP) {
        let mut columns: Vec<Column> = heads.iter().map(|(_, kind)| Column::like(kind)).collect();
        for row in rows {
            take(row, &wide, &mut columns);
        }
        let mut group = file.next_row_group()?;
        for column in &columns {
            let mut writer = group.next_column()?.expect("there is a column for each head");
            column.write(&mut writer)?;
            writer.close()?;
        }
        group.close()?;
    }
    file.close()?;
    Ok(())
}

fn field(name: &str, kind: &Cell<'_>) -> Result<TypePtr, ParquetError> {
    let (physical, logical) = match kind {
        Cell::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Cell::Whole(_) => (Physical::INT64, Some(LogicalType::integer(64, false))),
        Cell::Real(_) => (Physical::DOUBLE, None),
        Cell::Flag(_) => (Physical::BOOLEAN, None),
    };
    let builder = Type::primitive_type_builder(name, physical);
    let builder = builder.with_repetition(Repetition::OPTIONAL).with_logical_type(logical);
    Ok(Arc::new(builder.build()?))
}

/// The values of one column, and for each row a 1 if it has one.
struct Column {
    values: Values,
    levels: Vec<i16>,
}

enum Values {
    Text(Vec<ByteArray>),
    Whole(Vec<i64>),
    Real(Vec<f64>),
    Flag(Vec<bool>),
}

impl Column {
    fn like(kind: &Cell<'_>) -> Self {
        let values = match kind {
            Cell::Text(_) => Values::Text(Vec::new()),
            Cell::Whole(_) => Values::Whole(Vec::new()),
            Cell::Real(_) => Values::Real(Vec::new()),
            Cell::Flag(_) => Values::Flag(Vec::new()),
        };
        Self { values, levels: Vec::new() }
    }

    fn push(&mut self, cell: Cell<'_>) {
        let before = self.len();
        match (&mut self.values, cell) {
            (Values::Text(values), Cell::Text(cell)) => {
                values.extend(cell.map(|text| ByteArray::from(text.into_owned().into_bytes())));
            }
            // The bits of a number without sign: the logical type says so.
            (Values::Whole(values), Cell::Whole(cell)) => {
                values.extend(cell.map(u64::cast_signed));
            }
            (Values::Real(values), Cell::Real(cell)) => values.extend(cell),
            (Values::Flag(values), Cell::Flag(cell)) => values.extend(cell),
            _ => unreachable!("a column has one type in all rows"),
        }
        self.levels.push(i16::from(self.len() > before));
    }

    fn len(&self) -> usize {
        match &self.values {
            Values::Text(values) => values.len(),
            Values::Whole(values) => values.len(),
            Values::Real(values) => values.len(),
            Values::Flag(values) => values.len(),
        }
    }

    fn write(&self, writer: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let levels = Some(&*self.levels);
        match &self.values {
            Values::Text(values) => {
                writer.typed::<ByteArrayType>().write_batch(values, levels, None)
            }
            Values::Whole(values) => writer.typed::<Int64Type>().write_batch(values, levels, None),
            Values::Real(values) => writer.typed::<DoubleType>().write_batch(values, levels, None),
            Values::Flag(values) => writer.typed::<BoolType>().write_batch(values, levels, None),
        }?;
        Ok(())
    }
}

fn take(row: &Row, wide: &Wide, columns: &mut [Column]) {
    let mut columns = columns.iter_mut();
    cells(row, wide, &mut |_, cell| {
        if let Some(column) = columns.next() {
            column.push(cell);
        }
    });
}
