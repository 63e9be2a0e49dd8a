//! White space as a reader sees it: how long a run of it is, and of which characters, shows nowhere.

/// Bytes that are folded at a time.
const BLOCK: usize = 64;
/// The most bytes that a character of white space has.
const WIDEST: usize = 3;

/// The text with each run of white space (Unicode's property of that name) as one space, and none at
/// its ends. It is made in the buffer, which only grows.
pub fn folded<'a>(text: &str, buffer: &'a mut Vec<u8>) -> &'a [u8] {
    // Whole blocks are written, needed or not.
    if buffer.len() < text.len() + BLOCK {
        buffer.resize(text.len() + BLOCK, 0);
    }
    let mut out = Folding { bytes: buffer, end: 0, after_space: true };
    let mut rest = text.as_bytes();
    while let Some(block) = rest.first_chunk() {
        rest = &rest[out.take(block, BLOCK)..];
    }
    while !rest.is_empty() {
        let mut last = [0; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        rest = &rest[out.take(&last, rest.len())..];
    }
    let end = out.end.saturating_sub(usize::from(out.after_space));
    &buffer[..end]
}

struct Folding<'a> {
    /// At least as many as are read in all, and a block more.
    bytes: &'a mut [u8],
    end: usize,
    after_space: bool,
}

impl Folding<'_> {
    /// Takes in the first bytes of a block, and says how many: all, unless the last ones may be part
    /// of a wide space that goes on after them.
    #[inline(always)]
    fn take(&mut self, block: &[u8; BLOCK], count: usize) -> usize {
        // What is kept of it goes on for a block more, so that a run of any length is one copy.
        let mut shown = [0; 2 * BLOCK];
        for (shown, &byte) in shown.iter_mut().zip(block) {
            *shown = if is_space(byte) { b' ' } else { byte };
        }
        let Found { mut spaces, mut leads } = find(block);
        let mut taken = count;
        while leads != 0 {
            let at = leads.trailing_zeros() as usize;
            leads &= leads - 1;
            if count == BLOCK && at + WIDEST > BLOCK {
                taken = at;
                break;
            }
            let width = wide_space(&block[at..]);
            if width > 0 {
                spaces |= ((1 << width) - 1) << at;
                shown[at] = b' ';
            }
        }
        let read = u64::MAX >> (BLOCK - taken);
        let mut kept = !(spaces & (spaces << 1 | u64::from(self.after_space))) & read;
        self.after_space = spaces >> (taken - 1) & 1 == 1;
        while kept != 0 {
            let start = kept.trailing_zeros() as usize;
            let length = (!(kept >> start)).trailing_zeros() as usize;
            self.bytes[self.end..][..BLOCK].copy_from_slice(&shown[start..][..BLOCK]);
            self.end += length;
            kept &= u64::MAX.checked_shl((start + length) as u32).unwrap_or(0);
        }
        taken
    }
}

#[inline(always)]
fn is_space(byte: u8) -> bool {
    byte == b' ' || byte.wrapping_sub(b'\t') < 5
}

/// How many bytes the white space has that is at the head of these, 0 if it is none or ASCII.
#[inline(always)]
fn wide_space(bytes: &[u8]) -> usize {
    match bytes {
        [0xC2, 0x85 | 0xA0, ..] => 2,
        [0xE2, 0x80, 0x80..=0x8A | 0xA8 | 0xA9 | 0xAF, ..]
        | [0xE1, 0x9A, 0x80, ..]
        | [0xE2, 0x81, 0x9F, ..]
        | [0xE3, 0x80, 0x80, ..] => 3,
        _ => 0,
    }
}

/// Whether wide white space may begin with this byte.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn is_lead(byte: u8) -> bool {
    byte == 0xC2 || byte.wrapping_sub(0xE1) < 3
}

/// Of a block, which bytes are ASCII white space, and at which wide white space may begin.
struct Found {
    spaces: u64,
    leads: u64,
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn find(block: &[u8; BLOCK]) -> Found {
    use std::arch::x86_64::{
        _mm_cmpeq_epi8, _mm_loadu_si128, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128,
        _mm_set1_epi8, _mm_sub_epi8,
    };
    let (mut spaces, mut leads) = (0, 0);
    for part in 0..4 {
        // SAFETY: SSE2 is part of every x86-64, and 16 bytes from 16 · part lie in the block.
        let (space, lead) = unsafe {
            let raw = _mm_loadu_si128(block.as_ptr().add(16 * part).cast());
            let among = |first: u8, count: i8| {
                let from_first = _mm_sub_epi8(raw, _mm_set1_epi8(first as i8));
                let most = _mm_set1_epi8(count - 1);
                _mm_cmpeq_epi8(_mm_min_epu8(from_first, most), from_first)
            };
            let space = _mm_cmpeq_epi8(raw, _mm_set1_epi8(b' ' as i8));
            let two = _mm_cmpeq_epi8(raw, _mm_set1_epi8(0xC2_u8 as i8));
            (
                _mm_movemask_epi8(_mm_or_si128(among(b'\t', 5), space)),
                _mm_movemask_epi8(_mm_or_si128(among(0xE1, 3), two)),
            )
        };
        spaces |= u64::from(space as u32) << (16 * part);
        leads |= u64::from(lead as u32) << (16 * part);
    }
    Found { spaces, leads }
}

#[cfg(not(target_arch = "x86_64"))]
fn find(block: &[u8; BLOCK]) -> Found {
    find_portably(block)
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn find_portably(block: &[u8; BLOCK]) -> Found {
    let bits = |of: fn(u8) -> bool| {
        let bit = |(i, byte): (usize, &u8)| u64::from(of(*byte)) << i;
        block.iter().enumerate().map(bit).sum()
    };
    Found { spaces: bits(is_space), leads: bits(is_lead) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprints::mixing::mix;

    fn slow(text: &str) -> String {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn check(text: &str) {
        let mut buffer = vec![b'x'; 7];
        let found = folded(text, &mut buffer);
        assert_eq!(std::str::from_utf8(found), Ok(&*slow(text)), "{text:?}");
    }

    #[test]
    fn each_character_alone_and_between_others() {
        for character in (0..0x4000).chain(0xFE00..0xFFFF).filter_map(char::from_u32) {
            for text in [
                character.to_string(),
                format!("a{character}b"),
                format!(" {character} é{character}{character}"),
            ] {
                check(&text);
            }
        }
    }

    #[test]
    fn white_space_is_found_alike_on_every_machine() {
        for start in 0..=192u8 {
            let block: [u8; BLOCK] = std::array::from_fn(|i| start.wrapping_add(i as u8));
            let (fast, slow) = (find(&block), find_portably(&block));
            assert_eq!((fast.spaces, fast.leads), (slow.spaces, slow.leads));
        }
    }

    #[test]
    fn runs_of_any_length_wherever_blocks_end() {
        let alphabet =
            [' ', '\n', '\t', 'a', 'Z', '<', 'é', '\u{A0}', '漢', '\u{3000}', '\u{2009}'];
        for seed in 0..200u64 {
            // Long stretches without wide spaces, too.
            let kinds = if seed % 2 == 0 { 7 } else { alphabet.len() as u64 };
            let letter = |i: u64| alphabet[(mix(seed << 20 | i) % kinds) as usize];
            check(&(0..40 * seed).map(letter).collect::<String>());
        }
        for length in (BLOCK - 5..BLOCK + 5).chain(1020..1030) {
            check(&format!("{}\u{3000}\u{A0} b", "a".repeat(length)));
            check(&format!("{} \n", "é".repeat(length)));
            check(&" ".repeat(length));
        }
    }
}
