//! `ParquetRows`: rows of a Parquet file whose long texts stay where they were unpacked.
//!
//! The bodies come as views into the pages of the file, so that no byte of them is copied.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Mutex;

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use arrow_pyarrow::PyArrowType;
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Some columns of a file, row group after row group. It raises `ValueError` at whatever is not in
/// order, and goes on no further.
#[pyclass(frozen, name = "ParquetRows")]
pub(super) struct ParquetRows {
    file: File,
    known: ArrowReaderMetadata,
    mask: ProjectionMask,
    body: usize,
    group: Mutex<Option<ParquetRecordBatchReader>>,
}

#[pymethods]
impl ParquetRows {
    /// `columns` are the numbers of those to read, `body` that of the one that is had as views.
    #[new]
    fn new(path: PathBuf, columns: Vec<usize>, body: usize) -> PyResult<ParquetRows> {
        let file = File::open(path)?;
        let told = careful(|| {
            let found = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new())?;
            let schema = with_views(found.schema(), body);
            let options = ArrowReaderOptions::new().with_schema(schema);
            let known = ArrowReaderMetadata::try_new(found.metadata().clone(), options)?;
            let mask = ProjectionMask::roots(known.parquet_schema(), columns.iter().copied());
            Ok((known, mask))
        });
        let (known, mask) = told?;
        let body = columns.iter().filter(|&&column| column < body).count();
        Ok(ParquetRows { file, known, mask, body, group: Mutex::new(None) })
    }

    /// The columns as they will come.
    #[getter]
    fn schema(&self) -> PyResult<PyArrowType<Schema>> {
        let leaves = self.known.schema().fields().iter().enumerate();
        let chosen = leaves.filter(|&(root, _)| self.reads(root)).map(|(_, field)| field.clone());
        Ok(PyArrowType(Schema::new(chosen.collect::<Vec<_>>())))
    }

    /// Goes to a row group, of which `step` rows are unpacked at a time.
    fn begin(&self, py: Python<'_>, group: usize, step: usize) -> PyResult<()> {
        py.detach(|| {
            let reader = careful(|| {
                let file = self.file.try_clone()?;
                ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.known.clone())
                    .with_projection(self.mask.clone())
                    .with_row_groups(vec![group])
                    .with_batch_size(step)
                    .build()
            })?;
            *self.lock()? = Some(reader);
            Ok(())
        })
    }

    /// The next rows of the group: so many, or as many whole steps as it takes for so many bytes of
    /// bodies; none at its end.
    fn next(
        &self,
        py: Python<'_>,
        rows: usize,
        bytes: usize,
    ) -> PyResult<Option<PyArrowType<RecordBatch>>> {
        py.detach(|| {
            let mut group = self.lock()?;
            let Some(reader) = group.as_mut() else { return Ok(None) };
            let taken = careful(|| {
                let mut steps: Vec<RecordBatch> = Vec::new();
                let (mut count, mut length) = (0, 0);
                while count < rows && length < bytes {
                    let Some(step) = reader.next().transpose()? else { break };
                    count += step.num_rows();
                    length += body_bytes(&step, self.body);
                    steps.push(step);
                }
                let Some(first) = steps.first() else { return Ok(None) };
                Ok(Some(concat_batches(&first.schema(), &steps)?))
            });
            // What broke is not to be read on from.
            if !matches!(taken, Ok(Some(_))) {
                *group = None;
            }
            Ok(taken?.map(PyArrowType))
        })
    }
}

impl ParquetRows {
    fn reads(&self, root: usize) -> bool {
        let schema = self.known.parquet_schema();
        (0..schema.num_columns())
            .any(|leaf| schema.get_column_root_idx(leaf) == root && self.mask.leaf_included(leaf))
    }

    fn lock(&self) -> PyResult<std::sync::MutexGuard<'_, Option<ParquetRecordBatchReader>>> {
        self.group.lock().map_err(|_| PyValueError::new_err("another thread failed on this file"))
    }
}

/// The file may be anything; what the library makes of it must not end the process.
fn careful<T>(work: impl FnOnce() -> parquet::errors::Result<T>) -> PyResult<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => done.map_err(|error| PyValueError::new_err(error.to_string())),
        Err(_) => Err(PyValueError::new_err("the file is broken")),
    }
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

fn body_bytes(rows: &RecordBatch, body: usize) -> usize {
    let body = rows.column(body);
    match body.data_type() {
        DataType::Utf8View => body.as_string_view().lengths().map(|length| length as usize).sum(),
        DataType::BinaryView => body.as_binary_view().lengths().map(|length| length as usize).sum(),
        _ => body.get_buffer_memory_size(),
    }
}
