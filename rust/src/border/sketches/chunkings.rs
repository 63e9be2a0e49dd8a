//! Chunkings by the names of their columns, which are those of their page tables: `chunks-lines-4`.

use crate::border::errors::{BorderError, Result};
use crate::sketches::chunks::{Chunking, Unit};

/// How the names begin.
const PREFIX: &str = "chunks-";

/// Those that are asked for, and the names of their columns.
pub struct Chunkings {
    pub all: Vec<Chunking>,
    pub names: Vec<String>,
}

impl Chunkings {
    /// Those among the names of columns.
    pub fn among(columns: &[String]) -> Result<Chunkings> {
        let names = columns.iter().filter(|name| name.starts_with(PREFIX));
        let names: Vec<String> = names.cloned().collect();
        let all = names.iter().map(|name| chunking_of(name)).collect::<Result<_>>()?;
        Ok(Chunkings { all, names })
    }
}

/// The chunking whose column has this name.
pub fn chunking_of(name: &str) -> Result<Chunking> {
    parsed(name).ok_or_else(|| BorderError::BadValue(format!("{name:?} are no chunks")))
}

fn parsed(name: &str) -> Option<Chunking> {
    let mut parts = name.strip_prefix(PREFIX)?.split('-');
    let alone = |unit| Chunking { unit, size: 1, sliding: false };
    let unit = match parts.next()? {
        "page" => return parts.next().is_none().then(|| alone(Unit::Page)),
        "sentence" => return parts.next().is_none().then(|| alone(Unit::Sentence)),
        "paragraph" => return parts.next().is_none().then(|| alone(Unit::Paragraph)),
        "lines" => Unit::Lines,
        "words" => Unit::Words,
        _ => return None,
    };
    let size = parts.next()?.parse::<u32>().ok().filter(|&size| size > 0)? as usize;
    match (parts.next(), parts.next()) {
        (None, None) => Some(Chunking { unit, size, sliding: false }),
        (Some("sliding"), None) => Some(Chunking { unit, size, sliding: true }),
        _ => None,
    }
}
