//! The reasons why two attributes cannot stand on the same field.

/// The reason why two attributes cannot stand on the same field, with the help for the user.
#[derive(Clone, Copy)]
pub(crate) struct Reason {
    /// The reason; `None` when the repetition of an attribute is the whole mistake.
    pub(crate) why: Option<&'static str>,
    pub(crate) help: &'static str,
}

const fn because(why: &'static str, help: &'static str) -> Reason {
    Reason { why: Some(why), help }
}

const ONE_OF_TWO: &str = "remove one of the two attributes";
const APART: &str = "put each attribute on a separate field";

pub(super) const ONE_STORAGE: Reason = because(
    "each attribute says how the field is stored",
    "remove one of the two attributes; the bound of a relation is `max`, and `#[bound(max_items = N)]` is for arrays of scalars",
);
pub(super) const ONE_STORAGE_OF_A_TYPE: Reason = because(
    "each attribute says how the field is stored",
    "remove one of the two attributes; the elements of a list have a newtype with `#[derive(Embed)]` and `#[stored_as(..)]`",
);
pub(super) const SET_BY_THE_CRATE: Reason = because("this crate sets the field, to a single value", ONE_OF_TWO);
pub(super) const SET_ONCE: Reason =
    because("this crate sets the field, and each attribute asks for a different value", APART);
pub(super) const SET_BY_TWO: Reason =
    because("the writes of this document and the writes of another document would both set the field", APART);
const REMOVE_UNVERSIONED: &str = "remove `#[unversioned]`";
pub(super) const SET_BESIDE_THE_VERSION: Reason = because(
    "this crate sets the field together with the version, and no update of a program sets the field",
    REMOVE_UNVERSIONED,
);
pub(super) const DERIVED_IS_UNVERSIONED: Reason = because(
    "a value that this crate derives does not raise the version, and a `save` keeps the stored value",
    REMOVE_UNVERSIONED,
);
pub(super) const A_SLUG_IS_VERSIONED: Reason =
    because("the version keeps an old value from taking the slug back", REMOVE_UNVERSIONED);
pub(super) const A_TREE_IS_VERSIONED: Reason =
    because("a move changes the ancestors of a document, and raises the version", REMOVE_UNVERSIONED);
pub(super) const A_COPY: Reason = because("a copy is stored in the same way as the source", ONE_OF_TWO);
pub(super) const OF_CHILDREN: Reason =
    because("the writes of the children set the whole value of the field", ONE_OF_TWO);
pub(super) const ONE_OF_CHILDREN: Reason =
    because("a field holds a single subset or a single computed value of the children", APART);
pub(super) const NOT_PROPAGATED: Reason = because(
    "the writes of the children maintain the field, and update no copies of the field",
    "remove `#[copied_to(..)]`, and write `snapshot` or `external` at each copy of this field",
);
pub(super) const KEEPS_ITSELF: Reason =
    because("a history is stored as an array, and `keep` is the bound of the array", ONE_OF_TWO);
pub(super) const SLUG_IS_TEXT: Reason =
    because("a slug is a `String`, and `max_len` in `#[slug(..)]` is the bound of the slug", ONE_OF_TWO);
pub(super) const OF_A_TREE: Reason =
    because("`#[tree(..)]` says how the field is stored, and how many ancestors a document may have", ONE_OF_TWO);
pub(super) const KEPT_BY_A_TREE: Reason = because(
    "no reference in a tree dangles: a delete of a parent is refused, or deletes all documents below the parent",
    "remove `#[reference(may_dangle)]`",
);
pub(super) const NO_COPIES_OF_A_TREE: Reason = because(
    "a move writes the tree fields of a whole subtree, and updates no copies of the fields",
    "remove `#[copied_to(..)]`, and write `snapshot` or `external` at each copy of this field",
);
pub(super) const NO_COPIES_OF_A_HISTORY: Reason = because(
    "a history changes with each entry, and each entry would change all copies of the history",
    "remove `#[copied_to(..)]`, and copy the field that has the newest value",
);
pub(super) const NOT_SYNCED: Reason = because(
    "`seldom` is for copies that a write of the field updates, and the writes of the children update no copies",
    ONE_OF_TWO,
);
pub(super) const NO_COPIES: Reason = because(
    "an opaque value has no copies, since this crate does not know the content of the value",
    "remove one of the two attributes; `#[derive(Embed)]` on a struct describes the content of the struct",
);
pub(super) const NO_REFERENCE: Reason =
    because("only a reference may dangle, and this field is not a reference", ONE_OF_TWO);
pub(super) const EVERY_WRITE: Reason = because("each write of the document changes the field", ONE_OF_TWO);
pub(super) const NEVER_AGAIN: Reason =
    because("the field is set when the document is inserted, and never again", ONE_OF_TWO);
pub(super) const FLAT: Reason = because(
    "a flat field stores no value: the fields of the struct are stored in the place of the field",
    "remove one of the two attributes; put an attribute about a value on the field inside the flat struct, and an index above the struct: `#[index(home.city)]`",
);
const REMOVE_HIDDEN: &str = "remove `#[hidden]`, and write the type without `Hidden<..>`";
pub(super) const HIDDEN_REFERENCE: Reason =
    because("this crate reads the field to join, to move and to delete documents", REMOVE_HIDDEN);
pub(super) const HIDDEN_IS_KNOWN: Reason = because(
    "a hidden field has a type that this crate knows, and the content of an opaque value is unknown",
    "remove one of the two attributes; `#[derive(Embed)]` on a struct describes the content of the struct",
);
pub(super) const HIDDEN_HAS_OWN_FORM: Reason = because(
    "`Hidden<..>` writes the value as the type inside writes the value, and knows no form of the field",
    ONE_OF_TWO,
);
pub(super) const SET_AND_HIDDEN: Reason =
    because("this crate sets the field, and reads the field for the value", REMOVE_HIDDEN);
pub(super) const HIDDEN_IS_GIVEN: Reason =
    because("a new hidden value is a secret, and the program gives the value", "remove one of the two attributes");
pub(super) const NO_COPIES_OF_HIDDEN: Reason = because(
    "each read of a holder would send the copies of the hidden value",
    "remove `#[copied_to(..)]`, and read the field from the source",
);
const REMOVE_IMMUTABLE: &str = "remove `#[immutable]`";
pub(super) const SET_AND_IMMUTABLE: Reason =
    because("this crate sets the field, and no value of the program is to be kept", REMOVE_IMMUTABLE);
pub(super) const SET_BY_OTHERS: Reason = because("the writes of other documents change the field", REMOVE_IMMUTABLE);
pub(super) const CHANGES_IN_ITS_WAY: Reason = because(
    "the field has an operation of its own for each change: `record` of a history, `move_under` of a tree",
    REMOVE_IMMUTABLE,
);
pub(super) const NO_CHANGE_TO_COUNT: Reason =
    because("a field that never changes raises no version", "remove `#[unversioned]`");
pub(super) const IMMUTABLE_IS_KNOWN: Reason = because(
    "each replace compares the value, and an opaque value may be written in another order each time",
    "remove one of the two attributes; `#[derive(Embed)]` on a struct describes the content of the struct",
);
pub(super) const IN_ONE: Reason = Reason { why: None, help: "put all the words in a single attribute" };
pub(super) const ONE_SHARD_KEY: Reason = because(
    "a collection has a single shard key",
    "name all fields of the key in a single attribute: `#[shard_key(host, time)]`",
);
pub(super) const NEW_AND_SINGLE: Reason = because(
    "`#[auto]` makes a new single value, and this field holds references, embedded structs or entries",
    ONE_OF_TWO,
);
pub(super) const MADE_BY_AN_INSERT: Reason =
    because("an insert makes the value from the other fields of the document", ONE_OF_TWO);
pub(super) const TWO_NEW_VALUES: Reason =
    because("each attribute gives a value to the field of a new document", ONE_OF_TWO);
pub(super) const TWICE: Reason = Reason { why: None, help: ONE_OF_TWO };
pub(super) const NO_FIELD: Reason =
    because("the field holds the unknown fields of a document, and is stored under no name of its own", APART);
const REMOVE_CHECK: &str = "remove `#[check(..)]`";
pub(super) const CHECKS_A_KNOWN_FORM: Reason = because(
    "a rule is about a value of a known form, and the form of an opaque value is unknown",
    "remove one of the two attributes; `#[derive(Embed)]` on a struct describes the content of the struct",
);
pub(super) const CHECKED_AT_THE_SOURCE: Reason = because(
    "a copy holds the value of the source, and obeys the rules of the source",
    "remove `#[check(..)]`, and write the rule on the field of the source",
);
pub(super) const CHECKED_IN_THE_ENTRY: Reason = because(
    "the entries of a history have a struct of their own",
    "remove `#[check(..)]`, and write the rule on a field of the struct",
);
pub(super) const CHECKS_NO_REFERENCE: Reason =
    because("a rule is about a value, and a reference holds the `_id` of a document", REMOVE_CHECK);
