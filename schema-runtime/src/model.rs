//! What the derives implement: an embedded struct, a model, a projection of one.

mod definitions;
mod projection;

use mongodb::bson::Document;
use serde::{Serialize, de::DeserializeOwned};

pub use projection::{Projection, all_fields};

use crate::{
    definition::{
        CopiedTo, InverseDefinition, MirrorDefinition, ModelDefinition, QueryDefinition, RelationDefinition,
        RollupDefinition, ShardKeyDefinition,
    },
    field::{Field, Record},
};

/// What is stored inside a model: a struct, a unit enum or a newtype. Derive it.
pub trait Embed: Field {}

/// What has a collection of its own. Derive it.
///
/// The methods that read and write are in [`Operations`](crate::operation::Operations), which every model has.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model",
    label = "this has no `#[derive(Model)]`",
    note = "help: derive `Model` on a struct that has a collection of its own, and name that: `#[model(collection = \"..\")]`"
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
    /// The fields that mirror relations of other models.
    const MIRRORS: &'static [MirrorDefinition] = &[];
    /// Where fields are copied to.
    const COPIED_TO: &'static [CopiedTo] = &[];
    /// The fields that the writes of the children keep.
    const ROLLUPS: &'static [RollupDefinition] = &[];
    /// How the application says that it reads them.
    const QUERIES: &'static [QueryDefinition] = &[];
    /// By what its documents are spread over shards.
    const SHARD_KEY: Option<&'static ShardKeyDefinition> = None;
    /// The fields that other models may copy, in Rust; none after a mistake.
    const COPYABLE: &'static [&'static str] = &[];
    /// Everything that the derive says of this model.
    const DEFINITION: &'static ModelDefinition;
    /// The value of `_id`.
    fn id(&self) -> &Self::Id;

    #[doc(hidden)]
    fn set_managed(&mut self, _: &Document) -> Result<(), FieldDecodeError> {
        Ok(())
    }

    /// Exchanges the fields that serde skips.
    #[doc(hidden)]
    fn swap_skipped(&mut self, _: &mut Self) {}
}

/// A model whose values are documents of their own: every one but those with `#[model(.., bucket(..))]`. The derive says it.
///
/// Generic code asks for what it calls: `M: Model + OwnDocument` to read, with [`Insertable`] to insert, with [`Updatable`] to change and delete:
/// ```
/// # use schema_runtime::prelude::*;
/// async fn store<M: Model + OwnDocument + Insertable>(db: &Database, value: &M) -> Result<M> {
///     M::insert(db, value).await?;
///     M::get_by_id(db, value).await
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "a value of `{Self}` is no document of its own here: a bucket holds a value with others",
    label = "`{Self}` is not `OwnDocument`, as no model with `bucket(..)` is",
    note = "help: of a type parameter write the bound `{Self}: Model + OwnDocument`",
    note = "help: of a model with `bucket(..)` a child is inserted, found by any filter, updated and deleted by its `_id`, and the children of a parent are read by bucket, page or day; for anything else remove `bucket(..)` from `#[model(..)]`",
    note = "rule: bucket_operation"
)]
pub trait OwnDocument {}

/// [`OwnDocument`] as derives implement the trait: an error about another model does not list the models of users.
#[doc(hidden)]
pub trait HasOwnDocument {}

#[diagnostic::do_not_recommend]
impl<T: HasOwnDocument> OwnDocument for T {}

/// A model whose documents this application inserts: every one but those with `#[model(.., read_only)]`. The derive says it.
#[diagnostic::on_unimplemented(
    message = "documents of `{Self}` cannot be inserted here",
    label = "`{Self}` is not `Insertable`, as no `read_only` model is",
    note = "help: of a type parameter write the bound `{Self}: Model + Insertable`",
    note = "help: of a `read_only` model remove `read_only` from `#[model(..)]`, if this application writes the collection"
)]
pub trait Insertable {}

/// [`Insertable`] as derives implement the trait.
#[doc(hidden)]
pub trait InsertsDocuments {}

#[diagnostic::do_not_recommend]
impl<T: InsertsDocuments> Insertable for T {}

/// A model whose documents this application changes and deletes: every one but those with `#[model(.., read_only)]` and
/// `#[model(.., insert_only)]`. The derive says it.
#[diagnostic::on_unimplemented(
    message = "documents of `{Self}` cannot be changed or deleted here",
    label = "`{Self}` is not `Updatable`, as no `read_only` and no `insert_only` model is",
    note = "help: of a type parameter write the bound `{Self}: Model + Updatable`",
    note = "help: of a `read_only` or `insert_only` model remove that word from `#[model(..)]`, if this application changes the collection"
)]
pub trait Updatable: Insertable {}

/// [`Updatable`] as derives implement the trait.
#[doc(hidden)]
pub trait UpdatesDocuments: Insertable {}

#[diagnostic::do_not_recommend]
impl<T: UpdatesDocuments> Updatable for T {}

/// What may be an `_id`. Every [`Field`] that serde writes and reads is one; that it is not an array is checked at the model.
pub trait Identifier: Field + Serialize + DeserializeOwned + Clone + Send + Sync + 'static {}

impl<T: Field + Serialize + DeserializeOwned + Clone + Send + Sync + 'static> Identifier for T {}

/// A stored value that a field's type could not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldDecodeError {
    /// The stored name of the field.
    pub field: &'static str,
    /// What serde says about it, without the value.
    pub message: String,
}
