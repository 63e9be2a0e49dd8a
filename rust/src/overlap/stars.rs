//! *Stars* of pairs: which units go, each with the one it goes with.

use std::io;

use crate::groups::mapped_numbers::Numbers;

/// For each unit the first that makes a pair with it, while pairs come sorted, the lower number on the
/// left: units are numbered in the order in which it is decided on them. So what a unit is when its own
/// pairs come is what it stays, and no pair has to be held.
pub struct Stars {
    /// Itself, where there is none.
    first: Numbers,
    shared: Numbers,
    /// Only units that stay count, and these stay always; else all do.
    staying: Option<Vec<bool>>,
}

impl Stars {
    pub fn new(units: u32, staying: Option<Vec<bool>>) -> io::Result<Stars> {
        let mut first = Numbers::filled(units as usize, 0)?;
        (0..).zip(first.iter_mut()).for_each(|(unit, place)| *place = unit);
        Ok(Stars { first, shared: Numbers::filled(units as usize, 0)?, staying })
    }

    pub fn add(&mut self, left: u32, right: u32, shared: u32) {
        let (l, r) = (left as usize, right as usize);
        let counts = self.staying.as_ref().is_none_or(|fixed| self.first[l] == left && !fixed[r]);
        if counts && self.first[r] == right {
            (self.first[r], self.shared[r]) = (left, shared);
        }
    }

    /// The first that makes a pair with a unit, or itself, and how many chunks they share.
    pub fn of(&self, unit: u32) -> (u32, u32) {
        (self.first[unit as usize], self.shared[unit as usize])
    }

    /// The units that have such a one, ascending.
    pub fn gone(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&*self.first).filter(|(unit, first)| unit != *first).map(|(unit, _)| unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIRS: [(u32, u32, u32); 5] = [(0, 1, 7), (0, 3, 9), (1, 2, 8), (2, 3, 6), (2, 4, 5)];

    fn stars(staying: Option<Vec<bool>>) -> Vec<(u32, (u32, u32))> {
        let mut stars = Stars::new(5, staying).unwrap();
        PAIRS.iter().for_each(|&(left, right, shared)| stars.add(left, right, shared));
        stars.gone().map(|unit| (unit, stars.of(unit))).collect()
    }

    #[test]
    fn a_unit_goes_with_the_first_that_stays() {
        // 2 makes a pair with 1 only, which went, and stays; 3 goes with 0, which comes before 2.
        assert_eq!(stars(Some(vec![false; 5])), [(1, (0, 7)), (3, (0, 9)), (4, (2, 5))]);
        let fixed = Some(vec![false, true, false, false, true]);
        assert_eq!(stars(fixed), [(2, (1, 8)), (3, (0, 9))]);
    }

    #[test]
    fn or_with_the_first_of_all() {
        assert_eq!(stars(None), [(1, (0, 7)), (2, (1, 8)), (3, (0, 9)), (4, (2, 5))]);
    }
}
