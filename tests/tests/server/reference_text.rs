//! A reference is written as a text and read from the text, for each type of an `_id` that has a text.

use std::{collections::BTreeSet, fmt::Debug, str::FromStr};

use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};
use schema_runtime::{ParseRefError, prelude::*};
use schema_tests::database;

macro_rules! model {
    ($($name:ident, $collection:literal: $id:ty;)*) => {$(
        #[derive(Model, Serialize, Deserialize, Debug)]
        #[model(collection = $collection)]
        struct $name {
            #[serde(rename = "_id")]
            id: $id,
        }
    )*};
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Sku(#[bound(max_len = 20)] String);

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Language {
    OldNorse,
    Latin,
}

model! {
    ByObject, "by_object": ObjectId;
    ByUuid, "by_uuid": Uuid;
    ByText, "by_text": String;
    ByInt, "by_int": i32;
    ByLong, "by_long": i64;
    ByUnsigned, "by_unsigned": u32;
    ByLarge, "by_large": u64;
    ByDecimal, "by_decimal": Decimal128;
    ByNewtype, "by_newtype": Sku;
    ByName, "by_name": Language;
    ByReference, "by_reference": Ref<ByUuid>;
}

fn text_and_back<M: Model>(reference: &Ref<M>) -> String
where
    M::Id: PartialEq + Debug,
    Ref<M>: ToString + FromStr<Err = ParseRefError>,
{
    let text = reference.to_string();
    assert_eq!(text.parse::<Ref<M>>().as_ref().map(Ref::id), Ok(reference.id()), "{text}");
    text
}

#[test]
fn each_id_has_its_text() {
    let uuid = Uuid::from_bytes([0x5c; 16]);
    let hyphens = "5c5c5c5c-5c5c-5c5c-5c5c-5c5c5c5c5c5c";
    let object = ObjectId::from_bytes([0xab; 12]);
    assert_eq!(text_and_back(&Ref::<ByObject>::new(object)), "abababababababababababab");
    assert_eq!(text_and_back(&Ref::<ByUuid>::new(uuid)), hyphens);
    assert_eq!(text_and_back(&Ref::<ByText>::new("a/b c")), "a/b c");
    assert_eq!(text_and_back(&Ref::<ByInt>::new(i32::MIN)), "-2147483648");
    assert_eq!(text_and_back(&Ref::<ByLong>::new(i64::MAX)), "9223372036854775807");
    assert_eq!(text_and_back(&Ref::<ByUnsigned>::new(u32::MAX)), "4294967295");
    assert_eq!(text_and_back(&Ref::<ByLarge>::new(7_u64)), "7");
    assert_eq!(text_and_back(&Ref::<ByNewtype>::new(Sku("x-1".into()))), "x-1");
    assert_eq!(text_and_back(&Ref::<ByName>::new(Language::OldNorse)), "old_norse");
    assert_eq!(text_and_back(&Ref::<ByReference>::new(Ref::<ByUuid>::new(uuid))), hyphens);
    let decimal: Decimal128 = "1.50".parse().unwrap();
    assert_eq!(text_and_back(&Ref::<ByDecimal>::new(decimal)), "1.50");
    assert_eq!(format!("{:>4}", Ref::<ByInt>::new(7)), "   7");
    assert_eq!(Ref::<ByLarge>::new(u64::MAX).to_string(), "?", "no document has this `_id`");
}

#[test]
fn a_wrong_text_is_refused_with_the_form_and_without_the_text() {
    fn refused<M: Model + Debug>(text: &str) -> String
    where
        Ref<M>: FromStr<Err = ParseRefError>,
        M::Id: Debug,
    {
        let error = text.parse::<Ref<M>>().unwrap_err();
        assert!(text.is_empty() || !format!("{error} {error:?}").contains(text), "{error:?}");
        error.to_string()
    }
    let object = "the text is no `_id` of `ByObject`, expected an ObjectId of 24 hexadecimal digits";
    for text in ["", "secret", "ababababababababababab", "{\"$oid\":\"ab\"}", "zbababababababababababab"] {
        assert_eq!(refused::<ByObject>(text), object);
    }
    let uuid = "the text is no `_id` of `ByReference`, expected a UUID of 32 hexadecimal digits with hyphens";
    for text in ["secret", "5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c"] {
        assert_eq!(refused::<ByReference>(text), uuid);
    }
    let int = "the text is no `_id` of `ByInt`, expected a whole number from -2147483648 to 2147483647";
    for text in ["secret", "1.0", "+5", " 5", "007", "2147483649", "99999999999999999999"] {
        assert_eq!(refused::<ByInt>(text), int);
    }
    let name = "the text is no `_id` of `ByName`, expected one of `old_norse`, `latin`";
    assert_eq!(refused::<ByName>("OldNorse"), name);
}

#[test]
fn any_text_gives_a_reference_or_an_error() {
    let mut runner = TestRunner::deterministic();
    for _ in 0..2_000 {
        let text = "\\PC{0,40}".new_tree(&mut runner).unwrap().current();
        let _ = (text.parse::<Ref<ByObject>>(), text.parse::<Ref<ByUuid>>(), text.parse::<Ref<ByInt>>());
        let _ = (text.parse::<Ref<ByLarge>>(), text.parse::<Ref<ByDecimal>>(), text.parse::<Ref<ByName>>());
        assert_eq!(text.parse::<Ref<ByText>>().unwrap().id(), &text);
        let id = any::<[u8; 16]>().new_tree(&mut runner).unwrap().current();
        text_and_back(&Ref::<ByUuid>::new(Uuid::from_bytes(id)));
        text_and_back(&Ref::<ByLong>::new(i64::from_le_bytes(*id.first_chunk().unwrap())));
    }
}

#[test]
fn references_have_the_order_of_their_ids() {
    let references: BTreeSet<Ref<ByInt>> = [3, -1, 2].into_iter().map(Ref::new).collect();
    assert_eq!(references.iter().map(|reference| *reference.id()).collect::<Vec<_>>(), [-1, 2, 3]);
    assert!(Ref::<ByText>::new("a") < Ref::new("b"));
}

#[tokio::test]
async fn a_parsed_reference_finds_the_document() {
    let db = database().await;
    let stored = ByUuid { id: Uuid::new() };
    ByUuid::insert(&db, &stored).await.unwrap();
    let reference: Ref<ByUuid> = Ref::to(&stored).to_string().parse().unwrap();
    assert_eq!(ByUuid::get_by_id(&db, reference).await.unwrap().id, stored.id);
}
