//! The fingerprint of a token, by the recipe's arithmetic.

use crate::fingerprints::mixing::mix;
use crate::fingerprints::rabin;

/// How a token's bytes become 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fingerprint {
    /// Words of eight bytes, mixed one after the other; one-to-one for tokens of up to eight bytes.
    Fast,
    Rabin,
}

impl Fingerprint {
    /// The fingerprint of a token that is these bytes.
    pub fn of(self, bytes: &[u8]) -> u64 {
        match self {
            Fingerprint::Fast => {
                let words = bytes.chunks(8).map(|chunk| {
                    let mut word = [0; 8];
                    word[..chunk.len()].copy_from_slice(chunk);
                    u64::from_le_bytes(word)
                });
                words.fold(0, |value, word| mix(value ^ word))
            }
            Fingerprint::Rabin => rabin::SHINGLES.bytes(bytes),
        }
    }
}

const CASE: u64 = 0x2020_2020_2020_2020;

/// In letters and digits of ASCII the bit of lower case may be set blindly: digits have it already.
#[inline(always)]
pub fn fast<const FOLD: bool>(bytes: &[u8], start: usize, end: usize) -> u64 {
    let folded = |at| load(bytes, at) | if FOLD { CASE } else { 0 };
    // Nearly all tokens fit one word, so that is done without a choice that could be foreseen wrongly.
    let mut value = mix(folded(start) & first_bytes(end - start));
    let mut at = start + 8;
    while at < end {
        value = mix(value ^ folded(at) & first_bytes(end - at));
        at += 8;
    }
    value
}

/// Folded, or a symbol as it stands: in symbols the bit of lower case tells one from another.
#[inline(always)]
pub fn fast_or_symbol(bytes: &[u8], start: usize, end: usize) -> u64 {
    if bytes[start].is_ascii_alphanumeric() {
        fast::<true>(bytes, start, end)
    } else {
        fast::<false>(bytes, start, end)
    }
}

/// A mask of the first `count` bytes of a word, all of it from eight on; there is at least one.
#[inline(always)]
fn first_bytes(count: usize) -> u64 {
    u64::MAX >> (64 - 8 * count.min(8))
}

pub fn rabin_fingerprint<const FOLD: bool>(bytes: &[u8], start: usize, end: usize) -> u64 {
    let token = &bytes[start..end];
    if FOLD {
        rabin::SHINGLES.bytes(&token.to_ascii_lowercase())
    } else {
        rabin::SHINGLES.bytes(token)
    }
}

/// Eight bytes from `at`, zeros beyond the end.
#[inline(always)]
fn load(bytes: &[u8], at: usize) -> u64 {
    if let Some(eight) = bytes.get(at..at + 8).and_then(|eight| eight.try_into().ok()) {
        return u64::from_le_bytes(eight);
    }
    let mut eight = [0; 8];
    let rest = &bytes[at..];
    eight[..rest.len()].copy_from_slice(rest);
    u64::from_le_bytes(eight)
}
