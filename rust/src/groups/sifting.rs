//! *Sifting*: of candidates for a resemblance only those stay members whose features say that they
//! may have it, so that fewer shingle sets are made. Bands alone let many pass: at a wanted
//! resemblance of 0.8, four pairs in ten that have 0.5.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;

use super::candidates::{ALONE, Band, Candidates};
use super::mapped_numbers::Numbers;
use crate::interrupts::heed;

/// All members of a group of more than so many stay: many pages of one template are no reason to
/// compare each with each here too. So who stays depends on the groups alone, and not on the order
/// in which they come, nor on how they are shared out.
const MOST: usize = 64;

impl Candidates {
    /// Drops the members that agree with no other of a group in at least `least`
    /// of their m features. Row r of `features` belongs to member r.
    pub fn sift(&mut self, features: &[u64], m: usize, least: usize) -> io::Result<()> {
        let stays: Vec<AtomicBool> = self.members.iter().map(|_| AtomicBool::new(false)).collect();
        let alike = |left: u32, right: u32| {
            let of = |member: u32| &features[member as usize * m..][..m];
            of(left).iter().zip(of(right)).filter(|(l, r)| l == r).count() >= least
        };
        for band in &self.bands {
            let groups: Vec<&[u32]> = band.groups().collect();
            groups.par_iter().for_each(|group| sift(group, &stays, alike));
            heed();
        }
        let stays: Vec<bool> = stays.into_iter().map(AtomicBool::into_inner).collect();
        self.only(&stays)
    }

    /// Drops some members, and the groups that are none then.
    fn only(&mut self, stays: &[bool]) -> io::Result<()> {
        let mut count = 0;
        let place: Vec<u32> = stays
            .iter()
            .map(|&stays| {
                count += u32::from(stays);
                if stays { count - 1 } else { ALONE }
            })
            .collect();
        let bands = self.bands.drain(..).map(|band| {
            let mut group = Numbers::filled(count as usize, ALONE)?;
            let (mut grouped, mut ends) = (Vec::new(), Vec::new());
            for members in band.groups() {
                let start = grouped.len();
                let left = members.iter().map(|&member| place[member as usize]);
                grouped.extend(left.filter(|&member| member != ALONE));
                if grouped.len() - start < 2 {
                    grouped.truncate(start);
                    continue;
                }
                for &member in &grouped[start..] {
                    group[member as usize] = ends.len() as u32;
                }
                ends.push(grouped.len() as u32);
            }
            Ok(Band { grouped: Numbers::of(grouped)?, ends: Numbers::of(ends)?, group })
        });
        self.bands = bands.collect::<io::Result<_>>()?;
        let mut at = 0;
        self.members.retain(|_| {
            at += 1;
            stays[at - 1]
        });
        Ok(())
    }
}

/// Marks the members of a group that have another like them in it.
fn sift(group: &[u32], stays: &[AtomicBool], alike: impl Fn(u32, u32) -> bool) {
    let stay = |member: u32| stays[member as usize].store(true, Relaxed);
    let has = |member: u32| stays[member as usize].load(Relaxed);
    if group.len() > MOST {
        return group.iter().for_each(|&member| stay(member));
    }
    for (i, &member) in group.iter().enumerate() {
        for &other in &group[..i] {
            if !(has(other) && has(member)) && alike(other, member) {
                stay(other);
                stay(member);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprints::mixing::mix;
    use crate::groups::candidates::Bands;

    /// Pages in families: each takes some of its eight features from its family.
    fn candidates(pages: u32) -> (Candidates, Vec<u64>) {
        let feature = |page: u64, at: u64| match mix(page * 8 + at) % 10 {
            0..6 => mix(page / 6 * 8 + at),
            _ => mix(1 << 40 | page << 8 | at),
        };
        let features: Vec<u64> = (0..u64::from(pages))
            .flat_map(|page| (0..8).map(move |at| feature(page, at)))
            .collect();
        let numbers: Vec<u32> = (0..pages).map(|page| 2 * page + 1).collect();
        let mut bands = Bands::new(2);
        bands.begin(4, 300).unwrap();
        bands.add(&numbers, &features, 8, None);
        (bands.close().unwrap(), features)
    }

    fn rows(candidates: &Candidates, features: &[u64]) -> Vec<u64> {
        let rows = candidates.members().iter().map(|page| (page / 2) as usize * 8);
        rows.flat_map(|start| features[start..start + 8].iter().copied()).collect()
    }

    #[test]
    fn those_stay_that_agree_enough_with_another_of_a_group() {
        let (all, features) = candidates(300);
        let features = rows(&all, &features);
        let agree = |l: usize, r: usize| {
            (0..8).filter(|i| features[l * 8 + i] == features[r * 8 + i]).count()
        };
        let beside = |l: usize, r: usize| {
            all.bands.iter().any(|b| b.group[l] != ALONE && b.group[l] == b.group[r])
        };
        let count = all.members.len();
        let expected: Vec<u32> = (0..count)
            .filter(|&l| (0..count).any(|r| r != l && beside(l, r) && agree(l, r) >= 5))
            .map(|member| all.members[member])
            .collect();
        let grouped = |candidates: &Candidates| -> Vec<Vec<Vec<u32>>> {
            let pages = |group: &[u32]| -> Vec<u32> {
                let pages = group.iter().map(|&member| candidates.members[member as usize]);
                pages.filter(|page| expected.contains(page)).collect()
            };
            let bands = candidates.bands.iter();
            bands.map(|b| b.groups().map(pages).filter(|group| group.len() > 1).collect()).collect()
        };
        let before = grouped(&all);
        let mut sifted = all;
        sifted.sift(&features, 8, 5).unwrap();
        assert!(expected.len() > 30 && expected.len() < count - 30);
        assert_eq!(sifted.members, expected);
        assert_eq!(grouped(&sifted), before);
        for band in &sifted.bands {
            for (number, group) in band.groups().enumerate() {
                assert!(group.iter().all(|&member| band.group[member as usize] == number as u32));
            }
        }
    }

    #[test]
    fn many_of_one_group_are_not_all_compared() {
        // All agree in the first band and in nothing else.
        let pages: Vec<u32> = (0..100_000).collect();
        let features: Vec<u64> = pages
            .iter()
            .flat_map(|&page| [7, 7, 2 * u64::from(page), 2 * u64::from(page) + 1])
            .collect();
        let mut bands = Bands::new(2);
        bands.begin(2, 0).unwrap();
        bands.add(&pages, &features, 4, None);
        let mut sifted = bands.close().unwrap();
        sifted.sift(&features, 4, 3).unwrap();
        assert_eq!(sifted.members.len(), 100_000);
    }
}
