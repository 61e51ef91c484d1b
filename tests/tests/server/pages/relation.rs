//! Pages of a relation forward and backward, exists and distinct.

use super::*;
use crate::{
    relations::{Host, LogMsg, Part, Product, host, message, parts, product},
    sent::sent,
};

#[tokio::test]
async fn children_have_pages_both_ways() {
    let (db, log) = database_with_log().await;
    let (host, other) = (host("a"), host("b"));
    let mut messages: Vec<LogMsg> = (0..25).map(|at| message(&host, at * 7 % 5, &at.to_string())).collect();
    insert(&db, &messages).await;
    insert(&db, &[message(&other, 3, "other")]).await;
    index::<LogMsg>(&db).await;
    messages.sort_by_key(|message| std::cmp::Reverse((message.time, message.id)));

    let last = host.logmsgs().paginate(10).last().fetch(&db).await.unwrap();
    assert_eq!(last.iter().collect::<Vec<_>>(), messages[15..].iter().collect::<Vec<_>>());
    log.clear();
    let middle = host.logmsgs().paginate(10).before(&last.previous).fetch(&db).await.unwrap();
    assert_eq!(middle.iter().collect::<Vec<_>>(), messages[5..15].iter().collect::<Vec<_>>());
    assert!(middle.has_next() && middle.has_previous() && middle.failed().next().is_none());
    let sent = log.named("find").remove(0);
    assert_eq!(sent.get_document("sort").unwrap().to_string(), r#"{ "at": 1, "_id": 1 }"#);
    let first = host.logmsgs().paginate(10).before(&middle.previous).fetch(&db).await.unwrap();
    assert_eq!((first.len(), first.has_previous(), first.has_next()), (5, false, true));
    let again = host.logmsgs().paginate(10).after(&first.next).fetch(&db).await.unwrap();
    assert_eq!((again.next, again.previous), (middle.next, middle.previous.clone()));
    let error = other.logmsgs().paginate(10).before(&middle.previous).fetch(&db).await.unwrap_err();
    assert!(matches!(error, Error::PageToken { .. }), "{error}");
}

#[tokio::test]
async fn exists_is_one_find_of_one_id() {
    let (db, log, _) = people(20).await;
    let query = Person::find(Person::F.team.eq(Team::Red)).sort([Person::F.name.asc()]);
    let (exists, names) = sent(&log, query.exists(&db)).await;
    assert!(exists.unwrap());
    assert_eq!(names, ["find"]);
    let expected = doc! {
        "find": "people", "filter": { "team": "red" }, "projection": { "_id": 1 }, "limit": 1_i64, "batchSize": 2,
    };
    assert_eq!(command(log.named("find").remove(0)), expected);
    assert!(!Person::find(Person::F.id.gt(19)).exists(&db).await.unwrap());
    assert!(Person::find(Filter::all()).skip(19).exists(&db).await.unwrap());
    assert!(!Person::find(Filter::all()).skip(20).exists(&db).await.unwrap());
}

#[tokio::test]
async fn distinct_values_have_their_type() {
    let (db, log, _) = people(40).await;
    let city = |city: &str| Contact { city: Some(city.to_owned()) };
    let with_addresses = Person {
        tags: Some(vec!["x".to_owned(), "y".to_owned(), "x".to_owned()]),
        addresses: vec![city("Oslo"), city("Rome"), Contact { city: None }],
        ..person(100)
    };
    insert(&db, &[with_addresses]).await;
    let all = || Person::find(Filter::all());

    let (teams, names) = sent(&log, all().distinct(&db, Person::F.team)).await;
    let teams: Vec<Team> = teams.unwrap();
    assert_eq!((teams.len(), names), (2, vec!["distinct".to_owned()]));
    let expected = doc! { "distinct": "people", "key": "team", "query": {} };
    assert_eq!(command(log.named("distinct").remove(0)), expected);

    let mut names: Vec<Option<String>> = Person::find(Person::F.id.lt(6)).distinct(&db, Person::F.name).await.unwrap();
    names.sort();
    let expected: Vec<_> = ["n1", "n4", "n7", "n8"].map(|name| Some(name.to_owned())).to_vec();
    assert_eq!(names, [vec![None], expected].concat());
    assert_eq!(log.named("distinct")[1].get_str("key").unwrap(), "fullName");

    // For an array, the distinct elements; for a field of the array's structs, the field of each struct.
    let mut tags: Vec<Option<String>> = all().distinct(&db, Person::F.tags).await.unwrap();
    tags.sort();
    assert_eq!(tags, [None, Some("x".to_owned()), Some("y".to_owned())]);
    let addresses: Vec<Contact> = all().distinct(&db, Person::F.addresses).await.unwrap();
    assert_eq!(addresses.len(), 3);
    let mut cities: Vec<Option<String>> = all().distinct(&db, Person::F.addresses.city).await.unwrap();
    cities.sort();
    assert_eq!(cities, [None, Some("Oslo".to_owned()), Some("Rome".to_owned())]);
    let ids: Vec<i64> = Person::find(Person::F.id.is_in([3_i64, 4])).distinct(&db, Person::F.id).await.unwrap();
    assert_eq!(ids, [3, 4]);

    insert_raw::<Person>(&db, [doc! { "_id": 200_i64, "fullName": 3 }]).await;
    let error = all().distinct(&db, Person::F.name).await.unwrap_err();
    let Error::Decode { collection, path, model, .. } = &error else { panic!("{error}") };
    assert_eq!((collection.as_str(), path.as_str(), *model), ("people", "fullName", "Person"));
}

#[tokio::test]
async fn relations_have_exists_and_distinct() {
    let (db, log) = database_with_log().await;
    let parts = parts(6);
    let some = product(&parts[..4]);
    let none = product([]);
    let (a, b) = (host("a"), host("b"));
    let messages = [message(&a, 1, "x"), message(&a, 2, "y"), message(&a, 3, "x"), message(&b, 3, "z")];
    insert(&db, &parts[1..]).await;
    insert(&db, &[some.clone(), none.clone()]).await;
    insert(&db, std::slice::from_ref(&a)).await;
    insert(&db, &messages).await;
    log.clear();

    assert!(a.logmsgs().exists(&db).await.unwrap());
    assert!(!host("c").logmsgs().exists(&db).await.unwrap());
    assert!(messages[0].host().exists(&db).await.unwrap());
    assert!(!messages[3].host().exists(&db).await.unwrap(), "its host dangles");
    assert!(some.parts().exists(&db).await.unwrap());
    assert!(!product(&parts[..1]).parts().exists(&db).await.unwrap(), "its part dangles");
    assert!(parts[1].products().exists(&db).await.unwrap() && !parts[5].products().exists(&db).await.unwrap());
    for find in log.named("find") {
        assert_eq!(find.get_i64("limit").unwrap(), 1);
        assert_eq!(find.get_document("projection").unwrap(), &doc! { "_id": 1 });
    }
    assert_eq!(log.commands().len(), 8);
    assert!(!none.parts().exists(&db).await.unwrap());
    assert_eq!(log.commands().len(), 8, "no references, no command");

    let mut texts: Vec<String> = a.logmsgs().distinct(&db, LogMsg::F.message).await.unwrap();
    texts.sort();
    assert_eq!(texts, ["x", "y"]);
    let hosts: Vec<Ref<Host>> = a.logmsgs().distinct(&db, LogMsg::F.host).await.unwrap();
    assert_eq!(hosts, [Ref::to(&a)]);
    let names: Vec<String> = some.parts().distinct(&db, Part::F.name).await.unwrap();
    assert_eq!(names, ["part 1", "part 2", "part 3"]);
    let refs: Vec<Ref<Part>> = parts[1].products().distinct(&db, Product::F.parts).await.unwrap();
    assert_eq!(refs.len(), 4, "of an array its elements");
    let sent = log.named("distinct").remove(0);
    assert_eq!(sent.get_document("query").unwrap(), &doc! { "host": a.id });
}

#[tokio::test]
async fn inside_a_transaction_its_own_writes_are_read() {
    let (db, _, _) = people(6).await;
    let read = schema_runtime::transaction(&db, |tx| async move {
        Person::insert(&tx, &Person { name: Some("new".to_owned()), ..person(6) }).await?;
        let exists = Person::find(Person::F.id.eq(6)).exists(&tx).await?;
        let names = Person::find(Person::F.id.gte(5)).distinct(&tx, Person::F.name).await?;
        let first = Person::find(Filter::all()).paginate(4).fetch(&tx).await?;
        let second = Person::find(Filter::all()).paginate(4).after(&first.next).fetch(&tx).await?;
        Ok::<_, Error>((exists, names, ids(&second.items)))
    });
    let (exists, mut names, second) = read.await.unwrap();
    names.sort();
    assert_eq!((exists, names, second), (true, vec![None, Some("new".to_owned())], vec![4, 5, 6]));
}
