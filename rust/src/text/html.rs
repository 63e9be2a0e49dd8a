//! HTML to text: a conformant tokenizer, and what of its tokens is text.

mod block;
mod buffer;
pub mod doctype;
mod elements;
mod entities;
mod foreign;
pub mod links;
mod places;
mod raw;
mod references;
pub mod tags;
mod text;
pub mod tokenizer;

#[cfg(test)]
mod conformance;
#[cfg(test)]
mod hostile;

pub use places::Place;
pub use text::{Image, Text, TextOptions, extract, extract_with_places};
