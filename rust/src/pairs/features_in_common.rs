//! How many features two versions of a page have in common, position by position (Fetterly 2004,
//! Figures 8 to 11).

use rayon::prelude::*;

/// Features of pages, row after row.
#[derive(Debug, Clone, Copy)]
pub struct FeatureRows<'a> {
    values: &'a [u64],
    width: usize,
}

impl<'a> FeatureRows<'a> {
    /// Nothing if the values are not whole rows.
    pub fn new(values: &'a [u64], width: usize) -> Option<FeatureRows<'a>> {
        let whole = width > 0 && values.len().is_multiple_of(width);
        whole.then_some(FeatureRows { values, width })
    }

    fn len(&self) -> usize {
        self.values.len() / self.width
    }

    fn row(&self, row: u32) -> &'a [u64] {
        &self.values[row as usize * self.width..][..self.width]
    }
}

/// For each pair of a row on the left and one on the right, at how many places they have the same
/// feature; nothing if there is no such row.
pub fn in_common(
    left: FeatureRows<'_>,
    right: FeatureRows<'_>,
    pairs: &[(u32, u32)],
) -> Option<Vec<i32>> {
    let there =
        |&(one, other): &(u32, u32)| (one as usize) < left.len() && (other as usize) < right.len();
    if left.width != right.width || !pairs.iter().all(there) {
        return None;
    }
    let count = |&(one, other): &(u32, u32)| {
        let places = left.row(one).iter().zip(right.row(other));
        places.map(|(one, other)| i32::from(one == other)).sum()
    };
    Some(pairs.par_iter().with_min_len(1 << 10).map(count).collect())
}

#[cfg(test)]
mod tests {
    use super::{FeatureRows, in_common};

    const LEFT: [u64; 6] = [1, 2, 3, 7, 8, 9];
    const RIGHT: [u64; 6] = [1, 9, 3, 3, 1, 2];

    #[test]
    fn features_count_where_they_stand() {
        let left = FeatureRows::new(&LEFT, 3).unwrap();
        let right = FeatureRows::new(&RIGHT, 3).unwrap();
        // The second right row has the values of the first left one, but elsewhere.
        let pairs = [(0, 0), (0, 1), (1, 0), (1, 1)];
        assert_eq!(in_common(left, right, &pairs), Some(vec![2, 0, 0, 0]));
        assert_eq!(in_common(left, left, &[(1, 1), (0, 0)]), Some(vec![3, 3]));
    }

    #[test]
    fn rows_that_are_not_there_are_refused() {
        let left = FeatureRows::new(&LEFT, 3).unwrap();
        assert_eq!(in_common(left, left, &[(2, 0)]), None);
        assert_eq!(in_common(left, FeatureRows::new(&RIGHT, 2).unwrap(), &[]), None);
        assert!(FeatureRows::new(&LEFT, 4).is_none());
        assert!(FeatureRows::new(&LEFT, 0).is_none());
    }
}
