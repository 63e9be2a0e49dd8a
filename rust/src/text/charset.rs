//! Which characters a page's bytes stand for.
//!
//! In this order: a byte order mark, the label in the HTTP header, the label in the markup itself
//! (`<meta>` in the first 1,024 bytes, else an XML declaration), and at last detection: UTF-8 where
//! the bytes are valid UTF-8, else what a later `<meta>` says, which browsers obey as well, else what
//! a detector guesses from the letters. Labels mean what they
//! mean to browsers (WHATWG Encoding: `iso-8859-1` is windows-1252); an unknown one is none.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, UTF_8};

mod prescan;

/// The page's text as UTF-8; not copied where the bytes are already that.
///
/// `header` is the charset label of the HTTP header, `markup` whether labels inside the page count.
/// Bytes that are wrong for a declared charset become U+FFFD.
pub fn decode<'a>(body: &'a [u8], header: Option<&str>, markup: bool) -> Cow<'a, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(body) {
        return decode_as(encoding, &body[mark..]);
    }
    let declared =
        header.and_then(labelled).or_else(|| if markup { prescan::declared(body) } else { None });
    match declared {
        Some(encoding) => decode_as(encoding, body),
        None => detect(body, markup),
    }
}

/// The encoding a label names. Labels that browsers refuse to decode for fear of scripts
/// (`hz-gb-2312`, `iso-2022-kr` …) count as unknown: what is left of such a page is better than one
/// replacement character.
fn labelled(label: &str) -> Option<&'static Encoding> {
    let label = label.trim_matches(|character| matches!(character, '"' | '\'' | ' ' | '\t'));
    Encoding::for_label_no_replacement(label.as_bytes())
}

fn decode_as<'a>(encoding: &'static Encoding, body: &'a [u8]) -> Cow<'a, str> {
    if encoding == UTF_8
        && let Ok(text) = simdutf8::basic::from_utf8(body)
    {
        return Cow::Borrowed(text);
    }
    encoding.decode_without_bom_handling(body).0
}

fn detect(body: &[u8], markup: bool) -> Cow<'_, str> {
    if let Ok(text) = simdutf8::basic::from_utf8(body) {
        // Only ISO-2022-JP is both valid ASCII and something else, and it cannot do without ESC.
        let plain = memchr::memchr(0x1B, body).is_none() || !body.is_ascii();
        return if plain || guess(body) != ISO_2022_JP {
            Cow::Borrowed(text)
        } else {
            decode_as(ISO_2022_JP, body)
        };
    }
    let late = if markup { prescan::meta(body) } else { None };
    decode_as(late.unwrap_or_else(|| guess(body)), body)
}

fn guess(body: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(body, true);
    detector.guess(None, Utf8Detection::Deny)
}

#[cfg(test)]
mod tests;
