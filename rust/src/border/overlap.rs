//! Chunks of pages in, pairs of pages that share enough of them out.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{
    Array, ArrayRef, BooleanArray, Int64Array, ListArray, RecordBatch, UInt32Array, make_array,
};
use arrow_buffer::BooleanBuffer;
use arrow_pyarrow::PyArrowType;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::arrays::{ArrayIn, ArrayOut, numbers, one_each, unsigned};
use super::errors::{BorderError, Result};
use super::groups::forest::{PyForest, check_pages};
use super::threads::threads_of;
use crate::fingerprints::mixing::{STEP, mix};
use crate::groups::mapped_numbers::Numbers;
use crate::overlap::lists::Sides;
use crate::overlap::postings::Postings;
use crate::overlap::search::{Method, Search};
use crate::overlap::sets::Sets;
use crate::overlap::sorted::Overlap;
use crate::overlap::stars::stars;

/// Rows of a batch that is handed out.
const ROWS: usize = 1 << 16;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyChunkSets>()?;
    module.add_class::<PyChunkPostings>()?;
    module.add_class::<PyOverlaps>()?;
    module.add_function(wrap_pyfunction!(overlap_stars, module)?)
}

/// The chunks of some pages.
struct Chunks {
    lists: ListArray,
}

impl Chunks {
    fn of(array: &ArrayIn, pages: usize) -> Result<Chunks> {
        let array = make_array(array.0.clone());
        let lists = array.as_list_opt::<i32>();
        let whole = lists.filter(|lists| {
            lists.len() == pages && lists.values().as_primitive_opt::<Int64Type>().is_some()
        });
        let bad = || BorderError::BadType("chunks", array.data_type().clone());
        Ok(Chunks { lists: whole.ok_or_else(bad)?.clone() })
    }

    fn at(&self, row: usize) -> &[u64] {
        let ends = self.lists.value_offsets();
        let range = ends[row] as usize..ends[row + 1] as usize;
        if self.lists.is_null(row) {
            return &[];
        }
        &unsigned(self.lists.values().as_primitive::<Int64Type>().values())[range]
    }
}

/// A fingerprint as short as is wanted, spread over all 64 bits, and of its group alone.
#[inline(always)]
fn shortened(chunk: u64, bits: u32, group: u32) -> u64 {
    let short = if bits == 64 { chunk } else { mix(chunk & ((1 << bits) - 1)) };
    short ^ u64::from(group).wrapping_mul(STEP)
}

fn groups_of(groups: Option<ArrayIn>, pages: usize) -> Result<Vec<u32>> {
    groups.map_or_else(|| Ok(vec![0; pages]), |groups| one_each(&groups, pages))
}

fn check_bits(bits: u32) -> Result<u32> {
    match bits {
        1..=64 => Ok(bits),
        _ => Err(BorderError::BadValue(format!("a fingerprint of {bits} bits"))),
    }
}

fn check_units(units: &[u32], count: u32) -> Result<()> {
    match units.iter().max() {
        Some(&unit) if unit >= count => {
            Err(BorderError::BadValue(format!("unit {unit} of only {count}")))
        }
        _ => Ok(()),
    }
}

/// Pages with the same sequence of chunks.
#[pyclass(name = "ChunkSets")]
pub struct PyChunkSets {
    sets: Option<Sets>,
    pages: u32,
    stands: Option<Numbers>,
    bits: u32,
    pool: rayon::ThreadPool,
}

#[pymethods]
impl PyChunkSets {
    #[new]
    fn new(
        pages: u32,
        least: usize,
        bits: u32,
        room: usize,
        folder: PathBuf,
        threads: usize,
    ) -> PyResult<PyChunkSets> {
        Ok(PyChunkSets {
            sets: Some(Sets::new(least, room, &folder)),
            pages,
            stands: None,
            bits: check_bits(bits)?,
            pool: threads_of(threads)?,
        })
    }

    #[pyo3(signature = (pages, chunks, groups=None))]
    fn add(
        &mut self,
        py: Python<'_>,
        pages: ArrayIn,
        chunks: ArrayIn,
        groups: Option<ArrayIn>,
    ) -> PyResult<()> {
        let pages = numbers(&pages)?;
        check_units(&pages, self.pages)?;
        let chunks = Chunks::of(&chunks, pages.len())?;
        let groups = groups_of(groups, pages.len())?;
        let (bits, Some(sets)) = (self.bits, &mut self.sets) else { return Err(closed().into()) };
        py.detach(|| -> std::io::Result<()> {
            let mut short = Vec::new();
            for (row, (&page, &group)) in pages.iter().zip(&groups).enumerate() {
                short.clear();
                short.extend(chunks.at(row).iter().map(|&chunk| shortened(chunk, bits, 0)));
                sets.add(page, &short, group)?;
            }
            Ok(())
        })?;
        Ok(())
    }

    /// Tells pages that are the same.
    fn close(&mut self, py: Python<'_>) -> PyResult<()> {
        let sets = self.sets.take().ok_or_else(closed)?;
        let (pool, pages) = (&self.pool, self.pages);
        self.stands = Some(py.detach(|| pool.install(|| sets.stands(pages)))?);
        Ok(())
    }

    /// For every page whether it stands for itself.
    fn standing(&self) -> PyResult<ArrayOut> {
        let itself = |(page, &stands): (u32, &u32)| page == stands;
        let standing: BooleanBuffer = (0..).zip(&**self.told()?).map(itself).collect();
        Ok(PyArrowType(BooleanArray::from(standing).to_data()))
    }

    /// The next pages, from one on, that another stands for, and which.
    fn copies(&self, start: u32) -> PyResult<(ArrayOut, ArrayOut)> {
        let told = self.told()?;
        let (pages, stands): (Vec<u32>, Vec<u32>) = (start..self.pages)
            .map(|page| (page, told[page as usize]))
            .filter(|(page, stands)| page != stands)
            .take(ROWS)
            .unzip();
        let array = |values: Vec<u32>| PyArrowType(UInt32Array::from(values).to_data());
        Ok((array(pages), array(stands)))
    }

    /// Joins pages that are the same.
    fn unite(&self, py: Python<'_>, forest: &mut PyForest) -> PyResult<()> {
        let told = self.told()?;
        if let Some(last) = self.pages.checked_sub(1) {
            check_pages(&[last], &forest.forest)?;
        }
        py.detach(|| {
            (0..).zip(&**told).for_each(|(page, &stands)| forest.forest.unite(page, stands));
        });
        Ok(())
    }
}

impl PyChunkSets {
    fn told(&self) -> Result<&Numbers> {
        self.stands.as_ref().ok_or_else(|| BorderError::BadValue("not everything has come".into()))
    }
}

fn closed() -> BorderError {
    BorderError::BadValue("everything has come already".into())
}

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
    pool: rayon::ThreadPool,
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
        let search = py.detach(|| {
            pool.install(|| {
                let inverted = come.invert(sides, units, most)?;
                Search::new(inverted, shared.max(1), room, method)
            })
        })?;
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

    fn filter(&mut self, py: Python<'_>) {
        let (search, pool) = (&mut self.search, &self.pool);
        py.detach(|| pool.install(|| search.filter()));
    }

    /// Of each filter its cells, those that are heavy, the pairs that came to it and those it left.
    fn filtered(&self) -> Vec<(u64, u64, u64, u64)> {
        let row = |each: &crate::overlap::coarse::Filtered| {
            (each.cells, each.heavy, each.before, each.left)
        };
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
            let Some(found) = py.detach(|| pool.install(|| search.some())) else {
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

/// The pages that go, and those they go with.
#[pyfunction]
fn overlap_stars(
    py: Python<'_>,
    left: ArrayIn,
    right: ArrayIn,
    ranks: ArrayIn,
    fixed: u32,
    threads: usize,
) -> PyResult<(ArrayOut, ArrayOut)> {
    let (left, ranks) = (numbers(&left)?, numbers(&ranks)?);
    let right = one_each(&right, left.len())?;
    check_units(&left, ranks.len() as u32)?;
    check_units(&right, ranks.len() as u32)?;
    let pool = threads_of(threads)?;
    let found = py.detach(|| pool.install(|| stars(&left, &right, &ranks, fixed)));
    let array = |of: &dyn Fn(&(u32, u32)) -> u32| {
        PyArrowType(UInt32Array::from_iter_values(found.iter().map(of)).to_data())
    };
    Ok((array(&|row| row.0), array(&|row| row.1)))
}
