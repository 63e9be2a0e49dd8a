//! Paragraphs that documents of an old collection share with those of a new one (Baeza-Yates 2007,
//! sections 4.1 and 5.1): the paragraphs of the old documents are put into a table, in which those of
//! each new document are looked up. Paragraphs count once a document, however often they stand in it.
//!
//! A paragraph on very many pages would make that quadratic. So paragraphs that stand in more than some
//! of the old documents are *left out* of the table: through them no pair is found. A pair that is
//! found through another is counted with all that it shares; what is missed are pairs that share
//! nothing but paragraphs that are left out.

use rayon::prelude::*;

use super::duplicates::Documents;
use crate::interrupts::heed;
use crate::sketches::paragraphs::SENTENCES;

/// Paragraphs of old documents, and which have them.
pub struct Index {
    /// Ascending, one for each document that has it, in their order.
    values: Vec<u64>,
    holders: Vec<u32>,
    /// Where the values begin of each of their first bits.
    buckets: Vec<usize>,
    shift: u32,
    /// Paragraphs that too many documents have, ascending, and how many of them each document has.
    left_out: Vec<u64>,
    left_out_of: Vec<u32>,
}

/// Values that are expected in a bucket.
const BUCKET: usize = 8;

impl Index {
    /// Of all paragraphs of documents but those that more than so `many` have.
    pub fn new(old: &Documents<'_>, most: usize) -> Index {
        let mut entries: Vec<(u64, u32)> = (0..old.len() as u32)
            .into_par_iter()
            .flat_map_iter(|document| {
                let mut own = old.multiset(document);
                own.dedup();
                own.into_iter().map(move |value| (value, document))
            })
            .collect();
        entries.par_sort_unstable();
        let (mut left_out, mut left_out_of) = (Vec::new(), vec![0u32; old.len()]);
        let (mut values, mut holders) = (Vec::new(), Vec::new());
        values.reserve_exact(entries.len());
        holders.reserve_exact(entries.len());
        for group in entries.chunk_by(|a, b| a.0 == b.0) {
            if group.len() > most {
                left_out.push(group[0].0);
                group.iter().for_each(|each| left_out_of[each.1 as usize] += 1);
            } else {
                values.extend(group.iter().map(|each| each.0));
                holders.extend(group.iter().map(|each| each.1));
            }
        }
        drop(entries);
        let bits = (values.len() / BUCKET).max(2).ilog2();
        let shift = 64 - bits;
        let mut buckets = Vec::with_capacity((1 << bits) + 1);
        let mut at = 0;
        for bucket in 0..1u64 << bits {
            buckets.push(at);
            at += values[at..].iter().take_while(|&&value| value >> shift == bucket).count();
        }
        buckets.push(at);
        Index { values, holders, buckets, shift, left_out, left_out_of }
    }

    /// The documents that have a paragraph, unless it is left out.
    fn holders(&self, value: u64) -> &[u32] {
        let bucket = (value >> self.shift) as usize;
        let (start, end) = (self.buckets[bucket], self.buckets[bucket + 1]);
        let here = &self.values[start..end];
        let first = here.partition_point(|&each| each < value);
        let count = here[first..].iter().take_while(|&&each| each == value).count();
        &self.holders[start + first..start + first + count]
    }

    /// Paragraphs that are left out.
    pub fn left_out(&self) -> &[u64] {
        &self.left_out
    }

    /// How many paragraphs are left out of each document.
    pub fn left_out_of(&self) -> &[u32] {
        &self.left_out_of
    }
}

/// A new document that is looked up. Its `own` old document is of the same address: it is no parent
/// by itself, unless `others` have the same text.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    pub document: u32,
    pub own: Option<u32>,
    pub others: bool,
}

/// An old document that shares enough paragraphs: how many different ones, and how many characters
/// of the new document stand in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    pub old: u32,
    pub shared: u32,
    pub chars: u64,
}

/// What is found of a new document.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// In the order of the old documents, its own among them.
    pub links: Vec<Link>,
    /// The paragraphs that it shares with its own, however few.
    pub own_shared: u32,
    /// Different paragraphs of it that are left out of the table.
    pub left_out: u32,
    /// The characters of its sentences; those that stand in paragraphs of its own old document too;
    /// and of the others those that stand in paragraphs of its parents.
    pub chars: u64,
    pub kept: u64,
    pub reused: u64,
}

/// How often old documents were met; used again from document to document.
#[derive(Default)]
pub struct Counter {
    counts: Vec<u32>,
    met: Vec<u32>,
}

/// A new document with its different paragraphs, ascending, each with where it stands.
struct Subject<'a> {
    places: Vec<(u64, u32)>,
    /// Where the places of each different paragraph begin.
    firsts: Vec<u32>,
    lengths: &'a [u64],
}

/// Marks on the sentences of a document.
const KEPT: u8 = 1;
const REUSED: u8 = 2;
const HERE: u8 = 4;

impl<'a> Subject<'a> {
    fn new(paragraphs: &[u64], lengths: &'a [u64]) -> Subject<'a> {
        let mut places: Vec<(u64, u32)> = paragraphs.iter().copied().zip(0..).collect();
        places.sort_unstable();
        let mut firsts: Vec<u32> = Vec::with_capacity(places.len());
        for (at, place) in places.iter().enumerate() {
            if at == 0 || places[at - 1].0 != place.0 {
                firsts.push(at as u32);
            }
        }
        Subject { places, firsts, lengths }
    }

    fn values(&self) -> impl Iterator<Item = u64> {
        self.firsts.iter().map(|&at| self.places[at as usize].0)
    }

    /// Which of the different paragraphs this is, if it has it.
    fn find(&self, value: u64) -> Option<usize> {
        let at = self.firsts.partition_point(|&at| self.places[at as usize].0 < value);
        let place = self.places.get(*self.firsts.get(at)? as usize)?;
        (place.0 == value).then_some(at)
    }

    /// How many different paragraphs it shares with an old document; sentences of those are marked.
    fn mark(&self, old: &[u64], mark: u8, marks: &mut [u8]) -> u32 {
        let mut known = vec![false; self.firsts.len()];
        let mut shared = 0;
        for &value in old {
            let Some(at) = self.find(value).filter(|&at| !known[at]) else { continue };
            known[at] = true;
            shared += 1;
            let start = self.firsts[at] as usize;
            let alike = self.places[start..].iter().take_while(|place| place.0 == value);
            for &(_, place) in alike {
                let start = (place as usize).min(marks.len());
                let end = (start + SENTENCES).min(marks.len());
                marks[start..end].iter_mut().for_each(|each| *each |= mark);
            }
        }
        shared
    }

    /// The characters of sentences with marks that `are` so.
    fn chars(&self, marks: &[u8], are: impl Fn(u8) -> bool) -> u64 {
        self.lengths.iter().zip(marks).filter(|(_, mark)| are(**mark)).map(|(chars, _)| chars).sum()
    }
}

/// How many different paragraphs a new document shares with an old one, and how many characters of
/// it stand in them.
pub fn shared(new: &[u64], lengths: &[u64], old: &[u64]) -> (u32, u64) {
    let subject = Subject::new(new, lengths);
    let mut marks = vec![0; lengths.len()];
    let shared = subject.mark(old, HERE, &mut marks);
    (shared, subject.chars(&marks, |mark| mark == HERE))
}

impl Index {
    /// Looks a new document up: `old` are those of the index, `lengths` the characters of the sentences
    /// of the new ones.
    pub fn look_up(
        &self,
        old: &Documents<'_>,
        new: &Documents<'_>,
        lengths: &Documents<'_>,
        wanted: Wanted,
        least: u32,
        counter: &mut Counter,
    ) -> Found {
        heed();
        let subject =
            Subject::new(new.paragraphs(wanted.document), lengths.paragraphs(wanted.document));
        let mut marks = vec![0; subject.lengths.len()];
        let mut found = Found { chars: subject.lengths.iter().sum(), ..Found::default() };
        if let Some(own) = wanted.own {
            found.own_shared = subject.mark(old.paragraphs(own), KEPT, &mut marks);
        }
        counter.counts.resize(old.len(), 0);
        for value in subject.values() {
            if self.left_out.binary_search(&value).is_ok() {
                found.left_out += 1;
                continue;
            }
            for &holder in self.holders(value) {
                let count = &mut counter.counts[holder as usize];
                if *count == 0 {
                    counter.met.push(holder);
                }
                *count += 1;
            }
        }
        let mut near = std::mem::take(&mut counter.met);
        near.retain(|&holder| {
            let count = std::mem::take(&mut counter.counts[holder as usize]);
            count + found.left_out.min(self.left_out_of[holder as usize]) >= least
        });
        near.extend(wanted.own.filter(|_| found.own_shared >= least));
        near.sort_unstable();
        near.dedup();
        for &document in &near {
            marks.iter_mut().for_each(|mark| *mark &= !HERE);
            let shared = subject.mark(old.paragraphs(document), HERE, &mut marks);
            if shared < least {
                continue;
            }
            let chars = subject.chars(&marks, |mark| mark & HERE > 0);
            found.links.push(Link { old: document, shared, chars });
            if wanted.own != Some(document) || wanted.others {
                let reused = marks.iter_mut().filter(|mark| **mark & HERE > 0);
                reused.for_each(|mark| *mark |= REUSED);
            }
        }
        near.clear();
        counter.met = near;
        found.kept = subject.chars(&marks, |mark| mark & KEPT > 0);
        found.reused = subject.chars(&marks, |mark| mark & (KEPT | REUSED) == REUSED);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::duplicates::tests::{Letters, drawn};
    use super::*;

    /// As many sentences as there are paragraphs, and two more, each of ten times its place.
    struct Lengths {
        values: Vec<u64>,
        starts: Vec<i64>,
        ends: Vec<i64>,
    }

    impl Lengths {
        fn of(documents: &[&str]) -> Lengths {
            let (mut values, mut starts, mut ends) = (vec![], vec![], vec![]);
            for text in documents {
                starts.push(values.len() as i64);
                values.extend((0..text.len() as u64 + 2).map(|at| 10 * (at + 1)));
                ends.push(values.len() as i64);
            }
            Lengths { values, starts, ends }
        }

        fn documents(&self) -> Documents<'_> {
            Documents::new(&self.values, &self.starts, &self.ends).unwrap()
        }
    }

    fn found(
        old: &[&str],
        new: &[&str],
        owns: &[Option<u32>],
        least: u32,
        most: usize,
    ) -> Vec<Found> {
        let (old, lengths, new) = (Letters::new(old), Lengths::of(new), Letters::new(new));
        let (old, new, lengths) = (old.documents(), new.documents(), lengths.documents());
        let index = Index::new(&old, most);
        let mut counter = Counter::default();
        (0..)
            .zip(owns)
            .map(|(document, &own)| {
                let wanted = Wanted { document, own, others: false };
                index.look_up(&old, &new, &lengths, wanted, least, &mut counter)
            })
            .collect()
    }

    #[test]
    fn shared_paragraphs_are_counted_once_and_their_sentences_marked() {
        // b c stand at places 1 and 2 of the new one: sentences 2 to 5 of six.
        let of = found(&["abc", "xbcb", "yyy"], &["zbcq"], &[None], 2, 9);
        let chars = 20 + 30 + 40 + 50;
        let links = vec![Link { old: 0, shared: 2, chars }, Link { old: 1, shared: 2, chars }];
        let expected = Found { links, chars: 210, reused: chars, ..Found::default() };
        assert_eq!(of, [expected]);
    }

    #[test]
    fn what_its_own_has_is_kept_and_only_the_rest_reused() {
        // Its own has z at place 0: sentences 1 to 3; the other has c at place 2: 3 to 5.
        let of = found(&["zzz", "c"], &["zbcq"], &[Some(0)], 1, 9);
        assert_eq!((of[0].own_shared, of[0].kept, of[0].reused), (1, 10 + 20 + 30, 40 + 50));
        assert_eq!(of[0].links.len(), 2);
        let fewer = found(&["zzz", "c"], &["zbcq"], &[Some(0)], 2, 9);
        assert_eq!((fewer[0].own_shared, fewer[0].kept, fewer[0].reused), (1, 60, 0));
        assert!(fewer[0].links.is_empty());
    }

    #[test]
    fn a_pair_that_shares_nothing_but_what_is_left_out_is_missed() {
        // a and b stand in three old documents, c in one.
        let old = ["ab", "abc", "abd"];
        let of = found(&old, &["ab", "abc", "bc"], &[None, None, Some(0)], 1, 2);
        assert_eq!((of[0].links.len(), of[0].left_out), (0, 2));
        // Found through c, counted with all.
        assert_eq!(
            of[1].links.iter().map(|link| (link.old, link.shared)).collect::<Vec<_>>(),
            [(1, 3)]
        );
        // Its own is always looked at.
        assert_eq!(
            of[2].links.iter().map(|link| (link.old, link.shared)).collect::<Vec<_>>(),
            [(0, 1), (1, 2)]
        );
    }

    #[test]
    fn all_pairs_are_those_of_brute_force() {
        for seed in 0..40 {
            let (old, new) = (drawn(seed), drawn(seed + 1000));
            let old: Vec<&str> = old.iter().map(|text| &**text).collect();
            let new: Vec<&str> = new.iter().map(|text| &**text).collect();
            for least in 1..4 {
                let all = found(&old, &new, &vec![None; new.len()], least, usize::MAX);
                for (text, found) in new.iter().zip(all) {
                    let links: Vec<(u32, u32)> =
                        found.links.iter().map(|link| (link.old, link.shared)).collect();
                    let mut expected = Vec::new();
                    for (place, other) in (0..).zip(&old) {
                        let mut letters: Vec<char> =
                            text.chars().filter(|&letter| other.contains(letter)).collect();
                        letters.sort_unstable();
                        letters.dedup();
                        if letters.len() as u32 >= least {
                            expected.push((place, letters.len() as u32));
                        }
                    }
                    assert_eq!(links, expected, "{text} in {old:?}");
                }
            }
        }
    }
}
