//! *Repeats*: which values occur more than once in a column, as far as can be told from two bits for
//! each of some cells that values are mixed into. A value that is not said to repeat does not; one
//! that is may only share its cell with another.
//!
//! Two pages that agree in some supershingles have them repeat. Most pages have none that do, and so
//! need not be held while pages are compared.

use std::io;

use memmap2::MmapMut;
use rayon::prelude::*;

use crate::fingerprints::mixing::STEP;

/// Cells in a byte, and what the two bits of each say: seen, and seen again.
const CELLS: u64 = 4;

/// The cells of as many columns as a row has values.
#[derive(Debug)]
pub struct Repeats {
    columns: Vec<Column>,
}

#[derive(Debug)]
struct Column {
    /// Not a vector: looked up by chance, it is faster in large pages, which must be asked for.
    bytes: MmapMut,
}

impl Repeats {
    /// For rows of `width` values, with so many bytes altogether.
    pub fn new(width: usize, bytes: usize) -> io::Result<Repeats> {
        let each = (bytes / width.max(1)).max(1);
        let columns = (0..width).map(|_| Column::new(each)).collect::<io::Result<_>>()?;
        Ok(Repeats { columns })
    }

    /// Takes in rows, one after the other.
    pub fn add(&mut self, rows: &[u64]) {
        let width = self.columns.len();
        self.columns.par_iter_mut().enumerate().for_each(|(place, column)| {
            column.add(rows[place.min(rows.len())..].iter().step_by(width).copied());
        });
    }

    /// For each row how many of its values repeat.
    pub fn count(&self, rows: &[u64]) -> Vec<u8> {
        const AT_ONCE: usize = 4096;
        let width = self.columns.len();
        let mut counts = vec![0; rows.len() / width];
        counts.par_chunks_mut(AT_ONCE).zip(rows.par_chunks(AT_ONCE * width)).for_each(
            |(counts, rows)| {
                for (place, column) in self.columns.iter().enumerate() {
                    column.count(rows[place..].iter().step_by(width).copied(), counts);
                }
            },
        );
        counts
    }
}

impl Column {
    fn new(bytes: usize) -> io::Result<Column> {
        let bytes = MmapMut::map_anon(bytes)?;
        // Where there are no large pages, small ones do.
        #[cfg(target_os = "linux")]
        let _ = bytes.advise(memmap2::Advice::HugePage);
        Ok(Column { bytes })
    }

    fn add(&mut self, values: impl Iterator<Item = u64>) {
        let bytes = &mut self.bytes[..];
        for value in values {
            let (place, shift) = cell(value, bytes.len());
            let byte = bytes[place];
            let seen = 1 << shift;
            bytes[place] = byte | seen | (byte & seen) << 1;
        }
    }

    /// Adds one to the count of each value that repeats.
    fn count(&self, values: impl Iterator<Item = u64>, counts: &mut [u8]) {
        let bytes = &self.bytes[..];
        for (count, value) in counts.iter_mut().zip(values) {
            let (place, shift) = cell(value, bytes.len());
            *count += bytes[place] >> shift >> 1 & 1;
        }
    }
}

/// The byte of a value's cell, and where in it the cell begins.
#[inline(always)]
fn cell(value: u64, bytes: usize) -> (usize, u32) {
    let cells = bytes as u64 * CELLS;
    let cell = ((u128::from(value.wrapping_mul(STEP)) * u128::from(cells)) >> 64) as u64;
    ((cell / CELLS) as usize, (cell % CELLS) as u32 * 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprints::mixing::mix;

    #[test]
    fn what_repeats_is_never_missed() {
        for bytes in [1, 30, 3000, 300_000] {
            let mut repeats = Repeats::new(3, bytes).unwrap();
            // In the first column every value twice, in the second all values once, in the third
            // always the same.
            let rows: Vec<u64> = (0..10_000).flat_map(|row| [mix(row / 2), mix(row), 5]).collect();
            repeats.add(&rows[..15_000]);
            repeats.add(&rows[15_000..]);
            let counts = repeats.count(&rows);
            assert_eq!(counts.len(), 10_000);
            assert!(counts.iter().all(|&count| count >= 2));
            let wrong = counts.iter().filter(|&&count| count > 2).count();
            // In 400,000 cells 10,000 values share one with a chance of one in forty.
            assert_eq!(wrong < 500, bytes == 300_000, "{wrong} of 10,000 with {bytes} bytes");
        }
    }

    #[test]
    fn the_same_value_elsewhere_in_the_row_is_no_repeat() {
        let mut repeats = Repeats::new(2, 4000).unwrap();
        let rows = [1, 2, 2, 3, 3, 1, 9, 3];
        repeats.add(&rows);
        assert_eq!(repeats.count(&rows), [0, 1, 0, 1]);
    }
}
