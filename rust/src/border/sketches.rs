//! Pages in, sketches and shingles out.

mod chunkings;
mod columns;
mod passages;
mod recipe_settings;
pub mod shelf;
mod sketcher;

use pyo3::prelude::*;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<sketcher::Sketcher>()?;
    module.add_class::<shelf::PyShelf>()?;
    module.add_class::<shelf::PySets>()
}
