//! Elements beside their children; some elements have no reference.

use schema_runtime::join::JoinEntry;

use super::*;

#[derive(Model, Serialize, Deserialize, Debug, PartialEq)]
#[model(collection = "racks")]
struct Rack {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, child_refs, max = 20)]
    slots: Vec<Option<Ref<Part>>>,
    #[relation(one_to_many, child_refs, by = part, max = 20)]
    lines: Vec<Line>,
}

/// An extended reference that may be empty.
#[derive(Embed, Serialize, Deserialize, Debug, PartialEq)]
struct Line {
    label: String,
    part: Option<Ref<Part>>,
}

/// Returns a text for each pair: the result of the reference, in the order of the elements.
fn described<R, T>(pairs: Vec<(&R, Option<JoinEntry<'_, T, Part>>)>, name: impl Fn(&T) -> &str) -> Vec<String> {
    let text = |entry: Option<JoinEntry<'_, T, Part>>| match entry {
        None => "none".to_owned(),
        Some(JoinEntry::Found(part)) => name(part).to_owned(),
        Some(JoinEntry::Missing(_)) => "missing".to_owned(),
        Some(JoinEntry::Failed(Error::Decode { path, .. })) => format!("failed at {path}"),
        Some(JoinEntry::Failed(error)) => panic!("{error}"),
    };
    pairs.into_iter().map(|(_, entry)| text(entry)).collect()
}

#[tokio::test]
async fn an_empty_element_does_not_shift_the_others() {
    let db = database().await;
    let [bolt, nut, gone, bad] = ["bolt", "nut", "gone", "bad"].map(part);
    insert(&db, &[bolt.clone(), nut.clone()]).await;
    insert_raw::<Part>(&db, [doc! { "_id": bad.id, "name": "bad", "qty": "many" }]).await;
    let slot = |part: &Part| Some(Ref::to(part));
    let slots = vec![None, slot(&bolt), None, slot(&gone), slot(&bad), slot(&nut), slot(&bolt), None];
    let line = |part: &Option<Ref<Part>>| Line { label: "line".to_owned(), part: *part };
    let rack = Rack { id: ObjectId::new(), lines: slots.iter().rev().map(line).collect(), slots };
    let other = Rack { id: ObjectId::new(), slots: vec![slot(&nut), None], lines: Vec::new() };
    insert(&db, &[rack, other]).await;
    let [rack, other] = &Rack::find(Filter::all()).sort(Rack::F.id.asc()).fetch_all(&db).await.unwrap()[..] else {
        panic!("two racks")
    };
    let expected = ["none", "bolt", "none", "missing", "failed at qty", "nut", "bolt", "none"];

    let joined = rack.slots().fetch_all(&db).await.unwrap();
    let pairs = joined.pairs(&rack.slots).unwrap();
    assert!(pairs.iter().map(|(slot, _)| *slot).eq(&rack.slots), "each element once, in order");
    assert_eq!(described(pairs, |part| &part.name), expected);
    assert_eq!(joined.iter().count(), 3, "what is iterated is shorter");

    // Extended references, read with a projection.
    let reversed: Vec<&str> = expected.into_iter().rev().collect();
    let lines = rack.lines().select::<PartName>().fetch_all(&db).await.unwrap();
    let found = lines.pairs(&rack.lines).unwrap();
    assert!(found.iter().all(|(line, _)| line.label == "line"));
    // The invalid part is valid for a read without its number.
    let names = reversed.iter().map(|name| if *name == "failed at qty" { "bad" } else { name });
    assert_eq!(described(found, |part| &part.name), names.collect::<Vec<_>>());

    // Many parents, and the join on the server.
    let loaded = Rack::SLOTS.load(&db, [rack, other]).await.unwrap();
    assert_eq!(described(loaded.of(rack).pairs(&rack.slots).unwrap(), |part| &part.name), expected);
    assert_eq!(described(loaded.of(other).pairs(&other.slots).unwrap(), |part| &part.name), ["nut", "none"]);
    let rows = Rack::LINES.lookup(Rack::F.id.eq(rack.id)).fetch_all(&db).await.unwrap().into_vec().unwrap();
    let (rack, lines) = &rows[0];
    assert_eq!(described(lines.pairs(&rack.lines).unwrap(), |part| &part.name), reversed);
}

#[tokio::test]
async fn elements_are_found_by_their_id_and_never_by_their_position() {
    let db = database().await;
    let parts = parts(3);
    insert(&db, &parts).await;
    let slots: Vec<_> = parts.iter().map(|part| Some(Ref::to(part))).collect();
    let rack = Rack { id: ObjectId::new(), slots, lines: Vec::new() };
    let joined = rack.slots().fetch_all(&db).await.unwrap();
    let some = [&rack.slots[2], &None, &rack.slots[0]];
    let names = described(joined.pairs(some).unwrap(), |part| &part.name);
    assert_eq!(names, ["part 2", "none", "part 0"]);

    // The elements of another parent, also with the same number of elements.
    let other = Rack { slots: vec![rack.slots[0], Some(Ref::new(ObjectId::new())), None], ..rack };
    let Err(error) = joined.pairs(&other.slots) else { panic!("one is not among them") };
    assert!(matches!(&error, Error::NotLoaded { field } if field == "Rack.slots"), "{error}");
    assert_eq!(
        error.to_string(),
        "the load of `Rack.slots` did not include the parent, or the document that the element refers to"
    );
    let loaded = Rack::SLOTS.load(&db, &[]).await.unwrap();
    assert!(matches!(loaded.of(&other).pairs(&other.slots), Err(Error::NotLoaded { .. })));
}
