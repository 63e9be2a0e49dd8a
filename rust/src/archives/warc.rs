//! WARC records: what their headers say, whether they are pages, and the *swift reader*, which
//! reads files that are in order. What it does not understand at once it leaves to the careful
//! reader on the Python side; both judge a record by the same code.

mod fields;
mod form;
mod http;
mod judge;
mod swift;
mod tape;

pub use fields::Fields;
pub use form::Form;
pub use http::Response;
pub use judge::{HEAD, Judge, Judged, Skip, Wanted};
pub use swift::{Record, Swift};
pub use tape::{Flat, Members, Read};
