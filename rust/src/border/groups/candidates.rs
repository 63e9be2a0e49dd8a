//! `Bands` and `Candidates`: features of pages in, pairs, clusters and stars out.

use std::sync::Arc;

use arrow_array::{Array, RecordBatch, UInt32Array};
use arrow_pyarrow::PyArrowType;
use pyo3::prelude::*;
use rayon::prelude::*;

use super::evidence::{PyEvidence, pair_table};
use super::forest::{PyForest, check_pages};
use crate::border::arrays::{ArrayIn, ArrayOut, numbers, one_each, unsigned, values};
use crate::border::errors::BorderError;
use crate::border::threads::{Threads, threads_of};
use crate::groups::candidates::{Bands, Candidates};
use crate::groups::evidence::Resembling;

#[pyclass(name = "Bands")]
pub struct PyBands {
    bands: Option<Bands>,
    m: usize,
    /// How many more bands the features have room for.
    room: usize,
    pool: Arc<Threads>,
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

    #[pyo3(signature = (bands, pages=0))]
    fn begin(&mut self, py: Python<'_>, bands: usize, pages: u32) -> PyResult<()> {
        let open = self.bands.as_mut().ok_or_else(closed)?;
        let Some(room) = self.room.checked_sub(bands) else {
            let text = format!("{bands} more bands, and room for {}", self.room);
            return Err(BorderError::BadValue(text).into());
        };
        self.room = room;
        self.pool.run(py, || open.begin(bands, pages as usize))??;
        Ok(())
    }

    #[pyo3(signature = (pages, features, partition=None))]
    fn add(
        &mut self,
        py: Python<'_>,
        pages: ArrayIn,
        features: ArrayIn,
        partition: Option<ArrayIn>,
    ) -> PyResult<()> {
        let (pages, values) = (numbers(&pages)?, values(&features)?);
        let partition = partition.map(|partition| one_each(&partition, pages.len())).transpose()?;
        let open = self.bands.as_mut().ok_or_else(closed)?;
        if values.len() != pages.len() * self.m {
            let text = format!("{} features for {} pages", values.len(), pages.len());
            return Err(BorderError::BadValue(text).into());
        }
        let (m, values) = (self.m, unsigned(&values));
        self.pool.run(py, || open.add(&pages, values, m, partition.as_deref()))
    }

    fn close(&mut self, py: Python<'_>) -> PyResult<PyCandidates> {
        let bands = self.bands.take().ok_or_else(closed)?;
        let candidates = self.pool.run(py, || bands.close())??;
        Ok(PyCandidates { candidates, pool: Arc::clone(&self.pool) })
    }
}

fn closed() -> BorderError {
    BorderError::BadValue("the bands are closed already".into())
}

#[pyclass(name = "Candidates")]
pub struct PyCandidates {
    candidates: Candidates,
    pool: Arc<Threads>,
}

#[pymethods]
impl PyCandidates {
    /// The pages that are in a candidate pair, ascending.
    fn members(&self) -> ArrayOut {
        PyArrowType(UInt32Array::from(self.candidates.members().to_vec()).to_data())
    }

    /// Drops members that agree with no other of a group in `least` of their m features.
    fn sift(&mut self, py: Python<'_>, features: ArrayIn, m: usize, least: usize) -> PyResult<()> {
        let values = values(&features)?;
        let members = self.candidates.members().len();
        if values.len() != members * m {
            let text = format!("{} features for {members} members", values.len());
            return Err(BorderError::BadValue(text).into());
        }
        let all = &mut self.candidates;
        self.pool.run(py, || all.sift(unsigned(&values), m, least))??;
        Ok(())
    }

    /// The number of bands, which are asked for pairs one after the other; the last gives what pairs
    /// there are in hot groups alone.
    #[getter]
    fn bands(&self) -> usize {
        self.candidates.bands() + 1
    }

    fn pairs(
        &self,
        py: Python<'_>,
        band: usize,
        resemblance: f64,
        evidence: &PyEvidence,
    ) -> PyResult<PyArrowType<RecordBatch>> {
        if band > self.candidates.bands() {
            return Err(BorderError::BadValue(format!("band {band}")).into());
        }
        let evidence = evidence.of(self.candidates.members().len())?;
        let pairs = self.pool.run(py, || -> std::io::Result<_> {
            let mut pairs = if band == self.candidates.bands() {
                self.candidates.hot_pairs(evidence, resemblance)?
            } else {
                self.candidates.pairs(band, evidence, resemblance)
            };
            pairs.par_sort_unstable_by_key(|pair| (pair.left, pair.right));
            Ok(pairs)
        })??;
        Ok(PyArrowType(pair_table(&pairs)?))
    }

    fn unite(
        &self,
        py: Python<'_>,
        forest: &mut PyForest,
        resemblance: f64,
        evidence: &PyEvidence,
    ) -> PyResult<()> {
        check_pages(self.candidates.members(), &forest.forest)?;
        let evidence = evidence.of(self.candidates.members().len())?;
        let forest = &mut forest.forest;
        self.pool.run(py, || self.candidates.unite(evidence, resemblance, forest))??;
        Ok(())
    }

    fn stars(
        &self,
        py: Python<'_>,
        resemblance: f64,
        evidence: &PyEvidence,
        ranks: ArrayIn,
        fixed: u32,
    ) -> PyResult<(ArrayOut, ArrayOut)> {
        let ranks = one_each(&ranks, self.candidates.members().len())?;
        let evidence = evidence.of(self.candidates.members().len())?;
        let gone = self.pool.run(py, || {
            let holds = |stays, member| evidence.compare(stays, member, resemblance).is_some();
            let prefixes = self.candidates.prefixes(&Resembling::new(evidence, resemblance))?;
            self.candidates.stars(holds, prefixes.as_ref(), &ranks, fixed)
        })??;
        Ok(star_arrays(gone))
    }
}

/// The pages that go, ascending, and those they go with.
pub fn star_arrays(mut gone: Vec<(u32, u32)>) -> (ArrayOut, ArrayOut) {
    gone.sort_unstable();
    let (pages, stay): (Vec<u32>, Vec<u32>) = gone.into_iter().unzip();
    let array = |pages: Vec<u32>| PyArrowType(UInt32Array::from(pages).to_data());
    (array(pages), array(stay))
}
