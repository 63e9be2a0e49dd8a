//! The distinct shingles of some pages, as whoever compares pages is given them.

/// The ascending sets of distinct shingles: set i is `values[starts[i]..ends[i]]`, and there is
/// none where the start is negative.
#[derive(Clone, Copy)]
pub struct Sets<'a> {
    pub values: &'a [u64],
    pub starts: &'a [i64],
    pub ends: &'a [i64],
}

impl<'a> Sets<'a> {
    /// The values of a member, if they are known.
    pub fn get(&self, member: usize) -> Option<&'a [u64]> {
        let start = usize::try_from(self.starts[member]).ok()?;
        Some(&self.values[start..self.ends[member] as usize])
    }

    /// Whether all bounds lie within the values.
    pub fn are_valid(&self) -> bool {
        let total = self.values.len() as i64;
        let inside = |(&start, &end): (&i64, &i64)| start < 0 || start <= end && end <= total;
        self.starts.len() == self.ends.len() && self.starts.iter().zip(self.ends).all(inside)
    }

    /// Whether no set is missing.
    pub fn are_complete(&self) -> bool {
        self.starts.iter().all(|&start| start >= 0)
    }
}
