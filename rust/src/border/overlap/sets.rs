//! `ChunkSets`: chunks of pages in, pages with the same ones out.

use std::path::PathBuf;

use arrow_array::{Array, BooleanArray, UInt32Array};
use arrow_buffer::BooleanBuffer;
use arrow_pyarrow::PyArrowType;
use pyo3::prelude::*;

use super::chunks::{Chunks, ROWS, check_bits, check_units, closed, groups_of, shortened};
use crate::border::arrays::{ArrayIn, ArrayOut, numbers};
use crate::border::errors::{BorderError, Result};
use crate::border::groups::forest::{PyForest, check_pages};
use crate::border::threads::threads_of;
use crate::groups::mapped_numbers::Numbers;
use crate::overlap::sets::Sets;

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
