//! `OverlapStars`: pairs in, in their order; who goes with whom out.

use arrow_array::cast::AsArray;
use arrow_array::{Array, UInt32Array, make_array};
use arrow_pyarrow::PyArrowType;
use pyo3::prelude::*;

use super::chunks::check_units;
use crate::border::arrays::{ArrayIn, ArrayOut, numbers, one_each};
use crate::border::errors::{BorderError, Result};
use crate::overlap::stars::Stars;

#[pyclass(name = "OverlapStars")]
pub struct PyOverlapStars {
    stars: Stars,
    units: u32,
}

#[pymethods]
impl PyOverlapStars {
    #[new]
    #[pyo3(signature = (units, fixed=None))]
    fn new(units: u32, fixed: Option<ArrayIn>) -> PyResult<PyOverlapStars> {
        let fixed = fixed.map(|fixed| flags(&fixed, units as usize)).transpose()?;
        Ok(PyOverlapStars { stars: Stars::new(units, fixed)?, units })
    }

    fn add(&mut self, left: ArrayIn, right: ArrayIn, shared: ArrayIn) -> PyResult<()> {
        let left = numbers(&left)?;
        let (right, shared) = (one_each(&right, left.len())?, one_each(&shared, left.len())?);
        check_units(&left, self.units)?;
        check_units(&right, self.units)?;
        for ((left, right), shared) in left.into_iter().zip(right).zip(shared) {
            self.stars.add(left, right, shared);
        }
        Ok(())
    }

    fn gone(&self) -> ArrayOut {
        PyArrowType(UInt32Array::from_iter_values(self.stars.gone()).to_data())
    }

    fn of(&self, units: ArrayIn) -> PyResult<(ArrayOut, ArrayOut)> {
        let units = numbers(&units)?;
        check_units(&units, self.units)?;
        let (first, shared): (Vec<u32>, Vec<u32>) =
            units.iter().map(|&unit| self.stars.of(unit)).unzip();
        let array = |values: Vec<u32>| PyArrowType(UInt32Array::from(values).to_data());
        Ok((array(first), array(shared)))
    }
}

fn flags(array: &ArrayIn, count: usize) -> Result<Vec<bool>> {
    let array = make_array(array.0.clone());
    let whole = array.as_boolean_opt().filter(|flags| flags.len() == count);
    let bad = || BorderError::BadType("fixed", array.data_type().clone());
    Ok(whole.ok_or_else(bad)?.iter().map(|flag| flag == Some(true)).collect())
}
