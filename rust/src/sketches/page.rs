//! *Page*: one fetched document, and the characters that its bytes stand for.

use std::borrow::Cow;

use crate::text::charset;

/// A page as the readers hand it on.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    pub body: &'a [u8],
    /// HTML, not plain text.
    pub markup: bool,
    /// Neither, such as an image: no text is made of its bytes.
    pub opaque: bool,
    /// The body is text already, not bytes in some charset.
    pub decoded: bool,
    /// What the HTTP header says the charset is.
    pub charset: Option<&'a str>,
    pub url: Option<&'a str>,
    /// The site it is on, where that matters.
    pub site: Option<&'a str>,
    /// The digest of the bytes that were stored, where these became others to be read.
    pub stored: Option<&'a [u8]>,
}

/// The characters of a page, markup and all.
pub(crate) fn decoded<'a>(page: &Page<'a>) -> Cow<'a, str> {
    if page.opaque {
        return Cow::Borrowed("");
    }
    if page.decoded
        && let Ok(text) = simdutf8::basic::from_utf8(page.body)
    {
        return Cow::Borrowed(text);
    }
    charset::decode(page.body, page.charset, page.markup)
}
