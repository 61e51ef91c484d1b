use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "wide")]
struct Wide {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index]
    field_0: i64,
    #[index]
    field_1: i64,
    #[index]
    field_2: i64,
    #[index]
    field_3: i64,
    #[index]
    field_4: i64,
    #[index]
    field_5: i64,
    #[index]
    field_6: i64,
    #[index]
    field_7: i64,
    #[index]
    field_8: i64,
    #[index]
    field_9: i64,
    #[index]
    field_10: i64,
    #[index]
    field_11: i64,
    #[index]
    field_12: i64,
    #[index]
    field_13: i64,
    #[index]
    field_14: i64,
    #[index]
    field_15: i64,
    #[index]
    field_16: i64,
    #[index]
    field_17: i64,
    #[index]
    field_18: i64,
    #[index]
    field_19: i64,
    #[index]
    field_20: i64,
    #[index]
    field_21: i64,
    #[index]
    field_22: i64,
    #[index]
    field_23: i64,
    #[index]
    field_24: i64,
    #[index]
    field_25: i64,
    #[index]
    field_26: i64,
    #[index]
    field_27: i64,
    #[index]
    field_28: i64,
    #[index]
    field_29: i64,
    #[index]
    field_30: i64,
    #[index]
    field_31: i64,
    #[index]
    field_32: i64,
    #[index]
    field_33: i64,
    #[index]
    field_34: i64,
    #[index]
    field_35: i64,
    #[index]
    field_36: i64,
    #[index]
    field_37: i64,
    #[index]
    field_38: i64,
    #[index]
    field_39: i64,
    #[index]
    field_40: i64,
    #[index]
    field_41: i64,
    #[index]
    field_42: i64,
    #[index]
    field_43: i64,
    #[index]
    field_44: i64,
    #[index]
    field_45: i64,
    #[index]
    field_46: i64,
    #[index]
    field_47: i64,
    #[index]
    field_48: i64,
    #[index]
    field_49: i64,
    #[index]
    field_50: i64,
    #[index]
    field_51: i64,
    #[index]
    field_52: i64,
    #[index]
    field_53: i64,
    #[index]
    field_54: i64,
    #[index]
    field_55: i64,
    #[index]
    field_56: i64,
    #[index]
    field_57: i64,
    #[index]
    field_58: i64,
    #[index]
    field_59: i64,
    #[index]
    field_60: i64,
    #[index]
    field_61: i64,
    #[index]
    field_62: i64,
    #[index]
    field_63: i64,
}

fn main() {}
