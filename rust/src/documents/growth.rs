//! *Growth*: clusters found step by step (Pereira 2006, section 3). The collection is cut into parts. In
//! each step the documents of a part go into a hash table, all documents that are left, those of the
//! part too, are looked up in it and united with what they match, and the part leaves the collection.
//!
//! A document stands in the table under the digest of its sorted paragraphs, which is found at once
//! where the paragraphs one by one, which many documents have, are not; what is found is then
//! compared by its paragraphs. For the paper's match (see `duplicates`) paragraphs with their
//! documents stand in a second table: there a document with repeats looks for those of the part in
//! which all its paragraphs are found. And one of the part that has repeats stands under one of its
//! paragraphs in a third table, where the documents that are left find it under any of theirs.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use rayon::prelude::*;

use super::duplicates::{Documents, digest, distinct, key};
use crate::groups::clusters::Forest;
use crate::interrupts::heed;

#[derive(Debug)]
pub struct Growth<'a> {
    documents: Documents<'a>,
    digests: Vec<[u64; 2]>,
    /// Whether a document has a paragraph twice; of no interest but for the paper's match.
    repeated: Vec<bool>,
    forest: Forest,
}

/// Documents of a part that differ, by what others find them under.
#[derive(Debug, Default)]
struct Tables {
    equal: HashMap<[u64; 2], u32>,
    /// Those whose digest another one has by accident.
    accidents: Vec<u32>,
    containing: HashMap<u64, Vec<u32>>,
    contained: HashMap<u64, Vec<u32>>,
}

impl<'a> Growth<'a> {
    pub fn new(documents: Documents<'a>, paper: bool) -> Growth<'a> {
        let (digests, repeated) = (0..documents.len() as u32)
            .into_par_iter()
            .map(|document| {
                let sorted = documents.multiset(document);
                (digest(&sorted), paper && sorted.windows(2).any(|two| two[0] == two[1]))
            })
            .unzip();
        Growth { documents, digests, repeated, forest: Forest::new(documents.len() as u32) }
    }

    /// One step: of the documents that are left the first so many are the part.
    pub fn step(&self, left: &[u32], part: usize) {
        let tables = self.tables(&left[..part.min(left.len())], left);
        left.par_iter().inspect(|_| heed()).for_each(|&document| self.look_up(document, &tables));
    }

    pub fn forest(&self) -> &Forest {
        &self.forest
    }

    /// How many clusters there are of each size from 2 on.
    pub fn sizes(&self) -> Vec<(u32, u32)> {
        let (names, sizes) = self.forest.clusters();
        let mut found: Vec<u32> = (0..names.len())
            .filter(|&document| names[document] == document as u32 && sizes[document] > 1)
            .map(|document| sizes[document])
            .collect();
        found.sort_unstable();
        found.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).collect()
    }

    fn tables(&self, part: &[u32], left: &[u32]) -> Tables {
        let equal = HashMap::with_capacity(part.len());
        let mut tables = Tables { equal, ..Tables::default() };
        let looked_for = left.iter().any(|&document| self.repeated[document as usize]);
        for &document in part {
            let paragraphs = self.documents.paragraphs(document);
            if paragraphs.is_empty() {
                continue;
            }
            match tables.equal.entry(self.digests[document as usize]) {
                Entry::Vacant(place) => {
                    place.insert(document);
                }
                // It will find that one as all others do.
                Entry::Occupied(there) if self.documents.are_equal(document, *there.get()) => {
                    continue;
                }
                Entry::Occupied(_) => tables.accidents.push(document),
            }
            if !looked_for {
                continue;
            }
            for value in distinct(self.documents.multiset(document)) {
                let key = key(value, paragraphs.len());
                tables.containing.entry(key).or_default().push(document);
            }
            if self.repeated[document as usize] {
                let key = key(paragraphs[0], paragraphs.len());
                tables.contained.entry(key).or_default().push(document);
            }
        }
        tables
    }

    fn look_up(&self, document: u32, tables: &Tables) {
        let paragraphs = self.documents.paragraphs(document);
        let equal = tables.equal.get(&self.digests[document as usize]);
        let same = |other: &&u32| self.documents.are_equal(document, **other);
        for &other in equal.into_iter().chain(&tables.accidents).filter(same) {
            self.forest.unite(document, other);
        }
        if tables.contained.is_empty() && !self.repeated[document as usize] {
            return;
        }
        let set = distinct(self.documents.multiset(document));
        let keys = set.iter().map(|&value| key(value, paragraphs.len()));
        for key in keys.clone() {
            for &other in tables.contained.get(&key).into_iter().flatten() {
                self.unite_if_found(other, document);
            }
        }
        if self.repeated[document as usize] {
            // All paragraphs must be there, so those that have the rarest are enough.
            let found: Option<Vec<_>> = keys.map(|key| tables.containing.get(&key)).collect();
            let rarest = found.into_iter().flatten().min_by_key(|there| there.len());
            for &other in rarest.into_iter().flatten() {
                self.unite_if_found(document, other);
            }
        }
    }

    /// Unites two documents if they have the same number of paragraphs and all of the one are found in
    /// the other.
    fn unite_if_found(&self, one: u32, other: u32) {
        if self.documents.paragraphs(one).len() != self.documents.paragraphs(other).len() {
            return;
        }
        let others = self.documents.multiset(other);
        let found = |value: &u64| others.binary_search(value).is_ok();
        if self.documents.paragraphs(one).iter().all(found) {
            self.forest.unite(one, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::duplicates::tests::{Letters, clusters, drawn};

    /// The clusters after each of so many steps over documents whose paragraphs are letters.
    fn grown(documents: &[&str], steps: usize, paper: bool) -> Vec<Vec<u32>> {
        let letters = Letters::new(documents);
        let growth = Growth::new(letters.documents(), paper);
        let order: Vec<u32> = (0..documents.len() as u32).collect();
        let ends: Vec<usize> = (0..=steps).map(|step| step * order.len() / steps).collect();
        ends.windows(2)
            .map(|part| {
                growth.step(&order[part[0]..], part[1] - part[0]);
                growth.forest().clusters().0
            })
            .collect()
    }

    #[test]
    fn a_cluster_is_found_with_its_first_document() {
        let documents = ["abc", "xyz", "def", "cab", "def", "bca"];
        // Parts of two documents.
        let found = grown(&documents, 3, false);
        assert_eq!(found, [[0, 1, 2, 0, 4, 0], [0, 1, 2, 0, 2, 0], [0, 1, 2, 0, 2, 0]]);
        let letters = Letters::new(&documents);
        let growth = Growth::new(letters.documents(), false);
        assert_eq!(growth.sizes(), []);
        growth.step(&[0, 1, 2, 3, 4, 5], 6);
        assert_eq!(growth.sizes(), [(2, 1), (3, 1)]);
    }

    #[test]
    fn documents_without_paragraphs_are_alone() {
        assert_eq!(grown(&["", "a", "", "a"], 2, true), [[0, 1, 2, 1], [0, 1, 2, 1]]);
    }

    #[test]
    fn all_steps_end_with_the_same_clusters() {
        for seed in 0..60u64 {
            let documents = drawn(seed);
            let texts: Vec<&str> = documents.iter().map(|text| &**text).collect();
            for paper in [false, true] {
                let all = clusters(&texts, paper).0;
                for steps in [1, 2, 10, 40, 50] {
                    assert_eq!(grown(&texts, steps, paper).last(), Some(&all), "{steps} {texts:?}");
                }
            }
        }
    }
}
