//! Models that a `macro_rules!` writes, models that name themselves `Self`, and names that derived code could have too:
//! all compile, without any warning beyond the warnings of serde's derives.

#![deny(warnings, unused_qualifications, clippy::pedantic)]
#![allow(dead_code)]

use schema_runtime::prelude::*;

macro_rules! items {
    ($($(#[$of:meta])* struct $name:ident { $($(#[$on:meta])* $field:ident: $ty:ty),* $(,)? })*) => {
        $(#[derive(Model, Serialize, Deserialize)]
        $(#[$of])*
        struct $name {
            #[serde(rename = "_id")]
            id: ObjectId,
            $($(#[$on])* $field: $ty,)*
        })*
    };
}

items! {
    #[model(collection = "authors")]
    #[inverse(books = Book::author)]
    #[query(named(name), one)]
    #[query(aged(between(age)), order = asc(age), limit = 9)]
    struct Author {
        name: String,
        age: i32,
        #[relation(one_to_many, two_way, of = Book::editor, max = 10)]
        edits: Vec<Ref<Book>>,
    }
    #[model(collection = "books")]
    #[shard_key(hashed(id))]
    struct Book {
        #[relation(one_to_many, parent_ref)]
        author: Ref<Author>,
        #[relation(one_to_many, two_way, inverse = edits)]
        editor: Option<Ref<Author>>,
        #[relation(one_to_many, child_refs, max = 5)]
        topics: Vec<Ref<Topic>>,
    }
    #[model(collection = "topics")]
    struct Topic {
        name: String,
        #[tree(parent, max_depth = 4)]
        parent: Option<Ref<Topic>>,
        #[tree(path)]
        path: TreePath<Topic>,
    }
    #[model(collection = "notes", bucket(size = 4))]
    struct Note {
        #[relation(one_to_squillions, parent_ref, order = asc(at))]
        book: Ref<Topic>,
        at: DateTime,
    }
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "nodes")]
struct Node {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[tree(parent, max_depth = 4)]
    parent: Option<Ref<Self>>,
    #[tree(path)]
    path: TreePath<Self>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
#[inverse(friends_of = Self::friends)]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, child_refs, max = 9, inverse = friends_of)]
    friends: Vec<Ref<Self>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "forms")]
struct Form {
    #[serde(rename = "_id")]
    id: ObjectId,
    fields: FormFields,
    body: Body,
    shared: BodyShared,
    text: BodyText,
}

#[derive(Embed, Serialize, Deserialize)]
struct FormFields {
    a: i32,
}

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Body {
    Text { text: String, author: String },
    Sound { seconds: i32, author: String },
}

#[derive(Embed, Serialize, Deserialize)]
struct BodyFields {
    b: i32,
}

#[derive(Embed, Serialize, Deserialize)]
struct BodyShared {
    c: BodyFields,
}

#[derive(Embed, Serialize, Deserialize)]
struct BodyText {
    d: i32,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "kinds")]
struct Kind {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(many_to_many, two_way, max = 3, inverse = r#type)]
    r#loop: Vec<Ref<Loop>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "loops")]
struct Loop {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(many_to_many, two_way, of = Kind::r#loop, max = 3)]
    r#type: Vec<Ref<Kind>>,
}

/// Names without a warning from serde's derives.
#[allow(non_snake_case, non_camel_case_types)]
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[deprecated]
struct r#post {
    #[serde(rename = "_id")]
    id: ObjectId,
    catalogNumber: i32,
    #[deprecated]
    #[relation(one_to_many, parent_ref)]
    kind: Ref<Kind>,
}

/// Methods of a history and of a relation that lints of Clippy might report.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "wares")]
struct Ware {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[history(keep = 9, order = desc(since), interval(since, until))]
    prices: Vec<Price>,
    #[relation(one_to_many, parent_ref)]
    _next: Ref<Ware>,
    #[slug(from = name, max_len = 80)]
    slug: String,
    name: String,
}

#[derive(Embed, Serialize, Deserialize)]
struct Price {
    since: DateTime,
    until: Option<DateTime>,
    cents: i64,
}

/// A model in a separate module, named by a path.
mod inner {
    use schema_runtime::prelude::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "slugs")]
    #[shard_key(slug)]
    pub(crate) struct Page {
        #[serde(rename = "_id")]
        pub(crate) id: ObjectId,
        pub(crate) name: String,
        #[slug(from = name, max_len = 80)]
        pub(crate) slug: String,
    }
}

#[test]
fn models_of_a_macro_have_their_methods() {
    let author = Author { id: ObjectId::new(), name: String::new(), age: 3, edits: Vec::new() };
    let _ = (author.books(), author.edits(), Book::of_author(&author), Author::named("Ada"), Author::aged(3..5));
    assert_eq!(Topic::DEFINITION.relations.len(), 1);
    assert!(Note::DEFINITION.bucket.is_some());
}

#[test]
fn models_name_themselves_self() {
    assert_eq!(Node::DEFINITION.relations[0].target.map(|target| target.name), Some(Node::DEFINITION.name));
    assert_eq!(Person::DEFINITION.relations[0].target.map(|target| target.name), Some(Person::DEFINITION.name));
}

#[test]
fn names_of_users_stand_beside_generated_names() {
    let _ = (Form::F.fields.a.eq(1), Form::F.body.text().text.eq("a"), Form::F.shared.c.b.eq(1), Form::F.text.d.eq(1));
    assert_eq!(Kind::DEFINITION.fields.len(), 2);
    assert!(inner::Page::DEFINITION.shard_key.is_some());
}
