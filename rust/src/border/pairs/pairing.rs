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
use crate::border::groups::candidates::star_arrays;
use crate::border::groups::forest::{PyForest, check_pages};
use crate::border::threads::{Threads, threads_of};
use crate::pairs::clustering::Clustering;
use crate::pairs::finder::{By, Data, Finder, Limits, Sites, Wanted};
use crate::pairs::hamming::{Pieces, Rows};
use crate::pairs::hot_buckets::HotBucket;
use crate::pairs::pairing::{Pair, Pairing};
use crate::pairs::stars::stars;

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
    sketches: Sketches,
    pairing: Pairing,
    pool: Threads,
}

/// What Python hands over of the pages, held while it is used.
struct Sketches {
    pages: Vec<u32>,
    sites: Vec<u32>,
    partition: Option<Vec<u32>>,
    supershingles: Option<ScalarBuffer<i64>>,
    projections: Option<ScalarBuffer<i64>>,
}

impl Sketches {
    /// The same as the kernels take it.
    fn data(&self) -> Data<'_> {
        let rows = |all: &ScalarBuffer<i64>| all.len() / self.pages.len();
        let [supershingles, projections] = [&self.supershingles, &self.projections]
            .map(|all| all.as_ref().map(|all| Rows { words: unsigned(all), width: rows(all) }));
        Data {
            pages: &self.pages,
            sites: &self.sites,
            partition: self.partition.as_deref(),
            supershingles,
            projections,
        }
    }

    /// The row of a page.
    fn row(&self, page: u32) -> Result<u32> {
        let place = self.pages.binary_search(&page);
        let place = place.map_err(|_| BorderError::BadValue(format!("page {page} is not here")))?;
        Ok(place as u32)
    }
}

#[pymethods]
impl PyPairing {
    #[new]
    #[pyo3(signature = (pages, sites, supershingles, projections, settings, threads, partition=None))]
    fn new(
        pages: ArrayIn,
        sites: ArrayIn,
        supershingles: Option<ArrayIn>,
        projections: Option<ArrayIn>,
        settings: PairSettings,
        threads: usize,
        partition: Option<ArrayIn>,
    ) -> PyResult<PyPairing> {
        let pages = numbers(&pages)?;
        let sites = one_each(&sites, pages.len())?;
        let partition = partition.map(|partition| one_each(&partition, pages.len())).transpose()?;
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
        let sketches = Sketches { pages, sites, partition, supershingles, projections };
        Ok(PyPairing { sketches, pairing, pool })
    }

    /// The next pairs; None when there are no more.
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<PyArrowType<RecordBatch>>> {
        let PyPairing { sketches, pairing, pool } = self;
        if sketches.pages.is_empty() {
            return Ok(None);
        }
        let data = sketches.data();
        check_data(data, &pairing.wanted)?;
        let found = pool.run(py, || pairing.next(data))?;
        Ok(found.map(|pairs| pair_table(data.pages, &pairs)).transpose()?.map(PyArrowType))
    }

    /// Joins in the forest what all pairs would join.
    fn unite(&mut self, py: Python<'_>, forest: &mut PyForest) -> PyResult<()> {
        let PyPairing { sketches, pairing, pool } = self;
        check_pages(&sketches.pages, &forest.forest)?;
        if sketches.pages.is_empty() {
            return Ok(());
        }
        let finder = check_data(sketches.data(), &pairing.wanted)?;
        let mut clustering = Clustering::new(&finder, &forest.forest);
        while pool.run(py, || clustering.step())? {
            py.check_signals()?;
        }
        Ok(())
    }

    /// Pairs of these pages, whether they are wanted or not.
    fn measure(&self, left: ArrayIn, right: ArrayIn) -> PyResult<PyArrowType<RecordBatch>> {
        let (left, right) = (numbers(&left)?, numbers(&right)?);
        if left.is_empty() {
            return Ok(PyArrowType(pair_table(&[], &[])?));
        }
        let finder = check_data(self.sketches.data(), &self.pairing.wanted)?;
        let pairs = left.into_iter().zip(right).map(|(left, right)| {
            Ok(finder.pair(self.sketches.row(left)?, self.sketches.row(right)?, 1.0))
        });
        let pairs = pairs.collect::<Result<Vec<Pair>>>()?;
        Ok(PyArrowType(pair_table(&self.sketches.pages, &pairs)?))
    }

    /// The pairs there are, those missed, the comparisons made, and the pairs given.
    #[getter]
    fn counts(&self) -> (f64, f64, u64, u64) {
        let counts = &self.pairing.counts;
        (counts.pairs, counts.missed, counts.comparisons, counts.given)
    }

    /// The pages that are in a pair, and in how many.
    fn degrees(&self) -> (ArrayOut, ArrayOut) {
        let degrees = self.sketches.pages.iter().copied().zip(self.pairing.degrees.iter().copied());
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

/// The pages that go, and those they go with, by several searches among the same pages.
#[pyfunction]
pub fn pair_stars(
    py: Python<'_>,
    searches: Vec<PyRef<'_, PyPairing>>,
    ranks: ArrayIn,
    fixed: u32,
) -> PyResult<(ArrayOut, ArrayOut)> {
    let Some(first) = searches.first().filter(|first| !first.sketches.pages.is_empty()) else {
        return Ok(star_arrays(Vec::new()));
    };
    let pages = &first.sketches.pages;
    let ranks = one_each(&ranks, pages.len())?;
    if searches.iter().any(|search| search.sketches.pages != *pages) {
        return Err(BorderError::BadValue("searches among other pages".into()).into());
    }
    let finders = searches
        .iter()
        .map(|search| check_data(search.sketches.data(), &search.pairing.wanted))
        .collect::<Result<Vec<_>>>()?;
    let pool = &first.pool;
    let gone = pool.run(py, || stars(&finders, &ranks, fixed))??;
    Ok(star_arrays(gone))
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
