//! Features of pages in, how many two have in common out.

use arrow_array::{Array, Int32Array};
use arrow_pyarrow::PyArrowType;
use pyo3::prelude::*;

use crate::border::arrays::{ArrayIn, ArrayOut, numbers, one_each, unsigned, values};
use crate::border::errors::BorderError;
use crate::border::threads::threads_of;
use crate::pairs::features_in_common::{FeatureRows, in_common};

/// For each row on the left and the row on the right beside it, how many features agree.
#[pyfunction]
#[pyo3(signature = (left, right, left_rows, right_rows, m, threads))]
pub fn features_in_common(
    py: Python<'_>,
    left: ArrayIn,
    right: ArrayIn,
    left_rows: ArrayIn,
    right_rows: ArrayIn,
    m: usize,
    threads: usize,
) -> PyResult<ArrayOut> {
    let pool = threads_of(threads)?;
    let (left, right) = (values(&left)?, values(&right)?);
    let rows = numbers(&left_rows)?;
    let others = one_each(&right_rows, rows.len())?;
    let pairs: Vec<(u32, u32)> = rows.into_iter().zip(others).collect();
    let wrong = || BorderError::BadValue(format!("rows of {m} features that are not there"));
    let left = FeatureRows::new(unsigned(&left), m).ok_or_else(wrong)?;
    let right = FeatureRows::new(unsigned(&right), m).ok_or_else(wrong)?;
    let found = pool.run(py, || in_common(left, right, &pairs))?.ok_or_else(wrong)?;
    Ok(PyArrowType(Int32Array::from(found).to_data()))
}
