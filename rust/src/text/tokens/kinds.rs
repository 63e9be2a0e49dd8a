//! The kinds of a block's characters, all at once: one bit for each byte.

use super::scan::BLOCK;
use crate::text::unicode::Kind;

/// Of the characters of a block that are not ASCII: their kinds, where they begin.
pub(super) struct Kinds {
    pub each: [u8; BLOCK],
    /// The bits of all of them.
    pub all: u8,
    /// Where they begin.
    pub firsts: u64,
    /// Their other bytes.
    pub follows: u64,
}

impl Kinds {
    /// Where characters of a kind begin.
    #[inline(always)]
    pub fn firsts_of(&self, kind: u8) -> u64 {
        match self.all {
            all if all & kind == 0 => 0,
            all if all == kind => self.firsts,
            _ => bytes_with(&self.each, kind),
        }
    }

    /// The bytes of characters of a kind.
    #[inline(always)]
    pub fn bytes_of(&self, kind: u8) -> u64 {
        let firsts = self.firsts_of(kind);
        // The sum carries through the other bytes of each, and so clears them.
        firsts | self.follows & !self.follows.wrapping_add(firsts << 1)
    }

    /// Whether NFC changes nothing, and folding no more than the table says.
    #[inline(always)]
    pub fn are_plain(&self) -> bool {
        if self.all & (Kind::LOW | Kind::HIGH) == 0 {
            return self.all & Kind::NOT_PLAIN == 0;
        }
        let (low, high) = (self.firsts_of(Kind::LOW), self.firsts_of(Kind::HIGH));
        let after_low = after_runs(low << 1, self.follows);
        let after_high = after_runs(high << 1, self.follows);
        let may_change = low & after_low | (low | high) & after_high;
        self.all & Kind::NOT_PLAIN == 0 && may_change == 0
    }
}

/// From each place where one of the runs begins to right after that run.
#[inline(always)]
pub(super) fn after_runs(places: u64, runs: u64) -> u64 {
    runs.wrapping_add(places) & !runs
}

/// Which bytes have this bit.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn bytes_with(bytes: &[u8; BLOCK], bit: u8) -> u64 {
    use std::arch::x86_64::{
        _mm_and_si128, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_set1_epi8,
    };
    let mut mask = 0;
    for part in 0..4 {
        // SAFETY: SSE2 is part of every x86-64, and 16 bytes from 16 · part lie in the block.
        let with = unsafe {
            let raw = _mm_loadu_si128(bytes.as_ptr().add(16 * part).cast());
            let bit = _mm_set1_epi8(bit as i8);
            _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_and_si128(raw, bit), bit))
        };
        mask |= u64::from(with as u32) << (16 * part);
    }
    mask
}

#[cfg(not(target_arch = "x86_64"))]
fn bytes_with(bytes: &[u8; BLOCK], bit: u8) -> u64 {
    bytes_with_portably(bytes, bit)
}

/// Eight bytes at a time: the product has their bits side by side at the top.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn bytes_with_portably(bytes: &[u8; BLOCK], bit: u8) -> u64 {
    bytes.as_chunks().0.iter().enumerate().fold(0, |mask, (i, eight)| {
        let bits = u64::from_le_bytes(*eight) >> bit.trailing_zeros() & 0x0101_0101_0101_0101;
        mask | (bits.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprints::mixing::mix;

    #[test]
    fn bits_are_found_alike_on_every_machine() {
        for seed in 0..100 {
            let bytes: [u8; BLOCK] = std::array::from_fn(|i| mix(seed * 64 + i as u64) as u8);
            for bit in (0..8).map(|bit| 1 << bit) {
                let expected =
                    (0..BLOCK).fold(0, |mask, i| mask | u64::from(bytes[i] & bit != 0) << i);
                assert_eq!(bytes_with(&bytes, bit), expected);
                assert_eq!(bytes_with_portably(&bytes, bit), expected);
            }
        }
    }

    #[test]
    fn runs_are_gone_through_to_their_ends() {
        // The first run is not begun at, the second is one byte long.
        assert_eq!(after_runs(0b01_0010_0000, 0b01_1110_0110), 0b10_0000_0000);
        assert_eq!(after_runs(0b100, 0b100), 0b1000);
        assert_eq!(after_runs(0, 0b110), 0);
    }
}
