//! `Forest`, `Bands` and `Candidates`: arrays of pages in, clusters and pairs out.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, UInt32Array, make_array};
use arrow_buffer::ScalarBuffer;
use arrow_pyarrow::PyArrowType;
use pyo3::prelude::*;
use rayon::prelude::*;

use super::arrays::{bytes, numbers, unsigned, values};
use super::{ArrayIn, ArrayOut, BorderError, Result, threads_of};
use crate::candidates::{Bands, Candidates, Evidence, Pair};
use crate::clusters::Forest;

fn check_pages(pages: &[u32], forest: &Forest) -> Result<()> {
    match pages.iter().max() {
        Some(&page) if page as usize >= forest.len() => {
            Err(BorderError::BadValue(format!("page {page} of only {}", forest.len())))
        }
        _ => Ok(()),
    }
}

#[pyclass(name = "Forest")]
pub(super) struct PyForest {
    forest: Forest,
    pool: rayon::ThreadPool,
}

#[pymethods]
impl PyForest {
    #[new]
    fn new(pages: u32, threads: usize) -> PyResult<PyForest> {
        Ok(PyForest { forest: Forest::new(pages), pool: threads_of(threads)? })
    }

    fn unite(&mut self, py: Python<'_>, left: ArrayIn, right: ArrayIn) -> PyResult<()> {
        let (left, right) = (numbers(&left)?, numbers(&right)?);
        check_pages(&left, &self.forest)?;
        check_pages(&right, &self.forest)?;
        py.detach(|| left.into_iter().zip(right).for_each(|(l, r)| self.forest.unite(l, r)));
        Ok(())
    }

    /// Unites pages with the same bytes in `keys`; nulls are equal to nothing.
    fn unite_equal(&mut self, py: Python<'_>, pages: ArrayIn, keys: ArrayIn) -> PyResult<()> {
        let pages = numbers(&pages)?;
        check_pages(&pages, &self.forest)?;
        let keys = make_array(keys.0);
        let keys = bytes(&keys)?;
        if keys.len() != pages.len() || keys.iter().flatten().any(|key| key.len() != 16) {
            let text = "keys are digests of 16 bytes, one for each page";
            return Err(BorderError::BadValue(text.into()).into());
        }
        py.detach(|| {
            let keyed = keys.into_iter().zip(pages).filter_map(|(key, page)| {
                let digest: [u8; 16] = key?.try_into().ok()?;
                Some((u128::from_be_bytes(digest), page))
            });
            let keyed = keyed.collect();
            self.pool.install(|| self.forest.unite_equal(keyed));
        });
        Ok(())
    }

    /// Unites pages that agree in supershingle `first` and in `least` − 1 or more after it.
    fn unite_agreeing(
        &mut self,
        py: Python<'_>,
        pages: ArrayIn,
        supershingles: ArrayIn,
        least: usize,
        first: usize,
    ) -> PyResult<()> {
        let (pages, values) = (numbers(&pages)?, values(&supershingles)?);
        check_pages(&pages, &self.forest)?;
        if pages.is_empty() {
            return Ok(());
        }
        let width = values.len() / pages.len();
        if width * pages.len() != values.len() || least == 0 || first + least > width {
            let text =
                format!("{} values for {} pages, at least {least}", values.len(), pages.len());
            return Err(BorderError::BadValue(text).into());
        }
        let forest = &mut self.forest;
        py.detach(|| {
            self.pool.install(|| forest.unite_agreeing(&pages, &values, width, least, first));
        });
        Ok(())
    }

    /// The cluster of every page and its size.
    fn clusters(&mut self, py: Python<'_>) -> (ArrayOut, ArrayOut) {
        let (clusters, sizes) = py.detach(|| self.forest.clusters());
        (
            PyArrowType(UInt32Array::from(clusters).to_data()),
            PyArrowType(UInt32Array::from(sizes).to_data()),
        )
    }
}

#[pyclass(name = "Bands")]
pub(super) struct PyBands {
    bands: Option<Bands>,
    m: usize,
    /// How many more bands the features have room for.
    room: usize,
    pool: Arc<rayon::ThreadPool>,
}

#[pymethods]
impl PyBands {
    #[new]
    fn new(m: usize, width: usize, threads: usize) -> PyResult<PyBands> {
        if width == 0 || width > m {
            return Err(BorderError::BadValue(format!("bands of {width} of {m} features")).into());
        }
        let pool = Arc::new(threads_of(threads)?);
        Ok(PyBands { bands: Some(Bands::new(width)), m, room: m / width, pool })
    }

    fn begin(&mut self, py: Python<'_>, bands: usize) -> PyResult<()> {
        let open = self.bands.as_mut().ok_or_else(closed)?;
        let Some(room) = self.room.checked_sub(bands) else {
            let text = format!("{bands} more bands, and room for {}", self.room);
            return Err(BorderError::BadValue(text).into());
        };
        self.room = room;
        py.detach(|| self.pool.install(|| open.begin(bands)));
        Ok(())
    }

    fn add(&mut self, py: Python<'_>, pages: ArrayIn, features: ArrayIn) -> PyResult<()> {
        let (pages, values) = (numbers(&pages)?, values(&features)?);
        let open = self.bands.as_mut().ok_or_else(closed)?;
        if values.len() != pages.len() * self.m {
            let text = format!("{} features for {} pages", values.len(), pages.len());
            return Err(BorderError::BadValue(text).into());
        }
        py.detach(|| open.add(&pages, unsigned(&values), self.m));
        Ok(())
    }

    fn close(&mut self, py: Python<'_>) -> PyResult<PyCandidates> {
        let bands = self.bands.take().ok_or_else(closed)?;
        let candidates = py.detach(|| self.pool.install(|| bands.close()));
        Ok(PyCandidates { candidates, m: self.m, pool: Arc::clone(&self.pool) })
    }
}

fn closed() -> BorderError {
    BorderError::BadValue("the bands are closed already".into())
}

#[pyclass(name = "Candidates", frozen)]
pub(super) struct PyCandidates {
    candidates: Candidates,
    m: usize,
    pool: Arc<rayon::ThreadPool>,
}

#[pymethods]
impl PyCandidates {
    /// The pages that are in a candidate pair, ascending.
    fn members(&self) -> ArrayOut {
        PyArrowType(UInt32Array::from(self.candidates.members().to_vec()).to_data())
    }

    /// The number of bands, which are asked for pairs one after the other.
    #[getter]
    fn bands(&self) -> usize {
        self.candidates.bands()
    }

    #[pyo3(signature = (band, resemblance, values, starts=None, ends=None))]
    fn pairs(
        &self,
        py: Python<'_>,
        band: usize,
        resemblance: f64,
        values: ArrayIn,
        starts: Option<ArrayIn>,
        ends: Option<ArrayIn>,
    ) -> PyResult<PyArrowType<RecordBatch>> {
        if band >= self.candidates.bands() {
            return Err(BorderError::BadValue(format!("band {band}")).into());
        }
        let buffers = self.buffers(&values, starts.zip(ends).as_ref())?;
        let pairs = py.detach(|| {
            self.pool.install(|| {
                let evidence = buffers.evidence(self.m);
                let mut pairs = self.candidates.pairs(band, evidence, resemblance);
                pairs.par_sort_unstable_by_key(|pair| (pair.left, pair.right));
                pairs
            })
        });
        Ok(PyArrowType(pair_table(&pairs)?))
    }

    #[pyo3(signature = (forest, resemblance, values, starts=None, ends=None))]
    fn unite(
        &self,
        py: Python<'_>,
        forest: &mut PyForest,
        resemblance: f64,
        values: ArrayIn,
        starts: Option<ArrayIn>,
        ends: Option<ArrayIn>,
    ) -> PyResult<()> {
        check_pages(self.candidates.members(), &forest.forest)?;
        let buffers = self.buffers(&values, starts.zip(ends).as_ref())?;
        let forest = &mut forest.forest;
        py.detach(|| self.candidates.unite(buffers.evidence(self.m), resemblance, forest));
        Ok(())
    }
}

/// What Python hands over as evidence, held while it is used.
struct Buffers {
    values: ScalarBuffer<i64>,
    /// Where each member's set starts and ends in the values; features have no need of it.
    bounds: Option<(ScalarBuffer<i64>, ScalarBuffer<i64>)>,
}

impl Buffers {
    fn evidence(&self, m: usize) -> Evidence<'_> {
        let values = unsigned(&self.values);
        match &self.bounds {
            Some((starts, ends)) => Evidence::Shingles { values, starts, ends },
            None => Evidence::Features { values, m },
        }
    }
}

impl PyCandidates {
    /// Shingle sets with bounds, or features without, one for each member.
    fn buffers(&self, evidence: &ArrayIn, bounds: Option<&(ArrayIn, ArrayIn)>) -> Result<Buffers> {
        let bounds =
            bounds.map(|(starts, ends)| Ok::<_, BorderError>((values(starts)?, values(ends)?)));
        let held = Buffers { values: values(evidence)?, bounds: bounds.transpose()? };
        let members = self.candidates.members().len();
        let fits = match &held.bounds {
            Some((starts, ends)) => {
                let total = held.values.len() as i64;
                let inside =
                    |(&start, &end): (&i64, &i64)| 0 <= start && start <= end && end <= total;
                starts.len() == members
                    && ends.len() == members
                    && starts.iter().zip(ends).all(inside)
            }
            None => held.values.len() == members * self.m,
        };
        if fits {
            Ok(held)
        } else {
            Err(BorderError::BadValue(format!("the evidence does not fit {members} members")))
        }
    }
}

fn pair_table(pairs: &[Pair]) -> Result<RecordBatch> {
    let column = |of: fn(&Pair) -> i64| -> ArrayRef {
        Arc::new(pairs.iter().map(of).collect::<Vec<i64>>().into_iter().collect::<Int64Array>())
    };
    Ok(RecordBatch::try_from_iter([
        ("left", column(|pair| i64::from(pair.left))),
        ("right", column(|pair| i64::from(pair.right))),
        ("shared", column(|pair| pair.shared as i64)),
        ("left_size", column(|pair| pair.left_size as i64)),
        ("right_size", column(|pair| pair.right_size as i64)),
    ])?)
}
