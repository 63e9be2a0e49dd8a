//! Both ways against counting each pair by itself.

use super::coarse::{Filters, plan};
use super::lists::{Lists, Sides};
use super::postings::Postings;
use super::sorted::{Overlap, Sorting, passes};
use crate::fingerprints::mixing::mix;

/// Pages whose chunks are drawn from a few hundred, some of them far more often than others.
fn pages(seed: u64, count: u64) -> Vec<Vec<u64>> {
    (0..count)
        .map(|page| {
            let draw = |at: u64| mix(mix(seed << 40 | page) + at);
            let length = draw(999) % 40;
            let mut chunks: Vec<u64> = (0..length)
                .map(|at| {
                    let value = draw(at);
                    mix(value % (4 << (value >> 60 & 7)))
                })
                .collect();
            chunks.sort_unstable();
            chunks.dedup();
            chunks
        })
        .collect()
}

fn brute_force(pages: &[Vec<u64>], sides: Sides, shared: u32) -> Vec<Overlap> {
    let mut found = Vec::new();
    for (left, ones) in pages.iter().enumerate() {
        for (right, others) in pages.iter().enumerate().skip(left + 1) {
            let count = ones.iter().filter(|chunk| others.contains(chunk)).count() as u32;
            let (left, right) = (left as u32, right as u32);
            let wanted = match sides {
                Sides::Within => true,
                Sides::Across(first) => left < first && right >= first,
            };
            if wanted && count >= shared {
                found.push(Overlap { left, right, shared: count });
            }
        }
    }
    found
}

fn lists(pages: &[Vec<u64>], sides: Sides, room: usize) -> Lists {
    let mut postings = Postings::new(room, &std::env::temp_dir());
    for (page, chunks) in pages.iter().enumerate() {
        postings.add(page as u32, chunks.iter().copied()).unwrap();
    }
    postings.invert(sides, pages.len() as u32, None).unwrap().lists
}

#[test]
fn both_ways_equal_brute_force_whatever_the_room() {
    let (mut found_any, mut sorting) = (0, Sorting::default());
    for seed in 0..6 {
        let pages = pages(seed, 150);
        for sides in [Sides::Within, Sides::Across(60)] {
            for shared in [1, 2, 5, 15] {
                let expected = brute_force(&pages, sides, shared);
                found_any += usize::from(!expected.is_empty());
                let mut lists = lists(&pages, sides, 1000 * seed as usize);
                lists.prune(shared).unwrap();
                for room in [1 << 20, 3000, 7] {
                    let all = |_: u32, _: u32| true;
                    let sorted: Vec<Overlap> = passes(&lists, room, all)
                        .iter()
                        .flat_map(|pass| sorting.count(&lists, pass, shared, all))
                        .collect();
                    assert_eq!(sorted, expected, "{seed} {sides:?} {shared} {room}");
                }
                for (functions, cells) in [(1, 64), (2, 1000), (4, 5000)] {
                    let mut filters = Filters::default();
                    (0..functions).for_each(|_| filters.add(&lists, shared, cells));
                    let passes = filters.passes(&lists, 2000);
                    let coarse: Vec<Overlap> = passes
                        .iter()
                        .flat_map(|pass| filters.count(&mut sorting, &lists, pass, shared))
                        .collect();
                    assert_eq!(coarse, expected, "{seed} {sides:?} {shared} {functions}");
                    let sum: u64 = expected.iter().map(|each| u64::from(each.shared)).sum();
                    assert_eq!(filters.done.len(), functions);
                    assert_eq!(filters.done[0].before, lists.size().pairs);
                    assert!(filters.done.iter().all(|done| done.left >= sum));
                    assert!(filters.done.windows(2).all(|two| two[0].left == two[1].before));
                }
            }
        }
    }
    assert!(found_any > 30, "{found_any}");
}

#[test]
fn the_plan_foretells_what_is_left() {
    let pages = pages(3, 4000);
    let mut lists = lists(&pages, Sides::Within, 1 << 30);
    lists.prune(12).unwrap();
    let found = plan(&lists, 12, 1 << 21);
    let mut filters = Filters::default();
    (0..found.functions).for_each(|_| filters.add(&lists, 12, found.cells));
    let passes = filters.passes(&lists, 1 << 20);
    let mut sorting = Sorting::default();
    let enough: Vec<Overlap> =
        passes.iter().flat_map(|pass| filters.count(&mut sorting, &lists, pass, 12)).collect();
    let sum: u64 = enough.iter().map(|each| u64::from(each.shared)).sum();
    let left = (filters.done.last().unwrap().left - sum) as f64;
    println!("{found:?} {:?} {} {left}", filters.done, enough.len());
    assert!((found.enough - enough.len() as f64).abs() < 0.2 * enough.len() as f64);
    assert!((found.false_left - left).abs() < 0.2 * left.max(5000.0));
}
