//! Accounts that keep the sum of their bookings.

use schema_runtime::{Schema, prelude::*, schema};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "accounts")]
pub(super) struct Account {
    #[serde(rename = "_id")]
    pub(super) id: i64,
    pub(super) name: String,
    #[computed(sum(Booking::account, cents))]
    pub(super) cents: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "bookings")]
pub(super) struct Booking {
    #[serde(rename = "_id")]
    pub(super) id: i64,
    #[relation(one_to_squillions, parent_ref)]
    pub(super) account: Ref<Account>,
    pub(super) cents: i64,
}

pub(super) const SCHEMA: Schema = schema![Account, Booking];
