//! Any small numbers as chunks of units: the pairs that share enough are those that counting gives, by
//! either method and within any room.

use std::env::temp_dir;

use _core::overlap::lists::Sides;
use _core::overlap::postings::Postings;
use _core::overlap::search::{Method, Search};
use _core::overlap::sets::Sets;
use _core::overlap::sorted::Overlap;
use _core::overlap::stars::Stars;

use super::input::Input;

pub fn run(data: &[u8]) {
    let mut input = Input(data);
    let (bits, least) = (input.byte(), u32::from(input.byte() % 6) + 1);
    let (room, most) = (usize::from(input.byte()) * 64, u32::from(input.byte() % 16) + 1);
    let different = u64::from(input.byte()) + 1;
    let units = input.lists(60, different);
    let count = units.len() as u32;
    let spread = |&value: &u64| value.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut sets = Sets::new(least as usize, room, &temp_dir());
    let mut postings = Postings::new(room, &temp_dir());
    let mut distinct: Vec<Vec<u64>> = units.clone();
    for (unit, own) in (0..).zip(&mut distinct) {
        let chunks: Vec<u64> = own.iter().map(spread).collect();
        sets.add(unit, &chunks, 0).expect("files");
        own.sort_unstable();
        own.dedup();
        postings.add(unit, own.iter().map(spread)).expect("files");
    }
    let copies = sets.close(count).expect("memory");
    for (unit, &stands) in (0..).zip(&*copies.stands) {
        let same = |&other: &usize| units[other] == units[unit];
        let first = (0..unit).find(same).filter(|_| distinct[unit].len() >= least as usize);
        assert_eq!(stands as usize, first.unwrap_or(unit));
    }
    let sides = if bits & 1 == 0 { Sides::Within } else { Sides::Across(count / 2) };
    let most = (bits & 2 != 0).then_some(most);
    let method = [None, Some(Method::Sorted), Some(Method::Coarse)][usize::from(bits >> 2) % 3];
    let inverted = postings.invert(sides, count, most).expect("memory");
    let mut search = Search::new(inverted, least, room, method).expect("memory");
    (0..search.functions()).for_each(|_| search.filter());
    let mut found = Vec::new();
    while let Some(some) = search.some() {
        found.extend(some);
    }
    let holders = |value: &u64| distinct.iter().filter(|own| own.contains(value)).count();
    let counts = |value: &&u64| most.is_none_or(|most| holders(value) <= most as usize);
    let mut expected = Vec::new();
    for left in 0..count {
        for right in left + 1..count {
            let own = &distinct[left as usize];
            let both = own.iter().filter(|value| distinct[right as usize].contains(value));
            let shared = both.filter(counts).count() as u32;
            let apart = matches!(sides, Sides::Within) || left < count / 2 && right >= count / 2;
            if apart && shared >= least {
                expected.push(Overlap { left, right, shared });
            }
        }
    }
    assert_eq!(found, expected);
    let mut stars = Stars::new(count, Some(vec![false; count as usize])).expect("memory");
    found.iter().for_each(|pair| stars.add(pair.left, pair.right, pair.shared));
    for gone in stars.gone() {
        let (with, _) = stars.of(gone);
        assert!(with < gone && stars.of(with).0 == with);
    }
}
