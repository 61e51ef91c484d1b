use mongodb::bson::{DateTime, doc};

use super::*;

#[test]
fn a_plan_reads_as_a_diff() {
    static MODEL: ModelDefinition = model(&[
        IndexDefinition::new(&[NAME, QTY_DESC]),
        IndexDefinition::new(&[EMAIL]).unique(),
        IndexDefinition::new(&[SEEN_AT]).expire_after_seconds(60),
        IndexDefinition::new(&[NAME]),
    ]);
    let mut has = state(
        &MODEL,
        vec![
            doc! { "key": { "seenAt": 1 }, "name": "ttl", "expireAfterSeconds": 5 },
            doc! { "key": { "qty": 1 }, "name": "old" },
            doc! { "key": { "name": 1 }, "name": "name_1", "unique": true },
        ],
    );
    let rule = &mut has.validator.as_mut().expect("a validator").rule;
    let schema = rule.get_document_mut("$jsonSchema").expect("a schema");
    let properties = schema.get_document_mut("properties").expect("properties");
    properties.get_document_mut("tags").expect("tags").insert("maxItems", 2);
    let mut plan = diff(&[&MODEL], &[has]).expect("the definitions agree");
    for step in &mut plan.steps {
        match &mut step.change {
            Change::SetValidator { refused, .. } => *refused = Some(7),
            Change::CreateIndex { index, duplicates } if index.unique => {
                *duplicates = Some(Duplicates { groups: 2, sample: vec![doc! { "email": "ann@example.com" }] });
            }
            Change::RebuildIndex { size, .. } => *size = Some(CollectionSize { documents: 1, bytes: 40 }),
            Change::DropIndex { used, .. } => *used = Some(Used { operations: 2, since: DateTime::from_millis(0) }),
            _ => {}
        }
    }
    assert_eq!(
        plan.to_string(),
        "things (Thing)
  ~ validator, strict error
      7 documents do not pass the new validator
      - tags.maxItems: 2
      + tags.maxItems: 3
  ~ index ttl {seenAt: 1}
      - expires after 5 s
      + expires after 60 s
  + index name_1_qty_-1 {name: 1, qty: -1}
  + index email_1 {email: 1} unique, partial {email: {$gte: \"\"}}
      2 keys are each in several documents: the index cannot be unique
  ~ index name_1 has different options: drop the index and create the index again (only with `rebuild`)
      - name_1 {name: 1} unique
      + name_1 {name: 1}
      the collection has no such index until the index is built, from a read of about 1 document, 40 bytes together
  - index old {qty: 1}, asked for by no model (only with `drop_undeclared`; `hide_undeclared` hides the index)
      2 operations used the index since 1970-01-01T00:00:00Z, as this member of the server counts
"
    );
}

#[test]
fn a_name_does_not_control_a_terminal() {
    static MODEL: ModelDefinition = model(&[]);
    let has = state(&MODEL, vec![doc! { "key": { "qty": 1 }, "name": "a\n\u{1b}[31mb" }]);
    let plan = diff(&[&MODEL], &[has]).expect("the definitions agree");
    assert!(plan.to_string().contains("- index a\\n\\u{1b}[31mb {qty: 1}"), "{plan}");
    assert!(plan.steps[0].to_string().contains("a\\n\\u{1b}[31mb"));
}

#[test]
fn an_empty_plan_says_so() {
    assert_eq!(Plan::default().to_string(), "nothing to change\n");
}
