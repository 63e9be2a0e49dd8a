//! Documents, pages as sequences of paragraphs: those that agree in all or many of them.

pub mod duplicates;
pub mod growth;
pub mod near_duplicates;
pub mod paragraph_texts;
pub mod shared_paragraphs;
