//! *Resemblance* and *containment* of two pages: of their sets of distinct shingles, shared over all,
//! and shared over one's own (Fetterly 2004; Broder 1997).

/// How many values two ascending sets share, or None once fewer than `least` can be shared.
#[inline]
pub fn shared(left: &[u64], right: &[u64], least: usize) -> Option<usize> {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    // What may still differ on each side; a step past a value spends one of either.
    let most_left = left.len().checked_sub(least)?;
    let most_right = right.len().checked_sub(least)?;
    while i < left.len() && j < right.len() {
        let (a, b) = (left[i], right[j]);
        shared += usize::from(a == b);
        i += usize::from(a <= b);
        j += usize::from(b <= a);
        if i - shared > most_left || j - shared > most_right {
            return None;
        }
    }
    Some(shared).filter(|&shared| shared >= least)
}

/// The fewest shared shingles with which sets of these sizes have this resemblance.
pub fn least_shared(left: usize, right: usize, resemblance: f64) -> usize {
    // shared / (left + right − shared) ≥ r; the slack keeps exact quotients on the near side.
    let least = resemblance * (left + right) as f64 / (1.0 + resemblance);
    (least - 1e-9).ceil().max(0.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_values_are_counted_or_given_up() {
        let (left, right) = ([1, 3, 5, 7, 9], [2, 3, 5, 8, 9, 10]);
        for least in 0..=3 {
            assert_eq!(shared(&left, &right, least), Some(3));
        }
        for least in 4..9 {
            assert_eq!(shared(&left, &right, least), None);
        }
        assert_eq!(shared(&[], &[1], 0), Some(0));
    }

    #[test]
    fn the_least_shared_is_exact_at_the_threshold() {
        for left in 1..60usize {
            for right in 1..60usize {
                for resemblance in [0.5, 0.8, 0.9, 1.0] {
                    let enough = |s: usize| s as f64 / (left + right - s) as f64 >= resemblance;
                    let slow = (0..=left.min(right)).find(|&s| enough(s));
                    let fast = least_shared(left, right, resemblance);
                    assert_eq!(
                        slow,
                        Some(fast).filter(|&s| s <= left.min(right)),
                        "{left} {right}"
                    );
                }
            }
        }
    }
}
