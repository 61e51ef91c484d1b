//! Each rule of declared use with a reason, and models that almost break a rule.

use schema_runtime::prelude::*;

/// A customer. A customer needs an order, and an order needs a customer; four of the five fields are copied.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "customers", allow(reference_cycle, reason = "both are inserted in one transaction"))]
struct Customer {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    first_order: Ref<Order>,
    #[copied_to(Order::name, fan_out = 50)]
    name: String,
    #[copied_to(Order::city, fan_out = 50)]
    city: String,
    #[copied_to(Order::street, fan_out = 50)]
    street: String,
    #[changes(per_day = 100)]
    #[copied_to(Order::phone, fan_out = 50, allow(copy_ratio, reason = "the label is printed in a hurry"))]
    phone: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders", allow(copies_of_most, reason = "the label of a parcel is all of the address"))]
#[query(recent(gt(number)), order = desc(number), limit = 50, select = Label, per_day = 30)]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    number: i64,
    #[relation(one_to_many, parent_ref)]
    customer: Ref<Customer>,
    #[denormalize(from = customer.name)]
    name: String,
    #[denormalize(from = customer.city)]
    city: String,
    #[denormalize(from = customer.street, allow(copy_not_read, reason = "the parcel service reads it"))]
    street: String,
    #[denormalize(from = customer.phone)]
    phone: String,
}

#[derive(Projection, Deserialize)]
#[projection(of = Order)]
#[allow(dead_code, reason = "it says what is read")]
struct Label {
    name: String,
    city: String,
    phone: String,
}

/// A node that refers to a node. A mark needs a node.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "nodes")]
struct Node {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    parent: Ref<Node>,
    #[relation(one_to_many, parent_ref)]
    marked: Option<Ref<Mark>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "marks")]
struct Mark {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    node: Ref<Node>,
}

/// A shelf. A delete of a shelf is refused while books stand on the shelf, and lists that name the shelf stay
/// unchanged.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shelves")]
#[inverse(books = Book::shelf, on_delete = restrict)]
struct Shelf {
    #[serde(rename = "_id")]
    id: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "books")]
#[query(seen_on(contains(shelves)))]
struct Book {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    shelf: Ref<Shelf>,
    /// The query of the field has an index.
    #[relation(one_to_many, child_refs, max = 500)]
    shelves: Vec<Ref<Shelf>>,
}

/// A guide. Both ends of a `two_way` relation have the links: a delete finds the links by the ends.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "guides")]
#[inverse(visits = Visit::guide, on_delete = cascade)]
struct Guide {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, two_way, inverse = guides)]
    leader: Option<Ref<Leader>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "leaders")]
struct Leader {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, two_way, of = Guide::leader, max = 100)]
    guides: Vec<Ref<Guide>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "visits")]
struct Visit {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    guide: Ref<Guide>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "lists", allow(unindexed_reference, reason = "a list is what was there on its day"))]
struct List {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, child_refs, max = 500)]
    shelves: Vec<Ref<Shelf>>,
}

#[test]
fn all_of_them_compile_and_are_in_the_definition() {
    let schema = schema![Customer, Order, Node, Mark, Shelf, Book, List, Guide, Leader, Visit];
    let allows: Vec<&str> = schema.models().iter().flat_map(|model| model.allows).map(|allow| allow.rule).collect();
    assert_eq!(allows, ["reference_cycle", "copies_of_most", "unindexed_reference"]);
    assert_eq!(Order::DEFINITION.reads_per_day("phone", "phone"), Some(30));
    assert_eq!(Order::DEFINITION.reads_per_day("street", "street"), Some(0));
}
