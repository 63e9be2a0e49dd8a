//! White space as a reader sees it: how long a run of it is, and of which characters, shows nowhere.

/// Bytes of which it is asked at a time whether other white space than ASCII is among them.
const PIECE: usize = 1024;
/// Bytes that are folded at a time.
const BLOCK: usize = 64;

/// The text with each run of white space (Unicode's property of that name) as one space, and none at
/// its ends. It is made in the buffer, which only grows.
pub fn folded<'a>(text: &str, buffer: &'a mut Vec<u8>) -> &'a [u8] {
    // Whole blocks are written, needed or not.
    if buffer.len() < text.len() + BLOCK {
        buffer.resize(text.len() + BLOCK, 0);
    }
    let mut out = Folding { bytes: buffer, end: 0, after_space: true };
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(boundary(rest));
        rest = after;
        if has_wide_space(piece.as_bytes()) {
            out.characters(piece);
        } else {
            out.bytes(piece.as_bytes());
        }
    }
    let end = out.end.saturating_sub(usize::from(out.after_space));
    &buffer[..end]
}

/// Where the first piece of a text ends: not within a character.
fn boundary(text: &str) -> usize {
    let end = text.len().min(PIECE);
    (0..=end).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(end)
}

struct Folding<'a> {
    /// At least as many as are read in all, and a block more.
    bytes: &'a mut [u8],
    end: usize,
    after_space: bool,
}

impl Folding<'_> {
    /// Takes in bytes among which only ASCII ones are white space.
    #[inline(always)]
    fn bytes(&mut self, piece: &[u8]) {
        let (blocks, rest) = piece.as_chunks();
        for block in blocks {
            self.block(block, BLOCK);
        }
        if !rest.is_empty() {
            let mut last = [0; BLOCK];
            last[..rest.len()].copy_from_slice(rest);
            self.block(&last, rest.len());
        }
    }

    /// Takes in the first bytes of a block.
    #[inline(always)]
    fn block(&mut self, block: &[u8; BLOCK], count: usize) {
        // What is kept of it goes on for a block more, so that a run of any length is one copy.
        let mut shown = [0; 2 * BLOCK];
        for (shown, &byte) in shown.iter_mut().zip(block) {
            *shown = if is_space(byte) { b' ' } else { byte };
        }
        let spaces = spaces(block);
        let read = u64::MAX >> (BLOCK - count);
        let mut kept = !(spaces & (spaces << 1 | u64::from(self.after_space))) & read;
        self.after_space = spaces >> (count - 1) & 1 == 1;
        while kept != 0 {
            let start = kept.trailing_zeros() as usize;
            let length = (!(kept >> start)).trailing_zeros() as usize;
            self.bytes[self.end..][..BLOCK].copy_from_slice(&shown[start..][..BLOCK]);
            self.end += length;
            kept &= u64::MAX.checked_shl((start + length) as u32).unwrap_or(0);
        }
    }

    fn characters(&mut self, piece: &str) {
        for character in piece.chars() {
            let space = character.is_whitespace();
            if !(space && self.after_space) {
                let shown = if space { ' ' } else { character };
                self.end += shown.encode_utf8(&mut self.bytes[self.end..]).len();
            }
            self.after_space = space;
        }
    }
}

#[inline(always)]
fn is_space(byte: u8) -> bool {
    byte == b' ' || byte.wrapping_sub(b'\t') < 5
}

/// Which bytes are ASCII white space.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn spaces(block: &[u8; BLOCK]) -> u64 {
    use std::arch::x86_64::{
        _mm_cmpeq_epi8, _mm_loadu_si128, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128,
        _mm_set1_epi8, _mm_sub_epi8,
    };
    let mut mask = 0;
    for part in 0..4 {
        // SAFETY: SSE2 is part of every x86-64, and 16 bytes from 16 · part lie in the block.
        let found = unsafe {
            let raw = _mm_loadu_si128(block.as_ptr().add(16 * part).cast());
            let from_tab = _mm_sub_epi8(raw, _mm_set1_epi8(b'\t' as i8));
            let control = _mm_cmpeq_epi8(_mm_min_epu8(from_tab, _mm_set1_epi8(4)), from_tab);
            let space = _mm_cmpeq_epi8(raw, _mm_set1_epi8(b' ' as i8));
            _mm_movemask_epi8(_mm_or_si128(control, space))
        };
        mask |= u64::from(found as u32) << (16 * part);
    }
    mask
}

#[cfg(not(target_arch = "x86_64"))]
fn spaces(block: &[u8; BLOCK]) -> u64 {
    spaces_portably(block)
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn spaces_portably(block: &[u8; BLOCK]) -> u64 {
    let bit = |(i, byte): (usize, &u8)| u64::from(is_space(*byte)) << i;
    block.iter().enumerate().map(bit).sum()
}

/// Whether any white space among these whole characters is not ASCII.
fn has_wide_space(bytes: &[u8]) -> bool {
    // No choice at any byte, so that many are looked at at a time.
    let begins = |byte: &u8| *byte == 0xC2 || byte.wrapping_sub(0xE1) < 3;
    if !bytes.iter().fold(false, |found, byte| found | begins(byte)) {
        return false;
    }
    let mut found = false;
    for pair in bytes.windows(2) {
        found |= pair[0] == 0xC2 && (pair[1] == 0x85 || pair[1] == 0xA0);
    }
    for three in bytes.windows(3) {
        let (first, second, third) = (three[0], three[1], three[2]);
        // U+2000 to U+200A, U+2028, U+2029 and U+202F.
        let spaces = third <= 0x8A || third == 0xA8 || third == 0xA9 || third == 0xAF;
        found |= first == 0xE2 && second == 0x80 && spaces;
        found |= first == 0xE2 && second == 0x81 && third == 0x9F;
        found |= first == 0xE1 && second == 0x9A && third == 0x80;
        found |= first == 0xE3 && second == 0x80 && third == 0x80;
    }
    found
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
            assert_eq!(spaces(&block), spaces_portably(&block));
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
        for length in (BLOCK - 5..BLOCK + 5).chain(PIECE - 5..PIECE + 5) {
            check(&format!("{}\u{3000}\u{A0} b", "a".repeat(length)));
            check(&format!("{} \n", "é".repeat(length)));
            check(&" ".repeat(length));
        }
    }
}
