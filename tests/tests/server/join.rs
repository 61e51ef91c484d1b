//! Children by the `_id`s that their parents hold: a single parent, many parents, the parent of a child.

mod ids;
mod nested;
mod pairs;
mod property;

use mongodb::bson::{Bson, Document, doc};
use schema_runtime::{Error, join::JoinEntry, prelude::*};
use schema_tests::{database, database_with_log};

use crate::relations::*;

#[tokio::test]
async fn one_parent_by_one_command_in_array_order_with_repeats() {
    let (db, log) = database_with_log().await;
    let parts = parts(500);
    insert(&db, &parts).await;
    let product = product(parts.iter().rev().chain(&parts[3..5]));
    log.clear();

    let joined = product.parts().fetch_all(&db).await.unwrap();
    let expected: Vec<&Part> = parts.iter().rev().chain(&parts[3..5]).collect();
    assert_eq!(joined.iter().collect::<Vec<_>>(), expected);
    assert_eq!((joined.len(), joined.is_empty(), joined.is_complete()), (502, false, true));

    let commands = log.commands();
    assert_eq!(commands.len(), 1, "{commands:?}");
    let ids = parts.iter().rev().map(|part| part.id);
    let expected = doc! { "find": "parts", "filter": id_filter(ids), "batchSize": 501 };
    assert_eq!(command(commands[0].1.clone()), expected);

    let complete = joined.complete().unwrap();
    assert_eq!((complete.len(), complete.is_empty()), (502, false));
    assert_eq!(complete.iter().nth(500), Some(&parts[3]));
    assert_eq!(complete.into_vec(), parts.iter().rev().chain(&parts[3..5]).cloned().collect::<Vec<_>>());
    let distinct = product.parts().fetch_all(&db).await.unwrap().complete().unwrap().into_distinct();
    assert_eq!(distinct, parts.iter().rev().cloned().collect::<Vec<_>>());
}

#[tokio::test]
async fn what_is_missing_and_what_does_not_fit_is_reported() {
    let db = database().await;
    let [good, gone, bad] = [part("good"), part("gone"), part("bad")];
    insert(&db, std::slice::from_ref(&good)).await;
    insert_raw::<Part>(&db, [doc! { "_id": bad.id, "name": "bad", "qty": "many" }]).await;
    let product = product([&gone, &good, &bad, &gone]);

    let joined = product.parts().fetch_all(&db).await.unwrap();
    assert_eq!(joined.iter().collect::<Vec<_>>(), [&good]);
    assert_eq!(joined.first(), Some(&good));
    assert_eq!(joined.missing().collect::<Vec<_>>(), [&gone.id, &gone.id]);
    let [Error::Decode { collection, model, id, path, message }] = joined.failed().collect::<Vec<_>>()[..] else {
        panic!("{joined:?}")
    };
    assert_eq!((collection.as_str(), *model, path.as_str()), ("parts", "Part", "qty"));
    assert_eq!(**id, Bson::ObjectId(bad.id));
    assert!(message.contains("string") && !message.contains("secret"), "{message}");
    let entries: Vec<_> = joined.entries().collect();
    assert!(matches!(
        entries[..],
        [JoinEntry::Missing(_), JoinEntry::Found(_), JoinEntry::Failed(_), JoinEntry::Missing(id)] if *id == gone.id
    ));
    let text = joined.complete().unwrap_err().to_string();
    assert_eq!(text, "the join of `Product.parts` is not complete: 2 missing, 1 that do not fit");
}

#[tokio::test]
async fn a_projection_is_sent() {
    let (db, log) = database_with_log().await;
    let parts = parts(2);
    insert(&db, &parts).await;
    let product = product(&parts);
    log.clear();

    let names = product.parts().select::<PartName>().fetch_all(&db).await.unwrap();
    let expected = parts.iter().map(|part| PartName { id: part.id, name: part.name.clone() });
    assert_eq!(names.complete().unwrap().into_vec(), expected.collect::<Vec<_>>());
    let names = Product::PARTS.select::<PartName>().load(&db, [&product]).await.unwrap();
    assert_eq!(names.of(&product).first().unwrap().name, "part 0");
    let finds = log.named("find");
    assert_eq!(finds.len(), 2);
    for find in finds {
        assert_eq!(find.get_document("projection").unwrap(), &doc! { "_id": 1, "name": 1 });
    }
}

#[tokio::test]
async fn no_references_ask_nothing() {
    let (db, log) = database_with_log().await;
    let product = product([]);
    assert!(product.parts().fetch_all(&db).await.unwrap().complete().unwrap().is_empty());
    assert_eq!(product.parts().count(&db).await.unwrap(), 0);
    let loaded = Product::PARTS.load(&db, &[]).await.unwrap();
    assert!(!loaded.of(&product).is_loaded());
    let loaded = Product::PARTS.load(&db, std::slice::from_ref(&product)).await.unwrap();
    assert!(loaded.of(&product).complete().unwrap().is_empty());
    assert_eq!(log.commands(), []);
}

#[tokio::test]
async fn a_count_is_of_those_that_exist() {
    let db = database().await;
    let parts = parts(5);
    insert(&db, &parts[..3]).await;
    assert_eq!(product(parts.iter().chain(&parts)).parts().count(&db).await.unwrap(), 3);
}

#[tokio::test]
async fn many_parents_by_commands_of_1700_ids_each_child_once() {
    let (db, log) = database_with_log().await;
    let parts = parts(2_300);
    insert(&db, &parts).await;
    let gone = part("gone");
    let chosen = |product: usize| (0..400).map(move |at| (product * 97 + at * 13) % 2_300);
    let products: Vec<Product> = (0..50)
        .map(|number| product(chosen(number).map(|at| &parts[at]).chain((number == 7).then_some(&gone))))
        .collect();
    log.clear();

    let all = Product::PARTS.load(&db, &products).await.unwrap();
    let finds = log.named("find");
    assert_eq!((finds.len(), log.commands().len()), (2, 2), "no command per parent, none for the rest of a reply");
    let sizes = finds.iter().map(|find| {
        let ids = find.get_document("filter").unwrap().get_document("_id").unwrap().get_array("$in").unwrap().len();
        assert_eq!(find.get_i32("batchSize").unwrap() as usize, ids + 1);
        ids
    });
    let mut sizes: Vec<usize> = sizes.collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [601, 1_700]);

    for (number, product) in products.iter().enumerate() {
        let view = all.of(product);
        assert_eq!(view.iter().collect::<Vec<_>>(), chosen(number).map(|at| &parts[at]).collect::<Vec<_>>());
        assert_eq!(view.missing().collect::<Vec<_>>(), if number == 7 { vec![&gone.id] } else { vec![] });
        assert_eq!(view.complete().is_ok(), number != 7);
    }
    assert_eq!(all.distinct().count(), 2_300);
    assert_eq!(all.missing().collect::<Vec<_>>(), [&gone.id]);
    let stranger = product([&parts[0]]);
    let view = all.of(&stranger);
    assert!(!view.is_loaded() && !view.is_complete() && view.is_empty());
    assert!(matches!(view.complete(), Err(Error::NotLoaded { field }) if field == "Product.parts"));
    assert!(matches!(all.complete(), Err(Error::Incomplete { missing: 1, failed: 0, .. })));
}

#[tokio::test]
async fn children_over_16_mb_together() {
    let (db, log) = database_with_log().await;
    let parts: Vec<Part> = (0..5).map(|_| part(&"x".repeat(4_000_000))).collect();
    for part in &parts {
        insert(&db, std::slice::from_ref(part)).await;
    }
    log.clear();
    let product = product(&parts);
    let joined = product.parts().fetch_all(&db).await.unwrap().complete().unwrap();
    assert_eq!(
        joined.iter().map(|part| part.id).collect::<Vec<_>>(),
        parts.iter().map(|part| part.id).collect::<Vec<_>>()
    );
    assert_eq!((log.named("find").len(), log.named("getMore").len()), (1, 1));
}

#[tokio::test]
async fn the_parent_of_a_child() {
    let (db, log) = database_with_log().await;
    let (host, gone) = (host("a"), host("gone"));
    insert(&db, std::slice::from_ref(&host)).await;
    log.clear();

    assert_eq!(message(&host, 1, "").host().fetch_one(&db).await.unwrap(), host);
    assert_eq!(message(&host, 1, "").host().fetch_optional(&db).await.unwrap(), Some(host.clone()));
    let commands: Vec<Document> = log.commands().into_iter().map(|(_, find)| command(find)).collect();
    let expected = doc! { "find": "hosts", "filter": id_filter([host.id]), "batchSize": 2 };
    assert_eq!(commands, [expected.clone(), expected]);

    let error = message(&gone, 1, "").host().fetch_one(&db).await.unwrap_err();
    assert!(
        matches!(&error, Error::DanglingReference { relation, collection: "hosts", .. } if relation == "LogMsg.host")
    );
    let dangling = message(&gone, 1, "");
    let (holder, target) = (dangling.id, gone.id);
    let text =
        format!("`LogMsg.host` of the document {holder} refers to the document {target}, which `hosts` does not have");
    assert_eq!(dangling.host().fetch_one(&db).await.unwrap_err().to_string(), text);
    let found = message(&gone, 1, "").host().fetch_optional(&db).await;
    assert!(matches!(found, Err(Error::DanglingReference { id, .. }) if *id == Bson::from(gone.id)));

    let mut score = Score { id: 1, host: None, group: String::new(), value: 0.0 };
    assert!(matches!(score.host().fetch_one(&db).await, Err(Error::NotFound { .. })));
    assert_eq!(score.host().fetch_optional(&db).await.unwrap(), None);
    score.host = Some(Ref::to(&host));
    assert_eq!(score.host().fetch_one(&db).await.unwrap(), host);

    insert_raw::<Host>(&db, [doc! { "_id": gone.id, "name": 5 }]).await;
    let error = message(&gone, 1, "").host().fetch_one(&db).await.unwrap_err();
    assert!(matches!(error, Error::Decode { model: "Host", path, .. } if path == "name"));
}

#[tokio::test]
async fn the_parents_of_many_children() {
    let (db, log) = database_with_log().await;
    let hosts = [host("a"), host("b"), host("gone")];
    insert(&db, &hosts[..2]).await;
    let messages: Vec<LogMsg> = (0..300).map(|number| message(&hosts[number % 3], 0, "")).collect();
    log.clear();

    let all = LogMsg::HOST.load(&db, &messages).await.unwrap();
    assert_eq!(log.commands().len(), 1);
    for (number, message) in messages.iter().enumerate() {
        assert_eq!(all.of(message).first(), hosts[..2].get(number % 3));
    }
    assert_eq!(all.missing().collect::<Vec<_>>(), [&hosts[2].id]);
}

#[tokio::test]
async fn each_read_is_an_index_scan() {
    let db = database().await;
    let parts = parts(300);
    insert(&db, &parts).await;
    let product = product(&parts[10..13]);
    assert_index_scan(&product.parts().explain(&db).await.unwrap(), 6);
    let host = host("a");
    insert(&db, std::slice::from_ref(&host)).await;
    let message = message(&host, 0, "");
    assert_index_scan(&message.host().explain(&db).await.unwrap(), 1);
    assert_index_scan(&message.host().select::<HostName>().explain(&db).await.unwrap(), 1);
}

#[derive(Projection, Deserialize)]
#[projection(of = Host)]
struct HostName {
    name: String,
}

#[tokio::test]
async fn a_projection_of_the_parent() {
    let db = database().await;
    let host = host("a");
    insert(&db, std::slice::from_ref(&host)).await;
    let messages = [message(&host, 0, "")];
    assert_eq!(messages[0].host().select::<HostName>().fetch_one(&db).await.unwrap().name, "a");
    let all = LogMsg::HOST.select::<HostName>().load(&db, &messages).await.unwrap();
    assert_eq!(all.of(&messages[0]).first().unwrap().name, "a");
}

#[tokio::test]
async fn reads_run_on_other_tasks() {
    let db = database().await;
    let parts = parts(3);
    insert(&db, &parts).await;
    let product = product(&parts);
    let task = tokio::spawn(async move {
        let one = product.parts().fetch_all(&db).await.unwrap().len();
        let products = vec![product];
        one + Product::PARTS.load(&db, &products).await.unwrap().of(&products[0]).len()
    });
    assert_eq!(task.await.unwrap(), 6);
}

#[tokio::test]
async fn a_failure_of_one_command_is_that_of_the_load() {
    let db = database().await;
    let parts = parts(3_000);
    insert(&db, &parts).await;
    let products: Vec<Product> = parts.chunks(1_500).map(product).collect();
    let data = doc! { "failCommands": ["find"], "errorCode": 13 };
    let failure = schema_tests::fail_command(&db, doc! { "skip": 1 }, data).await;
    let error = Product::PARTS.load(&db, &products).await.unwrap_err();
    failure.clear().await;
    assert!(matches!(error, Error::Driver(_)), "{error}");
    assert_eq!(Product::PARTS.load(&db, &products).await.unwrap().of(&products[1]).len(), 1_500);
}
