//! *Checksum*: 128 bits (XXH3) of all bytes of a file, by which it is known to be what was written.

use std::fs::File;
use std::io::{Read, Result};
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

/// Bytes that are read at a time: as many as stay in a core's own cache until they are hashed.
const BLOCK: usize = 1 << 18;

/// The checksum of a file as if each byte of `hole`, where the file itself holds one, were `0`.
pub fn file_checksum(path: &Path, hole: std::ops::Range<u64>) -> Result<u128> {
    let mut file = File::open(path)?;
    let mut block = vec![0; BLOCK];
    let mut hasher = Xxh3::new();
    let mut start = 0;
    loop {
        let count = match file.read(&mut block) {
            Ok(0) => return Ok(hasher.digest128()),
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = start + count as u64;
        if hole.start < end && start < hole.end {
            let from = (hole.start.max(start) - start) as usize;
            let to = (hole.end.min(end) - start) as usize;
            block[from..to].fill(b'0');
        }
        hasher.update(&block[..count]);
        start = end;
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use xxhash_rust::xxh3::xxh3_128;

    use super::*;

    fn written(content: &[u8]) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(content).unwrap();
        file
    }

    #[test]
    fn is_that_of_the_bytes_whatever_their_number() {
        for count in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 5] {
            let content: Vec<u8> = (0..count).map(|place| (place * 7 % 251) as u8).collect();
            let file = written(&content);
            assert_eq!(file_checksum(file.path(), 0..0).unwrap(), xxh3_128(&content));
        }
    }

    #[test]
    fn a_hole_may_lie_across_blocks() {
        let content = vec![b'x'; 2 * BLOCK];
        for start in [0, BLOCK - 32, BLOCK - 5, BLOCK, 2 * BLOCK - 32] {
            let mut filled = content.clone();
            filled[start..start + 32].fill(b'0');
            let hole = start as u64..start as u64 + 32;
            let file = written(&content);
            assert_eq!(file_checksum(file.path(), hole).unwrap(), xxh3_128(&filled));
        }
    }
}
