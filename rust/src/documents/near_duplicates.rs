//! *Near-duplicates* at p: documents that have common paragraphs / max(n₁, n₂) ≥ p (Pereira 2006,
//! Definition 5); common ones are those of the multisets: a paragraph counts as often as it stands in
//! both. Their clusters are found, not each pair, and are those that all pairs make.
//!
//! Equal documents come as one. What is compared are *items*: a set of elements (an element is a
//! paragraph and how often it came before in its document) and a length n. Two items make a pair if
//! they share at least p · max(n₁, n₂) elements. Elements are ordered by how many items have them, the
//! rarest first. If two items share t elements, the rarest that they share is among the first
//! |S| − t + 1 of either (its *prefix*), so only items are compared that have an element of both
//! prefixes in common.
//!
//! A paragraph that very many documents have would make that quadratic. So a pair is looked for through
//! elements that at most some items have. Pairs that share none of those share only hot elements. What
//! two documents share of these depends on their hot elements and lengths alone; so documents that agree
//! in both become one item (and are near-duplicates, if the hot elements are enough for that at all),
//! the other elements are dropped, and it begins again, with fewer items and shorter sets, of which
//! fewer elements are hot. Each time four times as many items may have an element that is not hot, so
//! that it ends.
//!
//! Where documents have no rare element, because all are put together from a few hundred paragraphs,
//! nothing is pruned but by length, and the time grows with the square of such documents.

use rayon::prelude::*;

use super::duplicates::Documents;
use crate::groups::clusters::Forest;
use crate::interrupts::heed;

/// Items that may have an element in common before it is hot, at first.
const HOT: u32 = 128;

/// The fewest of n paragraphs that are a share of at least p.
fn least(p: f64, n: u32) -> u32 {
    let near = (p * f64::from(n)).ceil() as u32;
    // The quotient decides, as the definition has it; products are rounded otherwise.
    let enough = |count: u32| f64::from(count) / f64::from(n) >= p;
    (near.saturating_sub(1)..=near + 1).find(|&count| enough(count)).unwrap_or(n).max(1)
}

/// Items in the order of their lengths.
struct Items {
    /// Where the set of each ends; it starts where the one before ends.
    ends: Vec<usize>,
    /// Ascending in each set; the rarest elements have the lowest numbers.
    elements: Vec<u32>,
    lengths: Vec<u32>,
    /// A document of each.
    documents: Vec<u32>,
}

impl Items {
    fn empty() -> Items {
        Items { ends: vec![], elements: vec![], lengths: vec![], documents: vec![] }
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn set(&self, item: usize) -> &[u32] {
        let start = if item == 0 { 0 } else { self.ends[item - 1] };
        &self.elements[start..self.ends[item]]
    }

    fn push(&mut self, elements: impl Iterator<Item = u32>, length: u32, document: u32) {
        self.elements.extend(elements);
        self.ends.push(self.elements.len());
        self.lengths.push(length);
        self.documents.push(document);
    }
}

/// Unites the near-duplicates at p among these documents, no two of which are equal.
pub fn unite_near(all: &Documents<'_>, wanted: &[u32], p: f64, forest: &Forest) {
    unite_near_hot(all, wanted, p, forest, HOT);
}

fn unite_near_hot(all: &Documents<'_>, wanted: &[u32], p: f64, forest: &Forest, hot: u32) {
    let mut items = items(all, wanted);
    let mut hot = hot;
    while items.len() > 1 {
        items = alike_as_one(&items, p, forest);
        let counts = ordered(&mut items);
        // The first element that is hot, in the new order.
        let first_hot = counts.partition_point(|&count| count <= hot) as u32;
        unite_sharing(&items, p, first_hot, forest);
        items = kept(&items, |element| element >= first_hot, p);
        hot = hot.saturating_mul(4);
    }
}

/// The documents as items, without elements that no other has.
fn items(all: &Documents<'_>, wanted: &[u32]) -> Items {
    let mut documents: Vec<u32> =
        wanted.iter().copied().filter(|&each| !all.paragraphs(each).is_empty()).collect();
    documents.par_sort_by_key(|&each| (all.paragraphs(each).len(), each));
    let lengths: Vec<u32> =
        documents.iter().map(|&each| all.paragraphs(each).len() as u32).collect();
    let ends: Vec<usize> = lengths
        .iter()
        .scan(0, |end, &length| {
            *end += length as usize;
            Some(*end)
        })
        .collect();
    // Each paragraph with how often it came before in its document, and its item.
    let mut found: Vec<(u64, u32, u32)> = documents
        .par_iter()
        .enumerate()
        .flat_map_iter(|(item, &document)| {
            let mut before = (0, 0);
            all.multiset(document).into_iter().enumerate().map(move |(at, value)| {
                before =
                    if at > 0 && before.0 == value { (value, before.1 + 1) } else { (value, 0) };
                (value, before.1, item as u32)
            })
        })
        .collect();
    found.par_sort_unstable();
    let mut elements = vec![0u32; found.len()];
    let mut places: Vec<usize> = ends.iter().zip(&lengths).map(|(e, &n)| e - n as usize).collect();
    let mut number = 0;
    for group in found.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        if group.len() > 1 {
            for each in group {
                let place = &mut places[each.2 as usize];
                elements[*place] = number;
                *place += 1;
            }
            number += 1;
        }
    }
    let mut items = Items::empty();
    for item in 0..documents.len() {
        let start = ends[item] - lengths[item] as usize;
        let set = elements[start..places[item]].iter().copied();
        items.push(set, lengths[item], documents[item]);
    }
    items
}

/// Unites documents of one length whose sets agree, and leaves one item for them; items whose sets are
/// too small for any pair go.
fn alike_as_one(items: &Items, p: f64, forest: &Forest) -> Items {
    let mut order: Vec<u32> =
        (0..items.len() as u32).filter(|&item| is_enough(items, item as usize, p)).collect();
    let keyed = |&item: &u32| (items.lengths[item as usize], items.set(item as usize));
    order.par_sort_unstable_by(|a, b| keyed(a).cmp(&keyed(b)).then(a.cmp(b)));
    let mut left = Items::empty();
    for group in order.chunk_by(|a, b| keyed(a) == keyed(b)) {
        let first = group[0] as usize;
        for &other in &group[1..] {
            forest.unite(items.documents[first], items.documents[other as usize]);
        }
        let set = items.set(first).iter().copied();
        left.push(set, items.lengths[first], items.documents[first]);
    }
    left
}

fn is_enough(items: &Items, item: usize, p: f64) -> bool {
    items.set(item).len() >= least(p, items.lengths[item]) as usize
}

/// Numbers the elements anew, the rarest first, and gives how many items have each.
fn ordered(items: &mut Items) -> Vec<u32> {
    let known = items.elements.iter().max().map_or(0, |&highest| highest as usize + 1);
    let mut counts = vec![0u32; known];
    for &element in &items.elements {
        counts[element as usize] += 1;
    }
    let mut order: Vec<u32> = (0..known as u32).collect();
    order.par_sort_unstable_by_key(|&element| (counts[element as usize], element));
    let mut numbers = vec![0u32; known];
    for (number, &element) in order.iter().enumerate() {
        numbers[element as usize] = number as u32;
    }
    let mut sets: Vec<&mut [u32]> = Vec::with_capacity(items.ends.len());
    let (mut rest, mut start) = (&mut items.elements[..], 0);
    for &end in &items.ends {
        let (set, after) = rest.split_at_mut(end - start);
        sets.push(set);
        (rest, start) = (after, end);
    }
    sets.into_par_iter().for_each(|set| {
        set.iter_mut().for_each(|element| *element = numbers[*element as usize]);
        set.sort_unstable();
    });
    order.iter().map(|&element| counts[element as usize]).collect()
}

/// Unites items that make a pair and share an element below the first hot one.
fn unite_sharing(items: &Items, p: f64, first_hot: u32, forest: &Forest) {
    // Element and item, as one number that sorts quickly.
    let mut found: Vec<u64> = (0..items.len())
        .into_par_iter()
        .flat_map_iter(|item| {
            let set = items.set(item);
            let prefix = set.len() + 1 - least(p, items.lengths[item]) as usize;
            let rare = set[..prefix].iter().take_while(move |&&element| element < first_hot);
            rare.map(move |&element| u64::from(element) << 32 | item as u64)
        })
        .collect();
    found.par_sort_unstable();
    let groups: Vec<&[u64]> = found.chunk_by(|a, b| a >> 32 == b >> 32).collect();
    groups.into_par_iter().for_each(|group| unite_group(items, p, group, forest));
}

/// Unites the items of a group that make a pair, each entry an item in its lower half. What is one
/// cluster already is not compared with itself: one item, the anchor, stands for most of it.
fn unite_group(items: &Items, p: f64, group: &[u64], forest: &Forest) {
    let root = |&entry: &u64| forest.root(items.documents[entry as u32 as usize]);
    let anchor = most_frequent(group, root);
    // Those that are not yet compared with all others, nor in the anchor's cluster.
    let mut apart: Vec<usize> = (0..group.len()).collect();
    while !apart.is_empty() {
        let known = root(&group[anchor]);
        apart.retain(|&at| root(&group[at]) != known);
        let (mut done, mut united) = (0, 0);
        while done < apart.len() && 2 * united <= apart.len() {
            heed();
            united += unite_one(items, p, group, apart[done], forest);
            done += 1;
        }
        apart.drain(..done);
    }
}

/// Where an entry is whose root more than half have, if there is such a root.
fn most_frequent(group: &[u64], root: impl Fn(&u64) -> u32) -> usize {
    let (mut found, mut lead) = (0, 0usize);
    for (at, entry) in group.iter().enumerate() {
        if lead == 0 {
            (found, lead) = (at, 1);
        } else if root(&group[found]) == root(entry) {
            lead += 1;
        } else {
            lead -= 1;
        }
    }
    found
}

/// Unites one item of a group with all others that it makes a pair with; gives how often.
fn unite_one(items: &Items, p: f64, group: &[u64], at: usize, forest: &Forest) -> usize {
    let item = |at: usize| group[at] as u32 as usize;
    let mut united = 0;
    let mut unite = |left: usize, right: usize, needed: usize| {
        let (a, b) = (items.documents[left], items.documents[right]);
        if forest.root(a) != forest.root(b) && share(items.set(left), items.set(right), needed) {
            forest.unite(a, b);
            united += 1;
        }
    };
    let (own, most) = (item(at), items.set(item(at)).len());
    // Items come in the order of their lengths: the longer of two says how much is needed, and beyond
    // one that is too long, or too short, all are.
    for other in at + 1..group.len() {
        let needed = least(p, items.lengths[item(other)]) as usize;
        if needed > most {
            break;
        }
        unite(own, item(other), needed);
    }
    let needed = least(p, items.lengths[own]) as usize;
    for other in (0..at).rev() {
        if (items.lengths[item(other)] as usize) < needed {
            break;
        }
        unite(item(other), own, needed);
    }
    united
}

/// Whether two ascending sets have so many elements in common.
fn share(left: &[u32], right: &[u32], needed: usize) -> bool {
    let (mut i, mut j, mut missing) = (0, 0, needed);
    while missing > 0 {
        if (left.len() - i).min(right.len() - j) < missing {
            return false;
        }
        let (a, b) = (left[i], right[j]);
        i += usize::from(a <= b);
        j += usize::from(b <= a);
        missing -= usize::from(a == b);
    }
    true
}

/// The items with some of their elements only, as far as these are enough for a pair.
fn kept(items: &Items, keep: impl Fn(u32) -> bool, p: f64) -> Items {
    let mut left = Items::empty();
    for item in 0..items.len() {
        let set = items.set(item).iter().copied().filter(|&element| keep(element));
        let (before, length) = (left.elements.len(), items.lengths[item]);
        left.push(set, length, items.documents[item]);
        if left.elements.len() - before < least(p, length) as usize {
            left.elements.truncate(before);
            left.ends.pop();
            left.lengths.pop();
            left.documents.pop();
        }
    }
    left
}

#[cfg(test)]
mod tests;
