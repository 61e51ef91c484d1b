//! The fields of a stored document that the struct does not have.

/// The effect of a field that the struct does not have, in reads and writes of whole documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtraFields {
    /// A read leaves the field out of the value, and a write of the whole value removes the field.
    Drop,
    /// A read puts the field into the value, and a write of the whole value stores the field again.
    Keep {
        /// The field with `#[extra]`, in Rust.
        field: &'static str,
        /// The most bytes of the fields together as BSON.
        max_bytes: u64,
    },
    /// A read of a document with the field is an error, and the validator refuses the field.
    Refuse,
}

impl ExtraFields {
    /// Returns whether the value keeps the fields.
    pub const fn are_kept(self) -> bool {
        matches!(self, ExtraFields::Keep { .. })
    }

    /// Returns whether the fields are refused.
    pub const fn are_refused(self) -> bool {
        matches!(self, ExtraFields::Refuse)
    }
}

/// The pattern of the names that this crate stores in documents, for a validator.
pub(crate) const OWN_NAMES: &str = "^_(v|unchecked|deleting|touched|tree|moving)$|^_(v|f|sync|look|rollup|slugs)_";

#[cfg(test)]
mod tests {
    use super::{
        super::stored_names::{BESIDE_DERIVED, EARLIER_SLUGS, WHOLE},
        OWN_NAMES,
    };

    #[test]
    fn the_pattern_has_every_name_of_this_crate() {
        let words = |part: &'static str| -> Vec<&'static str> {
            part.split_once('(').unwrap().1.split_once(')').unwrap().0.split('|').collect()
        };
        let (whole, beginnings) = OWN_NAMES.split_once("$|").unwrap();
        assert_eq!(words(whole), WHOLE.map(|name| name.trim_matches('_')));
        let expected = BESIDE_DERIVED.into_iter().chain([EARLIER_SLUGS]).map(|name| name.trim_matches('_'));
        assert_eq!(words(beginnings), expected.collect::<Vec<_>>());
    }
}
