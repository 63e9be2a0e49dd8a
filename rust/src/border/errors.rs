//! What may go wrong at the border, and which Python exception it becomes.

use arrow_schema::DataType;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// What may go wrong here: only what the Python side got wrong, never a page's content.
#[derive(Debug, thiserror::Error)]
pub enum BorderError {
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

pub type Result<T> = std::result::Result<T, BorderError>;
