//! What a recipe says of tokens.

use super::fingerprint::Fingerprint;

/// How text becomes tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenRules {
    pub fold_case: bool,
    pub split_unspaced: bool,
    /// Each symbol, with its marks, is a token too.
    pub symbols: bool,
    pub fingerprint: Fingerprint,
}
