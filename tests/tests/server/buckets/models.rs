//! Models whose values are stored in buckets.

use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "posts")]
#[inverse(comments = Comment::post)]
pub struct Post {
    #[serde(rename = "_id")]
    pub id: i64,
    pub title: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "comments", bucket(size = 4))]
#[index(author)]
pub struct Comment {
    #[serde(rename = "_id")]
    pub id: i64,
    #[relation(one_to_squillions, parent_ref, order = asc(created_on))]
    pub post: Ref<Post>,
    pub author: String,
    pub created_on: DateTime,
    #[bound(max = 5)]
    pub tags: Vec<String>,
    pub likes: i32,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "panels")]
#[inverse(readings = Reading::panel)]
pub struct Panel {
    #[serde(rename = "_id")]
    pub id: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "readings", bucket(by = day(time), size = 3))]
pub struct Reading {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = asc(time))]
    pub panel: Ref<Panel>,
    pub time: DateTime,
    pub watt_hours: f64,
}
