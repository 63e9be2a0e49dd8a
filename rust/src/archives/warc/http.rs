//! The header of an HTTP response as it stands in a record's block.

use memchr::memchr_iter;

use super::fields::text;

/// Headers longer than this are accidents or attacks.
pub const MAX_HEADER: usize = 64 << 10;

/// What servers say when they do not know the type.
const UNKNOWN: [&str; 3] = ["unknown/unknown", "application/unknown", "*/*"];

/// The header of a response; its body begins at `start`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Response {
    pub status: u16,
    pub kind: Option<String>,
    pub charset: Option<String>,
    /// Content encodings, in the order in which they were applied.
    pub codings: Vec<String>,
    pub chunked: bool,
    pub location: Option<String>,
    pub length: Option<u64>,
    pub start: usize,
}

/// The header at the start of a block, if it starts with one.
pub fn parse(block: &[u8]) -> Option<Response> {
    let (status, after) = status(block)?;
    let (end, start) = end(block, after).unwrap_or((block.len(), block.len()));
    let mut response = Response { status, start, ..Response::default() };
    let (mut kind, mut length, mut chunked) = (None, None, None);
    for newline in memchr_iter(b'\n', &block[..end]) {
        let Some((name, value)) = field(&block[newline + 1..end]) else { continue };
        if name.eq_ignore_ascii_case(b"content-type") {
            kind.get_or_insert(value);
        } else if name.eq_ignore_ascii_case(b"content-length") {
            length.get_or_insert(value);
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            chunked.get_or_insert(value);
        } else if name.eq_ignore_ascii_case(b"location") {
            response.location.get_or_insert_with(|| text(value).trim().to_owned());
        } else if name.eq_ignore_ascii_case(b"content-encoding") {
            let codings = text(value).to_lowercase();
            response.codings.extend(codings.split(',').map(|coding| coding.trim().to_owned()));
        }
    }
    (response.kind, response.charset) = content_type(kind.unwrap_or_default());
    response.chunked =
        chunked.is_some_and(|value| text(value).to_ascii_lowercase().contains("chunked"));
    response.length = length.and_then(|value| {
        let digits = value.trim_ascii_end();
        (digits.len() <= 18 && digits.iter().all(u8::is_ascii_digit))
            .then(|| std::str::from_utf8(digits).ok()?.parse().ok())?
    });
    Some(response)
}

/// The status of a status line, and where it ends.
fn status(block: &[u8]) -> Option<(u16, usize)> {
    let line = &block[..block.len().min(32)];
    let digit = |at: usize| line.get(at).is_some_and(u8::is_ascii_digit);
    let is = |at: usize, byte: u8| line.get(at) == Some(&byte);
    let mut at = if line.len() >= 3 && line[..3].eq_ignore_ascii_case(b"ICY") {
        3
    } else if line.len() >= 5 && line[..5].eq_ignore_ascii_case(b"HTTP/") && digit(5) {
        if is(6, b'.') && digit(7) { 8 } else { 6 }
    } else {
        return None;
    };
    let version = at;
    while is(at, b' ') || is(at, b'\t') {
        at += 1;
    }
    let found = at > version && digit(at) && digit(at + 1) && digit(at + 2) && !digit(at + 3);
    let number = |at: usize| u16::from(line[at] - b'0');
    found.then(|| (100 * number(at) + 10 * number(at + 1) + number(at + 2), at + 3))
}

/// Where the header ends, and where the body begins.
fn end(block: &[u8], after: usize) -> Option<(usize, usize)> {
    let head = &block[..block.len().min(MAX_HEADER)];
    memchr_iter(b'\n', &head[after..]).map(|at| at + after).find_map(|at| {
        // Windows programs that took the header for text wrote `\r\r\n`.
        let line = head[at + 1..].iter().take(2).take_while(|&&byte| byte == b'\r').count();
        (head.get(at + 1 + line) == Some(&b'\n')).then_some((at, at + 2 + line))
    })
}

/// The name and the value in a line of the header.
fn field(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    // Only these are looked at; the others are not searched for their colon.
    if !matches!(rest.first()?.to_ascii_lowercase(), b'c' | b't' | b'l') {
        return None;
    }
    let line = &rest[..rest.iter().position(|byte| b"\r\n".contains(byte)).unwrap_or(rest.len())];
    let colon = line.iter().position(|&byte| byte == b':')?;
    let blank = |byte: &u8| b" \t".contains(byte);
    let name_end = line[..colon].iter().rposition(|byte| !blank(byte))? + 1;
    let value = &line[colon + 1..];
    let value_start = value.iter().position(|byte| !blank(byte)).unwrap_or(value.len());
    Some((&line[..name_end], &value[value_start..]))
}

/// The media type in lower case and the charset of a Content-Type, as far as it tells them.
pub fn content_type(header: &[u8]) -> (Option<String>, Option<String>) {
    let header = text(header);
    let value = header.trim();
    let kind = media_type(value).map(str::to_ascii_lowercase);
    (kind.filter(|kind| !UNKNOWN.contains(&kind.as_str())), charset(value))
}

fn media_type(value: &str) -> Option<&str> {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+.^_`|~-".contains(&byte);
    let word = |from: usize| value.bytes().skip(from).take_while(|&byte| is_token(byte)).count();
    let first = word(0);
    if first == 0 || value.as_bytes().get(first) != Some(&b'/') {
        return None;
    }
    let second = word(first + 1);
    (second > 0).then(|| &value[..first + 1 + second])
}

fn charset(value: &str) -> Option<String> {
    let lower = value.to_ascii_lowercase();
    lower.match_indices("charset").find_map(|(at, name)| {
        let rest = value[at + name.len()..].trim_start().strip_prefix('=')?.trim_start();
        let rest = rest.strip_prefix(['"', '\'']).unwrap_or(rest).trim_start();
        let is_end = |letter: char| letter.is_whitespace() || "\"';,".contains(letter);
        let name = &rest[..rest.find(is_end).unwrap_or(rest.len())];
        (!name.is_empty()).then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_of_a_response() {
        let block = b"HTTP/1.1 301 Moved Permanently\r\ncontent-TYPE : Text/HTML; \
            Charset=\"ISO-8859-1\"\r\nLocation: /f\xc3\xb6\r\nContent-Length: 3\r\n\
            Transfer-Encoding: Chunked\r\nContent-Encoding: gzip, BR\r\n\r\nabc";
        let expected = Response {
            status: 301,
            kind: Some("text/html".into()),
            charset: Some("ISO-8859-1".into()),
            codings: vec!["gzip".into(), "br".into()],
            chunked: true,
            location: Some("/fö".into()),
            length: Some(3),
            start: block.len() - 3,
        };
        assert_eq!(parse(block), Some(expected));
    }

    #[test]
    fn odd_headers() {
        for (block, status, start) in [
            (&b"HTTP/1.0 200\n\nbody"[..], 200, 14),
            (b"HTTP/2 404 \r\n\r\n", 404, 15),
            (b"ICY 200 OK\r\nicy-name: x\r\n\r\n", 200, 27),
            (b"HTTP/1.1 200 OK\r\nContent-Type: text/html", 200, 40),
            (b"http/1.1\t200 OK\n\r\nx", 200, 18),
            (b"HTTP/1.1 200 OK\r\r\nA: b\r\r\n\r\r\nx", 200, 28),
        ] {
            let parsed = parse(block).unwrap();
            assert_eq!((parsed.status, parsed.start), (status, start));
        }
        for block in [
            &b""[..],
            b"<html>",
            b"HTTP/1.1 20",
            b"HTTP/1.1 2000",
            b"GET / HTTP/1.1\r\n\r\n",
            b"HTTP/",
        ] {
            assert_eq!(parse(block), None);
        }
    }

    #[test]
    fn a_header_without_end_is_looked_at_only_so_far() {
        let mut block = b"HTTP/1.1 200 OK\r\n".to_vec();
        block.extend(b"x: y\r\n".repeat(20_000));
        block.extend(b"\r\nbody");
        assert_eq!(parse(&block).unwrap().start, block.len());
    }

    #[test]
    fn content_types() {
        for (header, kind, charset) in [
            ("text/html", Some("text/html"), None),
            (" Text/Html;charset=utf-8;x=y", Some("text/html"), Some("utf-8")),
            ("text/html; charset='gbk'", Some("text/html"), Some("gbk")),
            ("text/html; charset = \" Big5\"", Some("text/html"), Some("Big5")),
            ("text/html; charset; CHARSET=x", Some("text/html"), Some("x")),
            ("charset=utf-8", None, Some("utf-8")),
            ("html", None, None),
            ("*/*", None, None),
            ("text/", None, None),
            ("", None, None),
        ] {
            let expected = (kind.map(str::to_owned), charset.map(str::to_owned));
            assert_eq!(content_type(header.as_bytes()), expected, "{header}");
        }
    }
}
