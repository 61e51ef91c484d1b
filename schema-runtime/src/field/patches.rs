//! Patches: structs of optional changes, made of the fields that a request gives.

use std::marker::PhantomData;

use mongodb::bson::Bson;

use super::{Changeable, Changes, Field, IntoValue, OneValue, Path, Token};
use crate::{changes::Operator, definition::Shape, error::Result};

/// A struct of changes, each of which may be absent: see [the page `partial_updates`](crate::guide). The
/// [derive](macro@crate::Patch) implements the trait, and [`apply`](super::UpdateOperators::apply) adds the changes to
/// an update.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a patch",
    label = "this has no `#[derive(Patch)]`",
    note = "help: derive `Patch` on a struct with an `Option` for each field that may change: `#[derive(Patch)] #[patch(Post)] struct EditPost {{ title: Option<String> }}`"
)]
pub trait Patch {
    /// The model of the changed documents.
    type Of;

    /// Adds the changes of the fields that hold a value.
    #[doc(hidden)]
    fn add_to(&self, changes: &mut Changes<Self::Of>);
}

/// A patch of documents of `M`. The [derive](macro@crate::Patch) implements the trait for the model of the patch.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a patch of `{M}`",
    label = "this struct has no `#[derive(Patch)]` with `#[patch({M})]`",
    note = "help: derive `Patch` on a struct with an `Option` for each field that may change: `#[derive(Patch)] #[patch({M})] struct Edit {{ title: Option<String> }}`"
)]
pub trait PatchOf<M>: Patch<Of = M> {}

/// A value that a field of a patch gives a field of type `T`.
#[diagnostic::on_unimplemented(
    message = "this field of the patch gives a `{Self}` to a field of type `{T}`",
    label = "the field of the model has the type `{T}`",
    note = "help: write `Option<{T}>`: `None` changes nothing"
)]
pub trait PatchValue<T> {
    /// Converts the value to BSON.
    #[doc(hidden)]
    fn to_value(&self) -> Result<Bson>;
}

#[diagnostic::do_not_recommend]
impl<T, V> PatchValue<T> for V
where
    for<'v> &'v V: IntoValue<T>,
{
    fn to_value(&self) -> Result<Bson> {
        <&V as IntoValue<T>>::into_value(self)
    }
}

/// The shape of a value of a patch, for the JSON of clients. The inherent constant wins over the constant of
/// [`PatchShapeOfAny`], where the type is the type of a field.
pub struct PatchShape<T>(PhantomData<T>);

/// The shape of a value of unknown form, as of an `#[opaque]` field.
pub trait PatchShapeOfAny {
    /// The shape.
    const SHAPE: Shape = Shape::opaque(0);
}

impl<T> PatchShapeOfAny for PatchShape<T> {}

impl<T: Field> PatchShape<T> {
    /// The shape.
    pub const SHAPE: Shape = T::SHAPE;
}

/// Adds the change of one field of a patch; `None` changes nothing.
pub fn add_patch_field<F, V>(changes: &mut Changes<F::Model>, field: F, value: &Option<V>)
where
    F: Token<Access: Changeable, Path: OneValue>,
    V: PatchValue<F::Value>,
{
    let _ = field;
    if let Some(value) = value {
        changes.list.add(Operator::Set, &F::Path::NODE, value.to_value());
    }
}
