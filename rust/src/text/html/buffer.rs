//! Where text is gathered: bytes written sixteen at a time, line breaks and all white space settled
//! on the way.

use super::block::{self, BLOCK, Block};

/// Text under way. There is always room for one block behind the end.
pub struct Buffer {
    bytes: Vec<u8>,
    end: usize,
}

/// What ends an unbroken run of text: markup, references, and NULs.
const STOPS: [u8; 3] = [b'<', b'&', 0];
/// Where lines are kept, a carriage return needs a look at what follows it, too.
const STOPS_IN_LINES: [u8; 4] = [b'<', b'&', 0, b'\r'];

/// Tab, LF, VT, FF and CR.
#[inline(always)]
fn is_control_space(byte: u8) -> bool {
    byte.wrapping_sub(b'\t') < 5
}

/// White space as it reads in flowing text, or in text that keeps its lines.
#[inline(always)]
fn settled<const LINES: bool>(block: &Block) -> Block {
    std::array::from_fn(|lane| {
        let byte = block[lane];
        if is_control_space(byte) && !(LINES && byte == b'\n') { b' ' } else { byte }
    })
}

impl Buffer {
    /// An empty buffer in the memory of `text`, with room for about `room` bytes.
    pub fn new(text: String, room: usize) -> Self {
        let mut bytes = text.into_bytes();
        bytes.resize(room + 2 * BLOCK, 0);
        Buffer { bytes, end: 0 }
    }

    pub fn len(&self) -> usize {
        self.end
    }

    pub fn tail(&self, start: usize) -> &[u8] {
        &self.bytes[start..self.end]
    }

    /// The text. It is made of whole characters, and checked again, for that costs next to nothing.
    pub fn into_text(mut self) -> String {
        self.bytes.truncate(self.end);
        match simdutf8::basic::from_utf8(&self.bytes) {
            // SAFETY: just checked.
            Ok(_) => unsafe { String::from_utf8_unchecked(self.bytes) },
            Err(_) => String::from_utf8_lossy(&self.bytes).into_owned(),
        }
    }

    /// Copies the run at the head of `rest`, up to the first byte that stops it: its length.
    #[inline(always)]
    pub fn copy_run<const LINES: bool>(&mut self, rest: &[u8]) -> usize {
        let mut at = 0;
        loop {
            let source = block::load(rest, at, b'<');
            let len = if LINES {
                block::first(&source, STOPS_IN_LINES)
            } else {
                block::first(&source, STOPS)
            };
            self.write(&settled::<LINES>(&source), len);
            at += len;
            if len < BLOCK {
                if !LINES || rest.get(at) != Some(&b'\r') {
                    return at;
                }
                at += self.line_break(&rest[at..]);
            }
        }
    }

    /// Copies all of `run`, whatever it contains.
    pub fn copy<const LINES: bool>(&mut self, run: &[u8]) {
        let mut at = 0;
        while at < run.len() {
            let source = block::load(run, at, b' ');
            let mut len = BLOCK.min(run.len() - at);
            if LINES {
                len = len.min(block::first(&source, [b'\r']));
            }
            self.write(&settled::<LINES>(&source), len);
            at += len;
            if LINES && run.get(at) == Some(&b'\r') {
                at += self.line_break(&run[at..]);
            }
        }
    }

    /// Writes one LF for the CR LF or CR at the head of `rest`: its length.
    fn line_break(&mut self, rest: &[u8]) -> usize {
        self.write(&[b'\n'; BLOCK], 1);
        if rest.get(1) == Some(&b'\n') { 2 } else { 1 }
    }

    /// Parts words: a space, unless white space or nothing stands there.
    #[inline(always)]
    pub fn space(&mut self) {
        let white = self.last().is_none_or(|last| matches!(last, b' ' | b'\n'));
        self.bytes[self.end] = b' ';
        self.advance(usize::from(!white));
    }

    /// Parts lines: an LF, unless one or nothing stands there.
    #[inline(always)]
    pub fn line(&mut self) {
        let fresh = self.is_at_line();
        self.bytes[self.end] = b'\n';
        self.advance(usize::from(!fresh));
    }

    /// Whether an LF or nothing stands there.
    #[inline(always)]
    pub fn is_at_line(&self) -> bool {
        self.last().is_none_or(|last| last == b'\n')
    }

    #[inline(always)]
    fn last(&self) -> Option<u8> {
        self.bytes.get(self.end.wrapping_sub(1)).copied()
    }

    #[inline(always)]
    fn write(&mut self, block: &Block, len: usize) {
        self.bytes[self.end..self.end + BLOCK].copy_from_slice(block);
        self.advance(len);
    }

    #[inline(always)]
    fn advance(&mut self, len: usize) {
        self.end += len;
        if self.bytes.len() < self.end + BLOCK {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.bytes.resize(2 * self.bytes.len() + 2 * BLOCK, 0);
    }
}
