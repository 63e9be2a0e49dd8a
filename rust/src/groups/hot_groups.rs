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
        let Some(prefixes) = self.prefixes(&Resembling::new(evidence, resemblance))? else {
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
        let Some(prefixes) = self.prefixes(&Resembling::new(evidence, resemblance))? else {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprints::mixing::mix;
    use crate::groups::candidates::Bands;
    use crate::groups::evidence::Held;
    use crate::sketches::features::Picker;
    use crate::sketches::shingle_sets::Sets;

    const PAGES: u64 = 240;
    const M: usize = 12;

    /// Pages of three templates, some of them copies with more or less changed.
    fn page(page: u64) -> Vec<u64> {
        let (template, original) =
            (page % 3, if page.is_multiple_of(4) { page } else { page / 12 * 12 });
        let common = (0..20 + template * 10).map(|at| mix(template << 32 | at));
        let changed = mix(page) % 20;
        let own = (0..20)
            .map(|at| mix(1 << 50 | (if at < changed { page } else { original }) << 16 | at));
        let mut set: Vec<u64> = common.chain(own).collect();
        set.sort_unstable();
        set
    }

    #[test]
    fn hot_groups_give_what_all_their_pairs_give() {
        let pages: Vec<Vec<u64>> = (0..PAGES).map(page).collect();
        let (picker, mut features) = (Picker::rounds(M), vec![0; M * pages.len()]);
        for (set, row) in pages.iter().zip(features.chunks_mut(M)) {
            picker.pick(set, row);
        }
        let numbers: Vec<u32> = (0..PAGES as u32).collect();
        let mut bands = Bands::new(2);
        bands.begin(M / 2, 0).unwrap();
        bands.add(&numbers, &features, M, None);
        let mut candidates = bands.close().unwrap();
        let members = candidates.members().to_vec();
        let features: Vec<u64> =
            members.iter().flat_map(|&each| features[each as usize * M..][..M].to_vec()).collect();
        let values: Vec<u64> = members.iter().flat_map(|&each| page(u64::from(each))).collect();
        let ends: Vec<i64> = members
            .iter()
            .scan(0, |end, &each| {
                *end += pages[each as usize].len() as i64;
                Some(*end)
            })
            .collect();
        let starts: Vec<i64> = [0].iter().chain(&ends).copied().take(members.len()).collect();
        let some: Vec<i64> = starts
            .iter()
            .enumerate()
            .map(|(at, &start)| if at.is_multiple_of(3) { -1 } else { start })
            .collect();
        let of = |starts| Some(Sets { values: &values, starts, ends: &ends });
        let (mut together, mut apart) = (0, 0);
        let words = |least_features| Held::Words { least_features };
        let every = [Held::Shingles, words(0), words(3)]
            .into_iter()
            .flat_map(|held| [of(&starts), of(&some), None].map(|sets| (held, sets)));
        for (held, sets) in every {
            let evidence = Evidence { held, sets, features: &features, m: M };
            for resemblance in [0.05, 0.2, 0.34, 0.5, 0.65, 0.8, 0.9, 1.0] {
                let mut all = |hot: usize| {
                    candidates.hot = hot;
                    let mut pairs: Vec<(u32, u32)> = (0..candidates.bands())
                        .flat_map(|band| candidates.pairs(band, evidence, resemblance))
                        .chain(candidates.hot_pairs(evidence, resemblance).unwrap())
                        .map(|pair| (pair.left, pair.right))
                        .collect();
                    pairs.sort_unstable();
                    let mut listed: Vec<(u32, u32)> = candidates
                        .all_hot_pairs(evidence, resemblance)
                        .iter()
                        .map(|pair| (pair.left, pair.right))
                        .collect();
                    listed.sort_unstable();
                    let forest = Forest::new(PAGES as u32);
                    candidates.unite(evidence, resemblance, &forest).unwrap();
                    let ranks: Vec<u32> =
                        members.iter().map(|&page| mix(u64::from(page)) as u32).collect();
                    let holds =
                        |stays, member| evidence.compare(stays, member, resemblance).is_some();
                    let prefixes =
                        candidates.prefixes(&Resembling::new(evidence, resemblance)).unwrap();
                    let stars = candidates.stars(holds, prefixes.as_ref(), &ranks, 7).unwrap();
                    (pairs, forest.clusters(), stars, listed)
                };
                let (pairs, clusters, stars, _) = all(usize::MAX);
                for hot in [0, 5, 20] {
                    let found = all(hot);
                    assert_eq!(found.0, pairs, "{held:?} {resemblance} {hot}");
                    assert_eq!(found.1, clusters, "{held:?} {resemblance} {hot}");
                    assert_eq!(found.2, stars, "{held:?} {resemblance} {hot}");
                    if hot == 0 {
                        assert_eq!(found.3, pairs, "{held:?} {resemblance}");
                    }
                }
                together += pairs.len();
                apart += usize::from(pairs.is_empty());
            }
        }
        assert!(together > 15000 && apart < 24, "{together} {apart}");
    }
}
