//! The models. A parcel is a child of two parents that keep all kinds of values, holds copies of two sources, keeps
//! values of its own children, and is a source of copies.

use schema_runtime::prelude::*;

/// The `_id` of a depot: a document of two fields.
#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct DepotId {
    /// The first part.
    pub region: String,
    /// The second part.
    pub number: i64,
}

/// A source with copies in arrays.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "depots")]
pub struct Depot {
    /// Chosen by the program.
    #[serde(rename = "_id")]
    pub id: DepotId,
    /// A name that never repeats.
    #[copied_to(Parcel::stops)]
    pub name: String,
}

/// A source. A single transaction propagates the copies.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "carriers")]
pub struct Carrier {
    /// Chosen by the program.
    #[serde(rename = "_id")]
    pub id: String,
    /// A name that never repeats.
    #[copied_to(Parcel::carrier_name, fan_out = 400)]
    pub name: String,
}

/// A parent that keeps all kinds of values.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "routes")]
pub struct Route {
    /// Chosen by the program.
    #[serde(rename = "_id")]
    pub id: i64,
    /// A name that nothing else depends on.
    pub name: String,
    /// The number of parcels.
    #[computed(count(Parcel::route))]
    pub parcels: i64,
    /// The sum of the weights: integers.
    #[computed(sum(Parcel::route, weight))]
    pub weight: i64,
    /// The sum of the costs: floating-point numbers.
    #[computed(sum(Parcel::route, cost))]
    pub cost: f64,
    /// The average of the weights.
    #[computed(avg(Parcel::route, weight))]
    pub average: Option<f64>,
    /// The least weight.
    #[computed(min(Parcel::route, weight))]
    pub lightest: Option<i64>,
    /// The greatest cost.
    #[computed(max(Parcel::route, cost))]
    pub dearest: Option<f64>,
    /// The two heaviest parcels.
    #[subset(of = Parcel::route, keep = 2, order = desc(weight))]
    pub heaviest: Vec<ParcelLine>,
}

/// The part of a parcel that a route keeps. The label is also copied to notes, and every write changes the version.
#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct ParcelLine {
    /// The `_id` of the parcel.
    #[serde(rename = "_id")]
    pub id: i64,
    /// The weight of the parcel.
    pub weight: i64,
    /// The label of the parcel.
    pub label: String,
    /// The version of the parcel.
    pub version: i64,
}

/// The second parent, optional for a parcel.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "customers")]
pub struct Customer {
    /// Chosen by the program.
    #[serde(rename = "_id")]
    pub id: String,
    /// The number of parcels.
    #[computed(count(Parcel::customer))]
    pub parcels: i64,
    /// The sum of the weights: integers.
    #[computed(sum(Parcel::customer, weight))]
    pub weight: i64,
    /// The average of the costs: floating-point numbers.
    #[computed(avg(Parcel::customer, cost))]
    pub average: Option<f64>,
    /// The least cost.
    #[computed(min(Parcel::customer, cost))]
    pub cheapest: Option<f64>,
    /// The greatest weight.
    #[computed(max(Parcel::customer, weight))]
    pub heaviest: Option<i64>,
    /// The three cheapest parcels.
    #[subset(of = Parcel::customer, keep = 3, order = asc(cost))]
    pub cheap: Vec<ParcelCost>,
}

/// The part of a parcel that a customer keeps.
#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct ParcelCost {
    /// The `_id` of the parcel.
    #[serde(rename = "_id")]
    pub id: i64,
    /// The cost of the parcel.
    pub cost: f64,
}

/// An extended reference.
#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct Stop {
    /// The reference to the depot.
    pub depot: Ref<Depot>,
    /// The name of the depot.
    #[denormalize(from = depot.name)]
    pub name: String,
    /// A key that identifies the element.
    pub key: i64,
}

/// The central model of the domain: see the head of the file.
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
    /// The sources of the copies in an array.
    #[relation(one_to_many, child_refs, by = depot, max = 60)]
    pub stops: Vec<Stop>,
    /// The second source, if any.
    pub carrier: Option<Ref<Carrier>>,
    /// The name of the carrier.
    #[denormalize(from = carrier.name)]
    pub carrier_name: Option<String>,
    /// A number that parents sum. For the parcels in `STAYING`, every write of the weight is an increment.
    pub weight: i64,
    /// A number that parents sum, in quarters: the sum is exact.
    pub cost: f64,
    /// A number that no parent keeps. Every write of the number is an increment.
    pub hits: i64,
    /// A label that is copied and in a subset. No label repeats.
    #[copied_to(Note::label)]
    pub label: String,
    /// The number of scans.
    #[computed(count(Scan::parcel))]
    pub scans: i64,
    /// The sum of the minutes of the scans.
    #[computed(sum(Scan::parcel, minutes))]
    pub minutes: i64,
    /// The greatest minutes of a scan.
    #[computed(max(Scan::parcel, minutes))]
    pub longest: Option<i64>,
    /// The version: each write of a user increments the version.
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
    /// The number that the parcel sums.
    pub minutes: i64,
}

/// A holder of the copy of a parcel. The parcel is itself a child and a holder.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "notes")]
pub struct Note {
    /// Chosen by the program.
    #[serde(rename = "_id")]
    pub id: i64,
    /// The reference to the parcel.
    pub parcel: Ref<Parcel>,
    /// The label of the parcel.
    #[denormalize(from = parcel.label)]
    pub label: String,
}
