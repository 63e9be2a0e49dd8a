//! One search for units that share enough chunks, from what came of them to pairs, some at a time.

use std::io;

use super::coarse::{FEWEST_CELLS, Filtered, Filters, Plan, plan};
use super::lists::{Lists, Size};
use super::postings::{Inverted, LeftOut};
use super::sorted::{Overlap, Pass, Sorting, passes};
use crate::groups::mapped_numbers::Numbers;

/// Bytes that a pair takes while it is sorted, and what is made of it then.
const PAIR_BYTES: usize = 24;

/// Which way pairs are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Sorted,
    Coarse,
}

/// What is known before pairs are counted.
#[derive(Clone, Copy, Debug)]
pub struct Forecast {
    /// How many different chunks there are.
    pub chunks: u64,
    /// What there is, and what is left of it when what cannot be in a pair is gone.
    pub all: Size,
    pub pruned: Size,
    pub units: u64,
    pub left_out: LeftOut,
    /// Pairs that find room at once.
    pub at_once: u64,
    pub plan: Plan,
    pub method: Method,
}

pub struct Search {
    lists: Lists,
    pub sizes: Numbers,
    shared: u32,
    room: usize,
    pub forecast: Forecast,
    filters: Filters,
    sorting: Sorting,
    passes: Option<std::vec::IntoIter<Pass>>,
}

impl Search {
    /// Within so many bytes; by one method, or by the one that takes less.
    pub fn new(
        inverted: Inverted,
        shared: u32,
        room: usize,
        asked: Option<Method>,
    ) -> io::Result<Search> {
        let Inverted { mut lists, sizes, left_out, chunks } = inverted;
        let all = lists.size();
        let units = lists.prune(shared)?;
        let pruned = lists.size();
        let at_once = (room / PAIR_BYTES) as u64;
        let fits = pruned.pairs <= at_once;
        let plan = match asked {
            Some(Method::Sorted) => Plan::default(),
            None if fits => Plan::default(),
            _ => plan(&lists, shared, room),
        };
        let method = asked.unwrap_or({
            // Counting all pairs coarsely takes about as long as sorting a quarter of them.
            if fits || plan.left() > 0.75 * pruned.pairs as f64 {
                Method::Sorted
            } else {
                Method::Coarse
            }
        });
        let forecast = Forecast { chunks, all, pruned, units, left_out, at_once, plan, method };
        Ok(Search {
            lists,
            sizes,
            shared,
            room,
            forecast,
            filters: Filters::default(),
            sorting: Sorting::default(),
            passes: None,
        })
    }

    /// How many filters there are to be.
    pub fn functions(&self) -> usize {
        match self.forecast.method {
            Method::Sorted => 0,
            Method::Coarse => self.forecast.plan.functions,
        }
    }

    /// Makes one filter more.
    pub fn filter(&mut self) {
        let cells = self.forecast.plan.cells.max(FEWEST_CELLS.min(self.room));
        self.filters.add(&self.lists, self.shared, cells);
    }

    /// What the filters left.
    pub fn filtered(&self) -> &[Filtered] {
        &self.filters.done
    }

    /// Some pairs that share enough, in the order of all; none when there are no more.
    pub fn some(&mut self) -> Option<Vec<Overlap>> {
        if self.passes.is_none() {
            let found = self.all_passes();
            self.passes = Some(found.into_iter());
        }
        let pass = self.passes.as_mut()?.next()?;
        let Search { lists, sorting, filters, shared, .. } = self;
        Some(match self.forecast.method {
            Method::Sorted => sorting.count(lists, &pass, *shared, |_, _| true),
            Method::Coarse => filters.count(sorting, lists, &pass, *shared),
        })
    }

    fn all_passes(&mut self) -> Vec<Pass> {
        let bytes = self.room.saturating_sub(self.filters.bytes());
        let room = (bytes / PAIR_BYTES).max(1);
        match self.forecast.method {
            Method::Sorted => passes(&self.lists, room, |_, _| true),
            Method::Coarse => self.filters.passes(&self.lists, room),
        }
    }

    /// How many passes there are, and how many of them are left.
    pub fn passes_left(&self) -> usize {
        self.passes.as_ref().map_or(0, ExactSizeIterator::len)
    }
}
