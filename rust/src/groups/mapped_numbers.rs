//! Long rows of page numbers that need no memory of their own: they lie in a file without a name
//! that is mapped, so that the system can write them out and drop them.

use std::fs::File;
use std::io::{self, Write};
use std::ops::{Deref, DerefMut};
use std::path::Path;

use memmap2::MmapMut;

/// Fewer than so many are not worth a file.
const FEW: usize = 1 << 18;
/// So many are written at a time.
const BLOCK: usize = 1 << 16;

/// Numbers whose count is known when they are made.
#[derive(Debug)]
pub enum Numbers {
    Held(Vec<u32>),
    Mapped(MmapMut),
}

impl Numbers {
    /// So many times the same number.
    pub fn filled(count: usize, value: u32) -> io::Result<Numbers> {
        if count < FEW {
            return Ok(Numbers::Held(vec![value; count]));
        }
        let folder = std::env::temp_dir();
        let file = written(&folder, count, value).map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", folder.display()))
        })?;
        // SAFETY: nobody else has this file, which has no name, so nobody changes or shortens it.
        let map = unsafe { MmapMut::map_mut(&file)? };
        Ok(Numbers::Mapped(map))
    }

    /// These numbers.
    pub fn of(values: Vec<u32>) -> io::Result<Numbers> {
        if values.len() < FEW {
            return Ok(Numbers::Held(values));
        }
        let mut numbers = Numbers::filled(values.len(), 0)?;
        numbers.copy_from_slice(&values);
        Ok(numbers)
    }
}

/// A file of so many times the same number. All of it is written: where a file has holes the disk may
/// be full when they are filled, and then the process would be killed.
fn written(folder: &Path, count: usize, value: u32) -> io::Result<File> {
    let mut file = tempfile::tempfile_in(folder)?;
    let block: Vec<u8> = value.to_ne_bytes().repeat(BLOCK.min(count));
    let mut left = count * size_of::<u32>();
    while left > 0 {
        let size = left.min(block.len());
        file.write_all(&block[..size])?;
        left -= size;
    }
    Ok(file)
}

impl Deref for Numbers {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        match self {
            Numbers::Held(values) => values,
            // SAFETY: a mapping begins at a page's start, is as long as whole numbers, and every
            // bit pattern is a number.
            Numbers::Mapped(map) => unsafe {
                std::slice::from_raw_parts(map.as_ptr().cast(), map.len() / size_of::<u32>())
            },
        }
    }
}

impl DerefMut for Numbers {
    fn deref_mut(&mut self) -> &mut [u32] {
        match self {
            Numbers::Held(values) => values,
            // SAFETY: as above, and the mapping is borrowed as long as the slice is.
            Numbers::Mapped(map) => unsafe {
                std::slice::from_raw_parts_mut(
                    map.as_mut_ptr().cast(),
                    map.len() / size_of::<u32>(),
                )
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_are_as_few() {
        for count in [0, 10, FEW, FEW + 5] {
            let values: Vec<u32> = (0..count as u32).collect();
            assert_eq!(&*Numbers::of(values.clone()).unwrap(), &values);
            let mut filled = Numbers::filled(count, 7).unwrap();
            assert!(filled.iter().all(|&value| value == 7));
            filled.copy_from_slice(&values);
            assert_eq!(&*filled, &values);
        }
    }
}
