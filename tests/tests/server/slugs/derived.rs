//! A followed and kept slug, together with copies of the slug, kept values of a parent, a delete rule, a history and a
//! version.

use schema_runtime::{Throttle, prelude::*, schema};
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "shops")]
#[inverse(articles = Article::shop, on_delete = restrict)]
struct Shop {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
    #[slug(from = name, max_len = 40, follow, keep_old = 3)]
    #[copied_to(Article::shop_slug, fan_out = 10)]
    slug: String,
    #[subset(of = Article::shop, keep = 2, order = desc(number))]
    latest: Vec<Latest>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Latest {
    #[serde(rename = "_id")]
    id: i64,
    slug: String,
    number: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "articles")]
struct Article {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    shop: Ref<Shop>,
    #[denormalize(from = shop.slug)]
    shop_slug: String,
    title: String,
    #[slug(from = title, max_len = 40, follow, keep_old = 3)]
    slug: String,
    number: i64,
    #[history(keep = 3, order = desc(since), interval(since, until))]
    prices: Vec<Price>,
    #[version]
    version: i64,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Price {
    cents: i64,
    since: DateTime,
    until: Option<DateTime>,
}

#[tokio::test]
async fn beside_all_that_is_derived() {
    let db = database().await;
    let schema = schema![Shop, Article];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    let shop = |id, name: &str| Shop { id, name: name.to_owned(), slug: String::new(), latest: Vec::new() };
    Shop::insert_many(&db, [shop(1, "Corner"), shop(2, "Market")]).await.unwrap();
    let article = |id, title: &str| Article {
        id,
        shop: Ref::new(1_i64),
        shop_slug: String::new(),
        title: title.to_owned(),
        slug: String::new(),
        number: id,
        prices: Vec::new(),
        version: 0,
    };
    Article::insert_many(&db, [article(1, "Bolt"), article(2, "Nut")]).await.unwrap();
    let copied = async || Article::get_by_id(&db, 1).await.unwrap().shop_slug;
    let kept = async |id: i64| {
        let shop = Shop::get_by_id(&db, id).await.unwrap();
        shop.latest.into_iter().map(|article| article.slug).collect::<Vec<_>>()
    };
    Shop::update_by_id(1).set(Shop::F.name, "Square").execute(&db).await.unwrap();
    assert_eq!(copied().await, "square");
    Shop::bulk()
        .update(Shop::update_by_id(1).set(Shop::F.name, "Arcade"))
        .execute(&db)
        .await
        .unwrap()
        .complete()
        .unwrap();
    assert_eq!(copied().await, "arcade");
    let mut value = Shop { name: "Bazaar".to_owned(), ..Shop::get_by_id(&db, 1).await.unwrap() };
    Shop::save(&db, &mut value).await.unwrap();
    assert_eq!(copied().await, "bazaar");
    assert_eq!(Shop::by_slug("corner").fetch_optional(&db).await.unwrap().unwrap().slug, "bazaar");
    assert_eq!(kept(1).await, ["nut", "bolt"]);
    Article::update_by_id(2).set(Article::F.title, "Bolt").execute(&db).await.unwrap();
    assert_eq!(kept(1).await, ["bolt-2", "bolt"]);
    let bulk = Article::bulk().update(Article::update_by_id(1).set(Article::F.title, "Peg"));
    bulk.execute(&db).await.unwrap().complete().unwrap();
    assert_eq!(kept(1).await, ["bolt-2", "peg"]);
    // A reference with a delete rule: a transaction of its own, with the name, and a new entry of the history.
    let price = Price { cents: 5, since: DateTime::from_millis(1), until: None };
    let update = Article::update_by_id(1).set(Article::F.title, "Pin").set(Article::F.shop, Ref::new(2_i64));
    update.record(Article::F.prices, &price).execute(&db).await.unwrap();
    assert_eq!((kept(1).await, kept(2).await), (vec!["bolt-2".to_owned()], vec!["pin".to_owned()]));
    let mut stored = Article::get_by_id(&db, 1).await.unwrap();
    assert_eq!((stored.shop_slug.as_str(), stored.prices.len()), ("market", 1));
    let stale = stored.clone();
    stored.title = "Hook".to_owned();
    Article::save(&db, &mut stored).await.unwrap();
    assert_eq!((stored.slug.as_str(), kept(2).await), ("hook", vec!["hook".to_owned()]));
    let conflict = Article::replace(&db, &Article { title: "Cap".to_owned(), ..stale }).await.unwrap_err();
    assert!(matches!(conflict, Error::VersionConflict { .. }), "{conflict}");
    assert_eq!(Article::by_slug("bolt").fetch_optional(&db).await.unwrap().unwrap().slug, "hook");
    assert!(matches!(Shop::delete_by_id(&db, 2).await, Err(Error::DeleteRestricted { .. })));
    let report = schema.verify(&db).await.unwrap();
    assert!(report.is_clean(), "{report}");
    schema.recover(&db, &Throttle::new()).await.unwrap();
    assert_eq!(schema.recover(&db, &Throttle::new()).await.unwrap().to_string(), "nothing to recover");
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "categories")]
struct Category {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
    #[slug(from = name, max_len = 40, follow, keep_old = 3)]
    slug: String,
    #[tree(parent, max_depth = 8)]
    parent: Option<Ref<Category>>,
    #[tree(path)]
    path: TreePath<Category>,
}

#[tokio::test]
async fn in_a_tree() {
    let db = database().await;
    let schema = schema![Category];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    let category = |id, parent: Option<i64>| Category {
        id,
        name: "Tools".to_owned(),
        slug: String::new(),
        parent: parent.map(Ref::new),
        path: TreePath::default(),
    };
    Category::insert_many(&db, [category(1, None), category(2, Some(1)), category(3, None)]).await.unwrap();
    Category::update_by_id(2).set(Category::F.name, "Saws").execute(&db).await.unwrap();
    Category::move_under(&db, 2_i64, 3_i64).await.unwrap();
    let mut moved = Category::by_slug("tools-2").fetch_optional(&db).await.unwrap().unwrap();
    assert_eq!((moved.slug.as_str(), moved.path.as_str()), ("saws", "8000000000000003:"));
    moved.name = "Tools".to_owned();
    Category::save(&db, &mut moved).await.unwrap();
    assert_eq!(moved.slug, "tools-2");
    let report = schema.verify(&db).await.unwrap();
    assert!(report.is_clean(), "{report}");
}
