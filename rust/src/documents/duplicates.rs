//! *Document*: a page as the sequence of its shingle paragraphs. Two documents are *the same* if they
//! have the same number of paragraphs and each is found in the other (Pereira 2006, Definition 2).
//!
//! Taken strictly, as multisets, a paragraph must be found as often in the one as in the other. The
//! paper's algorithm looks each paragraph of one document up in the other and counts no repeats, which
//! makes *false matches*: e d e d matches e d f g. Of two documents that match so and are not equal as
//! multisets, the one whose paragraphs are all found has some twice: had it none, the other, being of
//! the same length, would have no room for more. So only documents with repeats are looked for, each
//! among the documents of its length that have its rarest paragraph.

use rayon::prelude::*;

use crate::fingerprints::digest::sequence_digest;
use crate::fingerprints::mixing::mix;
use crate::groups::clusters::{Forest, Keyed};
use crate::interrupts::heed;

/// Paragraphs of a document in which it is quicker to look through all than to sort them.
const SHORT: usize = 64;

/// Documents one after the other: where the paragraphs of each start and end among all values. Several
/// may have the same place.
#[derive(Clone, Copy, Debug)]
pub struct Documents<'a> {
    values: &'a [u64],
    starts: &'a [i64],
    ends: &'a [i64],
}

impl<'a> Documents<'a> {
    /// None if some place is not among the values.
    pub fn new(values: &'a [u64], starts: &'a [i64], ends: &'a [i64]) -> Option<Documents<'a>> {
        let total = values.len() as i64;
        let within = |(&start, &end): (&i64, &i64)| 0 <= start && start <= end && end <= total;
        let all = starts.len() == ends.len() && starts.iter().zip(ends).all(within);
        all.then_some(Documents { values, starts, ends })
    }

    pub fn len(&self) -> usize {
        self.starts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The paragraphs of a document, in order.
    pub fn paragraphs(&self, document: u32) -> &'a [u64] {
        let document = document as usize;
        &self.values[self.starts[document] as usize..self.ends[document] as usize]
    }

    /// The same sorted.
    pub fn multiset(&self, document: u32) -> Vec<u64> {
        let mut sorted = self.paragraphs(document).to_vec();
        sorted.sort_unstable();
        sorted
    }

    /// Unites documents that are equal as multisets; a document without paragraphs equals none.
    pub fn unite_equal(&self, forest: &Forest) {
        let key = |document: u32| digest(&self.multiset(document));
        self.unite_by(forest, key, |left, right| self.are_equal(left, right));
    }

    /// Unites documents that have the same paragraphs in the same order, which is less.
    pub fn unite_identical(&self, forest: &Forest) {
        let same = |left, right| self.paragraphs(left) == self.paragraphs(right);
        self.unite_by(forest, |document| digest(self.paragraphs(document)), same);
    }

    /// Unites documents of one key that are the same.
    fn unite_by(
        &self,
        forest: &Forest,
        key: impl Fn(u32) -> [u64; 2] + Sync,
        same: impl Fn(u32, u32) -> bool + Sync,
    ) {
        let mut keyed: Vec<Keyed> = (0..self.len() as u32)
            .into_par_iter()
            .filter(|&document| !self.paragraphs(document).is_empty())
            .map(|document| Keyed { key: key(document), page: document })
            .collect();
        keyed.par_sort_unstable();
        let groups: Vec<&[Keyed]> = keyed.chunk_by(|a, b| a.key == b.key).collect();
        groups.into_par_iter().filter(|group| group.len() > 1).for_each(|group| {
            heed();
            let mut left: Vec<u32> = group.iter().map(|each| each.page).collect();
            // Once, unless digests are equal by accident.
            while let [first, others @ ..] = &*left {
                let (alike, other): (Vec<u32>, Vec<u32>) =
                    others.iter().partition(|&&document| same(*first, document));
                alike.iter().for_each(|&document| forest.unite(*first, document));
                left = other;
            }
        });
    }

    pub fn are_equal(&self, left: u32, right: u32) -> bool {
        let (left_ones, right_ones) = (self.paragraphs(left), self.paragraphs(right));
        left_ones == right_ones
            || left_ones.len() == right_ones.len() && self.multiset(left) == self.multiset(right)
    }

    /// Unites, among documents that stand for all that equal them, so many each (none else has a
    /// `count`), those that the paper's match holds together; gives the number of pairs of documents
    /// that match without being equal.
    pub fn unite_matching(&self, counts: &[u32], forest: &Forest) -> u64 {
        let standing: Vec<u32> =
            (0..self.len() as u32).filter(|&each| counts[each as usize] > 0).collect();
        let repeated: Vec<u32> = standing
            .par_iter()
            .copied()
            .filter(|&document| self.multiset(document).windows(2).any(|two| two[0] == two[1]))
            .collect();
        let mut lengths: Vec<usize> =
            repeated.iter().map(|&document| self.paragraphs(document).len()).collect();
        lengths.sort_unstable();
        lengths.dedup();
        let mut found: Vec<(u64, u32)> = standing
            .par_iter()
            .filter(|&&document| lengths.binary_search(&self.paragraphs(document).len()).is_ok())
            .flat_map_iter(|&document| {
                let set = distinct(self.multiset(document));
                let length = self.paragraphs(document).len();
                set.into_iter().map(move |value| (key(value, length), document))
            })
            .collect();
        found.par_sort_unstable();
        repeated
            .par_iter()
            .inspect(|_| heed())
            .map(|&document| self.unite_containing(document, &found, counts, forest))
            .sum()
    }

    /// Unites a document with those of its length in which all its paragraphs are found.
    fn unite_containing(
        &self,
        document: u32,
        found: &[(u64, u32)],
        counts: &[u32],
        forest: &Forest,
    ) -> u64 {
        let length = self.paragraphs(document).len();
        let set = distinct(self.multiset(document));
        let with = |value: &u64| {
            let key = key(*value, length);
            let start = found.partition_point(|each| each.0 < key);
            let count = found[start..].partition_point(|each| each.0 == key);
            &found[start..start + count]
        };
        let Some(rarest) = set.iter().map(with).min_by_key(|with| with.len()) else { return 0 };
        let mut pairs = 0;
        for &(_, other) in rarest {
            if other == document || self.paragraphs(other).len() != length {
                continue;
            }
            // Most lack one of the first: no need to sort them for that, unless they are long.
            let unsorted = self.paragraphs(other);
            let looked_at = if length <= SHORT { set.len() } else { 1 };
            if !set[..looked_at].iter().all(|value| unsorted.contains(value)) {
                continue;
            }
            let others = distinct(self.multiset(other));
            if !set[looked_at..].iter().all(|value| others.binary_search(value).is_ok()) {
                continue;
            }
            forest.unite(document, other);
            // Found from both sides if both have the same paragraphs.
            if others.len() > set.len() || document < other {
                pairs += u64::from(counts[document as usize]) * u64::from(counts[other as usize]);
            }
        }
        pairs
    }
}

pub(crate) fn key(value: u64, length: usize) -> u64 {
    value ^ mix(length as u64)
}

pub(crate) fn distinct(mut sorted: Vec<u64>) -> Vec<u64> {
    sorted.dedup();
    sorted
}

pub(crate) fn digest(values: &[u64]) -> [u64; 2] {
    let digest = u128::from_be_bytes(sequence_digest(values));
    [(digest >> 64) as u64, digest as u64]
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Documents whose paragraphs are letters.
    pub(crate) struct Letters {
        values: Vec<u64>,
        starts: Vec<i64>,
        ends: Vec<i64>,
    }

    impl Letters {
        pub(crate) fn new(documents: &[&str]) -> Letters {
            let values = documents.concat().bytes().map(u64::from).collect();
            let ends: Vec<i64> = documents
                .iter()
                .scan(0, |end, text| {
                    *end += text.len() as i64;
                    Some(*end)
                })
                .collect();
            let starts = ends.iter().zip(documents).map(|(e, t)| e - t.len() as i64).collect();
            Letters { values, starts, ends }
        }

        pub(crate) fn documents(&self) -> Documents<'_> {
            Documents::new(&self.values, &self.starts, &self.ends).unwrap()
        }
    }

    /// Forty documents of one to four letters of six.
    pub(crate) fn drawn(seed: u64) -> Vec<String> {
        (0..40u64)
            .map(|document| {
                let draw = |place: u64| mix(mix(seed * 1000 + document) + place);
                let length = 1 + draw(99) % 4;
                (0..length).map(|i| (b'a' + (draw(i) % 6) as u8) as char).collect()
            })
            .collect()
    }

    /// The clusters of documents whose paragraphs are letters, and the false matches.
    pub(crate) fn clusters(documents: &[&str], paper: bool) -> (Vec<u32>, u64) {
        let letters = Letters::new(documents);
        let all = letters.documents();
        let forest = Forest::new(documents.len() as u32);
        all.unite_equal(&forest);
        let (names, sizes) = forest.clusters();
        if !paper {
            return (names, 0);
        }
        let standing = |document: usize| names[document] == document as u32;
        let counts: Vec<u32> = (0..documents.len())
            .map(|each| if standing(each) && !documents[each].is_empty() { sizes[each] } else { 0 })
            .collect();
        let pairs = all.unite_matching(&counts, &forest);
        (forest.clusters().0, pairs)
    }

    #[test]
    fn documents_with_the_same_paragraphs_in_any_order_are_one_cluster() {
        let documents = ["abcd", "efgh", "dcba", "aabb", "abab", "abbb", "", ""];
        assert_eq!(clusters(&documents, false).0, [0, 1, 0, 3, 3, 5, 6, 7]);
    }

    #[test]
    fn documents_with_the_same_paragraphs_in_the_same_order_are_identical() {
        let letters = Letters::new(&["abcd", "dcba", "abcd", "", "", "ab"]);
        let forest = Forest::new(6);
        letters.documents().unite_identical(&forest);
        assert_eq!(forest.clusters().0, [0, 1, 0, 3, 4, 5]);
    }

    #[test]
    fn the_papers_match_lets_repeats_count_once() {
        // The paper's example: 2 is e d f g, 3 becomes e d e d.
        let documents = ["abcd", "edfg", "eded", "ijkl"];
        assert_eq!(clusters(&documents, true), (vec![0, 1, 1, 3], 1));
        // Of copies each makes a pair; aab and abb have the same paragraphs, each found once.
        let documents = ["edfg", "eded", "eded", "edfg", "aab", "abb", "abc", "aaa", "ab"];
        let (names, pairs) = clusters(&documents, true);
        assert_eq!(names, [0, 0, 0, 0, 4, 4, 4, 4, 8]);
        // 4 of the first; aab abb, aab abc, abb abc, aaa aab, aaa abb, aaa abc.
        assert_eq!(pairs, 4 + 6);
    }

    #[test]
    fn the_papers_match_equals_brute_force() {
        for seed in 0..60u64 {
            let documents = drawn(seed);
            let texts: Vec<&str> = documents.iter().map(|text| &**text).collect();
            let forest = Forest::new(texts.len() as u32);
            let mut pairs = 0;
            for (i, left) in texts.iter().enumerate() {
                for (j, right) in texts.iter().enumerate().skip(i + 1) {
                    let found = |a: &str, b: &str| a.chars().all(|letter| b.contains(letter));
                    let matches =
                        left.len() == right.len() && (found(left, right) || found(right, left));
                    if matches {
                        forest.unite(i as u32, j as u32);
                        let sorted = |text: &str| {
                            let mut letters: Vec<char> = text.chars().collect();
                            letters.sort_unstable();
                            letters
                        };
                        pairs += u64::from(sorted(left) != sorted(right));
                    }
                }
            }
            assert_eq!(clusters(&texts, true), (forest.clusters().0, pairs), "{texts:?}");
        }
    }
}
