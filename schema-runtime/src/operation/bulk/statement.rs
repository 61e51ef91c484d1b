//! A write of a bulk, in the form that the server takes in a list of writes.

use std::mem;

use mongodb::bson::{Bson, Document, RawDocumentBuf};
use serde::{Deserialize, Serialize};

use crate::{
    changes::{Reach, UpdateSpec},
    codec,
    definition::ModelDefinition,
    derived::{
        effect::{Demand, Demands, Effect, WriteView},
        effect_list,
    },
    document::equal_to,
    error::{Error, Result},
    operation::replace::Place,
};

#[derive(Clone)]
pub(super) struct Write {
    pub(super) kind: Kind,
    pub(super) body: Body,
    /// The number of documents that the write must match: 1 for an update by `_id` and a replace, 0 for another update.
    pub(super) must_match: Option<u64>,
    /// True when an update may insert a document.
    pub(super) is_upsert: bool,
    /// The updates that go before the write, in the form that the server takes in a list of updates.
    pub(super) before: Vec<RawDocumentBuf>,
    /// True when the write may store a null. The updates before a later write must find the null.
    pub(super) stores_null: bool,
    /// True when an update puts a whole value in the place of another value.
    pub(super) is_whole: bool,
    /// The document that a value with immutable fields replaces.
    pub(super) place: Option<Box<Place>>,
}

/// The content of a write.
#[derive(Clone)]
pub(super) enum Body {
    /// The document of an insert, or a write in the form that the server takes in a list of writes.
    Encoded(RawDocumentBuf),
    /// An update that effects may still change.
    Update(Box<UpdateSpec>),
}

impl Write {
    /// Creates a write without further properties.
    pub(super) fn new(kind: Kind, body: Body) -> Self {
        Write {
            kind,
            body,
            must_match: None,
            is_upsert: false,
            before: Vec::new(),
            stores_null: true,
            is_whole: false,
            place: None,
        }
    }

    /// Creates an update. An update of a model without effects is encoded at once.
    pub(super) fn of_update(definition: &ModelDefinition, spec: UpdateSpec) -> Result<Self> {
        let (must_match, is_upsert, is_whole) =
            (Some(u64::from(spec.reach == Reach::ById)), spec.upsert, spec.is_whole);
        let body = match definition.fills() {
            true => Body::Update(Box::new(spec)),
            false => Body::Encoded(statement(&spec.into_statement())?),
        };
        Ok(Write { must_match, is_upsert, is_whole, ..Write::new(Kind::Update, body) })
    }

    /// Returns the filter of an update or a delete.
    fn filter(&self) -> Option<Document> {
        match &self.body {
            Body::Encoded(statement) => Document::try_from(statement.get_document("q").ok()?).ok(),
            Body::Update(spec) => Some(spec.filter.clone()),
        }
    }

    /// Returns the `_id` that the filter of an update or a delete asks for.
    pub(super) fn id(&self) -> Option<Bson> {
        match &self.body {
            Body::Encoded(_) => equal_to(&self.filter()?, "_id").cloned(),
            Body::Update(spec) => equal_to(&spec.filter, "_id").cloned(),
        }
    }

    /// Returns whether an update or a delete concerns a single document that the filter names by `_id`.
    fn is_of_one(&self) -> bool {
        let is_of_one = match (self.kind, &self.body) {
            (Kind::Update, _) => !self.is_upsert && self.must_match == Some(1),
            (Kind::Delete, Body::Encoded(statement)) => {
                statement.get_i32("limit").is_ok_and(|limit| limit == 1)
                    && self.filter().is_some_and(|filter| filter.len() == 1)
            }
            (Kind::Insert, _) | (Kind::Delete, Body::Update(_)) => false,
        };
        is_of_one && self.id().is_some()
    }

    /// Returns the update with the properties that the effects need; `None` for a write without such properties.
    pub(super) fn spec(&self) -> Option<&UpdateSpec> {
        match &self.body {
            Body::Encoded(_) => None,
            Body::Update(spec) => Some(spec),
        }
    }

    pub(super) fn spec_mut(&mut self) -> Option<&mut UpdateSpec> {
        match &mut self.body {
            Body::Encoded(_) => None,
            Body::Update(spec) => Some(spec),
        }
    }

    /// Returns the document of an insert.
    pub(super) fn document(&self) -> Option<&RawDocumentBuf> {
        match &self.body {
            Body::Encoded(document) if self.kind == Kind::Insert => Some(document),
            _ => None,
        }
    }

    /// Returns the size of the write in bytes.
    pub(super) fn bytes(&self) -> Result<usize> {
        match &self.body {
            Body::Encoded(encoded) => Ok(encoded.as_bytes().len()),
            Body::Update(spec) => Ok(statement(&UpdateSpec::clone(spec).into_statement())?.as_bytes().len()),
        }
    }

    /// Takes the write in the form that the server takes in a list of writes.
    pub(super) fn take_encoded(&mut self) -> Result<RawDocumentBuf> {
        match mem::replace(&mut self.body, Body::Encoded(RawDocumentBuf::new())) {
            Body::Encoded(encoded) => Ok(encoded),
            Body::Update(spec) => statement(&spec.into_statement()),
        }
    }

    /// Returns the kind of the write, as the effects ask for the kind.
    pub(super) fn one(&self) -> WriteView<'_> {
        match self.kind {
            Kind::Insert => WriteView::Insert,
            Kind::Update => {
                let touched = self.spec().map_or(&[][..], |spec| &spec.touched);
                WriteView::Update { touched, upsert: self.is_upsert }
            }
            Kind::Delete => WriteView::Delete,
        }
    }
}

/// The way in which a write is sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sending {
    /// In one command with other writes. The work after the writes is done at the end.
    Together,
    /// In a transaction with more writes, with all effects of the writes.
    Shared,
    /// By itself, with all effects of the write.
    Alone,
}

/// Returns the function that decides how a write of the model is sent.
pub(super) fn sending(definition: &'static ModelDefinition) -> impl Fn(&Write) -> Sending {
    let all: Vec<(&dyn Effect, Demands)> =
        effect_list::concerning(definition).map(|effect| (effect, effect.demands(definition))).collect();
    move |write| {
        let one = write.one();
        let demanding = || all.iter().filter(|(_, demands)| demands(&one) > Demand::None);
        if demanding().next().is_none() {
            return Sending::Together;
        }
        let is_shared = write.kind == Kind::Insert
            || demanding().all(|(effect, _)| effect.shares(definition, &one).is_some()) && write.is_of_one();
        if is_shared { Sending::Shared } else { Sending::Alone }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Insert,
    Update,
    Delete,
}

/// An element of `deletes`, the list of a delete command.
#[derive(Serialize, Deserialize)]
pub(super) struct DeleteStatement {
    pub(super) q: Document,
    /// The limit: 1, or 0 for all documents.
    pub(super) limit: i32,
}

pub(super) fn statement(statement: &impl Serialize) -> Result<RawDocumentBuf> {
    codec::encode(statement).map_err(Error::encode)
}
