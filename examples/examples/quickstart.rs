//! Connects to MongoDB, inserts users, finds the adults, and prints them.

use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[index(unique)]
    email: String,
    age: i32,
}

#[tokio::main]
async fn main() -> Result<()> {
    let uri = std::env::var("MONGODB_URI").unwrap_or("mongodb://localhost:27017".to_owned());
    let db = schema_runtime::connect(&uri, "quickstart").await?;
    schema![User].plan(&db).await?.apply(&db).await?.complete()?; // the collection, its validator, its indexes
    User::delete_many(&db, Filter::all()).await?; // what an earlier run has left

    let ada = User { id: ObjectId::new(), name: "Ada".into(), email: "ada@example.com".into(), age: 36 };
    let tim = User { id: ObjectId::new(), name: "Tim".into(), email: "tim@example.com".into(), age: 12 };
    User::insert_many(&db, &[ada, tim]).await?;

    let adults = User::find(User::F.age.gte(18)).sort(User::F.name.asc()).limit(10).fetch_all(&db).await?;
    for adult in adults {
        println!("{} <{}> is {}", adult.name, adult.email, adult.age);
    }
    Ok(())
}
