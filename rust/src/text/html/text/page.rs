//! What is taken out of a page, and what is asked for.

use super::super::links::Links;

/// How markup turns into text.
#[derive(Clone, Copy, Debug)]
pub struct TextOptions {
    /// Tags that only format letters join what they stand between; else they part words.
    pub join_formatting: bool,
    /// Collect the images.
    pub images: bool,
    /// Collect the links.
    pub links: bool,
    /// Collect where paragraphs end.
    pub paragraphs: bool,
}

/// The text of one page. Its buffers are reused from page to page.
#[derive(Debug, Default)]
pub struct Text {
    pub text: String,
    /// The page's first title, white space collapsed.
    pub title: String,
    pub images: Vec<Image>,
    pub links: Links,
    /// Where in the text a paragraph may end, after line breaks: at elements that part lines, and where
    /// `<br>` leaves a line empty; ascending.
    pub paragraph_ends: Vec<usize>,
    /// Bytes of scripts, style sheets, comments and the like that are not in the text.
    pub dropped: usize,
}

/// An image with a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Where in the text it stands, in bytes.
    pub offset: usize,
    /// Its `src`, decoded and trimmed.
    pub src: String,
}

impl Text {
    /// Empties all but the text, whose buffer it gives away.
    pub fn cleared(&mut self) -> String {
        self.title.clear();
        self.images.clear();
        self.links.clear();
        self.paragraph_ends.clear();
        self.dropped = 0;
        std::mem::take(&mut self.text)
    }
}
