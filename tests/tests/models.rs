//! Models of every kind compile, and say of themselves what serde writes.

use std::collections::{BTreeSet, HashMap};

use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "people")]
pub struct Person {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub name: String,
    #[index(unique)]
    ssn: String,
    #[relation(one_to_few, embed, max = 20)]
    pub addresses: Vec<Address>,
    #[relation(one_to_one, embed)]
    contact: Contact,
    #[bound(max = 30)]
    tags: Vec<String>,
    #[bound(max = 30, max_len = 10)]
    notes: HashMap<String, String>,
    #[bound(max = 5)]
    set: BTreeSet<i64>,
    r#type: Kind,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
pub struct Address {
    street: String,
    pub city: String,
    #[bound(max_len = 2)]
    cc: String,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
struct Contact {
    e_mail: Option<Email>,
    wrapped: Wrapped<i64>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
struct Email(String);

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
struct Wrapped<T> {
    value: T,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "snake_case")]
enum Kind {
    BigOne,
    #[serde(rename = "tiny")]
    Small,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[relation(one_to_many, child_refs, max = 2_000, inverse = products)]
    parts: Vec<Ref<Part>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
#[inverse(products = Product::parts)]
struct Part {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    qty: i32,
}

#[derive(Projection, Deserialize)]
#[projection(of = Part)]
struct PartName {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[inverse(logmsgs = LogMsg::host)]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[index(unique)]
    ipaddr: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = desc(time))]
    host: Ref<Host>,
    time: DateTime,
    message: String,
}

#[test]
fn paths_are_those_that_serde_writes() {
    assert_eq!(Person::F.addresses.city.path(), "addresses.city");
    assert_eq!(Person::F.contact.e_mail.path(), "contact.eMail");
    assert_eq!(Person::F.id.path(), "_id");
    assert_eq!(Person::F.r#type.path(), "type");
    let _ = (Product::PARTS, Host::LOGMSGS, LogMsg::HOST);
}
