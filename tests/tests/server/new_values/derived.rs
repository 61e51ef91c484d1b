//! New values of models with derived data: copies, rollups, slugs, trees, links, histories.

use schema_runtime::{prelude::*, schema};
use schema_tests::database;

use super::stored;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "writers")]
#[inverse(articles = Article::writer)]
struct Writer {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    #[copied_to(Article::writer_name)]
    #[changes(seldom)]
    name: String,
    #[copied_to(Article::writer_home)]
    #[changes(seldom)]
    #[bound(max_len = 80)]
    home: url::Url,
    #[default(Mood::Calm)]
    #[copied_to(Article::writer_mood)]
    #[changes(seldom)]
    mood: Mood,
    #[computed(count(Article::writer))]
    articles: i64,
    #[computed(avg(Article::writer, words))]
    words: Option<f64>,
    #[subset(of = Article::writer, keep = 2, order = desc(words))]
    longest: Vec<Longest>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
enum Mood {
    Loud,
    Calm,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Longest {
    #[serde(rename = "_id")]
    id: ObjectId,
    words: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "articles", new(Clone))]
struct Article {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = desc(words))]
    writer: Ref<Writer>,
    #[denormalize(from = writer.name)]
    writer_name: String,
    #[denormalize(from = writer.home)]
    #[bound(max_len = 80)]
    writer_home: url::Url,
    #[denormalize(from = writer.mood)]
    writer_mood: Mood,
    #[denormalize(from = writer.name, snapshot)]
    first_name: String,
    #[denormalize(from = writer.name, snapshot, given)]
    signed: String,
    title: String,
    #[slug(from = title, max_len = 40)]
    slug: String,
    #[default(100)]
    words: i64,
    #[history(keep = 3, order = desc(at))]
    #[default]
    edits: Vec<Edit>,
    #[auto(sequence)]
    number: i64,
    #[version]
    version: i32,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Edit {
    at: DateTime,
    #[bound(max_len = 20)]
    by: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "categories", new)]
struct Category {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    #[copied_to(Category::ancestors)]
    #[changes(seldom)]
    name: String,
    #[tree(parent, max_depth = 16, order = asc(name))]
    parent: Option<Ref<Category>>,
    #[tree(ancestors, by = id)]
    ancestors: Vec<Ancestor>,
    #[tree(path)]
    path: TreePath<Category>,
    #[tree(depth)]
    depth: i32,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Ancestor {
    id: Ref<Category>,
    #[denormalize(from = id.name)]
    name: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "tags", new)]
struct Tag {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    #[relation(many_to_many, two_way, of = Photo::tags, max = 50)]
    photos: Vec<Ref<Photo>>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "photos", new)]
struct Photo {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    #[relation(many_to_many, two_way, max = 5, inverse = photos)]
    #[default]
    tags: Vec<Ref<Tag>>,
}

async fn writer(db: &Database) -> Writer {
    let home = "https://example.com/ada".parse().unwrap();
    NewWriter { name: "Ada".to_owned(), home, mood: None }.insert(db).await.unwrap()
}

fn article(writer: &Writer, title: &str) -> NewArticle {
    let (writer, title) = (Ref::to(writer), title.to_owned());
    NewArticle { writer, signed: "A. L.".to_owned(), title, words: None, edits: None }
}

#[tokio::test]
async fn copies_slugs_and_rollups_are_filled_by_the_insert() {
    let db = database().await;
    let schema = schema![Writer, Article];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let ada = writer(&db).await;
    assert_eq!((ada.articles, ada.words, ada.longest.len(), ada.mood), (0, None, 0, Mood::Calm));
    let first = article(&ada, "On Engines").insert(&db).await.unwrap();
    assert_eq!((first.writer_name.as_str(), first.first_name.as_str(), first.signed.as_str()), ("Ada", "Ada", "A. L."));
    assert_eq!((first.writer_home.as_str(), first.writer_mood), ("https://example.com/ada", Mood::Calm));
    assert_eq!((first.slug.as_str(), first.number, first.version, first.edits.len()), ("on-engines", 1, 0, 0));
    assert_eq!(first, Article::get_by_id(&db, first.id).await.unwrap());
    let more = (0..3).map(|at| NewArticle { words: Some(200 + at), ..article(&ada, "On Engines") });
    let more = NewArticle::insert_many(&db, more).await.unwrap();
    for article in &more {
        assert_eq!(*article, Article::get_by_id(&db, article.id).await.unwrap());
        assert!(article.slug.starts_with("on-engines-"), "{}", article.slug);
        assert_eq!(article.writer_name, "Ada");
    }
    assert_eq!(more.iter().map(|article| article.number).collect::<Vec<_>>(), [2, 3, 4]);
    let ada = Writer::get_by_id(&db, ada.id).await.unwrap();
    assert_eq!((ada.articles, ada.words), (4, Some(175.75)));
    assert_eq!(ada.longest.iter().map(|longest| longest.words).collect::<Vec<_>>(), [202, 201]);
    assert!(schema.verify(&db).await.unwrap().is_clean());
}

#[tokio::test]
async fn a_parent_is_inserted_after_its_children() {
    let db = database().await;
    let ada = NewWriter { name: "Ada".to_owned(), home: "https://a.org".parse().unwrap(), mood: Some(Mood::Loud) };
    let ada = ada.into_model().unwrap();
    assert_eq!((ada.articles, ada.words), (0, None));
    Writer::insert(&db, &ada).await.unwrap();
    let many: Vec<NewArticle> = vec![article(&ada, "one"); 30];
    let stored = NewArticle::insert_many(&db, many).await.unwrap();
    assert_eq!(stored.len(), 30);
    assert_eq!(Writer::get_by_id(&db, ada.id).await.unwrap().articles, 30);
    assert!(stored.iter().all(|article| article.writer_mood == Mood::Loud));
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "pages", new(Clone))]
struct Page {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    title: String,
    #[slug(from = title, max_len = 40)]
    slug: String,
}

#[tokio::test]
async fn writers_of_one_slug_get_the_stored_slugs() {
    let db = database().await;
    schema![Page].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let insert = |db: Database| async move {
        NewPage::insert_many(&db, vec![NewPage { title: "One".to_owned() }; 12]).await.unwrap()
    };
    let writers: Vec<_> = (0..8).map(|_| tokio::spawn(insert(db.clone()))).collect();
    let mut slugs = std::collections::BTreeSet::new();
    for writer in writers {
        for page in writer.await.unwrap() {
            assert_eq!(page, Page::get_by_id(&db, page.id).await.unwrap());
            slugs.insert(page.slug);
        }
    }
    assert_eq!(slugs.len(), 96);
}

#[tokio::test]
async fn a_missing_source_is_the_error_of_the_insert() {
    let db = database().await;
    let nobody = NewWriter { name: "X".to_owned(), home: "https://a.org".parse().unwrap(), mood: None };
    let nobody = nobody.into_model().unwrap();
    let error = article(&nobody, "x").insert(&db).await.unwrap_err();
    assert!(matches!(error, Error::DanglingReference { .. }), "{error:?}");
    assert_eq!(stored(&db, "articles").await.len(), 0);
}

#[tokio::test]
async fn trees_and_links_are_filled_by_the_insert() {
    let db = database().await;
    let root = NewCategory { name: "all".to_owned(), parent: None }.insert(&db).await.unwrap();
    assert_eq!((root.depth, root.ancestors.len()), (0, 0));
    let below = |name: &str| NewCategory { name: name.to_owned(), parent: Some(Ref::to(&root)) };
    let books = below("books").insert(&db).await.unwrap();
    assert_eq!((books.depth, books.ancestors[0].name.as_str()), (1, "all"));
    assert_eq!(books, Category::get_by_id(&db, books.id).await.unwrap());
    let many = NewCategory::insert_many(&db, [below("maps"), below("toys")]).await.unwrap();
    assert_eq!(many[1], Category::get_by_id(&db, many[1].id).await.unwrap());
    assert_eq!(root.children().count(&db).await.unwrap(), 3);

    let tag = NewTag {}.insert(&db).await.unwrap();
    assert_eq!(tag.photos, []);
    let photo = NewPhoto { tags: Some(vec![Ref::to(&tag)]) }.insert(&db).await.unwrap();
    assert_eq!(Tag::get_by_id(&db, tag.id).await.unwrap().photos, [Ref::to(&photo)]);
    assert_eq!(NewPhoto { tags: None }.insert(&db).await.unwrap().tags, []);
    assert!(schema![Category, Tag, Photo].verify(&db).await.unwrap().is_clean());
    assert_eq!(stored(&db, "tags").await[0].keys().collect::<Vec<_>>(), ["_id", "photos"]);
}
