use mongodb::bson::doc;

use super::*;
use crate::manage::plan::{
    compare::same_rule,
    validator::{is_own, validator},
};

static BUCKET: BucketDefinition = BucketDefinition::new(4, BucketField::new("post", "post"));

/// Comments of a post, 4 in a bucket.
static BUCKETS: ModelDefinition = ModelDefinition {
    fields: &[
        FieldDefinition::new("id", "_id", Shape::scalar(Scalar::ObjectId)),
        FieldDefinition::new("post", "post", INTEGER),
        FieldDefinition::new("page", "page", INTEGER),
        FieldDefinition::new("count", "count", INTEGER),
        FieldDefinition::new("items", "items", Shape::list(&COMMENT).max(4)),
    ],
    ..model(&[
        IndexDefinition::new(&[IndexKey::asc(&["post"]), IndexKey::asc(&["page"])]).unique().for_bucket(),
        IndexDefinition::new(&[IndexKey::asc(&["items", "id"])])
            .unique()
            .partial(&[PartialClause::new(&["items", "id"], PartialOperator::Exists, Literal::Bool(true))])
            .for_bucket(),
        IndexDefinition::new(&[IndexKey::asc(&["post"]), IndexKey::asc(&["items", "author"])]),
        IndexDefinition::new(&[IndexKey::asc(&["post"]), IndexKey::asc(&["page"]), IndexKey::asc(&["count"])]),
    ])
}
.of_buckets(&BUCKET);

const COMMENT: Shape = Shape::document(
    "Comment",
    &[FieldDefinition::new("id", "_id", INTEGER), FieldDefinition::new("author", "author", STRING)],
    true,
);

#[test]
fn the_validator_of_a_bucket_counts_its_children() {
    let made = validator(&BUCKETS);
    let schema = made.rule.get_document("$jsonSchema").expect("a schema");
    let items = schema.get_document("properties").and_then(|properties| properties.get_document("items"));
    assert_eq!(items.expect("a rule").get_i64("maxItems").ok(), Some(4));
    let counted = doc! { "$eq": ["$count", { "$size": { "$cond": [{ "$isArray": "$items" }, "$items", []] } }] };
    assert_eq!(made.rule.get_document("$expr").ok(), Some(&counted));
    assert!(is_own(&made.rule));
}

#[test]
fn an_expression_of_somebody_else_is_not_overwritten() {
    let mut other = validator(&BUCKETS).rule;
    other.insert("$expr", doc! { "$gt": ["$count", 1] });
    assert!(!is_own(&other));
    let mut without = validator(&BUCKETS).rule;
    without.remove("$expr");
    assert!(is_own(&without), "the rule of the model before the buckets");
    assert!(!same_rule(&without, &validator(&BUCKETS).rule), "and the plan changes the rule");
}

#[test]
fn the_indexes_of_buckets_are_as_the_protocol_says() {
    let found: Vec<_> = wanted_indexes(&BUCKETS)
        .expect("the definitions agree")
        .into_iter()
        .map(|index| (index.name, index.unique, index.partial))
        .collect();
    let exists = doc! { "items._id": { "$exists": true } };
    assert_eq!(
        found,
        [
            ("post_1_page_1".to_owned(), true, None),
            ("items._id_1".to_owned(), true, Some(exists)),
            ("post_1_items.author_1".to_owned(), false, None),
            ("post_1_page_1_count_1".to_owned(), false, None),
        ]
    );
}
