//! `Judge` and `Wanted`: headers of records in, which of them are pages out.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyDict;

use crate::archives::warc::{self, Fields, Judged, Skip, Wanted};

#[pyclass(frozen, name = "Judge")]
pub struct PyJudge {
    pub judge: Arc<warc::Judge>,
    converted: Vec<String>,
}

#[pymethods]
impl PyJudge {
    #[new]
    #[pyo3(signature = (statuses, types, converted, longest, too_long="too long"))]
    fn new(
        statuses: Vec<u16>,
        mut types: Vec<String>,
        converted: Vec<String>,
        longest: u64,
        too_long: &str,
    ) -> PyJudge {
        types.extend(converted.iter().cloned());
        let too_long = too_long.to_owned();
        PyJudge { judge: Arc::new(warc::Judge { statuses, types, longest, too_long }), converted }
    }

    fn judge<'py>(
        &self,
        py: Python<'py>,
        fields: &Bound<'py, PyDict>,
        head: &[u8],
        length: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let owned: Vec<(PyBackedBytes, PyBackedBytes)> = fields
            .iter()
            .map(|(name, value)| Ok((name.extract()?, value.extract()?)))
            .collect::<PyResult<_>>()?;
        let mut fields = Fields::default();
        for (name, value) in &owned {
            fields.set(name, value);
        }
        match self.judge.judge(&fields, head, length) {
            Judged::Page(wanted) => Ok(Bound::new(py, PyWanted(*wanted))?.into_any()),
            Judged::Skip(skip) => Ok(skip_tuple(skip).into_pyobject(py)?.into_any()),
        }
    }

    /// So many bytes of a block are enough to judge it.
    #[classattr]
    const HEAD: usize = warc::HEAD;

    /// Whether documents of this media type are pages.
    fn wants(&self, kind: &str) -> bool {
        self.judge.wants(kind)
    }
}

impl PyJudge {
    /// Whether the page's body is just the rest of its block.
    pub fn is_ready(&self, wanted: &Wanted) -> bool {
        let encoded = |response: &warc::Response| response.chunked || !response.codings.is_empty();
        wanted.refers.is_some()
            || wanted.kind.as_ref().is_some_and(|kind| !self.converted.contains(kind))
                && !wanted.response.as_ref().is_some_and(encoded)
    }
}

pub type SkipTuple =
    (String, Option<String>, Option<String>, Option<String>, bool, Option<i64>, Option<i64>);

pub fn skip_tuple(skip: Skip) -> SkipTuple {
    let Skip { reason, detail, url, location, failed, key, beside } = skip;
    (reason.into_owned(), detail, url, location, failed, key, beside)
}

#[pyclass(frozen, name = "Wanted")]
pub struct PyWanted(pub Wanted);

#[pymethods]
impl PyWanted {
    #[getter]
    fn url(&self) -> Option<&str> {
        self.0.url.as_deref()
    }

    #[getter]
    fn r#type(&self) -> Option<&str> {
        self.0.kind.as_deref()
    }

    #[getter]
    fn charset(&self) -> Option<&str> {
        self.0.charset.as_deref()
    }

    #[getter]
    fn revisit(&self) -> bool {
        self.0.refers.is_some()
    }

    /// Where the body begins in the block.
    #[getter]
    fn start(&self) -> usize {
        self.0.response.as_ref().map_or(0, |response| response.start)
    }

    #[getter]
    fn length(&self) -> Option<u64> {
        self.0.response.as_ref()?.length
    }

    #[getter]
    fn chunked(&self) -> bool {
        self.0.response.as_ref().is_some_and(|response| response.chunked)
    }

    #[getter]
    fn codings(&self) -> Vec<String> {
        self.0.response.as_ref().map_or_else(Vec::new, |response| response.codings.clone())
    }
}
