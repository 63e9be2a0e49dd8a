//! *Foreign content*: SVG and MathML inside a page, and HTML inside these, as far as it is known
//! without a tree.

use super::tags::Key;

/// Foreign content, and HTML inside it.
#[derive(Clone, Copy, PartialEq)]
pub enum Space {
    Svg,
    Math,
    Html(Key),
}

/// Deeper foreign content than any page has is not followed, so that an end tag looks at few.
const DEEPEST: usize = 64;

/// The spaces that are open, each inside the one before.
#[derive(Default)]
pub struct Foreign {
    open: Vec<Space>,
    /// No tag has begun yet in the HTML inside SVG: its text is the SVG element's own.
    bare: bool,
}

impl Foreign {
    #[inline]
    pub fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Whether what comes next is SVG or MathML, not HTML inside it.
    pub fn is_innermost(&self) -> bool {
        matches!(self.open.last(), Some(Space::Svg | Space::Math))
    }

    /// Without a tree it is not known whether an element of HTML is still open; once one has begun,
    /// we say so.
    pub fn takes_cdata(&self) -> bool {
        self.is_innermost() || (self.bare && self.is_open())
    }

    pub fn enter(&mut self, space: Space) {
        if self.open.len() < DEEPEST {
            self.open.push(space);
            self.bare = self.bare || matches!(space, Space::Html(_));
        }
    }

    /// A tag of HTML has begun.
    pub fn begin_html(&mut self) {
        self.bare = false;
    }

    /// Ends all that is open up to HTML; false where that is nothing.
    pub fn leave_to_html(&mut self) -> bool {
        let html = self.open.iter().rposition(|space| matches!(space, Space::Html(_)));
        self.cut(html.map_or(0, |place| place + 1))
    }

    /// Ends the innermost of such spaces and all inside it; false where there is none.
    pub fn leave(&mut self, space: Space) -> bool {
        let depth = self.open.iter().rposition(|open| *open == space);
        depth.is_some_and(|depth| self.cut(depth))
    }

    fn cut(&mut self, depth: usize) -> bool {
        let ends = depth < self.open.len();
        if ends {
            self.open.truncate(depth);
            self.bare = false;
        }
        ends
    }
}
