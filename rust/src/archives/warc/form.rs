//! *Form*: whether a document is HTML, text, or neither and then *opaque*: an image, say, of which
//! only the bytes can be compared.

use super::judge::is_markup;

/// What a document of a media type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Markup,
    Text,
    Opaque,
}

/// So many bytes tell, as in the WHATWG's "MIME Sniffing", section 7.1.
const SNIFFED: usize = 1445;
const ORDER_MARKS: [&[u8]; 3] = [b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf"];
/// Formats that begin like text and are none.
const DOCUMENTS: [&[u8]; 2] = [b"%PDF-", b"%!PS-Adobe-"];

impl Form {
    /// By the type where that says HTML or text, and else by the first bytes: `application/json` is
    /// text, and so is much else that has no name of its own.
    pub fn of(kind: &str, body: &[u8]) -> Form {
        if is_markup(kind) {
            Form::Markup
        } else if kind.starts_with("text/") || !is_binary(body) {
            Form::Text
        } else {
            Form::Opaque
        }
    }
}

fn is_binary(body: &[u8]) -> bool {
    let begins = |with: &[&[u8]]| with.iter().any(|mark| body.starts_with(mark));
    let head = &body[..body.len().min(SNIFFED)];
    let control = |byte: &u8| matches!(byte, 0..=8 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F);
    begins(&DOCUMENTS) || !begins(&ORDER_MARKS) && head.iter().any(control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_tells_and_else_the_bytes() {
        for (kind, body, form) in [
            ("text/html", &b"\0"[..], Form::Markup),
            ("image/svg+xml", b"<svg>", Form::Markup),
            ("text/plain", b"\0\x01", Form::Text),
            ("application/json", b"{\"a\": 1}", Form::Text),
            ("application/json", b"\xff\xfe{\0}\0", Form::Text),
            ("application/octet-stream", b"just words", Form::Text),
            ("application/octet-stream", b"PK\x03\x04", Form::Opaque),
            ("application/pdf", b"%PDF-1.4\nwords", Form::Opaque),
            ("image/png", b"\x89PNG\r\n\x1a\n", Form::Opaque),
            ("image/gif", b"", Form::Text),
        ] {
            assert_eq!(Form::of(kind, body), form, "{kind} {body:?}");
        }
    }
}
