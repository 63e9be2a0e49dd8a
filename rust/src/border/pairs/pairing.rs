//! `Pairing`: sketches of pages in, pairs out, a batch at a time.

use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, UInt32Array,
};
use arrow_buffer::ScalarBuffer;
use arrow_pyarrow::PyArrowType;
use pyo3::prelude::*;

use crate::border::arrays::{ArrayIn, ArrayOut, numbers, one_each, unsigned, values};
use crate::border::errors::{BorderError, Result};
use crate::border::groups::forest::{PyForest, check_pages};
use crate::border::threads::threads_of;
use crate::pairs::clustering::Clustering;
use crate::pairs::finder::{By, Data, Finder, Limits, Sites, Wanted};
use crate::pairs::hamming::{Pieces, Rows};
use crate::pairs::hot_buckets::HotBucket;
use crate::pairs::pairing::{Pair, Pairing};

/// The most positions at which pages can be brought together: as many as a word has bits.
const MOST_POSITIONS: usize = 64;

/// What is wanted, as Python's settings have it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct PairSettings {
    by: String,
    sites: String,
    least_b: u32,
    least_c: u32,
    pieces: u32,
    asked: Option<u32>,
    hot: Option<usize>,
    sample: usize,
    comparisons: u64,
    seed: u64,
}

impl PairSettings {
    /// Made ready for supershingles and projections of so many words.
    fn ready(&self, supershingles: usize, projection: usize) -> Result<Wanted> {
        let wrong = |text: String| BorderError::BadValue(text);
        let bits = 64 * projection as u32;
        let pieces = |count: u32| {
            Pieces::new(bits, count)
                .filter(|pieces| pieces.len() <= MOST_POSITIONS)
                .ok_or_else(|| wrong(format!("{bits} bits cannot be parted into {count} pieces")))
        };
        let differing = |what: &str| {
            let most = bits.checked_sub(self.least_c);
            most.ok_or_else(|| wrong(format!("{what} of {} of {bits} bits", self.least_c)))
        };
        let (by, most_bits) = match &*self.by {
            "supershingles" => {
                let least = self.least_b as usize;
                if least == 0 || least > supershingles || supershingles > MOST_POSITIONS {
                    let text = format!(
                        "at least {least} of {supershingles} supershingles: from 1 to all, of at \
                         most {MOST_POSITIONS}"
                    );
                    return Err(wrong(text));
                }
                let most = (self.least_c > 0).then(|| differing("a C-similarity")).transpose()?;
                (By::Supershingles { least: self.least_b }, most)
            }
            "projections" => {
                let asked = self.asked.map(pieces).transpose()?;
                let most = differing("a C-similarity")?;
                (By::Projections { most, pieces: pieces(self.pieces)?, asked }, None)
            }
            other => return Err(wrong(format!("pairs cannot be found by {other:?}"))),
        };
        let sites = match &*self.sites {
            "any" => Sites::Any,
            "same" => Sites::Same,
            "different" => Sites::Different,
            other => return Err(wrong(format!("sites cannot be {other:?}"))),
        };
        let limits = Limits { sample: self.sample, comparisons: self.comparisons, seed: self.seed };
        Ok(Wanted { by, sites, most_bits, hot: self.hot, limits })
    }
}

#[pyclass(name = "Pairing")]
pub struct PyPairing {
    pages: Vec<u32>,
    sites: Vec<u32>,
    supershingles: Option<ScalarBuffer<i64>>,
    projections: Option<ScalarBuffer<i64>>,
    pairing: Pairing,
    pool: rayon::ThreadPool,
}

#[pymethods]
impl PyPairing {
    #[new]
    fn new(
        pages: ArrayIn,
        sites: ArrayIn,
        supershingles: Option<ArrayIn>,
        projections: Option<ArrayIn>,
        settings: PairSettings,
        threads: usize,
    ) -> PyResult<PyPairing> {
        let pages = numbers(&pages)?;
        let sites = one_each(&sites, pages.len())?;
        if pages.windows(2).any(|two| two[0] >= two[1]) {
            return Err(BorderError::BadValue("the pages do not ascend".into()).into());
        }
        let width = |all: Option<&ScalarBuffer<i64>>| -> Result<usize> {
            let count = all.map_or(0, ScalarBuffer::len);
            let width = count / pages.len().max(1);
            if width * pages.len() != count {
                let text = format!("{count} values for {} pages", pages.len());
                return Err(BorderError::BadValue(text));
            }
            Ok(width)
        };
        let supershingles = supershingles.map(|all| values(&all)).transpose()?;
        let projections = projections.map(|all| values(&all)).transpose()?;
        let (b, c) = (width(supershingles.as_ref())?, width(projections.as_ref())?);
        // Without pages nothing tells how wide rows are, and nothing is looked for.
        let wanted = match pages.len() {
            0 => PairSettings { least_b: 1, least_c: 0, pieces: 2, asked: None, ..settings }
                .ready(1, 1)?,
            _ => settings.ready(b, c)?,
        };
        let pairing = Pairing::new(wanted, pages.len());
        let pool = threads_of(threads)?;
        Ok(PyPairing { pages, sites, supershingles, projections, pairing, pool })
    }

    /// The next pairs; None when there are no more.
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<PyArrowType<RecordBatch>>> {
        let PyPairing { pages, sites, supershingles, projections, pairing, pool } = self;
        if pages.is_empty() {
            return Ok(None);
        }
        let data = data(pages, sites, supershingles.as_ref(), projections.as_ref());
        check_data(data, &pairing.wanted)?;
        let found = py.detach(|| pool.install(|| pairing.next(data)));
        Ok(found.map(|pairs| pair_table(pages, &pairs)).transpose()?.map(PyArrowType))
    }

    /// Joins in the forest what all pairs would join.
    fn unite(&mut self, py: Python<'_>, forest: &mut PyForest) -> PyResult<()> {
        let PyPairing { pages, sites, supershingles, projections, pairing, pool } = self;
        check_pages(pages, &forest.forest)?;
        if pages.is_empty() {
            return Ok(());
        }
        let data = data(pages, sites, supershingles.as_ref(), projections.as_ref());
        let finder = check_data(data, &pairing.wanted)?;
        let mut clustering = Clustering::new(&finder, &forest.forest);
        while py.detach(|| pool.install(|| clustering.step())) {
            py.check_signals()?;
        }
        Ok(())
    }

    /// The pairs there are, those missed, the comparisons made, and the pairs given.
    #[getter]
    fn counts(&self) -> (f64, f64, u64, u64) {
        let counts = &self.pairing.counts;
        (counts.pairs, counts.missed, counts.comparisons, counts.given)
    }

    /// The pages that are in a pair, and in how many.
    fn degrees(&self) -> (ArrayOut, ArrayOut) {
        let degrees = self.pages.iter().copied().zip(self.pairing.degrees.iter().copied());
        let (pages, degrees): (Vec<u32>, Vec<u32>) = degrees.filter(|&(_, n)| n > 0).unzip();
        (
            PyArrowType(UInt32Array::from(pages).to_data()),
            PyArrowType(UInt32Array::from(degrees).to_data()),
        )
    }

    /// The hot buckets so far.
    fn hot_buckets(&self) -> PyResult<PyArrowType<RecordBatch>> {
        let found = &self.pairing.hot_buckets;
        let whole = |of: fn(&HotBucket) -> i64| -> ArrayRef {
            Arc::new(found.iter().map(of).collect::<Int64Array>())
        };
        let real = |of: fn(&HotBucket) -> f64| -> ArrayRef {
            Arc::new(found.iter().map(|bucket| Some(of(bucket))).collect::<Float64Array>())
        };
        let batch = RecordBatch::try_from_iter([
            ("position", whole(|bucket| bucket.position as i64)),
            ("pages", whole(|bucket| bucket.pages as i64)),
            ("comparisons", whole(|bucket| bucket.comparisons as i64)),
            ("pairs", real(|bucket| bucket.pairs)),
            ("standard_error", real(|bucket| bucket.standard_error)),
            ("drawn", whole(|bucket| bucket.drawn as i64)),
            ("weight", real(HotBucket::weight)),
        ]);
        Ok(PyArrowType(batch.map_err(BorderError::from)?))
    }
}

/// What a pairing holds, as the kernels take it.
fn data<'a>(
    pages: &'a [u32],
    sites: &'a [u32],
    supershingles: Option<&'a ScalarBuffer<i64>>,
    projections: Option<&'a ScalarBuffer<i64>>,
) -> Data<'a> {
    let rows = |all: &'a ScalarBuffer<i64>| {
        let words = unsigned(all);
        Rows { words, width: words.len() / pages.len() }
    };
    Data {
        pages,
        sites,
        supershingles: supershingles.map(rows),
        projections: projections.map(rows),
    }
}

fn check_data<'a>(data: Data<'a>, wanted: &'a Wanted) -> Result<Finder<'a>> {
    let text = "the pairs are to be found by what is not there";
    Finder::new(data, wanted, &[]).ok_or_else(|| BorderError::BadValue(text.into()))
}

fn pair_table(pages: &[u32], pairs: &[Pair]) -> Result<RecordBatch> {
    let page = |row: u32| i64::from(pages[row as usize]);
    let left: Int64Array = pairs.iter().map(|pair| page(pair.left)).collect();
    let right: Int64Array = pairs.iter().map(|pair| page(pair.right)).collect();
    let measure = |of: fn(&Pair) -> Option<u32>| -> Int64Array {
        pairs.iter().map(|pair| of(pair).map(i64::from)).collect()
    };
    let same_site: Vec<bool> = pairs.iter().map(|pair| pair.same_site).collect();
    let weight: Vec<f64> = pairs.iter().map(|pair| pair.weight).collect();
    let columns: [(&str, ArrayRef); 6] = [
        ("left", Arc::new(left)),
        ("right", Arc::new(right)),
        ("b_similarity", Arc::new(measure(|pair| pair.b_similarity))),
        ("c_similarity", Arc::new(measure(|pair| pair.c_similarity))),
        ("same_site", Arc::new(BooleanArray::from(same_site))),
        ("weight", Arc::new(Float64Array::from(weight))),
    ];
    Ok(RecordBatch::try_from_iter_with_nullable(
        columns.map(|(name, array)| (name, array, name.ends_with("similarity"))),
    )?)
}
