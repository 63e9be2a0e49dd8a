//! *Stars* of rules that are told by supershingles and bits: which pages stay, and which go with one
//! that stays because it makes a pair with them.

use std::io;

use super::finder::{By, Finder};
use crate::fingerprints::mixing::mix;
use crate::groups::candidates::Candidates;
use crate::groups::prefixes::{Lengths, Tokens};

/// Which pages go, each with the page it goes with: in the order of their ranks (one for each row)
/// pages stay unless any of the finders holds them together with one that stays, and go with the
/// first such. Pages below `fixed` always stay. The finders are of the same pages; nothing is hot.
///
/// A page is compared with pages that stay only: see `groups::stars`.
pub fn stars(finders: &[Finder<'_>], ranks: &[u32], fixed: u32) -> io::Result<Vec<(u32, u32)>> {
    let Some(first) = finders.first() else { return Ok(Vec::new()) };
    let pages = first.data.pages;
    let positions: Vec<(&Finder<'_>, usize)> = finders
        .iter()
        .flat_map(|finder| (0..finder.buckets.positions.count()).map(move |at| (finder, at)))
        .collect();
    let candidates = Candidates::by_keys(pages, positions.len(), |band, row| {
        let (finder, position) = positions[band];
        u64::from(finder.buckets.key(row as u32, position))
    })?;
    // Both ascend, and all members are among the pages.
    let mut rows = (0..pages.len() as u32).filter({
        let mut members = candidates.members().iter().peekable();
        move |&row| members.next_if(|&&page| page == pages[row as usize]).is_some()
    });
    let rows: Vec<u32> = rows.by_ref().collect();
    let here: Vec<u32> = rows.iter().map(|&row| ranks[row as usize]).collect();
    let holds = |stays: u32, member: u32| {
        let (stays, member) = (rows[stays as usize], rows[member as usize]);
        finders.iter().any(|finder| finder.holds(stays, member))
    };
    let words = Words { finders, rows: &rows };
    let prefixes = if words.decide() { candidates.prefixes(&words)? } else { None };
    candidates.stars(holds, prefixes.as_ref(), &here, fixed)
}

/// The supershingles that pages must have in common, where all finders go by them.
struct Words<'a> {
    finders: &'a [Finder<'a>],
    rows: &'a [u32],
}

impl Words<'_> {
    /// Whether no finder goes by something else.
    fn decide(&self) -> bool {
        (0..self.kinds()).all(|kind| self.lengths(kind, 0).is_some())
    }
}

impl Tokens for Words<'_> {
    fn kinds(&self) -> usize {
        self.finders.len()
    }

    fn lengths(&self, kind: usize, _: u32) -> Option<Lengths> {
        let By::Supershingles { least } = self.finders[kind].wanted.by else { return None };
        let width = self.finders[kind].buckets.rows.width;
        let length = width + 1 - (least as usize).clamp(1, width.max(1));
        Some(Lengths { short: length, long: length })
    }

    fn add(&self, kind: usize, member: u32, tokens: &mut Vec<u64>) {
        let words = self.finders[kind].buckets.rows.row(self.rows[member as usize]);
        tokens.extend((1..).zip(words).map(|(at, &word)| mix(word) ^ mix(at)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::finder::{Data, Limits, Sites, Wanted};
    use crate::pairs::hamming::{Pieces, Rows};

    const PAGES: u32 = 400;

    /// Pages in families of eight: of the four values of each, and of its 128 bits, some are of its
    /// family and some of its own.
    fn made() -> (Vec<u64>, Vec<u64>) {
        let mut values = Vec::new();
        let mut bits = Vec::new();
        for page in 0..u64::from(PAGES) {
            let family = page / 8;
            for at in 0..4 {
                let own = mix(page << 8 | at).is_multiple_of(3);
                values.push(mix(if own { page << 20 | at } else { family << 40 | at }));
            }
            for at in 0..2 {
                let changed = mix(page << 16 | at) % 4;
                let flips = (0..changed).map(|n| 1 << (mix(page << 24 | at << 8 | n) % 64));
                bits.push(flips.fold(mix(family << 50 | at), |word, flip: u64| word ^ flip));
            }
        }
        (values, bits)
    }

    fn wanted(by: By, sites: Sites, most_bits: Option<u32>) -> Wanted {
        let limits = Limits { sample: 1, comparisons: 1, seed: 0 };
        Wanted { by, sites, most_bits, hot: None, limits }
    }

    #[test]
    fn stars_are_those_of_brute_force() {
        let (values, bits) = made();
        let pages: Vec<u32> = (0..PAGES).map(|page| page + 3).collect();
        let sites: Vec<u32> = (0..PAGES).map(|page| page % 2).collect();
        let groups: Vec<u32> = (0..PAGES).map(|page| page % 3).collect();
        let ranks: Vec<u32> = (0..PAGES).map(|page| mix(u64::from(page)) as u32).collect();
        let pieces = Pieces::new(128, 6).unwrap();
        let by_bits = By::Projections { most: 5, pieces, asked: None };
        let by_values = || By::Supershingles { least: 2 };
        let rules = [
            vec![wanted(by_bits.clone(), Sites::Any, None)],
            vec![wanted(by_values(), Sites::Any, Some(8))],
            vec![
                wanted(by_bits, Sites::Different, None),
                wanted(by_values(), Sites::Same, Some(8)),
            ],
        ];
        for partition in [None, Some(&groups[..])] {
            let data = Data {
                pages: &pages,
                sites: &sites,
                partition,
                supershingles: Some(Rows { words: &values, width: 4 }),
                projections: Some(Rows { words: &bits, width: 2 }),
            };
            for (rule, fixed) in rules.iter().zip([0, 103, 50]) {
                let finders: Vec<Finder<'_>> =
                    rule.iter().map(|each| Finder::new(data, each, &[]).unwrap()).collect();
                let mut found = stars(&finders, &ranks, fixed).unwrap();
                let mut order: Vec<u32> = (0..PAGES).collect();
                order.sort_by_key(|&row| (ranks[row as usize], row));
                let (mut stay, mut expected) = (Vec::new(), Vec::new());
                for row in order {
                    let holds = |&&other: &&u32| {
                        let alike = finders.iter().any(|finder| finder.holds(other, row));
                        alike && partition.is_none_or(|of| of[other as usize] == of[row as usize])
                    };
                    match stay.iter().find(holds) {
                        Some(&with) if pages[row as usize] >= fixed => {
                            expected.push((pages[row as usize], pages[with as usize]));
                        }
                        _ => stay.push(row),
                    }
                }
                found.sort_unstable();
                expected.sort_unstable();
                assert!(expected.len() > 20 && stay.len() > 60, "{}", expected.len());
                assert_eq!(found, expected);
            }
        }
    }
}
