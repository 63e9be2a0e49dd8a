//! Recipes as Python's settings have them, checked and made ready.

use pyo3::prelude::*;

use crate::border::errors::{BorderError, Result};
use crate::sketches::features::{self, Picker};
use crate::sketches::projection;
use crate::sketches::recipe::Recipe;
use crate::sketches::shingles::Shingler;
use crate::text::boilerplate::Boilerplate;
use crate::text::html::TextOptions;
use crate::text::tokens::{Fingerprint, TokenRules};

/// The most tokens a shingle may have.
const MOST_TOKENS: usize = 1000;

/// A recipe as Python's settings have it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct RecipeSettings {
    join_formatting: bool,
    image_terms: bool,
    fold_case: bool,
    split_unspaced: bool,
    fingerprint: String,
    k: usize,
    wrap: bool,
    functions: String,
    m: usize,
    width: usize,
    bits: usize,
    #[pyo3(default)]
    symbols: bool,
    #[pyo3(default)]
    frequency: bool,
    #[pyo3(default)]
    project: Option<String>,
}

impl RecipeSettings {
    pub fn ready(&self, boilerplate: Option<Boilerplate>) -> Result<Recipe> {
        let unknown = |what: &str, name: &str| {
            Err(BorderError::BadValue(format!("{what} cannot be {name:?}")))
        };
        for (name, value, most, step) in [
            ("k", self.k, MOST_TOKENS, 1),
            ("m", self.m, features::MOST, self.width.max(1)),
            ("width", self.width, features::MOST, 1),
            ("bits", self.bits, projection::MOST, 64),
        ] {
            if value == 0 || value > most || value % step != 0 {
                let text = format!("{name} cannot be {value}: from {step} to {most}, by {step}");
                return Err(BorderError::BadValue(text));
            }
        }
        let (fingerprint, shingler) = match &*self.fingerprint {
            "fast" => (Fingerprint::Fast, Shingler::fast(self.k, self.wrap)),
            "rabin" => (Fingerprint::Rabin, Shingler::rabin(self.k, self.wrap)),
            other => return unknown("fingerprint", other),
        };
        let picker = match &*self.functions {
            "rounds" => Picker::rounds(self.m),
            "rabin" => Picker::rabin(self.m),
            other => return unknown("functions", other),
        };
        let project_shingles = match self.project.as_deref() {
            None | Some("tokens") => false,
            Some("shingles") => true,
            Some(other) => return unknown("project", other),
        };
        Ok(Recipe {
            text: TextOptions {
                join_formatting: self.join_formatting,
                images: self.image_terms,
                links: false,
            },
            rules: TokenRules {
                fold_case: self.fold_case,
                split_unspaced: self.split_unspaced,
                symbols: self.symbols,
                fingerprint,
            },
            shingler,
            picker,
            m: self.m,
            width: self.width,
            bits: self.bits,
            frequency: self.frequency,
            project_shingles,
            boilerplate,
        })
    }
}
