//! Any bytes as an archive, flat or in members, however they come: the swift reader ends, gives records
//! in order, the same ones however many bytes come at a time, and the same from members as from flat.

use std::io::Write;

use _core::archives::warc::{Fields, Flat, Form, Judge, Judged, Members, Swift};
use flate2::{Compression, GzBuilder};

use super::input::{Input, text};

fn judge() -> Judge {
    let too_long = "too long".to_owned();
    Judge { statuses: vec![200], types: vec!["*/*".into()], longest: 1 << 20, too_long }
}

/// Where each record begins, what it is, and its block.
fn records(bytes: &[u8], members: bool, step: usize) -> Vec<(u64, String, Vec<u8>)> {
    let mut left = bytes.to_vec();
    let read = Box::new(move || {
        let rest = left.split_off(step.min(left.len()));
        std::mem::replace(&mut left, rest)
    });
    let mut reader = Swift::new(if members {
        Box::new(Members::new(read, 0))
    } else {
        Box::new(Flat::new(read, 0))
    });
    let (judge, mut found) = (judge(), Vec::new());
    while let Some(record) = reader.read(&judge) {
        found.push((record.place, format!("{:?}", record.judged), record.block.to_vec()));
    }
    found
}

pub fn run(data: &[u8]) {
    let mut input = Input(data);
    let (members, step) = (input.byte() & 1 != 0, usize::from(input.byte()) * 16 + 1);
    let bytes = input.0;
    let found = records(bytes, members, step);
    assert!(found.is_sorted_by(|one, other| one.0 < other.0));
    assert_eq!(records(bytes, members, 1 << 20), found);
    if members {
        return;
    }
    // Each record packed by itself; what came after the last is one more.
    let mut ends: Vec<usize> = found.iter().skip(1).map(|(place, _, _)| *place as usize).collect();
    ends.extend(found.last().map(|_| end_of_last(bytes, &found)));
    let (mut packed, mut start) = (Vec::new(), 0);
    for end in ends.into_iter().chain([bytes.len()]) {
        let mut member = GzBuilder::new().write(&mut packed, Compression::fast());
        member.write_all(&bytes[start..end]).expect("memory takes all");
        member.finish().expect("memory takes all");
        start = end;
    }
    let unpacked = records(&packed, true, step);
    let told = |all: &[(u64, String, Vec<u8>)]| -> Vec<(String, Vec<u8>)> {
        all.iter().map(|(_, judged, block)| (judged.clone(), block.clone())).collect()
    };
    assert_eq!(told(&unpacked), told(&found));
}

/// Where the last record ends: another, which was not read, begins there.
fn end_of_last(bytes: &[u8], found: &[(u64, String, Vec<u8>)]) -> usize {
    let start = found.last().map_or(0, |(place, _, _)| *place as usize);
    let header = start + find(&bytes[start..], b"\r\n\r\n") + 4;
    // Its length is told in the header, and was read there.
    let head = text(&bytes[start..header]).to_ascii_lowercase();
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name == "content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    header + length.expect("a record was read") + 4
}

fn find(bytes: &[u8], wanted: &[u8]) -> usize {
    bytes.windows(wanted.len()).position(|window| window == wanted).expect("a record was read")
}

/// Any header and block of a record: a page's body begins within the block.
pub fn judged(data: &[u8]) {
    const NAMES: [&str; 8] = [
        "warc-type",
        "warc-target-uri",
        "warc-date",
        "content-type",
        "warc-refers-to",
        "warc-profile",
        "warc-payload-digest",
        "warc-segment-number",
    ];
    let mut input = Input(data);
    let (header, block) = input.two();
    let mut fields = Fields::default();
    for line in header.split(|&byte| byte == b'\n') {
        let mut line = Input(line);
        fields.set(NAMES[line.below(NAMES.len())].as_bytes(), line.0);
    }
    if let Judged::Page(wanted) = judge().judge(&fields, block, block.len() as u64) {
        assert!(wanted.response.is_none_or(|response| response.start <= block.len()));
        Form::of(wanted.kind.as_deref().unwrap_or_default(), block);
    }
}
