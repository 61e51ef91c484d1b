//! The reads of the texts, as a declared query or a relation: the index of each read is the index in the manual's page.

use schema_runtime::{Result, assert_queries_indexed, bson::Bson, explain::problems, prelude::*, review::Review};
use schema_tests::database;

use super::*;

const PAGE: &str = include_str!("../../../../guide/pages/design/rules_of_thumb.md");

/// Finds the indexes of the winning plan.
fn indexes(value: &Bson, in_plan: bool, found: &mut Vec<String>) {
    match value {
        Bson::Document(document) => {
            if in_plan && document.get_str("stage").is_ok_and(|stage| stage == "IDHACK") {
                found.push("_id_".to_owned());
            }
            for (name, value) in document {
                match value {
                    Bson::String(index) if in_plan && name == "indexName" => found.push(index.clone()),
                    _ if name == "rejectedPlans" => {}
                    _ => indexes(value, in_plan || name == "winningPlan", found),
                }
            }
        }
        Bson::Array(values) => values.iter().for_each(|value| indexes(value, in_plan, found)),
        _ => {}
    }
}

/// Checks that a single index serves the read, and that the page and, for a declared query, the review of the schema
/// name the index.
fn serves(review: &Review, written: &str, index: &str, explained: Result<schema_runtime::bson::Document>) {
    let explained = explained.unwrap_or_else(|error| panic!("{written}: {error}"));
    assert_eq!(problems(&explained), [], "{written}");
    let mut found = Vec::new();
    indexes(&Bson::Document(explained), false, &mut found);
    found.sort();
    found.dedup();
    assert_eq!(found, [index], "{written}");
    if let Some((model, query)) = written.split_once('(').and_then(|(method, _)| method.split_once("::")) {
        let model = review.models.iter().find(|reviewed| reviewed.model == model).expect("the model");
        let read = model.reads.iter().find(|read| read.name == query).expect("the query");
        assert_eq!(read.index.as_deref(), Some(index), "{written}");
    }
    let row = format!("| `{written}` | `{index}` |");
    assert!(PAGE.contains(&row), "the page has no row\n{row}");
}

/// Checks a read, with the source of the call as the text of the read.
macro_rules! read {
    ($on:expr, $index:literal, $read:expr) => {
        serves($on.1, stringify!($read), $index, $read.explain($on.0).await)
    };
}

#[tokio::test]
async fn each_read_of_the_texts_is_by_the_index_that_the_page_says() {
    let db = &database().await;
    let schema =
        schema![Person, Task, User, Home, Product, Part, Host, LogMsg, Author, Book, Category, Post, Comment, Item];
    schema.plan(db).await.unwrap().apply(db).await.unwrap().complete().unwrap();
    let on = (db, &schema.review());
    let [person, task] = people(db).await;
    let (person, task) = (Person::get_by_id(db, person).await.unwrap(), Task::get_by_id(db, task).await.unwrap());
    let thirty_days_ago = day(30);
    read!(on, "ssn_1", Person::by_ssn("123-456-0007"));
    read!(on, "addresses.city_1", Person::in_city("Springfield"));
    read!(on, "_id_", person.tasks());
    read!(on, "_id_", task.owner());
    let (tomorrow, the_day_after) = (day(7), day(8));
    read!(on, "due_date_1", Task::due(tomorrow..the_day_after));
    let user = users(db).await;
    read!(on, "user_1", user.home());

    let (product, part) = products(db).await;
    read!(on, "catalog_number_1", Product::by_catalog_number(1234));
    read!(on, "_id_", product.parts());
    read!(on, "parts.id_1__id_-1", part.products());

    let host = logs(db).await;
    read!(on, "ipaddr_1", Host::by_address("127.66.66.66").select::<HostId>());
    let HostId { id } = Host::by_address("127.66.66.66").select::<HostId>().fetch_one(db).await.unwrap();
    assert_eq!(LogMsg::find(LogMsg::F.host.eq(id)).count(db).await.unwrap(), 30);
    read!(on, "host_1_time_-1__id_-1", host.logmsgs().latest(5_000));
    read!(on, "ipaddr_1_time_-1", LogMsg::of_address("127.66.66.66"));

    let (author, book, category) = library(db).await;
    read!(on, "name_1", Author::named("Peter Stanford"));
    read!(on, "_id_", author.books());
    read!(on, "title_1", Book::titled("A tale of two space ships"));
    read!(on, "_id_", book.authors());
    read!(on, "_id_", book.categories());
    read!(on, "name_1", Category::named("drama"));
    read!(on, "categories_1__id_-1", category.books().paginate(50));

    let post = blog(db, &user).await;
    let (january, february) = (day(31), day(62));
    read!(on, "user_1_time_posted_-1", Post::of_user(&user));
    read!(on, "time_posted_-1", Post::latest());
    read!(on, "time_posted_-1", Post::posted(january..february));
    read!(on, "post_1_created_on_-1__id_-1", post.comments().latest(10));
    read!(on, "post_1_created_on_-1__id_-1", post.comments().paginate(50));
    read!(on, "name_1_created_on_-1", Comment::by_name("Alice", thirty_days_ago..));
    read!(on, "path_1", Comment::below("4d692b5d59e212384d95001:"));

    items(db).await;
    read!(on, "slug_1", Item::by_slug("wheel-barrow-7"));
    read!(on, "tags_1_name_1__id_1", Item::tagged("gardening"));
    assert_queries_indexed(&schema, db).await;

    let rows = PAGE.lines().filter(|line| line.starts_with("| \"") && line.contains("` | `")).count();
    assert_eq!(rows, 28, "a row of the page that is not asserted here");
}

/// The models of the page equal the models of the tests.
#[test]
fn the_page_shows_the_models() {
    let (_, models) = include_str!("../seeds.rs").split_once("mod reads;\n\n").expect("the models");
    assert!(
        PAGE.contains(models),
        "the models in the manual's page `rules_of_thumb` are not those of `server/seeds.rs`"
    );
}

fn day(number: i64) -> DateTime {
    DateTime::from_millis(number * 24 * 60 * 60 * 1_000)
}

async fn people(db: &Database) -> [ObjectId; 2] {
    let people: Vec<Person> = (0..60)
        .map(|number| Person {
            id: ObjectId::new(),
            name: format!("person {number}"),
            ssn: format!("123-456-{number:04}"),
            addresses: vec![Address {
                street: format!("{number} Evergreen Terrace"),
                city: if number % 10 == 0 { "Springfield" } else { "Cambridge" }.to_owned(),
                state: "MO".to_owned(),
            }],
            tasks: Vec::new(),
        })
        .collect();
    Person::insert_many(db, &people).await.unwrap();
    let task = |number: i64| Task {
        id: ObjectId::new(),
        description: "Write lesson plan".to_owned(),
        due_date: day(number % 60),
        owner: Some(Ref::to(&people[number as usize % 5])),
    };
    let tasks: Vec<Task> = (0..120).map(task).collect();
    Task::insert_many(db, &tasks).await.unwrap();
    [people[0].id, tasks[0].id]
}

async fn users(db: &Database) -> User {
    let users: Vec<User> = (0..60).map(|number| User { id: ObjectId::new(), name: format!("user {number}") }).collect();
    User::insert_many(db, &users).await.unwrap();
    let home = |user: &User| Home {
        id: ObjectId::new(),
        user: Ref::to(user),
        street: "100 some road".to_owned(),
        city: "Nevermore".to_owned(),
    };
    Home::insert_many(db, users.iter().map(home).collect::<Vec<_>>()).await.unwrap();
    users.into_iter().next().expect("a user")
}

async fn products(db: &Database) -> (Product, Part) {
    let part = |number| Part {
        id: ObjectId::new(),
        partno: format!("123-aff-{number}"),
        name: "#4 grommet".to_owned(),
        qty: 94,
    };
    let parts: Vec<Part> = (0..40).map(part).collect();
    Part::insert_many(db, &parts).await.unwrap();
    let refer_to = |part: &Part| PartRef { id: Ref::to(part), name: String::new() };
    let product = |number: usize| Product {
        id: ObjectId::new(),
        name: "left-handed smoke shifter".to_owned(),
        manufacturer: "Acme Corp".to_owned(),
        catalog_number: 1_200 + number as i64,
        parts: [number, number + 1].map(|at| refer_to(&parts[at % 40])).into(),
    };
    let products: Vec<Product> = (0..60).map(product).collect();
    Product::insert_many(db, &products).await.unwrap();
    (products.into_iter().nth(34).expect("a product"), parts.into_iter().nth(3).expect("a part"))
}

async fn logs(db: &Database) -> Host {
    let host = |number| Host { id: ObjectId::new(), ipaddr: format!("127.66.66.{number}"), logmsgs: Vec::new() };
    let hosts: Vec<Host> = (60..70).map(host).collect();
    Host::insert_many(db, &hosts).await.unwrap();
    let message = |minute: usize| LogMsg {
        id: ObjectId::new(),
        host: Ref::to(&hosts[minute % 10]),
        ipaddr: String::new(),
        time: DateTime::from_millis(minute as i64 * 60_000),
        message: "cpu is on fire!".to_owned(),
    };
    LogMsg::insert_many(db, (0..300).map(message).collect::<Vec<_>>()).await.unwrap();
    hosts.into_iter().next().expect("a host")
}

async fn library(db: &Database) -> (Author, Book, Category) {
    let name = |id: i64| if id == 1 { "Peter Stanford".to_owned() } else { format!("author {id}") };
    Author::insert_many(db, (0..60).map(|id| Author { id, name: name(id), books: Vec::new() }).collect::<Vec<_>>())
        .await
        .unwrap();
    let name = |id: i64| if id == 1 { "drama".to_owned() } else { format!("category {id}") };
    Category::insert_many(db, (0..60).map(|id| Category { id, name: name(id) }).collect::<Vec<_>>()).await.unwrap();
    let book = |id: i64| Book {
        id,
        title: if id == 2 { "A tale of two space ships".to_owned() } else { format!("volume {id}") },
        authors: vec![Ref::new(id % 60), Ref::new(1 + id % 50)],
        categories: vec![Ref::new(id % 60)],
    };
    Book::insert_many(db, (0..120).map(book).filter(|book| book.authors[0] != book.authors[1]).collect::<Vec<_>>())
        .await
        .unwrap();
    let author = Author::named("Peter Stanford").fetch_one(db).await.unwrap();
    let book = Book::titled("A tale of two space ships").fetch_one(db).await.unwrap();
    (author, book, Category::named("drama").fetch_one(db).await.unwrap())
}

async fn blog(db: &Database, user: &User) -> Post {
    let other = User { id: ObjectId::new(), name: "Asya".to_owned() };
    let post = |number: i64| Post {
        id: ObjectId::new(),
        user: Ref::to(if number % 20 == 0 { user } else { &other }),
        title: "An awesome blog".to_owned(),
        time_posted: day(number),
    };
    let posts: Vec<Post> = (0..200).map(post).collect();
    Post::insert_many(db, &posts).await.unwrap();
    let comment = |number: i64| Comment {
        id: ObjectId::new(),
        post: Ref::to(&posts[number as usize % 10]),
        name: if number % 3 == 0 { "Alice" } else { "Peter Critic" }.to_owned(),
        created_on: day(number),
        comment: "Awesome blog post".to_owned(),
        path: format!("4d692b5d59e212384d95{:03}:", number % 10),
    };
    Comment::insert_many(db, (0..200).map(comment).collect::<Vec<_>>()).await.unwrap();
    posts.into_iter().next().expect("a post")
}

async fn items(db: &Database) {
    let item = |number| Item {
        id: ObjectId::new(),
        slug: format!("wheel-barrow-{number}"),
        name: format!("item {number}"),
        tags: vec![if number % 10 == 0 { "gardening" } else { "repairs" }.to_owned()],
    };
    Item::insert_many(db, (0..100).map(item).collect::<Vec<_>>()).await.unwrap();
}
