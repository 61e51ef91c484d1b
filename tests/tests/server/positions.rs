//! A type as a plain field, an `Option`, an element, a value of a map and a field of an embedded struct, with each
//! operator of filters and updates, sorts, pages, projections and distinct values. The raw documents are compared.

use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};

/// Three values with their stored forms.
pub(crate) type Values<T> = [(T, Bson); 3];

/// A type with three values in ascending order.
pub(crate) trait Sample: Sized {
    fn values() -> Values<Self>;
}

/// Returns the stored document with this `_id`.
pub(crate) async fn raw(db: &Database, collection: &str, id: impl Into<Bson>) -> Document {
    let found = db.collection::<Document>(collection).find_one(doc! { "_id": id.into() }).await;
    found.unwrap().expect("a stored document")
}

/// The names of the tests of a type.
pub(crate) mod names {
    pub(crate) use std::collections::BTreeMap;

    pub(crate) use mongodb::{
        Database,
        bson::{Bson, Document, doc},
    };
    pub(crate) use schema_runtime::{Filter, prelude::*, schema};
    pub(crate) use schema_tests::database;

    pub(crate) use super::{Sample, raw};
}

/// Writes the tests of each type.
macro_rules! positions {
    ($($name:ident: $type:ty;)*) => {$(
        mod $name {
            use crate::positions::names::*;

            type Value = $type;

            #[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
            struct Inner {
                value: Value,
                option: Option<Value>,
            }

            #[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
            struct Wrapped(Value);

            #[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
            #[model(collection = "holders")]
            struct Holder {
                #[serde(rename = "_id")]
                id: i64,
                #[index(asc)]
                value: Value,
                option: Option<Value>,
                wrapped: Wrapped,
                boxed: Box<Value>,
                #[bound(max_items = 5)]
                list: Vec<Value>,
                #[bound(max_items = 5)]
                options: Vec<Option<Value>>,
                #[bound(max_items = 5)]
                map: BTreeMap<String, Value>,
                inner: Inner,
                #[relation(one_to_few, embed, max = 5)]
                several: Vec<Inner>,
            }

            #[derive(Projection, Deserialize, Debug, PartialEq)]
            #[projection(of = Holder)]
            struct View {
                value: Value,
                inner: Inner,
            }

            #[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
            #[model(collection = "named")]
            struct Named {
                #[serde(rename = "_id")]
                id: Value,
                count: i32,
            }

            fn holder(id: i64, value: &Value) -> Holder {
                let inner = Inner { value: value.clone(), option: None };
                Holder {
                    id,
                    value: value.clone(),
                    option: Some(value.clone()),
                    wrapped: Wrapped(value.clone()),
                    boxed: Box::new(value.clone()),
                    list: vec![value.clone()],
                    options: vec![None, Some(value.clone())],
                    map: [("key".to_owned(), value.clone())].into(),
                    inner: inner.clone(),
                    several: vec![inner],
                }
            }

            fn stored(id: i64, value: &Bson) -> Document {
                let inner = doc! { "value": value, "option": Bson::Null };
                doc! {
                    "_id": id,
                    "value": value,
                    "option": value,
                    "wrapped": value,
                    "boxed": value,
                    "list": [value],
                    "options": [Bson::Null, value],
                    "map": { "key": value },
                    "inner": &inner,
                    "several": [&inner],
                }
            }

            /// Stores a holder of each value, under a validator.
            async fn holders() -> Database {
                let db = database().await;
                schema![Holder, Named].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
                let values = <Value as Sample>::values();
                Holder::insert_many(&db, (1..).zip(&values).map(|(id, (value, _))| holder(id, value))).await.unwrap();
                db
            }

            async fn ids(db: &Database, filter: Filter<Holder>) -> Vec<i64> {
                let found = Holder::find(filter).sort(Holder::F.value.asc()).fetch_all(db).await.unwrap();
                found.into_iter().map(|holder| holder.id).collect()
            }

            #[tokio::test]
            async fn documents() {
                let db = holders().await;
                for (id, (value, bson)) in (1..).zip(<Value as Sample>::values()) {
                    assert_eq!(raw(&db, "holders", id).await, stored(id, &bson));
                    assert_eq!(Holder::get_by_id(&db, id).await.unwrap(), holder(id, &value));
                }
            }

            #[tokio::test]
            async fn filters() {
                let db = holders().await;
                let [(a, _), (b, _), (c, _)] = <Value as Sample>::values();
                let f = Holder::F;
                assert_eq!(ids(&db, Filter::all()).await, [1, 2, 3]);
                assert_eq!(ids(&db, f.value.eq(&b)).await, [2]);
                assert_eq!(ids(&db, f.value.ne(b.clone())).await, [1, 3]);
                assert_eq!(ids(&db, f.value.is_in([&a, &c])).await, [1, 3]);
                assert_eq!(ids(&db, f.value.not_in([&a, &c])).await, [2]);
                assert_eq!(ids(&db, f.value.gt(&b)).await, [3]);
                assert_eq!(ids(&db, f.value.gte(&b)).await, [2, 3]);
                assert_eq!(ids(&db, f.value.lt(&b)).await, [1]);
                assert_eq!(ids(&db, f.value.lte(&b)).await, [1, 2]);
                assert_eq!(ids(&db, f.value.between(a.clone()..c.clone())).await, [1, 2]);
                assert_eq!(ids(&db, f.value.between(b.clone()..)).await, [2, 3]);
                assert_eq!(ids(&db, f.option.eq(&b) & f.option.is_not_null()).await, [2]);
                assert_eq!(ids(&db, f.option.gt(&b)).await, [3]);
                assert_eq!(ids(&db, f.wrapped.eq(&Wrapped(b.clone()))).await, [2]);
                assert_eq!(ids(&db, f.list.eq(vec![c.clone()])).await, [3]);
                assert_eq!(ids(&db, f.list.eq([&c])).await, [3]);
                assert_eq!(ids(&db, f.list.contains(&c)).await, [3]);
                assert_eq!(ids(&db, f.list.contains_any([&a, &b])).await, [1, 2]);
                assert_eq!(ids(&db, f.list.all([&a])).await, [1]);
                assert_eq!(ids(&db, f.list.elem_match(|element| element.gt(&b))).await, [3]);
                assert_eq!(ids(&db, f.options.contains(&b)).await, [2]);
                assert_eq!(ids(&db, f.map.eq(&holder(2, &b).map)).await, [2]);
                assert_eq!(ids(&db, f.inner.value.lt(&b)).await, [1]);
                assert_eq!(ids(&db, f.inner.eq(&holder(2, &b).inner)).await, [2]);
                assert_eq!(ids(&db, f.several.value.eq(&b)).await, [2]);
                assert_eq!(ids(&db, f.several.elem_match(|inner| inner.value.gte(&b) & inner.option.is_null())).await, [2, 3]);
            }

            #[tokio::test]
            async fn reads() {
                let db = holders().await;
                let values = <Value as Sample>::values().map(|(value, _)| value);
                let [_, b, c] = &values;
                let down = || Holder::find(Filter::all()).sort(Holder::F.value.desc());
                let first = down().paginate(2).fetch(&db).await.unwrap();
                assert_eq!(first.items.iter().map(|holder| holder.id).collect::<Vec<_>>(), [3, 2]);
                let next = down().paginate(2).after(first.next.as_ref()).fetch(&db).await.unwrap();
                assert_eq!(next.items.iter().map(|holder| holder.id).collect::<Vec<_>>(), [1]);

                let view = Holder::find(Holder::F.value.eq(b)).select::<View>().fetch_one(&db).await.unwrap();
                assert_eq!(view, View { value: b.clone(), inner: holder(2, b).inner });

                let same = |found: Vec<Value>| found.len() == 3 && values.iter().all(|value| found.contains(value));
                let all = || Holder::find(Filter::all());
                assert!(same(all().distinct(&db, Holder::F.value).await.unwrap()));
                assert!(same(all().distinct(&db, Holder::F.list).await.unwrap()));
                assert!(same(all().distinct(&db, Holder::F.inner.value).await.unwrap()));
                let options = all().distinct(&db, Holder::F.options).await.unwrap();
                assert!(options.contains(&None) && options.contains(&Some(b.clone())));

                let mut streamed = all().sort(Holder::F.value.asc()).stream(&db).await.unwrap();
                for (id, value) in (1..).zip(&values) {
                    assert_eq!(streamed.next().await.unwrap().unwrap(), holder(id, value));
                }
                assert!(streamed.next().await.is_none());

                let found = Holder::SEVERAL.find(|inner| inner.value.gt(b)).fetch_all(&db).await.unwrap();
                assert_eq!(found.len(), 1);
                assert_eq!((found[0].document, &found[0].element), (3, &holder(3, c).inner));
                assert_eq!(Holder::SEVERAL.slice(&db, 2, 0, 5).await.unwrap(), holder(2, b).several);
            }

            #[tokio::test]
            async fn updates() {
                let db = holders().await;
                let [(a, stored_a), (b, stored_b), (c, stored_c)] = <Value as Sample>::values();
                let f = Holder::F;
                let update = Holder::update_by_id(1).set(f.value, &c).set(f.option, None::<Value>).set(f.inner.value, &b);
                let update = update.push(f.list, &c).push_each(f.options, [Some(b.clone()), None]).set(f.map, BTreeMap::<String, Value>::new());
                update.push(f.several, &holder(0, &b).inner).execute(&db).await.unwrap();
                let mut expected = stored(1, &stored_a);
                expected.insert("value", &stored_c);
                expected.insert("option", Bson::Null);
                expected.insert("list", vec![stored_a.clone(), stored_c.clone()]);
                expected.insert("options", vec![Bson::Null, stored_a.clone(), stored_b.clone(), Bson::Null]);
                expected.insert("map", doc! {});
                expected.insert("inner", doc! { "value": &stored_b, "option": Bson::Null });
                let inner = |value: &Bson| doc! { "value": value, "option": Bson::Null };
                expected.insert("several", vec![inner(&stored_a), inner(&stored_b)]);
                assert_eq!(raw(&db, "holders", 1).await, expected);

                let update = Holder::update_by_id(1).min(f.value, &b).add_to_set(f.list, &c).max(f.option, &b);
                let update = update.pull(f.options, &b).pull_if(f.several, |inner| inner.value.eq(&a));
                update.execute(&db).await.unwrap();
                let each = Holder::update_by_id(1).each(
                    f.several,
                    |inner| inner.value.gte(&b),
                    |change, inner| change.set(inner.option, &c),
                );
                let after = each.execute(&db).await.unwrap();
                assert_eq!(after.modified, 1);
                let changed = Holder::get_by_id(&db, 1).await.unwrap();
                assert_eq!((&changed.value, &changed.option, &changed.list), (&b, &Some(b.clone()), &vec![a.clone(), c.clone()]));
                assert_eq!(changed.options, [None, Some(a.clone()), None]);
                assert_eq!(changed.several, [Inner { value: b.clone(), option: Some(c.clone()) }]);

                let returned = Holder::find_one_and_update(f.value.eq(&c)).set(f.value, &a).fetch_after(&db).await.unwrap();
                assert_eq!(returned.unwrap(), Holder { value: a.clone(), ..holder(3, &c) });

                let sent = doc! { "$set": { "value": &stored_b } };
                Holder::update_by_id(3).raw(sent).execute(&db).await.unwrap();
                assert_eq!(Holder::get_by_id(&db, 3).await.unwrap().value, b);
            }

            #[tokio::test]
            async fn whole_values() {
                let db = holders().await;
                let [_, (b, stored_b), (c, stored_c)] = <Value as Sample>::values();
                Holder::replace(&db, &holder(1, &c)).await.unwrap();
                assert_eq!(raw(&db, "holders", 1).await, stored(1, &stored_c));
                Holder::save(&db, &mut holder(1, &b)).await.unwrap();
                assert_eq!(raw(&db, "holders", 1).await, stored(1, &stored_b));
                assert!(Holder::upsert(&db, &holder(4, &c)).await.unwrap());
                assert_eq!(raw(&db, "holders", 4).await, stored(4, &stored_c));
                let bulk = Holder::bulk().insert(&holder(5, &b)).replace(&holder(4, &b));
                bulk.execute(&db).await.unwrap().complete().unwrap();
                assert_eq!(raw(&db, "holders", 5).await, stored(5, &stored_b));
                assert_eq!(raw(&db, "holders", 4).await, stored(4, &stored_b));
            }

            #[tokio::test]
            async fn ids_of_documents() {
                let db = holders().await;
                let [(a, _), (b, stored_b), (c, _)] = <Value as Sample>::values();
                let named = |id: &Value, count| Named { id: id.clone(), count };
                Named::insert_many(&db, [named(&a, 1), named(&b, 2)]).await.unwrap();
                assert_eq!(raw(&db, "named", stored_b.clone()).await, doc! { "_id": stored_b, "count": 2 });
                assert_eq!(Named::get_by_id(&db, &b).await.unwrap(), named(&b, 2));
                Named::update_by_id(b.clone()).inc(Named::F.count, 1).execute(&db).await.unwrap();
                assert_eq!(Named::find_by_id(&db, &b).await.unwrap(), Some(named(&b, 3)));
                let made = Named::update_one(Named::F.id.eq(&c)).set(Named::F.count, 7).upsert();
                assert_eq!(made.execute(&db).await.unwrap().upserted_id, Some(c.clone()));
                assert_eq!(Named::get_by_id(&db, &c).await.unwrap(), named(&c, 7));
                let pages = Named::find(Filter::all()).paginate(1).fetch(&db).await.unwrap();
                let next = Named::find(Filter::all()).paginate(5).after(pages.next.as_ref()).fetch(&db).await.unwrap();
                assert_eq!(next.items, [named(&b, 3), named(&c, 7)]);
                assert!(Named::delete_by_id(&db, &c).await.unwrap());
                assert_eq!(Named::find(Named::F.id.gte(&a)).count(&db).await.unwrap(), 2);
            }
        }
    )*};
}
pub(crate) use positions;
