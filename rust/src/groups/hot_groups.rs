//! *Hot* groups: very many pages that agree in a band, as those of one template do, most of which are
//! not similar. Not all pairs of such a group are compared but those that share a token of their
//! prefixes, which no pair of the resemblance lacks: what is found is the same.

use std::io;

use rayon::prelude::*;

use super::candidates::{Band, Candidates, VerifiedPair};
use super::clusters::Forest;
use super::evidence::{Evidence, Resembling};
use super::prefixes::{Prefixes, Tokens};
use crate::interrupts::heed;

impl Candidates {
    /// The prefixes of the members of hot groups, if there are any.
    pub fn prefixes(&self, tokens: &impl Tokens) -> io::Result<Option<Prefixes>> {
        let mut is_hot = vec![false; self.members.len()];
        for &member in self.hot_groups().flat_map(|(_, group)| group) {
            is_hot[member as usize] = true;
        }
        let members: Vec<u32> =
            (0..self.members.len() as u32).filter(|&member| is_hot[member as usize]).collect();
        if members.is_empty() {
            return Ok(None);
        }
        Prefixes::new(self.members.len(), &members, tokens).map(Some)
    }

    /// Whether two members agree in a band.
    pub(crate) fn agree(&self, left: u32, right: u32) -> bool {
        self.bands.iter().any(|band| band.agree(left, right, usize::MAX))
    }

    /// Every pair of the resemblance that agrees in hot groups only: what `pairs` leave.
    pub fn hot_pairs(
        &self,
        evidence: Evidence<'_>,
        resemblance: f64,
    ) -> io::Result<Vec<VerifiedPair>> {
        let Some(prefixes) = self.prefixes(&Resembling { evidence, resemblance })? else {
            return Ok(Vec::new());
        };
        // Where most are similar, each pair shares most of the tokens: all in turn are fewer.
        if prefixes.meetings() > self.hot_meetings() {
            return Ok(self.all_hot_pairs(evidence, resemblance));
        }
        let members = 0..self.members.len() as u32;
        let found = members.into_par_iter().flat_map_iter(|right| {
            heed();
            let mut lefts: Vec<u32> = Vec::new();
            for half in prefixes.halves(right).iter().flat_map(|&half| Prefixes::partners(half)) {
                let half = prefixes.half(half);
                lefts.extend_from_slice(&half[..half.partition_point(|&left| left < right)]);
            }
            lefts.sort_unstable();
            lefts.dedup();
            lefts.retain(|&left| {
                self.agree(left, right)
                    && !self.bands.iter().any(|band| band.agree(left, right, self.hot))
            });
            let verified = move |left| self.verified(left, right, evidence, resemblance);
            lefts.into_iter().filter_map(verified)
        });
        Ok(found.collect())
    }

    fn hot_groups(&self) -> impl Iterator<Item = (usize, &[u32])> {
        let bands = self.bands.iter().enumerate();
        let groups =
            bands.flat_map(|(number, band)| band.groups().map(move |group| (number, group)));
        groups.filter(|(_, group)| group.len() > self.hot)
    }

    /// How many times two members of hot groups would be looked at if all were.
    fn hot_meetings(&self) -> u64 {
        self.hot_groups().map(|(_, group)| (group.len() as u64).pow(2) / 2).sum()
    }

    /// What `hot_pairs` gives, found by looking at all members of hot groups.
    fn all_hot_pairs(&self, evidence: Evidence<'_>, resemblance: f64) -> Vec<VerifiedPair> {
        let groups: Vec<(usize, &[u32])> = self.hot_groups().collect();
        groups
            .par_iter()
            .flat_map(|&(number, group)| {
                (1..group.len()).into_par_iter().map(move |i| (number, group[i], &group[..i]))
            })
            .flat_map_iter(|(number, right, lefts)| {
                heed();
                lefts.iter().filter_map(move |&left| {
                    let agree =
                        |bands: &[Band], most| bands.iter().any(|b| b.agree(left, right, most));
                    let is_other =
                        agree(&self.bands, self.hot) || agree(&self.bands[..number], usize::MAX);
                    if is_other { None } else { self.verified(left, right, evidence, resemblance) }
                })
            })
            .collect()
    }

    /// Unites what pairs in hot groups hold together.
    pub(crate) fn unite_hot(
        &self,
        evidence: Evidence<'_>,
        resemblance: f64,
        forest: &Forest,
    ) -> io::Result<()> {
        let Some(prefixes) = self.prefixes(&Resembling { evidence, resemblance })? else {
            return Ok(());
        };
        let root = |member: u32| forest.root(self.members[member as usize]);
        (0..prefixes.len()).into_par_iter().for_each(|group| {
            let together = |left: u32, right: u32| {
                prefixes.first_common(left, right) == Some(group)
                    && self.agree(left, right)
                    && evidence.compare(left, right, resemblance).is_some()
            };
            // Members of the short half, those of one cluster together, so that what is joined already
            // is not looked at one by one.
            let mut joined: Vec<Vec<u32>> = Vec::new();
            for half in [2 * group, 2 * group + 1] {
                for &right in prefixes.half(half as u32) {
                    heed();
                    let mut own: Vec<u32> = Vec::new();
                    joined.retain_mut(|members| {
                        let mut is_joined = root(members[0]) == root(right);
                        if !is_joined && members.iter().any(|&left| together(left, right)) {
                            let page = |member: u32| self.members[member as usize];
                            forest.unite(page(members[0]), page(right));
                            is_joined = true;
                        }
                        if is_joined {
                            if members.len() > own.len() {
                                std::mem::swap(members, &mut own);
                            }
                            own.append(members);
                        }
                        !is_joined
                    });
                    if half % 2 == 0 {
                        own.push(right);
                    }
                    if !own.is_empty() {
                        joined.push(own);
                    }
                }
            }
        });
        Ok(())
    }
}
