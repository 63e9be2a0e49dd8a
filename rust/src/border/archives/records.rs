//! `Judge`, `SwiftReader` and `PageRows`: archive files in, batches of pages out.

use std::sync::{Arc, Mutex};

use arrow_array::builder::{BooleanBuilder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, LargeBinaryArray, RecordBatch};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer};
use arrow_pyarrow::PyArrowType;
use bytes::Bytes;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::archives::warc::{self, Fields, Flat, Members, Record, Skip, Swift, Verdict, Wanted};
use crate::border::errors::Result;

#[pyclass(frozen, name = "Judge")]
pub struct PyJudge {
    judge: Arc<warc::Judge>,
    converted: Vec<String>,
}

#[pymethods]
impl PyJudge {
    #[new]
    fn new(
        statuses: Vec<u16>,
        mut types: Vec<String>,
        converted: Vec<String>,
        longest: u64,
    ) -> PyJudge {
        types.extend(converted.iter().cloned());
        PyJudge { judge: Arc::new(warc::Judge { statuses, types, longest }), converted }
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
            Verdict::Page(wanted) => Ok(Bound::new(py, PyWanted(*wanted))?.into_any()),
            Verdict::Skip(skip) => Ok(told(skip).into_pyobject(py)?.into_any()),
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
    fn is_ready(&self, wanted: &Wanted) -> bool {
        let encoded = |response: &warc::Response| response.chunked || !response.codings.is_empty();
        wanted.refers.is_some()
            || wanted.kind.as_ref().is_some_and(|kind| !self.converted.contains(kind))
                && !wanted.response.as_ref().is_some_and(encoded)
    }
}

type Told =
    (String, Option<String>, Option<String>, Option<String>, bool, Option<i64>, Option<i64>);

fn told(skip: Skip) -> Told {
    let Skip { reason, detail, url, location, failed, key, beside } = skip;
    (reason.into_owned(), detail, url, location, failed, key, beside)
}

#[pyclass(frozen, name = "Wanted")]
pub struct PyWanted(Wanted);

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

/// Large buffers that nobody uses just now. The system clears each one it gives out, which takes
/// longer than to fill it.
type Pool = Arc<Mutex<Vec<Vec<u8>>>>;

/// The bodies of a batch; their buffer goes back to the pool when the batch is gone.
struct Bodies {
    data: Vec<u8>,
    pool: Pool,
}

impl AsRef<[u8]> for Bodies {
    fn as_ref(&self) -> &[u8] {
        &self.data
    }
}

impl Drop for Bodies {
    fn drop(&mut self) {
        if let Ok(mut pool) = self.pool.lock() {
            pool.push(std::mem::take(&mut self.data));
        }
    }
}

#[pyclass]
pub struct PageRows {
    most_bytes: usize,
    most_pages: usize,
    pool: Pool,
    bodies: Vec<u8>,
    /// The length of each body; `None` where there is none.
    lengths: Vec<Option<usize>>,
    id: StringBuilder,
    url: StringBuilder,
    ip: StringBuilder,
    fetched: StringBuilder,
    place: Int64Builder,
    markup: BooleanBuilder,
    charset: StringBuilder,
    keys: ListBuilder<Int64Builder>,
    refers: ListBuilder<Int64Builder>,
    beside: Int64Builder,
}

#[pymethods]
impl PageRows {
    #[new]
    fn new(most_bytes: usize, most_pages: usize) -> PageRows {
        PageRows {
            most_bytes,
            most_pages,
            pool: Pool::default(),
            bodies: Vec::new(),
            lengths: Vec::new(),
            id: StringBuilder::new(),
            url: StringBuilder::new(),
            ip: StringBuilder::new(),
            fetched: StringBuilder::new(),
            place: Int64Builder::new(),
            markup: BooleanBuilder::new(),
            charset: StringBuilder::new(),
            keys: ListBuilder::new(Int64Builder::new()),
            refers: ListBuilder::new(Int64Builder::new()),
            beside: Int64Builder::new(),
        }
    }

    fn __len__(&self) -> usize {
        self.lengths.len()
    }

    fn has_room(&self, size: usize) -> bool {
        let rows = self.lengths.len();
        rows == 0 || self.bodies.len() + size <= self.most_bytes && rows < self.most_pages
    }

    #[pyo3(signature = (place, wanted, body, r#type, charset))]
    fn add(
        &mut self,
        place: i64,
        wanted: &PyWanted,
        body: Option<&[u8]>,
        r#type: Option<&str>,
        charset: Option<&str>,
    ) {
        self.push(place, &wanted.0, body, r#type, charset);
    }

    fn take(&mut self) -> Result<PyArrowType<RecordBatch>> {
        let data = std::mem::take(&mut self.bodies);
        let lengths = std::mem::take(&mut self.lengths);
        let body = LargeBinaryArray::try_new(
            OffsetBuffer::from_lengths(lengths.iter().map(|length| length.unwrap_or(0))),
            // What one huge page needed is not held for ever.
            if data.capacity() > 2 * self.most_bytes {
                Buffer::from(data)
            } else {
                Bytes::from_owner(Bodies { data, pool: self.pool.clone() }).into()
            },
            Some(lengths.iter().map(Option::is_some).collect::<NullBuffer>()),
        )?;
        let columns: [(&str, ArrayRef); 11] = [
            ("id", Arc::new(self.id.finish())),
            ("url", Arc::new(self.url.finish())),
            ("ip", Arc::new(self.ip.finish())),
            ("fetched", Arc::new(self.fetched.finish())),
            ("place", Arc::new(self.place.finish())),
            ("markup", Arc::new(self.markup.finish())),
            ("charset", Arc::new(self.charset.finish())),
            ("body", Arc::new(body)),
            ("keys", Arc::new(self.keys.finish())),
            ("refers", Arc::new(self.refers.finish())),
            ("beside", Arc::new(self.beside.finish())),
        ];
        Ok(PyArrowType(RecordBatch::try_from_iter(columns)?))
    }
}

impl PageRows {
    fn push(
        &mut self,
        place: i64,
        wanted: &Wanted,
        body: Option<&[u8]>,
        kind: Option<&str>,
        charset: Option<&str>,
    ) {
        if self.lengths.is_empty() {
            let spare = self.pool.lock().ok().and_then(|mut pool| pool.pop());
            // As large as it may become: what grows is copied again and again.
            self.bodies = spare.unwrap_or_else(|| Vec::with_capacity(self.most_bytes));
            self.bodies.clear();
        }
        self.bodies.extend_from_slice(body.unwrap_or_default());
        self.lengths.push(body.map(<[u8]>::len));
        self.id.append_option(wanted.id.as_ref());
        self.url.append_option(wanted.url.as_ref());
        self.ip.append_option(wanted.ip.as_ref());
        self.fetched.append_option(wanted.date.as_ref());
        self.place.append_value(place);
        self.markup.append_value(warc::is_markup(kind.unwrap_or("text/html")));
        self.charset.append_option(charset);
        self.beside.append_option(wanted.beside);
        self.keys.append_value(wanted.keys.iter().copied().map(Some));
        self.refers
            .append_option(wanted.refers.as_ref().map(|refers| refers.iter().copied().map(Some)));
    }

    /// Takes in a page whose body is the rest of its block; false if there is no room.
    fn push_block(&mut self, place: i64, wanted: &Wanted, block: &[u8]) -> bool {
        let start = wanted.response.as_ref().map_or(0, |response| response.start);
        let body = wanted.refers.is_none().then(|| &block[start..]);
        let room = self.has_room(body.map_or(0, <[u8]>::len));
        if room {
            self.push(place, wanted, body, wanted.kind.as_deref(), wanted.charset.as_deref());
        }
        room
    }
}

/// A page that did not fit, or that Python has to decode.
struct Kept {
    place: i64,
    wanted: Box<Wanted>,
    block: Vec<u8>,
}

#[pyclass]
pub struct SwiftReader {
    swift: Swift,
    judge: Py<PyJudge>,
    after: i64,
    /// The page that did not fit into the rows of the last call.
    kept: Option<Kept>,
    ended: bool,
    failure: Arc<Mutex<Option<PyErr>>>,
}

#[pymethods]
impl SwiftReader {
    #[new]
    fn new(file: Py<PyAny>, start: u64, gzip: bool, judge: Py<PyJudge>, after: i64) -> SwiftReader {
        let failure = Arc::new(Mutex::new(None));
        let read = reading(file, failure.clone());
        let swift = Swift::new(if gzip {
            Box::new(Members::new(read, start))
        } else {
            Box::new(Flat::new(read, start))
        });
        SwiftReader { swift, judge, after, kept: None, ended: false, failure }
    }

    /// Whether all that can be read has been given.
    #[getter]
    fn ended(&self) -> bool {
        self.ended
    }

    /// The place of the last record that was given.
    #[getter]
    fn last(&self) -> i64 {
        self.after
    }

    fn read<'py>(
        &mut self,
        py: Python<'py>,
        rows: &mut PageRows,
        skipped: &Bound<'py, PyList>,
        most: usize,
    ) -> PyResult<Option<(i64, PyWanted, Bound<'py, PyBytes>)>> {
        let judge = self.judge.clone_ref(py);
        let mut skips = Vec::new();
        let room = most.saturating_sub(skipped.len());
        let found = py.detach(|| self.advance(judge.get(), rows, &mut skips, room));
        for (place, skip) in skips {
            skipped.append((place, told(skip)))?;
        }
        match self.failure.lock().ok().and_then(|mut failure| failure.take()) {
            Some(error) => Err(error),
            None => Ok(found
                .map(|kept| (kept.place, PyWanted(*kept.wanted), PyBytes::new(py, &kept.block)))),
        }
    }
}

impl SwiftReader {
    fn advance(
        &mut self,
        judge: &PyJudge,
        rows: &mut PageRows,
        skips: &mut Vec<(i64, Skip)>,
        room: usize,
    ) -> Option<Kept> {
        if let Some(kept) = self.kept.take() {
            if !rows.push_block(kept.place, &kept.wanted, &kept.block) {
                self.kept = Some(kept);
                return None;
            }
            self.after = kept.place;
        }
        while skips.len() < room {
            let Some(Record { place, verdict, block }) = self.swift.read(&judge.judge) else {
                self.ended = true;
                return None;
            };
            let place = place as i64;
            if place <= self.after {
                continue;
            }
            match verdict {
                Verdict::Skip(skip) => skips.push((place, skip)),
                Verdict::Page(wanted) if !judge.is_ready(&wanted) => {
                    self.after = place;
                    return Some(Kept { place, wanted, block: block.to_vec() });
                }
                Verdict::Page(wanted) => {
                    if !rows.push_block(place, &wanted, block) {
                        self.kept = Some(Kept { place, wanted, block: block.to_vec() });
                        return None;
                    }
                }
            }
            self.after = place;
        }
        None
    }
}

/// Reads from a Python file; what goes wrong is noted, and the file ends there.
fn reading(file: Py<PyAny>, failure: Arc<Mutex<Option<PyErr>>>) -> warc::Read {
    const SIZE: usize = 256 << 10;
    Box::new(move || {
        let read = Python::attach(|py| -> PyResult<Vec<u8>> {
            let data: PyBackedBytes = file.call_method1(py, "read", (SIZE,))?.extract(py)?;
            Ok(data.to_vec())
        });
        read.unwrap_or_else(|error| {
            if let Ok(mut slot) = failure.lock() {
                *slot = Some(error);
            }
            Vec::new()
        })
    })
}
