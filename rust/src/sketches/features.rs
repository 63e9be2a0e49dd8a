//! *Feature*: the shingle that one of m fixed one-to-one functions maps lowest (Fetterly 2004). The
//! pre-image, the shingle itself, is kept. Two pages agree in a feature with the probability of
//! their resemblance.
//! *Supershingle*: the fingerprint of `width` adjacent features; with m = 84 and width 14, 6 a page.
//! *Megashingle*: two supershingles i < j of a page together; it is never stored, because whoever
//! groups by it can group by one supershingle and then by the other (see `groups::agreement`).
//!
//! Two families of functions. `Rabin` is the paper's: Rabin fingerprints under m different primitive
//! polynomials, m evaluations for each shingle. `Rounds` costs about one evaluation for each shingle:
//! in each of many rounds a hash of the shingle picks one of the m positions and an order there, and
//! a position is decided by the first round in which any shingle reaches it (the fast similarity
//! sketching of Dahlgaard, Knudsen and Thorup 2017). For each position "first round that reaches it,
//! then order" is one fixed one-to-one function of the shingle, so the definition holds to the
//! letter; unlike one-permutation hashing with borrowing it stays unbiased, with no more variance
//! than independent functions, for pages with fewer shingles than positions.

use std::borrow::Cow;

use crate::fingerprints::mixing::{STEP, mix, sequence};
use crate::fingerprints::rabin::{self, Polynomial, Rabin};

/// The functions that pick features, and the fingerprint that makes supershingles of them.
#[derive(Debug)]
pub enum Picker {
    Rounds { m: usize },
    Rabin { functions: Vec<Rabin> },
}

impl Picker {
    pub fn rounds(m: usize) -> Picker {
        Picker::Rounds { m }
    }

    pub fn rabin(m: usize) -> Picker {
        let functions = (0..m as u64).map(|i| Rabin::new(Polynomial::nth(rabin::FEATURES + i)));
        Picker::Rabin { functions: functions.collect() }
    }

    /// Writes the m features of a page's shingles (at least one) into `features`.
    pub fn pick(&self, shingles: &[u64], features: &mut [u64]) {
        match self {
            Picker::Rounds { m } => pick_by_rounds(shingles, &mut features[..*m]),
            Picker::Rabin { functions } => {
                for (function, feature) in functions.iter().zip(features) {
                    let lowest = shingles.iter().min_by_key(|&&shingle| function.value(shingle));
                    *feature = lowest.copied().unwrap_or(0);
                }
            }
        }
    }

    /// Writes the supershingles, one for each `width` features.
    pub fn supershingle(&self, features: &[u64], width: usize, supershingles: &mut [u64]) {
        for (group, supershingle) in features.chunks_exact(width).zip(supershingles) {
            *supershingle = match self {
                Picker::Rounds { .. } => sequence(group),
                Picker::Rabin { .. } => rabin::SUPERSHINGLES.words(group),
            };
        }
    }
}

/// What a round makes of a shingle. Shingles are mixed already, so the first round takes them as
/// they are.
#[inline(always)]
fn image(shingle: u64, round: u64) -> u64 {
    if round == 0 { shingle } else { mix(shingle.wrapping_add(round.wrapping_mul(STEP))) }
}

/// The upper half of an image picks the position; the order there is by the lower half first, so
/// that it does not depend on which position was picked.
#[inline(always)]
fn position(image: u64, m: usize) -> usize {
    (((image >> 32) * m as u64) >> 32) as usize
}

fn pick_by_rounds(shingles: &[u64], features: &mut [u64]) {
    let m = features.len();
    let mut lowest = [u64::MAX; MOST];
    let (lowest, reached) = (&mut lowest[..m], &mut [false; MOST][..m]);
    // The first round, nearly always the only one on pages of some length, apart: an order is the
    // shingle itself turned by half, so nothing else need be kept.
    for &shingle in shingles {
        // Without a choice: on a page of 900 shingles each third one is a new lowest.
        let at = position(shingle, m);
        lowest[at] = lowest[at].min(shingle.rotate_left(32));
        reached[at] = true;
    }
    let mut missing = 0;
    for at in 0..m {
        features[at] = lowest[at].rotate_left(32);
        missing += usize::from(!reached[at]);
    }
    let mut shingles = Cow::Borrowed(shingles);
    let mut round = 1;
    // After m rounds by chance each position has a round of its own, so that 2m rounds suffice
    // however few shingles there are.
    while missing > 0 {
        let own = (round as usize).checked_sub(m);
        if own.is_some_and(|at| reached[at]) {
            round += 1;
            continue;
        }
        // A page that repeats itself may have many shingles and few distinct ones; only they count.
        // Where that is not so, a few rounds are enough, and cost less than sorting.
        if round == FEW_ROUNDS && shingles.len() > m {
            let sorted = shingles.to_mut();
            sorted.sort_unstable();
            sorted.dedup();
        }
        let met = &mut [false; MOST][..m];
        lowest.fill(u64::MAX);
        for &shingle in &*shingles {
            let image = image(shingle, round);
            let at = own.unwrap_or_else(|| position(image, m));
            let order = image.rotate_left(32);
            if !reached[at] && order <= lowest[at] {
                lowest[at] = order;
                features[at] = shingle;
                met[at] = true;
            }
        }
        for at in 0..m {
            reached[at] |= met[at];
            missing -= usize::from(met[at]);
        }
        round += 1;
    }
}

/// Rounds after which shingles that repeat are looked for.
const FEW_ROUNDS: u64 = 4;

/// The most features a recipe may ask for.
pub const MOST: usize = 1024;

#[cfg(test)]
mod tests {
    use super::*;

    fn shingles(range: std::ops::Range<u64>) -> Vec<u64> {
        range.map(|n| mix(n + 77)).collect()
    }

    fn features(picker: &Picker, m: usize, shingles: &[u64]) -> Vec<u64> {
        let mut features = vec![0; m];
        picker.pick(shingles, &mut features);
        features
    }

    /// "First round that reaches the position, then order" as one key for each shingle.
    fn slow_rounds(shingles: &[u64], m: usize) -> Vec<u64> {
        let key = |shingle: u64, at: usize| {
            (0..2 * m as u64)
                .map(|round| (round, image(shingle, round)))
                .find(|&(round, image)| {
                    round >= m as u64 && round - m as u64 == at as u64
                        || round < m as u64 && position(image, m) == at
                })
                .map(|(round, image)| (round, image.rotate_left(32)))
        };
        (0..m)
            .map(|at| *shingles.iter().min_by_key(|&&s| key(s, at)).expect("some shingle"))
            .collect()
    }

    #[test]
    fn rounds_pick_the_lowest_of_a_one_to_one_function_for_each_position() {
        for n in [1, 2, 3, 20, 84, 300, 2000] {
            let page = shingles(0..n);
            for m in [1, 6, 84] {
                assert_eq!(
                    features(&Picker::rounds(m), m, &page),
                    slow_rounds(&page, m),
                    "{n} {m}"
                );
            }
        }
    }

    #[test]
    fn order_and_repetition_of_shingles_do_not_matter() {
        let page = shingles(0..50);
        let mut other: Vec<u64> = page.iter().rev().copied().collect();
        other.extend_from_slice(&page[..10]);
        for picker in [Picker::rounds(84), Picker::rabin(84)] {
            assert_eq!(features(&picker, 84, &page), features(&picker, 84, &other));
        }
    }

    #[test]
    fn rabin_keeps_the_pre_image_of_the_lowest_image() {
        let picker = Picker::rabin(3);
        let Picker::Rabin { functions } = &picker else { unreachable!() };
        let page = shingles(0..40);
        for (i, feature) in features(&picker, 3, &page).into_iter().enumerate() {
            assert!(page.contains(&feature));
            assert!(page.iter().all(|&s| functions[i].value(feature) <= functions[i].value(s)));
        }
    }

    #[test]
    fn features_agree_in_the_share_of_the_resemblance() {
        // 400 pairs of pages with 90 shared of 110 shingles: 33 600 features, σ = 0.0021 if
        // independent.
        for picker in [Picker::rounds(84), Picker::rabin(84)] {
            let mut equal = 0;
            for pair in 0..400 {
                let start = pair * 1000;
                let left = features(&picker, 84, &shingles(start..start + 100));
                let right = features(&picker, 84, &shingles(start + 10..start + 110));
                equal += left.iter().zip(&right).filter(|(l, r)| l == r).count();
            }
            let share = equal as f64 / (400.0 * 84.0);
            assert!((share - 90.0 / 110.0).abs() < 0.0105, "{share}");
        }
    }

    #[test]
    fn supershingles_are_of_adjacent_features() {
        for picker in [Picker::rounds(6), Picker::rabin(6)] {
            let (mut left, mut right) = ([0; 3], [0; 3]);
            picker.supershingle(&[1, 2, 3, 4, 5, 6], 2, &mut left);
            picker.supershingle(&[1, 2, 4, 3, 5, 6], 2, &mut right);
            assert_eq!((left[0], left[2]), (right[0], right[2]));
            assert_ne!(left[1], right[1]);
        }
    }
}
