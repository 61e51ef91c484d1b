//! The attributes that cannot stand on the same field, and why.

use super::{
    Attribute,
    reasons::{NEVER_AGAIN, NO_COPIES, NOT_SYNCED, Reason, TWICE},
};

/// The words of an attribute that cannot stand beside further attributes, and why.
const EXCLUDED_BY_WORDS: &[(Attribute, &[&str], &[Attribute], Reason)] = &[
    (Attribute::Changes, &["often", "per_day"], &[Attribute::CreatedAt, Attribute::Immutable], NEVER_AGAIN),
    (Attribute::Changes, &["seldom"], &[Attribute::Subset, Attribute::Computed], NOT_SYNCED),
    (Attribute::Changes, &["often", "seldom"], &[Attribute::Opaque], NO_COPIES),
];

impl Attribute {
    /// Returns why the attribute with this word cannot stand beside the other attribute; `None` when both may stand
    /// there.
    pub(crate) fn excludes_with(self, word: &str, other: Attribute) -> Option<Reason> {
        let is_excluded = |(attribute, words, others, _): &&(Attribute, &[&str], &[Attribute], Reason)| {
            *attribute == self && words.contains(&word) && others.contains(&other)
        };
        EXCLUDED_BY_WORDS.iter().find(is_excluded).map(|(.., why)| *why)
    }

    /// Returns why the two attributes cannot stand on the same field; `None` when both may stand there.
    pub(crate) fn excludes(self, other: Attribute) -> Option<Reason> {
        let of = |one: Attribute, other: Attribute| {
            let mut excluded = one.row().excludes.iter();
            excluded.find(|(others, _)| others.contains(&other)).map(|(_, why)| *why)
        };
        let twice = || (self == other && !self.row().repeats).then_some(TWICE);
        of(self, other).or_else(|| of(other, self)).or_else(twice)
    }
}
