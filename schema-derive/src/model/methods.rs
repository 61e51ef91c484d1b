//! The methods of a model beside the operations and the queries: `host`, `of_host`, `logmsgs`, `prices_at`, `by_slug`,
//! `by_shard_key`.

use proc_macro2::Ident;

use super::{Field, Model, Stored};
use crate::parse::{identifier, is_plain, is_reference};

/// A method with the word of the user that brings the method.
pub(crate) struct Method<'m> {
    pub(crate) name: String,
    pub(crate) from: &'m Ident,
    /// The kind of the word, as `the relation`.
    pub(crate) of: &'static str,
}

impl Method<'_> {
    /// Returns the owner of the method in words: the variant `Circle`.
    fn owner(&self) -> String {
        format!("{} `{}`", self.of, identifier(self.from))
    }
}

/// A method with a name that is taken.
pub(crate) struct Clash<'m> {
    pub(crate) method: Method<'m>,
    /// The owner of the taken name, in words.
    pub(crate) other: String,
}

/// The name of the filter by the whole shard key.
pub(crate) const BY_SHARD_KEY: &str = "by_shard_key";

impl Model {
    /// Returns the methods with the name of a relation.
    pub(crate) fn accessors(&self) -> impl Iterator<Item = Method<'_>> {
        let relations = self.record.fields.iter().filter(|field| field.relation().is_some()).map(|field| &field.ident);
        let all = relations.chain(self.inverses.iter().map(|inverse| &inverse.accessor));
        all.map(|from| Method { name: identifier(from), from, of: "the relation" })
    }

    /// Returns the names of all methods, each name once.
    pub(crate) fn methods(&self) -> Vec<String> {
        let (methods, _) = self.judged_methods();
        methods.into_iter().map(|(name, _)| name).collect()
    }

    /// Returns the owner of the method with this name, in words; `None` when no method has the name.
    pub(crate) fn owner_of(&self, name: &str) -> Option<String> {
        let (methods, _) = self.judged_methods();
        methods.into_iter().find_map(|(method, owner)| (method == name).then_some(owner))
    }

    /// Returns the methods with a name that is taken.
    pub(crate) fn clashes(&self) -> Vec<Clash<'_>> {
        self.judged_methods().1
    }

    /// Returns whether the field or the variant brings this method. A second method of the same name is not made.
    pub(crate) fn brings(&self, from: &Ident, name: &str) -> bool {
        let is_it = |clash: &Clash<'_>| clash.method.name == name && clash.method.from == from;
        !self.clashes().iter().any(is_it)
    }

    /// Returns the names of the methods, each with the owner, and the methods with a name that is taken.
    fn judged_methods(&self) -> (Vec<(String, String)>, Vec<Clash<'_>>) {
        let (mut methods, mut clashes): (Vec<Method<'_>>, Vec<Clash<'_>>) = (Vec::new(), Vec::new());
        let refers = |method: &Method<'_>| {
            let field = self.record.fields.iter().find(|field| field.ident == *method.from);
            field.and_then(Field::relation).is_none_or(|relation| relation.storage.refers())
        };
        for method in self.accessors().filter(refers) {
            // Two relations of the same name also need the same constant, and are refused for the constant.
            match method.name == BY_SHARD_KEY && self.by_shard_key().is_some() {
                true => clashes.push(Clash { method, other: "the shard key".to_owned() }),
                false => methods.push(method),
            }
        }
        for method in self.made_methods() {
            let other = methods.iter().find(|other| other.name == method.name).map(Method::owner);
            let of_key =
                (method.name == BY_SHARD_KEY && self.by_shard_key().is_some()).then(|| "the shard key".to_owned());
            match other.or(of_key) {
                Some(other) => clashes.push(Clash { method, other }),
                None => methods.push(method),
            }
        }
        let mut owned: Vec<_> = methods.iter().map(|method| (method.name.clone(), method.owner())).collect();
        owned.extend(self.by_shard_key().map(|_| (BY_SHARD_KEY.to_owned(), "the shard key".to_owned())));
        (owned, clashes)
    }

    /// Returns the methods that do not have the name of a relation.
    fn made_methods(&self) -> impl Iterator<Item = Method<'_>> {
        let variants = self.tagged.iter().flat_map(|tagged| &tagged.variants);
        let views = variants.map(|variant| Method { name: variant.view(), from: &variant.ident, of: "the variant" });
        let of_fields = self.record.fields.iter().flat_map(|field| {
            let from = &field.ident;
            let refers = |relation: &&super::Relation| relation.storage.refers() && !relation.is_array();
            let near = field.relation().filter(refers);
            let near = near.map(|_| Method { name: format!("of_{}", field.rust_name), from, of: "the relation" });
            let at = match &field.storage {
                Stored::History(history) if history.interval.is_some() => {
                    Some(Method { name: format!("{}_at", field.rust_name), from, of: "the history" })
                }
                _ => None,
            };
            let by = field.slug.as_ref();
            let by = by.map(|_| Method { name: format!("by_{}", field.rust_name), from, of: "the slug" });
            near.into_iter().chain(at).chain(by)
        });
        of_fields.chain(views)
    }

    /// Returns the fields of a shard key that `by_shard_key` takes. `None` when the model has no `by_shard_key`, as for
    /// a key inside of a struct, and for a key that is the `_id`.
    pub(crate) fn by_shard_key(&self) -> Option<Vec<&Field>> {
        let key = self.shard_key.as_ref()?;
        let fields = key.fields.iter().map(|field| {
            let is_it = |stored: &&Field| {
                field.path == [stored.rust_name.clone()]
                    && (is_plain(&stored.ty) || is_reference(&stored.ty) || stored.stored_as.is_some())
            };
            self.record.fields.iter().find(is_it)
        });
        let fields: Vec<&Field> = fields.collect::<Option<_>>()?;
        // A field that is named twice is a mistake, and a rule reports the mistake.
        let is_twice = |(at, field): (usize, &&Field)| fields[..at].iter().any(|other| other.ident == field.ident);
        let is_id = matches!(fields.as_slice(), [only] if only.name == "_id");
        let is_there = !is_id && !fields.iter().enumerate().any(is_twice);
        is_there.then_some(fields)
    }
}
