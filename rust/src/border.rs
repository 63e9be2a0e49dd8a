//! The border to Python, and the only place that knows of it: Arrow batches in, Arrow batches out,
//! the interpreter lock released in between. Its folders are those of the rooms.

mod accidents;
mod addresses;
mod archives;
mod arrays;
mod documents;
mod errors;
mod fingerprints;
mod graph;
mod groups;
mod overlap;
mod pages;
mod pairs;
mod sketches;
mod spilling;
mod threads;

use pyo3::prelude::*;

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    archives::register(module)?;
    pages::register(module)?;
    sketches::register(module)?;
    groups::register(module)?;
    pairs::register(module)?;
    documents::register(module)?;
    overlap::register(module)?;
    addresses::register(module)?;
    graph::register(module)?;
    fingerprints::register(module)?;
    spilling::register(module)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
