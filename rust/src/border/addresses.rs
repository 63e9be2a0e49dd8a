//! Addresses in, their normal forms, keys and sites out.

use arrow_array::cast::AsArray;
use arrow_array::{Array, Int64Array, RecordBatch, StringArray, make_array};
use arrow_pyarrow::PyArrowType;
use pyo3::prelude::*;
use rayon::prelude::*;

use super::arrays::{ArrayIn, ArrayOut, strings};
use super::errors::BorderError;
use super::threads::threads_of;
use crate::addresses::{normal_form, sites};

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(normal_address, module)?)?;
    module.add_function(wrap_pyfunction!(address_keys, module)?)?;
    module.add_function(wrap_pyfunction!(link_keys, module)?)?;
    module.add_function(wrap_pyfunction!(text_keys, module)?)?;
    module.add_function(wrap_pyfunction!(registered, module)?)
}

/// The normal form of an address, absolute or as seen from a base.
#[pyfunction]
#[pyo3(signature = (address, base=None))]
fn normal_address(address: &str, base: Option<&str>) -> Option<String> {
    normal_form::normal(address, base)
}

/// The key of each page's address, and of the folder that it answers for.
#[pyfunction]
fn address_keys(
    py: Python<'_>,
    pages: PyArrowType<RecordBatch>,
    threads: usize,
) -> PyResult<(ArrayOut, ArrayOut)> {
    let pool = threads_of(threads)?;
    let urls = strings(&pages.0, "url")?;
    let keys = |of: fn(&str) -> Option<u64>| -> PyResult<ArrayOut> {
        let key = |url: Option<&str>| url.and_then(of).map(|key| key as i64);
        let found: Vec<Option<i64>> =
            pool.run(py, || urls.par_iter().copied().map(key).collect())?;
        Ok(PyArrowType(Int64Array::from(found).to_data()))
    };
    Ok((keys(normal_form::page_key)?, keys(normal_form::folder_key)?))
}

/// The key of what each of these links leads to, as seen from the address beside it.
#[pyfunction]
fn link_keys(py: Python<'_>, links: PyArrowType<RecordBatch>) -> PyResult<ArrayOut> {
    let (links, from) = (strings(&links.0, "location")?, strings(&links.0, "url")?);
    let keys: Vec<Option<i64>> = py.detach(|| {
        let mut resolver = normal_form::Resolver::default();
        let pairs = links.iter().zip(&from);
        pairs
            .map(|(link, from)| {
                let base = from.and_then(normal_form::Base::of_page);
                resolver.key((*link)?, base.as_ref()).map(|key| key as i64)
            })
            .collect()
    });
    Ok(PyArrowType(Int64Array::from(keys).to_data()))
}

/// The key of each text, for what has no address: hosts.
#[pyfunction]
fn text_keys(texts: ArrayIn) -> PyResult<ArrayOut> {
    let array = make_array(texts.0);
    let texts: &StringArray = array
        .as_string_opt::<i32>()
        .ok_or(BorderError::BadType("texts", array.data_type().clone()))?;
    let key = |text: Option<&str>| text.map(|text| normal_form::text_key(text) as i64);
    Ok(PyArrowType(texts.iter().map(key).collect::<Int64Array>().to_data()))
}

/// The registered domain of a host.
#[pyfunction]
fn registered(host: &str) -> &str {
    sites::registered(host)
}
