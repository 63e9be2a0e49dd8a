//! `Forest`, `Bands` and `Candidates`: arrays of pages in, clusters and pairs out.

use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, BooleanArray, Int64Array, RecordBatch, UInt32Array, make_array,
};
use arrow_buffer::{BooleanBuffer, ScalarBuffer};
use arrow_pyarrow::PyArrowType;
use pyo3::prelude::*;
use rayon::prelude::*;

use super::agreement::PyRows;
use crate::border::arrays::{ArrayIn, ArrayOut, bytes, numbers, one_each, unsigned, values};
use crate::border::errors::{BorderError, Result};
use crate::border::sketches::shelf::PySets;
use crate::border::threads::threads_of;
use crate::fingerprints::mixing::mix;
use crate::groups::agreement::Rows;
use crate::groups::candidates::{Bands, Candidates, Pair};
use crate::groups::clusters::{Forest, Keyed};
use crate::groups::evidence::Evidence;

pub fn check_pages(pages: &[u32], forest: &Forest) -> Result<()> {
    match pages.iter().max() {
        Some(&page) if page as usize >= forest.len() => {
            Err(BorderError::BadValue(format!("page {page} of only {}", forest.len())))
        }
        _ => Ok(()),
    }
}

#[pyclass(name = "Forest")]
pub struct PyForest {
    pub forest: Forest,
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

    /// Unites pages with the same key, and forgets the keys.
    fn unite_equal(&mut self, py: Python<'_>, keys: &mut PyKeys) -> PyResult<()> {
        let keyed = std::mem::take(&mut keys.keyed);
        if let Some(page) = keyed.iter().map(|each| each.page).max() {
            check_pages(&[page], &self.forest)?;
        }
        py.detach(|| self.pool.install(|| self.forest.unite_equal(keyed)));
        Ok(())
    }

    /// Unites pages that agree in at least `least` supershingles, the first of them one of a range,
    /// and forgets the rows.
    fn unite_agreeing(
        &mut self,
        py: Python<'_>,
        rows: &mut PyRows,
        least: usize,
        start: usize,
        end: usize,
    ) -> PyResult<()> {
        let width = rows.rows.width();
        if least == 0 || (start < end && end + least > width + 1) {
            let text = format!("at least {least} of {width}, from {start} to {end}");
            return Err(BorderError::BadValue(text).into());
        }
        check_pages(rows.rows.pages(), &self.forest)?;
        let rows = std::mem::replace(&mut rows.rows, Rows::new(width));
        py.detach(|| self.pool.install(|| rows.unite(least, start..end, &self.forest)));
        Ok(())
    }

    /// For every page whether it is the lowest of its cluster.
    fn lowest(&self, py: Python<'_>) -> ArrayOut {
        let lowest: BooleanBuffer = py.detach(|| self.forest.lowest().collect());
        PyArrowType(BooleanArray::from(lowest).to_data())
    }

    /// For every page the one of its cluster that comes first by these ranks.
    fn firsts(&mut self, py: Python<'_>, ranks: ArrayIn) -> PyResult<ArrayOut> {
        let ranks = one_each(&ranks, self.forest.len())?;
        let firsts = py.detach(|| self.forest.firsts(&ranks));
        Ok(PyArrowType(UInt32Array::from(firsts).to_data()))
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

#[pyclass(name = "Keys")]
pub struct PyKeys {
    keyed: Vec<Keyed>,
    classes: u64,
    class: u64,
}

#[pymethods]
impl PyKeys {
    #[new]
    fn new(classes: u64, class: u64) -> PyKeys {
        PyKeys { keyed: Vec::new(), classes: classes.max(1), class }
    }

    /// Takes in pages with digests of 16 bytes; nulls are equal to nothing.
    #[pyo3(signature = (pages, digests, kind, apart=None))]
    fn add(
        &mut self,
        py: Python<'_>,
        pages: ArrayIn,
        digests: ArrayIn,
        kind: u64,
        apart: Option<ArrayIn>,
    ) -> PyResult<()> {
        let pages = numbers(&pages)?;
        let apart = apart.map(|apart| one_each(&apart, pages.len())).transpose()?;
        let digests = make_array(digests.0);
        let digests = bytes(&digests)?;
        if digests.len() != pages.len() || digests.iter().flatten().any(|key| key.len() != 16) {
            let text = "keys are digests of 16 bytes, one for each page";
            return Err(BorderError::BadValue(text.into()).into());
        }
        py.detach(|| {
            let rows = digests.into_iter().zip(pages).enumerate();
            self.keyed.extend(rows.filter_map(|(row, (digest, page))| {
                let (upper, lower) = digest?.split_at(8);
                let upper = u64::from_be_bytes(upper.try_into().ok()?);
                let lower = u64::from_be_bytes(lower.try_into().ok()?);
                let number = apart.as_ref().map_or(0, |apart| mix(u64::from(apart[row]) + 1));
                let here = upper % self.classes == self.class;
                here.then_some(Keyed { key: [upper ^ number, lower ^ mix(kind)], page })
            }));
        });
        Ok(())
    }
}

#[pyclass(name = "Bands")]
pub struct PyBands {
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
        py.detach(|| self.pool.install(|| open.begin(bands)))?;
        Ok(())
    }

    #[pyo3(signature = (pages, features, apart=None))]
    fn add(
        &mut self,
        py: Python<'_>,
        pages: ArrayIn,
        features: ArrayIn,
        apart: Option<ArrayIn>,
    ) -> PyResult<()> {
        let (pages, values) = (numbers(&pages)?, values(&features)?);
        let apart = apart.map(|apart| one_each(&apart, pages.len())).transpose()?;
        let open = self.bands.as_mut().ok_or_else(closed)?;
        if values.len() != pages.len() * self.m {
            let text = format!("{} features for {} pages", values.len(), pages.len());
            return Err(BorderError::BadValue(text).into());
        }
        let (m, values) = (self.m, unsigned(&values));
        py.detach(|| self.pool.install(|| open.add(&pages, values, m, apart.as_deref())));
        Ok(())
    }

    fn close(&mut self, py: Python<'_>) -> PyResult<PyCandidates> {
        let bands = self.bands.take().ok_or_else(closed)?;
        let candidates = py.detach(|| self.pool.install(|| bands.close()))?;
        Ok(PyCandidates { candidates, pool: Arc::clone(&self.pool) })
    }
}

fn closed() -> BorderError {
    BorderError::BadValue("the bands are closed already".into())
}

#[pyclass(name = "Candidates")]
pub struct PyCandidates {
    candidates: Candidates,
    pool: Arc<rayon::ThreadPool>,
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
        let all = std::mem::take(&mut self.candidates);
        let pool = &self.pool;
        let sifted = py.detach(|| pool.install(|| all.sifted(unsigned(&values), m, least)));
        self.candidates = sifted?;
        Ok(())
    }

    /// The number of bands, which are asked for pairs one after the other.
    #[getter]
    fn bands(&self) -> usize {
        self.candidates.bands()
    }

    fn pairs(
        &self,
        py: Python<'_>,
        band: usize,
        resemblance: f64,
        evidence: &PyEvidence,
    ) -> PyResult<PyArrowType<RecordBatch>> {
        if band >= self.candidates.bands() {
            return Err(BorderError::BadValue(format!("band {band}")).into());
        }
        let evidence = evidence.of(self.candidates.members().len())?;
        let pairs = py.detach(|| {
            self.pool.install(|| {
                let mut pairs = self.candidates.pairs(band, evidence, resemblance);
                pairs.par_sort_unstable_by_key(|pair| (pair.left, pair.right));
                pairs
            })
        });
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
        py.detach(|| {
            self.pool.install(|| self.candidates.unite(evidence, resemblance, forest));
        });
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
        let gone = py.detach(|| {
            self.pool.install(|| self.candidates.stars(evidence, resemblance, &ranks, fixed))
        })?;
        let (pages, stay): (Vec<u32>, Vec<u32>) = gone.into_iter().unzip();
        let array = |pages: Vec<u32>| PyArrowType(UInt32Array::from(pages).to_data());
        Ok((array(pages), array(stay)))
    }
}

/// What Python hands over as evidence, held while it is used.
#[pyclass(name = "Evidence", frozen)]
pub struct PyEvidence {
    m: usize,
    features: Option<ScalarBuffer<i64>>,
    sets: Option<Py<PySets>>,
}

#[pymethods]
impl PyEvidence {
    #[new]
    #[pyo3(signature = (m, features=None, sets=None))]
    fn new(m: usize, features: Option<ArrayIn>, sets: Option<Py<PySets>>) -> PyResult<PyEvidence> {
        let features = features.map(|features| values(&features)).transpose()?;
        Ok(PyEvidence { m, features, sets })
    }

    fn measure(
        &self,
        py: Python<'_>,
        members: ArrayIn,
        left: ArrayIn,
        right: ArrayIn,
        threads: usize,
    ) -> PyResult<PyArrowType<RecordBatch>> {
        let (members, pool) = (numbers(&members)?, threads_of(threads)?);
        let pages: Vec<(u32, u32)> = numbers(&left)?.into_iter().zip(numbers(&right)?).collect();
        let evidence = self.of(members.len())?;
        let measures = py
            .detach(|| pool.install(|| evidence.measure(&members, &pages)))
            .ok_or_else(|| BorderError::BadValue("a page that is no member".into()))?;
        let pairs: Vec<Pair> = pages
            .into_iter()
            .zip(measures)
            .map(|((left, right), measure)| Pair { left, right, measure })
            .collect();
        Ok(PyArrowType(pair_table(&pairs)?))
    }
}

impl PyEvidence {
    /// The evidence for so many members, if there is some for each.
    fn of(&self, members: usize) -> Result<Evidence<'_>> {
        let features = self.features.as_ref().map(|features| unsigned(features));
        let sets = self.sets.as_ref().map(|sets| sets.get().taken.sets());
        let fits = features.is_none_or(|features| features.len() == members * self.m)
            && sets.is_none_or(|sets| sets.starts.len() == members && sets.are_valid())
            && (features.is_some() || sets.is_some_and(|sets| sets.are_complete()));
        if !fits {
            let text = format!("the evidence does not fit {members} members");
            return Err(BorderError::BadValue(text));
        }
        Ok(Evidence { sets, features: features.unwrap_or_default(), m: self.m })
    }
}

/// For each value, of so many pages at most, how often it occurs.
#[pyfunction]
pub fn sizes(values: ArrayIn, pages: u32) -> Result<ArrayOut> {
    let values = numbers(&values)?;
    let mut counts = vec![0u32; pages as usize];
    for &value in &values {
        let text = || BorderError::BadValue(format!("page {value} of only {pages}"));
        *counts.get_mut(value as usize).ok_or_else(text)? += 1;
    }
    let sizes: Vec<u32> = values.iter().map(|&value| counts[value as usize]).collect();
    Ok(PyArrowType(UInt32Array::from(sizes).to_data()))
}

fn pair_table(pairs: &[Pair]) -> Result<RecordBatch> {
    let column = |of: fn(&Pair) -> i64| -> ArrayRef {
        Arc::new(pairs.iter().map(of).collect::<Vec<i64>>().into_iter().collect::<Int64Array>())
    };
    let estimated: Vec<bool> = pairs.iter().map(|pair| pair.measure.estimated).collect();
    Ok(RecordBatch::try_from_iter([
        ("left", column(|pair| i64::from(pair.left))),
        ("right", column(|pair| i64::from(pair.right))),
        ("shared", column(|pair| pair.measure.shared as i64)),
        ("left_size", column(|pair| pair.measure.left_size as i64)),
        ("right_size", column(|pair| pair.measure.right_size as i64)),
        ("estimated", Arc::new(BooleanArray::from(estimated))),
    ])?)
}
