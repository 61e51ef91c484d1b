//! Models with relations of every kind, with documents, for the tests of reads.

use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "products")]
pub(crate) struct Product {
    #[serde(rename = "_id")]
    pub(crate) id: ObjectId,
    pub(crate) name: String,
    #[relation(one_to_many, child_refs, max = 2_000, inverse = products)]
    #[serde(rename = "partIds", default)]
    pub(crate) parts: Vec<Ref<Part>>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "parts")]
#[inverse(products = Product::parts)]
pub(crate) struct Part {
    #[serde(rename = "_id")]
    pub(crate) id: ObjectId,
    pub(crate) name: String,
    pub(crate) qty: i32,
}

#[derive(Projection, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[projection(of = Part)]
pub(crate) struct PartName {
    #[serde(rename = "_id")]
    pub(crate) id: ObjectId,
    pub(crate) name: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "hosts")]
#[inverse(logmsgs = LogMsg::host)]
pub(crate) struct Host {
    #[serde(rename = "_id")]
    pub(crate) id: ObjectId,
    pub(crate) name: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "logmsg")]
pub(crate) struct LogMsg {
    #[serde(rename = "_id")]
    pub(crate) id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = desc(time))]
    pub(crate) host: Ref<Host>,
    #[serde(rename = "at")]
    pub(crate) time: DateTime,
    pub(crate) message: String,
}

#[derive(Projection, Deserialize, Clone, Debug, PartialEq)]
#[projection(of = LogMsg)]
pub(crate) struct LogLine {
    pub(crate) message: String,
}

/// An order of two keys and of both directions, over numbers with NaN and infinities.
#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "results")]
pub(crate) struct Score {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[relation(one_to_squillions, parent_ref, order(asc(group), desc(value)))]
    pub(crate) host: Option<Ref<Host>>,
    pub(crate) group: String,
    pub(crate) value: f64,
}

pub(crate) fn part(name: &str) -> Part {
    Part { id: ObjectId::new(), name: name.to_owned(), qty: 1 }
}

pub(crate) fn parts(count: usize) -> Vec<Part> {
    (0..count).map(|number| part(&format!("part {number}"))).collect()
}

pub(crate) fn product<'p>(parts: impl IntoIterator<Item = &'p Part>) -> Product {
    Product { id: ObjectId::new(), name: "product".to_owned(), parts: parts.into_iter().map(Ref::to).collect() }
}

pub(crate) fn host(name: &str) -> Host {
    Host { id: ObjectId::new(), name: name.to_owned() }
}

pub(crate) fn message(host: &Host, millis: i64, text: &str) -> LogMsg {
    LogMsg { id: ObjectId::new(), host: Ref::to(host), time: DateTime::from_millis(millis), message: text.to_owned() }
}
