//! Passages as lists, a row for each page.

use std::sync::Arc;

use arrow_array::builder::{Int64Builder, LargeListBuilder};
use arrow_array::{ArrayRef, LargeStringArray, RecordBatch};

use crate::border::errors::Result;
use crate::sketches::passages::{Passage, Passages};

/// Null where there is no page.
pub fn passages_table(pages: &[Option<Passages>]) -> Result<RecordBatch> {
    let texts = pages.iter().map(|page| page.as_ref().map(|page| &*page.text));
    let columns: [(&str, ArrayRef); 6] = [
        ("text", Arc::new(texts.collect::<LargeStringArray>())),
        ("chunks", numbers(pages, |passage| passage.chunk as i64)),
        ("first_lines", numbers(pages, |passage| passage.first_line as i64)),
        ("last_lines", numbers(pages, |passage| passage.last_line as i64)),
        ("starts", numbers(pages, |passage| passage.start as i64)),
        ("ends", numbers(pages, |passage| passage.end as i64)),
    ];
    Ok(RecordBatch::try_from_iter(columns)?)
}

fn numbers(pages: &[Option<Passages>], of: fn(&Passage) -> i64) -> ArrayRef {
    let mut lists = LargeListBuilder::new(Int64Builder::new());
    for page in pages {
        let all = page.iter().flat_map(|page| &page.all);
        lists.values().extend(all.map(|passage| Some(of(passage))));
        lists.append(page.is_some());
    }
    Arc::new(lists.finish())
}
