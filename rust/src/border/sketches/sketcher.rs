//! `Sketcher`: batches of pages in, batches of sketches out.

use std::sync::{Arc, Mutex};

use arrow_array::builder::{Int64Builder, LargeStringBuilder, ListBuilder};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_pyarrow::PyArrowType;
use pyo3::prelude::*;
use rayon::prelude::*;

use super::chunkings::{Chunkings, chunking_of};
use super::columns::{List, chunks_table, lists_table, table};
use super::passages::passages_table;
use super::recipe_settings::RecipeSettings;
use super::shelf::PyShelf;
use crate::border::arrays::{ArrayIn, ArrayOut, one_each, signed, unsigned, values};
use crate::border::documents::paragraph_texts::PyParagraphTexts;
use crate::border::errors::{BorderError, Result};
use crate::border::pages::Pages;
use crate::border::threads::{Threads, threads_of};
use crate::sketches::chunks::Chunking;
use crate::sketches::page::Page;
use crate::sketches::recipe::Recipe;
use crate::sketches::shelf::{Place, Shelf};
use crate::sketches::sketch::{Columns, Scratch, Sketch};
use crate::text::boilerplate::Boilerplate;

/// Pages whose tokens are written to the shelf together.
const SHELVED: usize = 16;

#[pyclass(frozen)]
pub struct Sketcher {
    pub recipe: Recipe,
    pool: Threads,
    /// Buffers that no thread uses just now; they are grown once, not for every batch.
    idle: Mutex<Vec<Scratch>>,
}

#[pymethods]
impl Sketcher {
    #[new]
    #[pyo3(signature = (recipe, threads, boilerplate=None))]
    fn new(
        recipe: RecipeSettings,
        threads: usize,
        boilerplate: Option<ArrayIn>,
    ) -> PyResult<Sketcher> {
        let keys = boilerplate.map(|keys| values(&keys)).transpose()?;
        let boilerplate = keys.map(|keys| Boilerplate::new(unsigned(&keys).to_vec()));
        let recipe = recipe.ready(boilerplate)?;
        Ok(Sketcher { recipe, pool: threads_of(threads)?, idle: Mutex::default() })
    }

    #[pyo3(signature = (pages, columns, shelf=None, numbers=None))]
    fn sketch(
        &self,
        py: Python<'_>,
        pages: Pages,
        columns: Vec<String>,
        shelf: Option<&mut PyShelf>,
        numbers: Option<ArrayIn>,
    ) -> PyResult<PyArrowType<RecordBatch>> {
        let wanted = |name: &str| columns.iter().any(|column| column == name);
        let chunkings = Chunkings::among(&columns)?;
        let columns = Columns {
            features: wanted("features"),
            supershingles: wanted("supershingles"),
            projection: wanted("projection"),
            shingles: wanted("shingles"),
            paragraphs: wanted("paragraphs"),
            sentences: wanted("sentence_chars"),
            links: wanted("links"),
            chunks: &chunkings.all,
        };
        let Some(shelf) = shelf else {
            return Ok(PyArrowType(
                py.detach(|| self.sketch_batch(&pages, columns, &chunkings.names))?,
            ));
        };
        let text = || BorderError::BadValue("a shelf needs the numbers of the pages".into());
        let numbers = one_each(&numbers.ok_or_else(text)?, pages.len())?;
        let open = shelf.open()?;
        let sketches = py.detach(|| self.shelve_batch(&pages, columns, open, &numbers))?;
        Ok(PyArrowType(py.detach(|| table(&sketches, columns, &chunkings.names))?))
    }

    /// The text of one page, for people and for tests.
    fn text(&self, py: Python<'_>, body: &[u8], markup: bool, charset: Option<&str>) -> String {
        let page = alone(body, markup, charset, None);
        py.detach(|| self.recipe.text_of(&page))
    }

    /// The text of each page, its tokens as people read them, their fingerprints and places.
    fn words(&self, py: Python<'_>, pages: Pages) -> PyResult<PyArrowType<RecordBatch>> {
        Ok(PyArrowType(py.detach(|| self.words_batch(&pages))?))
    }

    /// The terms of each page, image terms marked.
    fn terms(&self, py: Python<'_>, pages: Pages) -> PyResult<PyArrowType<RecordBatch>> {
        let terms = |page: &Page<'_>| self.recipe.terms_of(page);
        Ok(PyArrowType(py.detach(|| self.lists_batch(&pages, "terms", terms))?))
    }

    /// The different words of each page.
    fn vocabulary(&self, py: Python<'_>, pages: Pages) -> PyResult<PyArrowType<RecordBatch>> {
        let words = |page: &Page<'_>| self.recipe.vocabulary_of(page);
        Ok(PyArrowType(py.detach(|| self.lists_batch(&pages, "vocabulary", words))?))
    }

    /// The paragraphs of each page, without and with overlap, and the characters of their sentences.
    fn paragraphs(&self, py: Python<'_>, pages: Pages) -> PyResult<PyArrowType<RecordBatch>> {
        let of = |page: &Page<'_>, scratch: &mut Scratch| {
            let found = self.recipe.paragraphs_of(page, scratch);
            Sketch {
                paragraphs: found.parted,
                overlapping_paragraphs: found.overlapping,
                sentence_chars: found.sentence_chars,
                ..Sketch::default()
            }
        };
        let made = py.detach(|| self.parts_of_sketches(&pages, of))?;
        let columns: [(&str, List); 3] = [
            ("paragraphs", |sketch| &sketch.paragraphs),
            ("overlapping_paragraphs", |sketch| &sketch.overlapping_paragraphs),
            ("sentence_chars", |sketch| &sketch.sentence_chars),
        ];
        Ok(PyArrowType(lists_table(&made, &columns)?))
    }

    /// The sentences of each page, as people read them.
    fn sentences(&self, py: Python<'_>, pages: Pages) -> PyResult<PyArrowType<RecordBatch>> {
        Ok(PyArrowType(py.detach(|| self.sentences_batch(&pages))?))
    }

    /// Where the links of each page lead, and their kinds.
    fn links(&self, py: Python<'_>, pages: Pages) -> PyResult<PyArrowType<RecordBatch>> {
        let of = |page: &Page<'_>, scratch: &mut Scratch| {
            let (links, link_kinds) = self.recipe.links_of(page, scratch);
            Sketch { links, link_kinds, ..Sketch::default() }
        };
        let made = py.detach(|| self.parts_of_sketches(&pages, of))?;
        let columns: [(&str, List); 2] =
            [("links", |sketch| &sketch.links), ("link_kinds", |sketch| &sketch.link_kinds)];
        Ok(PyArrowType(lists_table(&made, &columns)?))
    }

    /// The chunks of each page, a column for each chunking.
    fn chunks(
        &self,
        py: Python<'_>,
        pages: Pages,
        columns: Vec<String>,
    ) -> PyResult<PyArrowType<RecordBatch>> {
        let Chunkings { all, names } = Chunkings::among(&columns)?;
        let of = |page: &Page<'_>, scratch: &mut Scratch| {
            let chunks = self.recipe.chunks_of(page, &all, scratch);
            Sketch { chunks, ..Sketch::default() }
        };
        let made = py.detach(|| self.parts_of_sketches(&pages, of))?;
        Ok(PyArrowType(chunks_table(&made, &names)?))
    }

    /// The chunks of each page by one chunking, with their texts and on which lines they stand.
    fn passages(
        &self,
        py: Python<'_>,
        pages: Pages,
        column: String,
    ) -> PyResult<PyArrowType<RecordBatch>> {
        let chunking = chunking_of(&column)?;
        Ok(PyArrowType(py.detach(|| self.passages_batch(&pages, chunking))?))
    }

    /// Compares the texts of the paragraphs of pages, which lie from `starts` to `ends` among all.
    fn compare_paragraphs(
        &self,
        py: Python<'_>,
        pages: Pages,
        texts: &mut PyParagraphTexts,
        starts: ArrayIn,
        ends: ArrayIn,
    ) -> PyResult<()> {
        let (starts, ends) = (values(&starts)?, values(&ends)?);
        let of = |page: &Page<'_>| self.recipe.paragraph_texts_of(page);
        self.pool.run(py, || texts.compare(&pages, of, &starts, &ends))??;
        Ok(())
    }

    /// The keys of each page's blocks.
    fn blocks(&self, py: Python<'_>, pages: Pages) -> PyResult<PyArrowType<RecordBatch>> {
        let blocks = |page: &Page<'_>| self.recipe.blocks_of(page);
        Ok(PyArrowType(py.detach(|| self.lists_batch(&pages, "blocks", blocks))?))
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
        let page = alone(body, markup, charset, url);
        PyArrowType(signed(py.detach(|| self.recipe.tokens_of(&page))).to_data())
    }
}

/// A page of which nothing else is known.
fn alone<'a>(
    body: &'a [u8],
    markup: bool,
    charset: Option<&'a str>,
    url: Option<&'a str>,
) -> Page<'a> {
    let (opaque, decoded) = (false, false);
    Page { body, markup, opaque, decoded, charset, url, site: None, stored: None }
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

    fn sketch_batch(
        &self,
        pages: &Pages,
        columns: Columns<'_>,
        chunk_names: &[String],
    ) -> Result<RecordBatch> {
        let pages = pages.all()?;
        let sketches: Vec<Option<Sketch>> = self.pool.install(|| {
            pages
                .par_iter()
                .map_init(
                    || self.scratch(),
                    |scratch, page| {
                        let page = page.as_ref()?;
                        Some(self.recipe.sketch(page, columns, &mut scratch.buffers))
                    },
                )
                .collect()
        });
        table(&sketches, columns, chunk_names)
    }

    /// What is made of each page that has a body, with buffers that are used again.
    fn parts_of_sketches(
        &self,
        pages: &Pages,
        of: impl Fn(&Page<'_>, &mut Scratch) -> Sketch + Sync,
    ) -> Result<Vec<Option<Sketch>>> {
        let pages = pages.all()?;
        Ok(self.pool.install(|| {
            pages
                .par_iter()
                .map_init(
                    || self.scratch(),
                    |scratch, page| Some(of(page.as_ref()?, &mut scratch.buffers)),
                )
                .collect()
        }))
    }

    /// Sketches, and puts the tokens of the pages, which have these numbers, on the shelf.
    fn shelve_batch(
        &self,
        pages: &Pages,
        columns: Columns<'_>,
        shelf: &mut Shelf,
        numbers: &[u32],
    ) -> Result<Vec<Option<Sketch>>> {
        let pages: Vec<(Option<Page<'_>>, u32)> =
            pages.all()?.into_iter().zip(numbers.iter().copied()).collect();
        let writing = &*shelf;
        let done: Vec<(Vec<Option<Sketch>>, Vec<Place>)> = self.pool.install(|| {
            pages
                .par_chunks(SHELVED)
                .map_init(
                    || self.scratch(),
                    |scratch, pages| self.shelve(pages, columns, writing, &mut scratch.buffers),
                )
                .collect::<Result<_>>()
        })?;
        let mut sketches = Vec::with_capacity(pages.len());
        for (some, places) in done {
            sketches.extend(some);
            shelf.note_tokens(places);
        }
        Ok(sketches)
    }

    fn shelve(
        &self,
        pages: &[(Option<Page<'_>>, u32)],
        columns: Columns<'_>,
        shelf: &Shelf,
        scratch: &mut Scratch,
    ) -> Result<(Vec<Option<Sketch>>, Vec<Place>)> {
        let (mut values, mut places) = (Vec::new(), Vec::new());
        let sketches = pages
            .iter()
            .map(|(page, number)| {
                let Some(page) = page else {
                    places.push(Place { page: *number, count: 0, start: 0 });
                    return None;
                };
                let sketch = self.recipe.sketch(page, columns, scratch);
                let tokens = scratch.tokens();
                // Where among these values, until it is known where they lie on the shelf.
                let (start, count) = (values.len() as u64, tokens.len() as u32);
                places.push(Place { page: *number, count, start });
                values.extend_from_slice(tokens);
                Some(sketch)
            })
            .collect();
        let start = shelf.write(&values)?;
        places.iter_mut().for_each(|place| place.start += start);
        Ok((sketches, places))
    }

    /// What is made of each page, as lists of a column of this name.
    fn lists_batch(
        &self,
        pages: &Pages,
        name: &str,
        of: impl Fn(&Page<'_>) -> Vec<u64> + Sync,
    ) -> Result<RecordBatch> {
        let pages = pages.all()?;
        let made = |page: &Option<Page<'_>>| page.as_ref().map(&of);
        let all: Vec<Option<Vec<u64>>> = self.pool.install(|| pages.par_iter().map(made).collect());
        let mut lists = ListBuilder::new(Int64Builder::new());
        for values in &all {
            lists.values().extend(values.iter().flatten().map(|&value| Some(value as i64)));
            lists.append(values.is_some());
        }
        let columns: [(&str, ArrayRef); 1] = [(name, Arc::new(lists.finish()))];
        Ok(RecordBatch::try_from_iter(columns)?)
    }

    fn passages_batch(&self, pages: &Pages, chunking: Chunking) -> Result<RecordBatch> {
        let pages = pages.all()?;
        let made = |page: &Option<Page<'_>>| {
            page.as_ref().map(|page| self.recipe.passages_of(page, chunking))
        };
        let found: Vec<_> = self.pool.install(|| pages.par_iter().map(made).collect());
        passages_table(&found)
    }

    fn sentences_batch(&self, pages: &Pages) -> Result<RecordBatch> {
        let pages = pages.all()?;
        let made =
            |page: &Option<Page<'_>>| page.as_ref().map(|page| self.recipe.sentences_of(page));
        let found: Vec<_> = self.pool.install(|| pages.par_iter().map(made).collect());
        let mut texts = ListBuilder::new(LargeStringBuilder::new());
        for sentences in &found {
            sentences.iter().flatten().for_each(|text| texts.values().append_value(text));
            texts.append(sentences.is_some());
        }
        let columns: [(&str, ArrayRef); 1] = [("sentences", Arc::new(texts.finish()))];
        Ok(RecordBatch::try_from_iter(columns)?)
    }

    fn words_batch(&self, pages: &Pages) -> Result<RecordBatch> {
        let mut texts = LargeStringBuilder::new();
        let mut words = ListBuilder::new(LargeStringBuilder::new());
        let mut numbers: [_; 4] = std::array::from_fn(|_| ListBuilder::new(Int64Builder::new()));
        for page in pages.all()? {
            let found = page.as_ref().map(|page| self.recipe.layout_of(page));
            texts.append_option(found.as_ref().map(|(text, _)| text));
            if let (Some(page), Some((_, found))) = (&page, &found) {
                let prints = self.recipe.tokens_of(page);
                numbers[0].values().extend(prints.into_iter().map(|print| Some(print as i64)));
                for word in found {
                    words.values().append_value(&word.spelt);
                    numbers[1].values().append_value(word.start as i64);
                    numbers[2].values().append_value(word.end as i64);
                    numbers[3].values().append_value(word.place as i64);
                }
            }
            words.append(page.is_some());
            numbers.iter_mut().for_each(|list| list.append(page.is_some()));
        }
        let mut columns: Vec<(&str, ArrayRef)> =
            vec![("text", Arc::new(texts.finish())), ("words", Arc::new(words.finish()))];
        for (name, mut list) in ["tokens", "starts", "ends", "places"].into_iter().zip(numbers) {
            columns.push((name, Arc::new(list.finish())));
        }
        Ok(RecordBatch::try_from_iter(columns)?)
    }
}
