//! The conditions of each kind of relation, in both directions.

use schema_runtime::operation::Having;
use schema_tests::{database, links};

use super::*;

async fn hosts(db: &Database, condition: Having<Host>) -> Vec<i64> {
    let found = Host::find(Filter::all()).having(condition).sort(Host::F.id.asc()).fetch_all(db).await.unwrap();
    found.iter().map(|host| host.id).collect()
}

#[tokio::test]
async fn children_with_a_reference() {
    let db = database().await;
    fill(&db).await;
    let level = LogMsg::F.level;
    assert_eq!(hosts(&db, Host::LOGMSGS.some(level.gte(5))).await, [1, 2, 3]);
    assert_eq!(hosts(&db, Host::LOGMSGS.none(level.gte(5))).await, [4, 5, 6]);
    // A null does not match `gte`: the host 3 has a message that does not match.
    assert_eq!(hosts(&db, Host::LOGMSGS.every(level.gte(5))).await, [2, 6]);
    assert_eq!(hosts(&db, Host::LOGMSGS.every(level.is_null())).await, [4, 6]);
    assert_eq!(hosts(&db, Host::LOGMSGS.some(level.is_null())).await, [3, 4]);
    assert_eq!(hosts(&db, Host::LOGMSGS.some(Filter::all())).await, [1, 2, 3, 4, 5]);
    assert_eq!(hosts(&db, Host::LOGMSGS.none(Filter::all())).await, [6]);
    assert_eq!(hosts(&db, Host::LOGMSGS.every(Filter::all())).await, [1, 2, 3, 4, 5, 6]);
    assert_eq!(hosts(&db, Host::LOGMSGS.every(Filter::none())).await, [6]);
    let both = Host::find(Filter::all())
        .having(Host::LOGMSGS.some(level.gte(5)))
        .having(Host::LOGMSGS.some(level.lt(5)))
        .fetch_all(&db)
        .await
        .unwrap();
    assert_eq!(both.iter().map(|host| host.id).collect::<Vec<i64>>(), [1]);
}

#[tokio::test]
async fn parents_arrays_and_inverse_arrays() {
    let db = database().await;
    fill(&db).await;
    let of_zone = LogMsg::find(Filter::all()).having(LogMsg::HOST.some(Host::F.zone.eq(1))).count(&db).await.unwrap();
    assert_eq!(of_zone, 3);
    let racks = async |condition: Having<Rack>| {
        let found = Rack::find(Filter::all()).having(condition).sort(Rack::F.id.asc()).fetch_all(&db).await.unwrap();
        found.iter().map(|rack| rack.id).collect::<Vec<i64>>()
    };
    assert_eq!(racks(Rack::HOSTS.some(Host::F.zone.eq(1))).await, [1]);
    assert_eq!(racks(Rack::HOSTS.every(Host::F.zone.eq(2))).await, [2, 3, 4]);
    // A reference to a missing document is no related document.
    assert_eq!(racks(Rack::HOSTS.none(Filter::all())).await, [3, 4]);
    assert_eq!(hosts(&db, Host::RACKS.some(Rack::F.id.eq(1))).await, [1, 2]);
    assert_eq!(hosts(&db, Host::RACKS.every(Rack::F.id.eq(1))).await, [1, 3, 4, 5, 6]);
}

/// Both ends of a link, and a `one_to_one`.
#[tokio::test]
async fn links_and_single_children() {
    use links::{Author, Book, Person, Task};

    #[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[model(collection = "users")]
    #[inverse(profile = Profile::user, one_to_one)]
    struct User {
        #[serde(rename = "_id")]
        id: i64,
    }

    #[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[model(collection = "profiles")]
    struct Profile {
        #[serde(rename = "_id")]
        id: i64,
        #[relation(one_to_one, parent_ref, standalone)]
        user: Ref<User>,
        is_public: bool,
    }

    let db = database().await;
    User::insert_many(&db, (1..=3).map(|id| User { id })).await.unwrap();
    let profile = |id: i64, is_public: bool| Profile { id, user: Ref::new(id), is_public };
    Profile::insert_many(&db, [profile(1, true), profile(2, false)]).await.unwrap();
    let public = User::find(Filter::all()).having(User::PROFILE.some(Profile::F.is_public.eq(true)));
    assert_eq!(public.fetch_all(&db).await.unwrap(), [User { id: 1 }]);
    assert_eq!(User::find(Filter::all()).having(User::PROFILE.none(Filter::all())).count(&db).await.unwrap(), 1);

    Person::insert_many(&db, [links::person(1), links::person(2)]).await.unwrap();
    Task::insert(&db, &Task { owner: Some(Ref::new(1)), ..links::task(1) }).await.unwrap();
    Task::insert(&db, &links::task(2)).await.unwrap();
    let busy = Person::find(Filter::all()).having(Person::TASKS.some(Task::F.text.eq("task 1")));
    assert_eq!(busy.fetch_one(&db).await.unwrap().id, 1);
    let unowned = Task::find(Filter::all()).having(Task::OWNER.none(Filter::all()));
    assert_eq!(unowned.fetch_one(&db).await.unwrap().id, 2);

    Author::insert_many(&db, [links::author(1), links::author(2)]).await.unwrap();
    Book::insert(&db, &links::book(1, &[1])).await.unwrap();
    let unread = Author::find(Filter::all()).having(Author::BOOKS.none(Book::F.title.eq("book 1")));
    assert_eq!(unread.fetch_one(&db).await.unwrap().id, 2);
}
