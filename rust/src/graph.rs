//! The graph of the links between pages, and what is reached in it.

pub mod bow_tie;
pub mod edges;
pub mod nodes;
