//! *C-similarity*: how many bits of two projections agree; *B-similarity*: how many supershingles
//! do, position by position (Henzinger 2006). Both are counted over rows of a few words.
//!
//! *Piece*: some adjacent bits of a projection. Two rows that differ in d bits differ in at most d
//! pieces, so that with d + 1 of them they agree in at least one, wherever the differing bits lie.
//! Henzinger 2006 takes 12 pieces of 32 bits, which is sure to find pairs that differ in 11 bits.

/// Rows that are compared at once.
const LANES: usize = 8;

/// Rows of `width` words each, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    pub words: &'a [u64],
    pub width: usize,
}

impl<'a> Rows<'a> {
    #[inline(always)]
    pub fn row(&self, row: u32) -> &'a [u64] {
        &self.words[row as usize * self.width..][..self.width]
    }
}

/// In how many bits two rows differ.
#[inline(always)]
pub fn differing_bits(left: &[u64], right: &[u64]) -> u32 {
    left.iter().zip(right).map(|(l, r)| (l ^ r).count_ones()).sum()
}

/// In how many words two rows agree.
#[inline(always)]
pub fn equal_words(left: &[u64], right: &[u64]) -> u32 {
    left.iter().zip(right).map(|(l, r)| u32::from(l == r)).sum()
}

/// When two rows are near: they differ in at most so many bits, or agree in at least so many words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Near {
    Bits { most: u32 },
    Words { least: u32 },
}

impl Near {
    #[inline(always)]
    pub fn holds(self, left: &[u64], right: &[u64]) -> bool {
        match self {
            Near::Bits { most } => differing_bits(left, right) <= most,
            Near::Words { least } => equal_words(left, right) >= least,
        }
    }
}

/// Where each piece begins and how many bits it has, at most 32: they are as equal as can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pieces(Vec<(u32, u32)>);

impl Pieces {
    /// So many pieces of so many bits; none where that is not possible.
    pub fn new(bits: u32, count: u32) -> Option<Pieces> {
        if count == 0 || count > bits || bits.div_ceil(count) > u32::BITS {
            return None;
        }
        let start = |piece: u32| (u64::from(bits) * u64::from(piece) / u64::from(count)) as u32;
        Some(Pieces((0..count).map(|at| (start(at), start(at + 1) - start(at))).collect()))
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The bits of a piece, taken from the words that `word` gives.
    #[inline(always)]
    fn bits(&self, piece: usize, word: impl Fn(usize) -> u64) -> u32 {
        let (start, width) = self.0[piece];
        let (at, shift) = ((start / 64) as usize, start % 64);
        let mut bits = word(at) >> shift;
        if shift + width > 64 {
            bits |= word(at + 1) << (64 - shift);
        }
        (bits & ((1 << width) - 1)) as u32
    }

    /// A piece of a row.
    #[inline(always)]
    pub fn of(&self, row: &[u64], piece: usize) -> u32 {
        self.bits(piece, |at| row[at])
    }

    /// Whether two rows agree in a piece.
    #[inline(always)]
    pub fn agree(&self, left: &[u64], right: &[u64], piece: usize) -> bool {
        self.bits(piece, |at| left[at] ^ right[at]) == 0
    }

    /// Whether two rows agree in any piece.
    pub fn any_agrees(&self, left: &[u64], right: &[u64]) -> bool {
        (0..self.len()).any(|piece| self.agree(left, right, piece))
    }
}

/// Some rows side by side, word by word, so that one is compared with eight others at a time.
#[derive(Debug, Default)]
pub struct Block {
    width: usize,
    count: usize,
    lanes: Vec<[u64; LANES]>,
}

impl Block {
    /// The rows of these numbers.
    pub fn of(rows: Rows<'_>, numbers: impl ExactSizeIterator<Item = u32>) -> Block {
        let (width, count) = (rows.width, numbers.len());
        let mut lanes = vec![[0; LANES]; count.div_ceil(LANES) * width];
        for (place, number) in numbers.enumerate() {
            let group = &mut lanes[place / LANES * width..][..width];
            for (lane, &word) in group.iter_mut().zip(rows.row(number)) {
                lane[place % LANES] = word;
            }
        }
        Block { width, count, lanes }
    }

    /// The places after this one whose rows are near to it, ascending.
    pub fn near_after(&self, place: usize, row: &[u64], near: Near, found: &mut Vec<u32>) {
        found.clear();
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq") {
                // SAFETY: the features were just detected.
                return unsafe { self.scan_avx512(place, row, near, found) };
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
                // SAFETY: the features were just detected.
                return unsafe { self.scan_avx2(place, row, near, found) };
            }
        }
        self.scan(place, row, near, found);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512vpopcntdq")]
    fn scan_avx512(&self, place: usize, row: &[u64], near: Near, found: &mut Vec<u32>) {
        self.scan(place, row, near, found);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,popcnt")]
    fn scan_avx2(&self, place: usize, row: &[u64], near: Near, found: &mut Vec<u32>) {
        self.scan(place, row, near, found);
    }

    #[inline(always)]
    fn scan(&self, place: usize, row: &[u64], near: Near, found: &mut Vec<u32>) {
        match near {
            Near::Bits { most } => {
                let bits = |a: u64, b: u64| u64::from((a ^ b).count_ones());
                self.scan_by(place, row, found, bits, |sum| sum <= u64::from(most));
            }
            Near::Words { least } => {
                let equal = |a: u64, b: u64| u64::from(a == b);
                self.scan_by(place, row, found, equal, |sum| sum >= u64::from(least));
            }
        }
    }

    #[inline(always)]
    fn scan_by(
        &self,
        place: usize,
        row: &[u64],
        found: &mut Vec<u32>,
        measure: impl Fn(u64, u64) -> u64,
        is_near: impl Fn(u64) -> bool,
    ) {
        let first = (place + 1) / LANES;
        let groups = self.lanes[first * self.width..].chunks_exact(self.width);
        for (number, group) in groups.enumerate() {
            let mut sums = [0; LANES];
            for (words, &word) in group.iter().zip(row) {
                for (sum, &other) in sums.iter_mut().zip(words) {
                    *sum += measure(word, other);
                }
            }
            let mut bits = 0u32;
            for (lane, &sum) in sums.iter().enumerate() {
                bits |= u32::from(is_near(sum)) << lane;
            }
            let start = (first + number) * LANES;
            while bits != 0 {
                let at = start + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                if at > place && at < self.count {
                    found.push(at as u32);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprints::mixing::mix;

    #[test]
    fn pieces_part_all_bits() {
        for (bits, count) in [(384, 12), (384, 13), (64, 2), (64, 64), (128, 5), (2048, 64)] {
            let pieces = Pieces::new(bits, count).unwrap();
            let widths: Vec<u32> = pieces.0.iter().map(|&(_, width)| width).collect();
            assert_eq!(widths.iter().sum::<u32>(), bits);
            assert!(widths.iter().max().unwrap() - widths.iter().min().unwrap() <= 1);
            let row: Vec<u64> = (0..u64::from(bits / 64)).map(mix).collect();
            for bit in 0..bits {
                let mut other = row.clone();
                other[(bit / 64) as usize] ^= 1 << (bit % 64);
                let differ: Vec<usize> =
                    (0..pieces.len()).filter(|&at| !pieces.agree(&row, &other, at)).collect();
                let [piece] = differ[..] else { panic!("bit {bit} is in {differ:?}") };
                assert_ne!(pieces.of(&row, piece), pieces.of(&other, piece));
                assert_eq!(differing_bits(&row, &other), 1);
            }
        }
        for (bits, count) in [(384, 0), (384, 11), (64, 65)] {
            assert_eq!(Pieces::new(bits, count), None);
        }
    }

    #[test]
    fn one_more_piece_than_differing_bits_always_agrees() {
        // The worst case for 13 pieces: one differing bit in each of 12.
        let (twelve, thirteen) = (Pieces::new(384, 12).unwrap(), Pieces::new(384, 13).unwrap());
        let row: Vec<u64> = (0..6).map(mix).collect();
        let mut other = row.clone();
        for piece in 0..12 {
            other[piece / 2] ^= 1 << (32 * (piece % 2) + 7);
        }
        assert_eq!(differing_bits(&row, &other), 12);
        assert!(thirteen.any_agrees(&row, &other));
        assert!(!twelve.any_agrees(&row, &other));
    }

    #[test]
    fn a_block_finds_what_comparing_one_by_one_finds() {
        for width in [1, 6, 8] {
            let words: Vec<u64> = (0..(width as u64) * 100).map(|i| mix(i) & 0x0101).collect();
            let rows = Rows { words: &words, width };
            for count in [0usize, 1, 7, 8, 9, 64, 100] {
                let block = Block::of(rows, 0..count as u32);
                for near in [Near::Bits { most: width as u32 / 2 }, Near::Words { least: 1 }] {
                    for place in 0..count {
                        let row = rows.row(place as u32);
                        let expected: Vec<u32> = (place as u32 + 1..count as u32)
                            .filter(|&other| near.holds(row, rows.row(other)))
                            .collect();
                        let mut found = vec![9];
                        block.near_after(place, row, near, &mut found);
                        assert_eq!(found, expected, "{near:?}, {place} of {count}");
                        found.clear();
                        block.scan(place, row, near, &mut found);
                        assert_eq!(found, expected, "without vectors");
                    }
                }
            }
        }
    }
}
