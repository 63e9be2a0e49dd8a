//! `ParagraphTexts`: the texts behind equal fingerprints go in, what is equal by accident comes out.

use std::path::PathBuf;

use arrow_array::{Array, Int64Array};
use arrow_buffer::ScalarBuffer;
use arrow_pyarrow::PyArrowType;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::border::arrays::{ArrayIn, ArrayOut, unsigned, values};
use crate::border::errors::{BorderError, Result};
use crate::border::pages::Pages;
use crate::documents::paragraph_texts::ParagraphTexts;
use crate::sketches::page::Page;

#[pyclass(name = "ParagraphTexts")]
pub struct PyParagraphTexts {
    paragraphs: ScalarBuffer<i64>,
    texts: ParagraphTexts,
}

#[pymethods]
impl PyParagraphTexts {
    #[new]
    fn new(py: Python<'_>, paragraphs: ArrayIn, folder: PathBuf) -> PyResult<PyParagraphTexts> {
        let paragraphs = values(&paragraphs)?;
        let texts = py.detach(|| ParagraphTexts::new(unsigned(&paragraphs), &folder))?;
        Ok(PyParagraphTexts { paragraphs, texts })
    }

    /// How many paragraphs had the fingerprint of another text.
    #[getter]
    fn accidents(&self) -> usize {
        self.texts.mended().len()
    }

    /// All paragraphs, those with values of their own.
    fn mended(&self) -> ArrayOut {
        let mut all = self.paragraphs.to_vec();
        for &(place, value) in self.texts.mended() {
            all[place] = value as i64;
        }
        PyArrowType(Int64Array::from(all).to_data())
    }
}

impl PyParagraphTexts {
    pub fn compare(
        &mut self,
        pages: &Pages,
        of: impl Fn(&Page<'_>) -> Vec<Vec<u8>> + Sync,
        starts: &[i64],
        ends: &[i64],
    ) -> Result<()> {
        let pages = pages.all()?;
        let within = |at: &i64| (0..=self.paragraphs.len() as i64).contains(at);
        if starts.len() != pages.len()
            || ends.len() != pages.len()
            || !starts.iter().chain(ends).all(within)
        {
            return Err(BorderError::BadValue("a start and an end for each page".into()));
        }
        let found: Vec<Vec<Vec<u8>>> =
            pages.par_iter().map(|page| page.as_ref().map_or_else(Vec::new, &of)).collect();
        for ((texts, &start), &end) in found.iter().zip(starts).zip(ends) {
            if texts.len() as i64 != end - start {
                let text = format!("{} paragraphs where {} were", texts.len(), end - start);
                return Err(BorderError::BadValue(text));
            }
            for (place, text) in (start as usize..).zip(texts) {
                self.texts.compare(place, self.paragraphs[place] as u64, text)?;
            }
        }
        Ok(self.texts.flush()?)
    }
}
