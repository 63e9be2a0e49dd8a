//! Candidate pairs for a wanted resemblance: pages that agree in a whole *band*, some adjacent
//! features (a supershingle of another width, picked for that resemblance), and the verification of
//! candidates by the resemblance of their shingle sets.

use std::io;
use std::ops::Range;

use rayon::prelude::*;

use super::clusters::Forest;
use super::evidence::{Evidence, Measure};
use super::grouping;
use super::mapped_numbers::Numbers;
use crate::fingerprints::mixing::{mix, sequence};
use crate::interrupts::heed;

/// No group: the page's band agrees with nobody's.
pub(crate) const ALONE: u32 = u32::MAX;
/// Members of a group that are all compared with each other. Measured: to find a page's prefix takes as
/// long as to compare it with some fifty others.
const HOT: usize = 256;

/// The bands of all pages, and once closed the groups of pages that agree in one. The pages can be
/// gone through several times, for some bands each, so that not all need be held at once.
#[derive(Debug)]
pub struct Bands {
    width: usize,
    /// The bands of this round, and the pages seen in it.
    round: Range<usize>,
    /// For each band of the round the keys of all rows.
    keys: Vec<Vec<u64>>,
    pages: Vec<u32>,
    grouped: Vec<Rows>,
}

/// Rows that agree in one band: group after group, and where each ends.
#[derive(Debug)]
struct Rows {
    rows: Numbers,
    ends: Numbers,
}

impl Rows {
    fn of((rows, ends): (Vec<u32>, Vec<u32>)) -> io::Result<Rows> {
        Ok(Rows { rows: Numbers::of(rows)?, ends: Numbers::of(ends)? })
    }
}

/// Pages that agree with another in at least one band: the *members*, by ascending page number.
#[derive(Debug)]
pub struct Candidates {
    pub(crate) members: Vec<u32>,
    pub(crate) bands: Vec<Band>,
    /// Groups of more members than this are *hot*: see `hot_groups`.
    pub(crate) hot: usize,
}

#[derive(Debug)]
pub(crate) struct Band {
    /// Places in `members`, group after group, ascending in each.
    pub grouped: Numbers,
    pub ends: Numbers,
    /// The group of each member, or `ALONE`.
    pub group: Numbers,
}

/// A verified pair of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifiedPair {
    pub left: u32,
    pub right: u32,
    pub measure: Measure,
}

impl Bands {
    pub fn new(width: usize) -> Bands {
        Bands { width, round: 0..0, keys: Vec::new(), pages: Vec::new(), grouped: Vec::new() }
    }

    /// Begins a round for the next `bands` bands; all pages, of which there are about so many, are
    /// added once more.
    pub fn begin(&mut self, bands: usize, pages: usize) -> io::Result<()> {
        self.group()?;
        self.round = self.round.end..self.round.end + bands;
        self.keys = (0..bands).map(|_| Vec::with_capacity(pages)).collect();
        self.pages.clear();
        Ok(())
    }

    /// Takes in pages, in ascending order, with their m features each. With `partition`, a number for
    /// each page, only pages of the same number can agree.
    pub fn add(&mut self, pages: &[u32], features: &[u64], m: usize, partition: Option<&[u32]>) {
        self.pages.extend_from_slice(pages);
        let width = self.width;
        self.round.clone().into_par_iter().zip(&mut self.keys).for_each(|(band, keys)| {
            let from = keys.len();
            let rows = features.chunks_exact(m);
            keys.extend(rows.map(|row| sequence(&row[band * width..][..width])));
            for (key, &number) in keys[from..].iter_mut().zip(partition.unwrap_or_default()) {
                *key = mix(*key ^ mix(u64::from(number)));
            }
        });
    }

    /// Groups the pages by the bands of the round.
    fn group(&mut self) -> io::Result<()> {
        for keys in self.keys.drain(..) {
            let found = grouping::all(keys.len(), |row| keys[row]);
            drop(keys);
            self.grouped.push(Rows::of(found)?);
        }
        Ok(())
    }

    /// The candidates of all rounds.
    pub fn close(mut self) -> io::Result<Candidates> {
        self.group()?;
        // For each row first whether it is a member's, then which member's.
        let mut place = vec![0u32; self.pages.len()];
        for row in self.grouped.iter().flat_map(|band| band.rows.iter()) {
            place[*row as usize] = 1;
        }
        let mut members = Vec::new();
        for (place, page) in place.iter_mut().zip(self.pages.drain(..)) {
            if *place == 1 {
                *place = members.len() as u32;
                members.push(page);
            }
        }
        let bands = self.grouped.into_iter().map(|Rows { mut rows, ends }| {
            let mut group = Numbers::filled(members.len(), ALONE)?;
            let mut start = 0;
            for (number, &end) in ends.iter().enumerate() {
                for row in &mut rows[start..end as usize] {
                    *row = place[*row as usize];
                    group[*row as usize] = number as u32;
                }
                start = end as usize;
            }
            Ok(Band { grouped: rows, ends, group })
        });
        Ok(Candidates { bands: bands.collect::<io::Result<_>>()?, members, hot: HOT })
    }
}

impl Band {
    pub(crate) fn groups(&self) -> impl Iterator<Item = &[u32]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let group = &self.grouped[start..end as usize];
            start = end as usize;
            group
        })
    }

    /// Where a group begins and ends in `grouped`.
    pub(crate) fn range(&self, group: u32) -> Range<usize> {
        let start = group.checked_sub(1).map_or(0, |before| self.ends[before as usize] as usize);
        start..self.ends[group as usize] as usize
    }

    /// Whether two members agree in a group of at most so many.
    pub(crate) fn agree(&self, left: u32, right: u32, most: usize) -> bool {
        let group = self.group[left as usize];
        group != ALONE && group == self.group[right as usize] && self.range(group).len() <= most
    }
}

impl Candidates {
    /// The candidates among these pages (ascending): those that have the same key in a band. Keys
    /// are of a band and of a row, which is the place of a page.
    pub fn by_keys(
        pages: &[u32],
        bands: usize,
        key: impl Fn(usize, usize) -> u64 + Sync,
    ) -> io::Result<Candidates> {
        let mut all = Bands::new(1);
        all.pages = pages.to_vec();
        for band in 0..bands {
            all.grouped.push(Rows::of(grouping::all(pages.len(), |row| key(band, row)))?);
        }
        all.close()
    }

    pub fn members(&self) -> &[u32] {
        &self.members
    }

    pub fn bands(&self) -> usize {
        self.bands.len()
    }

    /// Every pair that agrees in this band and in none before it, and has the resemblance; where only
    /// groups count that are not hot.
    pub fn pairs(
        &self,
        band: usize,
        evidence: Evidence<'_>,
        resemblance: f64,
    ) -> Vec<VerifiedPair> {
        let (before, rest) = self.bands.split_at(band);
        let groups: Vec<&[u32]> =
            rest[0].groups().filter(|group| group.len() <= self.hot).collect();
        groups
            .par_iter()
            .inspect(|_| heed())
            .flat_map_iter(|group| (1..group.len()).map(move |i| (group[i], &group[..i])))
            .flat_map_iter(|(right, lefts)| lefts.iter().map(move |&left| (left, right)))
            .filter(|&(left, right)| !before.iter().any(|band| band.agree(left, right, self.hot)))
            .filter_map(|(left, right)| self.verified(left, right, evidence, resemblance))
            .collect()
    }

    /// The pair of two members, if they have the resemblance.
    pub(crate) fn verified(
        &self,
        left: u32,
        right: u32,
        evidence: Evidence<'_>,
        resemblance: f64,
    ) -> Option<VerifiedPair> {
        let measure = evidence.compare(left, right, resemblance)?;
        let page = |member: u32| self.members[member as usize];
        Some(VerifiedPair { left: page(left), right: page(right), measure })
    }

    /// Unites all pages that a chain of candidate pairs of the resemblance joins: as many clusters
    /// as uniting all `pairs` gives, but a pair that is joined already is not compared.
    pub fn unite(
        &self,
        evidence: Evidence<'_>,
        resemblance: f64,
        forest: &Forest,
    ) -> io::Result<()> {
        let page = |member: u32| self.members[member as usize];
        for (number, band) in self.bands.iter().enumerate() {
            let before = &self.bands[..number];
            let groups: Vec<&[u32]> =
                band.groups().filter(|group| group.len() <= self.hot).collect();
            groups.par_iter().for_each(|group| {
                heed();
                for (i, &right) in group.iter().enumerate() {
                    for &left in &group[..i] {
                        if forest.root(page(left)) != forest.root(page(right))
                            && !before.iter().any(|band| band.agree(left, right, self.hot))
                            && evidence.compare(left, right, resemblance).is_some()
                        {
                            forest.unite(page(left), page(right));
                        }
                    }
                }
            });
        }
        self.unite_hot(evidence, resemblance, forest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groups::evidence::{Held, Resembling};
    use crate::sketches::features::Picker;
    use crate::sketches::shingle_sets::Sets;

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
            bands.begin(round, pages.len()).unwrap();
            bands.add(&pages[..30], &features[..30 * 84], 84, None);
            bands.add(&pages[30..], &features[30 * 84..], 84, None);
        }
        let mut candidates = bands.close().unwrap();
        let members = candidates.members().to_vec();
        let mut values = Vec::new();
        let mut offsets = vec![0i64];
        for &page in &members {
            values.extend_from_slice(&sets[page as usize - 5]);
            offsets.push(values.len() as i64);
        }
        let (starts, ends) = (&offsets[..members.len()], &offsets[1..]);
        let all = Some(Sets { values: &values, starts, ends });
        let evidence = Evidence { held: Held::Shingles, sets: all, features: &[], m: 84 };
        let mut expected = Vec::new();
        let slow = Forest::new(100);
        for right in 0..sets.len() {
            for left in 0..right {
                let both = sets[left].iter().filter(|s| sets[right].contains(s)).count();
                if both as f64 / (120 - both) as f64 >= 0.8 {
                    let (left, right) = (pages[left], pages[right]);
                    let measure = Measure {
                        shared: both as u64,
                        left_size: 60,
                        right_size: 60,
                        estimated: false,
                    };
                    expected.push(VerifiedPair { left, right, measure });
                    slow.unite(left, right);
                }
            }
        }
        expected.sort_unstable_by_key(|pair| (pair.left, pair.right));
        assert!(expected.len() > 50);
        // All groups hot, some, none.
        for hot in [1, 3, 5, HOT] {
            candidates.hot = hot;
            let mut found: Vec<VerifiedPair> = (0..candidates.bands())
                .flat_map(|band| candidates.pairs(band, evidence, 0.8))
                .chain(candidates.hot_pairs(evidence, 0.8).unwrap())
                .collect();
            found.sort_unstable_by_key(|pair| (pair.left, pair.right));
            assert_eq!(found, expected, "{hot}");
            let forest = Forest::new(100);
            candidates.unite(evidence, 0.8, &forest).unwrap();
            assert_eq!(forest.clusters(), slow.clusters(), "{hot}");
        }

        // The highest page first; then pages 5 to 24 fixed.
        for (fixed, hot) in [(0, 1), (0, 4), (0, HOT), (25, 1), (25, 4), (25, HOT)] {
            candidates.hot = hot;
            let prefixes = candidates.prefixes(&Resembling::new(evidence, 0.8)).unwrap();
            let ranks: Vec<u32> =
                members.iter().map(|&page| if page < fixed { page } else { 1000 - page }).collect();
            let holds = |stays, member| evidence.compare(stays, member, 0.8).is_some();
            let gone = candidates.stars(holds, prefixes.as_ref(), &ranks, fixed).unwrap();
            let mut order: Vec<(u32, u32)> =
                ranks.iter().copied().zip(members.iter().copied()).collect();
            order.sort_unstable();
            let mut stay: Vec<u32> = Vec::new();
            let mut slow = Vec::new();
            let paired = |one: u32, other: u32| {
                expected.iter().any(|p| (p.left, p.right) == (one.min(other), one.max(other)))
            };
            for (_, page) in order {
                match stay.iter().find(|&&stays| paired(stays, page)) {
                    Some(&stays) if page >= fixed => slow.push((page, stays)),
                    _ => stay.push(page),
                }
            }
            assert_eq!(gone, slow);
            assert!(gone.len() > 10);
            let measures = evidence.measure(&members, &gone).unwrap();
            assert!(measures.iter().all(|m| m.shared as f64 / (120 - m.shared) as f64 >= 0.8));
        }
    }

    #[test]
    fn pages_that_are_kept_apart_do_not_agree() {
        let mut bands = Bands::new(2);
        bands.begin(1, 4).unwrap();
        bands.add(&[0, 1, 2, 3], &[7, 7, 7, 7, 7, 7, 7, 7], 2, Some(&[1, 2, 1, 3]));
        assert_eq!(bands.close().unwrap().members(), [0, 2]);
    }
}
