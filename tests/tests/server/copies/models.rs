//! The models of the seeds, with copies in every direction.

use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "parts")]
#[inverse(products = Product::parts)]
pub(crate) struct Part {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[copied_to(Product::parts, fan_out = 500)]
    pub(crate) name: String,
    #[serde(rename = "madeIn")]
    #[copied_to(Product::parts, fan_out = 500)]
    pub(crate) made_in: Option<String>,
    #[changes(often)]
    pub(crate) qty: i32,
}

/// An extended reference.
#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub(crate) struct PartRef {
    #[serde(rename = "partId")]
    pub(crate) id: Ref<Part>,
    #[denormalize(from = id.name)]
    pub(crate) name: String,
    #[denormalize(from = id.made_in)]
    pub(crate) made_in: Option<String>,
    pub(crate) amount: i32,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "products")]
pub(crate) struct Product {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    pub(crate) title: String,
    #[relation(one_to_many, child_refs, by = id, max = 200, inverse = products)]
    pub(crate) parts: Vec<PartRef>,
    #[relation(one_to_one, embed)]
    pub(crate) main: Option<PartOnly>,
}

/// An extended reference that keeps the value at the time of the write.
#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub(crate) struct PartOnly {
    pub(crate) part: Ref<Part>,
    #[denormalize(from = part.name, snapshot)]
    pub(crate) name_then: String,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "hosts")]
#[inverse(logmsgs = LogMsg::host)]
pub(crate) struct Host {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    pub(crate) name: String,
    #[copied_to(LogMsg::ipaddr)]
    #[changes(seldom)]
    pub(crate) ipaddr: String,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "logmsg")]
pub(crate) struct LogMsg {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[relation(one_to_squillions, parent_ref, order = desc(time))]
    pub(crate) host: Ref<Host>,
    #[denormalize(from = host.ipaddr)]
    pub(crate) ipaddr: String,
    pub(crate) time: DateTime,
    pub(crate) message: String,
}

/// A supplier. Another program writes the suppliers.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "suppliers")]
pub(crate) struct Supplier {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    pub(crate) name: String,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "offers")]
pub(crate) struct Offer {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    pub(crate) supplier: Ref<Supplier>,
    #[denormalize(from = supplier.name, external)]
    pub(crate) supplied_by: String,
}
