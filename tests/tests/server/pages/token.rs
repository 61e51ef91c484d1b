//! The uses of a token, and the refusals of a token.

use schema_runtime::PageToken;

use super::*;

fn query() -> schema_runtime::operation::Find<Person> {
    Person::find(Person::F.team.eq(Team::Red)).sort([Person::F.name.asc(), Person::F.score.desc()])
}

#[tokio::test]
async fn a_cursor_survives_a_restart() {
    let (db, _, _) = people(40).await;
    let first = query().paginate(5).fetch(&db).await.unwrap();
    let text = first.next.as_ref().unwrap().to_string();
    // Another client that knows only the text of the token.
    let again = schema_tests::server().await.client().await.unwrap().database(db.name());
    let token: PageToken = text.parse().unwrap();
    let second = query().paginate(5).after(&token).fetch(&again).await.unwrap();
    assert_eq!(ids(&second.items), ids(&query().limit(10).fetch_all(&db).await.unwrap()[5..]));
    // The text is the same in every build.
    assert_eq!(text, KNOWN);
}

/// The place of the fifth red person.
const KNOWN: &str = "06a2177653549510380000001271001b02ba7c01afbc96046b0025000000023000030000006e320001310000000000000030401232000600000000\
     0000000000";

#[tokio::test]
async fn a_cursor_of_another_query_is_refused() {
    let (db, log, _) = people(40).await;
    let token = query().paginate(5).fetch(&db).await.unwrap().next.unwrap();
    let red = || Person::find(Person::F.team.eq(Team::Red));
    let keys = || [Person::F.name.asc(), Person::F.score.desc()];
    let others = [
        ("another filter", Person::find(Person::F.team.eq(Team::Blue)).sort(keys())),
        ("more filter", Person::find(Person::F.team.eq(Team::Red).and(Person::F.active.eq(true))).sort(keys())),
        ("no filter", Person::find(Filter::all()).sort(keys())),
        ("another direction", red().sort([Person::F.name.desc(), Person::F.score.desc()])),
        ("another order of keys", red().sort([Person::F.score.desc(), Person::F.name.asc()])),
        ("fewer keys", red().sort([Person::F.name.asc()])),
        ("no sort", red()),
    ];
    log.clear();
    for (what, other) in others {
        for page in [other.clone().paginate(5).after(&token), other.paginate(5).before(&token)] {
            let error = page.fetch(&db).await.unwrap_err();
            assert!(
                matches!(error, Error::PageToken { reason } if reason.contains("another query")),
                "{what}: {error}"
            );
        }
    }
    assert_eq!(log.commands(), [], "before anything is sent");
    // Another form of the same query.
    assert_eq!(query().paginate(1).after(&token).fetch(&db).await.unwrap().len(), 1);
    let explicit = red().sort(keys().into_iter().chain([Person::F.id.desc()]));
    assert_eq!(explicit.paginate(5).after(&token).fetch(&db).await.unwrap().len(), 5);
}

/// Returns a token with a valid check and forged values.
fn forged(token: &PageToken, values: Vec<Bson>) -> PageToken {
    let text = token.to_string();
    let query = u64::from_str_radix(&text[30..46], 16).unwrap().swap_bytes();
    let mut body = Vec::new();
    let document = doc! { "q": query as i64, "k": values };
    mongodb::bson::RawDocumentBuf::try_from(&document).unwrap().as_bytes().clone_into(&mut body);
    let mut check = 0xcbf2_9ce4_8422_2325_u64;
    for byte in body.iter().chain(&(body.len() as u64).to_le_bytes()) {
        check = (check ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    let bytes = check.to_le_bytes();
    bytes.iter().chain(&body).map(|byte| format!("{byte:02x}")).collect::<String>().parse().unwrap()
}

#[tokio::test]
async fn a_forged_value_is_a_value() {
    let (db, log, people) = people(20).await;
    let query = || Person::find(Filter::all()).sort([Person::F.name.asc()]);
    let known = query().paginate(3).fetch(&db).await.unwrap().next.unwrap();
    let same = forged(&known, vec![Bson::Null, Bson::Int64(10)]);
    assert_eq!(ids(&query().paginate(1).after(&same).fetch(&db).await.unwrap().items), [15], "forging works");

    #[allow(clippy::unnecessary_fallible_conversions, reason = "bson 3 has a string type of its own for these")]
    let pattern = mongodb::bson::Regex { pattern: ".*".try_into().unwrap(), options: "".try_into().unwrap() };
    let evil = [
        Bson::from(doc! { "$gt": "" }),
        Bson::from(doc! { "$where": "sleep(10000)" }),
        Bson::from(doc! { "$ne": 1, "a.b": { "$function": {} } }),
        Bson::RegularExpression(pattern),
        Bson::JavaScriptCode("sleep(10000)".to_owned()),
        Bson::from("$$ROOT"),
        Bson::from("$fullName"),
        Bson::MinKey,
        Bson::MaxKey,
    ];
    for value in &evil {
        for id in &evil {
            let token = forged(&known, vec![value.clone(), id.clone()]);
            log.clear();
            let after = query().paginate(50).after(&token).fetch(&db).await.unwrap();
            let before = query().paginate(50).before(&token).fetch(&db).await.unwrap();
            // Each document is on exactly one side, except a document that equals both keys: no document has such an
            // `_id`.
            let mut both = [ids(&before.items), ids(&after.items)].concat();
            both.sort();
            assert_eq!(both, ids(&people), "{value} {id}");
            for sent in log.named("find") {
                let clauses = sent.get_document("filter").unwrap().get_array("$or").unwrap();
                assert_eq!(clauses.len(), 2);
            }
        }
    }
    let short = forged(&known, vec![Bson::Null]);
    let error = query().paginate(3).after(&short).fetch(&db).await.unwrap_err();
    assert!(matches!(error, Error::PageToken { .. }), "{error}");
}

#[tokio::test]
async fn a_page_that_ends_in_an_array_says_so() {
    let (db, _, _) = people(2).await;
    let document = doc! { "_id": -1_i64, "team": "red", "fullName": ["a"], "active": true, "addresses": [] };
    insert_raw::<Person>(&db, [document]).await;
    let query = || Person::find(Filter::all()).sort([Person::F.name.desc()]);
    let error = query().paginate(2).fetch_each(&db).await.unwrap_err();
    assert!(matches!(error, Error::PageToken { reason } if reason.contains("array")), "{error}");
}
