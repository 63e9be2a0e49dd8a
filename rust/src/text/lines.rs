//! *Line* of a text: what stands between two line breaks, be they LF, CR LF or CR. Elements that part
//! lines end one in the text of a page. *Paragraph*: the lines between two blank ones, or between two
//! elements that part lines.

use memchr::memchr2_iter;

/// Where the lines of a text end, and which of them end a paragraph. The buffers are used again from
/// text to text.
#[derive(Debug, Default)]
pub struct Lines {
    /// After the line breaks, and at the end of the text.
    pub ends: Vec<usize>,
    /// Whether a paragraph ends with it, if that was asked for.
    pub closes: Vec<bool>,
}

impl Lines {
    /// Finds the lines of a text.
    pub fn read(&mut self, text: &str) {
        self.closes.clear();
        self.ends.clear();
        let bytes = text.as_bytes();
        for at in memchr2_iter(b'\n', b'\r', bytes) {
            // The LF after it ends the line.
            if bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n') {
                self.ends.push(at + 1);
            }
        }
        if self.ends.last() != Some(&text.len()) {
            self.ends.push(text.len());
        }
    }

    /// Takes all of a text for one line.
    pub fn take_whole(&mut self, text: &str) {
        self.closes.clear();
        self.ends.clear();
        self.ends.push(text.len());
    }

    /// Finds which lines end a paragraph: blank ones, and those that end where markup ends one.
    pub fn read_paragraphs(&mut self, text: &str, marked: &[usize]) {
        let mut marked = marked.iter().copied().peekable();
        let mut start = 0;
        for &end in &self.ends {
            while marked.next_if(|&place| place < end).is_some() {}
            let is_blank = text[start..end].trim_start().is_empty();
            self.closes.push(is_blank || marked.peek() == Some(&end));
            start = end;
        }
    }

    /// The bytes that the buffers take.
    pub fn capacity(&self) -> usize {
        size_of::<usize>() * self.ends.capacity() + self.closes.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, marked: &[usize]) -> (Vec<String>, Vec<bool>) {
        let mut lines = Lines { ends: vec![7], closes: vec![true] };
        lines.read(text);
        lines.read_paragraphs(text, marked);
        let starts = [0].into_iter().chain(lines.ends.iter().copied());
        let found = starts.zip(&lines.ends).map(|(start, &end)| text[start..end].to_owned());
        (found.collect(), lines.closes)
    }

    #[test]
    fn a_line_ends_at_a_line_break_of_any_kind() {
        assert_eq!(read("a\r\nb\rc\n\nd", &[]).0, ["a\r\n", "b\r", "c\n", "\n", "d"]);
        assert_eq!(read("a\n", &[]).0, ["a\n"]);
        assert_eq!(read("\r\n\r", &[]).0, ["\r\n", "\r"]);
        assert_eq!(read("", &[]).0, [""]);
    }

    #[test]
    fn a_paragraph_ends_at_a_blank_line_and_where_markup_says_so() {
        assert_eq!(read("a\nb\n \u{A0}\r\nc\n", &[]).1, [false, false, true, false]);
        assert_eq!(read("a\nb\nc", &[0, 2, 2, 5]).1, [true, false, true]);
    }
}
