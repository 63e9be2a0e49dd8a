//! Archive files in, batches of pages out.

mod judge;
mod page_rows;
mod parquet_rows;
mod swift_reader;

use pyo3::prelude::*;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<judge::PyJudge>()?;
    module.add_class::<judge::PyWanted>()?;
    module.add_class::<page_rows::PageRows>()?;
    module.add_class::<swift_reader::SwiftReader>()?;
    module.add_class::<parquet_rows::PyParquetRows>()?;
    module.add_function(wrap_pyfunction!(parquet_rows::is_parquet_footer, module)?)?;
    module.add_function(wrap_pyfunction!(parquet_rows::parquet_pages, module)?)
}
