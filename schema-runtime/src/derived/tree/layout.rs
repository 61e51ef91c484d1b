//! The fields in which the documents of a model store their tree. Pure.

use mongodb::bson::{Bson, Document, doc};

use super::{
    chain::Chain,
    id::{ids_in, text_of},
};
use crate::{
    changes::{ChangeSet, Reach, UpdateSpec},
    definition::{FieldDefinition, Kind, ModelDefinition, Shape, TreeField, find, stored_names},
    derived::marks::Marks,
    document::value_at,
    error::{Error, Result, TreeError},
    read::Query,
};

/// The field of a document with a pending large move: the earlier ancestors of the children.
pub(super) const MOVING: &str = stored_names::MOVING;

/// The fields of a tree, by their stored names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) definition: &'static ModelDefinition,
    pub(crate) parent: &'static str,
    pub(super) parent_field: &'static str,
    pub(crate) path: Option<&'static str>,
    pub(crate) ancestors: Option<Ancestors>,
    pub(crate) depth: Option<&'static str>,
    /// The largest number of ancestors of a document.
    pub(crate) max_depth: usize,
    /// The type of an `_id`.
    pub(super) id: Shape,
}

/// The array of the ancestors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ancestors {
    pub(super) name: &'static str,
    /// The reference field of an element; `None` for elements that are bare `_id`s.
    pub(super) id: Option<&'static str>,
    /// True when copies stand beside the reference.
    pub(super) has_copies: bool,
}

impl Ancestors {
    /// Returns the path of the `_id`s.
    pub(super) fn ids(&self) -> String {
        self.id.map_or_else(|| self.name.to_owned(), |id| format!("{}.{id}", self.name))
    }

    /// Returns the stored element of an ancestor, without copies.
    fn element(&self, id: &Bson) -> Bson {
        match self.id {
            Some(name) => Bson::Document([(name.to_owned(), id.clone())].into_iter().collect()),
            None => id.clone(),
        }
    }
}

/// A document in the form of the tree.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) id: Bson,
    pub(crate) parent: Bson,
    /// The ancestors of the document.
    pub(crate) chain: Chain,
    /// The old prefix of descendants that a large move has still to write.
    pub(super) moving: Option<Chain>,
    /// The stored number of ancestors.
    pub(super) depth: Bson,
}

impl Layout {
    /// Returns the layout of a model with a tree; `None` for a model without a tree.
    pub(crate) fn of(definition: &'static ModelDefinition) -> Option<Self> {
        let field = |of: TreeField| {
            let mut fields = definition.fields.iter();
            fields.find_map(|field| Some((field, field.tree.filter(|(tree, _)| *tree == of)?.1)))
        };
        let (parent, max_depth) = field(TreeField::Parent)?;
        let name = |of: TreeField| field(of).map(|(field, _)| field.name);
        Some(Layout {
            definition,
            parent: parent.name,
            parent_field: parent.rust_name,
            path: name(TreeField::Path),
            ancestors: field(TreeField::Ancestors).map(|(field, _)| ancestors(definition, field)),
            depth: name(TreeField::Depth),
            max_depth: usize::try_from(max_depth).unwrap_or(usize::MAX),
            id: Shape { nullable: false, ..parent.shape },
        })
    }

    /// Returns whether the documents store ancestors.
    pub(crate) fn keeps_chain(&self) -> bool {
        self.path.is_some() || self.ancestors.is_some()
    }

    /// Returns whether the ancestors come with copies.
    pub(super) fn has_copies(&self) -> bool {
        self.ancestors.is_some_and(|ancestors| ancestors.has_copies)
    }

    /// Returns the relation for people: `Category.parent`.
    pub(crate) fn relation(&self) -> (&'static str, &'static str) {
        (self.definition.model, self.parent_field)
    }

    /// Returns the projection for a read of nodes.
    pub(super) fn projection(&self) -> Document {
        let ancestors = self.ancestors.map(|ancestors| ancestors.ids());
        let names = [Some(self.parent), self.path, self.depth, Some(MOVING)].into_iter().flatten().map(str::to_owned);
        names.chain(ancestors).chain(["_id".to_owned()]).map(|name| (name, Bson::Int32(1))).collect()
    }

    /// Returns the projection for a read of nodes, with the copies beside the ancestors.
    pub(super) fn projection_with_copies(&self) -> Document {
        let mut projection = self.projection();
        if let Some(ancestors) = self.ancestors {
            projection.remove(ancestors.ids());
            projection.insert(ancestors.name, 1);
        }
        projection
    }

    pub(super) fn node(&self, document: &Document) -> Node {
        let path = self.path.map(|path| document.get_str(path).unwrap_or_default());
        let stored = self.ancestors.map(|ancestors| value_at(document, ancestors.name));
        let ids = stored.map(|stored| self.ids_of(&stored));
        Node {
            id: document.get("_id").cloned().unwrap_or(Bson::Null),
            parent: value_at(document, self.parent),
            chain: Chain::new(path, ids),
            moving: document.get(MOVING).map(|moving| self.chain_of(moving)),
            depth: self.depth.map_or(Bson::Null, |depth| value_at(document, depth)),
        }
    }

    /// Returns the stored ancestors of the given documents, with the copies.
    pub(super) fn with_copies_of<'d>(&self, documents: impl Iterator<Item = &'d Document>) -> Document {
        let Some(ancestors) = self.ancestors else { return Document::new() };
        let all = documents.flat_map(|document| document.get_array(ancestors.name).into_iter().flatten().cloned());
        doc! { ancestors.name: all.collect::<Vec<_>>() }
    }

    fn ids_of(&self, stored: &Bson) -> Vec<Bson> {
        let elements = stored.as_array().map(Vec::as_slice).unwrap_or_default();
        let id = self.ancestors.and_then(|ancestors| ancestors.id);
        let id_in = |element: &Bson| match (id, element) {
            (Some(id), Bson::Document(element)) => value_at(element, id),
            (_, element) => element.clone(),
        };
        elements.iter().map(id_in).collect()
    }

    /// Returns the stored form of the old prefix of a pending move: the path, or the ids in a tree without a path.
    pub(super) fn stored(&self, chain: &Chain) -> Bson {
        match self.path {
            Some(_) => Bson::String(chain.path.clone()),
            None => Bson::Array(chain.ids.clone()),
        }
    }

    fn chain_of(&self, stored: &Bson) -> Chain {
        match stored {
            Bson::String(path) if self.ancestors.is_some() => Chain::new(Some(path), Some(ids_in(path, &self.id))),
            Bson::String(path) => Chain::new(Some(path), None),
            stored => Chain::new(None, stored.as_array().cloned()),
        }
    }

    /// Returns the ancestors of a root.
    pub(super) fn root(&self) -> Chain {
        Chain::new(self.path.map(|_| ""), self.ancestors.map(|_| Vec::new()))
    }

    /// Returns the ancestors of the children of a node.
    pub(super) fn below(&self, chain: &Chain, id: &Bson) -> Result<Chain> {
        let mut below = chain.clone();
        below.depth += 1;
        if self.path.is_some() {
            let model = self.definition.model;
            let text = text_of(id).ok_or(Error::Tree(TreeError::Id { model }))?;
            below.path = format!("{}{text}:", chain.path);
        }
        if self.ancestors.is_some() {
            below.ids.push(id.clone());
        }
        Ok(below)
    }

    /// Returns the stored values of a document with the given ancestors.
    pub(super) fn values(&self, chain: &Chain) -> Document {
        let mut values = Document::new();
        if let Some(path) = self.path {
            values.insert(path, chain.path.clone());
        }
        if let Some(ancestors) = self.ancestors {
            values.insert(ancestors.name, self.elements(&ancestors, chain));
        }
        if let Some(depth) = self.depth {
            values.insert(depth, i32::try_from(chain.depth).unwrap_or(i32::MAX));
        }
        values
    }

    pub(super) fn elements(&self, ancestors: &Ancestors, chain: &Chain) -> Vec<Bson> {
        chain.ids.iter().map(|id| ancestors.element(id)).collect()
    }

    /// Returns an update that stores the given ancestors.
    pub(super) fn storing(&self, filter: Document, chain: &Chain) -> UpdateSpec {
        let set = self.values(chain);
        let touched = set.keys().cloned().collect();
        UpdateSpec { filter, changes: ChangeSet::setting(set), touched, reach: Reach::All, ..UpdateSpec::default() }
    }

    /// Returns the query of the documents with a pending large move.
    pub(super) fn pending(&self) -> Query {
        let pending = Query::new(self.definition.collection, Marks::All.filter(MOVING));
        Query { projection: self.projection(), ..pending }
    }

    /// Returns an error for more ancestors than `max_depth` allows.
    pub(super) fn check_depth(&self, depth: usize) -> Result<()> {
        let (model, max) = (self.definition.model, self.max_depth);
        if depth > max { Err(Error::Tree(TreeError::TooDeep { model, depth, max })) } else { Ok(()) }
    }
}

/// Returns the form in which a field holds the ancestors.
fn ancestors(definition: &'static ModelDefinition, field: &'static FieldDefinition) -> Ancestors {
    let of_struct = match field.shape.kind {
        Kind::Array { items, .. } => match items.kind {
            Kind::Document { fields, copies, .. } => Some((fields, !copies.is_empty())),
            _ => None,
        },
        _ => None,
    };
    let reference = definition.relation(field.rust_name).and_then(|relation| relation.reference.or(relation.by));
    let id = of_struct.and_then(|(fields, _)| Some(find(fields, reference?)?.name));
    Ancestors { name: field.name, id, has_copies: of_struct.is_some_and(|(_, copies)| copies) }
}
