//! The compiled patterns of rules. Each rule is compiled once.

use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use hashbrown::HashMap;
use regex::Regex;

/// A pattern by the address and the length of the text.
type Compiled = HashMap<(usize, usize), Option<Arc<Regex>>>;

/// The patterns by the address and the length of the text, which is a constant of the program. A pattern that cannot be
/// compiled is `None`.
static COMPILED: LazyLock<RwLock<Compiled>> = LazyLock::new(RwLock::default);

/// Returns whether a text matches a pattern. A pattern that cannot be compiled is left to the validator.
pub(super) fn matches(pattern: &'static str, text: &str) -> bool {
    compiled(pattern).is_none_or(|compiled| compiled.is_match(text))
}

fn compiled(pattern: &'static str) -> Option<Arc<Regex>> {
    let key = (pattern.as_ptr().addr(), pattern.len());
    if let Some(known) = COMPILED.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return known.clone();
    }
    let made = Regex::new(pattern).ok().map(Arc::new);
    COMPILED.write().unwrap_or_else(PoisonError::into_inner).insert(key, made.clone());
    made
}
