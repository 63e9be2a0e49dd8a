//! `Repeats` and `Rows`: lists of supershingles in, what can agree held back for the forest.

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, BooleanArray, make_array};
use arrow_buffer::{BooleanBufferBuilder, ScalarBuffer};
use arrow_pyarrow::PyArrowType;
use pyo3::prelude::*;

use crate::border::arrays::{ArrayIn, ArrayOut, numbers, unsigned};
use crate::border::errors::{BorderError, Result};
use crate::border::threads::{Threads, threads_of};
use crate::fingerprints::mixing::mix;
use crate::groups::agreement::SupershingleRows;
use crate::groups::repeated_values::Repeats;

#[pyclass(name = "Repeats")]
pub struct PyRepeats {
    repeats: Repeats,
    width: usize,
    pool: Threads,
}

#[pymethods]
impl PyRepeats {
    #[new]
    fn new(width: usize, bytes: usize, threads: usize) -> PyResult<PyRepeats> {
        Ok(PyRepeats { repeats: Repeats::new(width, bytes)?, width, pool: threads_of(threads)? })
    }

    /// Takes in the lists of the wanted pages.
    fn add(
        &mut self,
        py: Python<'_>,
        pages: ArrayIn,
        lists: ArrayIn,
        wanted: ArrayIn,
    ) -> PyResult<()> {
        let (_, values) = listed(&pages, &lists, &wanted, self.width)?;
        self.pool.run(py, || self.repeats.add(unsigned(&values)))?;
        Ok(())
    }
}

#[pyclass(name = "Rows")]
pub struct PyRows {
    pub rows: SupershingleRows,
    /// How many rows there is room for, and how many there were.
    room: usize,
    seen: usize,
    /// The pages that the rows are of.
    pages: BooleanBufferBuilder,
}

#[pymethods]
impl PyRows {
    #[new]
    fn new(width: usize, pages: usize, room: usize) -> PyRows {
        let mut all = BooleanBufferBuilder::new(pages);
        all.append_n(pages, false);
        PyRows { rows: SupershingleRows::new(width), room, seen: 0, pages: all }
    }

    /// Takes in the wanted pages, with `repeats` those of which at least `least` supershingles do.
    #[pyo3(signature = (pages, lists, wanted, repeats=None, least=0))]
    fn add(
        &mut self,
        py: Python<'_>,
        pages: ArrayIn,
        lists: ArrayIn,
        wanted: ArrayIn,
        repeats: Option<&PyRepeats>,
        least: u8,
    ) -> PyResult<()> {
        let width = self.rows.width();
        let (pages, values) = listed(&pages, &lists, &wanted, width)?;
        if repeats.is_some_and(|repeats| repeats.width != width)
            || pages.iter().any(|&page| page as usize >= self.pages.len())
        {
            return Err(BorderError::BadValue(format!("rows of other than {width} values")).into());
        }
        py.detach(|| {
            let values = unsigned(&values);
            let counts = repeats.map(|here| here.pool.install(|| here.repeats.count(values)));
            for (row, (&page, values)) in pages.iter().zip(values.chunks_exact(width)).enumerate() {
                if counts.as_ref().is_none_or(|counts| counts[row] >= least) {
                    self.pages.set_bit(page as usize, true);
                    self.push(page, values);
                }
            }
        });
        Ok(())
    }

    /// Takes in the wanted pages whose supershingle `first`, of so many classes, is of this one.
    fn add_class(
        &mut self,
        py: Python<'_>,
        pages: ArrayIn,
        lists: ArrayIn,
        wanted: ArrayIn,
        chosen: (usize, u64, u64),
    ) -> PyResult<()> {
        let (first, classes, class) = chosen;
        let width = self.rows.width();
        let (pages, values) = listed(&pages, &lists, &wanted, width)?;
        if first >= width || classes == 0 {
            return Err(BorderError::BadValue(format!("value {first} of {width}")).into());
        }
        py.detach(|| {
            for (&page, row) in pages.iter().zip(unsigned(&values).chunks_exact(width)) {
                if mix(row[first]) % classes == class {
                    self.push(page, row);
                }
            }
        });
        Ok(())
    }

    /// How many rows there were.
    #[getter]
    fn seen(&self) -> usize {
        self.seen
    }

    /// Whether there was room for all.
    #[getter]
    fn complete(&self) -> bool {
        self.seen <= self.room
    }

    /// For every page whether a row is of it, there being room or not.
    fn pages(&self) -> ArrayOut {
        PyArrowType(BooleanArray::from(self.pages.finish_cloned()).to_data())
    }
}

impl PyRows {
    /// Holds a row, or none any more once there are too many.
    fn push(&mut self, page: u32, row: &[u64]) {
        self.seen += 1;
        if self.seen <= self.room {
            self.rows.push(page, row);
        } else if !self.rows.is_empty() {
            self.rows = SupershingleRows::new(self.rows.width());
        }
    }
}

/// The wanted pages that have a list, and their values one after the other.
fn listed(
    pages: &ArrayIn,
    lists: &ArrayIn,
    wanted: &ArrayIn,
    width: usize,
) -> Result<(Vec<u32>, ScalarBuffer<i64>)> {
    let mut pages = numbers(pages)?;
    let (lists, wanted) = (make_array(lists.0.clone()), make_array(wanted.0.clone()));
    let bad = |what, array: &dyn Array| BorderError::BadType(what, array.data_type().clone());
    let lists = lists.as_list_opt::<i32>().ok_or_else(|| bad("lists", &lists))?;
    let values = lists.values();
    let values = values
        .as_primitive_opt::<Int64Type>()
        .filter(|values| values.null_count() == 0)
        .ok_or_else(|| bad("lists", lists))?
        .values();
    let wanted = wanted.as_boolean_opt().ok_or_else(|| bad("wanted", &wanted))?.values();
    if pages.len() != lists.len() || pages.iter().any(|&page| page as usize >= wanted.len()) {
        let text = format!("{} lists for pages among {}", lists.len(), wanted.len());
        return Err(BorderError::BadValue(text));
    }
    let offsets = lists.value_offsets();
    let here = |row: usize| lists.is_valid(row) && wanted.value(pages[row] as usize);
    let rows: Vec<usize> = (0..pages.len()).filter(|&row| here(row)).collect();
    if let Some(&row) =
        rows.iter().find(|&&row| (offsets[row + 1] - offsets[row]) as usize != width)
    {
        let text = format!("page {} has not {width} values", pages[row]);
        return Err(BorderError::BadValue(text));
    }
    if rows.len() == pages.len() {
        let start = offsets[0] as usize;
        return Ok((pages, values.slice(start, rows.len() * width)));
    }
    let some = rows.iter().flat_map(|&row| &values[offsets[row] as usize..][..width]);
    let some = some.copied().collect::<Vec<i64>>();
    pages = rows.into_iter().map(|row| pages[row]).collect();
    Ok((pages, some.into()))
}
