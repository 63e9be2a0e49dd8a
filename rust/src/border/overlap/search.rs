//! `ChunkPostings` and `Overlaps`: chunks of units in, pairs that share enough of them out.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch};
use arrow_pyarrow::PyArrowType;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::chunks::{Chunks, ROWS, check_bits, check_units, closed, groups_of, shortened};
use crate::border::arrays::{ArrayIn, ArrayOut, numbers};
use crate::border::errors::{BorderError, Result};
use crate::border::threads::{Threads, threads_of};
use crate::overlap::coarse::Filtered;
use crate::overlap::lists::Sides;
use crate::overlap::postings::Postings;
use crate::overlap::search::{Method, Search};
use crate::overlap::sorted::Overlap;

/// The chunks of units, while they come.
#[pyclass(name = "ChunkPostings")]
pub struct PyChunkPostings {
    postings: Option<Postings>,
    units: u32,
    bits: u32,
}

#[pymethods]
impl PyChunkPostings {
    #[new]
    fn new(units: u32, bits: u32, room: usize, folder: PathBuf) -> PyResult<PyChunkPostings> {
        let postings = Some(Postings::new(room, &folder));
        Ok(PyChunkPostings { postings, units, bits: check_bits(bits)? })
    }

    /// Takes in chunks of units, of which each may come several times.
    #[pyo3(signature = (units, chunks, groups=None))]
    fn add(
        &mut self,
        py: Python<'_>,
        units: ArrayIn,
        chunks: ArrayIn,
        groups: Option<ArrayIn>,
    ) -> PyResult<()> {
        let units = numbers(&units)?;
        check_units(&units, self.units)?;
        let chunks = Chunks::of(&chunks, units.len())?;
        let groups = groups_of(groups, units.len())?;
        let (bits, Some(postings)) = (self.bits, &mut self.postings) else {
            return Err(closed().into());
        };
        py.detach(|| -> std::io::Result<()> {
            let mut own = Vec::new();
            for (row, (&unit, &group)) in units.iter().zip(&groups).enumerate() {
                own.clear();
                own.extend(chunks.at(row).iter().map(|&chunk| shortened(chunk, bits, group)));
                own.sort_unstable();
                own.dedup();
                postings.add(unit, own.iter().copied())?;
            }
            Ok(())
        })?;
        Ok(())
    }

    /// How many have come.
    fn __len__(&self) -> usize {
        self.postings.as_ref().map_or(0, Postings::len)
    }
}

/// What is wanted, as Python's settings have it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct OverlapSettings {
    shared: u32,
    room: usize,
    method: String,
    most: Option<u32>,
    right: Option<u32>,
}

/// Pairs of units that share enough chunks.
#[pyclass(name = "Overlaps")]
pub struct PyOverlaps {
    search: Search,
    pool: Threads,
    found: Vec<Overlap>,
    given: usize,
}

#[pymethods]
impl PyOverlaps {
    /// Of what came; across two sides, if it is said where the right one begins.
    #[new]
    fn new(
        py: Python<'_>,
        postings: &mut PyChunkPostings,
        settings: OverlapSettings,
        threads: usize,
    ) -> PyResult<PyOverlaps> {
        let OverlapSettings { shared, room, method, most, right } = settings;
        let method = match &*method {
            "auto" => None,
            "sorted" => Some(Method::Sorted),
            "coarse" => Some(Method::Coarse),
            other => {
                return Err(BorderError::BadValue(format!("no way is called {other:?}")).into());
            }
        };
        let come = postings.postings.take().ok_or_else(closed)?;
        let sides = right.map_or(Sides::Within, Sides::Across);
        let (units, pool) = (postings.units, threads_of(threads)?);
        let search = pool.run(py, || {
            let inverted = come.invert(sides, units, most)?;
            Search::new(inverted, shared.max(1), room, method)
        })??;
        Ok(PyOverlaps { search, pool, found: Vec::new(), given: 0 })
    }

    /// What is known before pairs are counted.
    fn forecast<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let forecast = &self.search.forecast;
        let of = PyDict::new(py);
        of.set_item("method", format!("{:?}", forecast.method).to_lowercase())?;
        of.set_item("distinct", forecast.chunks)?;
        of.set_item("chunks", forecast.all.lists)?;
        of.set_item("entries", forecast.all.entries)?;
        of.set_item("pairs", forecast.all.pairs)?;
        of.set_item("pruned_chunks", forecast.pruned.lists)?;
        of.set_item("pruned_entries", forecast.pruned.entries)?;
        of.set_item("pruned_pairs", forecast.pruned.pairs)?;
        of.set_item("longest", forecast.pruned.longest)?;
        of.set_item("units", forecast.units)?;
        of.set_item("left_out_chunks", forecast.left_out.chunks)?;
        of.set_item("left_out_units", forecast.left_out.units)?;
        of.set_item("at_once", forecast.at_once)?;
        of.set_item("functions", forecast.plan.functions)?;
        of.set_item("cells", forecast.plan.cells)?;
        of.set_item("expected_left", forecast.plan.left())?;
        Ok(of)
    }

    /// How many filters there are to be made before pairs are asked for.
    #[getter]
    fn functions(&self) -> usize {
        self.search.functions()
    }

    fn filter(&mut self, py: Python<'_>) -> PyResult<()> {
        let (search, pool) = (&mut self.search, &self.pool);
        pool.run(py, || search.filter())
    }

    /// Of each filter its cells, those that are heavy, the pairs that came to it and those it left.
    fn filtered(&self) -> Vec<(u64, u64, u64, u64)> {
        let row = |each: &Filtered| (each.cells, each.heavy, each.before, each.left);
        self.search.filtered().iter().map(row).collect()
    }

    /// Passes that are left, once pairs were asked for.
    #[getter]
    fn passes_left(&self) -> usize {
        self.search.passes_left()
    }

    /// Some pairs, in their order; none when there are no more.
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<PyArrowType<RecordBatch>>> {
        while self.given == self.found.len() {
            // What was given takes no room while the next are counted.
            (self.found, self.given) = (Vec::new(), 0);
            let (search, pool) = (&mut self.search, &self.pool);
            let Some(found) = pool.run(py, || search.some())? else {
                return Ok(None);
            };
            self.found = found;
            py.check_signals()?;
        }
        let end = self.found.len().min(self.given + ROWS);
        let rows = &self.found[self.given..end];
        self.given = end;
        Ok(Some(PyArrowType(batch(rows, &self.search.sizes)?)))
    }

    /// How many different chunks units have.
    fn sizes(&self, units: ArrayIn) -> PyResult<ArrayOut> {
        let units = numbers(&units)?;
        check_units(&units, self.search.sizes.len() as u32)?;
        let sizes = units.iter().map(|&unit| i64::from(self.search.sizes[unit as usize]));
        Ok(PyArrowType(Int64Array::from_iter_values(sizes).to_data()))
    }
}

fn batch(rows: &[Overlap], sizes: &[u32]) -> Result<RecordBatch> {
    let column = |of: &dyn Fn(&Overlap) -> u32| -> ArrayRef {
        Arc::new(Int64Array::from_iter_values(rows.iter().map(|row| i64::from(of(row)))))
    };
    let columns = vec![
        ("left", column(&|row| row.left)),
        ("right", column(&|row| row.right)),
        ("shared", column(&|row| row.shared)),
        ("left_size", column(&|row| sizes[row.left as usize])),
        ("right_size", column(&|row| sizes[row.right as usize])),
    ];
    Ok(RecordBatch::try_from_iter(columns)?)
}
