//! The label inside the markup: WHATWG HTML's "prescan a byte stream to determine its encoding".

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::{memchr, memmem};

/// How far a browser looks before it parses.
const WINDOW: usize = 1024;

/// The encoding that the first bytes of the page declare.
pub fn declared(body: &[u8]) -> Option<&'static Encoding> {
    let head = &body[..body.len().min(WINDOW)];
    if head.starts_with(b"<\0?\0x\0") {
        return Some(UTF_16LE);
    }
    if head.starts_with(b"\0<\0?\0x") {
        return Some(UTF_16BE);
    }
    meta(head).or_else(|| xml_declaration(head))
}

/// The encoding that a `<meta>` anywhere in `head` declares.
pub fn meta(head: &[u8]) -> Option<&'static Encoding> {
    let mut at = 0;
    while let Some(skip) = memchr(b'<', head.get(at..)?) {
        at += skip;
        let rest = &head[at..];
        if rest.starts_with(b"<!--") {
            // The two dashes that open a comment may close it, too.
            at += 2 + memmem::find(&rest[2..], b"-->")? + 3;
        } else if names_meta(rest) {
            at += 5;
            if let Some(encoding) = meta_tag(head, &mut at)? {
                return Some(encoding);
            }
        } else if opens_tag(rest) {
            at += rest.iter().position(|&byte| is_space(byte) || byte == b'>')?;
            while attribute(head, &mut at)?.is_some() {}
        } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
            at += memchr(b'>', rest)? + 1;
        } else {
            at += 1;
        }
    }
    None
}

fn names_meta(rest: &[u8]) -> bool {
    rest.get(1..5).is_some_and(|name| name.eq_ignore_ascii_case(b"meta"))
        && rest.get(5).is_some_and(|&byte| is_space(byte) || byte == b'/')
}

fn opens_tag(rest: &[u8]) -> bool {
    let name = if rest.get(1) == Some(&b'/') { 2 } else { 1 };
    rest.get(name).is_some_and(u8::is_ascii_alphabetic)
}

/// Reads the attributes of a `<meta>`: nothing when the window ends in it, and `Some(None)` when it
/// declares no encoding that we know.
fn meta_tag(head: &[u8], at: &mut usize) -> Option<Option<&'static Encoding>> {
    // Of an attribute that comes twice the first counts.
    let (mut http_equiv, mut content, mut charset) = (None, None, None);
    while let Some((name, value)) = attribute(head, at)? {
        match name.as_slice() {
            b"http-equiv" => http_equiv.get_or_insert(value),
            b"content" => content.get_or_insert(value),
            b"charset" => charset.get_or_insert(value),
            _ => continue,
        };
    }
    Some(match (charset, content) {
        (Some(label), _) => encoding(&label),
        (None, Some(value)) if http_equiv.is_some_and(|kind| kind == b"content-type") => {
            content_charset(&value).and_then(encoding)
        }
        _ => None,
    })
}

/// A label in the markup cannot be UTF-16, for then it could not have been read.
fn encoding(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label_no_replacement(label)?;
    Some(if encoding == UTF_16BE || encoding == UTF_16LE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    })
}

/// The label in `text/html; charset=label`.
fn content_charset(value: &[u8]) -> Option<&[u8]> {
    let mut rest = value;
    loop {
        rest = &rest[memmem::find(rest, b"charset")? + b"charset".len()..];
        let behind = rest.trim_ascii_start();
        if let Some(behind) = behind.strip_prefix(b"=") {
            rest = behind.trim_ascii_start();
            break;
        }
    }
    match rest.split_first()? {
        (quote @ (b'"' | b'\''), inside) => Some(&inside[..memchr(*quote, inside)?]),
        _ => rest.split(|&byte| is_space(byte) || byte == b';').next(),
    }
}

/// The specification's "get an attribute": its name and value in lower case, `Some(None)` at the end
/// of the tag, nothing when the window ends in it.
fn attribute(head: &[u8], at: &mut usize) -> Option<Option<(Vec<u8>, Vec<u8>)>> {
    while is_space(*head.get(*at)?) || head[*at] == b'/' {
        *at += 1;
    }
    if head[*at] == b'>' {
        *at += 1;
        return Some(None);
    }
    let start = *at;
    // An equals sign that opens a name belongs to it.
    *at += 1;
    while !matches!(head.get(*at)?, b'=' | b'/' | b'>') && !is_space(head[*at]) {
        *at += 1;
    }
    let name = head[start..*at].to_ascii_lowercase();
    while is_space(*head.get(*at)?) {
        *at += 1;
    }
    if head[*at] != b'=' {
        return Some(Some((name, Vec::new())));
    }
    *at += 1;
    while is_space(*head.get(*at)?) {
        *at += 1;
    }
    let value = if let quote @ (b'"' | b'\'') = head[*at] {
        let start = *at + 1;
        let len = memchr(quote, &head[start..])?;
        *at = start + len + 1;
        &head[start..start + len]
    } else {
        let start = *at;
        while !is_space(*head.get(*at)?) && head[*at] != b'>' {
            *at += 1;
        }
        &head[start..*at]
    };
    Some(Some((name, value.to_ascii_lowercase())))
}

/// The specification's "get an XML encoding": the label in `<?xml … encoding="label"?>`.
fn xml_declaration(head: &[u8]) -> Option<&'static Encoding> {
    let inside = head.strip_prefix(b"<?xml")?;
    let inside = &inside[..memchr(b'>', inside)?];
    let rest = &inside[memmem::find(inside, b"encoding")? + b"encoding".len()..];
    let rest = skip_controls(skip_controls(rest).strip_prefix(b"=")?);
    let (&quote, rest) = rest.split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let label = &rest[..memchr(quote, rest)?];
    if label.iter().any(|&byte| byte <= b' ') { None } else { encoding(label) }
}

fn skip_controls(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|&byte| byte > b' ').unwrap_or(bytes.len());
    &bytes[start..]
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}
