//! The swift reader: file in, records out, as long as all is in order.
//!
//! In order is a record whose header has plain lines that end in CRLF, whose block is as long as
//! the header says, and which is followed by two line ends and the next record: in a compressed
//! file each one a gzip member by itself, with the right checksum. At anything else it ends, and
//! so it does before the last record, which no other follows.

use memchr::{memchr, memmem};

use super::fields::Fields;
use super::judge::{HEAD, Judge, Judged};
use super::tape::{END, Tape, VERSION};

const MAX_HEADER: usize = 64 << 10;
/// Of a block that nobody wants not much more than this is held.
const HELD: usize = 1 << 20;

/// One record: its place, what it is, and its block, which is empty where nobody wants it.
pub struct Record<'t> {
    pub place: u64,
    pub judged: Judged,
    pub block: &'t [u8],
}

/// Reads the records of a file in their order.
pub struct Swift {
    tape: Box<dyn Tape + Send + Sync>,
    /// The size of the record that was given last, which the next call leaves behind.
    given: Option<usize>,
    ended: bool,
}

impl Swift {
    pub fn new(tape: Box<dyn Tape + Send + Sync>) -> Swift {
        Swift { tape, given: None, ended: false }
    }

    /// The next record; none where something is not in order, and after that.
    pub fn read(&mut self, judge: &Judge) -> Option<Record<'_>> {
        if self.ended {
            return None;
        }
        if let Some(size) = self.given.take() {
            self.tape.leave(size);
        }
        let Some((start, size, judged)) = self.attempt(judge) else {
            self.ended = true;
            return None;
        };
        self.given = Some(size);
        let block = match judged {
            Judged::Page(_) => &self.tape.held()[start..size - END.len()],
            Judged::Skip(_) => &[],
        };
        Some(Record { place: self.tape.place(), judged, block })
    }

    /// Where the block of the record begins, where it all ends, and what it is.
    fn attempt(&mut self, judge: &Judge) -> Option<(usize, usize, Judged)> {
        let tape = &mut self.tape;
        let mut searched = 0;
        let start = loop {
            if let Some(at) = memmem::find(&tape.held()[searched..], END) {
                break searched + at + END.len();
            }
            searched = tape.held().len().saturating_sub(END.len() - 1);
            if searched > MAX_HEADER || !tape.more() {
                return None;
            }
        };
        let length = header(&tape.held()[..start])?.1;
        let size = start.checked_add(length)?.checked_add(END.len())?;
        while tape.held().len() < start + length.min(HEAD) {
            if !tape.more() {
                return None;
            }
        }
        let fields = header(&tape.held()[..start])?.0;
        let head = &tape.held()[start..start + length.min(HEAD)];
        let judged = judge.judge(&fields, head, length as u64);
        while tape.forgotten() + tape.held().len() < size {
            if matches!(judged, Judged::Skip(_)) && tape.held().len() > HELD {
                tape.forget();
            }
            if !tape.more() {
                return None;
            }
        }
        tape.ends_well(size).then_some((start, size, judged))
    }
}

/// The fields of a header, and the length of the block; none if it is not a plain one.
fn header(header: &[u8]) -> Option<(Fields<'_>, usize)> {
    let mut fields = Fields::default();
    let mut length = None;
    let mut rest = header.strip_suffix(END)?;
    let version = line(&mut rest)?.strip_prefix(VERSION)?;
    if version.is_empty() || !version.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.') {
        return None;
    }
    let mut name = Vec::with_capacity(32);
    while !rest.is_empty() {
        let line = line(&mut rest)?;
        let colon = memchr(b':', line)?;
        name.clear();
        name.extend(line[..colon].iter().map(u8::to_ascii_lowercase));
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
        if name.is_empty() || !name.iter().all(is_plain) {
            return None;
        }
        let value = line[colon + 1..].trim_ascii();
        if name != b"content-length" {
            fields.set(&name, value);
        } else if length.is_none() {
            length = Some(plain_number(value)?);
        }
    }
    Some((fields, length?))
}

/// Takes off the first line, if it ends in CRLF and holds neither elsewhere.
fn line<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (line, after) = match memchr(b'\n', rest) {
        Some(end) => (rest[..end].strip_suffix(b"\r")?, &rest[end + 1..]),
        None => (*rest, &rest[rest.len()..]),
    };
    *rest = after;
    (!line.contains(&b'\r')).then_some(line)
}

fn plain_number(digits: &[u8]) -> Option<usize> {
    if digits.is_empty() || digits.len() > 18 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}
