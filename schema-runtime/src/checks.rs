//! Rules that need a second struct or the real type behind a name: `const` functions that derived code calls from a
//! `const _`, spanned on the user's own token. One file a rule. Uses `definition` and `model`.
