//! *Equal words* of two pages: how many words a minimal diff leaves as they are, which is the length
//! of the longest common subsequence of their tokens. Twice that over all words of both is the share
//! of equal words.
//!
//! What both begin and end with, and words that only one of them has, are set aside first; neither
//! changes what is longest. What is left is searched by Myers' greedy algorithm (Myers 1986), which
//! is quick where little differs, and else by one bit for each word of the left page, a machine
//! word at a time (Crochemore and others 2001; Hyyrö 2004): a 64th of the product of both lengths.
//! Both are bounded. Two pages that are too long and too different for either are told by the
//! diff of difference.rs, a true one but maybe not the shortest: at least so many words are equal.

use rayon::prelude::*;

use super::difference::common_runs;
use super::term_difference::{OutOfSteps, shortest};
use crate::sketches::shingle_sets::Sets;

/// The most steps of either search, some tenths of a second: two pages of 131,072 words are always
/// compared exactly.
const MOST_STEPS: usize = 1 << 28;
/// The most changes that are looked for one by one.
const MOST_CHANGES: usize = 1 << 14;

/// How many words are equal, or if it is not `exact`, at least so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EqualWords {
    pub count: usize,
    pub exact: bool,
}

/// The fewest equal words with which pages of so many words have this share.
pub fn least_equal(left: usize, right: usize, share: f64) -> usize {
    // The slack keeps exact quotients on the near side.
    (share * (left + right) as f64 / 2.0 - 1e-9).ceil().max(0.0) as usize
}

/// The shares of equal words of pairs of members, by their places, and whether they are exact; none
/// where a member's words are not known. Two pages without a word are equal.
pub fn of_pairs(sets: Sets<'_>, pairs: &[(usize, usize)]) -> Vec<Option<(f64, bool)>> {
    let share = |left: &[u64], right: &[u64]| {
        let found = equal_words(left, right, 0)?;
        let total = (left.len() + right.len()) as f64;
        Some((if total == 0.0 { 1.0 } else { 2.0 * found.count as f64 / total }, found.exact))
    };
    pairs.par_iter().map(|&(left, right)| share(sets.get(left)?, sets.get(right)?)).collect()
}

/// The equal words of two pages; none if they are fewer than `least`, or not known to be as many.
pub fn equal_words(left: &[u64], right: &[u64], least: usize) -> Option<EqualWords> {
    within(left, right, least, MOST_STEPS)
}

fn within(left: &[u64], right: &[u64], least: usize, steps: usize) -> Option<EqualWords> {
    if left.len().min(right.len()) < least {
        return None;
    }
    let start = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    let (left, right) = (&left[start..], &right[start..]);
    let end = left.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| a == b).count();
    let (left, right) = (&left[..left.len() - end], &right[..right.len() - end]);
    let outside = start + end;
    let sorted = (ascending(left), ascending(right));
    if outside + in_both(&sorted.0, &sorted.1) < least {
        return None;
    }
    let left = only_known(left, &sorted.1);
    let right = only_known(right, &sorted.0);
    let found = longest(&left, &right, least.saturating_sub(outside), steps)?;
    let count = outside + found.count;
    (count >= least).then_some(EqualWords { count, ..found })
}

fn ascending(words: &[u64]) -> Vec<u64> {
    let mut sorted = words.to_vec();
    sorted.sort_unstable();
    sorted
}

/// How many words two pages have in common in whatever order, which are no fewer than in the same.
fn in_both(left: &[u64], right: &[u64]) -> usize {
    let (mut i, mut j, mut both) = (0, 0, 0);
    while i < left.len() && j < right.len() {
        let (a, b) = (left[i], right[j]);
        both += usize::from(a == b);
        i += usize::from(a <= b);
        j += usize::from(b <= a);
    }
    both
}

/// The words that the other page has too, somewhere.
fn only_known(words: &[u64], others: &[u64]) -> Vec<u64> {
    words.iter().copied().filter(|word| others.binary_search(word).is_ok()).collect()
}

/// The longest common subsequence of words that stand on both pages; none if shorter than `least`.
fn longest(left: &[u64], right: &[u64], least: usize, steps: usize) -> Option<EqualWords> {
    let total = left.len() + right.len();
    // Changes beyond these leave fewer equal words than are asked for.
    let allowed = total.checked_sub(2 * least)?;
    let bits = left.len().div_ceil(64).saturating_mul(right.len());
    // Looking for changes takes half their square: so many that it costs no more than bits do.
    let affordable = (2 * bits.min(steps)).isqrt().min(MOST_CHANGES);
    let most = allowed.min(affordable);
    match shortest(left, right, most, bits.min(steps).max(total)) {
        Ok(Some(changes)) => return Some(EqualWords { count: (total - changes) / 2, exact: true }),
        Ok(None) if most == allowed => return None,
        Ok(None) | Err(OutOfSteps) => {}
    }
    if bits <= steps {
        return Some(EqualWords { count: by_bits(left, right), exact: true });
    }
    let runs = common_runs(left, right);
    Some(EqualWords { count: runs.iter().map(|run| run.length).sum(), exact: false })
}

/// The length of the longest common subsequence, by a bit for each word of the left page: it is zero
/// where the subsequence of what was read of the right page grows. Of a word of the right page only
/// those machine words are touched that hold it, and those that a sum is carried into.
fn by_bits(left: &[u64], right: &[u64]) -> usize {
    let mut places: Vec<(u64, u32)> =
        left.iter().zip(0u32..).map(|(&word, place)| (word, place)).collect();
    places.sort_unstable();
    // For each distinct word where its bits begin, and for each machine word that holds it which.
    let mut words: Vec<(u64, usize)> = Vec::new();
    let mut masks: Vec<(usize, u64)> = Vec::with_capacity(places.len());
    for &(word, place) in &places {
        let (at, bit) = (place as usize / 64, 1 << (place % 64));
        let is_new = words.last().is_none_or(|&(last, _)| last != word);
        if is_new {
            words.push((word, masks.len()));
        }
        match masks.last_mut() {
            Some(mask) if !is_new && mask.0 == at => mask.1 |= bit,
            _ => masks.push((at, bit)),
        }
    }
    let mut row = vec![u64::MAX; left.len().div_ceil(64)];
    for word in right {
        let Ok(number) = words.binary_search_by_key(word, |&(word, _)| word) else { continue };
        let end = words.get(number + 1).map_or(masks.len(), |&(_, start)| start);
        let mut next = 0;
        let mut carry = false;
        for &(at, mask) in &masks[words[number].1..end] {
            carry = carried(&mut row[next..at], carry);
            let before = row[at];
            let (sum, over) = before.overflowing_add(before & mask);
            let (sum, again) = sum.overflowing_add(u64::from(carry));
            row[at] = sum | (before & !mask);
            carry = over || again;
            next = at + 1;
        }
        carried(&mut row[next..], carry);
    }
    row.iter().map(|bits| bits.count_zeros() as usize).sum()
}

/// Carries a one into machine words that hold nothing of a word, as far as it goes; whether it goes
/// beyond them.
fn carried(row: &mut [u64], carry: bool) -> bool {
    if !carry {
        return false;
    }
    for bits in row {
        let (sum, over) = bits.overflowing_add(1);
        *bits |= sum;
        if !over {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprints::mixing::mix;

    fn chance(seed: u64, length: usize, alphabet: u64) -> Vec<u64> {
        (0..length as u64).map(|i| mix(mix(seed) ^ i) % alphabet).collect()
    }

    /// The longest common subsequence by its definition.
    fn slow(left: &[u64], right: &[u64]) -> usize {
        let mut above = vec![0; right.len() + 1];
        for l in left {
            let mut row = vec![0; right.len() + 1];
            for (j, r) in right.iter().enumerate() {
                row[j + 1] = if l == r { above[j] + 1 } else { above[j + 1].max(row[j]) };
            }
            above = row;
        }
        above[right.len()]
    }

    #[test]
    fn as_many_words_are_equal_as_by_the_definition() {
        for seed in 0..1500u64 {
            let alphabet = [1, 2, 3, 7, 40, 400][seed as usize % 6];
            let left = chance(seed, mix(seed) as usize % 300, alphabet);
            let right = chance(seed + 9999, mix(seed + 1) as usize % 300, alphabet);
            let expected = slow(&left, &right);
            assert_eq!(by_bits(&left, &right), expected, "{left:?} {right:?}");
            for least in [0, 1, expected.saturating_sub(1), expected, expected + 1, 299] {
                let wanted =
                    (expected >= least).then_some(EqualWords { count: expected, exact: true });
                assert_eq!(equal_words(&left, &right, least), wanted, "{left:?} {right:?} {least}");
            }
        }
    }

    #[test]
    fn an_edited_page_has_what_the_edits_left() {
        let page = chance(1, 20_000, 3000);
        let mut edited = page.clone();
        edited[10] = u64::MAX;
        edited.remove(15_000);
        edited.splice(7_000..7_000, [u64::MAX - 1; 40]);
        let wanted = Some(EqualWords { count: 19_998, exact: true });
        assert_eq!(equal_words(&page, &edited, 0), wanted);
        assert_eq!(equal_words(&page, &edited, 19_998), wanted);
        assert_eq!(equal_words(&page, &edited, 19_999), None);
    }

    #[test]
    fn what_is_too_long_and_too_different_is_told_at_the_least() {
        for alphabet in [1, 2, 5, 1000] {
            let (left, right) = (chance(3, 3_000, alphabet), chance(4, 2_500, alphabet));
            let exact = slow(&left, &right);
            let found = within(&left, &right, 0, 2_000).unwrap();
            assert!(found.count <= exact, "{found:?} {exact}");
            assert_eq!(found.exact, alphabet == 1);
            assert_eq!(within(&left, &right, exact + 1, 2_000), None);
        }
    }

    #[test]
    fn hostile_pages_end() {
        // Nothing stands once, and every place of one page is equal to half of those of the other.
        let (left, right) = (chance(5, 400_000, 2), chance(6, 300_000, 2));
        let found = within(&left, &right, 0, 1 << 22).unwrap();
        assert!(!found.exact && found.count <= 300_000);
        // A page of one word: each diagonal runs to the end.
        let (left, right) = (vec![7; 1_000_000], vec![7; 900_000]);
        let wanted = EqualWords { count: 900_000, exact: true };
        assert_eq!(equal_words(&left, &right, 0), Some(wanted));
    }

    #[test]
    fn the_least_is_exact_at_the_share() {
        for left in 1..40usize {
            for right in 1..40usize {
                for share in [0.5, 0.8, 0.9, 1.0] {
                    let enough = |s: usize| 2.0 * s as f64 / (left + right) as f64 >= share;
                    let slow = (0..=left.max(right)).find(|&s| enough(s));
                    assert_eq!(slow, Some(least_equal(left, right, share)), "{left} {right}");
                }
            }
        }
    }
}
