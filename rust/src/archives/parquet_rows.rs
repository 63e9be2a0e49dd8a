//! Rows of a Parquet file whose long texts stay where they were unpacked.
//!
//! The bodies come as views into the pages of the file, so that no byte of them is copied.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::unix::fs::FileExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

/// Some columns of a file, row group after row group.
pub struct ParquetRows {
    file: Shared,
    known: ArrowReaderMetadata,
    columns: Vec<usize>,
    /// Which of the columns has the bodies.
    body: usize,
    group: Option<ParquetRecordBatchReader>,
}

impl ParquetRows {
    /// `columns` are the numbers of those to read, ascending, `body` that of the one that is had as
    /// views.
    pub fn new(file: File, columns: Vec<usize>, body: usize) -> Result<ParquetRows> {
        let file = Shared(Arc::new(file));
        let known = careful(|| {
            let found = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new())?;
            let options = ArrowReaderOptions::new().with_schema(with_views(found.schema(), body));
            ArrowReaderMetadata::try_new(found.metadata().clone(), options)
        })?;
        let body = columns.binary_search(&body).ok();
        match body.filter(|_| columns.iter().all(|&each| each < known.schema().fields().len())) {
            Some(body) => Ok(ParquetRows { file, known, columns, body, group: None }),
            None => Err(ParquetError::General("the file has other columns".into())),
        }
    }

    /// The columns as they will come.
    pub fn schema(&self) -> Schema {
        let fields = self.known.schema().fields();
        Schema::new(self.columns.iter().map(|&each| fields[each].clone()).collect::<Vec<_>>())
    }

    /// Goes to a row group, of which `step` rows are unpacked at a time, `rows` at the most.
    pub fn begin(&mut self, group: usize, step: usize, rows: usize) -> Result<()> {
        self.group = None;
        let mask = ProjectionMask::roots(self.known.parquet_schema(), self.columns.iter().copied());
        let (file, known) = (self.file.clone(), self.known.clone());
        let reader = careful(|| {
            ParquetRecordBatchReaderBuilder::new_with_metadata(file, known)
                .with_projection(mask)
                .with_row_groups(vec![group])
                .with_batch_size(step)
                .with_limit(rows)
                .build()
        })?;
        self.group = Some(reader);
        Ok(())
    }

    /// The next rows of the group: so many, or as many whole steps as it takes for so many bytes;
    /// none at its end, and none after what is not in order.
    pub fn next(&mut self, rows: usize, bytes: usize) -> Result<Option<RecordBatch>> {
        let Some(mut reader) = self.group.take() else { return Ok(None) };
        let taken = careful(|| {
            let mut steps: Vec<RecordBatch> = Vec::new();
            let (mut count, mut length) = (0, 0);
            while count < rows && length < bytes {
                let Some(step) = reader.next().transpose()? else { break };
                count += step.num_rows();
                length += row_bytes(&step, self.body);
                steps.push(step);
            }
            let Some(first) = steps.first() else { return Ok(None) };
            Ok(Some(concat_batches(&first.schema(), &steps)?))
        })?;
        if taken.is_some() {
            self.group = Some(reader);
        }
        Ok(taken)
    }
}

/// The file may be anything; what the library makes of it must not end the process.
fn careful<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    let broken = |_| Err(ParquetError::General("the file is broken".into()));
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(broken)
}

fn with_views(schema: &SchemaRef, body: usize) -> SchemaRef {
    let view = |(at, field): (usize, &FieldRef)| {
        let kind = field.data_type();
        let kind = if at == body { as_view(kind) } else { kind.clone() };
        field.as_ref().clone().with_data_type(kind)
    };
    let fields: Vec<Field> = schema.fields().iter().enumerate().map(view).collect();
    Schema::new_with_metadata(fields, schema.metadata().clone()).into()
}

fn as_view(kind: &DataType) -> DataType {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 => DataType::Utf8View,
        DataType::Binary | DataType::LargeBinary => DataType::BinaryView,
        DataType::Dictionary(_, value) => as_view(value),
        other => other.clone(),
    }
}

/// The bytes of rows: of their bodies, which are views, those that they show.
fn row_bytes(rows: &RecordBatch, body: usize) -> usize {
    let of_column = |(at, column): (usize, &ArrayRef)| match column.data_type() {
        DataType::Utf8View if at == body => {
            column.as_string_view().lengths().map(|length| length as usize).sum()
        }
        DataType::BinaryView if at == body => {
            column.as_binary_view().lengths().map(|length| length as usize).sum()
        }
        _ => column.get_buffer_memory_size(),
    };
    rows.columns().iter().enumerate().map(of_column).sum()
}

/// A file that is read by place, since whoever gave it reads it too, and its cursor is one for all.
#[derive(Clone)]
struct Shared(Arc<File>);

impl Length for Shared {
    fn len(&self) -> u64 {
        self.0.metadata().map_or(0, |known| known.len())
    }
}

impl ChunkReader for Shared {
    type T = BufReader<From>;

    fn get_read(&self, start: u64) -> Result<BufReader<From>> {
        Ok(BufReader::new(From { file: self.0.clone(), at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let mut bytes = Vec::new();
        let from = From { file: self.0.clone(), at: start };
        if from.take(length as u64).read_to_end(&mut bytes)? < length {
            return Err(ParquetError::EOF(format!("{length} bytes from {start} on are not there")));
        }
        Ok(bytes.into())
    }
}

/// A file from a place on.
struct From {
    file: Arc<File>,
    at: u64,
}

impl Read for From {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read_at(into, self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{Int64Array, StringArray};
    use parquet::arrow::ArrowWriter;

    fn file(texts: Vec<Option<&str>>) -> File {
        let numbers: ArrayRef = Arc::new((0..texts.len() as i64).collect::<Int64Array>());
        let texts: ArrayRef = Arc::new(StringArray::from(texts));
        let rows = RecordBatch::try_from_iter([("id", numbers), ("text", texts)]).unwrap();
        let file = tempfile::tempfile().unwrap();
        let mut writer = ArrowWriter::try_new(&file, rows.schema(), None).unwrap();
        writer.write(&rows).unwrap();
        writer.close().unwrap();
        file
    }

    #[test]
    fn bodies_are_views_and_come_step_by_step() {
        let long = "longer than a view holds by itself";
        let texts = vec![Some("a"), None, Some(long), Some(""), Some("e")];
        let mut rows = ParquetRows::new(file(texts.clone()), vec![0, 1], 1).unwrap();
        assert_eq!(rows.schema().field(1).data_type(), &DataType::Utf8View);
        rows.begin(0, 2, 100).unwrap();
        let (mut found, mut counts) = (Vec::new(), Vec::new());
        // As many steps of two rows as reach 40 bytes, numbers and all.
        while let Some(some) = rows.next(100, 40).unwrap() {
            counts.push(some.num_rows());
            let texts = some.column(1).as_string_view().iter();
            found.extend(texts.map(|text| text.map(str::to_owned)));
        }
        assert_eq!(counts, [4, 1]);
        assert_eq!(found, texts.iter().map(|text| text.map(str::to_owned)).collect::<Vec<_>>());
        assert!(rows.next(100, 10).unwrap().is_none());
    }

    #[test]
    fn what_is_no_such_file_is_refused() {
        assert!(ParquetRows::new(file(vec![Some("a")]), vec![1, 2], 1).is_err());
        assert!(ParquetRows::new(file(vec![Some("a")]), vec![0], 1).is_err());
        assert!(ParquetRows::new(tempfile::tempfile().unwrap(), vec![0], 0).is_err());
        let mut rows = ParquetRows::new(file(vec![Some("a")]), vec![1], 1).unwrap();
        assert!(rows.begin(7, 128, 100).is_err());
        assert!(rows.next(1, 1).unwrap().is_none());
    }
}
