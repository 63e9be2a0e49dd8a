//! *Star*: a page that stays, and the pages that go with it because each of them is similar to it.

use std::io;

use rayon::prelude::*;

use super::candidates::{ALONE, Band, Candidates};
use super::mapped_numbers::Numbers;

/// Members that are looked at together: those before them have stayed or gone.
const BLOCK: usize = 1024;

impl Candidates {
    /// Which pages go, each with the page it goes with: in the order of their ranks (one for each
    /// member) pages stay unless one that stays `holds` them, and go with the first such. Members
    /// below `fixed` always stay.
    ///
    /// A page is compared with pages that stay only, so that many copies of one page cost no more
    /// comparisons than there are copies.
    pub fn stars(
        &self,
        holds: impl Fn(u32, u32) -> bool + Sync,
        ranks: &[u32],
        fixed: u32,
    ) -> io::Result<Vec<(u32, u32)>> {
        let mut order: Vec<u32> = (0..self.members.len() as u32).collect();
        order.par_sort_unstable_by_key(|&member| (ranks[member as usize], member));
        let mut staying = Staying::new(&self.bands)?;
        let mut gone = Vec::new();
        let similar =
            |member: u32, stay: &[u32]| stay.iter().copied().find(|&stays| holds(stays, member));
        for block in order.chunks(BLOCK) {
            let is_fixed = |member: u32| self.members[member as usize] < fixed;
            let found: Vec<Option<u32>> = block
                .par_iter()
                .map(|&member| {
                    if is_fixed(member) {
                        return None;
                    }
                    similar(member, &staying.beside(member, 0, ranks))
                })
                .collect();
            let before = staying.count;
            for (&member, found) in block.iter().zip(found) {
                let found = found.or_else(|| {
                    if is_fixed(member) {
                        return None;
                    }
                    similar(member, &staying.beside(member, before, ranks))
                });
                match found {
                    Some(stays) => {
                        gone.push((self.members[member as usize], self.members[stays as usize]));
                    }
                    None => staying.add(member),
                }
            }
        }
        Ok(gone)
    }
}

/// The members that stay so far, by the groups of each band.
struct Staying<'a> {
    bands: &'a [Band],
    groups: Vec<Groups>,
    /// The number that stay, and for each of them how many had stayed before.
    count: u32,
    since: Vec<u32>,
}

/// Of one band the members of its groups, as far as they stay, each group's in its own place.
struct Groups {
    members: Numbers,
    counts: Numbers,
}

impl Groups {
    /// Where a group begins in `members`.
    fn start(band: &Band, group: u32) -> usize {
        group.checked_sub(1).map_or(0, |before| band.ends[before as usize] as usize)
    }
}

impl<'a> Staying<'a> {
    fn new(bands: &'a [Band]) -> io::Result<Staying<'a>> {
        let groups = bands.iter().map(|band| {
            let members = Numbers::filled(band.grouped.len(), 0)?;
            Ok(Groups { members, counts: Numbers::filled(band.ends.len(), 0)? })
        });
        let groups = groups.collect::<io::Result<_>>()?;
        let since = vec![0; bands.first().map_or(0, |band| band.group.len())];
        Ok(Staying { bands, groups, count: 0, since })
    }

    fn add(&mut self, member: u32) {
        for (band, groups) in self.bands.iter().zip(&mut self.groups) {
            let group = band.group[member as usize];
            if group != ALONE {
                let count = &mut groups.counts[group as usize];
                groups.members[Groups::start(band, group) + *count as usize] = member;
                *count += 1;
            }
        }
        self.since[member as usize] = self.count;
        self.count += 1;
    }

    /// Those that agree with the member in a band and have stayed since so many did, by rank.
    fn beside(&self, member: u32, since: u32, ranks: &[u32]) -> Vec<u32> {
        let mut found = Vec::new();
        for (band, groups) in self.bands.iter().zip(&self.groups) {
            let group = band.group[member as usize];
            if group == ALONE {
                continue;
            }
            let count = groups.counts[group as usize] as usize;
            // They are in the order in which they came.
            let stay = &groups.members[Groups::start(band, group)..][..count];
            let from = stay.partition_point(|&stays| self.since[stays as usize] < since);
            found.extend_from_slice(&stay[from..]);
        }
        found.sort_unstable_by_key(|&stays| (ranks[stays as usize], stays));
        found.dedup();
        found
    }
}
