//! *Stars* of pairs: which pages go, each with the page it goes with.

use rayon::prelude::*;

/// In the order of their ranks (one for each page) pages stay unless a pair holds them together with
/// one that stays, and go with the first such; pages below `fixed` always stay. Gives the page that
/// goes and the one it goes with.
pub fn stars(left: &[u32], right: &[u32], ranks: &[u32], fixed: u32) -> Vec<(u32, u32)> {
    let rank = |page: u32| (ranks[page as usize], page);
    // For each pair the page that comes later, and the earlier one that it may go with.
    let mut later: Vec<(u32, u32)> = left
        .iter()
        .zip(right)
        .map(|(&l, &r)| if rank(l) <= rank(r) { (r, l) } else { (l, r) })
        .filter(|&(second, _)| second >= fixed)
        .collect();
    later.par_sort_unstable_by_key(|&(page, beside)| (rank(page), rank(beside)));
    let mut goes = vec![false; ranks.len()];
    let mut found = Vec::new();
    for group in later.chunk_by(|a, b| a.0 == b.0) {
        let stays = group.iter().find(|&&(_, beside)| !goes[beside as usize]);
        if let Some(&star) = stays {
            goes[star.0 as usize] = true;
            found.push(star);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_goes_with_the_first_that_stays() {
        let (left, right) = ([0, 1, 2, 1], [1, 2, 3, 4]);
        // 0 stays, 1 goes with it; 2 is held by 1 only, which went, and stays; 3 goes with it.
        assert_eq!(stars(&left, &right, &[0, 1, 2, 3, 4], 0), [(1, 0), (3, 2)]);
        // The other way round: 4 stays, 3 stays, 2 goes with 3, 1 goes with 4, 0 stays.
        assert_eq!(stars(&left, &right, &[4, 3, 2, 1, 0], 0), [(2, 3), (1, 4)]);
    }

    #[test]
    fn what_is_fixed_stays() {
        assert_eq!(stars(&[0, 1], &[1, 2], &[0, 1, 2], 2), [(2, 1)]);
        assert_eq!(stars(&[0], &[1], &[0, 1], 2), []);
    }
}
