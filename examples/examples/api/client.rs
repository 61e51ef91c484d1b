//! A client of the service, with an HTTP client that knows nothing of this crate.

use serde_json::{Value, json};
use ureq::{Agent, http::Request};

type Answered<T> = Result<T, ureq::Error>;

/// The service at an address.
struct Service<'a> {
    agent: Agent,
    base: &'a str,
}

impl Service<'_> {
    /// Sends a request, prints the question and the answer, checks the status, and returns the body.
    fn ask(&self, method: &str, path: &str, body: Option<Value>, status: u16) -> Answered<Value> {
        let request = Request::builder().method(method).uri(format!("{}{path}", self.base));
        let text = body.map(|body| body.to_string()).unwrap_or_default();
        println!("\n{method} {path} {text}");
        let request = request.header("content-type", "application/json").body(text)?;
        let mut response = self.agent.run(request)?;
        let answer = response.body_mut().read_to_string()?;
        println!("  {} {answer}", response.status());
        assert_eq!(response.status().as_u16(), status, "{method} {path}");
        Ok(answer.parse().unwrap_or(Value::Null))
    }

    fn get(&self, path: &str, status: u16) -> Answered<Value> {
        self.ask("GET", path, None, status)
    }

    fn post(&self, path: &str, body: Value, status: u16) -> Answered<Value> {
        self.ask("POST", path, Some(body), status)
    }

    fn patch(&self, path: &str, body: Value, status: u16) -> Answered<Value> {
        self.ask("PATCH", path, Some(body), status)
    }

    fn delete(&self, path: &str, status: u16) -> Answered<Value> {
        self.ask("DELETE", path, None, status)
    }
}

/// Asks the service for everything that the service does, and checks each answer.
pub(crate) fn ask_everything(base: &str) -> Answered<()> {
    let agent = Agent::config_builder().http_status_as_error(false).allow_non_standard_methods(true).build();
    let service = Service { agent: agent.into(), base };

    let ada = service.post("/authors", json!({ "name": "Ada", "email": "ada@example.com" }), 201)?;
    let ada = ada["id"].as_str().expect("an id as text");
    let posts = write_posts(&service, ada)?;
    read_pages(&service, ada, &posts)?;
    change(&service, ada, &posts[0])?;
    be_refused(&service, ada, &posts[0])?;
    remove(&service, ada, &posts)
}

/// Writes three posts, and returns the ids.
fn write_posts(service: &Service<'_>, author: &str) -> Answered<Vec<String>> {
    let mut ids = Vec::new();
    for (title, published) in
        [("Notes", json!("2024-02-29T14:30:00+02:00")), ("More notes", json!(null)), ("Last notes", json!(null))]
    {
        let body = json!({ "author": author, "title": title, "text": "..", "published": published });
        let post = service.post("/posts", body, 201)?;
        assert_eq!((&post["author"], &post["authorName"]), (&json!(author), &json!("Ada")));
        assert_eq!((&post["tags"], post.get("client")), (&json!([]), None));
        assert!(post["created"].as_str().is_some_and(|created| created.ends_with('Z')));
        ids.push(post["id"].as_str().expect("an id as text").to_owned());
    }
    let first = service.get(&format!("/posts/{}", ids[0]), 200)?;
    assert_eq!(first["published"], "2024-02-29T12:30:00.000Z");
    Ok(ids)
}

/// Reads the posts in pages of two, forward and back.
fn read_pages(service: &Service<'_>, author: &str, posts: &[String]) -> Answered<()> {
    let ids = |page: &Value| -> Vec<String> {
        let items = page["items"].as_array().expect("a list").iter();
        items.map(|post| post["id"].as_str().expect("an id").to_owned()).collect()
    };
    let first = service.get("/posts?limit=2", 200)?;
    assert_eq!((ids(&first), &first["previous"]), (vec![posts[2].clone(), posts[1].clone()], &Value::Null));
    let next = first["next"].as_str().expect("another page");
    let second = service.get(&format!("/posts?limit=2&after={next}"), 200)?;
    assert_eq!((ids(&second), &second["next"]), (vec![posts[0].clone()], &Value::Null));
    let previous = second["previous"].as_str().expect("the first page");
    let back = service.get(&format!("/posts?limit=2&before={previous}"), 200)?;
    assert_eq!(ids(&back), ids(&first));
    assert_eq!(ids(&service.get(&format!("/authors/{author}/posts"), 200)?).len(), 3);
    Ok(())
}

/// Changes a post, and an author whose name the posts have.
fn change(service: &Service<'_>, author: &str, post: &str) -> Answered<()> {
    let path = format!("/posts/{post}");
    let changed = service.patch(&path, json!({ "title": "Notes, again", "tags": ["engines"] }), 200)?;
    assert_eq!((&changed["title"], &changed["tags"]), (&json!("Notes, again"), &json!(["engines"])));
    assert_eq!(changed["published"], "2024-02-29T12:30:00.000Z");
    assert_eq!(service.patch(&path, json!({ "published": null }), 200)?["published"], Value::Null);
    service.patch(&format!("/authors/{author}"), json!({ "name": "Ada King" }), 200)?;
    assert_eq!(service.get(&path, 200)?["authorName"], "Ada King");
    Ok(())
}

/// Sends requests that the service refuses. Each answer names the reason, and the field where a field is wrong.
fn be_refused(service: &Service<'_>, author: &str, post: &str) -> Answered<()> {
    let unknown = "000000000000000000000000";
    let path = format!("/posts/{post}");
    let by = |author: &str, title: &str| json!({ "author": author, "title": title, "text": ".." });
    for (method, path, body, status, code, field) in [
        ("GET", "/posts/not-an-id", json!(null), 400, None, None),
        ("GET", &format!("/posts/{unknown}"), json!(null), 404, Some("not_found"), None),
        ("GET", "/posts?after=damaged", json!(null), 400, Some("query"), Some("after")),
        ("GET", "/posts?limit=1000", json!(null), 400, Some("query"), Some("limit")),
        (
            "POST",
            "/authors",
            json!({ "name": "Eve", "email": "ada@example.com" }),
            409,
            Some("duplicate"),
            Some("email"),
        ),
        ("POST", "/posts", by("not-an-id", "a"), 422, Some("invalid"), Some("author")),
        ("POST", "/posts", by(unknown, "a"), 422, Some("dangling"), Some("author")),
        ("POST", "/posts", by(author, &"a".repeat(121)), 422, Some("too_large"), Some("title")),
        ("POST", "/posts", json!({ "author": author, "titel": "a" }), 422, Some("invalid"), Some("titel")),
        ("PATCH", &path, json!({ "published": "29.2.2024" }), 422, Some("invalid"), Some("published")),
        ("PATCH", &path, json!({ "tags": ["a", "b", "c", "d", "e", "f"] }), 422, Some("too_large"), Some("tags")),
        ("PATCH", &format!("/posts/{unknown}"), json!({ "title": "a" }), 404, Some("not_found"), None),
        ("DELETE", &format!("/authors/{author}"), json!(null), 409, Some("restricted"), None),
    ] {
        let problem = service.ask(method, path, (!body.is_null()).then_some(body), status)?;
        let found = (problem["code"].as_str(), problem["errors"][0]["field"].as_str());
        assert_eq!(found, (code, field), "{method} {path}: {problem}");
        assert!(!problem.to_string().contains("ada@example.com"), "{problem}");
    }
    Ok(())
}

/// Deletes the posts, and then the author.
fn remove(service: &Service<'_>, author: &str, posts: &[String]) -> Answered<()> {
    for post in posts {
        service.delete(&format!("/posts/{post}"), 204)?;
    }
    service.delete(&format!("/posts/{}", posts[0]), 404)?;
    service.delete(&format!("/authors/{author}"), 204)?;
    assert_eq!(service.get("/posts", 200)?["items"], json!([]));
    Ok(())
}
