//! Character references: `&amp;`, `&#233;`, `&#xE9;` and the legacy forms without a semicolon.

use std::sync::LazyLock;

use super::entities::NAMES;

/// What a reference stands for: one or two characters, as UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoded {
    bytes: [u8; 8],
    len: u8,
}

impl Decoded {
    fn new(first: char, second: Option<char>) -> Self {
        let mut bytes = [0; 8];
        let mut len = first.encode_utf8(&mut bytes).len();
        if let Some(second) = second {
            len += second.encode_utf8(&mut bytes[len..]).len();
        }
        Decoded { bytes, len: len as u8 }
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

/// Reads the reference that starts with the `&` at the head of `rest`: its length in bytes and what
/// it stands for, or nothing when the `&` is only an ampersand.
///
/// In attribute values a legacy name before `=` or a letter or digit is left alone, so that
/// `?a=1&copy=2` stays an address.
pub fn reference(rest: &[u8], in_attribute: bool) -> Option<(usize, Decoded)> {
    match rest.get(1)? {
        b'#' => numeric(rest),
        first if first.is_ascii_alphabetic() => named(rest, in_attribute),
        _ => None,
    }
}

fn numeric(rest: &[u8]) -> Option<(usize, Decoded)> {
    let hexadecimal = matches!(rest.get(2), Some(b'x' | b'X'));
    let (start, radix) = if hexadecimal { (3, 16) } else { (2, 10) };
    let mut code = 0u32;
    let mut end = start;
    while let Some(digit) = rest.get(end).and_then(|&byte| char::from(byte).to_digit(radix)) {
        // Saturates just above the last code point: a million digits are one replacement character.
        code = (code * radix + digit).min(0x11_0000);
        end += 1;
    }
    if end == start {
        return None;
    }
    if rest.get(end) == Some(&b';') {
        end += 1;
    }
    Some((end, Decoded::new(numbered(code), None)))
}

/// The C1 controls stand for what windows-1252 has there; code points that cannot be are U+FFFD.
fn numbered(code: u32) -> char {
    const WINDOWS_1252: [char; 32] = [
        '\u{20AC}', '\u{81}', '\u{201A}', '\u{192}', '\u{201E}', '\u{2026}', '\u{2020}',
        '\u{2021}', '\u{2C6}', '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8D}', '\u{17D}',
        '\u{8F}', '\u{90}', '\u{2018}', '\u{2019}', '\u{201C}', '\u{201D}', '\u{2022}', '\u{2013}',
        '\u{2014}', '\u{2DC}', '\u{2122}', '\u{161}', '\u{203A}', '\u{153}', '\u{9D}', '\u{17E}',
        '\u{178}',
    ];
    match code {
        0 => char::REPLACEMENT_CHARACTER,
        0x80..=0x9F => WINDOWS_1252[(code - 0x80) as usize],
        _ => char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

/// The longest name that matches. A name with a semicolon can only be the whole run of letters and
/// digits, so one lookup settles it; else the legacy names, at most 6 long, are tried downwards.
fn named(rest: &[u8], in_attribute: bool) -> Option<(usize, Decoded)> {
    let index = &*INDEX;
    let window = &rest[1..rest.len().min(1 + LONGEST + 1)];
    let run = window.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(window.len());
    if window.get(run) == Some(&b';')
        && let Some(entry) = index.find(&window[..run])
    {
        return Some((1 + run + 1, entry.decoded));
    }
    for len in (2..=run.min(LONGEST_LEGACY)).rev() {
        let Some(entry) = index.find(&window[..len]).filter(|entry| entry.legacy) else {
            continue;
        };
        let next = rest.get(1 + len);
        let part_of_a_query =
            in_attribute && next.is_some_and(|&byte| byte == b'=' || byte.is_ascii_alphanumeric());
        return (!part_of_a_query).then_some((1 + len, entry.decoded));
    }
    None
}

const LONGEST: usize = 31;
const LONGEST_LEGACY: usize = 6;
/// Four times the names: a lookup meets 1.2 slots on average.
const SLOTS: usize = 8192;

struct Entry {
    name: &'static [u8],
    decoded: Decoded,
    legacy: bool,
}

/// Open addressing over the entries; a slot holds the entry's number plus one, 0 when free.
struct Index {
    entries: Vec<Entry>,
    slots: Vec<u16>,
}

static INDEX: LazyLock<Index> = LazyLock::new(|| Index::new(NAMES));

impl Index {
    fn new(names: &'static str) -> Self {
        let entries: Vec<Entry> = names.split_ascii_whitespace().filter_map(entry).collect();
        let mut slots = vec![0; SLOTS];
        for (number, entry) in entries.iter().enumerate() {
            let mut slot = slot(entry.name);
            while slots[slot] != 0 {
                slot = (slot + 1) % SLOTS;
            }
            slots[slot] = number as u16 + 1;
        }
        Index { entries, slots }
    }

    fn find(&self, name: &[u8]) -> Option<&Entry> {
        let mut slot = slot(name);
        while let Some(number) = usize::from(self.slots[slot]).checked_sub(1) {
            let entry = &self.entries[number];
            if entry.name == name {
                return Some(entry);
            }
            slot = (slot + 1) % SLOTS;
        }
        None
    }
}

/// FNV-1a, folded to a slot: names are short, so byte by byte is as good as anything.
fn slot(name: &[u8]) -> usize {
    let mut hash = 0x811C_9DC5_u32;
    for &byte in name {
        hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    (hash ^ (hash >> 15)) as usize % SLOTS
}

fn entry(source: &'static str) -> Option<Entry> {
    let at = source.find(['=', '*'])?;
    let mut characters = source[at + 1..]
        .split('+')
        .map(|code| u32::from_str_radix(code, 16).ok().and_then(char::from_u32));
    let first = characters.next()??;
    let second = characters.next().flatten();
    Some(Entry {
        name: &source.as_bytes()[..at],
        decoded: Decoded::new(first, second),
        legacy: source.as_bytes()[at] == b'*',
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(source: &str, in_attribute: bool) -> Option<(usize, String)> {
        let (len, decoded) = reference(source.as_bytes(), in_attribute)?;
        Some((len, String::from_utf8(decoded.as_bytes().to_vec()).unwrap()))
    }

    #[test]
    fn the_table_is_whole() {
        let entries = &INDEX.entries;
        assert_eq!(entries.len(), 2125);
        assert_eq!(entries.iter().filter(|entry| entry.legacy).count(), 106);
        assert!(entries.iter().all(|entry| entry.name.len() <= LONGEST));
        let legacy = entries.iter().filter(|entry| entry.legacy);
        assert_eq!(legacy.map(|entry| entry.name.len()).max(), Some(LONGEST_LEGACY));
    }

    #[test]
    fn the_longest_name_wins() {
        assert_eq!(read("&amp;lt;", false), Some((5, "&".into())));
        assert_eq!(read("&notin;", false), Some((7, "\u{2209}".into())));
        assert_eq!(read("&notit;", false), Some((4, "\u{AC}".into())));
        assert_eq!(read("&frac12x", false), Some((7, "\u{BD}".into())));
        assert_eq!(read("&nGt;", false), Some((5, "\u{226B}\u{20D2}".into())));
        assert_eq!(read("&CounterClockwiseContourIntegral;", false), Some((33, "\u{2233}".into())));
        assert_eq!(read("&hearts", false), None);
        assert_eq!(read("&", false), None);
        assert_eq!(read("& amp", false), None);
    }

    #[test]
    fn a_query_in_an_attribute_is_no_reference() {
        assert_eq!(read("&copy=1", true), None);
        assert_eq!(read("&copyright", true), None);
        assert_eq!(read("&copy;=1", true), Some((6, "\u{A9}".into())));
        assert_eq!(read("&copy\"", true), Some((5, "\u{A9}".into())));
        assert_eq!(read("&copy=1", false), Some((5, "\u{A9}".into())));
    }

    #[test]
    fn numbers() {
        assert_eq!(read("&#65;", false), Some((5, "A".into())));
        assert_eq!(read("&#x41g", false), Some((5, "A".into())));
        assert_eq!(read("&#X1F600;", false), Some((9, "\u{1F600}".into())));
        assert_eq!(read("&#150;", false), Some((6, "\u{2013}".into())));
        assert_eq!(read("&#0;", false), Some((4, "\u{FFFD}".into())));
        assert_eq!(read("&#xD800;", false), Some((8, "\u{FFFD}".into())));
        assert_eq!(read("&#99999999999999999999;", false), Some((23, "\u{FFFD}".into())));
        assert_eq!(read("&#;", false), None);
        assert_eq!(read("&#xg", false), None);
    }
}
