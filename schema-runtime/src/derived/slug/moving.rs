//! An update that gives a document a new slug. The document is read first, and the update applies only while the
//! document still has the read values. Reaches the server.

use mongodb::bson::{Bson, Document, doc};

use super::{
    field::{SlugField, moved},
    make::{is_of, others, random, slug_of},
    writing::{SlugWriting, stored},
};
use crate::{
    changes::{Operator, UpdateSpec},
    document::equal_to,
    error::{Error, Result},
    executor::Context,
    read::Query,
};

impl SlugWriting {
    /// Adds the new slugs to the update. Returns `false` for an update that changes no slug.
    pub(super) async fn move_slugs(&mut self, context: &Context, spec: &mut UpdateSpec) -> Result<bool> {
        let mut moving = Vec::new();
        for slug in moved(self.definition) {
            let set = |name| {
                slug.set_to(&spec.changes, name).map_err(|()| self.refused(&slug, "change the slug by a plain `set`"))
            };
            let given = set(slug.name)?.map(str::to_owned);
            let name = if slug.follow { set(slug.from)?.map(str::to_owned) } else { None };
            let is_moving = given.is_some() || name.is_some();
            let is_inserted = slug.follow && equal_to(&spec.filter, slug.from).is_some();
            if spec.upsert && (is_moving || is_inserted || slug.kept.is_some()) {
                return Err(self.refused(&slug, "an update cannot insert the slug: write the value by `upsert`"));
            }
            if spec.is_many() && is_moving {
                return Err(self.refused(&slug, "update each document alone, as by `update_by_id`"));
            }
            if is_moving {
                moving.push((slug, given, name));
            }
        }
        self.is_guarded = false;
        self.made.clear();
        if moving.is_empty() {
            return Ok(false);
        }
        let mut query = Query::new(self.definition.collection, spec.filter.clone());
        query.sort = spec.sort.clone();
        query.projection = doc! { "_id": 1 };
        for (slug, ..) in &moving {
            query.projection.extend(slug.projection());
            query.projection.insert(slug.from, 1);
        }
        let Some(found) = query.first(&context.newest()).await? else {
            // The update does not apply to a document that is inserted after the read.
            spec.filter = doc! { "_id": { "$in": [] } };
            return Ok(true);
        };
        let found = Document::try_from(&*found).map_err(mongodb::error::Error::from)?;
        let mut as_read = doc! { "_id": found.get("_id").cloned().unwrap_or(Bson::Null) };
        for (slug, given, name) in moving {
            let next = self.next(context, &slug, &found, given, name).await?;
            let mut read = vec![slug.name, slug.from];
            spec.changes.put(Operator::Set, slug.name, next.as_str());
            // A value that is written back may have left out a slug that equals the stored slug.
            if found.get_str(slug.name).ok() != Some(next.as_str())
                && !spec.touched.iter().any(|path| path == slug.name)
            {
                spec.touched.push(slug.name.to_owned());
            }
            if let Some(kept) = slug.kept {
                read.push(kept.name);
                spec.changes.put(Operator::Set, kept.name, slug.list(kept, &next, &slug.all_in(&found)));
            }
            for name in read {
                let condition = match found.get(name) {
                    Some(value) => doc! { "$eq": value.clone() },
                    None => doc! { "$exists": false },
                };
                as_read.insert(name, condition);
            }
        }
        match spec.filter.get_mut("$and") {
            Some(Bson::Array(all)) => all.push(as_read.into()),
            _ => drop(spec.filter.insert("$and", vec![as_read])),
        }
        self.is_guarded = true;
        Ok(true)
    }

    /// Returns the next slug of a document.
    async fn next(
        &mut self,
        context: &Context,
        slug: &SlugField,
        found: &Document,
        given: Option<String>,
        name: Option<String>,
    ) -> Result<String> {
        let current = found.get_str(slug.name).unwrap_or_default();
        // A value that is written back as read gives the stored slug.
        let name = match (given, name) {
            (Some(given), None) => return Ok(given),
            (Some(given), Some(_)) if given != current => return Ok(given),
            (_, Some(name)) => name,
            (None, None) => return Ok(current.to_owned()),
        };
        let wanted = slug_of(&name, slug.max_len);
        let is_same = found.get_str(slug.from).is_ok_and(|before| slug_of(before, slug.max_len) == wanted);
        if !current.is_empty() && (is_same || wanted == current) {
            return Ok(current.to_owned());
        }
        let earlier: Vec<String> = slug.all_in(found).into_iter().filter(|old| old != current).collect();
        let of_wanted = |old: &&String| is_of(old, &wanted, slug.max_len);
        if let Some(own) = earlier.iter().find(|old| **old == wanted).or_else(|| earlier.iter().find(of_wanted)) {
            return Ok(own.clone());
        }
        let candidates: Vec<String> =
            [wanted.clone()].into_iter().chain(others(&wanted, slug.max_len)).filter(|one| !one.is_empty()).collect();
        let taken = stored(self.definition, context, slug, candidates.clone()).await?;
        let free = candidates.into_iter().find(|candidate| !taken.contains(candidate));
        let made = free.unwrap_or_else(|| random(&wanted, slug.max_len));
        self.made.push((slug.name, made.clone()));
        Ok(made)
    }

    fn refused(&self, slug: &SlugField, help: &str) -> Error {
        let (model, name) = (self.definition.model, slug.name);
        let what = if slug.follow { "follows another field" } else { "is kept" };
        Error::Update {
            message: format!("the slug `{name}` of `{model}` {what}, and belongs to a single document: {help}"),
        }
    }
}
