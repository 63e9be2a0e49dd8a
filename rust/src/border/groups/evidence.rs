//! `Evidence`: what candidates are compared by in, measures of pairs out.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Int64Array, RecordBatch};
use arrow_buffer::ScalarBuffer;
use arrow_pyarrow::PyArrowType;
use pyo3::prelude::*;

use crate::border::arrays::{ArrayIn, numbers, unsigned, values};
use crate::border::errors::{BorderError, Result};
use crate::border::sketches::shelf::PySets;
use crate::border::threads::threads_of;
use crate::groups::candidates::VerifiedPair;
use crate::groups::evidence::{Evidence, Held};
use crate::sketches::shingle_sets::Sets;

/// What Python hands over as evidence, held while it is used.
#[pyclass(name = "Evidence", frozen)]
pub struct PyEvidence {
    m: usize,
    features: Option<ScalarBuffer<i64>>,
    sets: Option<Py<PySets>>,
    words: Option<Words>,
}

/// The words of all members in their order, where each one's start and end, and in how many features
/// two must agree.
struct Words {
    values: ScalarBuffer<i64>,
    starts: ScalarBuffer<i64>,
    ends: ScalarBuffer<i64>,
    least_features: usize,
}

#[pymethods]
impl PyEvidence {
    #[new]
    #[pyo3(signature = (m, features=None, sets=None))]
    fn new(m: usize, features: Option<ArrayIn>, sets: Option<Py<PySets>>) -> PyResult<PyEvidence> {
        let features = features.map(|features| values(&features)).transpose()?;
        Ok(PyEvidence { m, features, sets, words: None })
    }

    #[staticmethod]
    fn of_words(
        m: usize,
        features: ArrayIn,
        words: (ArrayIn, ArrayIn, ArrayIn),
        least_features: usize,
    ) -> PyResult<PyEvidence> {
        let (starts, ends) = (values(&words.1)?, values(&words.2)?);
        let words = Words { values: values(&words.0)?, starts, ends, least_features };
        Ok(PyEvidence { m, features: Some(values(&features)?), sets: None, words: Some(words) })
    }

    fn measure(
        &self,
        py: Python<'_>,
        members: ArrayIn,
        left: ArrayIn,
        right: ArrayIn,
        threads: usize,
    ) -> PyResult<PyArrowType<RecordBatch>> {
        let (members, pool) = (numbers(&members)?, threads_of(threads)?);
        let pages: Vec<(u32, u32)> = numbers(&left)?.into_iter().zip(numbers(&right)?).collect();
        let evidence = self.of(members.len())?;
        let measures = pool
            .run(py, || evidence.measure(&members, &pages))?
            .ok_or_else(|| BorderError::BadValue("a page that is no member".into()))?;
        let pairs: Vec<VerifiedPair> = pages
            .into_iter()
            .zip(measures)
            .map(|((left, right), measure)| VerifiedPair { left, right, measure })
            .collect();
        Ok(PyArrowType(pair_table(&pairs)?))
    }
}

impl PyEvidence {
    /// The evidence for so many members, if there is some for each.
    pub fn of(&self, members: usize) -> Result<Evidence<'_>> {
        let features = self.features.as_ref().map(|features| unsigned(features));
        let words = self.words.as_ref();
        let sets = match words {
            Some(Words { values, starts, ends, .. }) => {
                Some(Sets { values: unsigned(values), starts, ends })
            }
            None => self.sets.as_ref().map(|sets| sets.get().taken.sets()),
        };
        let held = words
            .map_or(Held::Shingles, |words| Held::Words { least_features: words.least_features });
        let fits = features.is_none_or(|features| features.len() == members * self.m)
            && sets.is_none_or(|sets| sets.starts.len() == members && sets.are_valid())
            && (features.is_some() || sets.is_some_and(|sets| sets.are_complete()));
        if !fits {
            let text = format!("the evidence does not fit {members} members");
            return Err(BorderError::BadValue(text));
        }
        Ok(Evidence { held, sets, features: features.unwrap_or_default(), m: self.m })
    }
}

/// Pairs with what was counted for each, as columns.
pub fn pair_table(pairs: &[VerifiedPair]) -> Result<RecordBatch> {
    let column = |of: fn(&VerifiedPair) -> i64| -> ArrayRef {
        Arc::new(pairs.iter().map(of).collect::<Vec<i64>>().into_iter().collect::<Int64Array>())
    };
    let estimated: Vec<bool> = pairs.iter().map(|pair| pair.measure.estimated).collect();
    Ok(RecordBatch::try_from_iter([
        ("left", column(|pair| i64::from(pair.left))),
        ("right", column(|pair| i64::from(pair.right))),
        ("shared", column(|pair| pair.measure.shared as i64)),
        ("left_size", column(|pair| pair.measure.left_size as i64)),
        ("right_size", column(|pair| pair.measure.right_size as i64)),
        ("estimated", Arc::new(BooleanArray::from(estimated))),
    ])?)
}
