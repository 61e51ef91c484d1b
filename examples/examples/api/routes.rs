//! The routes, and a function for each route.

use axum::{
    Router,
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header::USER_AGENT},
    routing::{get, patch, post},
};
use schema_runtime::{
    Page,
    prelude::*,
    web::{JsonBody, PageQuery},
};

use crate::models::{Author, AuthorInput, EditAuthor, EditPost, Post, PostInput};

pub(crate) fn app(db: Database) -> Router {
    Router::new()
        .route("/authors", post(create_author))
        .route("/authors/{id}", patch(edit_author).delete(delete_author))
        .route("/authors/{id}/posts", get(list_posts_of))
        .route("/posts", get(list_posts).post(create_post))
        .route("/posts/{id}", get(show_post).patch(edit_post).delete(delete_post))
        .with_state(db)
}

async fn create_author(
    State(db): State<Database>,
    JsonBody(input): JsonBody<AuthorInput>,
) -> Result<(StatusCode, JsonBody<Author>)> {
    let author = Author { id: ObjectId::new(), name: input.name, email: input.email };
    Author::insert(&db, &author).await?;
    Ok((StatusCode::CREATED, JsonBody(author)))
}

async fn edit_author(
    State(db): State<Database>,
    Path(id): Path<Ref<Author>>,
    JsonBody(edit): JsonBody<EditAuthor>,
) -> Result<JsonBody<Author>> {
    Ok(JsonBody(Author::update_by_id(id).apply(&edit).fetch_after(&db).await?))
}

async fn delete_author(State(db): State<Database>, Path(id): Path<Ref<Author>>) -> Result<StatusCode> {
    Ok(if Author::delete_by_id(&db, id).await? { StatusCode::NO_CONTENT } else { StatusCode::NOT_FOUND })
}

async fn list_posts_of(
    State(db): State<Database>,
    Path(author): Path<Ref<Author>>,
    at: PageQuery,
) -> Result<JsonBody<Page<Vec<Post>>>> {
    let posts = Post::find(Post::F.author.eq(author)).sort(Post::F.id.desc()).paginate(at.limit);
    Ok(JsonBody(posts.after(&at.after).before(&at.before).fetch(&db).await?))
}

async fn list_posts(State(db): State<Database>, at: PageQuery) -> Result<JsonBody<Page<Vec<Post>>>> {
    let posts = Post::find(Filter::all()).sort(Post::F.id.desc()).paginate(at.limit);
    Ok(JsonBody(posts.after(&at.after).before(&at.before).fetch(&db).await?))
}

async fn create_post(
    State(db): State<Database>,
    headers: HeaderMap,
    JsonBody(input): JsonBody<PostInput>,
) -> Result<(StatusCode, JsonBody<Post>)> {
    let client = headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok());
    let mut post = input.into_post(client.map(|agent| agent.chars().take(45).collect()));
    Post::create(&db, &mut post).await?;
    Ok((StatusCode::CREATED, JsonBody(post)))
}

async fn show_post(State(db): State<Database>, Path(id): Path<Ref<Post>>) -> Result<JsonBody<Post>> {
    Ok(JsonBody(Post::get_by_id(&db, id).await?))
}

async fn edit_post(
    State(db): State<Database>,
    Path(id): Path<Ref<Post>>,
    JsonBody(edit): JsonBody<EditPost>,
) -> Result<JsonBody<Post>> {
    Ok(JsonBody(Post::update_by_id(id).apply(&edit).fetch_after(&db).await?))
}

async fn delete_post(State(db): State<Database>, Path(id): Path<Ref<Post>>) -> Result<StatusCode> {
    Ok(if Post::delete_by_id(&db, id).await? { StatusCode::NO_CONTENT } else { StatusCode::NOT_FOUND })
}
