//! `difference`: the tokens of two pages in, the runs that they have in common out.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch};
use arrow_pyarrow::PyArrowType;
use pyo3::prelude::*;

use super::arrays::{unsigned, values};
use super::{ArrayIn, BorderError};
use crate::difference::{Run, difference as runs_of};

#[pyfunction]
pub(super) fn difference(
    py: Python<'_>,
    left: ArrayIn,
    right: ArrayIn,
) -> PyResult<PyArrowType<RecordBatch>> {
    let (left, right) = (values(&left)?, values(&right)?);
    let runs = py.detach(|| runs_of(unsigned(&left), unsigned(&right)));
    let column = |value: fn(&Run) -> usize| -> ArrayRef {
        Arc::new(runs.iter().map(|run| value(run) as i64).collect::<Int64Array>())
    };
    let columns = [
        ("left", column(|run| run.left)),
        ("right", column(|run| run.right)),
        ("length", column(|run| run.length)),
    ];
    Ok(PyArrowType(RecordBatch::try_from_iter(columns).map_err(BorderError::from)?))
}
