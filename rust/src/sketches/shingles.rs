//! *Shingle*: k adjacent tokens, as a 64-bit fingerprint (Fetterly 2004, Henzinger 2006).
//!
//! A page with fewer than k tokens is one shingle of all its tokens. With wrapping, shingles go on
//! from the last token to the first, so that every token starts one, also on a page with fewer
//! than k tokens.

use crate::fingerprints::mixing::{SEQUENCE, STEP, mix};
use crate::fingerprints::rabin::{self, Shift};

/// How k tokens become one fingerprint, rolling: one step for each token.
#[derive(Debug)]
pub enum Shingler {
    /// A polynomial in the tokens modulo 2⁶⁴, mixed.
    Fast { k: usize, wrap: bool, leaving: u64 },
    /// Rabin's fingerprint of the k tokens' fingerprints.
    Rabin { k: usize, wrap: bool, leaving: Shift },
}

impl Shingler {
    pub fn fast(k: usize, wrap: bool) -> Shingler {
        Shingler::Fast { k, wrap, leaving: SEQUENCE.wrapping_pow(k as u32) }
    }

    pub fn rabin(k: usize, wrap: bool) -> Shingler {
        Shingler::Rabin { k, wrap, leaving: rabin::SHINGLES.part_of_first(k + 1) }
    }

    /// Writes the shingles of a page's tokens, in order and with repetitions.
    pub fn shingle(&self, tokens: &[u64], shingles: &mut Vec<u64>) {
        shingles.clear();
        match *self {
            Shingler::Fast { k, wrap, leaving } => {
                let done = if wrap { 0 } else { many(tokens, k, shingles) };
                if done > 0 && done + k > tokens.len() {
                    return;
                }
                roll(
                    &tokens[done..],
                    k,
                    wrap,
                    |sum, token| sum.wrapping_mul(SEQUENCE).wrapping_add(token),
                    |sum, token| sum.wrapping_sub(token.wrapping_mul(leaving)),
                    |sum| shingles.push(mix(sum)),
                );
            }
            Shingler::Rabin { k, wrap, ref leaving } => {
                let rabin = &*rabin::SHINGLES;
                roll(
                    tokens,
                    k,
                    wrap,
                    |sum, token| rabin.value(sum ^ token),
                    |sum, token| sum ^ leaving.apply(token),
                    |sum| shingles.push(sum),
                );
            }
        }
    }
}

/// Shingles that are made together.
const LANES: usize = 32;

/// Writes as many shingles as can be made `LANES` at a time, each from all its tokens, where the
/// machine multiplies eight words of 64 bits at once; that is faster than rolling. Gives how many.
fn many(tokens: &[u64], k: usize, shingles: &mut Vec<u64>) -> usize {
    #[cfg(target_arch = "x86_64")]
    if k <= FEW && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
        // SAFETY: the features were just detected.
        return unsafe { many_avx512(tokens, k, shingles) };
    }
    let _ = (tokens, k, shingles);
    0
}

/// Up to so many tokens a shingle rolling does not pay there.
#[cfg(target_arch = "x86_64")]
const FEW: usize = 16;

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq")]
fn many_avx512(tokens: &[u64], k: usize, shingles: &mut Vec<u64>) -> usize {
    many_lanes(tokens, k, shingles)
}

#[cfg(any(test, target_arch = "x86_64"))]
#[inline(always)]
fn many_lanes(tokens: &[u64], k: usize, shingles: &mut Vec<u64>) -> usize {
    let blocks = (tokens.len() + 1).saturating_sub(k) / LANES;
    for block in 0..blocks {
        let mut sums = [0u64; LANES];
        for tokens in tokens[block * LANES..].windows(LANES).take(k) {
            for (sum, token) in sums.iter_mut().zip(tokens) {
                *sum = sum.wrapping_mul(SEQUENCE).wrapping_add(*token);
            }
        }
        shingles.extend_from_slice(&sums.map(mix));
    }
    blocks * LANES
}

/// Makes a shingle that stands on the page for the second, third … time another one each time, so
/// that sets of shingles tell how often each stands there: a way to weigh them by frequency, which
/// Henzinger 2006, section 4 leaves open. What stands once stays what it is.
pub fn number_repeated(shingles: &mut [u64]) {
    shingles.sort_unstable();
    for repeated in shingles.chunk_by_mut(|a, b| a == b) {
        for (time, shingle) in repeated.iter_mut().enumerate().skip(1) {
            *shingle = mix(shingle.wrapping_add(STEP.wrapping_mul(time as u64)));
        }
    }
}

/// Rolls over every window of k tokens; `leave` takes out a token that entered k + 1 steps ago.
#[inline(always)]
fn roll(
    tokens: &[u64],
    k: usize,
    wrap: bool,
    enter: impl Fn(u64, u64) -> u64,
    leave: impl Fn(u64, u64) -> u64,
    mut emit: impl FnMut(u64),
) {
    let n = tokens.len();
    if n == 0 {
        return;
    }
    let first = if wrap { k } else { k.min(n) };
    let mut sum = 0;
    for i in 0..first {
        sum = enter(sum, tokens[i % n]);
    }
    emit(sum);
    for i in k..n {
        sum = leave(enter(sum, tokens[i]), tokens[i - k]);
        emit(sum);
    }
    if wrap {
        for i in n.max(k)..n + k - 1 {
            sum = leave(enter(sum, tokens[i % n]), tokens[(i - k) % n]);
            emit(sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprints::mixing::sequence;

    fn windows(tokens: &[u64], k: usize, wrap: bool) -> Vec<Vec<u64>> {
        if wrap {
            let n = tokens.len();
            (0..n).map(|i| (i..i + k).map(|j| tokens[j % n]).collect()).collect()
        } else if tokens.len() < k {
            vec![tokens.to_vec()]
        } else {
            tokens.windows(k).map(<[u64]>::to_vec).collect()
        }
    }

    #[test]
    fn rolling_gives_the_fingerprint_of_every_window() {
        let tokens: Vec<u64> = (1..=11).map(mix).collect();
        let mut shingles = Vec::new();
        for wrap in [false, true] {
            for k in 1..=8 {
                for n in 1..=tokens.len() {
                    let expected = windows(&tokens[..n], k, wrap);
                    Shingler::fast(k, wrap).shingle(&tokens[..n], &mut shingles);
                    let fast: Vec<u64> = expected.iter().map(|w| sequence(w)).collect();
                    assert_eq!(shingles, fast, "fast k={k} n={n} wrap={wrap}");
                    Shingler::rabin(k, wrap).shingle(&tokens[..n], &mut shingles);
                    let slow: Vec<u64> =
                        expected.iter().map(|w| rabin::SHINGLES.words(w)).collect();
                    assert_eq!(shingles, slow, "rabin k={k} n={n} wrap={wrap}");
                }
            }
        }
    }

    #[test]
    fn many_at_a_time_are_as_one_by_one() {
        let tokens: Vec<u64> = (1..=150).map(mix).collect();
        for k in [1, 2, 5, 16] {
            for n in [0, 1, 31, 32, 35, 36, 37, 68, 150] {
                let tokens = &tokens[..n];
                let mut shingles = Vec::new();
                let count = many_lanes(tokens, k, &mut shingles);
                let expected: Vec<u64> = tokens.windows(k).map(sequence).collect();
                assert_eq!(shingles, expected[..count], "k={k} n={n}");
                assert!(expected.len() - count < LANES, "k={k} n={n}");
                Shingler::fast(k, false).shingle(tokens, &mut shingles);
                if n >= k {
                    assert_eq!(shingles, expected, "k={k} n={n}");
                }
            }
        }
    }

    #[test]
    fn repeated_shingles_become_different_ones() {
        let (one, other) = (mix(1), mix(2));
        let mut page = vec![one, other, one, one];
        number_repeated(&mut page);
        assert!(page.contains(&one) && page.contains(&other));
        page.sort_unstable();
        page.dedup();
        assert_eq!(page.len(), 4);
        // The third time is the same on every page.
        let mut shorter = vec![one, one, one];
        number_repeated(&mut shorter);
        assert!(shorter.iter().all(|shingle| page.contains(shingle)));
    }

    #[test]
    fn no_tokens_no_shingles() {
        let mut shingles = vec![1];
        Shingler::fast(5, true).shingle(&[], &mut shingles);
        assert!(shingles.is_empty());
    }
}
