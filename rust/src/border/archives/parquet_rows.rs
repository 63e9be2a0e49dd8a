//! `ParquetRows`: rows of a Parquet file with their bodies as views.

use std::fs::File;
use std::os::fd::BorrowedFd;
use std::sync::{Mutex, PoisonError};

use arrow_array::RecordBatch;
use arrow_pyarrow::PyArrowType;
use arrow_schema::Schema;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::archives::parquet_footer;
use crate::archives::parquet_rows::ParquetRows;
use crate::border::accidents::without_accident;

/// In a lock because its reader may not be shared; whoever has it alone needs not wait for it.
#[pyclass(name = "ParquetRows")]
pub struct PyParquetRows(Mutex<ParquetRows>);

impl PyParquetRows {
    fn rows(&mut self) -> &mut ParquetRows {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl PyParquetRows {
    #[new]
    fn new(py: Python<'_>, file: i32, columns: Vec<usize>, body: usize) -> PyResult<PyParquetRows> {
        // SAFETY: the caller holds the file open, and here it is only borrowed to be doubled.
        let file = unsafe { BorrowedFd::borrow_raw(file) }.try_clone_to_owned()?.into();
        let rows = in_order(py, || ParquetRows::new(file, columns, body))?;
        Ok(PyParquetRows(Mutex::new(rows)))
    }

    #[getter]
    fn schema(&mut self) -> PyArrowType<Schema> {
        PyArrowType(self.rows().schema())
    }

    fn begin(&mut self, py: Python<'_>, group: usize, step: usize, rows: usize) -> PyResult<()> {
        in_order(py, || self.rows().begin(group, step, rows))
    }

    fn next(
        &mut self,
        py: Python<'_>,
        rows: usize,
        bytes: usize,
    ) -> PyResult<Option<PyArrowType<RecordBatch>>> {
        let taken = in_order(py, || self.rows().next(rows, bytes))?;
        Ok(taken.map(PyArrowType))
    }
}

/// Whether the footer of a file of so many bytes is one that a library can be given.
#[pyfunction]
pub fn is_parquet_footer(py: Python<'_>, footer: &[u8], length: u64) -> bool {
    py.detach(|| parquet_footer::judge(footer, length).is_ok())
}

/// What the headers of pages between two offsets say: bytes of the dictionary, of the largest page,
/// and the values before the first page of more than `most` bytes.
#[pyfunction]
pub fn parquet_pages(
    py: Python<'_>,
    file: i32,
    start: u64,
    end: u64,
    most: u64,
) -> PyResult<(u64, u64, Option<u64>)> {
    // SAFETY: the caller holds the file open, and here it is only borrowed to be doubled.
    let file: File = unsafe { BorrowedFd::borrow_raw(file) }.try_clone_to_owned()?.into();
    let found = py.detach(|| parquet_footer::pages(&file, start, end, most));
    Ok((found.dictionary, found.largest, found.before_over))
}

/// What some work gives, without Python's lock. The reader divides by lengths of pages and trusts
/// their counts: where these are wrong it gives up.
fn in_order<R: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> parquet::errors::Result<R> + Send,
) -> PyResult<R> {
    match py.detach(|| without_accident(work)) {
        Some(found) => found.map_err(|error| PyValueError::new_err(error.to_string())),
        None => Err(PyValueError::new_err("a page of it is not in order")),
    }
}
