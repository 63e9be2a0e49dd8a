//! The border to Python, and the only file that knows of it: Arrow batches in, Arrow batches out,
//! the interpreter lock released in between.

use std::sync::{Arc, Mutex};

use arrow_array::builder::{BinaryBuilder, BooleanBuilder, Int64Builder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt32Type};
use arrow_array::{Array, ArrayRef, Int64Array, ListArray, RecordBatch, UInt32Array, make_array};
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_pyarrow::PyArrowType;
use arrow_schema::{DataType, Field, Schema};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::candidates::{Bands, Candidates, Evidence, Pair};
use crate::clusters::Forest;
use crate::features::{self, Picker};
use crate::html::TextOptions;
use crate::projection;
use crate::shingles::Shingler;
use crate::sketch::{Columns, Page, Recipe, Scratch, Sketch};
use crate::tokens::{Fingerprint, TokenRules};

/// What may go wrong here: only what the Python side got wrong, never a page's content.
#[derive(Debug, thiserror::Error)]
enum BorderError {
    #[error("the batch has no column {0}")]
    NoColumn(&'static str),
    #[error("column {0} cannot be of type {1}")]
    BadType(&'static str, DataType),
    #[error("{0}")]
    BadValue(String),
    #[error(transparent)]
    Arrow(#[from] arrow_schema::ArrowError),
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl From<BorderError> for PyErr {
    fn from(error: BorderError) -> PyErr {
        match error {
            BorderError::Threads(_) => PyRuntimeError::new_err(error.to_string()),
            _ => PyValueError::new_err(error.to_string()),
        }
    }
}

type Result<T> = std::result::Result<T, BorderError>;
type ArrayIn = PyArrowType<arrow_data::ArrayData>;
type ArrayOut = PyArrowType<arrow_data::ArrayData>;

/// A recipe as Python's settings have it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct RecipeSettings {
    join_formatting: bool,
    image_terms: bool,
    fold_case: bool,
    split_unspaced: bool,
    fingerprint: String,
    k: usize,
    wrap: bool,
    functions: String,
    m: usize,
    width: usize,
    bits: usize,
}

impl RecipeSettings {
    fn ready(&self) -> Result<Recipe> {
        let unknown = |what: &str, name: &str| {
            Err(BorderError::BadValue(format!("{what} cannot be {name:?}")))
        };
        if self.m > features::MOST || self.bits > projection::MOST || self.k == 0 || self.m == 0 {
            let (m, bits) = (features::MOST, projection::MOST);
            return unknown("m, bits or k", &format!("above {m} or {bits}, or zero"));
        }
        let (fingerprint, shingler) = match &*self.fingerprint {
            "fast" => (Fingerprint::Fast, Shingler::fast(self.k, self.wrap)),
            "rabin" => (Fingerprint::Rabin, Shingler::rabin(self.k, self.wrap)),
            other => return unknown("fingerprint", other),
        };
        let picker = match &*self.functions {
            "rounds" => Picker::rounds(self.m),
            "rabin" => Picker::rabin(self.m),
            other => return unknown("functions", other),
        };
        Ok(Recipe {
            text: TextOptions { join_formatting: self.join_formatting, images: self.image_terms },
            rules: TokenRules {
                fold_case: self.fold_case,
                split_unspaced: self.split_unspaced,
                fingerprint,
            },
            shingler,
            picker,
            m: self.m,
            width: self.width,
            bits: self.bits,
        })
    }
}

#[pyclass(frozen)]
struct Sketcher {
    recipe: Recipe,
    pool: rayon::ThreadPool,
    /// Buffers that no thread uses just now; they are grown once, not for every batch.
    idle: Mutex<Vec<Scratch>>,
}

#[pymethods]
impl Sketcher {
    #[new]
    fn new(recipe: RecipeSettings, threads: usize) -> PyResult<Sketcher> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(BorderError::from)?;
        Ok(Sketcher { recipe: recipe.ready()?, pool, idle: Mutex::default() })
    }

    fn sketch(
        &self,
        py: Python<'_>,
        pages: PyArrowType<RecordBatch>,
        columns: Vec<String>,
    ) -> PyResult<PyArrowType<RecordBatch>> {
        let wanted = |name: &str| columns.iter().any(|column| column == name);
        let columns = Columns {
            features: wanted("features"),
            supershingles: wanted("supershingles"),
            projection: wanted("projection"),
            shingles: wanted("shingles"),
        };
        let batch = py.detach(|| self.sketch_batch(&pages.0, columns))?;
        Ok(PyArrowType(batch))
    }

    /// The text of one page, for people and for tests.
    fn text(&self, py: Python<'_>, body: &[u8], markup: bool, charset: Option<&str>) -> String {
        let page = Page { body, markup, decoded: false, charset, url: None };
        py.detach(|| self.recipe.text_of(&page))
    }

    /// The fingerprints of one page's tokens, in order.
    fn tokens(
        &self,
        py: Python<'_>,
        body: &[u8],
        markup: bool,
        charset: Option<&str>,
        url: Option<&str>,
    ) -> ArrayOut {
        let page = Page { body, markup, decoded: false, charset, url };
        PyArrowType(signed(py.detach(|| self.recipe.tokens_of(&page))).to_data())
    }
}

/// Buffers lent to one thread; they come back by themselves.
struct Lent<'a> {
    idle: &'a Mutex<Vec<Scratch>>,
    buffers: Scratch,
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let buffers = std::mem::take(&mut self.buffers);
        // What one huge page needed is not held for ever.
        if let (true, Ok(mut idle)) = (buffers.is_small(), self.idle.lock()) {
            idle.push(buffers);
        }
    }
}

impl Sketcher {
    fn scratch(&self) -> Lent<'_> {
        let found = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        Lent { idle: &self.idle, buffers: found.unwrap_or_default() }
    }

    fn sketch_batch(&self, batch: &RecordBatch, columns: Columns) -> Result<RecordBatch> {
        let body = column(batch, "body")?;
        let bodies = bytes(body)?;
        let decoded = !matches!(
            body.data_type(),
            DataType::Binary | DataType::LargeBinary | DataType::BinaryView
        );
        let markup = column(batch, "markup")?
            .as_boolean_opt()
            .ok_or(BorderError::BadType("markup", DataType::Boolean))?;
        let charsets = strings(batch, "charset")?;
        let urls = strings(batch, "url")?;
        let sketches: Vec<Option<Sketch>> = self.pool.install(|| {
            bodies
                .par_iter()
                .enumerate()
                .map_init(
                    || self.scratch(),
                    |scratch, (row, body)| {
                        let page = Page {
                            body: (*body)?,
                            markup: markup.value(row),
                            decoded,
                            charset: charsets[row],
                            url: urls[row],
                        };
                        Some(self.recipe.sketch(&page, columns, &mut scratch.buffers))
                    },
                )
                .collect()
        });
        table(&sketches, columns)
    }
}

/// The rows as columns, in the order of DESIGN's sketches table.
fn table(sketches: &[Option<Sketch>], columns: Columns) -> Result<RecordBatch> {
    let rows = sketches.len();
    let mut chars = Int64Builder::with_capacity(rows);
    let mut tokens = Int64Builder::with_capacity(rows);
    let mut titles = StringBuilder::new();
    let mut hollow = BooleanBuilder::with_capacity(rows);
    let mut markup_digests = BinaryBuilder::with_capacity(rows, 16 * rows);
    let mut digests = BinaryBuilder::with_capacity(rows, 16 * rows);
    for sketch in sketches {
        chars.append_option(sketch.as_ref().map(|s| s.chars as i64));
        tokens.append_option(sketch.as_ref().map(|s| s.tokens as i64));
        titles.append_option(sketch.as_ref().map(|s| &s.title).filter(|title| !title.is_empty()));
        hollow.append_value(sketch.as_ref().is_some_and(|s| s.hollow));
        markup_digests.append_option(sketch.as_ref().and_then(|s| s.markup_digest));
        digests.append_option(sketch.as_ref().and_then(|s| s.digest));
    }
    let mut fields: Vec<(&str, ArrayRef)> = vec![
        ("chars", Arc::new(chars.finish())),
        ("tokens", Arc::new(tokens.finish())),
        ("title", Arc::new(titles.finish())),
        ("hollow", Arc::new(hollow.finish())),
        ("markup_digest", Arc::new(markup_digests.finish())),
        ("digest", Arc::new(digests.finish())),
    ];
    type List = fn(&Sketch) -> &Vec<u64>;
    let wanted: [(&str, bool, List); 4] = [
        ("features", columns.features, |s| &s.features),
        ("supershingles", columns.supershingles, |s| &s.supershingles),
        ("projection", columns.projection, |s| &s.projection),
        ("shingles", columns.shingles, |s| &s.shingles),
    ];
    for (name, wanted, list) in wanted {
        if wanted {
            fields.push((name, lists(sketches, list)?));
        }
    }
    let schema =
        fields.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true));
    let schema = Schema::new(schema.collect::<Vec<_>>());
    Ok(RecordBatch::try_new(
        Arc::new(schema),
        fields.into_iter().map(|(_, array)| array).collect(),
    )?)
}

/// One list a row, null where the page has no tokens.
fn lists(sketches: &[Option<Sketch>], list: fn(&Sketch) -> &Vec<u64>) -> Result<ArrayRef> {
    let lengths = sketches.iter().map(|s| s.as_ref().map_or(0, |s| list(s).len()));
    let total: usize = lengths.clone().sum();
    if i32::try_from(total).is_err() {
        return Err(BorderError::BadValue(format!("{total} values are too many for one batch")));
    }
    let mut values = Vec::with_capacity(total);
    for sketch in sketches.iter().flatten() {
        values.extend(list(sketch).iter().map(|&value| value as i64));
    }
    let valid: NullBuffer = lengths.clone().map(|length| length > 0).collect();
    let field = Arc::new(Field::new("element", DataType::Int64, true));
    let values = Arc::new(Int64Array::from(values));
    Ok(Arc::new(ListArray::try_new(
        field,
        OffsetBuffer::from_lengths(lengths),
        values,
        Some(valid),
    )?))
}

fn column<'a>(batch: &'a RecordBatch, name: &'static str) -> Result<&'a ArrayRef> {
    batch.column_by_name(name).ok_or(BorderError::NoColumn(name))
}

/// The bodies, whatever binary or string type they come as.
fn bytes(array: &ArrayRef) -> Result<Vec<Option<&[u8]>>> {
    fn text<'a>(all: impl Iterator<Item = Option<&'a str>>) -> Vec<Option<&'a [u8]>> {
        all.map(|text| text.map(str::as_bytes)).collect()
    }
    match array.data_type() {
        DataType::Utf8 => Ok(text(array.as_string::<i32>().iter())),
        DataType::LargeUtf8 => Ok(text(array.as_string::<i64>().iter())),
        DataType::Utf8View => Ok(text(array.as_string_view().iter())),
        DataType::Binary => Ok(array.as_binary::<i32>().iter().collect()),
        DataType::LargeBinary => Ok(array.as_binary::<i64>().iter().collect()),
        DataType::BinaryView => Ok(array.as_binary_view().iter().collect()),
        DataType::Null => Ok(vec![None; array.len()]),
        other => Err(BorderError::BadType("body", other.clone())),
    }
}

fn strings<'a>(batch: &'a RecordBatch, name: &'static str) -> Result<Vec<Option<&'a str>>> {
    let array = column(batch, name)?;
    match array.data_type() {
        DataType::Utf8 => Ok(array.as_string::<i32>().iter().collect()),
        DataType::LargeUtf8 => Ok(array.as_string::<i64>().iter().collect()),
        DataType::Utf8View => Ok(array.as_string_view().iter().collect()),
        DataType::Null => Ok(vec![None; array.len()]),
        other => Err(BorderError::BadType(name, other.clone())),
    }
}

fn signed(values: Vec<u64>) -> Int64Array {
    values.into_iter().map(|value| value as i64).collect::<Vec<i64>>().into()
}

/// Page numbers: 32 bits are enough for four thousand million pages.
fn numbers(array: &ArrayIn) -> Result<Vec<u32>> {
    let array = make_array(array.0.clone());
    match array.data_type() {
        DataType::UInt32 => Ok(array.as_primitive::<UInt32Type>().values().to_vec()),
        DataType::Int64 => array
            .as_primitive::<Int64Type>()
            .values()
            .iter()
            .map(|&n| {
                u32::try_from(n).map_err(|_| BorderError::BadValue(format!("page number {n}")))
            })
            .collect(),
        other => Err(BorderError::BadType("page", other.clone())),
    }
}

/// The values of an int64 array without nulls, shared, not copied.
fn values(array: &ArrayIn) -> Result<ScalarBuffer<i64>> {
    let array = make_array(array.0.clone());
    match array.as_primitive_opt::<Int64Type>() {
        Some(values) if values.null_count() == 0 => Ok(values.values().clone()),
        _ => Err(BorderError::BadType("values", array.data_type().clone())),
    }
}

/// The same 64 bits seen as unsigned.
fn unsigned(values: &[i64]) -> &[u64] {
    // SAFETY: i64 and u64 have the same size and alignment, and every bit pattern is a value.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
}

fn check_pages(pages: &[u32], forest: &Forest) -> Result<()> {
    match pages.iter().max() {
        Some(&page) if page as usize >= forest.len() => {
            Err(BorderError::BadValue(format!("page {page} of only {}", forest.len())))
        }
        _ => Ok(()),
    }
}

#[pyclass(name = "Forest")]
struct PyForest(Forest);

#[pymethods]
impl PyForest {
    #[new]
    fn new(pages: u32) -> PyForest {
        PyForest(Forest::new(pages))
    }

    fn unite(&mut self, py: Python<'_>, left: ArrayIn, right: ArrayIn) -> PyResult<()> {
        let (left, right) = (numbers(&left)?, numbers(&right)?);
        check_pages(&left, &self.0)?;
        check_pages(&right, &self.0)?;
        py.detach(|| left.into_iter().zip(right).for_each(|(l, r)| self.0.unite(l, r)));
        Ok(())
    }

    /// Unites pages with the same bytes in `keys`; nulls are equal to nothing.
    fn unite_equal(&mut self, py: Python<'_>, pages: ArrayIn, keys: ArrayIn) -> PyResult<()> {
        let pages = numbers(&pages)?;
        check_pages(&pages, &self.0)?;
        let keys = make_array(keys.0);
        let keys = bytes(&keys)?;
        py.detach(|| {
            let keyed = keys.into_iter().zip(pages).filter_map(|(key, page)| {
                let mut wide = [0; 16];
                let key = key?;
                wide[..key.len().min(16)].copy_from_slice(&key[..key.len().min(16)]);
                Some((u128::from_be_bytes(wide), page))
            });
            self.0.unite_equal(keyed.collect());
        });
        Ok(())
    }

    /// Unites pages that agree in supershingle `first` and in `least` − 1 or more after it.
    fn unite_agreeing(
        &mut self,
        py: Python<'_>,
        pages: ArrayIn,
        supershingles: ArrayIn,
        least: usize,
        first: usize,
    ) -> PyResult<()> {
        let (pages, values) = (numbers(&pages)?, values(&supershingles)?);
        check_pages(&pages, &self.0)?;
        if pages.is_empty() {
            return Ok(());
        }
        let width = values.len() / pages.len();
        if width * pages.len() != values.len() || least == 0 || first + least > width {
            let text =
                format!("{} values for {} pages, at least {least}", values.len(), pages.len());
            return Err(BorderError::BadValue(text).into());
        }
        py.detach(|| self.0.unite_agreeing(&pages, &values, width, least, first));
        Ok(())
    }

    /// The cluster of every page and its size.
    fn clusters(&mut self, py: Python<'_>) -> (ArrayOut, ArrayOut) {
        let (clusters, sizes) = py.detach(|| self.0.clusters());
        (
            PyArrowType(UInt32Array::from(clusters).to_data()),
            PyArrowType(UInt32Array::from(sizes).to_data()),
        )
    }
}

#[pyclass(name = "Bands")]
struct PyBands {
    bands: Option<Bands>,
    m: usize,
    /// How many more bands the features have room for.
    room: usize,
}

#[pymethods]
impl PyBands {
    #[new]
    fn new(m: usize, width: usize) -> PyResult<PyBands> {
        if width == 0 || width > m {
            return Err(BorderError::BadValue(format!("bands of {width} of {m} features")).into());
        }
        Ok(PyBands { bands: Some(Bands::new(width)), m, room: m / width })
    }

    fn begin(&mut self, py: Python<'_>, bands: usize) -> PyResult<()> {
        let open = self.bands.as_mut().ok_or_else(closed)?;
        let Some(room) = self.room.checked_sub(bands) else {
            let text = format!("{bands} more bands, and room for {}", self.room);
            return Err(BorderError::BadValue(text).into());
        };
        self.room = room;
        py.detach(|| open.begin(bands));
        Ok(())
    }

    fn add(&mut self, py: Python<'_>, pages: ArrayIn, features: ArrayIn) -> PyResult<()> {
        let (pages, values) = (numbers(&pages)?, values(&features)?);
        let open = self.bands.as_mut().ok_or_else(closed)?;
        if values.len() != pages.len() * self.m {
            let text = format!("{} features for {} pages", values.len(), pages.len());
            return Err(BorderError::BadValue(text).into());
        }
        py.detach(|| open.add(&pages, unsigned(&values), self.m));
        Ok(())
    }

    fn close(&mut self, py: Python<'_>) -> PyResult<PyCandidates> {
        let bands = self.bands.take().ok_or_else(closed)?;
        Ok(PyCandidates { candidates: py.detach(|| bands.close()), m: self.m })
    }
}

fn closed() -> BorderError {
    BorderError::BadValue("the bands are closed already".into())
}

#[pyclass(name = "Candidates", frozen)]
struct PyCandidates {
    candidates: Candidates,
    m: usize,
}

#[pymethods]
impl PyCandidates {
    /// The pages that are in a candidate pair, ascending.
    fn members(&self) -> ArrayOut {
        PyArrowType(UInt32Array::from(self.candidates.members().to_vec()).to_data())
    }

    /// The number of bands, which are asked for pairs one after the other.
    #[getter]
    fn bands(&self) -> usize {
        self.candidates.bands()
    }

    #[pyo3(signature = (band, resemblance, values, starts=None, ends=None))]
    fn pairs(
        &self,
        py: Python<'_>,
        band: usize,
        resemblance: f64,
        values: ArrayIn,
        starts: Option<ArrayIn>,
        ends: Option<ArrayIn>,
    ) -> PyResult<PyArrowType<RecordBatch>> {
        if band >= self.candidates.bands() {
            return Err(BorderError::BadValue(format!("band {band}")).into());
        }
        let buffers = self.buffers(&values, starts.zip(ends).as_ref())?;
        let mut pairs =
            py.detach(|| self.candidates.pairs(band, buffers.evidence(self.m), resemblance));
        py.detach(|| pairs.par_sort_unstable_by_key(|pair| (pair.left, pair.right)));
        Ok(PyArrowType(pair_table(&pairs)?))
    }

    #[pyo3(signature = (forest, resemblance, values, starts=None, ends=None))]
    fn unite(
        &self,
        py: Python<'_>,
        forest: &mut PyForest,
        resemblance: f64,
        values: ArrayIn,
        starts: Option<ArrayIn>,
        ends: Option<ArrayIn>,
    ) -> PyResult<()> {
        check_pages(self.candidates.members(), &forest.0)?;
        let buffers = self.buffers(&values, starts.zip(ends).as_ref())?;
        let forest = &mut forest.0;
        py.detach(|| self.candidates.unite(buffers.evidence(self.m), resemblance, forest));
        Ok(())
    }
}

/// What Python hands over as evidence, held while it is used.
struct Buffers {
    values: ScalarBuffer<i64>,
    /// Where each member's set starts and ends in the values; features have no need of it.
    bounds: Option<(ScalarBuffer<i64>, ScalarBuffer<i64>)>,
}

impl Buffers {
    fn evidence(&self, m: usize) -> Evidence<'_> {
        let values = unsigned(&self.values);
        match &self.bounds {
            Some((starts, ends)) => Evidence::Shingles { values, starts, ends },
            None => Evidence::Features { values, m },
        }
    }
}

impl PyCandidates {
    /// Shingle sets with bounds, or features without, one for each member.
    fn buffers(&self, evidence: &ArrayIn, bounds: Option<&(ArrayIn, ArrayIn)>) -> Result<Buffers> {
        let bounds =
            bounds.map(|(starts, ends)| Ok::<_, BorderError>((values(starts)?, values(ends)?)));
        let held = Buffers { values: values(evidence)?, bounds: bounds.transpose()? };
        let members = self.candidates.members().len();
        let fits = match &held.bounds {
            Some((starts, ends)) => {
                let total = held.values.len() as i64;
                let inside =
                    |(&start, &end): (&i64, &i64)| 0 <= start && start <= end && end <= total;
                starts.len() == members
                    && ends.len() == members
                    && starts.iter().zip(ends).all(inside)
            }
            None => held.values.len() == members * self.m,
        };
        if fits {
            Ok(held)
        } else {
            Err(BorderError::BadValue(format!("the evidence does not fit {members} members")))
        }
    }
}

fn pair_table(pairs: &[Pair]) -> Result<RecordBatch> {
    let column = |of: fn(&Pair) -> i64| -> ArrayRef {
        Arc::new(pairs.iter().map(of).collect::<Vec<i64>>().into_iter().collect::<Int64Array>())
    };
    Ok(RecordBatch::try_from_iter([
        ("left", column(|pair| i64::from(pair.left))),
        ("right", column(|pair| i64::from(pair.right))),
        ("shared", column(|pair| pair.shared as i64)),
        ("left_size", column(|pair| pair.left_size as i64)),
        ("right_size", column(|pair| pair.right_size as i64)),
    ])?)
}

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Sketcher>()?;
    module.add_class::<PyForest>()?;
    module.add_class::<PyBands>()?;
    module.add_class::<PyCandidates>()?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
