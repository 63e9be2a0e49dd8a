//! Sketches or tokens in, pairs and differences out.

mod differences;
mod features_in_common;
mod pairing;

use pyo3::prelude::*;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<pairing::PyPairing>()?;
    module.add_function(wrap_pyfunction!(pairing::pair_stars, module)?)?;
    module.add_function(wrap_pyfunction!(features_in_common::features_in_common, module)?)?;
    module.add_function(wrap_pyfunction!(differences::difference, module)?)?;
    module.add_function(wrap_pyfunction!(differences::term_differences, module)?)?;
    module.add_function(wrap_pyfunction!(differences::equal_words, module)?)
}
