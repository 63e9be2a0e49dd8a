//! What differs between the tokens of two pages, and what is equal.

pub mod difference;
pub mod equal_words;
pub mod term_difference;
