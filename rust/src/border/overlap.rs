//! Chunks of pages in, pairs of pages that share enough of them out.

mod chunks;
mod search;
mod sets;
mod stars;

use pyo3::prelude::*;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<sets::PyChunkSets>()?;
    module.add_class::<search::PyChunkPostings>()?;
    module.add_class::<search::PyOverlaps>()?;
    module.add_class::<stars::PyOverlapStars>()
}
