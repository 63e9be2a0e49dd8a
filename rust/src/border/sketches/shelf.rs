//! `Shelf` and `Sets`: shingles go in while pages are sketched, sets of candidates come out.

use std::path::PathBuf;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, UInt32Array, make_array};
use arrow_pyarrow::PyArrowType;
use pyo3::prelude::*;

use crate::border::arrays::{ArrayIn, ArrayOut, numbers, one_each, unsigned};
use crate::border::errors::{BorderError, Result};
use crate::border::threads::{Threads, threads_of};
use crate::sketches::shelf::{Place, Shelf, Taken};

#[pyclass(name = "Shelf")]
pub struct PyShelf {
    shelf: Option<Shelf>,
    pool: Threads,
}

impl PyShelf {
    pub fn open(&mut self) -> Result<&mut Shelf> {
        let text = "the sets were taken from the shelf already";
        self.shelf.as_mut().ok_or_else(|| BorderError::BadValue(text.into()))
    }
}

#[pymethods]
impl PyShelf {
    #[new]
    fn new(folder: PathBuf, threads: usize) -> PyResult<PyShelf> {
        Ok(PyShelf { shelf: Some(Shelf::new(&folder)?), pool: threads_of(threads)? })
    }

    /// Bytes that lie there.
    #[getter]
    fn bytes(&mut self) -> PyResult<u64> {
        Ok(self.open()?.bytes())
    }

    /// Adds this to the numbers of all pages.
    fn renumber(&mut self, by: u32) -> PyResult<()> {
        self.open()?.renumber(by);
        Ok(())
    }

    /// Of these pages those that are not there.
    fn missing(&mut self, py: Python<'_>, pages: ArrayIn) -> PyResult<ArrayOut> {
        let pages = numbers(&pages)?;
        let open = self.open()?;
        let missing = py.detach(|| open.missing(&pages));
        Ok(PyArrowType(UInt32Array::from(missing).to_data()))
    }

    /// Puts lists of shingles there, one for each of these pages; a null list is an empty one.
    fn add(&mut self, py: Python<'_>, pages: ArrayIn, shingles: ArrayIn) -> PyResult<()> {
        let lists = make_array(shingles.0);
        let pages = one_each(&pages, lists.len())?;
        let open = self.open()?;
        let bad = || BorderError::BadType("shingles", lists.data_type().clone());
        let lists = lists.as_list_opt::<i32>().ok_or_else(bad)?;
        let values = lists.values().as_primitive_opt::<Int64Type>().ok_or_else(bad)?;
        py.detach(|| {
            for (row, page) in pages.into_iter().enumerate() {
                let (start, count) = if lists.is_valid(row) {
                    (lists.value_offsets()[row] as usize, lists.value_length(row))
                } else {
                    (0, 0)
                };
                let values = &unsigned(values.values())[start..][..count as usize];
                let start = open.write(values)?;
                open.note([Place { page, count: count as u32, start }]);
            }
            std::io::Result::Ok(())
        })?;
        Ok(())
    }

    /// The sets of these pages, which are the last that is taken from the shelf.
    fn take(&mut self, py: Python<'_>, pages: ArrayIn) -> PyResult<PySets> {
        let pages = numbers(&pages)?;
        self.open()?;
        let shelf = self.shelf.take();
        let taken = self.pool.run(py, || shelf.map(|shelf| shelf.take(&pages)).transpose())??;
        let text = || BorderError::BadValue("no shelf".into());
        Ok(PySets { taken: taken.ok_or_else(text)? })
    }
}

#[pyclass(name = "Sets", frozen)]
pub struct PySets {
    pub taken: Taken,
}

#[pymethods]
impl PySets {
    /// Whether none is missing.
    #[getter]
    fn complete(&self) -> bool {
        self.taken.sets().are_complete()
    }
}
