//! Ids in paths and in queries.

use axum::{
    Router,
    extract::{Path, Query, rejection::PathRejection},
    http::StatusCode,
    routing::get,
};
use schema_runtime::{prelude::*, web::Problem};

use super::get as ask;

/// Makes a model with an `_id` of this type.
macro_rules! model {
    ($($name:ident, $collection:literal, $id:ty;)*) => {$(
        #[derive(Model, Serialize, Deserialize)]
        #[model(collection = $collection)]
        struct $name {
            #[serde(rename = "_id")]
            id: $id,
        }
    )*};
}

#[derive(Embed, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Number(i64);

model! {
    ByObjectId, "by_object_id", ObjectId;
    ByText, "by_text", String;
    ByLong, "by_long", i64;
    ByInt, "by_int", u32;
    ByUuid, "by_uuid", Uuid;
    ByOtherUuid, "by_other_uuid", uuid::Uuid;
    ByNumber, "by_number", Number;
}

#[derive(Deserialize)]
struct Of {
    of: Ref<ByObjectId>,
}

fn app() -> Router {
    macro_rules! routes {
        ($($path:literal, $model:ty;)*) => {
            Router::new()$(.route($path, get(async |Path(id): Path<Ref<$model>>| id.to_string())))*
        };
    }
    let two = async |Path((one, other)): Path<(Ref<ByLong>, Ref<ByObjectId>)>| format!("{one} {other}");
    let own = async |id: Result<Path<Ref<ByLong>>, PathRejection>| id.map(|_| ()).map_err(Problem::from);
    routes! {
        "/object_id/{id}", ByObjectId;
        "/text/{id}", ByText;
        "/long/{id}", ByLong;
        "/int/{id}", ByInt;
        "/uuid/{id}", ByUuid;
        "/other_uuid/{id}", ByOtherUuid;
        "/number/{id}", ByNumber;
    }
    .route("/two/{one}/{other}", get(two))
    .route("/own/{id}", get(own))
    .route("/query", get(async |Query(given): Query<Of>| given.of.to_string()))
}

async fn text(path: &str) -> (StatusCode, String) {
    use axum::body::{Body, to_bytes};
    use tower::ServiceExt;
    let request = axum::http::Request::builder().uri(path).body(Body::empty()).unwrap();
    let response = app().oneshot(request).await.unwrap();
    let status = response.status();
    let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, String::from_utf8(bytes.to_vec()).unwrap())
}

#[tokio::test]
async fn an_id_of_each_type_is_a_part_of_a_path() {
    let uuid = "5c5c5c5c-5c5c-5c5c-5c5c-5c5c5c5c5c5c";
    for (path, id) in [
        ("/object_id/65f1a0000000000000000000".to_owned(), "65f1a0000000000000000000"),
        ("/text/a%20b%2Fc".to_owned(), "a b/c"),
        ("/text/7".to_owned(), "7"),
        ("/long/-9223372036854775808".to_owned(), "-9223372036854775808"),
        ("/int/4294967295".to_owned(), "4294967295"),
        (format!("/uuid/{uuid}"), uuid),
        (format!("/other_uuid/{uuid}"), uuid),
        ("/number/-7".to_owned(), "-7"),
        ("/two/7/65f1a0000000000000000000".to_owned(), "7 65f1a0000000000000000000"),
        ("/query?of=65f1a0000000000000000000".to_owned(), "65f1a0000000000000000000"),
    ] {
        assert_eq!(text(&path).await, (StatusCode::OK, id.to_owned()), "{path}");
    }
}

#[tokio::test]
async fn a_wrong_id_is_400() {
    for path in [
        "/object_id/7",
        "/object_id/zzf1a0000000000000000000",
        "/long/7.0",
        "/long/9223372036854775808",
        "/int/-1",
        "/uuid/7",
        "/other_uuid/7",
        "/number/a",
        "/two/7/7",
        "/query?of=7",
        "/query",
    ] {
        assert_eq!(text(path).await.0, StatusCode::BAD_REQUEST, "{path}");
    }
}

#[tokio::test]
async fn a_rejected_path_is_a_problem_without_the_text() {
    let answer = ask(&app(), "/own/hunter2").await;
    assert_eq!((answer.status, answer.body["code"].as_str()), (StatusCode::BAD_REQUEST, Some("path")));
    assert!(!answer.body.to_string().contains("hunter2"), "{}", answer.body);
}
