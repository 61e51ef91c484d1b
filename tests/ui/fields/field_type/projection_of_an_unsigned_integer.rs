use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "authors")]
struct Author {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_few, embed, max = 10)]
    books: Vec<Book>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Book {
    title: String,
    balance: i32,
}

#[derive(Projection, Deserialize)]
#[projection(of = Author)]
struct AuthorBooks {
    books: Vec<BookBalance>,
}

#[derive(Embed, Serialize, Deserialize)]
struct BookBalance {
    balance: u32,
}

fn main() {}
