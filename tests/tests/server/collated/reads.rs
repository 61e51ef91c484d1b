//! Reads of a collection with a collation, and of references to texts.

use schema_runtime::{Error, ToMongosh, assert_indexed, assert_queries_indexed, check_indexed};
use schema_tests::{database, database_with_log};

use super::*;

async fn prepare(db: &Database) {
    applied(SCHEMA, db).await;
    for id in ["no", "NO", "se"] {
        Country::insert(db, &country(id)).await.expect("inserted");
    }
    let people = [(1, "Åse", "no"), (2, "kare", "no"), (3, "Kare", "NO"), (4, "Ola", "se")];
    for (id, name, of) in people {
        Person::insert(db, &person(id, name, of)).await.expect("inserted");
    }
}

fn ids(people: &[Person]) -> Vec<i64> {
    people.iter().map(|person| person.id).collect()
}

#[tokio::test]
async fn a_read_inherits_the_collation() {
    let (db, log) = database_with_log().await;
    prepare(&db).await;
    log.clear();
    let found = Person::find(Person::F.name.eq("KARE")).sort(Person::F.id.asc()).fetch_all(&db).await.expect("read");
    assert_eq!(ids(&found), [2, 3]);
    let all = Person::find(Filter::all()).sort([Person::F.name.asc(), Person::F.id.asc()]).fetch_all(&db).await;
    assert_eq!(ids(&all.expect("read")), [2, 3, 4, 1], "Å is the last letter in Norwegian");
    assert_eq!(Person::find(Person::F.town.eq("OSLO")).count(&db).await.expect("counted"), 4);
    assert_eq!(Person::find(Filter::all()).distinct(&db, Person::F.name).await.expect("read").len(), 3);
    assert!(log.commands().iter().all(|(_, command)| !command.contains_key("collation")), "nothing is said");
    // A pattern compares by bytes.
    assert_eq!(Person::find(Person::F.name.starts_with("K")).count(&db).await.expect("counted"), 1);
    assert_eq!(ids(&Person::exact("kare").fetch_all(&db).await.expect("read")), [2]);
    assert_eq!(ids(&Person::begins("k").fetch_all(&db).await.expect("read")), [2]);
}

#[tokio::test]
async fn the_index_of_each_read_agrees() {
    let db = database().await;
    prepare(&db).await;
    assert_queries_indexed(&SCHEMA, &db).await;
    assert_indexed(&Person::find(Person::F.email.eq("ÅSE1@x.no")), &db).await;
    assert_indexed(&Person::find(Person::F.id.eq(3)), &db).await;
    assert_indexed(&Person::exact("kare"), &db).await;
    assert_indexed(&Person::begins("k"), &db).await;
    assert_indexed(&Person::in_country("no".to_owned()), &db).await;
    assert!(!check_indexed(&Person::find(Person::F.name.eq("kare")), &db).await.expect("explained").is_empty());
    let review = SCHEMA.review().to_string();
    for (query, index) in [("by_email", "email_1"), ("in_town", "town_1_name_1__id_1"), ("exact", "name_1_simple")] {
        let line = review.lines().find(|line| line.contains(query)).unwrap_or_else(|| panic!("{query}: {review}"));
        assert!(line.contains(index), "{line}");
    }
}

#[tokio::test]
async fn pages_keep_the_collation_of_the_collection() {
    let db = database().await;
    prepare(&db).await;
    let first = Person::in_town("OSLO").fetch(&db).await.expect("a page");
    let next = first.next.clone().expect("a further page");
    let second = Person::in_town("OSLO").after(&next).fetch(&db).await.expect("a page");
    assert_eq!((ids(&first.items), ids(&second.items)), (vec![2, 3], vec![4, 1]));
    // A token of a page by bytes is a token of another query.
    let order = || Person::find(Person::F.town.eq("Oslo")).sort(Person::F.name.asc());
    let simple = schema_runtime::definition::CollationDefinition::SIMPLE;
    let by_bytes =
        order().collation(simple).paginate(2).fetch(&db).await.expect("a page").next.expect("a further page");
    let refused = order().paginate(2).after(&by_bytes).fetch(&db).await;
    assert!(matches!(refused, Err(Error::PageToken { .. })), "{refused:?}");
}

/// The children of `no` are not the children of `NO`.
#[tokio::test]
async fn references_to_texts_are_compared_by_bytes() {
    let (db, log) = database_with_log().await;
    prepare(&db).await;
    let (small, large) = (country("no"), country("NO"));
    log.clear();
    let children = small.people().fetch_all(&db).await.expect("read");
    assert_eq!(children.iter().map(|person| person.id).collect::<Vec<_>>(), [2, 1], "in the order of the bytes");
    assert_eq!(large.people().count(&db).await.expect("counted"), 1);
    assert_eq!(large.people().paginate(5).fetch(&db).await.expect("a page").items.len(), 1);
    let loaded = Country::PEOPLE.load(&db, &[small.clone(), large.clone()]).await.expect("read");
    assert_eq!(loaded.of(&small).len() + loaded.of(&large).len(), 3);
    let firsts = Country::PEOPLE.first(1).load(&db, &[small.clone(), large.clone()]).await.expect("read");
    assert_eq!(firsts.of(&large).len(), 1);
    assert_indexed(&small.people(), &db).await;
    assert!(small.people().to_mongosh().expect("a line").contains("simple"));
    let commands = log.commands();
    let said = commands.iter().filter(|(_, command)| command.contains_key("collation")).count();
    assert!(said >= 3, "{commands:?}");

    let rows = Person::COUNTRY.lookup(Filter::all()).fetch_all(&db).await.expect("joined").into_vec().expect("rows");
    assert_eq!(rows.len(), 4);
    assert!(
        rows.iter().all(|(person, found)| found.iter().all(|country| country.id == *person.country.id())),
        "{rows:?}"
    );
    let of_large = Person::find(Filter::all()).having(Person::COUNTRY.some(Country::F.name.eq("NO")));
    assert_eq!(ids(&of_large.fetch_all(&db).await.expect("read")), [3]);
    let with_kare = Country::find(Filter::all()).having(Country::PEOPLE.some(Person::F.id.eq(3)));
    assert_eq!(with_kare.fetch_all(&db).await.expect("read"), [large]);
    Country::delete(&db, &small).await.expect("deleted");
    let orphans = Person::COUNTRY.orphans(&db).await.expect("read");
    let mut orphans: Vec<Person> = orphans.try_collect().await.expect("read");
    orphans.sort_by_key(|person| person.id);
    assert_eq!(ids(&orphans), [1, 2], "`NO` is another country");
    let report = SCHEMA.verify(&db).await.expect("read");
    assert!(
        report.to_string().contains("2 references in 2 documents of `people` without a document in `countries`"),
        "{report}"
    );
}

/// The groups of texts follow the collation; the groups of references to texts with a field of the far document follow
/// the bytes.
#[tokio::test]
async fn groups_follow_the_collation() {
    #[derive(Aggregate, Deserialize, Debug, PartialEq)]
    #[aggregate(of = Person, by(name))]
    struct ByName {
        name: String,
        #[count]
        people: i64,
    }
    #[derive(Aggregate, Deserialize, Debug, PartialEq)]
    #[aggregate(of = Person, by(country))]
    struct ByCountry {
        country: Ref<Country>,
        #[lookup(country.name)]
        name: Option<String>,
        #[count]
        people: i64,
    }
    let db = database().await;
    prepare(&db).await;
    assert_eq!(Person::aggregate::<ByName>().fetch_all(&db).await.expect("groups").len(), 3);
    let groups = Person::aggregate::<ByCountry>().fetch_all(&db).await.expect("groups");
    assert_eq!(groups.len(), 3);
    assert!(groups.iter().all(|group| group.name.as_ref() == Some(group.country.id())), "{groups:?}");
}
