//! Models with values in buckets.

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
    #[bound(max_items = 5)]
    pub tags: Vec<String>,
    pub likes: i32,
}

/// A comment that is a document of its own.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "linked_comments")]
pub struct LinkedComment {
    #[serde(rename = "_id")]
    pub id: i64,
    #[relation(one_to_squillions, parent_ref, order = desc(created_on))]
    pub post: Ref<Post>,
    pub author: String,
    pub created_on: DateTime,
    #[bound(max_items = 5)]
    pub tags: Vec<String>,
    pub likes: i32,
}

impl From<Comment> for LinkedComment {
    fn from(Comment { id, post, author, created_on, tags, likes }: Comment) -> Self {
        LinkedComment { id, post, author, created_on, tags, likes }
    }
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

/// A reading that is a document of its own.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "linked_readings")]
pub struct LinkedReading {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = asc(time))]
    pub panel: Ref<Panel>,
    pub time: DateTime,
    pub watt_hours: f64,
}

/// Returns a comment on a post, `time` milliseconds after 1970.
pub fn comment(id: i64, post: i64, time: i64) -> Comment {
    Comment {
        id,
        post: Ref::new(post),
        author: format!("author {}", id % 3),
        created_on: DateTime::from_millis(time),
        tags: Vec::new(),
        likes: 0,
    }
}
