//! `difference`: the tokens of two pages in, the runs that they have in common out; and
//! `term_differences`: those of many pairs of pages in, how much differs out.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch};
use arrow_pyarrow::PyArrowType;
use pyo3::prelude::*;

use crate::border::arrays::{ArrayIn, numbers, unsigned, values};
use crate::border::errors::BorderError;
use crate::border::threads::threads_of;
use crate::pairs::difference::{Run, difference as runs_of};
use crate::pairs::term_difference::{Difference, Differences, differences};
use crate::sketches::shingle_sets::Sets;

#[pyfunction]
pub fn difference(
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

/// What stands for more than was looked for.
const ABOVE: i64 = -1;

#[pyfunction]
pub fn term_differences(
    py: Python<'_>,
    terms: (ArrayIn, ArrayIn, ArrayIn),
    left: ArrayIn,
    right: ArrayIn,
    most: usize,
    threads: usize,
) -> PyResult<PyArrowType<RecordBatch>> {
    let (all, starts, ends) = (values(&terms.0)?, values(&terms.1)?, values(&terms.2)?);
    let sets = Sets { values: unsigned(&all), starts: &starts, ends: &ends };
    let pairs: Vec<(usize, usize)> = numbers(&left)?
        .into_iter()
        .zip(numbers(&right)?)
        .map(|(left, right)| (left as usize, right as usize))
        .collect();
    if !sets.are_valid() || pairs.iter().any(|&(l, r)| l.max(r) >= sets.starts.len()) {
        return Err(BorderError::BadValue("terms of pages that are not there".into()).into());
    }
    let pool = threads_of(threads)?;
    let found = pool.run(py, || differences(sets, &pairs, most))?;
    let column = |of: fn(&Differences) -> Difference| -> ArrayRef {
        let number = |each: &Differences| match of(each) {
            Difference::Changes(count) => count as i64,
            Difference::Above => ABOVE,
        };
        Arc::new(found.iter().map(|each| each.as_ref().map(number)).collect::<Int64Array>())
    };
    let columns = [
        ("term_difference", column(|each| each.terms)),
        ("text_difference", column(|each| each.text)),
    ];
    Ok(PyArrowType(RecordBatch::try_from_iter(columns).map_err(BorderError::from)?))
}
