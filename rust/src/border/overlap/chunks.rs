//! Chunks as Arrow lists of any pages.

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ListArray, make_array};

use crate::border::arrays::{ArrayIn, one_each, unsigned};
use crate::border::errors::{BorderError, Result};
use crate::fingerprints::mixing::{STEP, mix};

/// Rows of a batch that is handed out.
pub const ROWS: usize = 1 << 16;

/// The chunks of some pages.
pub struct Chunks {
    lists: ListArray,
}

impl Chunks {
    pub fn of(array: &ArrayIn, pages: usize) -> Result<Chunks> {
        let array = make_array(array.0.clone());
        let lists = array.as_list_opt::<i32>();
        let whole = lists.filter(|lists| {
            lists.len() == pages && lists.values().as_primitive_opt::<Int64Type>().is_some()
        });
        let bad = || BorderError::BadType("chunks", array.data_type().clone());
        Ok(Chunks { lists: whole.ok_or_else(bad)?.clone() })
    }

    pub fn at(&self, row: usize) -> &[u64] {
        let ends = self.lists.value_offsets();
        let range = ends[row] as usize..ends[row + 1] as usize;
        if self.lists.is_null(row) {
            return &[];
        }
        &unsigned(self.lists.values().as_primitive::<Int64Type>().values())[range]
    }
}

/// A fingerprint as short as is wanted, spread over all 64 bits, and of its group alone.
#[inline(always)]
pub fn shortened(chunk: u64, bits: u32, group: u32) -> u64 {
    let short = if bits == 64 { chunk } else { mix(chunk & ((1 << bits) - 1)) };
    short ^ u64::from(group).wrapping_mul(STEP)
}

pub fn groups_of(groups: Option<ArrayIn>, pages: usize) -> Result<Vec<u32>> {
    groups.map_or_else(|| Ok(vec![0; pages]), |groups| one_each(&groups, pages))
}

pub fn check_bits(bits: u32) -> Result<u32> {
    match bits {
        1..=64 => Ok(bits),
        _ => Err(BorderError::BadValue(format!("a fingerprint of {bits} bits"))),
    }
}

pub fn check_units(units: &[u32], count: u32) -> Result<()> {
    match units.iter().max() {
        Some(&unit) if unit >= count => {
            Err(BorderError::BadValue(format!("unit {unit} of only {count}")))
        }
        _ => Ok(()),
    }
}

pub fn closed() -> BorderError {
    BorderError::BadValue("everything has come already".into())
}
