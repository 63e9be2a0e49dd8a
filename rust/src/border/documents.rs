//! Paragraphs of documents in, clusters of documents out.

mod duplicates;
pub mod paragraph_texts;
mod shared_paragraphs;

use pyo3::prelude::*;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<duplicates::PyDocuments>()?;
    module.add_class::<shared_paragraphs::PyParagraphIndex>()?;
    module.add_class::<paragraph_texts::PyParagraphTexts>()
}
