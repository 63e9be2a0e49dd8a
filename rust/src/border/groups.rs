//! Sketches in, clusters and stars out.

mod agreement;
pub mod candidates;
mod evidence;
pub mod forest;

use pyo3::prelude::*;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<forest::PyForest>()?;
    module.add_class::<agreement::PyRepeats>()?;
    module.add_class::<agreement::PyRows>()?;
    module.add_class::<forest::PyKeys>()?;
    module.add_class::<candidates::PyBands>()?;
    module.add_class::<candidates::PyCandidates>()?;
    module.add_class::<evidence::PyEvidence>()?;
    module.add_function(wrap_pyfunction!(forest::sizes, module)?)
}
