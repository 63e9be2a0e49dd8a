//! `Documents`: paragraphs of documents in, clusters of duplicates and near-duplicates out.

use arrow_array::{Array, UInt32Array};
use arrow_buffer::ScalarBuffer;
use arrow_pyarrow::PyArrowType;
use pyo3::prelude::*;

use crate::border::arrays::{ArrayIn, ArrayOut, one_each, unsigned, values};
use crate::border::errors::{BorderError, Result};
use crate::border::threads::{Threads, threads_of};
use crate::documents::duplicates::Documents;
use crate::documents::growth::Growth;
use crate::documents::near_duplicates::unite_near;
use crate::groups::clusters::Forest;

#[pyclass(name = "Documents", frozen)]
pub struct PyDocuments {
    values: ScalarBuffer<i64>,
    starts: ScalarBuffer<i64>,
    ends: ScalarBuffer<i64>,
    pub pool: Threads,
}

#[pymethods]
impl PyDocuments {
    #[new]
    fn new(
        paragraphs: ArrayIn,
        starts: ArrayIn,
        ends: ArrayIn,
        threads: usize,
    ) -> PyResult<PyDocuments> {
        let (values, starts, ends) = (values(&paragraphs)?, values(&starts)?, values(&ends)?);
        if u32::try_from(starts.len()).is_err() {
            return Err(BorderError::BadValue("too many documents".into()).into());
        }
        let documents = PyDocuments { values, starts, ends, pool: threads_of(threads)? };
        documents.all()?;
        Ok(documents)
    }

    /// The clusters of documents that are equal as multisets.
    fn equal(&self, py: Python<'_>) -> PyResult<ArrayOut> {
        let all = self.all()?;
        let forest = Forest::new(all.len() as u32);
        self.pool.run(py, || all.unite_equal(&forest))?;
        Ok(clusters(py, &forest))
    }

    /// The clusters of documents that have the same paragraphs in the same order.
    fn identical(&self, py: Python<'_>) -> PyResult<ArrayOut> {
        let all = self.all()?;
        let forest = Forest::new(all.len() as u32);
        self.pool.run(py, || all.unite_identical(&forest))?;
        Ok(clusters(py, &forest))
    }

    /// The clusters of documents that the paper's match holds together, and the number of pairs that
    /// match without being equal; `equal` are the clusters of equal ones.
    fn matching(&self, py: Python<'_>, equal: ArrayIn) -> PyResult<(ArrayOut, u64)> {
        let all = self.all()?;
        let equal = self.clusters_of(&equal)?;
        let pairs = self.pool.run(py, || {
            let forest = united(&equal);
            let mut counts = vec![0; equal.len()];
            for (document, &cluster) in equal.iter().enumerate() {
                let has = !all.paragraphs(document as u32).is_empty();
                counts[cluster as usize] += u32::from(has);
            }
            let pairs = all.unite_matching(&counts, &forest);
            (forest, pairs)
        })?;
        Ok((clusters(py, &pairs.0), pairs.1))
    }

    /// The clusters of documents that are found step by step: parts of the documents in this order, each
    /// ending at one of `ends`. Also, row by row, after which step there are how many clusters of
    /// which size.
    fn growth(
        &self,
        py: Python<'_>,
        order: ArrayIn,
        ends: Vec<usize>,
        paper: bool,
    ) -> PyResult<(ArrayOut, [ArrayOut; 3])> {
        let all = self.all()?;
        let order = one_each(&order, all.len())?;
        let known = |&document: &u32| (document as usize) < all.len();
        if !order.iter().all(known) || !ends.is_sorted() || ends.last() > Some(&order.len()) {
            let text = "the order or the ends are not those of the documents";
            return Err(BorderError::BadValue(text.into()).into());
        }
        let mut rows: [Vec<u32>; 3] = Default::default();
        let names = self.pool.run(py, || {
            let growth = Growth::new(all, paper);
            let mut start = 0;
            for (step, &end) in (1..).zip(&ends) {
                growth.step(&order[start..], end - start);
                start = end;
                for (size, clusters) in growth.sizes() {
                    for (column, value) in rows.iter_mut().zip([step, size, clusters]) {
                        column.push(value);
                    }
                }
            }
            growth.forest().clusters().0
        })?;
        let array = |values: Vec<u32>| PyArrowType(UInt32Array::from(values).to_data());
        Ok((array(names), rows.map(array)))
    }

    /// The clusters of near-duplicates: `equal` are those of equal documents, `known` others that are
    /// near at least.
    fn near(
        &self,
        py: Python<'_>,
        least: f64,
        equal: ArrayIn,
        known: ArrayIn,
    ) -> PyResult<ArrayOut> {
        if !(least > 0.0 && least <= 1.0) {
            return Err(BorderError::BadValue(format!("a share cannot be {least}")).into());
        }
        let all = self.all()?;
        let (equal, known) = (self.clusters_of(&equal)?, self.clusters_of(&known)?);
        let forest = self.pool.run(py, || {
            let forest = united(&known);
            let standing = |document: &u32| equal[*document as usize] == *document;
            let wanted: Vec<u32> = (0..all.len() as u32).filter(standing).collect();
            equal.iter().enumerate().for_each(|(at, &cluster)| forest.unite(at as u32, cluster));
            unite_near(&all, &wanted, least, &forest);
            forest
        })?;
        Ok(clusters(py, &forest))
    }
}

impl PyDocuments {
    pub fn all(&self) -> Result<Documents<'_>> {
        let text = "paragraphs start and end where there are none";
        Documents::new(unsigned(&self.values), &self.starts, &self.ends)
            .ok_or_else(|| BorderError::BadValue(text.into()))
    }

    /// For every document its cluster.
    fn clusters_of(&self, array: &ArrayIn) -> Result<Vec<u32>> {
        let found = one_each(array, self.starts.len())?;
        match found.iter().find(|&&cluster| cluster as usize >= found.len()) {
            Some(cluster) => Err(BorderError::BadValue(format!("cluster {cluster}"))),
            None => Ok(found),
        }
    }
}

fn united(names: &[u32]) -> Forest {
    let forest = Forest::new(names.len() as u32);
    names.iter().enumerate().for_each(|(at, &cluster)| forest.unite(at as u32, cluster));
    forest
}

fn clusters(py: Python<'_>, forest: &Forest) -> ArrayOut {
    let (names, _) = py.detach(|| forest.clusters());
    PyArrowType(UInt32Array::from(names).to_data())
}
