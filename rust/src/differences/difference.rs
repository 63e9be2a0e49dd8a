//! *Difference* of two token sequences: the runs of tokens that they have in common, in order; what
//! stands between them was removed from the left or added to the right.
//!
//! A shortest difference takes time that grows with the product of length and changes. Here shingles
//! that stand once on either side are tied together first, long ones before short ones (patience
//! diff, with shingles for lines), and only the gaps between them are compared by Myers' greedy
//! algorithm (Myers 1986), up to a number of changes. So any two pages take little more than a
//! sort, and the difference is a true one but not always the shortest.

use std::collections::HashMap;
use std::ops::Range;

use crate::sketches::shingles::Shingler;

/// Tokens `left` … `left + length − 1` of one page are tokens `right` … of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    pub left: usize,
    pub right: usize,
    pub length: usize,
}

/// Tokens of the shingles that pages are tied together by, one round after the other.
const ROUNDS: [usize; 4] = [32, 8, 2, 1];
/// The most changes that Myers' algorithm looks for in a gap: its table grows with the square …
const MOST_CHANGES: usize = 1024;
/// … and its steps with the product of changes and tokens, which is kept below this.
const MOST_STEPS: usize = 1 << 28;
/// Runs of up to so many tokens between larger changes are chance, and only hinder reading.
const ISLAND: usize = 2;

/// The runs that two token sequences have in common, in order, as a reader wants them.
pub fn difference(left: &[u64], right: &[u64]) -> Vec<Run> {
    without_islands(&common_runs(left, right), left.len(), right.len())
}

/// The runs that two token sequences have in common, in order.
pub fn common_runs(left: &[u64], right: &[u64]) -> Vec<Run> {
    let pages = Pages { left, right };
    let mut runs = pages.ends();
    for k in ROUNDS {
        let shingler = Shingler::fast(k, false);
        runs = pages.refined(&runs, |gap, found| pages.tie(gap, k, &shingler, found));
    }
    let most = (MOST_STEPS / (left.len() + right.len() + 1)).clamp(1, MOST_CHANGES);
    pages.refined(&runs, |gap, found| pages.shortest(gap, most, found))
}

struct Pages<'a> {
    left: &'a [u64],
    right: &'a [u64],
}

/// What stands between two runs.
#[derive(Clone, Debug)]
struct Gap {
    left: Range<usize>,
    right: Range<usize>,
}

impl Pages<'_> {
    /// What the two begin and end with in common.
    fn ends(&self) -> Vec<Run> {
        let (n, m) = (self.left.len(), self.right.len());
        let whole = Gap { left: 0..n, right: 0..m };
        let start = self.forward(&whole, 0, 0);
        let end = self.backward(&Gap { left: start..n, right: start..m }, n, m);
        let mut runs = Vec::new();
        push(&mut runs, Run { left: 0, right: 0, length: start });
        push(&mut runs, Run { left: n - end, right: m - end, length: end });
        runs
    }

    /// How many tokens agree from these places on, within the gap.
    fn forward(&self, gap: &Gap, left: usize, right: usize) -> usize {
        let pairs = self.left[left..gap.left.end].iter().zip(&self.right[right..gap.right.end]);
        pairs.take_while(|(l, r)| l == r).count()
    }

    /// How many tokens agree before these places, within the gap.
    fn backward(&self, gap: &Gap, left: usize, right: usize) -> usize {
        let left = self.left[gap.left.start..left].iter().rev();
        left.zip(self.right[gap.right.start..right].iter().rev())
            .take_while(|(l, r)| l == r)
            .count()
    }

    /// The runs, with those added in order that `find` finds in each gap between them.
    fn refined(&self, runs: &[Run], mut find: impl FnMut(&Gap, &mut Vec<Run>)) -> Vec<Run> {
        let mut refined = Vec::with_capacity(runs.len());
        let last = Run { left: self.left.len(), right: self.right.len(), length: 0 };
        let (mut left, mut right) = (0, 0);
        for run in runs.iter().chain([&last]) {
            let gap = Gap { left: left..run.left, right: right..run.right };
            if !gap.left.is_empty() && !gap.right.is_empty() {
                find(&gap, &mut refined);
            }
            push(&mut refined, *run);
            (left, right) = (run.left + run.length, run.right + run.length);
        }
        refined
    }

    /// Finds the shingles of k tokens that stand once on either side of a gap, and of those the
    /// longest chain that is in the same order on both, extended as far as the tokens agree.
    fn tie(&self, gap: &Gap, k: usize, shingler: &Shingler, runs: &mut Vec<Run>) {
        if gap.left.len() < k || gap.right.len() < k {
            return;
        }
        let mut once: HashMap<u64, [Place; 2]> = HashMap::with_capacity(gap.left.len());
        let mut shingles = Vec::new();
        for (side, tokens) in
            [&self.left[gap.left.clone()], &self.right[gap.right.clone()]].into_iter().enumerate()
        {
            shingler.shingle(tokens, &mut shingles);
            for (at, &shingle) in shingles.iter().enumerate() {
                let seen = &mut once.entry(shingle).or_default()[side];
                *seen = if *seen == Place::Nowhere { Place::Once(at) } else { Place::Often };
            }
        }
        let mut ties: Vec<(usize, usize)> = once
            .into_values()
            .filter_map(|places| match places {
                [Place::Once(l), Place::Once(r)] => Some((gap.left.start + l, gap.right.start + r)),
                _ => None,
            })
            // Equal fingerprints are not yet equal tokens.
            .filter(|&(l, r)| self.left[l..l + k] == self.right[r..r + k])
            .collect();
        ties.sort_unstable();
        let mut rest = gap.clone();
        for (left, right) in longest_chain(&ties) {
            if left < rest.left.start || right < rest.right.start {
                continue;
            }
            let before = self.backward(&rest, left, right);
            let length = before + self.forward(&rest, left, right);
            push(runs, Run { left: left - before, right: right - before, length });
            rest.left.start = left - before + length;
            rest.right.start = right - before + length;
        }
    }

    /// Finds the runs of a shortest difference of a gap, if it has at most so many changes: for each
    /// number of changes the furthest place that is reached on each diagonal.
    fn shortest(&self, gap: &Gap, most: usize, runs: &mut Vec<Run>) {
        let size = (gap.left.len(), gap.right.len());
        if size.0.abs_diff(size.1) > most {
            return;
        }
        let mut rows: Vec<Row> = Vec::new();
        for changes in 0..=most.min(size.0 + size.1) {
            let mut row = Row::with_capacity(changes + 1);
            for i in 0..=changes {
                let far = entered(&rows, changes, i, size).map(|(x, y, _)| {
                    let snake = self.forward(gap, gap.left.start + x, gap.right.start + y);
                    (x + snake, y + snake)
                });
                row.push(far.map(|(x, _)| x as u32));
                if far == Some(size) {
                    rows.push(row);
                    return trace(&rows, i, gap, runs);
                }
            }
            rows.push(row);
        }
    }
}

/// Where a shingle stands on one side.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Nowhere,
    Once(usize),
    Often,
}

/// After d changes, how far down the left side each of the diagonals −d, −d + 2, …, d has come
/// (left less right); none where it lies outside of the gap.
type Row = Vec<Option<u32>>;

/// Where diagonal i of row d is entered, and whether by a removal: from the diagonal before it by
/// one, or from the one after it by an addition, whichever leads further.
fn entered(rows: &[Row], d: usize, i: usize, size: (usize, usize)) -> Option<(usize, usize, bool)> {
    if d == 0 {
        return Some((0, 0, false));
    }
    let reached = |i: usize| rows[d - 1].get(i).copied().flatten().map(|x| x as usize);
    let removal = i.checked_sub(1).and_then(reached).map(|x| x + 1).filter(|&x| x <= size.0);
    let addition = reached(i).filter(|&x| x + d - 2 * i <= size.1);
    let x = removal.max(addition)?;
    Some((x, x + d - 2 * i, removal == Some(x)))
}

/// Adds the runs on the way to the end of the gap, which diagonal i of the last row has reached.
fn trace(rows: &[Row], mut i: usize, gap: &Gap, runs: &mut Vec<Run>) {
    let size = (gap.left.len(), gap.right.len());
    let mut found = Vec::new();
    for d in (0..rows.len()).rev() {
        let (Some((x, y, removal)), Some(far)) = (entered(rows, d, i, size), rows[d][i]) else {
            return;
        };
        let (left, right) = (gap.left.start + x, gap.right.start + y);
        found.push(Run { left, right, length: far as usize - x });
        i -= usize::from(removal);
    }
    found.into_iter().rev().for_each(|run| push(runs, run));
}

/// Adds a run, joined with the last where it goes on from there.
fn push(runs: &mut Vec<Run>, run: Run) {
    match runs.last_mut() {
        _ if run.length == 0 => {}
        Some(last)
            if last.left + last.length == run.left && last.right + last.length == run.right =>
        {
            last.length += run.length;
        }
        _ => runs.push(run),
    }
}

/// The longest chain of ties, which ascend on the left, that also ascends on the right.
fn longest_chain(ties: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length the tie that ends a chain of it lowest, and for each tie the one before it.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(ties.len());
    for (number, &(_, right)) in ties.iter().enumerate() {
        let length = ends.partition_point(|&end| ties[end].1 < right);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(length) {
            Some(end) => *end = number,
            None => ends.push(number),
        }
    }
    let mut chain = Vec::with_capacity(ends.len());
    let mut at = ends.last().copied();
    while let Some(number) = at {
        chain.push(ties[number]);
        at = before[number];
    }
    chain.reverse();
    chain
}

/// The runs less the short ones between larger changes.
fn without_islands(runs: &[Run], left: usize, right: usize) -> Vec<Run> {
    let mut kept: Vec<Run> = Vec::with_capacity(runs.len());
    let mut end = (0, 0);
    for (number, run) in runs.iter().enumerate() {
        let stop = (run.left + run.length, run.right + run.length);
        let next = runs.get(number + 1).map_or((left, right), |next| (next.left, next.right));
        let before = (run.left - end.0).max(run.right - end.1);
        let after = (next.0 - stop.0).max(next.1 - stop.1);
        if run.length > ISLAND || run.length >= before.min(after) {
            kept.push(*run);
            end = stop;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprints::mixing::mix;

    fn numbers(text: &str) -> Vec<u64> {
        text.bytes().map(u64::from).collect()
    }

    fn run(left: usize, right: usize, length: usize) -> Run {
        Run { left, right, length }
    }

    /// The runs ascend, lie within both pages, and have the same tokens on both sides.
    fn checked(left: &[u64], right: &[u64]) -> Vec<Run> {
        let runs = difference(left, right);
        let mut end = (0, 0);
        for run in &runs {
            assert!(run.length > 0 && run.left >= end.0 && run.right >= end.1, "{runs:?}");
            assert!((run.left, run.right) != end || end == (0, 0), "{runs:?} could be joined");
            end = (run.left + run.length, run.right + run.length);
            assert_eq!(left[run.left..end.0], right[run.right..end.1]);
        }
        runs
    }

    fn equal(runs: &[Run]) -> usize {
        runs.iter().map(|run| run.length).sum()
    }

    /// Tokens from a small or large alphabet, the same for the same seed.
    fn chance(seed: u64, length: usize, alphabet: u64) -> Vec<u64> {
        (0..length as u64).map(|i| mix(mix(seed) ^ i) % alphabet).collect()
    }

    #[test]
    fn differences_worked_out_by_hand() {
        let found = |left: &str, right: &str| checked(&numbers(left), &numbers(right));
        assert_eq!(found("", ""), []);
        assert_eq!(found("abc", ""), []);
        assert_eq!(found("abc", "xyz"), []);
        assert_eq!(found("abc", "abc"), [run(0, 0, 3)]);
        assert_eq!(found("abcd", "abxd"), [run(0, 0, 2), run(3, 3, 1)]);
        assert_eq!(found("abc", "zabc"), [run(0, 1, 3)]);
        assert_eq!(found("aaaa", "aa"), [run(0, 0, 2)]);
        // Nothing stands once, so Myers' algorithm has to find it.
        assert_eq!(found("xabababy", "zbababaw").len(), 1);
        // A moved block: the longer one keeps its place.
        assert_eq!(found("123abcdefgh", "abcdefgh123"), [run(3, 0, 8)]);
    }

    #[test]
    fn a_lone_word_between_larger_changes_is_part_of_them() {
        let found = |left: &str, right: &str| checked(&numbers(left), &numbers(right));
        assert_eq!(found("abc-def", "uvw-xyz"), []);
        assert_eq!(found("abc---def", "uvw---xyz"), [run(3, 3, 3)]);
        assert_eq!(found("a-d", "u-x"), [run(1, 1, 1)]);
    }

    #[test]
    fn gaps_are_compared_as_shortly_as_can_be() {
        for seed in 0..300 {
            let left = chance(seed, (seed % 23) as usize, 3);
            let right = chance(seed + 1000, (seed % 19) as usize, 3);
            let pages = Pages { left: &left, right: &right };
            let mut runs = Vec::new();
            let gap = Gap { left: 0..left.len(), right: 0..right.len() };
            pages.shortest(&gap, 100, &mut runs);
            // The longest common subsequence by its definition.
            let mut table = vec![vec![0; right.len() + 1]; left.len() + 1];
            for (i, l) in left.iter().enumerate() {
                for (j, r) in right.iter().enumerate() {
                    table[i + 1][j + 1] =
                        if l == r { table[i][j] + 1 } else { table[i][j + 1].max(table[i + 1][j]) };
                }
            }
            assert_eq!(equal(&runs), table[left.len()][right.len()], "{left:?} {right:?}");
            checked(&left, &right);
        }
    }

    #[test]
    fn large_pages_alike_changed_and_different() {
        let page = chance(1, 100_000, 20_000);
        assert_eq!(checked(&page, &page), [run(0, 0, 100_000)]);
        let mut edited = page.clone();
        for place in (50..edited.len()).step_by(100) {
            edited[place] = u64::MAX;
        }
        assert_eq!(equal(&checked(&page, &edited)), 99_000);
        // A block in the middle of two that have nothing else in common.
        let middle = |seed: u64, before: usize, after: usize| {
            let (before, after) = (chance(seed, before, 1 << 60), chance(seed + 1, after, 1 << 60));
            [&before, &page[..40_000], &after].into_iter().flatten().copied().collect::<Vec<_>>()
        };
        let found = checked(&middle(10, 30_000, 9_000), &middle(20, 7_000, 50_000));
        assert_eq!(found, [run(30_000, 7_000, 40_000)]);
        assert_eq!(checked(&page, &chance(2, 100_000, 1 << 60)), []);
    }

    #[test]
    fn pages_on_which_nothing_stands_once() {
        for alphabet in [1, 2, 5, 300] {
            let (left, right) = (chance(3, 60_000, alphabet), chance(4, 50_000, alphabet));
            checked(&left, &right);
            let mut edited = left.clone();
            edited[20_000] = 7777;
            edited.remove(40_000);
            assert_eq!(equal(&checked(&left, &edited)), 59_998);
        }
    }
}
