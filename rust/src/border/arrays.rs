//! Arrow arrays as slices, and the other way round.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt32Type};
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, make_array};
use arrow_buffer::ScalarBuffer;
use arrow_data::ArrayData;
use arrow_pyarrow::PyArrowType;
use arrow_schema::DataType;

use super::errors::{BorderError, Result};

pub type ArrayIn = PyArrowType<ArrayData>;
pub type ArrayOut = PyArrowType<ArrayData>;

pub fn column<'a>(batch: &'a RecordBatch, name: &'static str) -> Result<&'a ArrayRef> {
    batch.column_by_name(name).ok_or(BorderError::NoColumn(name))
}

/// The bodies, whatever binary or string type they come as.
pub fn bytes(array: &ArrayRef) -> Result<Vec<Option<&[u8]>>> {
    fn text<'a>(all: impl Iterator<Item = Option<&'a str>>) -> Vec<Option<&'a [u8]>> {
        all.map(|text| text.map(str::as_bytes)).collect()
    }
    match array.data_type() {
        DataType::Utf8 => Ok(text(array.as_string::<i32>().iter())),
        DataType::LargeUtf8 => Ok(text(array.as_string::<i64>().iter())),
        DataType::Utf8View => Ok(text(array.as_string_view().iter())),
        DataType::Binary => Ok(array.as_binary::<i32>().iter().collect()),
        DataType::LargeBinary => Ok(array.as_binary::<i64>().iter().collect()),
        DataType::BinaryView => Ok(array.as_binary_view().iter().collect()),
        DataType::Null => Ok(vec![None; array.len()]),
        other => Err(BorderError::BadType("body", other.clone())),
    }
}

pub fn strings<'a>(batch: &'a RecordBatch, name: &'static str) -> Result<Vec<Option<&'a str>>> {
    let array = column(batch, name)?;
    match array.data_type() {
        DataType::Utf8 => Ok(array.as_string::<i32>().iter().collect()),
        DataType::LargeUtf8 => Ok(array.as_string::<i64>().iter().collect()),
        DataType::Utf8View => Ok(array.as_string_view().iter().collect()),
        DataType::Null => Ok(vec![None; array.len()]),
        other => Err(BorderError::BadType(name, other.clone())),
    }
}

pub fn signed(values: Vec<u64>) -> Int64Array {
    values.into_iter().map(|value| value as i64).collect::<Vec<i64>>().into()
}

/// Page numbers: 32 bits are enough for four thousand million pages.
pub fn numbers(array: &ArrayIn) -> Result<Vec<u32>> {
    let array = make_array(array.0.clone());
    match array.data_type() {
        DataType::UInt32 => Ok(array.as_primitive::<UInt32Type>().values().to_vec()),
        DataType::Int64 => array
            .as_primitive::<Int64Type>()
            .values()
            .iter()
            .map(|&n| {
                u32::try_from(n).map_err(|_| BorderError::BadValue(format!("page number {n}")))
            })
            .collect(),
        other => Err(BorderError::BadType("page", other.clone())),
    }
}

/// The values of an int64 array without nulls, shared, not copied.
pub fn values(array: &ArrayIn) -> Result<ScalarBuffer<i64>> {
    let array = make_array(array.0.clone());
    match array.as_primitive_opt::<Int64Type>() {
        Some(values) if values.null_count() == 0 => Ok(values.values().clone()),
        _ => Err(BorderError::BadType("values", array.data_type().clone())),
    }
}

/// The same 64 bits seen as unsigned.
pub fn unsigned(values: &[i64]) -> &[u64] {
    // SAFETY: i64 and u64 have the same size and alignment, and every bit pattern is a value.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
}

/// Numbers, one for each of so many.
pub fn one_each(array: &ArrayIn, count: usize) -> Result<Vec<u32>> {
    let found = numbers(array)?;
    if found.len() == count {
        return Ok(found);
    }
    Err(BorderError::BadValue(format!("{} numbers for {count}", found.len())))
}
