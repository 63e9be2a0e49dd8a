//! Where the tokens of a text begin and end: 64 bytes are classified at a time, and the places where
//! a token begins or ends are written down, so that whoever makes something of the tokens does so in
//! a loop of its own, without a choice at each byte.

/// Bytes that are classified at a time.
pub(super) const BLOCK: usize = 64;

/// Edges that are held before they are handed on; they and the bytes around them fit the first cache.
const HELD: usize = 512;
/// What one more block may add: each of its bytes a symbol, which begins and ends.
const MORE: usize = 2 * BLOCK + 1;

/// Finds the tokens and adds what is made of them, in the order of the text: `words` adds that of
/// tokens which are all ASCII, by where each begins and ends. At characters that are not ASCII
/// `others` is given where their piece of the text begins, adds that of its tokens, and gives where
/// it ends: at an ASCII character that is no letter or digit, or at the end of the text. With
/// `SYMBOLS` each symbol is a token, too.
#[inline(always)]
pub(super) fn scan<const SYMBOLS: bool, T>(
    text: &str,
    mut words: impl FnMut(&[[usize; 2]], &mut Vec<T>),
    mut others: impl FnMut(usize, &mut Vec<T>) -> usize,
    made: &mut Vec<T>,
) {
    let bytes = text.as_bytes();
    let mut edges = Edges { places: [0; HELD + MORE], count: 0 };
    let mut after_symbol = false;
    let mut at = 0;
    while at < bytes.len() {
        let (block, symbols) = classify::<SYMBOLS>(bytes, at);
        // Only what stands before the first byte that is not ASCII can be trusted.
        let trusted = block.other.trailing_zeros() as usize;
        let known = trusted.min(bytes.len() - at);
        let mask = u64::MAX.checked_shr(64 - known as u32).unwrap_or(0);
        let word = block.word & mask;
        if SYMBOLS {
            let symbol = symbols & mask;
            let after_word = word << 1 | u64::from(edges.is_open() && !after_symbol);
            let ends = (after_word & !word | symbol << 1 | u64::from(after_symbol)) & mask;
            edges.add_touching(word & !after_word | symbol, ends, at);
            after_symbol = symbol >> 63 == 1;
        } else {
            // Bits where a token begins or ends: each differs from the byte before it.
            edges.add((word ^ (word << 1 | u64::from(edges.is_open()))) & mask, at);
        }
        at += known;
        if known < 64 && at < bytes.len() {
            // A mark may compose with the character before it, a separator too.
            let start = edges.take_open().unwrap_or(at.saturating_sub(1));
            after_symbol = false;
            edges.hand_on(|bounds| words(bounds, made));
            at = others(start, made);
        } else if edges.count >= HELD {
            edges.hand_on(|bounds| words(bounds, made));
        }
    }
    if edges.is_open() {
        edges.add(1, bytes.len());
    }
    edges.hand_on(|bounds| words(bounds, made));
}

/// The piece of the text from `start` on, to where the first letters and digits end that have others
/// than ASCII characters among them.
pub(super) fn stretch(text: &str, start: usize) -> &str {
    let rest = &text.as_bytes()[start..];
    let others = rest.iter().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
    let end = rest[others..].iter().position(|&b| b.is_ascii() && !b.is_ascii_alphanumeric());
    // Both ends stand next to an ASCII byte or an end of the text.
    let end = end.map_or(rest.len(), |end| others + end);
    text.get(start..start + end).unwrap_or_default()
}

/// Places where a token begins, ends, the next begins, and so on.
struct Edges {
    places: [usize; HELD + MORE],
    count: usize,
}

impl Edges {
    /// Whether the last token has not ended yet.
    #[inline(always)]
    fn is_open(&self) -> bool {
        self.count % 2 == 1
    }

    /// Takes in the edges of a block that begins at `at`.
    #[inline(always)]
    fn add(&mut self, edges: u64, at: usize) {
        self.count += write_places(edges, at, &mut self.places[self.count..]);
    }

    /// Takes in where tokens of a block that begins at `at` begin and end, which may be the same place.
    #[inline(always)]
    fn add_touching(&mut self, begins: u64, ends: u64, at: usize) {
        let mut both = begins | ends;
        while both != 0 {
            let place = both.trailing_zeros();
            // Both are written, needed or not: what comes next cannot be foreseen.
            self.places[self.count] = at + place as usize;
            self.count += (ends >> place & 1) as usize;
            self.places[self.count] = at + place as usize;
            self.count += (begins >> place & 1) as usize;
            both &= both - 1;
        }
    }

    /// Forgets the token that has not ended yet, and gives where it began.
    fn take_open(&mut self) -> Option<usize> {
        self.is_open().then(|| {
            self.count -= 1;
            self.places[self.count]
        })
    }

    /// Hands all tokens on that have ended.
    #[inline(always)]
    fn hand_on(&mut self, words: impl FnOnce(&[[usize; 2]])) {
        let (bounds, open) = self.places[..self.count].as_chunks();
        if !bounds.is_empty() {
            words(bounds);
        }
        self.count = open.len();
        if let &[start] = open {
            self.places[0] = start;
        }
    }
}

/// Writes the places of the bits of a block that begins at `at`, and gives how many they are. Eight
/// are written at once, needed or not, because how many there are cannot be foreseen.
#[inline(always)]
pub(super) fn write_places(mut bits: u64, at: usize, places: &mut [usize]) -> usize {
    let count = bits.count_ones() as usize;
    for eight in places[..64].chunks_exact_mut(8).take(count.div_ceil(8)) {
        for place in eight {
            *place = at + bits.trailing_zeros() as usize;
            bits &= bits.wrapping_sub(1);
        }
    }
    count
}

/// Of 64 bytes, which are ASCII letters or digits, which are not ASCII, and at which a character
/// begins.
pub(super) struct Block {
    pub word: u64,
    pub other: u64,
    pub begins: u64,
}

/// The block that begins at `at`, and with `SYMBOLS` which bytes are ASCII symbols.
#[inline(always)]
fn classify<const SYMBOLS: bool>(bytes: &[u8], at: usize) -> (Block, u64) {
    let both = |bytes: &[u8; BLOCK]| {
        let block = classify_block(bytes);
        let symbols = if SYMBOLS { graphic(bytes) & !block.word } else { 0 };
        (block, symbols)
    };
    match bytes[at..].first_chunk() {
        Some(block) => both(block),
        None => both(&padded(&bytes[at..], 0)),
    }
}

/// Less than `N` bytes, with so many zeros before them and the others after them.
#[inline(always)]
pub(super) fn padded<const N: usize>(rest: &[u8], before: usize) -> [u8; N] {
    let mut block = [0; N];
    block[before..][..rest.len()].copy_from_slice(rest);
    block
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn classify_block(block: &[u8; 64]) -> Block {
    use std::arch::x86_64::{
        _mm_cmpeq_epi8, _mm_cmpgt_epi8, _mm_loadu_si128, _mm_min_epu8, _mm_movemask_epi8,
        _mm_or_si128, _mm_set1_epi8, _mm_sub_epi8,
    };
    let (mut word, mut other, mut begins) = (0u64, 0u64, 0u64);
    for part in 0..4 {
        // SAFETY: SSE2 is part of every x86-64, and 16 bytes from 16 · part lie in the block.
        let (letters_digits, high, first) = unsafe {
            let raw = _mm_loadu_si128(block.as_ptr().add(16 * part).cast());
            let letter =
                _mm_sub_epi8(_mm_or_si128(raw, _mm_set1_epi8(0x20)), _mm_set1_epi8(b'a' as i8));
            let digit = _mm_sub_epi8(raw, _mm_set1_epi8(b'0' as i8));
            let letter = _mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(25)), letter);
            let digit = _mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit);
            // Bytes that go on with a character are the lowest as signed numbers.
            let first = _mm_cmpgt_epi8(raw, _mm_set1_epi8(0xBF_u8 as i8));
            let letter_digit = _mm_or_si128(letter, digit);
            (_mm_movemask_epi8(letter_digit), _mm_movemask_epi8(raw), _mm_movemask_epi8(first))
        };
        word |= u64::from(letters_digits as u32) << (16 * part);
        other |= u64::from(high as u32) << (16 * part);
        begins |= u64::from(first as u32) << (16 * part);
    }
    Block { word, other, begins }
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn classify_block(block: &[u8; 64]) -> Block {
    classify_block_portably(block)
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn classify_block_portably(block: &[u8; 64]) -> Block {
    let (mut word, mut other, mut begins) = (0u64, 0u64, 0u64);
    for (i, byte) in block.iter().enumerate() {
        word |= u64::from(byte.is_ascii_alphanumeric()) << i;
        other |= u64::from(*byte >> 7) << i;
        begins |= u64::from(*byte & 0xC0 != 0x80) << i;
    }
    Block { word, other, begins }
}

/// Which bytes are ASCII characters that readers see.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn graphic(block: &[u8; BLOCK]) -> u64 {
    use std::arch::x86_64::{
        _mm_cmpeq_epi8, _mm_loadu_si128, _mm_min_epu8, _mm_movemask_epi8, _mm_set1_epi8,
        _mm_sub_epi8,
    };
    let mut mask = 0;
    for part in 0..4 {
        // SAFETY: SSE2 is part of every x86-64, and 16 bytes from 16 · part lie in the block.
        let seen = unsafe {
            let raw = _mm_loadu_si128(block.as_ptr().add(16 * part).cast());
            let from_first = _mm_sub_epi8(raw, _mm_set1_epi8(b'!' as i8));
            let most = _mm_set1_epi8((b'~' - b'!') as i8);
            _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(from_first, most), from_first))
        };
        mask |= u64::from(seen as u32) << (16 * part);
    }
    mask
}

#[cfg(not(target_arch = "x86_64"))]
fn graphic(block: &[u8; BLOCK]) -> u64 {
    graphic_portably(block)
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn graphic_portably(block: &[u8; BLOCK]) -> u64 {
    let bit = |(i, byte): (usize, &u8)| u64::from(byte.is_ascii_graphic()) << i;
    block.iter().enumerate().map(bit).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_classified_alike_on_every_machine() {
        for start in 0..=192u8 {
            let block: [u8; 64] = std::array::from_fn(|i| start.wrapping_add(i as u8));
            let (fast, slow) = (classify_block(&block), classify_block_portably(&block));
            assert_eq!((fast.word, fast.other, fast.begins), (slow.word, slow.other, slow.begins));
            assert_eq!(graphic(&block), graphic_portably(&block));
        }
    }
}
