//! Conditions on the documents at the other end of a relation.

use mongodb::bson::{Document, doc};

use super::{Child, ChildRefs, Children, ParentRef};
use crate::{
    definition::{ModelDefinition, Texts},
    error::{Error, Result},
    field::{self, Filter},
    join::relation_of,
    model::{Model, OwnDocument},
    operation::Having,
};

/// The field of the found related documents while the server judges a condition.
const RELATED: &str = "__related";

/// The two ends of a relation as a join.
#[doc(hidden)]
#[derive(Debug)]
pub struct Ends {
    from: &'static str,
    local: String,
    foreign: String,
    texts: Texts,
}

/// Conditions on the documents at the other end of a relation, for [`Find::having`](crate::operation::Find::having):
/// `Host::LOGMSGS.some(LogMsg::F.level.gte(3))`. Each handle of a relation between documents has the conditions, in
/// both directions. A filter judges the elements of an embedded array by
/// [`elem_match`](crate::field::QueryOperators::elem_match).
pub trait RelatedOperators: Sized {
    /// The model of the documents that are found.
    type Of: Model;
    /// The model of the related documents.
    type Related: Model;

    #[doc(hidden)]
    fn ends(self) -> Ends;

    /// At least one related document matches. [`Filter::all`] finds the documents with a related document. A reference
    /// without a document counts as no related document.
    fn some(self, filter: Filter<Self::Related>) -> Having<Self::Of>
    where
        Self::Related: OwnDocument,
    {
        having(self.ends(), filter.into_document(), true)
    }

    /// No related document matches. [`Filter::all`] finds the documents without related documents.
    fn none(self, filter: Filter<Self::Related>) -> Having<Self::Of>
    where
        Self::Related: OwnDocument,
    {
        having(self.ends(), filter.into_document(), false)
    }

    /// Each related document matches: no related document exists that a read with the filter would not find. A document
    /// without related documents meets the condition. A related document with a null or without the field matches as in
    /// a read: `level.gte(3)` does not match a null.
    fn every(self, filter: Filter<Self::Related>) -> Having<Self::Of>
    where
        Self::Related: OwnDocument,
    {
        let rest = filter.into_document().and_then(|filter| refused(filter).map(|filter| field::nor(vec![filter])));
        having(self.ends(), rest, false)
    }
}

/// Returns the condition that there is (`exists`) or is no related document of the filter.
fn having<M>(ends: Ends, filter: Result<Document>, exists: bool) -> Having<M> {
    let texts = ends.texts;
    Having::new(filter.and_then(|filter| stages(ends, filter, exists)), texts)
}

/// Returns the stages that pass on the documents with (`exists`) or without a related document of the filter.
fn stages(ends: Ends, filter: Document, exists: bool) -> Result<Vec<Document>> {
    let Ends { from, local, foreign, .. } = ends;
    let filter = refused(filter)?;
    let mut inner: Vec<Document> = (!filter.is_empty()).then(|| doc! { "$match": filter }).into_iter().collect();
    inner.extend([doc! { "$limit": 1 }, doc! { "$project": { "_id": 1 } }]);
    let join = doc! { "from": from, "localField": local, "foreignField": foreign, "pipeline": inner, "as": RELATED };
    Ok(vec![
        doc! { "$lookup": join },
        doc! { "$match": { RELATED: { "$size": i32::from(exists) } } },
        doc! { "$unset": RELATED },
    ])
}

/// Refuses the conditions that the server does not have in a join.
fn refused(filter: Document) -> Result<Document> {
    if field::asks_place(&filter) || field::asks(&filter, "$text") {
        let message = "the server has no `near` and no `text` in a condition on related documents: find the related \
                       documents, and the documents by their references";
        return Err(Error::Query { message });
    }
    Ok(filter)
}

/// Returns the ends of a relation whose references are in `holder`, seen from the referred documents.
fn referring(holder: &'static ModelDefinition, field: &str) -> Ends {
    let foreign = relation_of(holder, field).path(holder);
    Ends { from: holder.collection, local: "_id".to_owned(), foreign, texts: Texts::Inherited }
}

/// Returns the ends of a relation whose references are in `holder`, seen from the holder.
fn referred(holder: &'static ModelDefinition, field: &str, target: &'static ModelDefinition) -> Ends {
    let relation = relation_of(holder, field);
    let (local, texts) = (relation.path(holder), holder.texts_of(relation));
    Ends { from: target.collection, local, foreign: "_id".to_owned(), texts }
}

#[diagnostic::do_not_recommend]
impl<P: Model, C: Model, T, const NEWEST_FIRST: bool> RelatedOperators for Children<P, C, T, NEWEST_FIRST> {
    type Of = P;
    type Related = C;

    fn ends(self) -> Ends {
        referring(C::DEFINITION, self.name_of_field())
    }
}

#[diagnostic::do_not_recommend]
impl<P: Model, C: Model, T> RelatedOperators for Child<P, C, T> {
    type Of = P;
    type Related = C;

    fn ends(self) -> Ends {
        referring(C::DEFINITION, self.name_of_field())
    }
}

#[diagnostic::do_not_recommend]
impl<P: Model, C: Model, T> RelatedOperators for ChildRefs<P, C, T> {
    type Of = P;
    type Related = C;

    fn ends(self) -> Ends {
        referred(P::DEFINITION, self.name_of_field(), C::DEFINITION)
    }
}

#[diagnostic::do_not_recommend]
impl<C: Model, P: Model, T, const NEWEST_FIRST: bool> RelatedOperators for ParentRef<C, P, T, NEWEST_FIRST> {
    type Of = C;
    type Related = P;

    fn ends(self) -> Ends {
        referred(C::DEFINITION, self.name_of_field(), P::DEFINITION)
    }
}
