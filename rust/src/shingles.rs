//! *Shingle*: k adjacent tokens, as a 64-bit fingerprint (Fetterly 2004, Henzinger 2006).
//!
//! A page with fewer than k tokens is one shingle of all its tokens. With wrapping, shingles go on
//! from the last token to the first, so that every token starts one, also on a page with fewer
//! than k tokens.

use crate::mixing::{SEQUENCE, STEP, mix};
use crate::rabin::{self, Shift};

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
        let leaving = (0..k).fold(1u64, |power, _| power.wrapping_mul(SEQUENCE));
        Shingler::Fast { k, wrap, leaving }
    }

    pub fn rabin(k: usize, wrap: bool) -> Shingler {
        Shingler::Rabin { k, wrap, leaving: rabin::SHINGLES.part_of_first(k + 1) }
    }

    /// Writes the shingles of a page's tokens, in order and with repetitions.
    pub fn shingle(&self, tokens: &[u64], shingles: &mut Vec<u64>) {
        shingles.clear();
        match *self {
            Shingler::Fast { k, wrap, leaving } => roll(
                tokens,
                k,
                wrap,
                |sum, token| sum.wrapping_mul(SEQUENCE).wrapping_add(token),
                |sum, token| sum.wrapping_sub(token.wrapping_mul(leaving)),
                |sum| shingles.push(mix(sum)),
            ),
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
    use crate::mixing::sequence;

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
