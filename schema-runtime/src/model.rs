//! The traits that the derives implement: an embedded struct, a model, a projection of a model.

mod aggregate;
mod definitions;
mod facets;
mod projection;

use mongodb::bson::Document;
use serde::{Serialize, de::DeserializeOwned};

pub(crate) use aggregate::GroupsOf;
pub use aggregate::{
    Aggregate, AggregateSource, Filled, Merged, RelationOfRows, ShownGroups, TopRow, TopRows, ViewOfGroups,
};
pub use facets::{FacetCount, FacetCounts, FacetRows, Facets};
pub use projection::Projection;
pub(crate) use projection::{all_fields, shown_fields, without_hidden};

use crate::{
    definition::{
        CopiedTo, InverseDefinition, MirrorDefinition, ModelDefinition, QueryDefinition, RelationDefinition,
        RollupDefinition, ShardKeyDefinition,
    },
    error::FailedRule,
    field::{Field, Record},
};

/// A type that is stored inside a model: a struct, a unit enum or a newtype. The derive implements the trait.
pub trait Embed: Field {}

/// A type with a collection of its own. The derive implements the trait.
///
/// The methods that read and write are in [`Operations`](crate::operation::Operations); every model has the methods.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model",
    label = "this has no `#[derive(Model)]`",
    note = "help: derive `Model` on a struct with a separate collection, and name the collection: `#[model(collection = \"..\")]`"
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
    /// The places that fields are copied to.
    const COPIED_TO: &'static [CopiedTo] = &[];
    /// The fields that the writes of the children keep up to date.
    const ROLLUPS: &'static [RollupDefinition] = &[];
    /// The declared queries of the application on the documents.
    const QUERIES: &'static [QueryDefinition] = &[];
    /// The shard key that spreads the documents over shards.
    const SHARD_KEY: Option<&'static ShardKeyDefinition> = None;
    /// The word of the kind of the collection, when no document can refer to the documents; empty for a kind with
    /// references.
    #[doc(hidden)]
    const UNREFERABLE: &'static str = "";
    /// The Rust names of the fields that another model may copy; empty after a mistake.
    const COPYABLE: &'static [&'static str] = &[];
    /// The whole definition of the model, as the derive writes the definition.
    const DEFINITION: &'static ModelDefinition;
    /// Returns the value of `_id`.
    fn id(&self) -> &Self::Id;

    #[doc(hidden)]
    fn set_managed(&mut self, _: &Document) -> Result<(), FieldDecodeError> {
        Ok(())
    }

    /// Exchanges the fields that serde skips, and the hidden fields.
    #[doc(hidden)]
    fn swap_skipped(&mut self, _: &mut Self) {}

    /// Returns the failures that the derives of other crates find in the value (`check(garde)`).
    #[doc(hidden)]
    fn judged(&self) -> Vec<FailedRule> {
        Vec::new()
    }

    /// Returns the stored names of the hidden fields that were not loaded.
    #[doc(hidden)]
    fn unloaded(&self) -> Vec<&'static str> {
        Vec::new()
    }
}

/// A model whose values are separate documents: every model without `#[model(.., bucket(..))]`. The derive implements
/// the trait.
///
/// Generic code names the trait of each call: `M: Model + OwnDocument` to read, with [`Insertable`] to insert, with
/// [`Updatable`] to change and delete:
/// ```
/// # use schema_runtime::prelude::*;
/// async fn store<M: Model + OwnDocument + Insertable>(db: &Database, value: &M) -> Result<M> {
///     M::insert(db, value).await?;
///     M::get_by_id(db, value).await
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "a value of `{Self}` is not a separate document here: a bucket holds several values",
    label = "`{Self}` is not `OwnDocument`, as no model with `bucket(..)` is",
    note = "help: of a type parameter write the bound `{Self}: Model + OwnDocument`",
    note = "help: of a model with `bucket(..)` a child is inserted, found by any filter, updated and deleted by the `_id`, and the children of a parent are read by bucket, page or day; for anything else remove `bucket(..)` from `#[model(..)]`",
    note = "rule: bucket_operation (guide/pages/rules/bucket_operation.md)"
)]
pub trait OwnDocument {}

/// [`OwnDocument`] as derives implement the trait: an error about another model does not list the models of users.
#[doc(hidden)]
pub trait HasOwnDocument {}

#[diagnostic::do_not_recommend]
impl<T: HasOwnDocument> OwnDocument for T {}

/// A model whose documents this application inserts: every model without `read_only` and `view(..)` in `#[model(..)]`.
/// The derive implements the trait.
#[diagnostic::on_unimplemented(
    message = "documents of `{Self}` cannot be inserted here",
    label = "`{Self}` is not `Insertable`, as no `read_only` model and no view is",
    note = "help: of a type parameter write the bound `{Self}: Model + Insertable`",
    note = "help: of a `read_only` model remove `read_only` from `#[model(..)]`, if this application writes the collection",
    note = "help: of a view write the documents of the source"
)]
pub trait Insertable {}

/// [`Insertable`] as derives implement the trait.
#[doc(hidden)]
pub trait InsertsDocuments {}

#[diagnostic::do_not_recommend]
impl<T: InsertsDocuments> Insertable for T {}

/// A model whose documents this application changes and deletes: every model without `read_only`, `insert_only`,
/// `time_series(..)` and `view(..)` in `#[model(..)]`. The derive implements the trait.
#[diagnostic::on_unimplemented(
    message = "documents of `{Self}` cannot be changed or deleted here",
    label = "`{Self}` is not `Updatable`, as no `read_only` or `insert_only` model, no time series and no view is",
    note = "help: of a type parameter write the bound `{Self}: Model + Updatable`",
    note = "help: of a `read_only` or `insert_only` model remove that word from `#[model(..)]`, if this application changes the collection",
    note = "help: measurements of a time series never change, and expire by `time_series(.., ttl = \"90d\")`; of a view write the documents of the source"
)]
pub trait Updatable: Insertable {}

/// [`Updatable`] as derives implement the trait.
#[doc(hidden)]
pub trait UpdatesDocuments: Insertable {}

#[diagnostic::do_not_recommend]
impl<T: UpdatesDocuments> Updatable for T {}

/// A type that may be an `_id`: every [`Field`] that serde writes and reads. The model checks that the type is no
/// array.
pub trait Identifier: Field + Serialize + DeserializeOwned + Clone + Send + Sync + 'static {}

impl<T: Field + Serialize + DeserializeOwned + Clone + Send + Sync + 'static> Identifier for T {}

/// A stored value that the type of the field could not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldDecodeError {
    /// The stored name of the field.
    pub field: &'static str,
    /// The message of serde, without the value.
    pub message: String,
}
