//! Tests of the pure parts of a plan, without a server.

mod bucket;
mod diff;
mod index;
mod property;
mod render;
mod validator;

use mongodb::bson::{Document, doc};

use super::{
    inspect::{CollectionState, parse_collection, parse_index},
    *,
};
use crate::{definition::*, indexes::wanted_indexes};

const STRING: Shape = Shape::new(Kind::String { max_len: None });
const INTEGER: Shape = Shape::scalar(Scalar::Integer);
const DATE: Shape = Shape::scalar(Scalar::DateTime);

const FIELDS: &[FieldDefinition] = &[
    FieldDefinition::new("id", "_id", Shape::scalar(Scalar::ObjectId)),
    FieldDefinition::new("name", "name", STRING),
    FieldDefinition::new("qty", "qty", INTEGER),
    FieldDefinition::new("seen_at", "seenAt", DATE),
    FieldDefinition::new("email", "email", STRING.nullable()),
    FieldDefinition::new("nick", "nick", STRING.nullable()).skippable(),
    FieldDefinition::new("tags", "tags", Shape::new(Kind::Array { items: &STRING, min: 0, max: Some(3) })),
    FieldDefinition::new("parts", "parts", Shape::new(Kind::Array { items: &PART, min: 0, max: Some(9) })),
];

const PART: Shape = Shape::new(Kind::Document {
    name: "Part",
    fields: &[FieldDefinition::new("part_no", "partNo", INTEGER), FieldDefinition::new("price", "price", INTEGER)],
    judged: true,
    copies: &[],
});

/// Returns a model of the collection `things` with the given indexes.
const fn model(all_indexes: &'static [IndexDefinition]) -> ModelDefinition {
    ModelDefinition {
        name: "tests::Thing",
        model: "Thing",
        collection: "things",
        fields: FIELDS,
        variants: None,
        relations: &[],
        inverses: &[],
        mirrors: &[],
        copies: &[],
        copied_to: &[],
        rollups: &[],
        queries: &[],
        shard_key: None,
        all_indexes,
        options: CollectionOptions::DEFAULT,
        read_only: false,
        insert_only: false,
        allows: &[],
        whole: true,
        search_indexes: &[],
        document_rules: &[],
        bucket: None,
        extra: crate::definition::ExtraFields::Drop,
        strict: false,
        document: None,
    }
}

const NAME: IndexKey = IndexKey::asc(&["name"]);
const QTY_DESC: IndexKey = IndexKey::desc(&["qty"]);
const SEEN_AT: IndexKey = IndexKey::asc(&["seen_at"]);
const EMAIL: IndexKey = IndexKey::asc(&["email"]);

/// Returns the state of `things` on a server that matches the model, with the given indexes.
fn state(model: &ModelDefinition, indexes: Vec<Document>) -> CollectionState {
    CollectionState {
        name: model.collection.to_owned(),
        options: options::StoredOptions::default(),
        validator: Some(super::validator::validator(model)),
        indexes: indexes.iter().filter_map(|index| parse_index(index, None)).collect(),
    }
}

/// Returns the plan without an answer of a server to declared collations.
fn diff(models: &[&'static ModelDefinition], states: &[CollectionState]) -> Result<Plan> {
    super::diff::diff(models, states, &Collations::default())
}

fn changes(model: &'static ModelDefinition, state: CollectionState) -> Vec<Change> {
    let plan = diff(&[model], &[state]).expect("the definitions agree");
    plan.steps.into_iter().map(|step| step.change).collect()
}

fn id_index() -> Document {
    doc! { "v": 2, "key": { "_id": 1 }, "name": "_id_" }
}
