//! A join on the server: documents of one model, each with the referred or the referring documents of another model.

use std::marker::PhantomData;

use derive_where::derive_where;
use mongodb::bson::Document;

use crate::{
    definition::Texts,
    error::{Error, Result},
    executor::{Configurable, Context, Executor, OperationOptions},
    explain::Explain,
    field::{self, Filter, SortKeys},
    join::{
        Fields, Item, Name, Rows, Visit,
        load::{Arrangement, load_rows},
        query::{Selection, lookup_referred, lookup_referring},
        relation_of,
    },
    model::Model,
    mongosh::ToMongosh,
    operation::{Find, IntoFind, asked::asked},
    read::Aggregate,
};

/// The documents of `A` that a read finds, each with the joined documents of `B`, by one `aggregate` with a `$lookup`.
/// `B` is read into `T`.
#[must_use = "nothing is read until `fetch_all` is awaited"]
#[derive_where(Clone, Debug)]
pub struct Lookup<A, B: Model, T = B> {
    outer: Find<A>,
    field: &'static str,
    /// The visit of the references in `A`; `None` when `B` holds the references.
    #[derive_where(skip(Debug))]
    visit: Option<Visit<A, B>>,
    selection: Result<Selection>,
    #[derive_where(skip(Debug))]
    item: PhantomData<fn() -> T>,
}

impl<A: Model, B: Model, T: Item> Lookup<A, B, T> {
    /// Joins the documents that `outer` finds with the documents of `B` that the field `field` of `A` refers to.
    pub(super) fn referred(outer: impl IntoFind<A>, field: &'static str, visit: Visit<A, B>, fields: Fields) -> Self {
        Lookup::new(outer.into_find(), field, Some(visit), fields)
    }

    /// Joins the documents that `outer` finds with the documents of `B` whose field `field` refers to the found
    /// documents.
    pub(super) fn referring(outer: impl IntoFind<A>, field: &'static str, fields: Fields) -> Self {
        Lookup::new(outer.into_find(), field, None, fields)
    }

    fn new(outer: Find<A>, field: &'static str, visit: Option<Visit<A, B>>, fields: Fields) -> Self {
        let selection = Ok(Selection { projection: fields(), ..Selection::default() });
        Lookup { outer, field, visit, selection, item: PhantomData }
    }

    /// Joins only the documents of `B` that the filter finds; a further call adds a condition. A document excluded by
    /// the filter is not among the [`missing`](crate::Joined::missing), and then neither is a dangling reference; for
    /// [`pairs`](crate::Joined::pairs), both count as not loaded. A document without joined documents is still a row.
    /// The server supports no [`near`](crate::field::QueryOperators::near) and no [`text`](Filter::text) in this
    /// filter.
    pub fn matching(self, filter: Filter<B>) -> Self {
        self.with(|selection| {
            selection.filter = field::and(std::mem::take(&mut selection.filter), filter.into_document()?);
            Ok(())
        })
    }

    /// Sorts the joined documents of each row, each document once: `.sort(Part::F.name.asc())`. Without a sort,
    /// referred documents come in the order of the references, with repeats, and referring documents in the order of
    /// the relation. The server sorts the joined documents of each row in memory, unless an index of the joined side
    /// has the references and then the sort keys. The `explain` of the server does not say whether the index is used.
    pub fn sort(self, keys: impl SortKeys<B>) -> Self {
        let keys = keys.into_paths();
        self.with(|selection| {
            selection.keys = keys;
            Ok(())
        })
    }

    /// Limits the number of joined documents in each row; 0 for all. For references without a [`sort`](Lookup::sort),
    /// the documents with the least `_id`s are joined. An omitted document counts as in [`matching`](Lookup::matching).
    pub fn limit(self, limit: u32) -> Self {
        self.with(|selection| {
            selection.limit = limit;
            Ok(())
        })
    }

    /// Reads the documents, each with the joined documents.
    ///
    /// # Errors
    /// Errors of the filters, the server and the network. The result contains the documents that do not fit.
    pub async fn fetch_all(self, db: &impl Executor) -> Result<Rows<A, B, T>> {
        let (name, visit) = (self.name(), self.visit);
        let selection = self.selection.as_ref().ok();
        let (is_ordered, is_partial) = selection.map_or((false, false), |all| (all.is_ordered(), all.is_partial()));
        let context = self.context(db)?;
        load_rows(&context, name, self.pipeline(), Arrangement { visit, is_ordered, is_partial }).await
    }

    fn with(mut self, change: impl FnOnce(&mut Selection) -> Result<()>) -> Self {
        self.selection = self.selection.and_then(|mut selection| change(&mut selection).map(|()| selection));
        self
    }

    fn pipeline(self) -> Result<Aggregate> {
        let (outer, selection) = (self.outer.into_query()?, self.selection?);
        let by_place = [&outer.filter, &selection.filter].into_iter().any(field::asks_place);
        if by_place || field::asks(&selection.filter, "$text") {
            return Err(Error::Query {
                message: "the server has no `near` in a lookup and no `text` on the joined side: find the documents by \
                          `near` or `text`, and `load` the relation",
            });
        }
        Ok(match self.visit {
            Some(_) => lookup_referred(A::DEFINITION, B::DEFINITION, outer, self.field, selection),
            None => lookup_referring(B::DEFINITION, outer, self.field, selection),
        })
    }

    /// Returns the context of the command, with the options of the read of `A`.
    fn context(&self, db: &dyn Executor) -> Result<Context> {
        let options = self.outer.given_options();
        if options.is_some_and(|options| options.collation_set().is_some()) {
            return Err(Error::Query {
                message: "a lookup takes no `collation`, by which the references would be compared as well",
            });
        }
        let texts = match self.visit {
            Some(_) => A::DEFINITION.texts_of(relation_of(A::DEFINITION, self.field)),
            None => Texts::Inherited,
        };
        db.context()?.with(options)?.comparing(texts).outer(&asked::<A>())
    }

    fn name(&self) -> Name {
        Name::new(if self.visit.is_some() { A::DEFINITION } else { B::DEFINITION }, self.field)
    }
}

impl<A, B: Model, T> Configurable for Lookup<A, B, T> {
    fn configure(self, change: impl FnOnce(&mut OperationOptions)) -> Self {
        Lookup { outer: self.outer.configure(change), ..self }
    }
}

impl<A: Model, B: Model, T: Item> ToMongosh for Lookup<A, B, T> {
    fn command(&self) -> Result<Document> {
        self.clone().pipeline().map(Aggregate::into_command)
    }
}

impl<A: Model, B: Model, T: Item> Explain for Lookup<A, B, T> {}
