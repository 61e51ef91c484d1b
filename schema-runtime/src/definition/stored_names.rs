//! The names that this crate stores in addition to the fields of models. `docs/stored-format.md` explains each name. A
//! name that ends with `_` is the beginning of the names of several fields.

/// The field of the version of a source of copies.
pub(crate) const VERSION: &str = "_v";
/// The version of a source, beside the copies of the source; continues with the reference.
pub(crate) const VERSION_OF_COPIES: &str = "_v_";
/// The checksum of the copied fields, beside the copies; continues with the reference.
pub(crate) const FIELD_SET: &str = "_f_";
/// The mark of a source whose copies have not followed; continues with the path.
pub(crate) const SOURCE_MARK: &str = "_sync_";
/// The mark of a holder whose copies are not checked again; continues with the path.
pub(crate) const HOLDER_MARK: &str = "_look_";
/// The state of a rollup in the parent; continues with the relation.
pub(crate) const ROLLUP_STATE: &str = "_rollup_";
/// The earlier slugs of a document; continues with the field.
pub(crate) const EARLIER_SLUGS: &str = "_slugs_";
/// The mark of an inserted child until the parents are checked.
pub(crate) const UNCHECKED: &str = "_unchecked";
/// The state of a delete in a parent under a delete rule.
pub(crate) const DELETING: &str = "_deleting";
pub(crate) const DELETING_MARK: &str = "_deleting.mark";
pub(crate) const DELETING_PASSED: &str = "_deleting.passed";
/// The field that a transaction sets and unsets in a parent under a delete rule.
pub(crate) const PARENT_TOUCH: &str = "_touched";
/// The number that a write of a document of a tree increments in another document.
pub(crate) const TREE_TOUCH: &str = "_tree";
/// The earlier ancestors of the children of a document with a pending large move.
pub(crate) const MOVING: &str = "_moving";

/// The collection of the intents of `insert_many`.
pub(crate) const INTENTS: &str = "schema_intents";
/// The collection of the differences that parents do not count yet.
pub(crate) const DELTAS: &str = "schema_deltas";
/// The collection of the positions of workers.
pub(crate) const POSITIONS: &str = "schema_watch";
/// The collection of the counters of sequences.
pub(crate) const SEQUENCES: &str = "schema_sequences";
/// All collections that this crate makes.
pub(crate) const COLLECTIONS: [&str; 4] = [DELTAS, INTENTS, POSITIONS, SEQUENCES];

/// The beginnings of the fields beside copies and in parents of rollups.
pub(super) const BESIDE_DERIVED: [&str; 5] = [VERSION_OF_COPIES, FIELD_SET, SOURCE_MARK, HOLDER_MARK, ROLLUP_STATE];

/// The fields of whole names, of which a document has one each.
pub(super) const WHOLE: [&str; 6] = [VERSION, UNCHECKED, DELETING, PARENT_TOUCH, TREE_TOUCH, MOVING];

/// Returns whether this crate may store a field of this name in a document.
pub(crate) fn is_own(name: &str) -> bool {
    WHOLE.contains(&name) || begins_with(name, EARLIER_SLUGS) || is_beside_derived(name)
}

/// Returns whether this crate stores a field of this name beside copies, or in a parent of rollups.
pub(crate) const fn is_beside_derived(name: &str) -> bool {
    let (mut at, mut is_reserved) = (0, super::str_eq(name, VERSION));
    while at < BESIDE_DERIVED.len() {
        is_reserved |= begins_with(name, BESIDE_DERIVED[at]);
        at += 1;
    }
    is_reserved
}

/// Returns whether a name continues after the beginning, or equals the beginning.
pub(crate) const fn begins_with(name: &str, beginning: &str) -> bool {
    match name.len() >= beginning.len() && name.is_char_boundary(beginning.len()) {
        true => super::str_eq(name.split_at(beginning.len()).0, beginning),
        false => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_this_crate() {
        for name in ["_v", "_v_part", "_slugs_slug", "_deleting", "_rollup_x", "_moving", "_tree", "_touched"] {
            assert!(is_own(name), "{name}");
        }
        for name in ["_class", "__v", "_version", "_treee", "v", ""] {
            assert!(!is_own(name), "{name}");
        }
    }

    #[test]
    fn names_beside_derived_data() {
        for name in ["_v", "_v_part", "_f_part", "_sync_products_part", "_look_x", "_rollup_", "_rollup_x"] {
            assert!(is_beside_derived(name), "{name}");
        }
        for name in ["", "v", "_", "_vx", "_version", "_sync", "_é_", "x_v_"] {
            assert!(!is_beside_derived(name), "{name}");
        }
    }
}
