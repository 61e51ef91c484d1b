//! The place and the size of a page in a query of a URL.

use axum::{Router, extract::State, http::StatusCode, routing::get};
use schema_runtime::{
    Page,
    prelude::*,
    web::{JsonBody, PageQuery},
};
use schema_tests::database;
use serde_json::json;

use super::{Answer, Writer, get as ask};

async fn list<const SIZE: u32, const MOST: u32>(
    State(db): State<Database>,
    at: PageQuery<SIZE, MOST>,
) -> Result<JsonBody<Page<Vec<Writer>>>> {
    let pages = Writer::find(Filter::all()).sort(Writer::F.email.asc()).paginate(at.limit);
    Ok(JsonBody(pages.after(&at.after).before(&at.before).fetch(&db).await?))
}

async fn app() -> Router {
    let db = database().await;
    let writer = |at: usize| Writer { id: ObjectId::new(), name: "Ada".to_owned(), email: format!("{at:03}") };
    Writer::insert_many(&db, (0..105).map(writer).collect::<Vec<_>>()).await.unwrap();
    Router::new().route("/", get(list::<20, 100>)).route("/few", get(list::<2, 3>)).with_state(db)
}

fn emails(answer: &Answer) -> Vec<&str> {
    answer.body["items"].as_array().unwrap().iter().map(|writer| writer["email"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_client_goes_forward_and_back() {
    let app = app().await;
    let first = ask(&app, "/?sort=name").await;
    assert_eq!((first.status, emails(&first).len(), first.body["previous"].is_null()), (StatusCode::OK, 20, true));
    let next = first.body["next"].as_str().unwrap();
    let second = ask(&app, &format!("/?limit=100&after={next}")).await;
    assert_eq!((emails(&second).len(), emails(&second)[0], second.body["next"].is_null()), (85, "020", true));
    let previous = second.body["previous"].as_str().unwrap();
    let back = ask(&app, &format!("/?before={previous}&limit=3")).await;
    assert_eq!(emails(&back), ["017", "018", "019"]);
    assert_eq!(emails(&ask(&app, "/few").await), ["000", "001"]);
    assert_eq!(emails(&ask(&app, "/few?limit=3").await).len(), 3);
}

#[tokio::test]
async fn a_wrong_parameter_is_400_with_its_name() {
    let app = app().await;
    let token = ask(&app, "/?limit=1").await.body["next"].as_str().unwrap().to_owned();
    for (query, field) in [
        ("limit=0".to_owned(), "limit"),
        ("limit=101".to_owned(), "limit"),
        ("limit=-1".to_owned(), "limit"),
        ("limit=".to_owned(), "limit"),
        ("limit=4294967296".to_owned(), "limit"),
        ("limit=ten".to_owned(), "limit"),
        ("after=hunter2".to_owned(), "after"),
        ("after=".to_owned(), "after"),
        ("before=00".to_owned(), "before"),
        (format!("after={token}&before={token}"), "before"),
    ] {
        let answer = ask(&app, &format!("/?{query}")).await;
        assert_eq!((answer.status, &answer.body["code"]), (StatusCode::BAD_REQUEST, &json!("query")), "{query}");
        assert_eq!(answer.body["errors"][0]["field"], field, "{query}");
        assert!(!answer.body.to_string().contains("hunter2"), "{}", answer.body);
    }
    assert_eq!(ask(&app, "/few?limit=4").await.status, StatusCode::BAD_REQUEST);
    let twice = ask(&app, "/?limit=1&limit=2").await;
    assert_eq!((twice.status, &twice.body["code"]), (StatusCode::BAD_REQUEST, &json!("query")));
}

/// The token is whole and belongs to the sort by another query.
#[tokio::test]
async fn a_token_of_another_query_is_400() {
    let app = app().await;
    let db = database().await;
    let writer = |email: &str| Writer { id: ObjectId::new(), name: "a".to_owned(), email: email.to_owned() };
    Writer::insert_many(&db, ["a", "b"].map(writer)).await.unwrap();
    let page = Writer::find(Writer::F.name.eq("a")).paginate(1).fetch(&db).await.unwrap();
    let answer = ask(&app, &format!("/?after={}", page.next.unwrap())).await;
    assert_eq!((answer.status, &answer.body["code"]), (StatusCode::BAD_REQUEST, &json!("page_token")));
}
