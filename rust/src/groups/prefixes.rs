//! *Prefix*: the rarest of the tokens by which a page is compared, so many of them that two pages
//! which share enough tokens have one of their prefixes in common (Chaudhuri 2006; Bayardo 2007). Pages
//! of one template agree in what is frequent and have all that is rare for themselves: they share
//! bands, and no token of their prefixes.
//!
//! If two sets share at least s tokens, the rarest that they share is among the |S| − s + 1 rarest of
//! either, whatever the order, as long as it is the same for all. Of two sets that resemble each other
//! the smaller must share more of its own than the larger (Xiao 2008): each has a *short* prefix, for
//! partners that are not smaller, and a *long* one, for partners that are not larger. The short one is
//! the beginning of the long one, and two pages are looked at only if one of them has the token in its
//! short prefix.

use std::io;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use super::mapped_numbers::Numbers;
use crate::fingerprints::mixing::mix;
use crate::interrupts::heed;

/// Members whose tokens are counted to tell which are rare.
const COUNTED: usize = 1 << 16;
/// The most counters, in bits; tokens may share one, which makes a rare one seem less so.
const COUNTER_BITS: u32 = 22;
/// Tokens that are sorted at once.
const SORTED: usize = 1 << 22;
/// Members whose prefixes are found between two looks at whether to stop.
const BLOCK: usize = 1 << 14;

/// How many of a set's rarest tokens are its prefixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    pub short: usize,
    pub long: usize,
}

/// The tokens that members are compared by. A member has a set of each of some *kinds*, or none; two
/// that belong together share enough tokens of one kind.
pub trait Tokens: Sync {
    fn kinds(&self) -> usize;

    /// The lengths of the prefixes of a member's set, if it has one; neither is more than the set.
    fn lengths(&self, kind: usize, member: u32) -> Option<Lengths>;

    /// Adds the tokens of a member's set.
    fn add(&self, kind: usize, member: u32, tokens: &mut Vec<u64>);

    /// How many tokens the long prefixes of these members have.
    fn total(&self, members: impl Iterator<Item = u32>) -> usize {
        members
            .flat_map(|member| (0..self.kinds()).filter_map(move |k| self.lengths(k, member)))
            .map(|lengths| lengths.long)
            .sum()
    }
}

/// Members by the tokens of their prefixes, as far as two have one: *groups* of members, in two halves
/// each. Half 2g has the members of group g that have the token in their short prefix, half 2g + 1 those
/// that have it in their long one only.
#[derive(Debug)]
pub struct Prefixes {
    ends: Numbers,
    grouped: Numbers,
    groups: usize,
    /// For each member where its halves begin; they ascend.
    starts: Numbers,
    halves: Numbers,
}

/// A set: the member, its kind, and where its prefix ends among all.
type Set = (u32, u32, usize);

impl Prefixes {
    /// The prefixes of some of so many members.
    pub fn new(count: usize, members: &[u32], tokens: &impl Tokens) -> io::Result<Prefixes> {
        let mut sets: Vec<Set> = Vec::new();
        let mut total = 0;
        for &member in members {
            for kind in 0..tokens.kinds() {
                if let Some(lengths) = tokens.lengths(kind, member) {
                    total += lengths.long;
                    sets.push((member, kind as u32, total));
                }
            }
        }
        let found = marked_prefixes(&sets, total, tokens)?;
        let (mut grouped, mut ends) = (Numbers::filled(total, 0)?, Numbers::filled(total, 0)?);
        let (mut filled, mut groups) = (0, 0);
        let bits = total.div_ceil(SORTED).next_power_of_two().ilog2();
        for part in 0..1u64 << bits {
            heed();
            for group in shared(&sets, &found, bits, part).chunk_by(|a, b| a >> 33 == b >> 33) {
                // One alone, or in nobody's short prefix.
                if group.len() < 2 || group[0] >> 32 & 1 == 1 {
                    continue;
                }
                let short = group.partition_point(|entry| entry >> 32 & 1 == 0);
                if filled + group.len() > u32::MAX as usize {
                    let text = "over 4 thousand million shingles shared by pages of one template";
                    return Err(io::Error::other(text));
                }
                ends[2 * groups] = (filled + short) as u32;
                ends[2 * groups + 1] = (filled + group.len()) as u32;
                groups += 1;
                for &entry in group {
                    grouped[filled] = entry as u32;
                    filled += 1;
                }
            }
        }
        drop(found);
        let mut prefixes = Prefixes {
            ends,
            grouped,
            groups,
            starts: Numbers::filled(count + 1, 0)?,
            halves: Numbers::filled(filled, 0)?,
        };
        prefixes.note_halves();
        Ok(prefixes)
    }

    /// For each member its halves.
    fn note_halves(&mut self) {
        let filled = self.halves.len();
        for &member in &self.grouped[..filled] {
            self.starts[member as usize + 1] += 1;
        }
        for at in 1..self.starts.len() {
            self.starts[at] += self.starts[at - 1];
        }
        let mut start = 0;
        for half in 0..2 * self.groups {
            let end = self.ends[half] as usize;
            for &member in &self.grouped[start..end] {
                let place = &mut self.starts[member as usize];
                self.halves[*place as usize] = half as u32;
                *place += 1;
            }
            start = end;
        }
        // Each start has become the next one's.
        for at in (1..self.starts.len()).rev() {
            self.starts[at] = self.starts[at - 1];
        }
        self.starts[0] = 0;
    }

    /// How many groups there are.
    pub fn len(&self) -> usize {
        self.groups
    }

    pub fn is_empty(&self) -> bool {
        self.groups == 0
    }

    /// Where a half begins, and where it ends.
    pub fn range(&self, half: u32) -> std::ops::Range<usize> {
        let start = half.checked_sub(1).map_or(0, |before| self.ends[before as usize] as usize);
        start..self.ends[half as usize] as usize
    }

    /// The members of a half, ascending.
    pub fn half(&self, half: u32) -> &[u32] {
        &self.grouped[self.range(half)]
    }

    /// The halves that a member is in, ascending.
    pub fn halves(&self, member: u32) -> &[u32] {
        let member = member as usize;
        &self.halves[self.starts[member] as usize..self.starts[member + 1] as usize]
    }

    /// How many places there are in all halves.
    pub fn places(&self) -> usize {
        self.halves.len()
    }

    /// The halves of others that a member in this half is looked at with.
    pub fn partners(half: u32) -> impl Iterator<Item = u32> {
        let short = half & !1;
        std::iter::once(short).chain((half == short).then_some(short + 1))
    }

    /// The first group in which two members are to be looked at.
    pub fn first_common(&self, left: u32, right: u32) -> Option<usize> {
        let (mut left, mut right) = (self.halves(left), self.halves(right));
        while let (Some(&one), Some(&other)) = (left.first(), right.first()) {
            if one >> 1 == other >> 1 && one & other & 1 == 0 {
                return Some(one as usize >> 1);
            }
            // One half at a time: by a collision of tokens a member may be in both of a group.
            if one <= other {
                left = &left[1..];
            } else {
                right = &right[1..];
            }
        }
        None
    }

    /// How many times two members would be looked at.
    pub fn meetings(&self) -> u64 {
        (0..self.groups as u32)
            .map(|group| {
                let (short, long) = (self.range(2 * group).len(), self.range(2 * group + 1).len());
                (short * short / 2 + short * long) as u64
            })
            .sum()
    }
}

/// The prefixes of all sets, one after the other: 31 bits of each token, and whether it is only in the
/// long one. Tokens that agree in these bits bring members together that then turn out to differ.
fn marked_prefixes(sets: &[Set], total: usize, tokens: &impl Tokens) -> io::Result<Numbers> {
    let rarity = Rarity::of(sets, tokens);
    let mut all = Numbers::filled(total, 0)?;
    let mut rest = &mut all[..];
    for block in sets.chunks(BLOCK) {
        heed();
        let mut places = Vec::with_capacity(block.len());
        for &(member, kind, _) in block {
            let lengths = tokens.lengths(kind as usize, member);
            let lengths = lengths.unwrap_or(Lengths { short: 0, long: 0 });
            let (place, after) = rest.split_at_mut(lengths.long);
            rest = after;
            places.push((member, kind, lengths, place));
        }
        places.into_par_iter().for_each_init(
            || (Vec::new(), Vec::new()),
            |(values, ordered), (member, kind, lengths, place)| {
                values.clear();
                tokens.add(kind as usize, member, values);
                ordered.clear();
                ordered.extend(values.iter().map(|&token| (rarity.of_token(token), token)));
                let Lengths { short, long } = lengths;
                for count in [long, short] {
                    if (1..ordered.len()).contains(&count) {
                        ordered.select_nth_unstable(count - 1);
                        ordered.truncate(long);
                    }
                }
                for (at, (place, (_, token))) in place.iter_mut().zip(&*ordered).enumerate() {
                    *place = (mix(*token) >> 32) as u32 & !1 | u32::from(at >= short);
                }
            },
        );
    }
    Ok(all)
}

/// How often tokens occur, about: an order of tokens in which the rare ones come first.
struct Rarity {
    counts: Vec<AtomicU32>,
}

impl Rarity {
    fn of(sets: &[Set], tokens: &impl Tokens) -> Rarity {
        let step = sets.len().div_ceil(COUNTED).max(1);
        let bits = (sets.len() / step * 64).next_power_of_two().ilog2().clamp(10, COUNTER_BITS);
        let rarity = Rarity { counts: (0..1usize << bits).map(|_| AtomicU32::new(0)).collect() };
        sets.par_iter().step_by(step).for_each_init(Vec::new, |values, &(member, kind, _)| {
            values.clear();
            tokens.add(kind as usize, member, values);
            for counter in values.iter().flat_map(|&token| rarity.counters(token)) {
                counter.fetch_add(1, Relaxed);
            }
        });
        rarity
    }

    /// Two of them: a rare token hardly shares both with frequent ones.
    fn counters(&self, token: u64) -> [&AtomicU32; 2] {
        let mixed = mix(!token);
        [mixed, mixed >> 32].map(|at| &self.counts[at as usize & (self.counts.len() - 1)])
    }

    fn of_token(&self, token: u64) -> u32 {
        let [one, other] = self.counters(token).map(|counter| counter.load(Relaxed));
        one.min(other)
    }
}

/// The marked tokens of one part of all, each with its member, in order.
fn shared(sets: &[Set], found: &[u32], bits: u32, part: u64) -> Vec<u64> {
    let mut entries: Vec<u64> = (0..sets.len())
        .into_par_iter()
        .flat_map_iter(|at| {
            let (member, _, end) = sets[at];
            let start = at.checked_sub(1).map_or(0, |before| sets[before].2);
            let prefix = found[start..end].iter().map(|&token| u64::from(token));
            prefix
                .filter(move |token| token >> (32 - bits) == part)
                .map(move |token| token << 32 | u64::from(member))
        })
        .collect();
    entries.par_sort_unstable();
    entries
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Sets that must share `least` tokens, whatever their size.
    struct Shared<'a> {
        sets: &'a [BTreeSet<u64>],
        least: usize,
    }

    impl Tokens for Shared<'_> {
        fn kinds(&self) -> usize {
            1
        }

        fn lengths(&self, _: usize, member: u32) -> Option<Lengths> {
            let length = (self.sets[member as usize].len() + 1).checked_sub(self.least)?;
            (length > 0).then_some(Lengths { short: length, long: length })
        }

        fn add(&self, _: usize, member: u32, tokens: &mut Vec<u64>) {
            tokens.extend(&self.sets[member as usize]);
        }
    }

    #[test]
    fn those_that_share_enough_meet() {
        let sets: Vec<BTreeSet<u64>> = (0..200u64)
            .map(|member| (0..6 + member % 20).map(|at| mix(member << 8 | at) % 60).collect())
            .collect();
        let members: Vec<u32> = (0..200).collect();
        for least in 1..12 {
            let prefixes = Prefixes::new(200, &members, &Shared { sets: &sets, least }).unwrap();
            for right in 0..200u32 {
                for left in 0..right {
                    let both = sets[left as usize].intersection(&sets[right as usize]).count();
                    let found = prefixes.first_common(left, right);
                    assert!(both < least || found.is_some(), "{left} {right} {least}");
                    assert_eq!(found, prefixes.first_common(right, left));
                    let met = prefixes.halves(right).iter().find(|&&half| {
                        Prefixes::partners(half).any(|each| prefixes.half(each).contains(&left))
                    });
                    assert_eq!(met.map(|&half| half as usize / 2), found);
                }
            }
        }
    }

    #[test]
    fn pages_of_one_template_do_not_meet() {
        let set = |member: u64| (0..60).chain((0..30).map(|at| 1000 + member * 100 + at)).collect();
        let sets: Vec<BTreeSet<u64>> = (0..3000).map(set).collect();
        let members: Vec<u32> = (0..3000).collect();
        let found = Prefixes::new(3000, &members, &Shared { sets: &sets, least: 61 }).unwrap();
        // But where two tokens agree in 31 bits.
        assert!(found.meetings() < 30, "{}", found.meetings());
        let found = Prefixes::new(3000, &members, &Shared { sets: &sets, least: 60 }).unwrap();
        assert!(found.meetings() > 3000 * 1400);
    }
}
