//! A check of the domain by aggregations alone. The check uses nothing of the crate.

use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Bson, Document, doc},
    error::ErrorKind,
    options::ReadConcern,
};

use super::{COLLECTIONS, Fact, Ledger, SEVERAL};

/// The values that the parents of a model keep of the children of a relation: each field with the stage that computes
/// the right value.
struct Kept {
    parents: &'static str,
    children: &'static str,
    reference: &'static str,
    /// Field, operator and the field of the children.
    numbers: &'static [(&'static str, &'static str, &'static str)],
    /// Field, sort field and sort direction, number of elements, and fields of the elements.
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

/// A copy: its holder, the array around the copy, the reference, the copy, the source and the source field.
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

/// `SnapshotUnavailable`: a collection was created since the time of the snapshot.
const TOO_EARLY: i32 = 246;

/// Returns the result of a pipeline on a snapshot of all collections.
async fn all_at_one_time(db: &Database, collection: &str, pipeline: Vec<Document>) -> Vec<Document> {
    let collection = db.collection::<Document>(collection);
    loop {
        let aggregate = collection.aggregate(pipeline.clone());
        match aggregate.read_concern(ReadConcern::snapshot()).await {
            Err(error) if matches!(&*error.kind, ErrorKind::Command(command) if command.code == TOO_EARLY) => {}
            found => return found.expect("an aggregation").try_collect().await.expect("documents"),
        }
    }
}

/// Returns the sum of the pending differences of a parent for a field.
fn added(left: &[Document], operator: &str, field: &str) -> f64 {
    let number = |value: &Bson| match value {
        Bson::Int32(number) => f64::from(*number),
        Bson::Int64(number) => *number as f64,
        Bson::Double(number) => *number,
        other => panic!("{other} is no number"),
    };
    let side = |left: &Document, side: &str| -> f64 {
        let values =
            left.get_document("sums").and_then(|sums| sums.get_document(field)).and_then(|sum| sum.get_array(side));
        values.map_or(0.0, |values| values.iter().map(number).sum())
    };
    let of = |left: &Document| match operator {
        "$size" => number(left.get("count").expect("a count")),
        _ => side(left, "plus") - side(left, "minus"),
    };
    left.iter().map(of).sum()
}

/// Returns whether two numbers of any types are equal. The order of the terms differs in the computation of an average.
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
    /// Returns the operator of a number; an empty text for a subset.
    fn operator(&self, field: &str) -> &'static str {
        self.numbers.iter().find(|(name, ..)| *name == field).map_or("", |(_, operator, _)| operator)
    }

    /// Returns the path of the pending differences of the parents.
    fn path(&self) -> String {
        format!("{}_{}", self.children, self.reference)
    }

    /// Returns the kept values that differ from the children, with the pending differences of the parents, in a
    /// snapshot.
    async fn wrong(&self, db: &Database) -> Vec<String> {
        let mut should = Document::new();
        for (field, operator, of) in self.numbers {
            let of = if of.is_empty() { "$of_it".to_owned() } else { format!("$of_it.{of}") };
            should.insert(*field, doc! { *operator: of });
        }
        let is_of_it = doc! { "$and": [{ "$eq": ["$_id.path", self.path()] }, { "$eq": ["$_id.parent", "$$id"] }] };
        let mut stages = vec![
            doc! { "$lookup": { "from": self.children, "localField": "_id", "foreignField": self.reference, "as": "of_it" } },
            doc! { "$lookup": {
                "from": "schema_deltas", "let": { "id": "$_id" }, "as": "left",
                "pipeline": [{ "$match": { "$expr": is_of_it } }],
            } },
        ];
        if let Some((field, by, direction, keep, elements)) = self.subset {
            let elements: Document = elements.iter().map(|name| ((*name).to_owned(), Bson::Int32(1))).collect();
            stages.push(doc! { "$lookup": {
                "from": self.children, "localField": "_id", "foreignField": self.reference, "as": "first_of_it",
                "pipeline": [{ "$sort": { by: direction, "_id": direction } }, { "$limit": keep }, { "$project": elements }],
            } });
            should.insert(field, "$first_of_it");
        }
        stages.push(doc! { "$project": { "is": "$$ROOT", "should": should } });
        stages.push(doc! { "$unset": ["is.of_it", "is.first_of_it"] });
        let mut wrong = Vec::new();
        for found in all_at_one_time(db, self.parents, stages).await {
            let left = found.get_document("is").and_then(|is| is.get_array("left")).expect("what is left").iter();
            let left: Vec<Document> = left.map(|left| left.as_document().expect("a difference").clone()).collect();
            let has_extremes = left.iter().any(|left| left.get_bool("extremes").expect("of extremes"));
            let [is, should] = ["is", "should"].map(|name| found.get_document(name).expect("a document"));
            for (name, expected) in should {
                let stored = is.get(name).unwrap_or(&Bson::Null);
                let same = match (stored, expected) {
                    // An average is computed from the number and the sum of the parent, without the pending
                    // differences.
                    _ if self.operator(name) == "$avg" && !left.is_empty() => true,
                    _ if has_extremes && !["$size", "$sum"].contains(&self.operator(name)) => true,
                    (Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_), _) if !left.is_empty() => {
                        let stored = match stored {
                            Bson::Int32(number) => f64::from(*number),
                            Bson::Int64(number) => *number as f64,
                            Bson::Double(number) => *number,
                            _ => f64::NAN,
                        };
                        is_same(&Bson::Double(stored + added(&left, self.operator(name), name)), expected)
                    }
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

/// Returns the parents that, with the pending differences, differ from the children. The list is empty at each moment,
/// also in the middle of writes.
pub async fn unbalanced(db: &Database) -> Vec<String> {
    let mut wrong = Vec::new();
    for kept in &KEPT {
        wrong.extend(kept.wrong(db).await);
    }
    wrong
}

/// Returns the errors in the stored documents: copies, kept values of parents, and answers that clients got.
pub async fn wrong(db: &Database, ledger: &Ledger) -> Vec<String> {
    let mut wrong = ledger.wrong.clone();
    wrong.extend(unbalanced(db).await);
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
    // A copy without a reference is null.
    for (holder, reference, copy) in [("parcels", "carrier", "carrier_name"), ("nodes", "parent", "parent_name")] {
        let stages = vec![doc! { "$match": { reference: null, copy: { "$ne": null } } }];
        wrong.extend(all(db, holder, stages).await.iter().map(|found| format!("{holder}.{copy} of nothing: {found}")));
    }
    wrong.extend(against(db, ledger).await);
    wrong
}

async fn count(db: &Database, collection: &str, filter: Document) -> i64 {
    let counted = all(db, collection, vec![doc! { "$match": filter }, doc! { "$count": "n" }]).await;
    counted.first().map_or(0, |counted| i64::from(counted.get_i32("n").expect("a number")))
}

/// Compares the stored documents with the answers that clients got.
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

/// Returns the pending differences of existing parents.
pub async fn left(db: &Database) -> Vec<String> {
    let mut left = Vec::new();
    for kept in &KEPT {
        let stages = vec![
            doc! { "$match": { "_id.path": kept.path() } },
            doc! { "$lookup": { "from": kept.parents, "localField": "_id.parent", "foreignField": "_id", "as": "parent" } },
            doc! { "$match": { "parent": { "$ne": [] } } },
            doc! { "$unset": "parent" },
        ];
        left.extend(all(db, "schema_deltas", stages).await.iter().map(|left| format!("schema_deltas: {left}")));
    }
    left
}

/// Returns the leftovers of the protocols: differences, and documents with more internal fields than a document at rest
/// has. A document at rest has versions, and a single document for the values that a parent keeps.
pub async fn left_behind(db: &Database) -> Vec<String> {
    let mut behind = left(db).await;
    for collection in COLLECTIONS {
        for document in all(db, collection, Vec::new()).await {
            let is_left = document.keys().any(|name| {
                let is_kept = |kept: &Kept| kept.parents == collection && *name == format!("_rollup_{}", kept.path());
                name.starts_with('_')
                    && !["_id", "_v"].contains(&name.as_str())
                    && !["_v_", "_f_"].iter().any(|own| name.starts_with(own))
                    && !KEPT.iter().any(is_kept)
            });
            if is_left {
                behind.push(format!("{collection}: {document}"));
            }
        }
    }
    behind
}
