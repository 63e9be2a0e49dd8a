//! *Group*: the rows that have the same key, if they are at least two.
//!
//! Sorting all keys would go through memory many times. Here rows are put into *buckets* by the upper
//! bits of their mixed keys, as many as make a bucket fit a core's cache, and each bucket is sorted
//! there. A bucket holds 8 bytes for a row: its number and 32 more bits of the key; keys themselves
//! are looked at only where these are equal. A key that very many rows have costs no more than any
//! other sort of as many equal numbers.

use std::ops::Range;

use rayon::prelude::*;

use crate::fingerprints::mixing::mix;
use crate::interrupts::heed;

/// As many as a bucket should have, so that a core's second cache has room for what is looked up too.
const ROWS: usize = 1 << 14;
/// More buckets than this are slower to fill than what they save when they are sorted.
const MOST_BITS: u32 = 12;
/// Buckets whose groups are found before they are put with the others: those of all would be held twice.
const SOME: usize = 256;

/// Rows by bucket.
#[derive(Debug)]
pub struct KeyBuckets {
    /// Each thread fills some of its own.
    parts: Vec<Part>,
    bits: u32,
}

/// The buckets of some rows in a row, one after the other.
#[derive(Debug)]
struct Part {
    /// The bits of the key that follow the bucket's, and the row.
    entries: Vec<u64>,
    ends: Vec<u32>,
}

impl KeyBuckets {
    /// The rows 0 … `rows` − 1 by their keys.
    pub fn new(rows: usize, key: impl Fn(usize) -> u64 + Sync) -> KeyBuckets {
        let bits = (rows / ROWS).next_power_of_two().ilog2().min(MOST_BITS);
        let each = rows.div_ceil(rayon::current_num_threads()).max(ROWS);
        let starts: Vec<usize> = (0..rows).step_by(each).collect();
        let parts = starts
            .into_par_iter()
            .map(|start| Part::new(start..rows.min(start + each), bits, &key))
            .collect();
        KeyBuckets { parts, bits }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        1 << self.bits
    }

    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Hands every group of one bucket to `each`, its rows ascending.
    pub fn groups(
        &self,
        bucket: usize,
        key: impl Fn(usize) -> u64,
        mut each: impl FnMut(&mut [u32]),
    ) {
        heed();
        let mut entries = Vec::with_capacity(self.parts.iter().map(|p| p.of(bucket).len()).sum());
        for part in &self.parts {
            entries.extend_from_slice(part.of(bucket));
        }
        entries.sort_unstable();
        // All keys that are to be looked at, one after the other: they lie anywhere in memory, and so
        // many can be on their way at once. What is near them is in the cache when `each` looks there.
        let alike = entries.chunk_by(|a, b| a >> 32 == b >> 32).filter(|alike| alike.len() > 1);
        let mut ends = Vec::new();
        let mut keyed = Vec::new();
        for alike in alike {
            keyed.extend(alike.iter().map(|&entry| (0, entry as u32)));
            ends.push(keyed.len());
        }
        for (place, row) in &mut keyed {
            *place = key(*row as usize);
        }
        let (mut start, mut group) = (0, Vec::new());
        for end in ends {
            let alike = &mut keyed[start..end];
            start = end;
            if alike.iter().any(|&(key, _)| key != alike[0].0) {
                alike.sort_unstable();
            }
            for equal in alike.chunk_by(|a, b| a.0 == b.0).filter(|equal| equal.len() > 1) {
                group.clear();
                group.extend(equal.iter().map(|&(_, row)| row));
                each(&mut group);
            }
        }
    }
}

/// The rows of all groups, group after group, and where each ends: the same whatever the threads.
pub fn all(rows: usize, key: impl Fn(usize) -> u64 + Sync) -> (Vec<u32>, Vec<u32>) {
    let buckets = KeyBuckets::new(rows, &key);
    let (mut grouped, mut ends) = (Vec::new(), Vec::new());
    for first in (0..buckets.len()).step_by(SOME) {
        let found: Vec<(Vec<u32>, Vec<u32>)> = (first..buckets.len().min(first + SOME))
            .into_par_iter()
            .map(|bucket| {
                let (mut grouped, mut ends) = (Vec::new(), Vec::new());
                buckets.groups(bucket, &key, |group| {
                    grouped.extend_from_slice(group);
                    ends.push(grouped.len() as u32);
                });
                (grouped, ends)
            })
            .collect();
        for (some, their_ends) in found {
            let start = grouped.len() as u32;
            ends.extend(their_ends.into_iter().map(|end| start + end));
            grouped.extend(some);
        }
    }
    (grouped, ends)
}

impl Part {
    fn new(rows: Range<usize>, bits: u32, key: impl Fn(usize) -> u64) -> Part {
        // With no bits the shift would be by all 64.
        let bucket = |mixed: u64| (mixed >> 1 >> (63 - bits)) as usize;
        let mut ends = vec![0u32; 1 << bits];
        for row in rows.clone() {
            ends[bucket(mix(key(row)))] += 1;
        }
        let mut next = 0;
        for end in &mut ends {
            (*end, next) = (next, next + *end);
        }
        let mut entries = vec![0u64; rows.len()];
        for row in rows {
            let mixed = mix(key(row));
            let place = &mut ends[bucket(mixed)];
            entries[*place as usize] = (mixed << bits) >> 32 << 32 | row as u64;
            *place += 1;
        }
        Part { entries, ends }
    }

    fn of(&self, bucket: usize) -> &[u64] {
        let start = if bucket == 0 { 0 } else { self.ends[bucket - 1] };
        &self.entries[start as usize..self.ends[bucket] as usize]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn found(keys: &[u64]) -> Vec<Vec<u32>> {
        let (rows, ends) = all(keys.len(), |row| keys[row]);
        let starts = [0].iter().chain(&ends).zip(&ends);
        let mut groups: Vec<Vec<u32>> =
            starts.map(|(&start, &end)| rows[start as usize..end as usize].to_vec()).collect();
        groups.sort_unstable();
        groups
    }

    fn expected(keys: &[u64]) -> Vec<Vec<u32>> {
        let mut rows: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
        for (&key, row) in keys.iter().zip(0..) {
            rows.entry(key).or_default().push(row);
        }
        let mut groups: Vec<Vec<u32>> = rows.into_values().filter(|rows| rows.len() > 1).collect();
        groups.sort_unstable();
        groups
    }

    #[test]
    fn groups_are_those_of_a_map() {
        for (rows, range) in [(0, 1), (1, 1), (2, 1), (1000, 500), (300_000, 200_000)] {
            let keys: Vec<u64> = (0..rows).map(|row| mix(row) % range).collect();
            assert_eq!(found(&keys), expected(&keys), "{rows} rows");
        }
    }

    #[test]
    fn keys_that_differ_in_few_bits_are_told_apart() {
        let keys: Vec<u64> =
            (0..3000u64).map(|row| (1 << (row % 64)) | ((row % 3) << 40)).collect();
        assert_eq!(found(&keys), expected(&keys));
    }

    #[test]
    fn a_key_that_most_rows_have_is_one_group() {
        let keys: Vec<u64> =
            (0..1_000_000).map(|row| if row % 10 == 0 { row } else { 7 }).collect();
        let groups = found(&keys);
        assert_eq!(groups.len(), 1);
        assert_eq!(groups[0].len(), 900_000);
        assert!(groups[0].is_sorted());
    }

    #[test]
    fn equal_bits_of_unequal_keys_make_no_group() {
        // The mixing can be undone, so that keys can be made whose mixed upper half is the same.
        let keys: Vec<u64> = (0..100).map(|low| unmix((0xABCD << 32) | (low / 2 * 2))).collect();
        let groups = found(&keys);
        assert_eq!(groups.len(), 50);
        assert!(groups.iter().all(|group| group[1] == group[0] + 1));
    }

    fn unmix(mut x: u64) -> u64 {
        x ^= (x >> 31) ^ (x >> 62);
        x = x.wrapping_mul(0x3196_42B2_D24D_8EC3);
        x ^= (x >> 27) ^ (x >> 54);
        x = x.wrapping_mul(0x96DE_1B17_3F11_9089);
        x ^ (x >> 30) ^ (x >> 60)
    }

    #[test]
    fn unmixing_is_the_inverse() {
        assert!((0..1000u64).all(|x| unmix(mix(x)) == x));
    }
}
