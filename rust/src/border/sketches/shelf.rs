//! `Shelf` and `Sets`: tokens go in while pages are sketched, sets of shingles of candidates come out,
//! and how many words of a page another lacks.

use std::path::PathBuf;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, Int64Array, UInt32Array, make_array};
use arrow_pyarrow::PyArrowType;
use pyo3::prelude::*;

use super::recipe_settings::RecipeSettings;
use crate::border::arrays::{ArrayIn, ArrayOut, numbers, one_each, unsigned};
use crate::border::errors::{BorderError, Result};
use crate::border::threads::{Threads, threads_of};
use crate::differences::lost_words::lost_words as words_lost;
use crate::sketches::shelf::{Place, Shelf, Taken};

#[pyclass(name = "Shelf")]
pub struct PyShelf {
    shelf: Option<Shelf>,
    pool: Threads,
}

impl PyShelf {
    pub fn open(&mut self) -> Result<&mut Shelf> {
        self.shelf.as_mut().ok_or_else(closed)
    }
}

#[pymethods]
impl PyShelf {
    #[new]
    #[pyo3(signature = (folder, threads, *, words=false))]
    fn new(folder: PathBuf, threads: usize, words: bool) -> PyResult<PyShelf> {
        Ok(PyShelf { shelf: Some(Shelf::new(&folder, words)?), pool: threads_of(threads)? })
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
                open.note_shingles(Place { page, count: count as u32, start });
            }
            std::io::Result::Ok(())
        })?;
        Ok(())
    }

    /// The sets of shingles of these pages, made of their tokens as the recipe says: the last that
    /// are taken.
    fn take(&mut self, py: Python<'_>, pages: ArrayIn, recipe: RecipeSettings) -> PyResult<PySets> {
        let (pages, recipe) = (numbers(&pages)?, recipe.ready(None)?);
        let PyShelf { shelf, pool } = self;
        let open = shelf.as_mut().ok_or_else(closed)?;
        Ok(PySets {
            taken: pool.run(py, || {
                open.take(&pages, |tokens, shingles| {
                    recipe.shingle(tokens, shingles);
                })
            })??,
        })
    }

    /// How many words of the pages on the left those on the right lack, null where one is not there.
    fn lost_words(&mut self, py: Python<'_>, left: ArrayIn, right: ArrayIn) -> PyResult<ArrayOut> {
        let (left, right) = (numbers(&left)?, numbers(&right)?);
        if left.len() != right.len() {
            Err(BorderError::BadValue("pairs need two pages each".into()))?;
        }
        let PyShelf { shelf, pool } = self;
        let open = shelf.as_mut().ok_or_else(closed)?;
        let pairs: Vec<(usize, usize)> =
            (0..left.len()).map(|pair| (pair, left.len() + pair)).collect();
        let pages = [left, right].concat();
        let found =
            pool.run(py, || open.words(&pages).map(|words| words_lost(words.sets(), &pairs)))??;
        let counts: Int64Array = found.into_iter().map(|count| count.map(|n| n as i64)).collect();
        Ok(PyArrowType(counts.to_data()))
    }

    /// Gives up all that lies there.
    fn close(&mut self) {
        self.shelf = None;
    }
}

fn closed() -> BorderError {
    BorderError::BadValue("the shelf is closed".into())
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
