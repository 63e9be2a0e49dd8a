//! The bytes of a file, from record to record: compressed, a gzip member each, or not.

use crc32fast::Hasher;
use flate2::{Decompress, FlushDecompress, Status};
use memchr::memchr;

/// The end of a header, and what follows a block.
pub const END: &[u8] = b"\r\n\r\n";
/// How a record begins.
pub const VERSION: &[u8] = b"WARC/";
const MAGIC: &[u8] = b"\x1f\x8b\x08";
const STEP: usize = 64 << 10;
/// A buffer that had to be larger than this is given back after the record.
const MOST_KEPT: usize = 4 << 20;

/// The bytes of a file, from record to record.
pub trait Tape {
    /// Where in the file the record begins.
    fn place(&self) -> u64;
    /// What has been read from the record's first byte on, or from where `forget` left it.
    fn held(&self) -> &[u8];
    /// How many bytes of the record have been forgotten.
    fn forgotten(&self) -> usize;
    /// Reads on; false at the end of what can be read.
    fn more(&mut self) -> bool;
    /// Forgets what is held, but for the last few bytes.
    fn forget(&mut self);
    /// Whether the record, having so many bytes, ends well, and another seems to follow.
    fn ends_well(&mut self, size: usize) -> bool;
    /// Goes on to the next record; only after `ends_well`.
    fn leave(&mut self, size: usize);
}

/// Gives some more bytes of a file; none at its end.
pub type Read = Box<dyn FnMut() -> Vec<u8> + Send + Sync>;

/// What has been read of a file, and not been used.
struct Raw {
    read: Read,
    data: Vec<u8>,
    used: usize,
    /// The offset of `data` in the file.
    start: u64,
}

impl Raw {
    fn new(read: Read, start: u64) -> Raw {
        Raw { read, data: Vec::new(), used: 0, start }
    }

    fn rest(&self) -> &[u8] {
        &self.data[self.used..]
    }

    fn place(&self) -> u64 {
        self.start + self.used as u64
    }

    fn more(&mut self) -> bool {
        let more = (self.read)();
        let found = !more.is_empty();
        self.start += self.used as u64;
        if self.used == self.data.len() {
            self.data = more;
        } else {
            self.data.drain(..self.used);
            self.data.extend_from_slice(&more);
        }
        self.used = 0;
        found
    }

    /// Whether so many bytes are left; then `rest` has them.
    fn fill(&mut self, count: usize) -> bool {
        while self.rest().len() < count {
            if !self.more() {
                return false;
            }
        }
        true
    }
}

/// A file in which every record is a gzip member.
pub struct Members {
    raw: Raw,
    place: u64,
    state: Member,
    inflate: Decompress,
    checksum: Hasher,
    /// Only the first `filled` bytes count: to clear the rest anew for each record takes time.
    buffer: Vec<u8>,
    filled: usize,
    forgotten: usize,
}

#[derive(PartialEq)]
enum Member {
    New,
    Open,
    Ended,
    Broken,
}

impl Members {
    /// The file from offset `start` on.
    pub fn new(read: Read, start: u64) -> Members {
        Members {
            raw: Raw::new(read, start),
            place: start,
            state: Member::New,
            inflate: Decompress::new(false),
            checksum: Hasher::new(),
            buffer: vec![0; STEP],
            filled: 0,
            forgotten: 0,
        }
    }

    /// Passes the header of the member (RFC 1952), if it is a usual one.
    fn open(&mut self) -> Option<()> {
        const EXTRA: u8 = 4;
        const NAME: u8 = 8;
        const COMMENT: u8 = 16;
        let mut size = 10;
        if !self.raw.fill(size + 2) || !self.raw.rest().starts_with(MAGIC) {
            return None;
        }
        let flags = self.raw.rest()[3];
        if flags & !(EXTRA | NAME | COMMENT) != 0 {
            return None;
        }
        if flags & EXTRA != 0 {
            let rest = self.raw.rest();
            size += 2 + usize::from(u16::from_le_bytes([rest[10], rest[11]]));
        }
        for text in [NAME, COMMENT] {
            if flags & text != 0 {
                self.raw.fill(size + 256);
                size += memchr(0, self.raw.rest().get(size..)?)? + 1;
            }
        }
        self.raw.fill(size).then(|| self.raw.used += size)
    }

    /// Whether the member ends with the checksum and the size of its bytes.
    fn check(&mut self) -> bool {
        if !self.raw.fill(8) {
            return false;
        }
        let trailer = &self.raw.rest()[..8];
        let size = self.inflate.total_out() as u32;
        let right = trailer[..4] == self.checksum.clone().finalize().to_le_bytes()
            && trailer[4..] == size.to_le_bytes();
        self.raw.used += 8;
        right
    }

    fn step(&mut self) -> Member {
        if self.state == Member::New && self.open().is_none() {
            return Member::Broken;
        }
        if self.buffer.len() - self.filled < STEP / 2 {
            self.buffer.resize(2 * self.buffer.len(), 0);
        }
        let (read, given) = (self.inflate.total_in(), self.inflate.total_out());
        let status = self.inflate.decompress(
            self.raw.rest(),
            &mut self.buffer[self.filled..],
            FlushDecompress::None,
        );
        self.raw.used += (self.inflate.total_in() - read) as usize;
        let start = self.filled;
        self.filled += (self.inflate.total_out() - given) as usize;
        self.checksum.update(&self.buffer[start..self.filled]);
        match status {
            Ok(Status::StreamEnd) if self.check() => Member::Ended,
            Ok(Status::Ok | Status::BufError) if self.filled > start || self.raw.more() => {
                Member::Open
            }
            _ => Member::Broken,
        }
    }
}

impl Tape for Members {
    fn place(&self) -> u64 {
        self.place
    }

    fn held(&self) -> &[u8] {
        &self.buffer[..self.filled]
    }

    fn forgotten(&self) -> usize {
        self.forgotten
    }

    fn more(&mut self) -> bool {
        let given = self.filled;
        while self.filled == given {
            if matches!(self.state, Member::Ended | Member::Broken) {
                return false;
            }
            self.state = self.step();
        }
        true
    }

    fn forget(&mut self) {
        let gone = self.filled.saturating_sub(END.len());
        self.forgotten += gone;
        self.buffer.copy_within(gone..self.filled, 0);
        self.filled -= gone;
    }

    fn ends_well(&mut self, size: usize) -> bool {
        // The checksum comes after the last byte.
        while self.forgotten + self.filled <= size && self.more() {}
        self.state == Member::Ended
            && self.forgotten + self.filled == size
            && self.held().ends_with(END)
            && self.raw.fill(MAGIC.len())
            && self.raw.rest().starts_with(MAGIC)
    }

    fn leave(&mut self, _size: usize) {
        self.place = self.raw.place();
        self.state = Member::New;
        self.inflate.reset(false);
        self.checksum.reset();
        self.filled = 0;
        // What one huge record needed is not held for ever.
        if self.buffer.len() > MOST_KEPT {
            self.buffer = vec![0; STEP];
        }
        self.forgotten = 0;
    }
}

/// A file that is not compressed.
pub struct Flat {
    raw: Raw,
    forgotten: usize,
}

impl Flat {
    /// The file from offset `start` on.
    pub fn new(read: Read, start: u64) -> Flat {
        Flat { raw: Raw::new(read, start), forgotten: 0 }
    }
}

impl Tape for Flat {
    fn place(&self) -> u64 {
        self.raw.place() - self.forgotten as u64
    }

    fn held(&self) -> &[u8] {
        self.raw.rest()
    }

    fn forgotten(&self) -> usize {
        self.forgotten
    }

    fn more(&mut self) -> bool {
        self.raw.more()
    }

    fn forget(&mut self) {
        let gone = self.raw.rest().len().saturating_sub(END.len());
        self.forgotten += gone;
        self.raw.used += gone;
    }

    fn ends_well(&mut self, size: usize) -> bool {
        let Some(left) = size.checked_sub(self.forgotten) else { return false };
        self.raw.fill(left + VERSION.len())
            && self.raw.rest()[..left].ends_with(END)
            && self.raw.rest()[left..].starts_with(VERSION)
    }

    fn leave(&mut self, size: usize) {
        self.raw.used += size - self.forgotten;
        self.forgotten = 0;
    }
}
