//! What the derives implement: a struct with fields, an embedded struct, a model.

use mongodb::bson::Document;
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    bounds::Field,
    definition::{
        CopiedTo, CopyDefinition, FieldDefinition, InverseDefinition, ModelDefinition, RelationDefinition,
        RollupDefinition,
    },
    operation::Unfit,
};

/// A struct whose stored fields are known: a model or an embedded struct.
pub trait Record {
    /// The struct's own name, for messages.
    const STRUCT: &'static str;
    /// The stored fields, in the order of the struct.
    const FIELDS: &'static [FieldDefinition];
    /// The fields that are copies.
    const COPIES: &'static [CopyDefinition] = &[];
}

/// What is stored inside a model: a struct, a unit enum or a newtype. Derive it.
pub trait Embed: Field {}

/// What has a collection of its own. Derive it.
///
/// The methods that read and write are in [`Operations`](crate::operation::Operations), which every model has.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model",
    label = "this has no `#[derive(Model)]`",
    note = "a relation refers to a struct with a collection of its own: derive `Model` and name it, `#[model(collection = \"..\")]`"
)]
pub trait Model: Record + Serialize + DeserializeOwned + Send + Sync + Sized + 'static {
    /// The type of `_id`.
    type Id: Identifier;
    /// The type of [`Model::F`].
    type Fields;
    /// The fields, for filters: `Person::F.addresses.city.eq("Oslo")`.
    const F: Self::Fields;
    /// The full name, `module::path::Struct`.
    const NAME: &'static str;
    /// The relations that this model stores.
    const RELATIONS: &'static [RelationDefinition];
    /// The relations that this model reads back.
    const INVERSES: &'static [InverseDefinition];
    /// Where fields are copied to.
    const COPIED_TO: &'static [CopiedTo] = &[];
    /// The fields that the writes of the children keep.
    const ROLLUPS: &'static [RollupDefinition] = &[];
    /// The fields that other models may copy, in Rust; none after a mistake.
    const COPYABLE: &'static [&'static str] = &[];
    /// Everything that the derive says of this model.
    const DEFINITION: &'static ModelDefinition;
    /// The value of `_id`.
    fn id(&self) -> &Self::Id;

    #[doc(hidden)]
    fn set_managed(&mut self, _: &Document) -> Result<(), Unfit> {
        Ok(())
    }
}

/// What may be an `_id`. Every [`Field`] that serde writes and reads is one; that it is not an array is checked at the model.
pub trait Identifier: Field + Serialize + DeserializeOwned + Clone + Send + Sync + 'static {}

impl<T: Field + Serialize + DeserializeOwned + Clone + Send + Sync + 'static> Identifier for T {}
