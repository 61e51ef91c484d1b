//! Sorts and keyset pages of any read: the commands, the results, and the refusals of tokens.

mod children;
mod indexed;
mod near;
mod property;
mod relation;
mod token;

use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};
use schema_runtime::{Error, PageToken, prelude::*};
use schema_tests::{CommandLog, database_with_log};

use crate::relations::{assert_index_scan, command, examined, index, insert, insert_raw, stages};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "people")]
#[index(team, desc(score), desc(id))]
#[index(name)]
pub(crate) struct Person {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    pub(crate) team: Team,
    #[serde(rename = "fullName")]
    pub(crate) name: Option<String>,
    pub(crate) score: Option<f64>,
    #[relation(one_to_one, embed)]
    pub(crate) contact: Option<Contact>,
    pub(crate) active: bool,
    #[relation(one_to_few, embed, max = 5)]
    pub(crate) addresses: Vec<Contact>,
    #[bound(max_items = 5)]
    pub(crate) tags: Option<Vec<String>>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Team {
    Red,
    Blue,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) struct Contact {
    pub(crate) city: Option<String>,
}

#[derive(Projection, Deserialize, Debug, PartialEq)]
#[projection(of = Person)]
struct InTouch {
    contact: Option<Contact>,
}

fn person(id: i64) -> Person {
    Person {
        id,
        team: if id % 2 == 0 { Team::Red } else { Team::Blue },
        name: (id % 5 != 0).then(|| format!("n{}", id * 7 % 10)),
        score: Some((id * 31 % 17) as f64),
        contact: Some(Contact { city: (id % 3 == 0).then(|| format!("c{}", id % 9)) }),
        active: id % 4 == 0,
        addresses: vec![],
        tags: None,
    }
}

async fn people(count: i64) -> (Database, CommandLog, Vec<Person>) {
    let (db, log) = database_with_log().await;
    let people: Vec<Person> = (0..count).map(person).collect();
    insert(&db, &people).await;
    index::<Person>(&db).await;
    log.clear();
    (db, log, people)
}

fn ids<'p>(people: impl IntoIterator<Item = &'p Person>) -> Vec<i64> {
    people.into_iter().map(|person| person.id).collect()
}

#[tokio::test]
async fn a_sort_is_sent_with_stored_names_and_in_its_order() {
    let (db, log, mut people) = people(40).await;
    let keys = [Person::F.name.asc(), Person::F.contact.city.desc(), Person::F.id.desc()];
    let found = Person::find(Filter::all()).sort(keys).fetch_all(&db).await.unwrap();
    people.sort_by(|one, other| {
        let city = |person: &Person| person.contact.as_ref().and_then(|contact| contact.city.clone());
        one.name.cmp(&other.name).then(city(other).cmp(&city(one))).then(other.id.cmp(&one.id))
    });
    assert_eq!(ids(&found), ids(&people));
    let sent = log.named("find").remove(0);
    // As text: documents are equal in any order of their fields.
    let sort = sent.get_document("sort").unwrap().to_string();
    assert_eq!(sort, r#"{ "fullName": 1, "contact.city": -1, "_id": -1 }"#);

    let one = Person::find(Person::F.active.eq(true)).sort([Person::F.team.asc(), Person::F.active.desc()]);
    assert_eq!(
        one.sort([Person::F.id.desc()]).fetch_optional(&db).await.unwrap().unwrap().id,
        36,
        "the last sort counts"
    );
    assert_eq!(log.named("find")[1].get_document("sort").unwrap(), &doc! { "_id": -1 });
}

#[tokio::test]
async fn pages_forward_and_backward_are_the_sorted_whole() {
    let (db, log, people) = people(45).await;
    let query = Person::find(Person::F.team.eq(Team::Red)).sort([Person::F.score.desc()]);
    let mut expected: Vec<&Person> = people.iter().filter(|person| person.team == Team::Red).collect();
    expected.sort_by(|one, other| other.score.partial_cmp(&one.score).unwrap().then(other.id.cmp(&one.id)));

    let first = query.clone().paginate(10).fetch(&db).await.unwrap();
    assert_eq!(first.iter().collect::<Vec<_>>(), expected[..10]);
    assert_eq!((first.has_previous(), first.has_next(), first.len(), first.is_empty()), (false, true, 10, false));
    let second = query.clone().paginate(10).after(&first.next).fetch(&db).await.unwrap();
    assert_eq!(second.iter().collect::<Vec<_>>(), expected[10..20]);
    assert!(second.has_previous() && second.has_next());
    let third = query.clone().paginate(10).after(&second.next).fetch(&db).await.unwrap();
    assert_eq!(third.iter().collect::<Vec<_>>(), expected[20..]);
    assert_eq!((third.has_previous(), third.has_next(), third.len()), (true, false, 3));

    let back = query.clone().paginate(10).before(&third.previous).fetch(&db).await.unwrap();
    assert_eq!((&back.items, &back.next, &back.previous), (&second.items, &second.next, &second.previous));
    let back = query.clone().paginate(10).before(&back.previous).fetch(&db).await.unwrap();
    assert_eq!((back.items, back.next, back.previous), (first.items, first.next, first.previous));

    let last = query.clone().paginate(4).last().fetch(&db).await.unwrap();
    assert_eq!(last.iter().collect::<Vec<_>>(), expected[19..]);
    assert_eq!((last.has_previous(), last.has_next()), (true, false));
    let whole = query.clone().paginate(23).last().fetch(&db).await.unwrap();
    assert_eq!((whole.len(), whole.has_previous(), whole.has_next()), (23, false, false));

    let sent: Vec<Document> = log.named("find").into_iter().map(command).collect();
    assert_eq!((sent.len(), log.commands().len()), (7, 7), "a page is one command");
    assert_eq!(
        sent[0],
        doc! {
            "find": "people", "filter": { "team": "red" }, "sort": { "score": -1, "_id": -1 },
            "limit": 11_i64, "batchSize": 12,
        }
    );
    let (score, id) = (expected[9].score, expected[9].id);
    assert_eq!(
        sent[1].get_document("filter").unwrap(),
        &doc! { "team": "red", "$or": [
            { "$expr": { "$lt": ["$score", { "$literal": score }] } },
            { "score": score, "$expr": { "$lt": ["$_id", { "$literal": id }] } },
        ] }
    );
    let (score, id) = (expected[20].score, expected[20].id);
    assert_eq!(
        sent[3],
        doc! {
            "find": "people",
            "filter": { "team": "red", "$or": [
                { "$expr": { "$gt": ["$score", { "$literal": score }] } },
                { "score": score, "$expr": { "$gt": ["$_id", { "$literal": id }] } },
            ] },
            "sort": { "score": 1, "_id": 1 },
            "limit": 11_i64, "batchSize": 12,
        }
    );
}

#[tokio::test]
async fn a_condition_of_the_filter_stays_beside_that_of_the_page() {
    let (db, _, people) = people(40).await;
    let filter = Person::F.team.eq(Team::Red).or(Person::F.active.eq(false));
    let expected: Vec<i64> =
        people.iter().filter(|person| person.team == Team::Red || !person.active).map(|person| person.id).collect();
    let query = Person::find(filter).sort([Person::F.id.asc()]);
    let first = query.clone().paginate(7).fetch(&db).await.unwrap();
    let second = query.clone().paginate(7).after(&first.next).fetch(&db).await.unwrap();
    assert_eq!([ids(&first.items), ids(&second.items)].concat(), expected[..14]);

    let by_id = Person::find(Person::F.id.is_in(0..20_i64));
    let first = by_id.clone().paginate(15).fetch(&db).await.unwrap();
    let second = by_id.paginate(15).after(&first.next).fetch(&db).await.unwrap();
    assert_eq!((ids(&second.items), second.has_next()), ((15..20).collect(), false), "without a sort by `_id`");
}

#[tokio::test]
async fn a_projection_is_sent_with_the_keys_and_shares_the_cursor() {
    let (db, log, people) = people(20).await;
    let query = Person::find(Filter::all()).sort([Person::F.contact.city.desc(), Person::F.team.asc()]);
    let whole = query.clone().paginate(5).fetch(&db).await.unwrap();
    let page = query.select::<InTouch>().paginate(5).after(&whole.next).fetch(&db).await.unwrap();
    let mut expected: Vec<&Person> = people.iter().collect();
    expected.sort_by(|one, other| {
        let city = |person: &Person| person.contact.as_ref().and_then(|contact| contact.city.clone());
        let team = |person: &Person| person.team == Team::Red;
        city(other).cmp(&city(one)).then(team(one).cmp(&team(other))).then(one.id.cmp(&other.id))
    });
    let expected: Vec<_> = expected[5..10].iter().map(|person| InTouch { contact: person.contact.clone() }).collect();
    assert_eq!(page.items, expected);
    // `contact.city` is part of the requested `contact` already: the server refuses both paths together.
    let projection = log.named("find")[1].get_document("projection").unwrap().clone();
    assert_eq!(projection, doc! { "_id": 1, "contact": 1, "team": 1 });
}

#[tokio::test]
async fn a_page_examines_its_own_length_of_keys() {
    let (db, _, _) = people(600).await;
    let query = Person::find(Person::F.team.eq(Team::Red)).sort([Person::F.score.desc()]);
    assert_index_scan(&query.clone().paginate(50).explain(&db).await.unwrap(), 51);
    let deep = query.clone().paginate(200).fetch(&db).await.unwrap();
    for page in [query.clone().paginate(50).after(&deep.next), query.clone().paginate(50).before(&deep.next)] {
        let explained = page.explain(&db).await.unwrap();
        assert_index_scan(&explained, 53);
        assert!(stages(&explained).contains("SORT_MERGE"));
        assert_eq!(examined(explained.get_document("executionStats").unwrap(), "nReturned"), 51);
    }
    assert_index_scan(&query.clone().paginate(50).last().explain(&db).await.unwrap(), 51);
    let by_id = Person::find(Filter::all()).paginate(50).fetch(&db).await.unwrap();
    assert_index_scan(&Person::find(Filter::all()).paginate(50).after(&by_id.next).explain(&db).await.unwrap(), 52);
}

#[tokio::test]
async fn what_contradicts_itself_is_refused_before_anything_is_sent() {
    let (db, log, _) = people(9).await;
    let token = Person::find(Filter::all()).paginate(3).fetch(&db).await.unwrap().next.unwrap();
    log.clear();
    let page = || Person::find(Filter::all()).paginate(3);
    let refused = [
        page().after(&token).before(&token).fetch(&db).await.unwrap_err(),
        page().after(&token).last().fetch(&db).await.unwrap_err(),
        Person::find(Filter::all()).limit(3).paginate(3).fetch(&db).await.unwrap_err(),
        Person::find(Filter::all()).skip(3).paginate(3).fetch(&db).await.unwrap_err(),
        Person::find(Filter::all()).skip(3).distinct(&db, Person::F.name).await.unwrap_err(),
    ];
    for error in refused {
        assert!(matches!(error, Error::Query { .. }), "{error}");
    }
    assert_eq!(log.commands(), []);
    let none: Option<PageToken> = None;
    let page = page().after(&token).before(&none).after(&none).fetch(&db).await.unwrap();
    assert_eq!(ids(&page.items), [3, 4, 5], "no token changes nothing");
    assert_eq!(Person::find(Filter::all()).paginate(0).fetch(&db).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_document_that_does_not_fit_has_its_place() {
    let (db, _, _) = people(2).await;
    insert_raw::<Person>(&db, [doc! { "_id": 2_i64, "team": "green" }]).await;
    let page = || Person::find(Filter::all()).paginate(2);
    let first = page().fetch(&db).await.unwrap();
    let error = page().after(&first.next).fetch(&db).await.unwrap_err();
    assert!(matches!(&error, Error::Decode { id, .. } if **id == Bson::Int64(2)), "{error}");
    let each = page().after(&first.next).fetch_each(&db).await.unwrap();
    assert!(each.len() == 1 && each.items[0].is_err() && each.has_previous());
}
