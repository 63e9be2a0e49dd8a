//! *Bucket*: the pages whose sketches agree at one position: in one piece of their projections, or
//! in one supershingle. Only pages of a bucket are compared. A bucket is *hot* if it holds more
//! pages than a stated number: boilerplate that a hundred thousand pages share makes five thousand
//! million pairs, more than anybody wants to have written.
//!
//! Two pages may meet in many buckets. Their pair belongs to the first that is not hot, and only if
//! all are hot to the first of those, so that as few pairs as can be are left to chance.

use rayon::prelude::*;

use super::hamming::{Near, Pieces, Rows};
use crate::fingerprints::mixing::mix;

/// What pages are brought together by.
#[derive(Clone, Copy, Debug)]
pub enum Positions<'a> {
    /// The pieces of their projections.
    Pieces(&'a Pieces),
    /// Their supershingles, each one.
    Words(usize),
}

/// Rows that are to be brought together, and the keys of the buckets that are hot, ascending, for
/// each position.
#[derive(Clone, Copy, Debug)]
pub struct Buckets<'a> {
    pub rows: Rows<'a>,
    /// With it, a number for each row, rows of other numbers are in other buckets.
    pub partition: Option<&'a [u32]>,
    pub positions: Positions<'a>,
    pub near: Near,
    pub hot: &'a [Vec<u32>],
}

impl Positions<'_> {
    pub fn count(&self) -> usize {
        match self {
            Positions::Pieces(pieces) => pieces.len(),
            Positions::Words(count) => *count,
        }
    }
}

impl Buckets<'_> {
    pub fn count(&self) -> usize {
        self.rows.words.len() / self.rows.width.max(1)
    }

    /// The key of a row's bucket. Different supershingles may have the same, which costs a
    /// comparison and no more: what agrees is told by the values.
    #[inline(always)]
    pub fn key(&self, row: u32, position: usize) -> u32 {
        let words = self.rows.row(row);
        let key = match self.positions {
            Positions::Pieces(pieces) => pieces.of(words, position),
            Positions::Words(_) => (mix(words[position]) >> 32) as u32,
        };
        match self.partition {
            Some(partition) => {
                (mix(u64::from(partition[row as usize]) << 32 | u64::from(key)) >> 32) as u32
            }
            None => key,
        }
    }

    #[inline(always)]
    fn agree(&self, left: &[u64], right: &[u64], position: usize) -> bool {
        match self.positions {
            Positions::Pieces(pieces) => pieces.agree(left, right, position),
            Positions::Words(_) => left[position] == right[position],
        }
    }

    /// All rows by the key of their buckets at a position: the key above, the row below.
    pub fn sorted(&self, position: usize) -> Vec<u64> {
        let keyed = |row: u32| u64::from(self.key(row, position)) << 32 | u64::from(row);
        let mut sorted: Vec<u64> = (0..self.count() as u32).into_par_iter().map(keyed).collect();
        sorted.par_sort_unstable();
        sorted
    }

    /// The keys of the buckets with more than so many rows, for each position.
    pub fn hot_keys(&self, most: usize) -> Vec<Vec<u32>> {
        let hot = |position: usize| {
            let sorted = self.sorted(position);
            let buckets = sorted.chunk_by(|a, b| key_of(*a) == key_of(*b));
            buckets.filter(|bucket| bucket.len() > most).map(|bucket| key_of(bucket[0])).collect()
        };
        (0..self.positions.count()).map(hot).collect()
    }

    pub fn is_hot(&self, position: usize, key: u32) -> bool {
        self.hot.get(position).is_some_and(|hot| hot.binary_search(&key).is_ok())
    }

    /// The positions, as bits, at which a row is in a bucket that is not hot.
    pub fn cool(&self, row: u32) -> u64 {
        (0..self.positions.count())
            .filter(|&at| !self.is_hot(at, self.key(row, at)))
            .fold(0, |cool, at| cool | 1 << at)
    }

    /// Whether a pair that meets in a bucket at this position belongs to it. `cool` is that of
    /// either row: where they agree they are in the same bucket.
    #[inline(always)]
    pub fn owns(&self, position: usize, left: u32, right: u32, cool: u64) -> bool {
        let (left, right) = (self.rows.row(left), self.rows.row(right));
        let mut others = others(position, cool);
        while others != 0 {
            if self.agree(left, right, others.trailing_zeros() as usize) {
                return false;
            }
            others &= others - 1;
        }
        self.agree(left, right, position)
    }
}

/// The positions, as bits, to whose buckets a bucket at this position leaves a pair: one that is not
/// hot to those before it that are not, a hot one to all that are not, and to the hot ones before.
#[inline(always)]
pub fn others(position: usize, cool: u64) -> u64 {
    let before = (1 << position) - 1;
    if cool >> position & 1 == 1 { cool & before } else { cool | before }
}

/// What some rows have at each position, side by side, so that it is quickly told where two agree.
#[derive(Debug)]
pub struct Values {
    width: usize,
    values: Vec<u64>,
}

impl Values {
    pub fn of(buckets: &Buckets<'_>, rows: &[u32]) -> Values {
        let width = buckets.positions.count().next_multiple_of(LANES);
        let mut values = vec![0; width * rows.len()];
        values.par_chunks_mut(width).zip(rows).for_each(|(values, &row)| {
            let words = buckets.rows.row(row);
            match buckets.positions {
                Positions::Pieces(pieces) => (0..pieces.len())
                    .for_each(|piece| values[piece] = u64::from(pieces.of(words, piece))),
                Positions::Words(count) => values[..count].copy_from_slice(words),
            }
        });
        Values { width, values }
    }

    /// The positions, as bits, at which two of the rows agree; beyond the last position all do.
    #[inline(always)]
    pub fn agreement(&self, left: usize, right: usize) -> u64 {
        let [left, right] = [left, right].map(|at| &self.values[at * self.width..][..self.width]);
        let groups = left.chunks_exact(LANES).zip(right.chunks_exact(LANES));
        groups.enumerate().fold(0, |agreement, (group, (left, right))| {
            let mut bits = 0;
            for lane in 0..LANES {
                bits |= u64::from(left[lane] == right[lane]) << lane;
            }
            agreement | bits << (group * LANES)
        })
    }
}

/// Values that are compared at once.
const LANES: usize = 8;

/// The key of a sorted row.
#[inline(always)]
pub fn key_of(sorted: u64) -> u32 {
    (sorted >> 32) as u32
}

/// The number of a sorted row.
#[inline(always)]
pub fn row_of(sorted: u64) -> u32 {
    sorted as u32
}

/// Where the bucket that begins here ends.
pub fn end_of(sorted: &[u64], at: usize) -> usize {
    let key = key_of(sorted[at]);
    at + sorted[at..].iter().take_while(|&&each| key_of(each) == key).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_belongs_to_one_bucket_and_rather_to_one_that_is_not_hot() {
        // Rows 0 to 5 share the first word, 0 and 1 the second too, 4 and 5 all three.
        let words = [1, 7, 10, 1, 7, 11, 1, 8, 12, 1, 9, 13, 1, 5, 5, 1, 5, 5];
        let rows = Rows { words: &words, width: 3 };
        let near = Near::Words { least: 1 };
        let without =
            Buckets { rows, partition: None, positions: Positions::Words(3), near, hot: &[] };
        assert_eq!(without.cool(0), 0b111);
        let owners = |buckets: &Buckets<'_>, left, right| -> Vec<usize> {
            (0..3).filter(|&at| buckets.owns(at, left, right, buckets.cool(left))).collect()
        };
        for (left, right) in [(0, 1), (0, 2), (4, 5)] {
            assert_eq!(owners(&without, left, right), [0]);
        }
        let hot = without.hot_keys(5);
        assert_eq!(hot.iter().map(Vec::len).collect::<Vec<_>>(), [1, 0, 0]);
        let buckets = Buckets { hot: &hot, ..without };
        assert_eq!(buckets.cool(0), 0b110);
        assert_eq!(owners(&buckets, 0, 1), [1]);
        assert_eq!(owners(&buckets, 0, 2), [0]);
        assert_eq!(owners(&buckets, 4, 5), [1]);
        let hot = without.hot_keys(1);
        let buckets = Buckets { hot: &hot, ..without };
        assert_eq!(owners(&buckets, 4, 5), [0]);
        assert_eq!(owners(&buckets, 0, 1), [0]);
        // Side by side the same is told.
        let values = Values::of(&buckets, &[0, 1, 4, 5]);
        let agreement = |left, right| values.agreement(left, right) & 0b111;
        assert_eq!((agreement(0, 1), agreement(0, 2), agreement(2, 3)), (0b011, 0b001, 0b111));
    }

    #[test]
    fn rows_are_sorted_by_key_and_then_by_number() {
        let words: Vec<u64> = [3, 1, 3, 2, 1, 3].to_vec();
        let rows = Rows { words: &words, width: 1 };
        let positions = Positions::Words(1);
        let buckets =
            Buckets { rows, partition: None, positions, near: Near::Words { least: 1 }, hot: &[] };
        let sorted = buckets.sorted(0);
        let mut groups: Vec<Vec<u32>> = sorted
            .chunk_by(|a, b| key_of(*a) == key_of(*b))
            .map(|bucket| bucket.iter().map(|&each| row_of(each)).collect())
            .collect();
        groups.sort();
        assert_eq!(groups, [vec![0, 2, 5], vec![1, 4], vec![3]]);
    }
}
