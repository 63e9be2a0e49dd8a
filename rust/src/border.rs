//! The border to Python, and the only place that knows of it: Arrow batches in, Arrow batches out,
//! the interpreter lock released in between.

mod agreement;
mod arrays;
mod differences;
mod documents;
mod graph;
mod groups;
mod pages;
mod pairs;
mod paragraph_texts;
mod parquet_rows;
mod records;
mod shelves;
mod sketcher;
mod sketches;

use arrow_pyarrow::PyArrowType;
use arrow_schema::DataType;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// What may go wrong here: only what the Python side got wrong, never a page's content.
#[derive(Debug, thiserror::Error)]
enum BorderError {
    #[error("the batch has no column {0}")]
    NoColumn(&'static str),
    #[error("column {0} cannot be of type {1}")]
    BadType(&'static str, DataType),
    #[error("{0}")]
    BadValue(String),
    #[error(transparent)]
    Arrow(#[from] arrow_schema::ArrowError),
    #[error("a temporary file: {0}")]
    File(#[from] std::io::Error),
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl From<BorderError> for PyErr {
    fn from(error: BorderError) -> PyErr {
        match error {
            BorderError::Threads(_) => PyRuntimeError::new_err(error.to_string()),
            BorderError::File(error) => error.into(),
            _ => PyValueError::new_err(error.to_string()),
        }
    }
}

type Result<T> = std::result::Result<T, BorderError>;
type ArrayIn = PyArrowType<arrow_data::ArrayData>;
type ArrayOut = PyArrowType<arrow_data::ArrayData>;

/// Threads of one's own: as many as the caller asked for, whatever else runs.
fn threads_of(threads: usize) -> Result<rayon::ThreadPool> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?)
}

/// The registered domain of a host.
#[pyfunction]
fn registered(host: &str) -> &str {
    crate::sites::registered(host)
}

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<sketcher::Sketcher>()?;
    module.add_class::<records::PyJudge>()?;
    module.add_class::<records::PyWanted>()?;
    module.add_class::<records::PageRows>()?;
    module.add_class::<records::SwiftReader>()?;
    module.add_class::<parquet_rows::PyParquetRows>()?;
    module.add_class::<groups::PyForest>()?;
    module.add_class::<agreement::PyRepeats>()?;
    module.add_class::<agreement::PyRows>()?;
    module.add_class::<groups::PyKeys>()?;
    module.add_class::<groups::PyBands>()?;
    module.add_class::<groups::PyCandidates>()?;
    module.add_class::<groups::PyEvidence>()?;
    module.add_class::<shelves::PyShelf>()?;
    module.add_class::<shelves::PySets>()?;
    module.add_class::<pairs::PyPairing>()?;
    module.add_class::<documents::PyDocuments>()?;
    module.add_class::<paragraph_texts::PyParagraphTexts>()?;
    module.add_function(wrap_pyfunction!(differences::difference, module)?)?;
    module.add_function(wrap_pyfunction!(differences::term_differences, module)?)?;
    module.add_function(wrap_pyfunction!(groups::sizes, module)?)?;
    module.add_function(wrap_pyfunction!(pages::byte_lengths, module)?)?;
    module.add_class::<graph::PyGraph>()?;
    module.add_function(wrap_pyfunction!(graph::address_keys, module)?)?;
    module.add_function(wrap_pyfunction!(graph::link_keys, module)?)?;
    module.add_function(wrap_pyfunction!(graph::normal_address, module)?)?;
    module.add_function(wrap_pyfunction!(graph::text_keys, module)?)?;
    module.add_function(wrap_pyfunction!(registered, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
