//! `ParagraphIndex`: paragraphs of old documents in, new documents that share enough of them out.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, UInt32Array};
use arrow_pyarrow::PyArrowType;
use pyo3::prelude::*;
use rayon::prelude::*;

use super::duplicates::PyDocuments;
use crate::border::arrays::{ArrayIn, ArrayOut, numbers, one_each};
use crate::border::errors::{BorderError, Result};
use crate::documents::duplicates::Documents;
use crate::documents::shared_paragraphs::{Counter, Found, Index, Link, Wanted, shared};

/// Said of a document that has none of its own address.
const NONE: u32 = u32::MAX;

#[pyclass(name = "ParagraphIndex", frozen)]
pub struct PyParagraphIndex {
    old: Py<PyDocuments>,
    index: Index,
}

#[pymethods]
impl PyParagraphIndex {
    /// Of old documents; paragraphs that more than `most` of them have are left out.
    #[new]
    fn new(py: Python<'_>, old: Py<PyDocuments>, most: usize) -> PyResult<PyParagraphIndex> {
        let documents = old.get();
        let all = documents.all()?;
        let index = documents.pool.run(py, || Index::new(&all, most))?;
        Ok(PyParagraphIndex { old, index })
    }

    /// How many paragraphs are left out.
    #[getter]
    fn left_out(&self) -> usize {
        self.index.left_out().len()
    }

    /// How many of them each document has.
    fn left_out_of(&self) -> ArrayOut {
        PyArrowType(UInt32Array::from(self.index.left_out_of().to_vec()).to_data())
    }

    /// Looks new documents up: wanted are they, their own old ones, and whether others have the same.
    fn look_up(
        &self,
        py: Python<'_>,
        new: &PyDocuments,
        lengths: &PyDocuments,
        wanted: (ArrayIn, ArrayIn, ArrayIn),
        least: u32,
    ) -> PyResult<(PyArrowType<RecordBatch>, PyArrowType<RecordBatch>)> {
        let (old, new, lengths) = (self.old.get().all()?, new.all()?, lengths.all()?);
        let documents = numbers(&wanted.0)?;
        let own = one_each(&wanted.1, documents.len())?;
        let others = one_each(&wanted.2, documents.len())?;
        check(&documents, &new)?;
        check(&documents, &lengths)?;
        check(&own.iter().copied().filter(|&each| each != NONE).collect::<Vec<_>>(), &old)?;
        let wanted = |at: usize| Wanted {
            document: documents[at],
            own: (own[at] != NONE).then_some(own[at]),
            others: others[at] > 0,
        };
        let found: Vec<Found> = self.old.get().pool.run(py, || {
            (0..documents.len())
                .into_par_iter()
                .with_min_len(16)
                .map_init(Counter::default, |counter, at| {
                    self.index.look_up(&old, &new, &lengths, wanted(at), least.max(1), counter)
                })
                .collect()
        })?;
        Ok((PyArrowType(links_batch(&found)?), PyArrowType(found_batch(&found)?)))
    }

    /// What pairs of a new document and an old one share.
    fn shared(
        &self,
        py: Python<'_>,
        new: &PyDocuments,
        lengths: &PyDocuments,
        news: ArrayIn,
        olds: ArrayIn,
    ) -> PyResult<(ArrayOut, ArrayOut)> {
        let (old, new, lengths) = (self.old.get().all()?, new.all()?, lengths.all()?);
        let news = numbers(&news)?;
        let olds = one_each(&olds, news.len())?;
        check(&news, &new)?;
        check(&news, &lengths)?;
        check(&olds, &old)?;
        let one = |(&n, &o): (&u32, &u32)| {
            shared(new.paragraphs(n), lengths.paragraphs(n), old.paragraphs(o))
        };
        let found: Vec<(u32, u64)> =
            self.old.get().pool.run(py, || news.par_iter().zip(&olds).map(one).collect())?;
        let array = |of: &dyn Fn(&(u32, u64)) -> i64| {
            PyArrowType(Int64Array::from_iter_values(found.iter().map(of)).to_data())
        };
        Ok((array(&|each| i64::from(each.0)), array(&|each| each.1 as i64)))
    }
}

fn check(wanted: &[u32], documents: &Documents<'_>) -> Result<()> {
    match wanted.iter().find(|&&each| each as usize >= documents.len()) {
        Some(each) => Err(BorderError::BadValue(format!("document {each}"))),
        None => Ok(()),
    }
}

fn links_batch(found: &[Found]) -> Result<RecordBatch> {
    let links = || {
        let numbered = (0i64..).zip(found);
        numbered.flat_map(|(at, each)| each.links.iter().map(move |link| (at, link)))
    };
    let column = |of: &dyn Fn((i64, &Link)) -> i64| -> ArrayRef {
        Arc::new(Int64Array::from_iter_values(links().map(of)))
    };
    Ok(RecordBatch::try_from_iter([
        ("new", column(&|(at, _)| at)),
        ("old", column(&|(_, link)| i64::from(link.old))),
        ("shared", column(&|(_, link)| i64::from(link.shared))),
        ("chars", column(&|(_, link)| link.chars as i64)),
    ])?)
}

fn found_batch(found: &[Found]) -> Result<RecordBatch> {
    let column = |of: &dyn Fn(&Found) -> i64| -> ArrayRef {
        Arc::new(Int64Array::from_iter_values(found.iter().map(of)))
    };
    Ok(RecordBatch::try_from_iter([
        ("own_shared", column(&|each| i64::from(each.own_shared))),
        ("left_out", column(&|each| i64::from(each.left_out))),
        ("chars", column(&|each| each.chars as i64)),
        ("kept", column(&|each| each.kept as i64)),
        ("reused", column(&|each| each.reused as i64)),
    ])?)
}
