//! `PageRows`: pages in, one by one, batches out.

use std::sync::{Arc, Mutex};

use arrow_array::builder::{
    BinaryBuilder, BooleanBuilder, Int64Builder, ListBuilder, StringBuilder,
};
use arrow_array::{ArrayRef, LargeBinaryArray, RecordBatch};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer};
use arrow_pyarrow::PyArrowType;
use bytes::Bytes;
use pyo3::prelude::*;

use super::judge::PyWanted;
use crate::archives::warc::{Form, Wanted};
use crate::border::errors::Result;

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
    stored_digest: BinaryBuilder,
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
            stored_digest: BinaryBuilder::new(),
        }
    }

    fn __len__(&self) -> usize {
        self.lengths.len()
    }

    fn has_room(&self, size: usize) -> bool {
        let rows = self.lengths.len();
        rows == 0 || self.bodies.len() + size <= self.most_bytes && rows < self.most_pages
    }

    #[pyo3(signature = (place, wanted, body, r#type, charset, stored_digest))]
    fn add(
        &mut self,
        place: i64,
        wanted: &PyWanted,
        body: Option<&[u8]>,
        r#type: Option<&str>,
        charset: Option<&str>,
        stored_digest: Option<&[u8]>,
    ) {
        self.push(place, &wanted.0, body, r#type, charset, stored_digest);
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
        let columns: [(&str, ArrayRef); 12] = [
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
            ("stored_digest", Arc::new(self.stored_digest.finish())),
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
        stored_digest: Option<&[u8]>,
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
        let form = Form::of(kind.unwrap_or("text/html"), body.unwrap_or_default());
        self.markup.append_option((form != Form::Opaque).then_some(form == Form::Markup));
        self.charset.append_option(charset);
        self.beside.append_option(wanted.beside);
        self.stored_digest.append_option(stored_digest);
        self.keys.append_value(wanted.keys.iter().copied().map(Some));
        self.refers
            .append_option(wanted.refers.as_ref().map(|refers| refers.iter().copied().map(Some)));
    }

    /// Takes in a page whose body is the rest of its block; false if there is no room.
    pub fn push_block(&mut self, place: i64, wanted: &Wanted, block: &[u8]) -> bool {
        let start = wanted.response.as_ref().map_or(0, |response| response.start);
        let body = wanted.refers.is_none().then(|| &block[start..]);
        let room = self.has_room(body.map_or(0, <[u8]>::len));
        if room {
            let (kind, charset) = (wanted.kind.as_deref(), wanted.charset.as_deref());
            self.push(place, wanted, body, kind, charset, None);
        }
        room
    }
}
