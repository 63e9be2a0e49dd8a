//! Addresses of pages: their normal form, and the sites they are on.

pub mod normal_form;
pub mod sites;
