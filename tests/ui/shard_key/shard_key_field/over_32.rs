use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[shard_key(f00, f01, f02, f03, f04, f05, f06, f07, f08, f09, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, f29, f30, f31, f32, distinct(f00 = 1_000))]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    f00: i64,
    f01: i64,
    f02: i64,
    f03: i64,
    f04: i64,
    f05: i64,
    f06: i64,
    f07: i64,
    f08: i64,
    f09: i64,
    f10: i64,
    f11: i64,
    f12: i64,
    f13: i64,
    f14: i64,
    f15: i64,
    f16: i64,
    f17: i64,
    f18: i64,
    f19: i64,
    f20: i64,
    f21: i64,
    f22: i64,
    f23: i64,
    f24: i64,
    f25: i64,
    f26: i64,
    f27: i64,
    f28: i64,
    f29: i64,
    f30: i64,
    f31: i64,
    f32: i64,
}

fn main() {}
