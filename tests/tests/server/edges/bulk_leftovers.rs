//! The reads of a bulk before values replace documents: the reads find documents with any kind of `_id`, and the
//! derived data follow the values that the bulk sets.

use mongodb::bson::{Document, doc};
use schema_runtime::prelude::*;
use schema_tests::database;

#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq, Eq, Hash)]
struct Place {
    shop: i32,
    number: i64,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone)]
#[model(collection = "placed")]
struct Placed {
    #[serde(rename = "_id")]
    id: Place,
    name: String,
    #[slug(from = name, max_len = 20)]
    slug: String,
    #[created_at]
    made: DateTime,
}

#[tokio::test]
async fn writes_of_many_find_documents_whose_id_is_a_struct() {
    let db = database().await;
    let placed = |number: i64| {
        let (id, slug) = (Place { shop: 1, number }, format!("x-{number}"));
        Placed { id, name: "x".to_owned(), slug, made: DateTime::MIN }
    };
    let values = [placed(1), placed(2)];
    Placed::insert_many(&db, &values).await.unwrap();
    let collection = db.collection::<Document>("placed");
    for way in 0..3 {
        let old = doc! { "$set": { "legacy": 1 }, "$unset": { "made": "" } };
        collection.update_many(doc! {}, old).await.unwrap();
        match way {
            0 => drop(Placed::upsert_many(&db, &values).await.unwrap()),
            1 => {
                let bulk = Placed::bulk().replace(&values[0]).replace(&values[1]);
                bulk.execute(&db).await.unwrap().complete().unwrap();
            }
            _ => {
                let bulk = Placed::bulk().upsert(&values[0]).upsert(&values[1]);
                bulk.execute(&db).await.unwrap().complete().unwrap();
            }
        }
        for number in [1_i64, 2] {
            let id = doc! { "shop": 1, "number": number };
            let stored = collection.find_one(doc! { "_id": id }).await.unwrap().unwrap();
            assert!(!stored.contains_key("legacy") && stored.contains_key("made"), "{way}: {stored}");
        }
    }
}

#[derive(Model, Serialize, Deserialize, Debug, Clone)]
#[model(collection = "articles")]
struct Article {
    #[serde(rename = "_id")]
    id: i32,
    name: String,
    #[created_at]
    #[copied_to(Remark::made)]
    #[changes(seldom)]
    made: DateTime,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone)]
#[model(collection = "remarks")]
struct Remark {
    #[serde(rename = "_id")]
    id: i32,
    #[relation(one_to_many, parent_ref)]
    article: Ref<Article>,
    #[denormalize(from = article.made)]
    made: DateTime,
}

async fn only(db: &Database, collection: &str) -> Document {
    db.collection::<Document>(collection).find_one(doc! {}).await.unwrap().unwrap()
}

#[tokio::test]
async fn a_time_that_writes_of_many_give_reaches_its_copies() {
    let db = database().await;
    let article = Article { id: 1, name: "x".to_owned(), made: DateTime::MIN };
    Article::insert(&db, &article).await.unwrap();
    Remark::insert(&db, &Remark { id: 1, article: Ref::new(1), made: DateTime::MIN }).await.unwrap();
    for way in 0..3 {
        let articles = db.collection::<Document>("articles");
        articles.update_one(doc! {}, doc! { "$unset": { "made": "" } }).await.unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        match way {
            0 => drop(Article::bulk().replace(&article).execute(&db).await.unwrap().complete().unwrap()),
            1 => drop(Article::bulk().upsert(&article).execute(&db).await.unwrap().complete().unwrap()),
            _ => drop(Article::upsert_many(&db, [&article]).await.unwrap()),
        }
        let made = *only(&db, "articles").await.get_datetime("made").unwrap();
        assert_eq!(only(&db, "remarks").await.get_datetime("made").unwrap(), &made, "{way}");
    }
}
