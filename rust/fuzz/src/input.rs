//! What a fuzzer gives, taken apart: few bytes that choose, then text, sequences or tables of numbers.

/// The bytes that are left. Where there are none any more, all are 0.
#[derive(Clone, Copy)]
pub struct Input<'a>(pub &'a [u8]);

impl<'a> Input<'a> {
    pub fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    /// A number below this one, which is not 0.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::from(self.byte()) % limit
    }

    /// The next so many bytes, or all that are left.
    pub fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// All that is left in two parts; the next byte says where it is cut, in 256ths.
    pub fn two(&mut self) -> (&'a [u8], &'a [u8]) {
        let share = usize::from(self.byte());
        self.0.split_at(self.0.len() * share / 255)
    }

    /// Lists of at most so many small numbers: of each its length, then the numbers. Few different
    /// ones, so that lists have some in common.
    pub fn lists(&mut self, most: usize, different: u64) -> Vec<Vec<u64>> {
        let mut lists = Vec::new();
        while !self.0.is_empty() && lists.len() < most {
            let length = usize::from(self.byte() & 31);
            lists.push(self.take(length).iter().map(|&each| u64::from(each) % different).collect());
        }
        lists
    }
}

/// Bytes as text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Lists one after the other, and where each starts and ends.
pub fn flat(lists: &[Vec<u64>]) -> (Vec<u64>, Vec<i64>, Vec<i64>) {
    let (mut values, mut starts, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    for list in lists {
        starts.push(values.len() as i64);
        values.extend_from_slice(list);
        ends.push(values.len() as i64);
    }
    (values, starts, ends)
}

/// For each of so many the lowest that a chain of pairs joins it with, by trying until nothing changes.
pub fn joined(count: usize, holds: impl Fn(usize, usize) -> bool) -> Vec<u32> {
    let below = |right: usize| (0..right).map(move |left| (left, right));
    let mut pairs: Vec<_> = (0..count).flat_map(below).collect();
    pairs.retain(|&(left, right)| holds(left, right));
    let mut names: Vec<u32> = (0..count as u32).collect();
    loop {
        let before = names.clone();
        for &(left, right) in &pairs {
            let lowest = names[left].min(names[right]);
            (names[left], names[right]) = (lowest, lowest);
        }
        if names == before {
            return names;
        }
    }
}
