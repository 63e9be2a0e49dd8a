//! Tags: their names as keys that compare in one instruction, and their attributes, which are read
//! only when somebody asks.

use std::borrow::Cow;

use super::block::{self, BLOCK};
use super::references::reference;

/// A tag's name in ASCII lower case, zero padded, with its length in the last byte, so that a name
/// with a NUL in it is no other name. Names over 15 bytes are no element we know: `Key::LONG`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key(pub u128);

impl Key {
    pub const LONG: Key = Key(0);
    const LONGEST: usize = 15;

    /// The key of a lower-case name.
    pub const fn of(name: &str) -> Key {
        let bytes = name.as_bytes();
        assert!(bytes.len() <= Key::LONGEST, "a name of at most 15 bytes");
        let mut key = (bytes.len() as u128) << 120;
        let mut at = 0;
        while at < bytes.len() {
            key |= (bytes[at] as u128) << (8 * at);
            at += 1;
        }
        Key(key)
    }
}

/// White space in tags. A carriage return counts, for it stands for a line feed.
#[inline(always)]
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

const NAME_ENDS: [u8; 7] = [b'\t', b'\n', 0x0C, b'\r', b' ', b'/', b'>'];
const ATTRIBUTE_NAME_ENDS: [u8; 8] = [b'\t', b'\n', 0x0C, b'\r', b' ', b'/', b'>', b'='];
const BARE_VALUE_ENDS: [u8; 6] = [b'\t', b'\n', 0x0C, b'\r', b' ', b'>'];

#[inline(always)]
pub fn ends_name(byte: u8) -> bool {
    is_space(byte) || byte == b'/' || byte == b'>'
}

/// Reads the tag name at `at`: where it ends, and its key.
#[inline(always)]
pub fn name(input: &[u8], at: usize) -> (usize, Key) {
    let head = block::load(input, at, b'>');
    let len = block::first(&head, NAME_ENDS);
    if len > Key::LONGEST {
        let tail = input[at..].iter().position(|&byte| ends_name(byte));
        return (tail.map_or(input.len(), |len| at + len), Key::LONG);
    }
    let letters = u128::from_le_bytes(head) & ((1 << (8 * len)) - 1);
    (at + len, Key(lower_case(letters) | (len as u128) << 120))
}

/// Sixteen bytes in ASCII lower case.
#[inline(always)]
fn lower_case(bytes: u128) -> u128 {
    const EACH: u128 = u128::MAX / 0xFF;
    // The high bit of a byte of each sum says that the byte is at least `A`, or above `Z`.
    let seven_bits = bytes & (0x7F * EACH);
    let from_a = seven_bits + (0x80 - u128::from(b'A')) * EACH;
    let above_z = seven_bits + (0x7F - u128::from(b'Z')) * EACH;
    let upper = from_a & !above_z & !bytes & (0x80 * EACH);
    bytes | upper >> 2
}

/// One attribute as the source has it.
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'a> {
    pub raw_name: &'a [u8],
    pub raw_value: &'a [u8],
}

impl<'a> Attribute<'a> {
    /// Whether the name is this lower-case one.
    pub fn is(&self, name: &str) -> bool {
        self.raw_name.eq_ignore_ascii_case(name.as_bytes())
    }

    /// The value with its references decoded.
    pub fn value(&self) -> Cow<'a, str> {
        let raw = self.raw_value;
        if !raw.iter().any(|byte| matches!(byte, b'&' | b'\r' | 0)) {
            return String::from_utf8_lossy(raw);
        }
        let mut value = Vec::with_capacity(raw.len());
        let mut at = 0;
        while at < raw.len() {
            if raw[at] == b'&'
                && let Some((len, decoded)) = reference(&raw[at..], true)
            {
                value.extend_from_slice(decoded.as_bytes());
                at += len;
                continue;
            }
            at += push_normal(&raw[at..], &mut value);
        }
        Cow::Owned(String::from_utf8_lossy(&value).into_owned())
    }
}

/// Appends the byte at the head of `rest` as the specification's preprocessing leaves it: a line
/// break is one LF, a NUL is U+FFFD. Returns how many bytes that was.
pub fn push_normal(rest: &[u8], out: &mut Vec<u8>) -> usize {
    match rest {
        [b'\r', b'\n', ..] => {
            out.push(b'\n');
            return 2;
        }
        [b'\r', ..] => out.push(b'\n'),
        [0, ..] => out.extend_from_slice("\u{FFFD}".as_bytes()),
        [byte, ..] => out.push(*byte),
        [] => return 0,
    }
    1
}

/// What comes next inside a tag.
pub enum Step<'a> {
    Attribute(Attribute<'a>),
    End {
        self_closing: bool,
    },
    /// The input ends inside the tag, which is then none.
    Cut,
}

/// Takes the next step from `at`, which stands behind the tag's name or an attribute.
#[inline(always)]
pub fn step<'a>(input: &'a [u8], at: &mut usize) -> Step<'a> {
    loop {
        match input.get(*at) {
            None => return Step::Cut,
            Some(b'>') => {
                *at += 1;
                return Step::End { self_closing: false };
            }
            Some(b'/') => {
                *at += 1;
                if input.get(*at) == Some(&b'>') {
                    *at += 1;
                    return Step::End { self_closing: true };
                }
            }
            Some(&byte) if is_space(byte) => *at += 1,
            Some(_) => break,
        }
    }
    let start = *at;
    // An equals sign that opens a name belongs to it.
    *at += 1;
    *at = find(input, *at, ATTRIBUTE_NAME_ENDS);
    let raw_name = &input[start..*at];
    skip_spaces(input, at);
    if input.get(*at) != Some(&b'=') {
        return Step::Attribute(Attribute { raw_name, raw_value: &[] });
    }
    *at += 1;
    skip_spaces(input, at);
    let raw_value = match input.get(*at) {
        None => return Step::Cut,
        Some(&quote @ (b'"' | b'\'')) => {
            *at += 1;
            let start = *at;
            let end = find(input, start, [quote]);
            if end == input.len() {
                return Step::Cut;
            }
            *at = end + 1;
            &input[start..end]
        }
        Some(_) => {
            let start = *at;
            *at = find(input, start, BARE_VALUE_ENDS);
            &input[start..*at]
        }
    };
    Step::Attribute(Attribute { raw_name, raw_value })
}

#[inline(always)]
fn skip_spaces(input: &[u8], at: &mut usize) {
    while input.get(*at).is_some_and(|&byte| is_space(byte)) {
        *at += 1;
    }
}

/// Where the first of the wanted bytes stands, from `at` on, or the end of the input.
#[inline(always)]
fn find<const N: usize>(input: &[u8], mut at: usize, wanted: [u8; N]) -> usize {
    loop {
        let len = block::first(&block::load(input, at, wanted[0]), wanted);
        at += len;
        if len < BLOCK {
            return at.min(input.len());
        }
    }
}

/// A start tag as the source has it.
#[derive(Clone, Copy)]
pub struct StartTag<'a> {
    pub raw_name: &'a [u8],
    pub key: Key,
    pub self_closing: bool,
    /// From behind the name to behind the closing `>`.
    pub(super) inside: &'a [u8],
}

impl<'a> StartTag<'a> {
    /// The attributes in order, repeated ones too, of which the first counts.
    pub fn attributes(&self) -> impl Iterator<Item = Attribute<'a>> + use<'a> {
        let (inside, mut at) = (self.inside, 0);
        std::iter::from_fn(move || match step(inside, &mut at) {
            Step::Attribute(attribute) => Some(attribute),
            Step::End { .. } | Step::Cut => None,
        })
    }

    /// The decoded value of the attribute with this lower-case name.
    pub fn attribute(&self, name: &str) -> Option<Cow<'a, str>> {
        self.attributes().find(|attribute| attribute.is(name)).map(|attribute| attribute.value())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower_case_of_every_byte() {
        for byte in 0..=255u8 {
            let bytes: block::Block = std::array::from_fn(|lane| byte.rotate_left(lane as u32));
            let lower = bytes.map(|byte| byte.to_ascii_lowercase());
            assert_eq!(lower_case(u128::from_le_bytes(bytes)), u128::from_le_bytes(lower));
        }
    }

    #[test]
    fn names_are_keys() {
        for (source, end, key) in [
            ("Blockquote>", 10, Key::of("blockquote")),
            ("h1 class", 2, Key::of("h1")),
            ("br/>", 2, Key::of("br")),
            ("td", 2, Key::of("td")),
            ("exactly-fifteen>", 15, Key::of("exactly-fifteen")),
            ("one-more-than-15>", 16, Key::LONG),
            ("more-than-one-block-of-bytes x", 28, Key::LONG),
        ] {
            assert_eq!(name(source.as_bytes(), 0), (end, key), "{source}");
        }
        assert_ne!(name(b"b\0>", 0).1, Key::of("b"));
    }
}
