//! The place and the size of a page, from the query of a URL.

use axum::{
    extract::{FromRequestParts, Query},
    http::{StatusCode, request::Parts},
};
use serde::Deserialize;

use super::Problem;
use crate::page::PageToken;

/// The place and the size of a page, from the query of a URL: `?after=TOKEN&limit=50`.
///
/// | parameter | value | without the parameter |
/// |---|---|---|
/// | `after` | the `next` of a page | the first page |
/// | `before` | the `previous` of a page | the first page |
/// | `limit` | the number of items, 1 to `MOST` | `SIZE` |
///
/// `PageQuery` has 20 items, and at most 100; `PageQuery<50, 500>` has other numbers. A `limit` outside of the range, a
/// damaged token, and `after` beside `before` are status 400. Further parameters belong to other extractors, and are
/// ignored.
///
/// ```
/// # use schema_runtime::{Page, prelude::*, web::{JsonBody, PageQuery}};
/// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "posts")]
/// # struct Post { #[serde(rename = "_id")] id: ObjectId }
/// use axum::extract::State;
///
/// async fn list(State(db): State<Database>, at: PageQuery) -> Result<JsonBody<Page<Vec<Post>>>> {
///     let posts = Post::find(Filter::all()).sort(Post::F.id.desc()).paginate(at.limit);
///     Ok(JsonBody(posts.after(&at.after).before(&at.before).fetch(&db).await?))
/// }
/// # let _: axum::Router<Database> = axum::Router::new().route("/posts", axum::routing::get(list));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PageQuery<const SIZE: u32 = 20, const MOST: u32 = 100> {
    /// The place that the page comes after.
    pub after: Option<PageToken>,
    /// The place that the page comes before.
    pub before: Option<PageToken>,
    /// The number of items.
    pub limit: u32,
}

/// The parameters as texts: serde's messages would repeat the texts.
#[derive(Deserialize)]
struct Parameters {
    after: Option<String>,
    before: Option<String>,
    limit: Option<String>,
}

impl<S: Send + Sync, const SIZE: u32, const MOST: u32> FromRequestParts<S> for PageQuery<SIZE, MOST> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let Query(given) = Query::<Parameters>::try_from_uri(&parts.uri)?;
        let (after, before) = (token("after", given.after)?, token("before", given.before)?);
        if after.is_some() && before.is_some() {
            return Err(wrong("before", "stands beside `after`: a page comes after or before one place"));
        }
        let limit = match given.limit {
            None => SIZE,
            Some(text) => text
                .parse()
                .ok()
                .filter(|limit| (1..=MOST).contains(limit))
                .ok_or_else(|| wrong("limit", &format!("is no whole number from 1 to {MOST}")))?,
        };
        Ok(PageQuery { after, before, limit })
    }
}

fn token(name: &str, text: Option<String>) -> Result<Option<PageToken>, Problem> {
    text.map(|text| text.parse()).transpose().map_err(|_| wrong(name, "is no page token"))
}

fn wrong(name: &str, mistake: &str) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "query", format!("the parameter `{name}` {mistake}")).field(name, mistake)
}
