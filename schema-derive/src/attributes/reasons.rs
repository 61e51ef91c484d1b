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

const ONE_OF_TWO: &str = "remove one of the two";
const APART: &str = "put each on a field of its own";

pub(super) const ONE_STORAGE: Reason = because(
    "each says how the field is stored",
    "remove one of the two; a relation has a `max` of its own, and `#[bound(max_items = N)]` is for arrays of scalars",
);
pub(super) const SET_BY_THE_CRATE: Reason = because("this crate sets the field, to a single value", ONE_OF_TWO);
pub(super) const SET_ONCE: Reason = because("this crate sets the field to one of them", APART);
pub(super) const SET_BY_TWO: Reason =
    because("one is set by the writes of this document, the other by the writes of other documents", APART);
const REMOVE_UNVERSIONED: &str = "remove `#[unversioned]`";
pub(super) const SET_BESIDE_THE_VERSION: Reason =
    because("this crate sets the field beside the version, and no update of a program does", REMOVE_UNVERSIONED);
pub(super) const DERIVED_IS_UNVERSIONED: Reason =
    because("what this crate derives raises no version, and a `save` leaves the stored value", REMOVE_UNVERSIONED);
pub(super) const A_SLUG_IS_VERSIONED: Reason =
    because("the version keeps an old value from taking the slug back", REMOVE_UNVERSIONED);
pub(super) const A_TREE_IS_VERSIONED: Reason =
    because("a move changes the ancestors of a document, and raises the version", REMOVE_UNVERSIONED);
pub(super) const A_COPY: Reason = because("a copy is stored as its source is", ONE_OF_TWO);
pub(super) const OF_CHILDREN: Reason =
    because("the writes of the children maintain the field, which is all that it holds", ONE_OF_TWO);
pub(super) const ONE_OF_CHILDREN: Reason = because("a field holds one thing of the children", APART);
pub(super) const NOT_PROPAGATED: Reason = because(
    "the writes of the children maintain the field, and they update no copies of it",
    "remove `#[copied_to(..)]`: a copy of this field says `snapshot` or `external`",
);
pub(super) const KEEPS_ITSELF: Reason =
    because("a history has its bound in `keep`, and is stored as an array", ONE_OF_TWO);
pub(super) const SLUG_IS_TEXT: Reason = because("a slug is a `String` with a `max_len` of its own", ONE_OF_TWO);
pub(super) const OF_A_TREE: Reason =
    because("a tree says itself how its fields are stored, and how many ancestors there may be", ONE_OF_TWO);
pub(super) const KEPT_BY_A_TREE: Reason = because(
    "a tree keeps what its documents refer to: a delete of a parent is refused, or deletes what is below it",
    "remove `#[reference(may_dangle)]`",
);
pub(super) const NO_COPIES_OF_A_TREE: Reason = because(
    "a move writes the tree's fields of a whole subtree, and updates no copies of them",
    "remove `#[copied_to(..)]`: a copy of this field says `snapshot` or `external`",
);
pub(super) const NO_COPIES_OF_A_HISTORY: Reason = because(
    "a history changes with each entry, and so would each of its copies",
    "remove `#[copied_to(..)]`, and copy the field that has the newest value",
);
pub(super) const NOT_SYNCED: Reason = because(
    "`seldom` is for copies that a write of the field updates, and the writes of the children update none",
    ONE_OF_TWO,
);
pub(super) const NO_COPIES: Reason = because(
    "an opaque value has no copies, since nothing says what one would hold",
    "remove one of the two; `#[derive(Embed)]` on a struct says what it holds",
);
pub(super) const NO_REFERENCE: Reason = because("only a reference may dangle, and this is none", ONE_OF_TWO);
pub(super) const EVERY_WRITE: Reason = because("each write of the document changes the field", ONE_OF_TWO);
pub(super) const NEVER_AGAIN: Reason =
    because("the field is set when the document is inserted, and never again", ONE_OF_TWO);
pub(super) const IN_ONE: Reason = Reason { why: None, help: "put all the words in one" };
pub(super) const ONE_SHARD_KEY: Reason =
    because("a collection has one shard key", "name all its fields in one: `#[shard_key(host, time)]`");
pub(super) const TWICE: Reason = Reason { why: None, help: ONE_OF_TWO };
