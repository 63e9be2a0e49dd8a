//! Any small numbers as paragraphs of documents: which are equal, match, are near or share enough is what
//! comparing each with each other one gives.

use _core::documents::duplicates::Documents;
use _core::documents::growth::Growth;
use _core::documents::near_duplicates::unite_near;
use _core::documents::shared_paragraphs::{Counter, Index, Wanted, shared};
use _core::groups::clusters::Forest;

use super::input::{Input, flat, joined};

pub fn run(data: &[u8]) {
    let mut input = Input(data);
    let (share, different) =
        (f64::from(input.byte() % 100 + 1) / 100.0, u64::from(input.byte()) % 64 + 1);
    let (most, steps) = (input.below(8), input.below(4) + 1);
    let lists = input.lists(50, different);
    let (values, starts, ends) = flat(&lists);
    let all = Documents::new(&values, &starts, &ends).expect("lists in order");
    let count = lists.len();
    let sorted: Vec<Vec<u64>> = (0..count as u32).map(|each| all.multiset(each)).collect();
    let some = |one: usize, other: usize| !lists[one].is_empty() && !lists[other].is_empty();
    let equal = |one: usize, other: usize| some(one, other) && sorted[one] == sorted[other];
    let names = |unite: &dyn Fn(&Forest)| {
        let forest = Forest::new(count as u32);
        unite(&forest);
        forest.clusters().0
    };
    let equals = joined(count, equal);
    assert_eq!(names(&|forest| all.unite_equal(forest)), equals);
    assert_eq!(
        names(&|forest| all.unite_identical(forest)),
        joined(count, |one, other| some(one, other) && lists[one] == lists[other])
    );
    let found_in = |one: usize, other: usize| lists[one].iter().all(|v| lists[other].contains(v));
    let matches = |one: usize, other: usize| {
        some(one, other)
            && lists[one].len() == lists[other].len()
            && (found_in(one, other) || found_in(other, one))
    };
    let mut counts = vec![0; count];
    for (document, &name) in equals.iter().enumerate() {
        counts[name as usize] += u32::from(!lists[document].is_empty());
    }
    let forest = Forest::new(count as u32);
    all.unite_equal(&forest);
    let pairs = all.unite_matching(&counts, &forest);
    let matched = joined(count, matches);
    assert_eq!(forest.clusters().0, matched);
    let mut expected = 0;
    for one in 0..count {
        expected +=
            (0..one).filter(|&other| matches(one, other) && !equal(one, other)).count() as u64;
    }
    assert_eq!(pairs, expected);
    // Near, of documents no two of which are equal.
    let standing: Vec<u32> =
        (0..count as u32).filter(|&each| equals[each as usize] == each).collect();
    let near = |one: usize, other: usize| {
        let is = |at: usize| standing.binary_search(&(at as u32)).is_ok();
        let longer = lists[one].len().max(lists[other].len()) as f64;
        some(one, other)
            && is(one)
            && is(other)
            && common(&sorted[one], &sorted[other]) as f64 / longer >= share
    };
    assert_eq!(names(&|forest| unite_near(&all, &standing, share, forest)), joined(count, near));
    for paper in [false, true] {
        let growth = Growth::new(all, paper);
        let order: Vec<u32> = (0..count as u32).rev().collect();
        let mut left = &*order;
        for step in (1..=steps).rev() {
            let part = left.len().div_ceil(step);
            growth.step(left, part);
            left = &left[part..];
        }
        let expected = if paper { &matched } else { &equals };
        assert_eq!(&growth.forest().clusters().0, expected);
    }
    index(&lists, &all, most);
}

/// How many paragraphs two multisets have in common.
fn common(one: &[u64], other: &[u64]) -> usize {
    let mut rest = other.to_vec();
    let mut take = |value: &&u64| {
        let at = rest.iter().position(|each| each == *value);
        at.map(|at| rest.swap_remove(at)).is_some()
    };
    one.iter().filter(&mut take).count()
}

/// New documents looked up among the same ones.
fn index(lists: &[Vec<u64>], all: &Documents<'_>, most: usize) {
    let index = Index::new(all, most);
    let mut counter = Counter::default();
    for (document, own) in lists.iter().enumerate() {
        let wanted = Wanted { document: document as u32, own: Some(0), others: false };
        let found = index.look_up(all, all, all, wanted, 1, &mut counter);
        let mut values = own.clone();
        values.sort_unstable();
        values.dedup();
        let holders = |value: &u64| lists.iter().filter(|other| other.contains(value)).count();
        let kept: Vec<u64> = values.iter().copied().filter(|v| holders(v) <= most).collect();
        assert_eq!(found.left_out as usize, values.len() - kept.len());
        for (old, other) in lists.iter().enumerate() {
            let all = values.iter().filter(|value| other.contains(value)).count() as u32;
            // Found through one that is not left out, or by its address, it is counted with all.
            let found_by = old == 0 || kept.iter().any(|value| other.contains(value));
            let told = found.links.iter().find(|link| link.old as usize == old);
            assert_eq!(told.map_or(0, |link| link.shared), if found_by { all } else { 0 });
            let (shared, chars) = shared(own, own, other);
            assert_eq!(shared, all);
            assert!(chars <= own.iter().sum());
        }
    }
}
