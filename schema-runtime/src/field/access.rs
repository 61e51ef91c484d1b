//! The fields that an update may change, and a trait for each reason to refuse a field.

use std::marker::PhantomData;

use super::{
    Copied, HiddenField, HiddenImmutable, IdField, Immutable, InTree, Managed, Mirrored, Placed, Plain, Recorded,
    RecordedIntervals, RolledUp, Sharded, TagField,
};

/// A field that an update may change: the field implements all of the traits below. Each trait stands for one reason to
/// refuse a field.
pub trait Changeable {}

impl<A> Changeable for A where
    Access<A>: NotId
        + NotManaged
        + NotCopied
        + NotRolledUp
        + NotMirrored
        + NotSharded
        + NotRecorded
        + NotInTree
        + NotTag
        + NotPlaced
        + NotImmutable
{
}

/// A field that the program gives a document that an upsert inserts: also an `#[immutable]` field.
pub trait Given {}

impl<A> Given for A where
    Access<A>: NotId
        + NotManaged
        + NotCopied
        + NotRolledUp
        + NotMirrored
        + NotSharded
        + NotRecorded
        + NotInTree
        + NotTag
        + NotPlaced
{
}

/// The right to change a field, as a type of its own: rustc shows the message of a trait only where the bound is on
/// another type than the type with the [`Changeable`] bound.
pub struct Access<A>(PhantomData<A>);

/// A field that is neither the `_id` nor a part of the `_id`.
#[diagnostic::on_unimplemented(
    message = "the `_id` of a document never changes",
    label = "this field is the `_id`, or a part of the `_id`",
    note = "help: insert a document with the new `_id` and delete the old document"
)]
pub trait NotId {}

/// A field without `#[version]`, `#[created_at]` or `#[updated_at]`.
#[diagnostic::on_unimplemented(
    message = "this field is set by the crate at every write",
    label = "this field has `#[version]`, `#[created_at]` or `#[updated_at]`",
    note = "help: leave this field out of the update"
)]
pub trait NotManaged {}

/// A field without `#[denormalize(..)]`.
#[diagnostic::on_unimplemented(
    message = "this field is a copy: the writes of the source keep the copy equal to the source",
    label = "this field, or the struct around this field, has `#[denormalize(..)]`",
    note = "help: update the field of the source; or set the reference that the copy is read by, and the copy is read anew"
)]
pub trait NotCopied {}

/// A field without `#[subset(..)]` or `#[computed(..)]`.
#[diagnostic::on_unimplemented(
    message = "this field is maintained by the writes of the children",
    label = "this field has `#[subset(..)]` or `#[computed(..)]`",
    note = "help: update, insert or delete the children"
)]
pub trait NotRolledUp {}

/// A field that is not the mirror of a `two_way` relation.
#[diagnostic::on_unimplemented(
    message = "this field is a mirror: the writes of the relation at the far side keep the mirror up to date",
    label = "this field has `#[relation(.., two_way, of = ..)]`",
    note = "help: write the far side, as `Task::OWNER.reassign(&db, &task, &person)`"
)]
pub trait NotMirrored {}

/// A field outside of the shard key.
#[diagnostic::on_unimplemented(
    message = "this field is part of the shard key, and the shard key chooses the shard of a document",
    label = "this field is in the `#[shard_key(..)]` of the model",
    note = "help: leave this field out of the update; `change_shard_key(&db, &value, &new)` moves a document"
)]
pub trait NotSharded {}

/// A field without `#[history(..)]`.
#[diagnostic::on_unimplemented(
    message = "this field is a history, and a history keeps the recorded entries",
    label = "this field has `#[history(..)]`",
    note = "help: add an entry with `record`, as `Product::update_by_id(id).record(Product::F.prices, &price)`"
)]
pub trait NotRecorded {}

/// A field without `#[tree(..)]`.
#[diagnostic::on_unimplemented(
    message = "this field belongs to a tree, and changes when a document is moved",
    label = "this field has `#[tree(..)]`",
    note = "help: `Category::move_under(&db, id, parent)` gives a document another parent, `Category::move_to_root(&db, id)` no parent"
)]
pub trait NotInTree {}

/// A field without `#[immutable]`.
#[diagnostic::on_unimplemented(
    message = "this field is immutable, and only an insert gives the field a value",
    label = "this field has `#[immutable]`",
    note = "help: leave this field out of the update; an upsert gives an inserted document the value by `set_on_insert`"
)]
pub trait NotImmutable {}

/// A field that is not the tag of an enum.
#[diagnostic::on_unimplemented(
    message = "this field is the tag of an enum, and changes with the variant of the enum",
    label = "this field names the stored variant",
    note = "help: set the enum as a whole: `set(Post::F.body, &Body::Text {{ .. }})`"
)]
pub trait NotTag {}

/// A field that does not give the bucket of a child.
#[diagnostic::on_unimplemented(
    message = "this field decides the bucket of a child, and the place in the bucket",
    label = "this field is the parent, the order or the time of children in buckets",
    note = "help: delete the child and insert the child again, in one transaction"
)]
pub trait NotPlaced {}

/// A field without `#[hidden]`.
#[diagnostic::on_unimplemented(
    message = "this field is hidden, and the order of the documents would show the values",
    label = "this field, or the struct around this field, has `#[hidden]`",
    note = "help: sort by a field that each read gets"
)]
pub trait NotHidden {}

/// A field with `#[hidden]`.
#[diagnostic::on_unimplemented(
    message = "`reveal` names a hidden field",
    label = "this field has no `#[hidden]`, and each read gets this field",
    note = "help: remove this `reveal`"
)]
pub trait Revealable {}

#[diagnostic::do_not_recommend]
impl Revealable for HiddenField {}
#[diagnostic::do_not_recommend]
impl Revealable for HiddenImmutable {}

/// A field with `#[history(..)]`.
#[diagnostic::on_unimplemented(
    message = "`record` adds an entry to a history",
    label = "this field has no `#[history(..)]`",
    note = "help: write `push`, or `push_capped` with the number of elements to keep; or put `#[history(keep = 50)]` on the field"
)]
pub trait History {}

#[diagnostic::do_not_recommend]
impl History for Recorded {}
#[diagnostic::do_not_recommend]
impl History for RecordedIntervals {}

/// A field with `#[history(.., interval(..))]`.
#[diagnostic::on_unimplemented(
    message = "an entry holds at a time where a history has intervals",
    label = "this field has no `#[history(.., interval(start, end))]`",
    note = "help: name the fields from when and until when an entry holds: `#[history(keep = 50, interval(date_start, date_end))]`"
)]
pub trait HistoryOfIntervals: History {}

#[diagnostic::do_not_recommend]
impl HistoryOfIntervals for RecordedIntervals {}

/// Implements each trait for all kinds of fields except the kinds in the list of the trait.
macro_rules! fields {
    ($($name:ident: $($kind:ident)*;)*) => { fields! { @each [] $($name: $($kind)*;)* } };
    (@each [$($before:ident)*]) => {};
    (@each [$($before:ident)*] $own:ident: $($kind:ident)*; $($name:ident: $($other:ident)*;)*) => {
        fields! { @of [$($before)* $($name)*] $($kind)* }
        fields! { @each [$($before)* $own] $($name: $($other)*;)* }
    };
    (@of $names:tt $($kind:ident)*) => {$( fields! { @has $names $kind } )*};
    (@has [$($name:ident)*] $kind:ident) => {$(
        #[diagnostic::do_not_recommend]
        impl $name for Access<$kind> {}
    )*};
}

fields! {
    NotId: IdField;
    NotManaged: Managed;
    NotCopied: Copied;
    NotRolledUp: RolledUp;
    NotMirrored: Mirrored;
    NotSharded: Sharded;
    NotRecorded: Recorded RecordedIntervals;
    NotInTree: InTree;
    NotTag: TagField;
    NotPlaced: Placed;
    NotImmutable: Immutable;
    NotHidden: HiddenField;
}

fields! { @has [NotId NotManaged NotCopied NotRolledUp NotMirrored NotSharded NotRecorded NotInTree NotTag NotPlaced] HiddenImmutable }
fields! { @has [NotId NotManaged NotCopied NotRolledUp NotMirrored NotSharded NotRecorded NotInTree NotTag NotPlaced NotImmutable NotHidden] Plain }
