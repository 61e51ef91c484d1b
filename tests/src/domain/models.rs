//! A parcel is a child of two parents that keep all kinds of things, holds copies of two sources, keeps something of children of its
//! own and is copied itself.

use schema_runtime::prelude::*;

/// The `_id` of a depot: a document of two fields.
#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct DepotId {
    /// The first part.
    pub region: String,
    /// The second part.
    pub number: i64,
}

/// A source whose copies are in arrays.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "depots")]
pub struct Depot {
    /// Chosen by the program.
    #[serde(rename = "_id")]
    pub id: DepotId,
    /// Never the same twice.
    #[copied_to(Parcel::stops)]
    pub name: String,
}

/// A source whose copies one transaction propagates.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "carriers")]
pub struct Carrier {
    /// Chosen by the program.
    #[serde(rename = "_id")]
    pub id: String,
    /// Never the same twice.
    #[copied_to(Parcel::carrier_name, fan_out = 400)]
    pub name: String,
}

/// A parent that keeps all kinds of things.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "routes")]
pub struct Route {
    /// Chosen by the program.
    #[serde(rename = "_id")]
    pub id: i64,
    /// Nobody's business but its own.
    pub name: String,
    /// How many.
    #[computed(count(Parcel::route))]
    pub parcels: i64,
    /// The sum of integers.
    #[computed(sum(Parcel::route, weight))]
    pub weight: i64,
    /// The sum of floating-point numbers.
    #[computed(sum(Parcel::route, cost))]
    pub cost: f64,
    /// An average.
    #[computed(avg(Parcel::route, weight))]
    pub average: Option<f64>,
    /// The least.
    #[computed(min(Parcel::route, weight))]
    pub lightest: Option<i64>,
    /// The greatest.
    #[computed(max(Parcel::route, cost))]
    pub dearest: Option<f64>,
    /// The first in an order.
    #[subset(of = Parcel::route, keep = 2, order = desc(weight))]
    pub heaviest: Vec<ParcelLine>,
}

/// What a route keeps of a parcel: the label is copied elsewhere, and the version is that of each write.
#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct ParcelLine {
    /// That of the parcel.
    #[serde(rename = "_id")]
    pub id: i64,
    /// That of the parcel.
    pub weight: i64,
    /// That of the parcel.
    pub label: String,
    /// That of the parcel.
    pub version: i64,
}

/// The other parent, which a parcel need not have.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "customers")]
pub struct Customer {
    /// Chosen by the program.
    #[serde(rename = "_id")]
    pub id: String,
    /// How many.
    #[computed(count(Parcel::customer))]
    pub parcels: i64,
    /// The sum of integers.
    #[computed(sum(Parcel::customer, weight))]
    pub weight: i64,
    /// An average of floating-point numbers.
    #[computed(avg(Parcel::customer, cost))]
    pub average: Option<f64>,
    /// The least.
    #[computed(min(Parcel::customer, cost))]
    pub cheapest: Option<f64>,
    /// The greatest.
    #[computed(max(Parcel::customer, weight))]
    pub heaviest: Option<i64>,
    /// The first in an order.
    #[subset(of = Parcel::customer, keep = 3, order = asc(cost))]
    pub cheap: Vec<ParcelCost>,
}

/// What a customer keeps of a parcel.
#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct ParcelCost {
    /// That of the parcel.
    #[serde(rename = "_id")]
    pub id: i64,
    /// That of the parcel.
    pub cost: f64,
}

/// An extended reference.
#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct Stop {
    /// The source.
    pub depot: Ref<Depot>,
    /// Its name.
    #[denormalize(from = depot.name)]
    pub name: String,
    /// Tells one element from another.
    pub key: i64,
}

/// All at once: see the head of the file.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "parcels")]
pub struct Parcel {
    /// Chosen by the program.
    #[serde(rename = "_id")]
    pub id: i64,
    /// The first parent.
    #[relation(one_to_many, parent_ref)]
    pub route: Ref<Route>,
    /// The second parent, if any.
    #[relation(one_to_many, parent_ref)]
    pub customer: Option<Ref<Customer>>,
    /// The sources that are in an array.
    #[relation(one_to_many, child_refs, by = depot, max = 60)]
    pub stops: Vec<Stop>,
    /// The other source, if any.
    pub carrier: Option<Ref<Carrier>>,
    /// Its name.
    #[denormalize(from = carrier.name)]
    pub carrier_name: Option<String>,
    /// What parents add up. Of some parcels it is only ever incremented.
    pub weight: i64,
    /// What parents add up, in quarters: the sum is exact.
    pub cost: f64,
    /// What no parent keeps. It is only ever incremented.
    pub hits: i64,
    /// Copied, and in a subset. Never the same twice.
    #[copied_to(Note::label)]
    pub label: String,
    /// How many children.
    #[computed(count(Scan::parcel))]
    pub scans: i64,
    /// The sum of the children's.
    #[computed(sum(Scan::parcel, minutes))]
    pub minutes: i64,
    /// The greatest of the children's.
    #[computed(max(Scan::parcel, minutes))]
    pub longest: Option<i64>,
    /// One more with each write of a user.
    #[version]
    pub version: i64,
}

/// A small child of a parcel.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "scans")]
pub struct Scan {
    /// Chosen by the program.
    #[serde(rename = "_id")]
    pub id: i64,
    /// The parent.
    #[relation(one_to_many, parent_ref)]
    pub parcel: Ref<Parcel>,
    /// What is added up.
    pub minutes: i64,
}

/// Holds a copy of what is a child and a holder elsewhere.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "notes")]
pub struct Note {
    /// Chosen by the program.
    #[serde(rename = "_id")]
    pub id: i64,
    /// The source.
    pub parcel: Ref<Parcel>,
    /// Its label.
    #[denormalize(from = parcel.label)]
    pub label: String,
}
