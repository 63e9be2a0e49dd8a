//! Files of pages that are in order, read fast; all others are left to the readers on the Python side.

pub mod parquet_footer;
pub mod parquet_rows;
mod thrift;
pub mod warc;
