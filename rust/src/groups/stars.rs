//! *Star*: a page that stays, and the pages that go with it because each of them is similar to it.

use std::io;

use rayon::prelude::*;

use super::candidates::{ALONE, Band, Candidates};
use super::mapped_numbers::Numbers;
use super::prefixes::Prefixes;
use crate::interrupts::heed;

/// Members that are looked at together: those before them have stayed or gone.
const BLOCK: usize = 1024;

impl Candidates {
    /// Which pages go, each with the page it goes with: in the order of their ranks (one for each
    /// member) pages stay unless one that stays `holds` them, and go with the first such. Members
    /// below `fixed` always stay.
    ///
    /// A page is compared with pages that stay only, so that many copies of one page cost no more
    /// comparisons than there are copies; in hot groups only with those that share a token of their
    /// `prefixes`, if they are given.
    pub fn stars(
        &self,
        holds: impl Fn(u32, u32) -> bool + Sync,
        prefixes: Option<&Prefixes>,
        ranks: &[u32],
        fixed: u32,
    ) -> io::Result<Vec<(u32, u32)>> {
        let mut order: Vec<u32> = (0..self.members.len() as u32).collect();
        order.par_sort_unstable_by_key(|&member| (ranks[member as usize], member));
        let mut staying = Staying::new(self, prefixes)?;
        let mut gone = Vec::new();
        let similar =
            |member: u32, stay: &[u32]| stay.iter().copied().find(|&stays| holds(stays, member));
        for block in order.chunks(BLOCK) {
            heed();
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
    candidates: &'a Candidates,
    groups: Vec<Groups>,
    prefixes: Option<(&'a Prefixes, Groups)>,
    /// The number that stay, and for each of them how many had stayed before.
    count: u32,
    since: Vec<u32>,
}

/// The members of some groups, as far as they stay, each group's in its own place.
struct Groups {
    members: Numbers,
    counts: Numbers,
}

impl Groups {
    fn new(members: usize, groups: usize) -> io::Result<Groups> {
        Ok(Groups { members: Numbers::filled(members, 0)?, counts: Numbers::filled(groups, 0)? })
    }

    /// Adds a member to a group whose place begins here.
    fn add(&mut self, group: u32, start: usize, member: u32) {
        let count = &mut self.counts[group as usize];
        self.members[start + *count as usize] = member;
        *count += 1;
    }

    /// The members of a group whose place begins here, in the order in which they came.
    fn of(&self, group: u32, start: usize) -> &[u32] {
        &self.members[start..][..self.counts[group as usize] as usize]
    }
}

impl<'a> Staying<'a> {
    fn new(candidates: &'a Candidates, prefixes: Option<&'a Prefixes>) -> io::Result<Staying<'a>> {
        let of_band = |band: &Band| Groups::new(band.grouped.len(), band.ends.len());
        let groups = candidates.bands.iter().map(of_band).collect::<io::Result<_>>()?;
        let of_prefixes = |prefixes: &'a Prefixes| -> io::Result<_> {
            Ok((prefixes, Groups::new(prefixes.places(), 2 * prefixes.len())?))
        };
        let prefixes = prefixes.map(of_prefixes).transpose()?;
        let since = vec![0; candidates.members.len()];
        Ok(Staying { candidates, groups, prefixes, count: 0, since })
    }

    /// The place of the group that a member is in, if there is one in this band and all in it are
    /// compared.
    fn group(&self, band: &Band, member: u32) -> Option<(u32, usize)> {
        let group = band.group[member as usize];
        if group == ALONE {
            return None;
        }
        let range = band.range(group);
        let is_listed = self.prefixes.is_none() || range.len() <= self.candidates.hot;
        is_listed.then_some((group, range.start))
    }

    fn add(&mut self, member: u32) {
        for number in 0..self.groups.len() {
            let group = self.group(&self.candidates.bands[number], member);
            if let Some((group, start)) = group {
                self.groups[number].add(group, start, member);
            }
        }
        if let Some((prefixes, groups)) = &mut self.prefixes {
            for &half in prefixes.halves(member) {
                groups.add(half, prefixes.range(half).start, member);
            }
        }
        self.since[member as usize] = self.count;
        self.count += 1;
    }

    /// Those that agree with the member in a band and have stayed since so many did, by rank.
    fn beside(&self, member: u32, since: u32, ranks: &[u32]) -> Vec<u32> {
        let mut found = Vec::new();
        for (band, groups) in self.candidates.bands.iter().zip(&self.groups) {
            if let Some((group, start)) = self.group(band, member) {
                found.extend_from_slice(self.late(groups.of(group, start), since));
            }
        }
        if let Some((prefixes, groups)) = &self.prefixes {
            for half in prefixes.halves(member).iter().flat_map(|&half| Prefixes::partners(half)) {
                let stay = self.late(groups.of(half, prefixes.range(half).start), since);
                let agreeing = stay.iter().filter(|&&stays| self.candidates.agree(stays, member));
                found.extend(agreeing);
            }
        }
        found.sort_unstable_by_key(|&stays| (ranks[stays as usize], stays));
        found.dedup();
        found
    }

    /// Of members in the order in which they came those that came since so many did.
    fn late<'b>(&self, stay: &'b [u32], since: u32) -> &'b [u32] {
        &stay[stay.partition_point(|&stays| self.since[stays as usize] < since)..]
    }
}
