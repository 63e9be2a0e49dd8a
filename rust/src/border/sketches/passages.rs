//! Passages as lists, a row for each page.

use std::sync::Arc;

use arrow_array::builder::{Int64Builder, LargeStringBuilder, ListBuilder};
use arrow_array::{ArrayRef, RecordBatch};

use crate::border::errors::Result;
use crate::sketches::passages::Passage;

/// Null where there is no page.
pub fn passages_table(pages: &[Option<Vec<Passage>>]) -> Result<RecordBatch> {
    let mut texts = ListBuilder::new(LargeStringBuilder::new());
    for passages in pages {
        let found = passages.iter().flatten();
        found.for_each(|passage| texts.values().append_value(&passage.text));
        texts.append(passages.is_some());
    }
    let columns: [(&str, ArrayRef); 5] = [
        ("chunks", numbers(pages, |passage| passage.chunk as i64)),
        ("first_lines", numbers(pages, |passage| passage.first_line as i64)),
        ("last_lines", numbers(pages, |passage| passage.last_line as i64)),
        ("starts", numbers(pages, |passage| passage.start as i64)),
        ("texts", Arc::new(texts.finish())),
    ];
    Ok(RecordBatch::try_from_iter(columns)?)
}

fn numbers(pages: &[Option<Vec<Passage>>], of: fn(&Passage) -> i64) -> ArrayRef {
    let mut lists = ListBuilder::new(Int64Builder::new());
    for passages in pages {
        lists.values().extend(passages.iter().flatten().map(|passage| Some(of(passage))));
        lists.append(passages.is_some());
    }
    Arc::new(lists.finish())
}
