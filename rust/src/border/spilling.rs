//! `spill_into`: where large pieces of memory lie.

use std::path::PathBuf;

use pyo3::prelude::*;

use crate::spilling;

#[pyfunction]
#[pyo3(signature = (folder=None))]
fn spill_into(folder: Option<PathBuf>) {
    spilling::spill_into(folder.as_deref());
}

#[pyfunction]
fn spilled_pieces() -> usize {
    spilling::spilled_pieces()
}

#[pyfunction]
fn unspilled_pieces() -> usize {
    spilling::unspilled_pieces()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("LARGE", spilling::LARGE)?;
    module.add_function(wrap_pyfunction!(spill_into, module)?)?;
    module.add_function(wrap_pyfunction!(spilled_pieces, module)?)?;
    module.add_function(wrap_pyfunction!(unspilled_pieces, module)?)
}
