//! What is wrong in the domain, asked by aggregations alone. Uses nothing of the crate.

use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};

use super::{COLLECTIONS, Fact, Ledger, SEVERAL};

/// What the parents of one model keep of the children of one relation: each field with the stage that says what it should be.
struct Kept {
    parents: &'static str,
    children: &'static str,
    reference: &'static str,
    /// Field, operator and the field of the children.
    numbers: &'static [(&'static str, &'static str, &'static str)],
    /// Field, the field that it is in the order of and its direction, how many, and what the elements have.
    subset: Option<(&'static str, &'static str, i32, i64, &'static [&'static str])>,
}

const KEPT: [Kept; 4] = [
    Kept {
        parents: "routes",
        children: "parcels",
        reference: "route",
        numbers: &[
            ("parcels", "$size", ""),
            ("weight", "$sum", "weight"),
            ("cost", "$sum", "cost"),
            ("average", "$avg", "weight"),
            ("lightest", "$min", "weight"),
            ("dearest", "$max", "cost"),
        ],
        subset: Some(("heaviest", "weight", -1, 2, &["weight", "label", "version"])),
    },
    Kept {
        parents: "customers",
        children: "parcels",
        reference: "customer",
        numbers: &[
            ("parcels", "$size", ""),
            ("weight", "$sum", "weight"),
            ("average", "$avg", "cost"),
            ("cheapest", "$min", "cost"),
            ("heaviest", "$max", "weight"),
        ],
        subset: Some(("cheap", "cost", 1, 3, &["cost"])),
    },
    Kept {
        parents: "parcels",
        children: "scans",
        reference: "parcel",
        numbers: &[("scans", "$size", ""), ("minutes", "$sum", "minutes"), ("longest", "$max", "minutes")],
        subset: None,
    },
    Kept {
        parents: "nodes",
        children: "nodes",
        reference: "parent",
        numbers: &[("children", "$size", ""), ("below", "$sum", "size"), ("largest", "$max", "size")],
        subset: Some(("smallest", "size", 1, 2, &["size", "name"])),
    },
];

/// A copy: its holder, the array it is in, the reference, the copy, the source and what it is of.
type Copied = (&'static str, Option<&'static str>, &'static str, &'static str, &'static str, &'static str);

const COPIES: [Copied; 4] = [
    ("parcels", Some("stops"), "depot", "name", "depots", "name"),
    ("parcels", None, "carrier", "carrier_name", "carriers", "name"),
    ("notes", None, "parcel", "label", "parcels", "label"),
    ("nodes", None, "parent", "parent_name", "nodes", "name"),
];

async fn all(db: &Database, collection: &str, pipeline: Vec<Document>) -> Vec<Document> {
    let found = db.collection::<Document>(collection).aggregate(pipeline).await.expect("an aggregation");
    found.try_collect().await.expect("documents")
}

/// Whether two numbers are the same, whatever their types; an average is computed in another order of its terms.
fn is_same(one: &Bson, other: &Bson) -> bool {
    let number = |value: &Bson| match value {
        Bson::Int32(number) => Some(f64::from(*number)),
        Bson::Int64(number) => Some(*number as f64),
        Bson::Double(number) => Some(*number),
        _ => None,
    };
    match (number(one), number(other)) {
        (Some(one), Some(other)) => (one - other).abs() <= 1e-9 * one.abs().max(1.0),
        _ => one == other,
    }
}

impl Kept {
    async fn wrong(&self, db: &Database) -> Vec<String> {
        let mut should = Document::new();
        for (field, operator, of) in self.numbers {
            let of = if of.is_empty() { "$of_it".to_owned() } else { format!("$of_it.{of}") };
            should.insert(*field, doc! { *operator: of });
        }
        let there = doc! { "$match": { "_gone": { "$exists": false } } };
        let mut stages = vec![doc! { "$lookup": {
            "from": self.children, "localField": "_id", "foreignField": self.reference, "as": "of_it", "pipeline": [&there],
        } }];
        if let Some((field, by, direction, keep, elements)) = self.subset {
            let elements: Document = elements.iter().map(|name| ((*name).to_owned(), Bson::Int32(1))).collect();
            stages.push(doc! { "$lookup": {
                "from": self.children, "localField": "_id", "foreignField": self.reference, "as": "first_of_it",
                "pipeline": [there, { "$sort": { by: direction, "_id": direction } }, { "$limit": keep }, { "$project": elements }],
            } });
            should.insert(field, "$first_of_it");
        }
        stages.push(doc! { "$project": { "is": "$$ROOT", "should": should } });
        stages.push(doc! { "$unset": ["is.of_it", "is.first_of_it"] });
        let mut wrong = Vec::new();
        for found in all(db, self.parents, stages).await {
            let [is, should] = ["is", "should"].map(|name| found.get_document(name).expect("a document"));
            for (name, expected) in should {
                let stored = is.get(name).unwrap_or(&Bson::Null);
                let same = match (stored, expected) {
                    (Bson::Array(stored), Bson::Array(expected)) => {
                        let plain = |array: &[Bson]| -> Vec<Option<Document>> {
                            let sorted = |element: &Bson| {
                                let mut fields: Vec<_> = element.as_document()?.clone().into_iter().collect();
                                fields.sort_by(|one, other| one.0.cmp(&other.0));
                                Some(fields.into_iter().collect())
                            };
                            array.iter().map(sorted).collect()
                        };
                        plain(stored) == plain(expected)
                    }
                    _ => is_same(stored, expected),
                };
                if !same {
                    wrong.push(format!("{}.{name} should be {expected}: {is}", self.parents));
                }
            }
        }
        wrong
    }
}

/// What is not as it should be: copies, what parents keep, and which answers clients got.
pub async fn wrong(db: &Database, ledger: &Ledger) -> Vec<String> {
    let mut wrong = ledger.wrong.clone();
    for kept in &KEPT {
        wrong.extend(kept.wrong(db).await);
    }
    for (holder, array, reference, copy, source, of) in COPIES {
        let held = array.map_or("$$ROOT".to_owned(), |array| format!("${array}"));
        let mut stages: Vec<Document> =
            array.map(|array| doc! { "$unwind": format!("${array}") }).into_iter().collect();
        stages.extend([
            doc! { "$project": { "held": held } },
            doc! { "$lookup": {
                "from": source, "localField": format!("held.{reference}"), "foreignField": "_id", "as": "source",
            } },
            doc! { "$unwind": "$source" },
            doc! { "$match": { "$expr": { "$ne": [format!("$held.{copy}"), format!("$source.{of}")] } } },
        ]);
        wrong.extend(all(db, holder, stages).await.iter().map(|found| format!("{holder}.{copy} is stale: {found}")));
    }
    // A copy without a reference is none.
    for (holder, reference, copy) in [("parcels", "carrier", "carrier_name"), ("nodes", "parent", "parent_name")] {
        let stages = vec![doc! { "$match": { reference: null, copy: { "$ne": null } } }];
        wrong.extend(all(db, holder, stages).await.iter().map(|found| format!("{holder}.{copy} of nothing: {found}")));
    }
    wrong.extend(against(db, ledger).await);
    wrong
}

async fn count(db: &Database, collection: &str, mut filter: Document) -> i64 {
    // Of what is being deleted a client was answered that it is.
    filter.insert("_gone", doc! { "$exists": false });
    let counted = all(db, collection, vec![doc! { "$match": filter }, doc! { "$count": "n" }]).await;
    counted.first().map_or(0, |counted| i64::from(counted.get_i32("n").expect("a number")))
}

/// What is stored, against the answers that clients got.
async fn against(db: &Database, ledger: &Ledger) -> Vec<String> {
    let mut wrong = Vec::new();
    for (fact, (least, most)) in ledger.facts() {
        let field = async |field: &str, id: i64| {
            let found = all(db, "parcels", vec![doc! { "$match": { "_id": id } }]).await;
            found.first().and_then(|parcel| parcel.get_i64(field).ok())
        };
        let stored = match fact {
            Fact::Weight(id) => field("weight", id).await,
            Fact::Hits(id) => field("hits", id).await,
            Fact::Parcel(id) => Some(count(db, "parcels", doc! { "_id": id }).await),
            Fact::Several => {
                Some(count(db, "parcels", doc! { "_id": { "$gte": SEVERAL.start, "$lt": SEVERAL.end } }).await)
            }
            Fact::Scan(id) => Some(count(db, "scans", doc! { "_id": id }).await),
            Fact::Node(id) => Some(count(db, "nodes", doc! { "_id": id }).await),
        };
        if stored.is_none_or(|stored| !(least..=most).contains(&stored)) {
            wrong.push(format!("{fact:?} is {stored:?}, and the answers say {least} to {most}"));
        }
    }
    wrong
}

/// Documents in which the protocols have left more than one that is at rest has: versions, and of what a parent keeps one document.
/// Whether a client has stopped decides whether it may have left which children its update of many had changed.
pub async fn left_behind(db: &Database, has_stopped: bool) -> Vec<String> {
    let mut left = Vec::new();
    for collection in COLLECTIONS {
        for document in all(db, collection, Vec::new()).await {
            let is_left = document.iter().any(|(name, value)| match value {
                Bson::Document(state) if name.starts_with("_rollup_") => {
                    !KEPT.iter().any(|kept| {
                        kept.parents == collection && *name == format!("_rollup_{}_{}", kept.children, kept.reference)
                    }) || ["applied", "new", "stale", "refresh"].iter().any(|of| state.contains_key(of))
                }
                // Which updates of many have changed the child: where one has stopped, it stays for an hour.
                Bson::Document(record) if has_stopped && name.starts_with("_pending_") => !record.keys().eq(["by"]),
                _ => {
                    name.starts_with('_')
                        && !["_id", "_v"].contains(&name.as_str())
                        && !["_v_", "_f_"].iter().any(|own| name.starts_with(own))
                }
            });
            if is_left {
                left.push(format!("{collection}: {document}"));
            }
        }
    }
    left
}

/// Documents with a pending record of a rollup or on their way to be deleted: nobody is at work any more.
pub async fn pending(db: &Database) -> Vec<String> {
    let left = left_behind(db, false).await;
    left.into_iter().filter(|document| document.contains("\"_pending_") || document.contains("\"_gone\"")).collect()
}
