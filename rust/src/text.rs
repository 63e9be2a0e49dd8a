//! Bytes to text to tokens: what a page says, whatever charset and markup it is in.

pub mod boilerplate;
pub mod charset;
pub mod html;
pub mod image_terms;
pub mod tokens;
pub mod unicode;
pub mod white_space;
