//! *Lost words*: how many different words of a page stand nowhere in another.

use rayon::prelude::*;

use crate::sketches::shingle_sets::Sets;

/// For pairs of members, by their places, how many words of the first the second lacks; none where
/// the words of one of them are not known.
pub fn lost_words(sets: Sets<'_>, pairs: &[(usize, usize)]) -> Vec<Option<usize>> {
    pairs.par_iter().map(|&(page, kept)| Some(missing(sets.get(page)?, sets.get(kept)?))).collect()
}

/// How many values of one ascending set another lacks.
fn missing(set: &[u64], other: &[u64]) -> usize {
    let mut rest = other;
    set.iter()
        .filter(|&&value| {
            let before = rest.partition_point(|&each| each < value);
            rest = &rest[before..];
            rest.first() != Some(&value)
        })
        .count()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn counts_what_the_other_lacks() {
        let values = [1, 5, 9, 1, 2, 5, 7, 8];
        let sets = Sets { values: &values, starts: &[0, 3, -1, 8], ends: &[3, 8, -1, 8] };
        let pairs = [(0, 1), (1, 0), (0, 0), (0, 2), (0, 3), (3, 0)];
        assert_eq!(lost_words(sets, &pairs), [Some(1), Some(3), Some(0), None, Some(3), Some(0)]);
    }

    #[test]
    fn agrees_with_sets() {
        let mut state = 7u64;
        let mut draw = |most: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % most
        };
        for _ in 0..200 {
            let [one, other]: [BTreeSet<u64>; 2] =
                std::array::from_fn(|_| (0..draw(40)).map(|_| draw(50)).collect());
            let [left, right] = [&one, &other].map(|set| set.iter().copied().collect::<Vec<_>>());
            assert_eq!(missing(&left, &right), one.difference(&other).count());
        }
    }
}
