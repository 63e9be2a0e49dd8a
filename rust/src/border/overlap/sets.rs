//! `ChunkSets`: chunks of pages in, pages with the same ones out.

use std::path::PathBuf;

use arrow_array::{Array, BooleanArray, Int64Array, UInt32Array};
use arrow_buffer::BooleanBuffer;
use arrow_pyarrow::PyArrowType;
use pyo3::prelude::*;

use super::chunks::{Chunks, ROWS, check_bits, check_units, closed, groups_of, shortened};
use crate::border::arrays::{ArrayIn, ArrayOut, numbers};
use crate::border::errors::{BorderError, Result};
use crate::border::groups::forest::{PyForest, check_pages};
use crate::border::threads::{Threads, threads_of};
use crate::overlap::sets::{Copies, Sets};

/// Pages with the same sequence of chunks.
#[pyclass(name = "ChunkSets")]
pub struct PyChunkSets {
    sets: Option<Sets>,
    pages: u32,
    told: Option<Copies>,
    bits: u32,
    pool: Threads,
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
            told: None,
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
        self.told = Some(pool.run(py, || sets.close(pages))??);
        Ok(())
    }

    /// For every page whether it stands for itself.
    fn standing(&self) -> PyResult<ArrayOut> {
        let itself = |(page, &stands): (u32, &u32)| page == stands;
        let standing: BooleanBuffer = (0..).zip(&*self.told()?.stands).map(itself).collect();
        Ok(PyArrowType(BooleanArray::from(standing).to_data()))
    }

    /// Some of the pages that others stand for, from so many on, and those that do; in the order of
    /// these.
    fn copies(&self, start: usize) -> PyResult<(ArrayOut, ArrayOut)> {
        let told = self.told()?;
        let end = told.copies.len().min(start + ROWS);
        let pages = &told.copies[start.min(end)..end];
        let stands = pages.iter().map(|&page| told.stands[page as usize]);
        let stands = UInt32Array::from_iter_values(stands);
        let pages = UInt32Array::from(pages.to_vec());
        Ok((PyArrowType(pages.to_data()), PyArrowType(stands.to_data())))
    }

    /// How many pages each of these stands for, itself included.
    fn counts(&self, pages: ArrayIn) -> PyResult<ArrayOut> {
        let (told, pages) = (self.told()?, numbers(&pages)?);
        check_units(&pages, self.pages)?;
        let counts = pages.iter().map(|&page| i64::from(told.counts[page as usize]));
        Ok(PyArrowType(Int64Array::from_iter_values(counts).to_data()))
    }

    /// Joins pages that are the same.
    fn unite(&self, py: Python<'_>, forest: &mut PyForest) -> PyResult<()> {
        let told = self.told()?;
        if let Some(last) = self.pages.checked_sub(1) {
            check_pages(&[last], &forest.forest)?;
        }
        py.detach(|| {
            (0..).zip(&*told.stands).for_each(|(page, &stands)| forest.forest.unite(page, stands));
        });
        Ok(())
    }
}

impl PyChunkSets {
    fn told(&self) -> Result<&Copies> {
        self.told.as_ref().ok_or_else(|| BorderError::BadValue("not everything has come".into()))
    }
}
