//! Candidate pairs for a wanted resemblance: pages that agree in a whole *band*, some adjacent
//! features (a supershingle of another width, picked for that resemblance), and the verification of
//! candidates by the resemblance of their shingle sets.

use std::ops::Range;

use rayon::prelude::*;

use crate::clusters::Forest;
use crate::mixing::sequence;
use crate::overlap::{least_shared, shared};

/// No group: the page's band agrees with nobody's.
const ALONE: u32 = u32::MAX;

/// The bands of all pages, and once closed the groups of pages that agree in one. The pages can be
/// gone through several times, for some bands each, so that not all need be held at once.
#[derive(Debug)]
pub struct Bands {
    width: usize,
    /// The bands of this round, and the pages seen in it.
    round: Range<usize>,
    keys: Vec<Vec<u64>>,
    pages: Vec<u32>,
    grouped: Vec<Rows>,
}

/// Rows that agree in one band: group after group, and where each ends.
#[derive(Debug)]
struct Rows {
    rows: Vec<u32>,
    ends: Vec<u32>,
}

/// Pages that agree with another in at least one band: the *members*, by ascending page number.
#[derive(Debug)]
pub struct Candidates {
    members: Vec<u32>,
    bands: Vec<Band>,
}

#[derive(Debug)]
struct Band {
    /// Places in `members`, group after group, ascending in each.
    grouped: Vec<u32>,
    ends: Vec<u32>,
    /// The group of each member, or `ALONE`.
    group: Vec<u32>,
}

/// A verified pair of pages and what was counted for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    pub left: u32,
    pub right: u32,
    pub shared: u64,
    pub left_size: u64,
    pub right_size: u64,
}

/// What candidates are verified by, for each member.
#[derive(Clone, Copy)]
pub enum Evidence<'a> {
    /// The ascending sets of distinct shingles; set i is `values[starts[i]..ends[i]]`.
    Shingles { values: &'a [u64], starts: &'a [i64], ends: &'a [i64] },
    /// The m features of each: an estimate.
    Features { values: &'a [u64], m: usize },
}

impl Evidence<'_> {
    fn compare(
        &self,
        left: usize,
        right: usize,
        resemblance: f64,
    ) -> Option<(usize, usize, usize)> {
        match *self {
            Evidence::Shingles { values, starts, ends } => {
                let set = |i: usize| &values[starts[i] as usize..ends[i] as usize];
                let (left, right) = (set(left), set(right));
                let least = least_shared(left.len(), right.len(), resemblance);
                Some((shared(left, right, least)?, left.len(), right.len()))
            }
            Evidence::Features { values, m } => {
                let (left, right) = (&values[left * m..][..m], &values[right * m..][..m]);
                let equal = left.iter().zip(right).filter(|(l, r)| l == r).count();
                let enough = equal as f64 >= resemblance * m as f64 - 1e-9;
                // As if the two had m shingles in all: then equal / m is the resemblance.
                enough.then_some((equal, (m + equal) / 2, (m + equal).div_ceil(2)))
            }
        }
    }
}

impl Bands {
    pub fn new(width: usize) -> Bands {
        Bands { width, round: 0..0, keys: Vec::new(), pages: Vec::new(), grouped: Vec::new() }
    }

    /// Begins a round for the next `bands` bands; all pages are added once more.
    pub fn begin(&mut self, bands: usize) {
        self.group();
        self.round = self.round.end..self.round.end + bands;
        self.keys = vec![Vec::new(); bands];
        self.pages.clear();
    }

    /// Takes in pages, in ascending order, with their m features each.
    pub fn add(&mut self, pages: &[u32], features: &[u64], m: usize) {
        self.pages.extend_from_slice(pages);
        let width = self.width;
        for (band, keys) in self.round.clone().zip(&mut self.keys) {
            keys.extend(
                features.chunks_exact(m).map(|row| sequence(&row[band * width..][..width])),
            );
        }
    }

    /// Groups the pages by the bands of the round.
    fn group(&mut self) {
        for keys in self.keys.drain(..) {
            let mut keyed: Vec<(u64, u32)> = keys.into_iter().zip(0u32..).collect();
            keyed.par_sort_unstable();
            let (mut rows, mut ends) = (Vec::new(), Vec::new());
            for group in keyed.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
                rows.extend(group.iter().map(|&(_, row)| row));
                ends.push(rows.len() as u32);
            }
            self.grouped.push(Rows { rows, ends });
        }
    }

    /// The candidates of all rounds.
    pub fn close(mut self) -> Candidates {
        self.group();
        let mut is_member = vec![false; self.pages.len()];
        for row in self.grouped.iter().flat_map(|band| &band.rows) {
            is_member[*row as usize] = true;
        }
        let mut place = vec![0u32; self.pages.len()];
        let mut members = Vec::new();
        for (row, &page) in self.pages.iter().enumerate().filter(|&(row, _)| is_member[row]) {
            place[row] = members.len() as u32;
            members.push(page);
        }
        let bands = self.grouped.into_iter().map(|Rows { rows, ends }| {
            let grouped: Vec<u32> = rows.into_iter().map(|row| place[row as usize]).collect();
            let mut group = vec![ALONE; members.len()];
            let mut start = 0;
            for (number, &end) in ends.iter().enumerate() {
                for &member in &grouped[start..end as usize] {
                    group[member as usize] = number as u32;
                }
                start = end as usize;
            }
            Band { grouped, ends, group }
        });
        Candidates { bands: bands.collect(), members }
    }
}

impl Band {
    fn groups(&self) -> impl Iterator<Item = &[u32]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let group = &self.grouped[start..end as usize];
            start = end as usize;
            group
        })
    }

    fn agree(&self, left: u32, right: u32) -> bool {
        let group = self.group[left as usize];
        group != ALONE && group == self.group[right as usize]
    }
}

impl Candidates {
    pub fn members(&self) -> &[u32] {
        &self.members
    }

    pub fn bands(&self) -> usize {
        self.bands.len()
    }

    /// Every pair that agrees in this band and in none before it, and has the resemblance.
    pub fn pairs(&self, band: usize, evidence: Evidence<'_>, resemblance: f64) -> Vec<Pair> {
        let (before, rest) = self.bands.split_at(band);
        let groups: Vec<&[u32]> = rest[0].groups().collect();
        groups
            .par_iter()
            .flat_map_iter(|group| (1..group.len()).map(move |i| (group[i], &group[..i])))
            .flat_map_iter(|(right, lefts)| lefts.iter().map(move |&left| (left, right)))
            .filter(|&(left, right)| !before.iter().any(|band| band.agree(left, right)))
            .filter_map(|(left, right)| {
                let (shared, left_size, right_size) =
                    evidence.compare(left as usize, right as usize, resemblance)?;
                Some(Pair {
                    left: self.members[left as usize],
                    right: self.members[right as usize],
                    shared: shared as u64,
                    left_size: left_size as u64,
                    right_size: right_size as u64,
                })
            })
            .collect()
    }

    /// Unites all pages that a chain of candidate pairs of the resemblance joins: as many clusters
    /// as uniting all `pairs` gives, but a pair that is joined already is not compared.
    pub fn unite(&self, evidence: Evidence<'_>, resemblance: f64, forest: &mut Forest) {
        for (number, band) in self.bands.iter().enumerate() {
            let before = &self.bands[..number];
            for group in band.groups() {
                for i in 1..group.len() {
                    let right = group[i];
                    for &left in &group[..i] {
                        let pages = (self.members[left as usize], self.members[right as usize]);
                        if forest.root(pages.0) != forest.root(pages.1)
                            && !before.iter().any(|band| band.agree(left, right))
                            && evidence
                                .compare(left as usize, right as usize, resemblance)
                                .is_some()
                        {
                            forest.unite(pages.0, pages.1);
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Picker;
    use crate::mixing::mix;

    /// Pages of 60 shingles that share more or less with their neighbours.
    fn sets() -> Vec<Vec<u64>> {
        (0..80u64)
            .map(|page| {
                let start = page / 8 * 1000 + page % 8 * (page / 8);
                let mut set: Vec<u64> = (start..start + 60).map(mix).collect();
                set.sort_unstable();
                set
            })
            .collect()
    }

    #[test]
    fn pairs_and_clusters_are_those_of_brute_force() {
        let sets = sets();
        let picker = Picker::rounds(84);
        let mut features = vec![0; 84 * sets.len()];
        for (set, row) in sets.iter().zip(features.chunks_mut(84)) {
            picker.pick(set, row);
        }
        let pages: Vec<u32> = (0..sets.len() as u32).map(|page| page + 5).collect();
        // Bands of one feature: nothing of this resemblance is missed.
        let mut bands = Bands::new(1);
        for round in [80, 4] {
            bands.begin(round);
            bands.add(&pages[..30], &features[..30 * 84], 84);
            bands.add(&pages[30..], &features[30 * 84..], 84);
        }
        let candidates = bands.close();
        let members = candidates.members();
        let mut values = Vec::new();
        let mut offsets = vec![0i64];
        for &page in members {
            values.extend_from_slice(&sets[page as usize - 5]);
            offsets.push(values.len() as i64);
        }
        let (starts, ends) = (&offsets[..members.len()], &offsets[1..]);
        let evidence = Evidence::Shingles { values: &values, starts, ends };
        let mut found: Vec<Pair> = (0..candidates.bands())
            .flat_map(|band| candidates.pairs(band, evidence, 0.8))
            .collect();
        found.sort_unstable_by_key(|pair| (pair.left, pair.right));
        let mut forest = Forest::new(100);
        candidates.unite(evidence, 0.8, &mut forest);

        let mut expected = Vec::new();
        let mut slow = Forest::new(100);
        for right in 0..sets.len() {
            for left in 0..right {
                let both = sets[left].iter().filter(|s| sets[right].contains(s)).count();
                if both as f64 / (120 - both) as f64 >= 0.8 {
                    let (left, right) = (pages[left], pages[right]);
                    expected.push(Pair {
                        left,
                        right,
                        shared: both as u64,
                        left_size: 60,
                        right_size: 60,
                    });
                    slow.unite(left, right);
                }
            }
        }
        expected.sort_unstable_by_key(|pair| (pair.left, pair.right));
        assert!(expected.len() > 50);
        assert_eq!(found, expected);
        assert_eq!(forest.clusters(), slow.clusters());
    }
}
