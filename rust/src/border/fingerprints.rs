//! Files and bytes in, their checksums out.

use std::path::PathBuf;

use pyo3::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use crate::fingerprints::checksum;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(file_checksum, module)?)?;
    module.add_function(wrap_pyfunction!(checksum_of, module)?)
}

/// The checksum of a file, as if all bytes from the first to the second place were `0`.
#[pyfunction]
#[pyo3(signature = (path, hole=(0, 0)))]
fn file_checksum(py: Python<'_>, path: PathBuf, hole: (u64, u64)) -> PyResult<String> {
    let found = py.detach(|| checksum::file_checksum(&path, hole.0..hole.1))?;
    Ok(format!("{found:032x}"))
}

/// The same of bytes.
#[pyfunction]
fn checksum_of(content: &[u8]) -> String {
    format!("{:032x}", xxh3_128(content))
}
