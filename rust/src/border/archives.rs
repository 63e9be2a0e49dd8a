//! Archive files in, batches of pages out.

mod parquet_rows;
mod records;

use pyo3::prelude::*;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<records::PyJudge>()?;
    module.add_class::<records::PyWanted>()?;
    module.add_class::<records::PageRows>()?;
    module.add_class::<records::SwiftReader>()?;
    module.add_class::<parquet_rows::PyParquetRows>()
}
