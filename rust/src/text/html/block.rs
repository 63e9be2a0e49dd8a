//! Sixteen bytes at a time: the first of them that is one of a few.

pub const BLOCK: usize = 16;
pub type Block = [u8; BLOCK];

/// The block at `at`; past the end of `bytes` it is `fill`.
#[inline(always)]
pub fn load(bytes: &[u8], at: usize, fill: u8) -> Block {
    match bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(block) => *block,
        None => load_tail(bytes, at, fill),
    }
}

#[cold]
fn load_tail(bytes: &[u8], at: usize, fill: u8) -> Block {
    let mut block = [fill; BLOCK];
    let tail = bytes.get(at..).unwrap_or_default();
    block[..tail.len()].copy_from_slice(tail);
    block
}

/// Where the first byte stands that is one of `wanted`; `BLOCK` when none is.
#[inline(always)]
pub fn first<const N: usize>(block: &Block, wanted: [u8; N]) -> usize {
    // The bit at `BLOCK` ends a search without a hit.
    (mask(block, wanted) | 1 << BLOCK).trailing_zeros() as usize
}

/// A bit for each byte that is one of `wanted`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn mask<const N: usize>(block: &Block, wanted: [u8; N]) -> u32 {
    // The compiler's own try at the portable form is ten times longer.
    use std::arch::x86_64::{
        _mm_cmpeq_epi8, _mm_movemask_epi8, _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8,
        _mm_setzero_si128,
    };
    let whole = u128::from_le_bytes(*block);
    // SAFETY: these need SSE2, which every x86-64 has, and touch no memory.
    unsafe {
        let lanes = _mm_set_epi64x((whole >> 64) as i64, whole as i64);
        let mut hits = _mm_setzero_si128();
        for byte in wanted {
            hits = _mm_or_si128(hits, _mm_cmpeq_epi8(lanes, _mm_set1_epi8(byte as i8)));
        }
        _mm_movemask_epi8(hits) as u32
    }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn mask<const N: usize>(block: &Block, wanted: [u8; N]) -> u32 {
    portable_mask(block, wanted)
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn portable_mask<const N: usize>(block: &Block, wanted: [u8; N]) -> u32 {
    let mut mask = 0;
    for (lane, byte) in block.iter().enumerate() {
        mask |= u32::from(wanted.contains(byte)) << lane;
    }
    mask
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_end_in_the_fill() {
        assert_eq!(&load(b"0123456789abcdefgh", 1, b'<'), b"123456789abcdefg");
        assert_eq!(&load(b"0123456789abcdefgh", 15, b'<'), b"fgh<<<<<<<<<<<<<");
        assert_eq!(load(b"012", 3, b'<'), [b'<'; BLOCK]);
        assert_eq!(load(b"012", 7, b'<'), [b'<'; BLOCK]);
    }

    #[test]
    fn the_first_hit() {
        let block = b"abcabcabcabcabcx";
        assert_eq!(first(block, [b'a']), 0);
        assert_eq!(first(block, [b'x', b'c']), 2);
        assert_eq!(first(block, [b'x']), 15);
        assert_eq!(first(block, [b'y', 0]), BLOCK);
    }

    #[test]
    fn both_ways_agree() {
        let block: Block = std::array::from_fn(|lane| (lane as u8).wrapping_mul(0x25));
        for byte in 0..=255 {
            let wanted = [byte, 0x25, byte ^ 0x80];
            assert_eq!(mask(&block, wanted), portable_mask(&block, wanted));
        }
    }
}
