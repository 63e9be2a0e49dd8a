//! `difference`: the tokens of two pages in, the runs that they have in common out; of many pairs of
//! pages `term_differences`, how much differs, `equal_words`, how much is equal, and `lost_words`, how
//! many words the other page lacks.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch};
use arrow_data::ArrayData;
use arrow_pyarrow::PyArrowType;
use pyo3::prelude::*;

use crate::border::arrays::{ArrayIn, numbers, unsigned, values};
use crate::border::errors::BorderError;
use crate::border::threads::threads_of;
use crate::differences::difference::{Run, difference as runs_of};
use crate::differences::equal_words::of_pairs;
use crate::differences::lost_words::lost_words as words_lost;
use crate::differences::term_difference::{Difference, Differences, differences};
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
    let pairs = places(sets, &left, &right)?;
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

#[pyfunction]
pub fn equal_words(
    py: Python<'_>,
    terms: (ArrayIn, ArrayIn, ArrayIn),
    left: ArrayIn,
    right: ArrayIn,
    threads: usize,
) -> PyResult<PyArrowType<RecordBatch>> {
    let (all, starts, ends) = (values(&terms.0)?, values(&terms.1)?, values(&terms.2)?);
    let sets = Sets { values: unsigned(&all), starts: &starts, ends: &ends };
    let pairs = places(sets, &left, &right)?;
    let pool = threads_of(threads)?;
    let found = py.detach(|| pool.install(|| of_pairs(sets, &pairs)));
    let shares: Float64Array = found.iter().map(|each| each.map(|(share, _)| share)).collect();
    let exact: BooleanArray = found.iter().map(|each| each.map(|(_, exact)| exact)).collect();
    let columns: [(&str, ArrayRef); 2] = [("share", Arc::new(shares)), ("exact", Arc::new(exact))];
    Ok(PyArrowType(RecordBatch::try_from_iter(columns).map_err(BorderError::from)?))
}

/// How many words of the pages on the left those on the right lack.
#[pyfunction]
pub fn lost_words(
    py: Python<'_>,
    words: (ArrayIn, ArrayIn, ArrayIn),
    left: ArrayIn,
    right: ArrayIn,
    threads: usize,
) -> PyResult<PyArrowType<ArrayData>> {
    let (all, starts, ends) = (values(&words.0)?, values(&words.1)?, values(&words.2)?);
    let sets = Sets { values: unsigned(&all), starts: &starts, ends: &ends };
    let pairs = places(sets, &left, &right)?;
    let pool = threads_of(threads)?;
    let found = py.detach(|| pool.install(|| words_lost(sets, &pairs)));
    let counts: Int64Array = found.into_iter().map(|each| each.map(|count| count as i64)).collect();
    Ok(PyArrowType(counts.into_data()))
}

/// Pairs of places among the pages whose terms these are.
fn places(sets: Sets<'_>, left: &ArrayIn, right: &ArrayIn) -> PyResult<Vec<(usize, usize)>> {
    let pairs: Vec<(usize, usize)> = numbers(left)?
        .into_iter()
        .zip(numbers(right)?)
        .map(|(left, right)| (left as usize, right as usize))
        .collect();
    if !sets.are_valid() || pairs.iter().any(|&(l, r)| l.max(r) >= sets.starts.len()) {
        return Err(BorderError::BadValue("terms of pages that are not there".into()).into());
    }
    Ok(pairs)
}
