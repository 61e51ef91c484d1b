//! Searches of a text index: the commands, the scores, the options, and what the server refuses.

use mongodb::{Database, bson::doc};
use schema_runtime::{Error, PlaneArea, TextLanguage, TextSearch, field::SortKey, prelude::*};
use schema_tests::{CommandLog, database, database_with_log};

#[derive(Model, Serialize, Deserialize, Debug, PartialEq)]
#[model(collection = "dishes", unknown_fields = refuse)]
#[index(text(title, notes), desc(stars), weights(title = 10))]
struct Dish {
    #[serde(rename = "_id")]
    id: i64,
    title: String,
    #[bound(max_items = 5)]
    notes: Vec<String>,
    stars: i32,
}

#[derive(Projection, Deserialize, Debug, PartialEq)]
#[projection(of = Dish)]
struct Title {
    title: String,
}

fn dish(id: i64, title: &str, note: &str) -> Dish {
    Dish { id, title: title.to_owned(), notes: vec![note.to_owned()], stars: id as i32 }
}

async fn dishes() -> (Database, CommandLog) {
    let (db, log) = database_with_log().await;
    schema![Dish].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let dishes = [
        dish(1, "Coffee cake", "a cake with cream"),
        dish(2, "Cream", "for cakes and coffee"),
        dish(3, "Caf\u{e9} au lait", "Coffee, and milk"),
        dish(4, "Tea", "without milk"),
    ];
    Dish::insert_many(&db, &dishes).await.unwrap();
    log.clear();
    (db, log)
}

async fn ids(search: impl Into<TextSearch>, db: &Database) -> Vec<i64> {
    let found = Dish::find(Filter::text(search)).sort(Dish::F.id.asc()).fetch_all(db).await.unwrap();
    found.into_iter().map(|dish| dish.id).collect()
}

#[tokio::test]
async fn the_best_document_comes_first_with_its_score() {
    let (db, log) = dishes().await;
    let read = Dish::find(Filter::text("coffee cakes")).sort([SortKey::score(), Dish::F.id.asc()]);
    let found = read.clone().with_score().fetch_all(&db).await.unwrap();
    assert_eq!(found.iter().map(|found| found.document.id).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(found.windows(2).all(|pair| pair[0].score >= pair[1].score), "{found:?}");
    assert!(found[0].score > 5.0, "a word of the title counts ten times: {found:?}");
    assert_eq!(found[0].document, dish(1, "Coffee cake", "a cake with cream"));
    let find = &log.named("find")[0];
    let score = doc! { "$meta": "textScore" };
    assert_eq!(find.get_document("sort").unwrap(), &doc! { "_schema_score": score.clone(), "_id": 1 });
    assert_eq!(find.get_document("projection").unwrap(), &doc! { "_schema_score": score.clone() });

    let titles = read.clone().select::<Title>().with_score().fetch_all(&db).await.unwrap();
    assert_eq!(titles[0].document, Title { title: "Coffee cake".to_owned() });
    let best = read.clone().limit(1).with_score().fetch_optional(&db).await.unwrap().unwrap();
    assert_eq!((best.document.id, best.score), (1, found[0].score));
    let without = read.fetch_all(&db).await.unwrap();
    assert_eq!(without.iter().map(|dish| dish.id).collect::<Vec<_>>(), [1, 2, 3]);
    let none = Dish::find(Filter::text("nothing")).with_score().fetch_optional(&db).await.unwrap();
    assert_eq!(none, None);
}

#[tokio::test]
async fn the_options_of_a_search() {
    let (db, log) = dishes().await;
    assert_eq!(ids("coffee", &db).await, [1, 2, 3]);
    assert_eq!(ids("coffee -milk \"cake\"", &db).await, [1, 2, 3, 4], "a minus and quotes have no meaning");
    assert_eq!(ids(TextSearch::words("coffee").without("milk cream"), &db).await, Vec::<i64>::new());
    assert_eq!(ids(TextSearch::words("coffee").without("milk"), &db).await, [1, 2]);
    assert_eq!(ids(TextSearch::words("coffee").phrase("with cream"), &db).await, [1]);
    assert_eq!(ids(TextSearch::words("coffee").phrase("\" \""), &db).await, [1, 2, 3], "an empty phrase is no phrase");
    assert_eq!(ids(TextSearch::words("Coffee").case_sensitive(), &db).await, [1, 3]);
    assert_eq!(ids(TextSearch::words("cafe"), &db).await, [3]);
    assert_eq!(ids(TextSearch::words("cafe").diacritic_sensitive(), &db).await, Vec::<i64>::new());
    assert_eq!(ids(TextSearch::words("and"), &db).await, Vec::<i64>::new(), "a stop word of English");
    assert_eq!(ids(TextSearch::words("and").language(TextLanguage::Simple), &db).await, Vec::<i64>::new());
    log.clear();
    let search = TextSearch::words("kaker").language(TextLanguage::Norwegian).case_sensitive().diacritic_sensitive();
    ids(search, &db).await;
    let text =
        doc! { "$search": "kaker", "$language": "norwegian", "$caseSensitive": true, "$diacriticSensitive": true };
    assert_eq!(log.named("find")[0].get_document("filter").unwrap(), &doc! { "$text": text });
}

/// A score has no place behind which the server continues, a read without a search has no score, and a search takes no
/// hint.
#[tokio::test]
async fn what_a_score_cannot_do() {
    let (db, log) = dishes().await;
    let pages = Dish::find(Filter::text("coffee")).sort(SortKey::score()).paginate(2).fetch(&db).await;
    assert!(matches!(pages, Err(Error::Query { message }) if message.contains("score")));
    let hinted = Dish::find(Filter::text("coffee")).hint("title_text_notes_text_stars_-1").fetch_all(&db).await;
    assert!(matches!(hinted, Err(Error::UnknownIndex { .. })), "{hinted:?}");
    assert_eq!(log.commands().len(), 0, "nothing was sent");
    Dish::find(Filter::all()).sort(SortKey::score()).fetch_all(&db).await.unwrap_err();
    Dish::find(Filter::all()).with_score().fetch_all(&db).await.unwrap_err();
    assert_eq!(Dish::find(Filter::text("coffee")).sort(SortKey::score()).count(&db).await.unwrap(), 3);
    assert!(Dish::find(Filter::text("coffee")).exists(&db).await.unwrap());
}

#[tokio::test]
async fn an_index_serves_a_search_and_a_hidden_index_does_not() {
    let (db, _) = dishes().await;
    schema_runtime::assert_indexed(&Dish::find(Filter::text("coffee")), &db).await;
    let hide = doc! { "collMod": "dishes", "index": { "name": "title_text_notes_text_stars_-1", "hidden": true } };
    db.run_command(hide).await.unwrap();
    Dish::find(Filter::text("coffee")).fetch_all(&db).await.unwrap_err();
}

#[derive(Model, Serialize, Deserialize, Debug)]
#[model(collection = "goods")]
#[index(wildcard(attributes))]
#[index(label, hidden)]
struct Goods {
    #[serde(rename = "_id")]
    id: i64,
    label: String,
    #[bound(max_items = 5)]
    attributes: std::collections::BTreeMap<String, String>,
    #[index(geo_2d, min = 0, max = 100)]
    shelf: [f64; 2],
}

/// A wildcard index serves a condition on one path; neither a hidden index nor the paths outside are served.
#[tokio::test]
async fn a_wildcard_index_serves_one_path_and_a_hidden_index_none() {
    let db = database().await;
    schema![Goods].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let attributes = |color: &str| [("color".to_owned(), color.to_owned())].into();
    let goods = |id: i64| Goods {
        id,
        label: format!("label {id}"),
        attributes: attributes(if id % 10 == 0 { "red" } else { "blue" }),
        shelf: [id as f64, 5.0],
    };
    Goods::insert_many(&db, (1..=50).map(goods)).await.unwrap();
    let red = Goods::find(Goods::F.attributes.key("color").eq("red"));
    assert_eq!(schema_runtime::check_indexed(&red, &db).await.unwrap(), []);
    assert_eq!(red.count(&db).await.unwrap(), 5);
    let label = Goods::find(Goods::F.label.eq("label 7"));
    assert_ne!(schema_runtime::check_indexed(&label, &db).await.unwrap(), []);

    let near = Goods::find(Goods::F.shelf.near_2d([10.0, 5.0], 1.5)).fetch_all(&db).await.unwrap();
    assert_eq!(near.iter().map(|goods| goods.id).collect::<Vec<_>>()[0], 10);
    assert_eq!(near.len(), 3);
    for (area, count) in [
        (PlaneArea::rectangle([1.0, 0.0], [4.0, 9.0]), 4),
        (PlaneArea::circle([20.0, 5.0], 2.0), 5),
        (PlaneArea::polygon([[0.0, 0.0], [6.5, 0.0], [6.5, 20.0], [0.0, 20.0]]), 6),
    ] {
        let within = Goods::find(Goods::F.shelf.within_2d(area));
        assert_eq!(within.clone().count(&db).await.unwrap(), count);
        assert_eq!(schema_runtime::check_indexed(&within, &db).await.unwrap(), []);
    }
    Goods::find(Goods::F.shelf.near_2d([10.0, 5.0], 1.5)).count(&db).await.expect_err("the server counts no `$near`");
    let outside = Goods { shelf: [500.0, 5.0], ..goods(99) };
    Goods::insert(&db, &outside).await.unwrap_err();
}

/// A model whose words are below the tenant and the year.
#[derive(Model, Serialize, Deserialize, Debug, PartialEq)]
#[model(collection = "notes")]
#[index(tenant, year, text(words))]
#[query(of_tenant(tenant))]
struct Note {
    #[serde(rename = "_id")]
    id: i64,
    tenant: i64,
    year: i32,
    words: String,
}

#[tokio::test]
async fn a_search_below_keys_needs_a_value_of_each_key() {
    let (db, log) = database_with_log().await;
    schema![Note].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let note = |id, tenant| Note { id, tenant, year: 2020, words: "coffee".to_owned() };
    Note::insert_many(&db, &[note(1, 1), note(2, 2)]).await.unwrap();
    log.clear();
    let (tenant, year) = (|| Note::F.tenant.eq(2), || Note::F.year.eq(2020));
    for found in [
        Note::find(tenant().and(year()).and(Filter::text("coffee"))).fetch_all(&db).await.unwrap(),
        Note::of_tenant(2).filter(year()).filter(Filter::text("coffee")).fetch_all(&db).await.unwrap(),
    ] {
        assert_eq!(found, [note(2, 2)]);
    }
    log.clear();
    for refused in [
        Note::find(Filter::text("coffee")).fetch_all(&db).await.unwrap_err(),
        Note::find(tenant().and(Filter::text("coffee"))).fetch_all(&db).await.unwrap_err(),
        Note::find(Note::F.tenant.is_in([1, 2]).and(year()).and(Filter::text("coffee")))
            .fetch_all(&db)
            .await
            .unwrap_err(),
        Note::of_tenant(2).filter(Filter::text("coffee")).fetch_all(&db).await.unwrap_err(),
    ] {
        assert!(
            matches!(refused, Error::Query { message } if message.contains("compare each of these keys")),
            "{refused}"
        );
    }
    let counted = Note::find(Filter::text("coffee")).count(&db).await.unwrap_err();
    assert!(matches!(counted, Error::Query { .. }), "{counted}");
    assert!(log.commands().is_empty(), "{:?}", log.commands());
}
