//! The footer of a Parquet file, judged before a library believes it, and the headers of its pages.
//!
//! What is judged is what libraries take for granted and crash by: that every column chunk is there,
//! of a column of the schema, within the file; that numbers of rows and values are such, and agree;
//! that names are text. What is in the pages they check themselves.

use std::fs::File;
use std::os::unix::fs::FileExt;

use super::thrift::{LIST, Malformed, Reader, Result, STRUCT};

/// Groups within groups of columns, at the most.
const DEEPEST: usize = 32;
/// The kinds of values, from `BOOLEAN` to `FIXED_LEN_BYTE_ARRAY`, and the codecs up to
/// `LZ4_RAW`.
const TYPES: i64 = 8;
const FIXED: i64 = 7;
const CODECS: i64 = 8;
const BYTES: i64 = 6;
const REQUIRED: i64 = 0;
const REPEATED: i64 = 2;
/// A page of a header longer than this is none.
const HEADER: usize = 64 << 10;

#[derive(Default)]
struct Element<'a> {
    kind: Option<i64>,
    length: Option<i64>,
    repetition: Option<i64>,
    name: Option<&'a [u8]>,
    children: Option<i64>,
}

/// A column that has values: its kind, its path, and how its rows nest.
struct Leaf<'a> {
    kind: i64,
    path: Vec<&'a [u8]>,
    levels: Levels,
}

/// How many of a column and the groups around it may be missing or repeat, and how many repeat: the
/// highest level of its definitions, and of its repetitions.
#[derive(Clone, Copy, Default)]
struct Levels {
    definition: usize,
    repetition: usize,
}

impl Levels {
    fn below(self, repetition: Option<i64>) -> Levels {
        Levels {
            definition: self.definition + usize::from(repetition != Some(REQUIRED)),
            repetition: self.repetition + usize::from(repetition == Some(REPEATED)),
        }
    }

    /// Whether each row has one value.
    fn single(self) -> bool {
        self.repetition == 0
    }
}

/// Whether the footer of a file of so many bytes is in order.
pub fn judge(footer: &[u8], file: u64) -> Result<()> {
    let mut elements = Vec::new();
    let (mut rows, mut version) = (None, None);
    // The groups come after the schema, by which they are judged, in any file that is written.
    let mut groups: Option<i64> = None;
    let mut reader = Reader::new(footer);
    reader.fields(|reader, field, kind| {
        match field {
            1 => version = Some(reader.number(kind)?),
            2 => elements = schema(reader, kind)?,
            3 => rows = Some(reader.number(kind)?),
            4 => {
                let leaves = leaves(&elements)?;
                let count = structures(reader, kind)?;
                let mut sum = 0_i64;
                for _ in 0..count {
                    let found = row_group(reader, &leaves, file)?;
                    sum = sum.checked_add(found).ok_or(Malformed)?;
                }
                groups = Some(sum);
            }
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    leaves(&elements)?;
    match (version, rows, groups) {
        (Some(_), Some(rows), Some(groups)) if rows >= 0 && rows == groups => Ok(()),
        _ => Err(Malformed),
    }
}

/// The number of elements of a list of structures.
fn structures(reader: &mut Reader<'_>, kind: u8) -> Result<usize> {
    let (inner, count) = reader.list(kind)?;
    if kind != LIST || (inner != STRUCT && count > 0) {
        return Err(Malformed);
    }
    Ok(count)
}

fn text(bytes: &[u8]) -> Result<()> {
    std::str::from_utf8(bytes).map(drop).map_err(|_| Malformed)
}

fn schema<'a>(reader: &mut Reader<'a>, kind: u8) -> Result<Vec<Element<'a>>> {
    let count = structures(reader, kind)?;
    let mut found = Vec::new();
    for _ in 0..count {
        let mut element = Element::default();
        reader.fields(|reader, field, kind| {
            match field {
                1 => element.kind = Some(reader.number(kind)?),
                2 => element.length = Some(reader.number(kind)?),
                3 => element.repetition = Some(reader.number(kind)?),
                4 => element.name = Some(reader.bytes(kind)?),
                5 => element.children = Some(reader.number(kind)?),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        text(element.name.ok_or(Malformed)?)?;
        found.push(element);
    }
    Ok(found)
}

/// The columns that have values, in their order: the elements are a tree, written from its root on.
fn leaves<'a>(elements: &[Element<'a>]) -> Result<Vec<Leaf<'a>>> {
    let (root, rest) = elements.split_first().ok_or(Malformed)?;
    // Of each open group how many children it still has, and how its rows nest.
    let mut open = vec![(children(root)?, Levels::default())];
    let mut path: Vec<&[u8]> = Vec::new();
    let mut found = Vec::new();
    for element in rest {
        while open.last().is_some_and(|(left, _)| *left == 0) {
            open.pop();
            path.pop();
        }
        let (left, above) = open.last_mut().ok_or(Malformed)?;
        *left -= 1;
        let levels = above.below(element.repetition);
        if !element.repetition.is_some_and(|value| (0..=REPEATED).contains(&value)) {
            return Err(Malformed);
        }
        path.push(element.name.unwrap_or_default());
        if element.children.is_some_and(|count| count != 0) || element.kind.is_none() {
            if open.len() > DEEPEST {
                return Err(Malformed);
            }
            open.push((children(element)?, levels));
            continue;
        }
        let kind = element.kind.filter(|kind| (0..TYPES).contains(kind)).ok_or(Malformed)?;
        if kind == FIXED && !element.length.is_some_and(|length| (1..1 << 24).contains(&length)) {
            return Err(Malformed);
        }
        found.push(Leaf { kind, path: path.clone(), levels });
        path.pop();
    }
    if open.iter().any(|(left, _)| *left > 0) { Err(Malformed) } else { Ok(found) }
}

fn children(element: &Element<'_>) -> Result<i64> {
    element.children.filter(|count| *count >= 0).ok_or(Malformed)
}

/// How many rows a row group has.
fn row_group(reader: &mut Reader<'_>, leaves: &[Leaf<'_>], file: u64) -> Result<i64> {
    let (mut rows, mut values) = (None, None);
    reader.fields(|reader, field, kind| {
        match field {
            1 => {
                let count = structures(reader, kind)?;
                if count != leaves.len() {
                    return Err(Malformed);
                }
                let mut counts = Vec::with_capacity(count);
                for leaf in leaves {
                    counts.push(column_chunk(reader, leaf, file)?);
                }
                values = Some(counts);
            }
            3 => rows = Some(reader.number(kind)?),
            2 | 5 | 6 => {
                if reader.number(kind)? < 0 {
                    return Err(Malformed);
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let rows = rows.filter(|rows| *rows >= 0).ok_or(Malformed)?;
    let agrees = |(leaf, count): (&Leaf<'_>, &i64)| !leaf.levels.single() || *count == rows;
    match values {
        Some(counts) if leaves.iter().zip(&counts).all(agrees) => Ok(rows),
        _ => Err(Malformed),
    }
}

/// How many values a column chunk has.
fn column_chunk(reader: &mut Reader<'_>, leaf: &Leaf<'_>, file: u64) -> Result<i64> {
    let mut values = None;
    reader.fields(|reader, field, kind| {
        match field {
            3 if kind == STRUCT => values = Some(chunk_metadata(reader, leaf, file)?),
            // Of another file, encrypted, or no column at all.
            1 | 3 | 8 | 9 => return Err(Malformed),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    values.ok_or(Malformed)
}

fn chunk_metadata(reader: &mut Reader<'_>, leaf: &Leaf<'_>, file: u64) -> Result<i64> {
    let mut numbers = [None; 12];
    let (mut encodings, mut path) = (false, false);
    reader.fields(|reader, field, kind| {
        match field {
            1 | 4 | 5 | 6 | 7 | 9 | 10 | 11 => numbers[field as usize] = Some(reader.number(kind)?),
            2 => {
                let (inner, count) = reader.list(kind)?;
                (0..count).try_for_each(|_| reader.number(inner).map(drop))?;
                encodings = true;
            }
            3 => {
                let (inner, count) = reader.list(kind)?;
                path = count == leaf.path.len();
                for at in 0..count {
                    let part = reader.bytes(inner)?;
                    path &= leaf.path.get(at) == Some(&part);
                }
            }
            16 if kind == STRUCT => size_statistics(reader, leaf)?,
            16 => return Err(Malformed),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let known = |field: usize| numbers[field].filter(|value: &i64| *value >= 0).ok_or(Malformed);
    if known(1)? != leaf.kind || known(4)? >= CODECS || !encodings || !path {
        return Err(Malformed);
    }
    let (values, _, size, data) = (known(5)?, known(6)?, known(7)?, known(9)?);
    // A dictionary comes first; some writers say that there is one at 0 where there is none.
    let first = numbers[11].filter(|dictionary| (1..data).contains(dictionary)).unwrap_or(data);
    let end = first.checked_add(size).ok_or(Malformed)?;
    if end as u64 > file || data > end { Err(Malformed) } else { Ok(values) }
}

/// How many values have each level, if that is told: as many numbers as there are levels.
fn size_statistics(reader: &mut Reader<'_>, leaf: &Leaf<'_>) -> Result<()> {
    reader.fields(|reader, field, kind| {
        let highest = match field {
            1 if leaf.kind == BYTES => return reader.number(kind).map(|_| true),
            2 => leaf.levels.repetition,
            3 => leaf.levels.definition,
            1 => return Err(Malformed),
            _ => return Ok(false),
        };
        let (inner, count) = reader.list(kind)?;
        if count != 0 && count != highest + 1 {
            return Err(Malformed);
        }
        (0..count).try_for_each(|_| reader.number(inner).map(drop))?;
        Ok(true)
    })
}

/// What the headers of the pages of a column chunk say.
#[derive(Debug, Default, PartialEq)]
pub struct Pages {
    /// Bytes of the dictionary, unpacked.
    pub dictionary: u64,
    /// Bytes of the largest page, packed or unpacked.
    pub largest: u64,
    /// How many values come before the first page that is over the limit, if one is.
    pub before_over: Option<u64>,
}

/// Goes through the headers of the pages from `start` to `end`; at one that is none it stops.
pub fn pages(file: &File, start: u64, end: u64, most: u64) -> Pages {
    let mut found = Pages::default();
    let (mut at, mut values) = (start, 0_u64);
    let mut buffer = vec![0; 256];
    while at < end {
        let Some((header, length)) = header_at(file, at, end, &mut buffer) else { break };
        let size = header.packed.max(header.unpacked);
        found.largest = found.largest.max(size);
        if header.dictionary {
            found.dictionary = found.dictionary.max(header.unpacked);
        }
        if size > most && found.before_over.is_none() {
            found.before_over = Some(values);
        }
        values = values.saturating_add(header.values);
        let Some(next) = at.checked_add(length as u64).and_then(|at| at.checked_add(header.packed))
        else {
            break;
        };
        at = next;
    }
    found
}

#[derive(Default)]
struct Header {
    packed: u64,
    unpacked: u64,
    values: u64,
    dictionary: bool,
}

/// The header of the page at an offset, and its own length.
fn header_at(file: &File, at: u64, end: u64, buffer: &mut Vec<u8>) -> Option<(Header, usize)> {
    loop {
        let wanted = buffer.len().min(usize::try_from(end - at).ok()?);
        let mut filled = 0;
        while filled < wanted {
            match file.read_at(&mut buffer[filled..wanted], at + filled as u64).ok()? {
                0 => break,
                count => filled += count,
            }
        }
        let mut reader = Reader::new(&buffer[..filled]);
        if let Ok(header) = page_header(&mut reader) {
            return Some((header, filled - reader.left()));
        }
        // Statistics may make it long.
        if filled < buffer.len() || buffer.len() >= HEADER {
            return None;
        }
        buffer.resize(buffer.len() * 16, 0);
    }
}

fn page_header(reader: &mut Reader<'_>) -> Result<Header> {
    let mut header = Header::default();
    let size = |value: i64| u64::try_from(value).map_err(|_| Malformed);
    let mut sizes = 0;
    reader.fields(|reader, field, kind| {
        match field {
            2 => header.unpacked = size(reader.number(kind)?)?,
            3 => header.packed = size(reader.number(kind)?)?,
            5 | 7 | 8 if kind == STRUCT => {
                header.dictionary |= field == 7;
                reader.fields(|reader, inner, kind| {
                    if inner != 1 {
                        return Ok(false);
                    }
                    let count = size(reader.number(kind)?)?;
                    header.values = if field == 7 { 0 } else { count };
                    Ok(true)
                })?;
            }
            _ => return Ok(false),
        }
        sizes += usize::from(field == 2 || field == 3);
        Ok(true)
    })?;
    if sizes == 2 { Ok(header) } else { Err(Malformed) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use arrow_array::{
        ArrayRef, Int64Array, ListArray, RecordBatch, StringArray, types::Int64Type,
    };
    use parquet::arrow::ArrowWriter;
    use parquet::file::properties::WriterProperties;
    use parquet::file::reader::{FileReader, SerializedFileReader};

    fn written() -> File {
        let numbers: ArrayRef = Arc::new((0..50).collect::<Int64Array>());
        let texts: ArrayRef =
            Arc::new(StringArray::from_iter_values((0..50).map(|n| format!("some text {n}"))));
        let lists: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>(
            (0..50).map(|n| Some(vec![Some(n), None])),
        ));
        let rows =
            RecordBatch::try_from_iter([("id", numbers), ("text", texts), ("l", lists)]).unwrap();
        let file = tempfile::tempfile().unwrap();
        let settings = WriterProperties::builder().set_max_row_group_row_count(Some(20)).build();
        let mut writer = ArrowWriter::try_new(&file, rows.schema(), Some(settings)).unwrap();
        writer.write(&rows).unwrap();
        writer.close().unwrap();
        file
    }

    fn footer(file: &File) -> Vec<u8> {
        let length = file.metadata().unwrap().len();
        let mut end = [0; 8];
        file.read_exact_at(&mut end, length - 8).unwrap();
        let size = u32::from_le_bytes(end[..4].try_into().unwrap()) as usize;
        let mut footer = vec![0; size];
        file.read_exact_at(&mut footer, length - 8 - size as u64).unwrap();
        footer
    }

    #[test]
    fn what_is_written_is_in_order() {
        let file = written();
        let length = file.metadata().unwrap().len();
        assert_eq!(judge(&footer(&file), length), Ok(()));
        // No chunk ends beyond the file.
        assert!(judge(&footer(&file), 100).is_err());
    }

    #[test]
    fn a_footer_that_is_cut_is_not() {
        let file = written();
        let (footer, length) = (footer(&file), file.metadata().unwrap().len());
        for end in 0..footer.len() {
            assert!(judge(&footer[..end], length).is_err(), "{end}");
        }
    }

    #[test]
    fn numbers_of_levels_are_as_many_as_there_are_levels() {
        let levels = Levels { definition: 3, repetition: 1 };
        let judged = |kind: i64, bytes: &[u8]| {
            let leaf = Leaf { kind, path: vec![b"l"], levels };
            size_statistics(&mut Reader::new(bytes), &leaf)
        };
        // Field 2, a list of two numbers, and field 3, one of four; 0 ends them.
        assert_eq!(judged(1, &[0x29, 0x26, 2, 4, 0x19, 0x46, 2, 4, 6, 8, 0]), Ok(()));
        assert_eq!(judged(1, &[0x29, 0x06, 0x19, 0x06, 0]), Ok(()));
        // A number too many, a number too few, and bytes of what has none.
        assert_eq!(judged(1, &[0x39, 0x56, 2, 4, 6, 8, 10, 0]), Err(Malformed));
        assert_eq!(judged(1, &[0x29, 0x16, 2, 0]), Err(Malformed));
        assert_eq!(judged(BYTES, &[0x16, 2, 0]), Ok(()));
        assert_eq!(judged(1, &[0x16, 2, 0]), Err(Malformed));
    }

    #[test]
    fn no_byte_of_a_footer_makes_it_panic() {
        let file = written();
        let (footer, length) = (footer(&file), file.metadata().unwrap().len());
        for at in 0..footer.len() {
            for value in [0, 1, 0x7f, 0x80, 0xff, footer[at] ^ 1, footer[at] ^ 0x10] {
                let mut changed = footer.clone();
                changed[at] = value;
                let _ = judge(&changed, length);
            }
        }
    }

    #[test]
    fn pages_tell_their_sizes_and_values() {
        let file = written();
        let known = SerializedFileReader::new(file.try_clone().unwrap()).unwrap();
        let chunk = known.metadata().row_group(1).column(1);
        let (start, size) = chunk.byte_range();
        let all = pages(&file, start, start + size, u64::MAX);
        assert!(all.dictionary >= 20 * 15 && all.largest >= all.dictionary, "{all:?}");
        assert_eq!(all.before_over, None);
        assert_eq!(pages(&file, start, start + size, 10).before_over, Some(0));
        // What is no header ends it.
        assert_eq!(pages(&file, 0, 4, 10), Pages::default());
    }
}
