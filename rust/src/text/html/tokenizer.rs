//! The HTML tokenizer: one pass over the source, hand written for speed, after WHATWG HTML section
//! 13.2.5. It builds no tree and allocates nothing; what a tree builder would tell it (which content
//! is raw text, what is foreign) it asks of its `Sink`.
//!
//! Tokens are slices of the source. The specification reads CR LF and CR as LF before it tokenizes;
//! here a slice still has them as they are, for a sink to read as LF.

use memchr::{memchr, memchr_iter, memmem};

use super::doctype::Doctype;
use super::raw;
use super::references::reference;
use super::tags::{self, Key, StartTag, Step};

/// How the content after a start tag is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Markup.
    Data,
    /// Text with references, up to the end tag (title, textarea).
    Rcdata,
    /// Text, up to the end tag (style, xmp, iframe …).
    RawText,
    Script,
    /// Text, up to the end of the input.
    PlainText,
    /// A CDATA section, up to `]]>`.
    Cdata,
}

pub trait Sink {
    /// A run of text as the source has it, without references.
    fn text(&mut self, run: &[u8]);

    /// Characters that the source has otherwise: a decoded reference, a NUL or its replacement.
    fn decoded(&mut self, text: &[u8]);

    /// Takes the run of text at the head of `rest`, up to the first `<`, `&` or NUL, and returns its
    /// length. A sink that copies text can find the end while it copies.
    #[inline(always)]
    fn run(&mut self, rest: &[u8]) -> usize {
        let len = memchr::memchr3(b'<', b'&', 0, rest).unwrap_or(rest.len());
        if len > 0 {
            self.text(&rest[..len]);
        }
        len
    }

    /// A start tag; the answer says how to read on.
    fn start_tag(&mut self, tag: &StartTag) -> Content;

    fn end_tag(&mut self, raw_name: &[u8], key: Key);

    fn comment(&mut self, data: &[u8]);

    fn doctype(&mut self, doctype: Doctype);

    /// Whether the element that is open here is one of SVG or MathML, where CDATA sections are text.
    fn takes_cdata(&self) -> bool;
}

/// Tokenizes the whole input, which starts in `content` after a start tag with the given name.
pub fn tokenize<S: Sink>(input: &[u8], content: Content, start_tag: &[u8], sink: &mut S) {
    Tokenizer { input, at: 0, content, start_tag, sink }.run();
}

struct Tokenizer<'a, 's, S> {
    input: &'a [u8],
    at: usize,
    content: Content,
    /// The raw name of the last start tag: only its end tag ends raw text.
    start_tag: &'a [u8],
    sink: &'s mut S,
}

impl<S: Sink> Tokenizer<'_, '_, S> {
    fn run(&mut self) {
        while self.at < self.input.len() {
            match self.content {
                Content::Data => self.data(),
                Content::Rcdata => self.rcdata(),
                Content::RawText => {
                    let end = raw::raw_text_end(self.input, self.at, self.start_tag);
                    self.raw_text(end, "\u{FFFD}");
                }
                Content::Script => {
                    let end = raw::script_end(self.input, self.at, self.start_tag);
                    self.raw_text(end, "\u{FFFD}");
                }
                Content::PlainText => self.raw_text(self.input.len(), "\u{FFFD}"),
                Content::Cdata => {
                    let len = memmem::find(&self.input[self.at..], b"]]>");
                    let end = len.map_or(self.input.len(), |len| self.at + len);
                    self.raw_text(end, "\0");
                    self.at = self.input.len().min(end + 3);
                    self.content = Content::Data;
                }
            }
        }
    }

    #[inline(always)]
    fn data(&mut self) {
        while self.content == Content::Data {
            self.at += self.sink.run(&self.input[self.at..]);
            match self.input.get(self.at) {
                None => return,
                Some(b'<') => self.markup(),
                Some(b'&') => self.ampersand(),
                Some(_) => {
                    self.sink.decoded(b"\0");
                    self.at += 1;
                }
            }
        }
    }

    fn rcdata(&mut self) {
        loop {
            self.at += self.sink.run(&self.input[self.at..]);
            match self.input.get(self.at) {
                None => return,
                Some(b'<') if raw::closes(&self.input[self.at..], self.start_tag) => {
                    self.content = Content::Data;
                    return self.end_tag();
                }
                Some(b'<') => self.literal(1),
                Some(b'&') => self.ampersand(),
                Some(_) => {
                    self.sink.decoded("\u{FFFD}".as_bytes());
                    self.at += 1;
                }
            }
        }
    }

    /// Passes the raw text up to `end` on, and reads the end tag that stands there.
    fn raw_text(&mut self, end: usize, nul: &str) {
        let text = &self.input[self.at..end];
        let mut start = 0;
        for at in memchr_iter(0, text).chain([text.len()]) {
            if start < at {
                self.sink.text(&text[start..at]);
            }
            if at < text.len() {
                self.sink.decoded(nul.as_bytes());
            }
            start = at + 1;
        }
        self.at = end;
        if end < self.input.len() && self.content != Content::Cdata {
            self.content = Content::Data;
            self.end_tag();
        }
    }

    #[inline(always)]
    fn literal(&mut self, len: usize) {
        self.sink.text(&self.input[self.at..self.at + len]);
        self.at += len;
    }

    fn ampersand(&mut self) {
        match reference(&self.input[self.at..], false) {
            Some((len, decoded)) => {
                self.sink.decoded(decoded.as_bytes());
                self.at += len;
            }
            None => self.literal(1),
        }
    }

    #[inline(always)]
    fn markup(&mut self) {
        match self.input.get(self.at + 1) {
            Some(byte) if byte.is_ascii_alphabetic() => self.start_tag(),
            Some(b'/') => match self.input.get(self.at + 2) {
                Some(byte) if byte.is_ascii_alphabetic() => self.end_tag(),
                Some(b'>') => self.at += 3,
                Some(_) => self.bogus_comment(2),
                None => self.literal(2),
            },
            Some(b'!') => self.declaration(),
            Some(b'?') => self.bogus_comment(1),
            _ => self.literal(1),
        }
    }

    #[inline(always)]
    fn start_tag(&mut self) {
        let start = self.at + 1;
        let (end, key) = tags::name(self.input, start);
        self.at = end;
        let Some(self_closing) = self.tag_end() else { return };
        self.start_tag = &self.input[start..end];
        self.content = self.sink.start_tag(&StartTag {
            raw_name: self.start_tag,
            key,
            self_closing,
            inside: &self.input[end..self.at],
        });
    }

    #[inline(always)]
    fn end_tag(&mut self) {
        let start = self.at + 2;
        let (end, key) = tags::name(self.input, start);
        self.at = end;
        if self.tag_end().is_some() {
            self.sink.end_tag(&self.input[start..end], key);
        }
    }

    /// Goes behind the tag's `>`: whether it closes itself, or nothing if the input ends before.
    #[inline(always)]
    fn tag_end(&mut self) -> Option<bool> {
        loop {
            match tags::step(self.input, &mut self.at) {
                Step::Attribute(_) => {}
                Step::End { self_closing } => return Some(self_closing),
                Step::Cut => {
                    self.at = self.input.len();
                    return None;
                }
            }
        }
    }

    #[cold]
    fn declaration(&mut self) {
        let rest = &self.input[self.at + 2..];
        if rest.starts_with(b"--") {
            let start = self.at + 4;
            let (end, next) = raw::comment_end(self.input, start);
            self.sink.comment(&self.input[start..end]);
            self.at = next;
        } else if rest.get(..7).is_some_and(|word| word.eq_ignore_ascii_case(b"DOCTYPE")) {
            let inside = &rest[7..];
            let end = memchr(b'>', inside);
            self.sink.doctype(Doctype {
                inside: &inside[..end.unwrap_or(inside.len())],
                closed: end.is_some(),
            });
            self.at = end.map_or(self.input.len(), |end| self.at + 9 + end + 1);
        } else if rest.starts_with(b"[CDATA[") && self.sink.takes_cdata() {
            self.at += 9;
            self.content = Content::Cdata;
        } else {
            self.bogus_comment(2);
        }
    }

    /// A comment from `skip` bytes on to the next `>`.
    #[cold]
    fn bogus_comment(&mut self, skip: usize) {
        let rest = &self.input[self.at + skip..];
        let end = memchr(b'>', rest);
        self.sink.comment(&rest[..end.unwrap_or(rest.len())]);
        self.at = end.map_or(self.input.len(), |end| self.at + skip + end + 1);
    }
}
