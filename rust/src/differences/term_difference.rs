//! *Term difference* of two pages: how many tokens a minimal diff of their token sequences removes
//! and adds (Henzinger 2006, section 3.2, which counts what `diff` gives; its default is not always
//! minimal, this is). It is the length of both less twice that of their longest common subsequence.
//!
//! Myers' greedy algorithm (Myers 1986): for each number of changes the furthest place that is
//! reached on each diagonal. Its time grows with the square of the changes, so that they are
//! looked for up to a limit.

use rayon::prelude::*;

use crate::sketches::shingle_sets::Sets;
use crate::text::image_terms::IMAGE;

/// The term difference of two pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    Changes(usize),
    /// More than were looked for.
    Above,
}

/// Of two pages: with image terms, and without them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Differences {
    pub terms: Difference,
    pub text: Difference,
}

/// The differences of pairs of members, by their places; none where a member's terms are not known.
pub fn differences(
    sets: Sets<'_>,
    pairs: &[(usize, usize)],
    most: usize,
) -> Vec<Option<Differences>> {
    pairs
        .par_iter()
        .map(|&(left, right)| Some(of_both(sets.get(left)?, sets.get(right)?, most)))
        .collect()
}

fn of_both(left: &[u64], right: &[u64], most: usize) -> Differences {
    let is_image = |term: &&u64| **term & IMAGE == 1;
    let value = |term: &u64| term & !IMAGE;
    let all = |page: &[u64]| page.iter().map(value).collect::<Vec<u64>>();
    let terms = term_difference(&all(left), &all(right), most);
    let with_images = left.iter().chain(right).any(|term| is_image(&term));
    if !with_images {
        return Differences { terms, text: terms };
    }
    let text = |page: &[u64]| page.iter().filter(|t| !is_image(t)).map(value).collect::<Vec<_>>();
    Differences { terms, text: term_difference(&text(left), &text(right), most) }
}

/// The term difference of two sequences, if it is at most so much.
pub fn term_difference(left: &[u64], right: &[u64], most: usize) -> Difference {
    match shortest(left, right, most, usize::MAX) {
        Ok(Some(changes)) => Difference::Changes(changes),
        Ok(None) | Err(OutOfSteps) => Difference::Above,
    }
}

/// A search was given up before it was known how much differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfSteps;

/// How many tokens a minimal diff removes and adds; none if more than `most`. It is found within
/// about so many steps, or not at all.
pub fn shortest(
    left: &[u64],
    right: &[u64],
    most: usize,
    steps: usize,
) -> Result<Option<usize>, OutOfSteps> {
    let same =
        |one: &[u64], other: &[u64]| one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let start = same(left, right);
    let (left, right) = (&left[start..], &right[start..]);
    let end = left.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| a == b).count();
    let (left, right) = (&left[..left.len() - end], &right[..right.len() - end]);
    let (n, m) = (left.len() as isize, right.len() as isize);
    let limit = most.min(left.len() + right.len()) as isize;
    // The furthest place on the left for each diagonal, left less right; none reached yet.
    let mut furthest = vec![-1isize; 2 * limit as usize + 3];
    let at = |diagonal: isize| (diagonal + limit + 1) as usize;
    furthest[at(1)] = 0;
    let mut done = 0;
    for changes in 0..=limit {
        // Diagonals beyond either end hold nothing.
        let lowest = -changes + 2 * (changes - m).max(0);
        let highest = changes - 2 * (changes - n).max(0);
        let mut diagonal = lowest;
        while diagonal <= highest {
            let removed = furthest[at(diagonal - 1)] + 1;
            let added = furthest[at(diagonal + 1)];
            let mut x = removed.max(added);
            let y = x - diagonal;
            done += 1;
            if x <= n && (0..=m).contains(&y) {
                let snake = same(&left[x as usize..], &right[y as usize..]);
                done += snake;
                x += snake as isize;
                if x == n && x - diagonal == m {
                    return Ok(Some(changes as usize));
                }
            }
            furthest[at(diagonal)] = x;
            diagonal += 2;
        }
        if done > steps {
            return Err(OutOfSteps);
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprints::mixing::mix;

    fn chance(seed: u64, length: u64, alphabet: u64) -> Vec<u64> {
        (0..length).map(|i| 2 * (mix(mix(seed) ^ i) % alphabet)).collect()
    }

    /// The longest common subsequence by its definition.
    fn slow(left: &[u64], right: &[u64]) -> usize {
        let mut table = vec![vec![0; right.len() + 1]; left.len() + 1];
        for (i, l) in left.iter().enumerate() {
            for (j, r) in right.iter().enumerate() {
                table[i + 1][j + 1] =
                    if l == r { table[i][j] + 1 } else { table[i][j + 1].max(table[i + 1][j]) };
            }
        }
        left.len() + right.len() - 2 * table[left.len()][right.len()]
    }

    #[test]
    fn the_difference_is_the_least_there_is() {
        for seed in 0..2000 {
            let alphabet = 1 + seed % 7;
            let left = chance(seed, mix(seed) % 30, alphabet);
            let right = chance(seed + 9999, mix(seed + 1) % 30, alphabet);
            let expected = slow(&left, &right);
            for most in [0, 3, expected.saturating_sub(1), expected, expected + 1, 1000] {
                let found = term_difference(&left, &right, most);
                let within = expected <= most;
                let wanted = if within { Difference::Changes(expected) } else { Difference::Above };
                assert_eq!(found, wanted, "{left:?} {right:?} {most}");
                assert_eq!(term_difference(&right, &left, most), wanted);
            }
        }
    }

    #[test]
    fn long_pages_that_differ_a_little_or_in_everything() {
        let page = chance(1, 100_000, 5000);
        let mut other = page.clone();
        (0..500).for_each(|i| other[200 * i + 7] = 1 << 40);
        assert_eq!(term_difference(&page, &other, 5000), Difference::Changes(1000));
        assert_eq!(term_difference(&page, &other, 999), Difference::Above);
        assert_eq!(term_difference(&page, &chance(2, 9, 5), 5000), Difference::Above);
        let strange: Vec<u64> = (1..3000).map(|i| i << 30).collect();
        assert_eq!(term_difference(&page[..3000], &strange, 5000), Difference::Above);
        assert_eq!(term_difference(&page[..3000], &strange, 6000), Difference::Changes(5999));
    }

    #[test]
    fn images_count_in_the_one_and_not_in_the_other() {
        let image = |n: u64| n << 1 | IMAGE;
        let word = |n: u64| n << 1;
        let values =
            [[word(1), image(5), word(2), word(3)], [word(1), image(6), word(2), word(4)]].concat();
        let (starts, ends) = ([0, 4, -1], [4, 8, -1]);
        let sets = Sets { values: &values, starts: &starts, ends: &ends };
        let found = differences(sets, &[(0, 1), (0, 0), (1, 2)], 10);
        let both = |terms, text| {
            let (terms, text) = (Difference::Changes(terms), Difference::Changes(text));
            Some(Differences { terms, text })
        };
        assert_eq!(found, [both(4, 2), both(0, 0), None]);
    }
}
