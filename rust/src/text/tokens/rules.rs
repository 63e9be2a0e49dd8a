//! What a recipe says of tokens.

use super::fingerprint::Fingerprint;

/// How text becomes tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenRules {
    pub fold_case: bool,
    pub split_unspaced: bool,
    pub fingerprint: Fingerprint,
}
