//! The samples of the texts about schema design that this crate follows, as models; the guide's page `rules_of_thumb`
//! shows the consequences.

mod reads;

use schema_runtime::prelude::*;

// One-to-few: embedded, with a bound. The tasks of a person mirror the owner of each task.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
#[query(by_ssn(ssn), one)]
#[query(in_city(addresses.city as String))]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[index(unique)]
    ssn: String,
    #[relation(one_to_few, embed, max = 10)]
    addresses: Vec<Address>,
    #[relation(one_to_many, two_way, of = Task::owner, max = 100)]
    tasks: Vec<Ref<Task>>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Address {
    street: String,
    city: String,
    state: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "tasks")]
#[query(due(between(due_date)), order = asc(due_date))]
struct Task {
    #[serde(rename = "_id")]
    id: ObjectId,
    description: String,
    due_date: DateTime,
    #[relation(one_to_many, two_way, inverse = tasks)]
    owner: Option<Ref<Person>>,
}

// One-to-one with a standalone home: the home refers to the user.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
#[inverse(home = Home::user, one_to_one, on_delete = cascade)]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "homes")]
struct Home {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_one, parent_ref, inverse = home, standalone)]
    user: Ref<User>,
    street: String,
    city: String,
}

// One-to-many: an array of references with a bound. Each reference has a copy of the name of its part, and the copy
// follows the part.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
#[query(by_catalog_number(catalog_number), one)]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_len = 80)]
    name: String,
    manufacturer: String,
    #[index(unique)]
    catalog_number: i64,
    #[relation(one_to_many, child_refs, by = id, max = 500, inverse = products)]
    parts: Vec<PartRef>,
}

#[derive(Embed, Serialize, Deserialize)]
struct PartRef {
    id: Ref<Part>,
    #[denormalize(from = id.name)]
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
#[inverse(products = Product::parts)]
struct Part {
    #[serde(rename = "_id")]
    id: ObjectId,
    partno: String,
    #[bound(max_len = 80)]
    #[copied_to(Product::parts)]
    name: String,
    #[changes(often)]
    qty: i32,
}

// One-to-squillions: each message refers to its host and has a copy of the host's address; the host has its latest
// thousand messages.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[inverse(logmsgs = LogMsg::host)]
#[query(by_address(ipaddr), one)]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index(unique)]
    #[bound(max_len = 40)]
    #[copied_to(LogMsg::ipaddr)]
    #[changes(seldom)]
    ipaddr: String,
    #[subset(of = LogMsg::host, keep = 1_000, order = desc(time))]
    logmsgs: Vec<LogLine>,
}

#[derive(Embed, Serialize, Deserialize)]
struct LogLine {
    #[serde(rename = "_id")]
    id: ObjectId,
    time: DateTime,
    #[bound(max_len = 1_000)]
    message: String,
}

#[derive(Projection, Deserialize)]
#[projection(of = Host)]
struct HostId {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
#[query(of_address(ipaddr), order = desc(time), limit = 5_000)]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = desc(time))]
    host: Ref<Host>,
    #[denormalize(from = host.ipaddr)]
    ipaddr: String,
    time: DateTime,
    #[bound(max_len = 1_000)]
    message: String,
}

// Many-to-many: references at both ends when both ends are few, references at a single end when the opposite end is
// many.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "authors")]
#[query(named(name), one)]
struct Author {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
    #[relation(many_to_many, two_way, of = Book::authors, max = 500)]
    books: Vec<Ref<Book>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "books")]
#[query(titled(title), one)]
struct Book {
    #[serde(rename = "_id")]
    id: i64,
    title: String,
    #[relation(many_to_many, two_way, max = 3, inverse = books)]
    authors: Vec<Ref<Author>>,
    #[relation(many_to_many, one_way, max = 3, inverse = books)]
    categories: Vec<Ref<Category>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "categories")]
#[inverse(books = Book::categories, at_most = 500_000)]
#[query(named(name), one)]
struct Category {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
}

// A blog: comments are documents of their own, because comments are also read by author and in pages.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[inverse(comments = Comment::post)]
#[query(of_user(user), order = desc(time_posted), limit = 10)]
#[query(latest, order = desc(time_posted), limit = 20)]
#[query(posted(between(time_posted)), order = asc(time_posted))]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    user: Ref<User>,
    title: String,
    time_posted: DateTime,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "comments")]
#[query(by_name(name, between(created_on)), order = desc(created_on))]
#[query(below(starts_with(path)), order = asc(path))]
struct Comment {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = desc(created_on))]
    post: Ref<Post>,
    name: String,
    created_on: DateTime,
    comment: String,
    /// The `_id`s of the comments above this comment, from the first on, each with a `:` after the `_id`.
    path: String,
}

// A catalogue: items by slug, by category and by tag.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "items")]
#[query(by_slug(slug), one)]
#[query(tagged(contains(tags)), order = asc(name), page = 50)]
struct Item {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index(unique)]
    slug: String,
    name: String,
    #[bound(max_items = 20, max_len = 30)]
    tags: Vec<String>,
}
