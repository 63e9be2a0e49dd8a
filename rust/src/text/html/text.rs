//! The text of a page, without a tree: what a reader sees, in lines.
//!
//! - Block elements and `<br>` part lines; `<pre>` and its like keep their lines; other white space
//!   becomes a space and other markup parts words. Markup adds no space to white space and no line
//!   break to a line break; runs of white space in the source stay as long as they are.
//! - Where formatting joins, tags that only format letters part nothing: `<b>bo</b>ld` is a word.
//! - Scripts, style sheets, templates, comments and what stands in for frames (iframe, noframes,
//!   noembed) are not text, as no browser shows them. What stands in for a script is: a crawler runs
//!   none, so `<noscript>` holds what such a reader sees. So is what stands in for objects and
//!   canvases.
//! - The title is text, too: it is the page's first line.

mod page;

use super::buffer::Buffer;
use super::doctype::Doctype;
use super::elements::{self, Element, Role};
use super::foreign::{Foreign, Space};
use super::places::{Place, Places};
use super::tags::{Key, StartTag};
use super::tokenizer::{Content, Sink, tokenize};

pub use page::{Image, Text, TextOptions};

/// Extracts the text of a page into `out`.
pub fn extract(html: &str, options: TextOptions, out: &mut Text) {
    read(html, options, out, None);
}

/// The same, and where in the text each place begins.
pub fn extract_with_places(
    html: &str,
    options: TextOptions,
    out: &mut Text,
) -> Vec<(usize, Place)> {
    read(html, options, out, Some(Places::default())).unwrap_or_default().begun
}

fn read(
    html: &str,
    options: TextOptions,
    out: &mut Text,
    places: Option<Places>,
) -> Option<Places> {
    let text = out.cleared();
    let mut extractor = Extractor {
        options,
        buffer: Buffer::new(text, html.len()),
        out,
        mode: Mode::Flow,
        lines: 0,
        templates: 0,
        unseen: false,
        raw: None,
        title: Title::None,
        foreign: Foreign::default(),
        places,
    };
    tokenize(html.as_bytes(), Content::Data, b"", &mut extractor);
    extractor.end_title();
    extractor.out.text = extractor.buffer.into_text();
    extractor.places
}

/// What becomes of text.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Flow,
    Lines,
    Drop,
}

#[derive(Clone, Copy, PartialEq)]
enum Title {
    None,
    /// Begins at this offset of the text.
    Open(usize),
    Known,
}

struct Extractor<'o> {
    options: TextOptions,
    buffer: Buffer,
    out: &'o mut Text,
    mode: Mode,
    /// How many open elements keep lines.
    lines: u32,
    templates: u32,
    /// Inside an element whose text no browser shows.
    unseen: bool,
    /// The element whose raw text this is; the next end tag is its own.
    raw: Option<Role>,
    title: Title,
    foreign: Foreign,
    /// Where words stand, if anybody wants to know.
    places: Option<Places>,
}

impl Sink for Extractor<'_> {
    #[inline(always)]
    fn run(&mut self, rest: &[u8]) -> usize {
        match self.mode {
            Mode::Flow => self.buffer.copy_run::<false>(rest),
            Mode::Lines => self.buffer.copy_run::<true>(rest),
            Mode::Drop => {
                let len = memchr::memchr3(b'<', b'&', 0, rest).unwrap_or(rest.len());
                self.out.dropped += len;
                len
            }
        }
    }

    fn text(&mut self, run: &[u8]) {
        match self.mode {
            Mode::Flow => self.buffer.copy::<false>(run),
            Mode::Lines => self.buffer.copy::<true>(run),
            Mode::Drop => self.out.dropped += run.len(),
        }
    }

    fn decoded(&mut self, text: &[u8]) {
        match (self.mode, text) {
            // A NUL is nothing in the text of a page, by the rules for building its tree.
            (_, b"\0") => {}
            // No more than the source has: one byte in the place of a NUL, and five of `&nGt;`.
            (Mode::Drop, [0xEF, 0xBF, 0xBD]) => self.out.dropped += 1,
            (Mode::Drop, _) => self.out.dropped += text.len().min(5),
            _ => self.text(text),
        }
    }

    #[inline(always)]
    fn start_tag(&mut self, tag: &StartTag) -> Content {
        let element = elements::find(tag.key);
        if self.foreign.is_open() && self.stays_foreign(tag, element) {
            return Content::Data;
        }
        if let Some(places) = &mut self.places {
            places.start(tag, self.buffer.len());
        }
        if self.options.links && self.templates == 0 {
            self.out.links.start(tag);
        }
        match element.role {
            Role::Word | Role::HtmlInSvg => self.part_words(),
            Role::Line => self.part_lines(),
            Role::Break => self.break_line(),
            Role::Letters => self.part_letters(),
            _ => return self.start_special(tag, element.role),
        }
        Content::Data
    }

    #[inline(always)]
    fn end_tag(&mut self, _: &[u8], key: Key) {
        let element = elements::find(key);
        if let Some(places) = &mut self.places {
            places.end(key, self.buffer.len());
        }
        if self.raw.is_some() || self.foreign.is_open() {
            self.leave(key, element.role);
        }
        match element.role {
            Role::Line | Role::Title | Role::LinesOfText | Role::LinesOfRawText => {
                self.part_lines();
            }
            Role::Break => self.break_line(),
            Role::Letters => self.part_letters(),
            Role::Lines => {
                self.lines = self.lines.saturating_sub(1);
                self.settle();
                self.part_lines();
            }
            Role::Template => {
                self.templates = self.templates.saturating_sub(1);
                self.settle();
                self.part_words();
            }
            _ => self.part_words(),
        }
    }

    fn comment(&mut self, data: &[u8]) {
        self.out.dropped += data.len();
        self.part_letters();
    }

    fn doctype(&mut self, _: Doctype) {
        self.part_words();
    }

    fn takes_cdata(&self) -> bool {
        self.foreign.takes_cdata()
    }
}

impl Extractor<'_> {
    #[inline(always)]
    fn part_words(&mut self) {
        if self.mode != Mode::Drop {
            self.buffer.space();
        }
    }

    #[inline(always)]
    fn part_lines(&mut self) {
        if self.mode != Mode::Drop {
            self.buffer.line();
            self.end_paragraph();
        }
    }

    #[inline(always)]
    fn break_line(&mut self) {
        if self.mode != Mode::Drop {
            if self.buffer.is_at_line() {
                self.end_paragraph();
            }
            self.buffer.line();
        }
    }

    #[inline(always)]
    fn end_paragraph(&mut self) {
        let at = self.buffer.len();
        if self.options.paragraphs && self.out.paragraph_ends.last() != Some(&at) {
            self.out.paragraph_ends.push(at);
        }
    }

    #[inline(always)]
    fn part_letters(&mut self) {
        if !self.options.join_formatting {
            self.part_words();
        }
    }

    fn settle(&mut self) {
        self.mode = if self.unseen || self.templates > 0 {
            Mode::Drop
        } else if self.lines > 0 {
            Mode::Lines
        } else {
            Mode::Flow
        };
    }

    fn start_special(&mut self, tag: &StartTag, role: Role) -> Content {
        let content = match role {
            Role::Title | Role::LinesOfText => Content::Rcdata,
            Role::LinesOfRawText | Role::Unseen => Content::RawText,
            Role::LinesToTheEnd => Content::PlainText,
            Role::Script => Content::Script,
            _ => Content::Data,
        };
        if content != Content::Data {
            self.raw = Some(role);
        }
        match role {
            Role::Lines | Role::LinesOfText | Role::LinesOfRawText | Role::LinesToTheEnd => {
                self.part_lines();
                self.lines = self.lines.saturating_add(1);
            }
            Role::Title => {
                self.part_lines();
                if self.title == Title::None && self.mode != Mode::Drop {
                    self.title = Title::Open(self.buffer.len());
                }
            }
            Role::Script | Role::Unseen => {
                self.part_words();
                self.unseen = true;
            }
            Role::Template => {
                self.part_words();
                self.templates = self.templates.saturating_add(1);
            }
            Role::Image => self.image(tag),
            Role::Svg | Role::Math => self.enter(tag, role),
            Role::Word | Role::Line | Role::Break | Role::Letters | Role::HtmlInSvg => {
                self.part_words();
            }
        }
        self.settle();
        content
    }

    fn image(&mut self, tag: &StartTag) {
        if self.options.images
            && self.mode != Mode::Drop
            && let Some(src) = tag.attribute("src")
        {
            let src = src.trim_ascii();
            if !src.is_empty() {
                self.out.images.push(Image { offset: self.buffer.len(), src: src.to_string() });
            }
        }
        self.part_words();
    }

    fn enter(&mut self, tag: &StartTag, role: Role) {
        self.part_words();
        if !tag.self_closing {
            self.foreign.enter(if role == Role::Svg { Space::Svg } else { Space::Math });
        }
    }

    /// Deals with a start tag in SVG or MathML, where nothing switches to raw text; false when the
    /// tag is HTML's, as it is in HTML inside SVG and for tags that end what was not closed.
    fn stays_foreign(&mut self, tag: &StartTag, element: Element) -> bool {
        if element.leaves_foreign && self.foreign.leave_to_html() {
            self.show();
        }
        if !self.foreign.is_innermost() {
            self.foreign.begin_html();
            return false;
        }
        self.part_words();
        match element.role {
            Role::Svg | Role::Math => self.enter(tag, element.role),
            Role::Title | Role::HtmlInSvg if !tag.self_closing => {
                self.foreign.enter(Space::Html(tag.key));
            }
            Role::Script | Role::Unseen if !tag.self_closing => {
                self.unseen = true;
                self.settle();
            }
            _ => {}
        }
        true
    }

    /// Ends the raw text or the foreign content that this end tag ends.
    fn leave(&mut self, key: Key, role: Role) {
        if let Some(raw) = self.raw.take() {
            self.unseen = false;
            match raw {
                Role::Title => self.end_title(),
                Role::LinesOfText | Role::LinesOfRawText => self.lines -= 1,
                _ => {}
            }
            return self.settle();
        }
        let space = match role {
            Role::Svg => Space::Svg,
            Role::Math => Space::Math,
            Role::Script | Role::Unseen => return self.show(),
            _ => Space::Html(key),
        };
        if self.foreign.leave(space) {
            self.show();
        }
    }

    /// What no browser shows has ended.
    fn show(&mut self) {
        self.unseen = false;
        self.settle();
    }

    fn end_title(&mut self) {
        if let Title::Open(start) = self.title {
            let title = String::from_utf8_lossy(self.buffer.tail(start));
            for word in title.split_ascii_whitespace() {
                if !self.out.title.is_empty() {
                    self.out.title.push(' ');
                }
                self.out.title.push_str(word);
            }
            self.title = Title::Known;
        }
    }
}

#[cfg(test)]
mod tests;
