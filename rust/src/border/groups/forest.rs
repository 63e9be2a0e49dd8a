//! `Forest` and `Keys`: arrays of pages in, clusters out.

use arrow_array::{Array, BooleanArray, UInt32Array, make_array};
use arrow_buffer::BooleanBuffer;
use arrow_pyarrow::PyArrowType;
use pyo3::prelude::*;

use super::agreement::PyRows;
use crate::border::arrays::{ArrayIn, ArrayOut, bytes, numbers, one_each};
use crate::border::errors::{BorderError, Result};
use crate::border::threads::{Threads, threads_of};
use crate::fingerprints::mixing::mix;
use crate::groups::agreement::SupershingleRows;
use crate::groups::clusters::{Forest, Keyed};

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
    pool: Threads,
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
        self.pool.run(py, || self.forest.unite_equal(keyed))?;
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
        let rows = std::mem::replace(&mut rows.rows, SupershingleRows::new(width));
        self.pool.run(py, || rows.unite(least, start..end, &self.forest))?;
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
    #[pyo3(signature = (pages, digests, kind, partition=None))]
    fn add(
        &mut self,
        py: Python<'_>,
        pages: ArrayIn,
        digests: ArrayIn,
        kind: u64,
        partition: Option<ArrayIn>,
    ) -> PyResult<()> {
        let pages = numbers(&pages)?;
        let partition = partition.map(|partition| one_each(&partition, pages.len())).transpose()?;
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
                let number =
                    partition.as_ref().map_or(0, |partition| mix(u64::from(partition[row]) + 1));
                let here = upper % self.classes == self.class;
                here.then_some(Keyed { key: [upper ^ number, lower ^ mix(kind)], page })
            }));
        });
        Ok(())
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
