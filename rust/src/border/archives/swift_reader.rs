//! `SwiftReader`: archive files in, pages into `PageRows`.

use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyList};

use super::judge::{PyJudge, PyWanted, skip_tuple};
use super::page_rows::PageRows;
use crate::archives::warc::{self, Flat, Judged, Members, Record, Skip, Swift, Wanted};

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
            skipped.append((place, skip_tuple(skip)))?;
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
            let Some(Record { place, judged, block }) = self.swift.read(&judge.judge) else {
                self.ended = true;
                return None;
            };
            let place = place as i64;
            if place <= self.after {
                continue;
            }
            match judged {
                Judged::Skip(skip) => skips.push((place, skip)),
                Judged::Page(wanted) if !judge.is_ready(&wanted) => {
                    self.after = place;
                    return Some(Kept { place, wanted, block: block.to_vec() });
                }
                Judged::Page(wanted) => {
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
