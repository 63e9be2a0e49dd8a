//! `Pages`: a batch of pages as Python hands it over.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BooleanArray, Int64Array, RecordBatch, make_array};
use arrow_data::ArrayData;
use arrow_pyarrow::{FromPyArrowUnchecked, PyArrowType};
use arrow_schema::DataType;
use pyo3::prelude::*;

use super::arrays::{ArrayOut, bytes, column, strings};
use super::errors::{BorderError, Result};
use crate::fingerprints::digest::digest as digest_of;
use crate::sketches::page::Page;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(byte_lengths, module)?)?;
    module.add_function(wrap_pyfunction!(digest, module)?)
}

/// Its columns are valid, but for the text of bodies: that is checked page by page where it is
/// read, on many threads, and only there can it be mended.
pub struct Pages {
    batch: RecordBatch,
    body: ArrayRef,
    /// Bodies are text already, not bytes in some charset.
    decoded: bool,
}

/// The same bodies as bytes, each within its bounds, so that their text need not be valid.
fn untyped(bodies: ArrayData) -> Result<ArrayRef> {
    let bytes = match bodies.data_type() {
        DataType::Utf8 => DataType::Binary,
        DataType::LargeUtf8 => DataType::LargeBinary,
        DataType::Utf8View => DataType::BinaryView,
        other => other.clone(),
    };
    // SAFETY: text and bytes are laid out alike, and the next line checks the bounds.
    let data = unsafe { bodies.into_builder().data_type(bytes).build_unchecked() };
    data.validate_full()?;
    Ok(make_array(data))
}

/// The digest of bytes, as sketches have it.
#[pyfunction]
fn digest(py: Python<'_>, bytes: &[u8]) -> [u8; 16] {
    py.detach(|| digest_of(bytes))
}

/// How many bytes each body has, 0 where there is none.
#[pyfunction]
fn byte_lengths(bodies: &Bound<'_, PyAny>) -> PyResult<ArrayOut> {
    // SAFETY: `untyped` checks the bounds before any value is used.
    let data = unsafe { ArrayData::from_pyarrow_bound_unchecked(bodies)? };
    let lengths = bodies.py().detach(|| -> Result<Int64Array> {
        let bodies = untyped(data)?;
        let lengths = bytes(&bodies)?.into_iter().map(|body| body.map_or(0, <[u8]>::len) as i64);
        Ok(Int64Array::from_iter_values(lengths))
    })?;
    Ok(PyArrowType(lengths.into_data()))
}

impl FromPyObject<'_, '_> for Pages {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, '_, PyAny>) -> PyResult<Pages> {
        // SAFETY: `checked` looks at all columns before any of their values is used.
        let batch = unsafe { RecordBatch::from_pyarrow_bound_unchecked(&value)? };
        Ok(Pages::checked(batch)?)
    }
}

impl Pages {
    fn checked(batch: RecordBatch) -> Result<Pages> {
        let body = column(&batch, "body")?;
        let decoded = matches!(
            body.data_type(),
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null
        );
        let body = untyped(body.to_data())?;
        for (field, other) in batch.schema().fields().iter().zip(batch.columns()) {
            if field.name() != "body" {
                other.to_data().validate_full()?;
            }
        }
        Ok(Pages { batch, body, decoded })
    }

    pub fn len(&self) -> usize {
        self.body.len()
    }

    /// Each page; none where a row has no body.
    pub fn all(&self) -> Result<Vec<Option<Page<'_>>>> {
        let markup: &BooleanArray = column(&self.batch, "markup")?
            .as_boolean_opt()
            .ok_or(BorderError::BadType("markup", DataType::Boolean))?;
        let (charsets, urls) = (strings(&self.batch, "charset")?, strings(&self.batch, "url")?);
        let sites = self.batch.column_by_name("site").map(|_| strings(&self.batch, "site"));
        let sites = sites.transpose()?;
        let stored = self.batch.column_by_name("stored_digest").map(bytes).transpose()?;
        let bodies = bytes(&self.body)?.into_iter().enumerate();
        Ok(bodies
            .map(|(row, body)| {
                body.map(|body| Page {
                    body,
                    markup: markup.is_valid(row) && markup.value(row),
                    opaque: markup.is_null(row),
                    decoded: self.decoded,
                    charset: charsets[row],
                    url: urls[row],
                    site: sites.as_ref().and_then(|sites| sites[row]),
                    stored: stored.as_ref().and_then(|stored| stored[row]),
                })
            })
            .collect())
    }
}
