//! Any small numbers as supershingles and projections: the pairs are those that comparing each page with
//! each other one gives, and so are the stars.

use _core::groups::clusters::Forest;
use _core::pairs::clustering::Clustering;
use _core::pairs::features_in_common::{FeatureRows, in_common};
use _core::pairs::finder::{By, Data, Finder, Limits, Sites, Wanted};
use _core::pairs::hamming::{Pieces, Rows};
use _core::pairs::pairing::Pairing;
use _core::pairs::stars::stars;

use super::input::{Input, joined};

const WORDS: usize = 6;

pub fn run(data: &[u8]) {
    let mut input = Input(data);
    let (bits, least, most) = (input.byte(), input.below(WORDS) + 1, input.below(50));
    let different = u64::from(input.byte() % 8) + 1;
    let pieces = Pieces::new(384, (most as u32 + 1).max(12)).expect("not too few");
    let wanted = Wanted {
        by: if bits & 1 == 0 {
            By::Supershingles { least: least as u32 }
        } else {
            By::Projections { most: most as u32, pieces, asked: None }
        },
        sites: [Sites::Any, Sites::Same, Sites::Different][usize::from(bits >> 1) % 3],
        most_bits: (bits & 8 != 0).then_some(most as u32),
        hot: None,
        limits: Limits { sample: 10, comparisons: 1000, seed: 1 },
    };
    let (mut sites, mut supershingles, mut projections) = (Vec::new(), Vec::new(), Vec::new());
    while !input.0.is_empty() && sites.len() < 50 {
        let site = u32::from(input.byte() % 4);
        sites.push(if site == 3 { u32::MAX } else { site });
        supershingles.extend((0..WORDS).map(|_| u64::from(input.byte()) % different));
        // All zeros but for a few bits.
        let mut row = [0u64; WORDS];
        for _ in 0..input.below(16) {
            let at = input.below(256) * 3 / 2;
            row[at / 64] ^= 1 << (at % 64);
        }
        projections.extend(row);
    }
    let count = sites.len();
    let pages: Vec<u32> = (0..count as u32).map(|at| 3 * at + 1).collect();
    let partition: Vec<u32> = sites.iter().map(|site| site % 2).collect();
    let data = Data {
        pages: &pages,
        sites: &sites,
        partition: (bits & 16 != 0).then_some(&partition),
        supershingles: Some(Rows { words: &supershingles, width: WORDS }),
        projections: Some(Rows { words: &projections, width: WORDS }),
    };
    let finder = Finder::new(data, &wanted, &[]).expect("all is there");
    let mut expected = Vec::new();
    for right in 0..count as u32 {
        expected.extend((0..right).filter(|&left| finder.holds(left, right)).map(|l| (l, right)));
    }
    expected.sort_unstable();
    let mut pairing = Pairing::new(wanted.clone(), count);
    let mut found = Vec::new();
    while let Some(pairs) = pairing.next(data) {
        found.extend(pairs.into_iter().map(|pair| (pair.left, pair.right)));
    }
    found.sort_unstable();
    assert_eq!(found, expected);
    assert_eq!(pairing.counts.given as usize, expected.len());
    let degrees: u64 = pairing.degrees.iter().map(|&each| u64::from(each)).sum();
    assert_eq!(degrees, 2 * expected.len() as u64);
    let forest = Forest::new(3 * count as u32 + 1);
    let mut clustering = Clustering::new(&finder, &forest);
    while clustering.step() {}
    let names = joined(count, |l, r| expected.binary_search(&(l as u32, r as u32)).is_ok());
    for (row, &name) in names.iter().enumerate() {
        assert_eq!(forest.root(pages[row]), pages[name as usize]);
    }
    let ranks: Vec<u32> = (0..count as u32).map(|at| at.wrapping_mul(7) % 5).collect();
    let mut going = stars(std::slice::from_ref(&finder), &ranks, 5).expect("memory");
    going.sort_unstable();
    let mut order: Vec<u32> = (0..count as u32).collect();
    order.sort_by_key(|&at| (ranks[at as usize], at));
    let (mut stay, mut gone): (Vec<u32>, Vec<(u32, u32)>) = (Vec::new(), Vec::new());
    for row in order {
        let page = |row: u32| pages[row as usize];
        let first = stay.iter().find(|&&other| finder.holds(other, row));
        match first.filter(|_| page(row) >= 5) {
            Some(&with) => gone.push((page(row), page(with))),
            None => stay.push(row),
        }
    }
    gone.sort_unstable();
    assert_eq!(going, gone);
    let rows = FeatureRows::new(&supershingles, WORDS).expect("whole rows");
    let all = in_common(rows, rows, &expected).expect("rows that are there");
    assert_eq!(all.len(), expected.len());
    assert_eq!(in_common(rows, rows, &[(count as u32, 0)]), None);
}
