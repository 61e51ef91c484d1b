//! Tokens of every kind of field: through generics, options, enums, newtypes, references and lists of lists.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use mongodb::bson::{Bson, Document, doc};
use schema_runtime::{Area, BoundedVec, Point, prelude::*};

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "teams")]
struct Team {
    #[serde(rename = "_id")]
    id: u32,
    size: Size,
    email: Option<Email>,
    lead: Ref<Member>,
    deputy: Option<Ref<Member>>,
    #[relation(one_to_many, child_refs, max = 50)]
    members: Vec<Ref<Member>>,
    #[relation(one_to_one, embed)]
    office: Option<Address>,
    #[relation(one_to_few, embed, max = 5)]
    rooms: Option<Vec<Address>>,
    #[relation(one_to_few, embed, max = 5)]
    pairs: Vec<Pair<i64>>,
    #[bound(max_items = 9)]
    days: BTreeSet<u8>,
    #[bound(max_items = 9)]
    grid: Vec<BoundedVec<f64, 2>>,
    #[bound(max_items = 9)]
    notes: HashMap<String, String>,
    #[bound(max_items = 9)]
    levels: BTreeMap<String, i32>,
    place: [f64; 2],
    count: u64,
    share: Decimal128,
    unique: Uuid,
    when: DateTime,
    r#type: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "members")]
struct Member {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
struct Address {
    street_name: String,
    #[relation(one_to_few, embed, max = 3)]
    doors: Vec<Door>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
struct Door {
    code: Option<i32>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
struct Pair<T> {
    left: T,
    right: T,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Email(String);

#[derive(Embed, Serialize, Deserialize, Clone, Copy, Debug)]
#[serde(rename_all = "lowercase")]
enum Size {
    Small,
    Large,
}

fn sent(filter: Filter<Team>) -> Document {
    filter.into_document().unwrap()
}

#[test]
fn every_kind_of_field_can_be_asked() {
    let f = Team::F;
    let ada = Member { id: 7, name: "Ada".to_owned() };
    let address = Address { street_name: "Main".to_owned(), doors: Vec::new() };
    let stored = doc! { "streetName": "Main", "doors": [] };
    let (time, id) = (DateTime::from_millis(5), Uuid::from_bytes([1; 16]));
    let share: Decimal128 = "1.5".parse().unwrap();
    let cases = [
        (f.id.is_in([1, 2]), doc! { "_id": { "$in": [1_i64, 2_i64] } }),
        (f.size.eq(Size::Large), doc! { "size": "large" }),
        (f.size.is_in([Size::Small]), doc! { "size": { "$in": ["small"] } }),
        (f.email.eq(Email("a@b".to_owned())), doc! { "email": "a@b" }),
        (f.email.starts_with("a"), doc! { "email": { "$regex": "^a", "$gte": "" } }),
        (f.email.is_null(), doc! { "email": null }),
        (f.lead.eq(&ada), doc! { "lead": 7_i64 }),
        (f.lead.eq(Ref::new(7)), doc! { "lead": 7_i64 }),
        (f.lead.gt(Ref::new(7)), doc! { "lead": { "$gt": 7_i64 } }),
        (f.deputy.eq(Ref::to(&ada)), doc! { "deputy": 7_i64 }),
        (f.members.contains(&ada), doc! { "members": 7_i64 }),
        (f.members.size(3), doc! { "members": { "$size": 3_i64 } }),
        (f.office.is_null(), doc! { "office": null }),
        (f.office.eq(&address), doc! { "office": { "$eq": &stored } }),
        (f.office.street_name.eq("Main"), doc! { "office.streetName": "Main" }),
        (f.office.doors.code.gt(3), doc! { "office.doors.code": { "$gt": 3 } }),
        (f.rooms.contains(&address), doc! { "rooms": { "$elemMatch": { "$eq": &stored } } }),
        (
            f.rooms.elem_match(|room| room.doors.elem_match(|door| door.code.is_not_null() & door.code.ne(1))),
            doc! { "rooms": { "$elemMatch": { "doors": { "$elemMatch": { "$and": [{ "code": { "$ne": null } }, { "code": { "$ne": 1 } }] } } } } },
        ),
        (
            f.pairs.elem_match(|pair| pair.left.gt(1) & pair.right.lt(5)),
            doc! { "pairs": { "$elemMatch": { "left": { "$gt": 1_i64 }, "right": { "$lt": 5_i64 } } } },
        ),
        (f.pairs.left.eq(4), doc! { "pairs.left": 4_i64 }),
        (f.days.contains(3), doc! { "days": 3 }),
        (
            f.grid.contains(BoundedVec::try_from(vec![1.0]).unwrap()),
            doc! { "grid": { "$elemMatch": { "$eq": [1.0] } } },
        ),
        (f.grid.elem_match(|row| row.size(2)), doc! { "grid": { "$elemMatch": { "$size": 2_i64 } } }),
        (f.notes.exists(true), doc! { "notes": { "$exists": true } }),
        (f.levels.eq(BTreeMap::from([("$gt".to_owned(), 1)])), doc! { "levels": { "$eq": { "$gt": 1 } } }),
        (
            f.place.within(Area::circle(Point::new(1.0, 2.0), 0.0)),
            doc! { "place": { "$geoWithin": { "$centerSphere": [[1.0, 2.0], 0.0] } } },
        ),
        (f.count.gte(5), doc! { "count": { "$gte": 5_i64 } }),
        (f.share.lt(share), doc! { "share": { "$lt": share } }),
        (f.unique.eq(id), doc! { "unique": id }),
        (f.when.between(time..), doc! { "when": { "$gte": time } }),
        (f.r#type.eq("t"), doc! { "type": "t" }),
    ];
    for (filter, expected) in cases {
        assert_eq!(sent(filter), expected);
    }
}

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "clubs")]
struct Club {
    #[serde(rename = "_id")]
    id: ClubId,
    #[relation(one_to_many, child_refs, by = member, max = 50)]
    seats: Vec<Seat>,
    #[relation(one_to_many, parent_ref, by = member)]
    chair: Option<Seat>,
    home: Home,
    colour: Ref<Colour>,
    second: Option<Ref<Colour>>,
    motto: Option<String>,
    #[bound(max_items = 9)]
    words: Option<Vec<String>>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct ClubId {
    country: String,
    number: i32,
}

/// An extended reference.
#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
struct Seat {
    #[serde(rename = "m")]
    member: Ref<Member>,
    #[denormalize(from = member.name, snapshot)]
    name: String,
    desk: Door,
}

/// A newtype is stored as its inner value, and has the fields of the inner value.
#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
struct Home(Address);

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "colours")]
struct Colour {
    #[serde(rename = "_id")]
    id: String,
}

fn of_clubs(filter: Filter<Club>) -> Document {
    filter.into_document().unwrap()
}

/// The fields of every embedded struct are fields of its token, for every relation and every place.
#[test]
fn a_path_leads_into_every_struct() {
    let f = Club::F;
    let ada = Member { id: 7, name: "Ada".to_owned() };
    let cases = [
        (f.id.country.eq("NO"), doc! { "_id.country": "NO" }),
        (f.seats.name.eq("Ada"), doc! { "seats.name": "Ada" }),
        (f.seats.member.eq(&ada), doc! { "seats.m": 7_i64 }),
        (f.seats.desk.code.gt(3), doc! { "seats.desk.code": { "$gt": 3 } }),
        (
            f.seats.elem_match(|seat| seat.name.eq("Ada") & seat.desk.code.is_null()),
            doc! { "seats": { "$elemMatch": { "name": "Ada", "desk.code": null } } },
        ),
        (f.chair.name.eq("Ada"), doc! { "chair.name": "Ada" }),
        (f.home.street_name.eq("Main"), doc! { "home.streetName": "Main" }),
        (f.home.doors.code.eq(1), doc! { "home.doors.code": 1 }),
    ];
    for (filter, expected) in cases {
        assert_eq!(of_clubs(filter), expected);
    }
}

/// A field accepts every form of a value: a value, a reference to a value, an `_id`, a document, an extended reference,
/// a slice.
#[test]
#[allow(clippy::needless_borrows_for_generic_args, reason = "each form is what is tested")]
fn a_value_comes_in_every_form() {
    let f = Club::F;
    let ada = Member { id: 7, name: "Ada".to_owned() };
    let seat = Seat { member: Ref::to(&ada), name: "Ada".to_owned(), desk: Door { code: None } };
    let (members, seats) = ([ada.clone()], vec![seat.clone()]);
    let red = Colour { id: "red".to_owned() };
    let seven = doc! { "lead": 7_i64 };
    let lead = Team::F.lead;
    for filter in [
        lead.eq(7),
        lead.eq(&7),
        lead.eq(&ada),
        lead.eq(&seat),
        lead.eq(seat.member),
        lead.eq(&seat.member),
        lead.eq(Ref::to(&ada)),
    ] {
        assert_eq!(sent(filter), seven);
    }
    let deputy = Team::F.deputy;
    for filter in
        [deputy.eq(7), deputy.eq(&ada), deputy.eq(&seat), deputy.eq(seat.member), deputy.eq(Some(Ref::new(7)))]
    {
        assert_eq!(sent(filter), doc! { "deputy": 7_i64 });
    }
    assert_eq!(sent(deputy.eq(None)), doc! { "deputy": null });
    for filter in [lead.is_in(&members), lead.is_in(&seats), lead.is_in([7]), lead.is_in([&ada])] {
        assert_eq!(sent(filter), doc! { "lead": { "$in": [7_i64] } });
    }
    let refs = Team::F.members;
    for filter in [refs.eq(&members), refs.eq(&members[..]), refs.eq(&seats[..]), refs.eq([7]), refs.eq([&ada])] {
        assert_eq!(sent(filter), doc! { "members": [7_i64] });
    }
    for filter in [refs.contains(7), refs.contains(&ada), refs.contains(&seat)] {
        assert_eq!(sent(filter), doc! { "members": 7_i64 });
    }
    for filter in [f.colour.eq("red"), f.colour.eq(&red), f.colour.eq(&red.id), f.colour.eq(red.id.clone())] {
        assert_eq!(of_clubs(filter), doc! { "colour": "red" });
    }
    assert_eq!(of_clubs(f.second.is_in(&["red"])), doc! { "second": { "$in": ["red"] } });
    assert_eq!(of_clubs(f.motto.eq("x")), doc! { "motto": "x" });
    assert_eq!(of_clubs(f.motto.is_in(&["x"])), doc! { "motto": { "$in": ["x"] } });
    let words = vec!["a".to_owned()];
    for filter in
        [f.words.eq(["a"]), f.words.eq(&["a"]), f.words.eq(&words[..]), f.words.eq(&words), f.words.eq(words.clone())]
    {
        assert_eq!(of_clubs(filter), doc! { "words": ["a"] });
    }
}

#[test]
fn a_number_that_bson_does_not_hold_is_reported() {
    let error = Team::F.count.eq(u64::MAX).into_document().unwrap_err();
    assert!(matches!(error, Error::Encode { .. }), "{error}");
}

/// The set value equals the value that an insert of the same struct stores.
#[tokio::test]
async fn every_kind_of_field_can_be_set() {
    let db = schema_tests::database().await;
    let address = Address { street_name: "Main".to_owned(), doors: vec![Door { code: Some(1) }] };
    let team = Team {
        id: 1,
        size: Size::Small,
        email: Some(Email("a@b".to_owned())),
        lead: Ref::new(7),
        deputy: Some(Ref::new(8)),
        members: vec![Ref::new(7), Ref::new(8)],
        office: Some(address.clone()),
        rooms: Some(vec![address.clone()]),
        pairs: vec![Pair { left: 1, right: 2 }],
        days: BTreeSet::from([1, 2]),
        grid: vec![BoundedVec::try_from(vec![1.0, 2.0]).unwrap()],
        notes: HashMap::from([("a.b".to_owned(), "$c".to_owned())]),
        levels: BTreeMap::from([("x".to_owned(), 1)]),
        place: [1.0, 2.0],
        count: 5,
        share: "1.5".parse().unwrap(),
        unique: Uuid::from_bytes([1; 16]),
        when: DateTime::from_millis(5),
        r#type: "t".to_owned(),
    };
    Team::insert(&db, &team).await.unwrap();
    let f = Team::F;
    let set = Team::update_by_id(2)
        .set(f.size, team.size)
        .set(f.email, team.email.clone())
        .set(f.lead, 7)
        .set(f.deputy, team.deputy)
        .set(f.members, [7, 8])
        .set(f.office, &address)
        .set(f.rooms, Some(vec![address.clone()]))
        .set(f.pairs, &team.pairs)
        .set(f.days, &team.days)
        .set(f.grid, &team.grid)
        .set(f.notes, &team.notes)
        .set(f.levels, &team.levels)
        .set(f.place, team.place)
        .set(f.count, 5)
        .set(f.share, team.share)
        .set(f.unique, team.unique)
        .set(f.when, team.when)
        .set(f.r#type, "t");
    set.upsert().execute(&db).await.unwrap();
    let collection = db.collection::<Document>("teams");
    let mut stored = Vec::new();
    for id in [1, 2] {
        let mut document = collection.find_one(doc! { "_id": id }).await.unwrap().unwrap();
        document.remove("_id");
        stored.push(document.into_iter().collect::<BTreeMap<String, Bson>>());
    }
    assert_eq!(stored[0].len(), 18);
    assert_eq!(stored[0], stored[1]);
}
