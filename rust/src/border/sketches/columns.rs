//! Sketches as the columns of a batch.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, BooleanBuilder, Int64Builder, StringBuilder};
use arrow_array::{Array, ArrayRef, Int64Array, ListArray, RecordBatch};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{DataType, Field, Schema};

use crate::border::errors::{BorderError, Result};
use crate::sketches::sketch::{Columns, Sketch};

/// Which list of a sketch.
pub type List = fn(&Sketch) -> &Vec<u64>;

/// The rows as columns, in the order of the `sketches` table (docs/workspace.md).
pub fn table(
    sketches: &[Option<Sketch>],
    columns: Columns<'_>,
    chunk_names: &[String],
) -> Result<RecordBatch> {
    let rows = sketches.len();
    let mut chars = Int64Builder::with_capacity(rows);
    let mut tokens = Int64Builder::with_capacity(rows);
    let mut titles = StringBuilder::new();
    let mut hollow = BooleanBuilder::with_capacity(rows);
    for sketch in sketches {
        chars.append_option(sketch.as_ref().map(|s| s.chars as i64));
        tokens.append_option(sketch.as_ref().map(|s| s.tokens as i64));
        titles.append_option(sketch.as_ref().map(|s| &s.title).filter(|title| !title.is_empty()));
        hollow.append_value(sketch.as_ref().is_some_and(|s| s.hollow));
    }
    let digests = |of: fn(&Sketch) -> Option<[u8; 16]>| -> ArrayRef {
        let mut all = BinaryBuilder::with_capacity(rows, 16 * rows);
        sketches.iter().for_each(|sketch| all.append_option(sketch.as_ref().and_then(of)));
        Arc::new(all.finish())
    };
    let mut fields: Vec<(&str, ArrayRef)> = vec![
        ("chars", Arc::new(chars.finish())),
        ("tokens", Arc::new(tokens.finish())),
        ("title", Arc::new(titles.finish())),
        ("hollow", Arc::new(hollow.finish())),
        ("payload_digest", digests(|s| s.payload_digest)),
        ("markup_digest", digests(|s| s.markup_digest)),
        ("text_digest", digests(|s| s.text_digest)),
        ("digest", digests(|s| s.digest)),
    ];
    let wanted: [(&str, bool, List); 9] = [
        ("features", columns.features, |s| &s.features),
        ("supershingles", columns.supershingles, |s| &s.supershingles),
        ("projection", columns.projection, |s| &s.projection),
        ("shingles", columns.shingles, |s| &s.shingles),
        ("paragraphs", columns.paragraphs, |s| &s.paragraphs),
        ("overlapping_paragraphs", columns.paragraphs, |s| &s.overlapping_paragraphs),
        ("sentence_chars", columns.sentences, |s| &s.sentence_chars),
        ("links", columns.links, |s| &s.links),
        ("link_kinds", columns.links, |s| &s.link_kinds),
    ];
    for (name, wanted, list) in wanted {
        if wanted {
            fields.push((name, lists(sketches, list, false)?));
        }
    }
    for (number, name) in chunk_names.iter().enumerate() {
        fields.push((name, lists(sketches, |sketch| &sketch.chunks[number], true)?));
    }
    let schema =
        fields.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true));
    let schema = Schema::new(schema.collect::<Vec<_>>());
    Ok(RecordBatch::try_new(
        Arc::new(schema),
        fields.into_iter().map(|(_, array)| array).collect(),
    )?)
}

/// A few lists alone.
pub fn lists_table(sketches: &[Option<Sketch>], named: &[(&str, List)]) -> Result<RecordBatch> {
    let mut columns = Vec::with_capacity(named.len());
    for &(name, list) in named {
        columns.push((name, lists(sketches, list, false)?, true));
    }
    Ok(RecordBatch::try_from_iter_with_nullable(columns)?)
}

/// The chunks alone, a column of this name for each chunking.
pub fn chunks_table(sketches: &[Option<Sketch>], names: &[String]) -> Result<RecordBatch> {
    let mut columns = Vec::with_capacity(names.len());
    for (number, name) in names.iter().enumerate() {
        let made = lists(sketches, |sketch| &sketch.chunks[number], true)?;
        columns.push((name, made, true));
    }
    Ok(RecordBatch::try_from_iter_with_nullable(columns)?)
}

/// One list a row, null where there is no page, and unless a list may be `empty` where the page has
/// none, as it has no tokens.
fn lists(
    sketches: &[Option<Sketch>],
    list: impl Fn(&Sketch) -> &Vec<u64>,
    empty: bool,
) -> Result<ArrayRef> {
    let lengths = sketches.iter().map(|s| s.as_ref().map_or(0, |s| list(s).len()));
    let total: usize = lengths.clone().sum();
    if i32::try_from(total).is_err() {
        return Err(BorderError::BadValue(format!("{total} values are too many for one batch")));
    }
    let mut values = Vec::with_capacity(total);
    for sketch in sketches.iter().flatten() {
        values.extend(list(sketch).iter().map(|&value| value as i64));
    }
    let known = lengths.clone().zip(sketches);
    let valid: NullBuffer = known.map(|(n, sketch)| n > 0 || empty && sketch.is_some()).collect();
    let field = Arc::new(Field::new("element", DataType::Int64, true));
    let values = Arc::new(Int64Array::from(values));
    Ok(Arc::new(ListArray::try_new(
        field,
        OffsetBuffer::from_lengths(lengths),
        values,
        Some(valid),
    )?))
}
