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
        let rows = py.detach(|| ParquetRows::new(file, columns, body)).map_err(refused)?;
        Ok(PyParquetRows(Mutex::new(rows)))
    }

    #[getter]
    fn schema(&mut self) -> PyArrowType<Schema> {
        PyArrowType(self.rows().schema())
    }

    fn begin(&mut self, py: Python<'_>, group: usize, step: usize, rows: usize) -> PyResult<()> {
        py.detach(|| self.rows().begin(group, step, rows)).map_err(refused)
    }

    fn next(
        &mut self,
        py: Python<'_>,
        rows: usize,
        bytes: usize,
    ) -> PyResult<Option<PyArrowType<RecordBatch>>> {
        let taken = py.detach(|| self.rows().next(rows, bytes)).map_err(refused)?;
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

fn refused(error: parquet::errors::ParquetError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
