//! The verdict about a random collection: the restrictions of a server of 6.0, and the restrictions of the rules alone.
//! The verdict is independent of the rules and of the server; a test of each compares.

use super::cases::{Collation, Direction, Index, Kind, Things};

/// Who refuses a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// A server and the rules.
    Server(&'static str),
    /// The rules alone.
    Rules(&'static str),
}

/// The longest time to live that the rules take, and the longest time to live of an index.
const LONGEST: [u32; 2] = [1_500_000_000, i32::MAX as u32];

use Refusal::{Rules, Server};

/// Returns who refuses a collection; `None` for a collection that the rules accept and a server makes. A refusal by the
/// server is found first.
pub(crate) fn of(things: &Things) -> Option<Refusal> {
    let found: Vec<Refusal> = all(things).collect();
    found.iter().find(|refusal| matches!(refusal, Server(_))).or(found.first()).copied()
}

fn all(things: &Things) -> impl Iterator<Item = Refusal> {
    let indexes = &things.indexes;
    let of_indexes = indexes.iter().filter_map(|index| of_index(things, index));
    let pairs = (0..indexes.len()).flat_map(|at| (0..at).map(move |before| (before, at)));
    let of_pairs = pairs.filter_map(|(before, at)| of_pair(things, &indexes[before], &indexes[at]));
    of_collection(things).into_iter().chain(of_indexes).chain(of_pairs)
}

/// Returns who refuses the collection without the indexes.
pub(crate) fn of_collection(things: &Things) -> Option<Refusal> {
    let collation = things.collation.and_then(of_collation);
    let collation =
        collation.or((things.collation == Some(Collation::SIMPLE)).then_some(Rules("simple is no collation")));
    if let Some(Server(why)) = collation {
        // A second collation is no question for a collection that is not made.
        return Some(Server(why));
    }
    let own = match things.kinds[..] {
        [] => None,
        [kind] => of_kind(things, kind),
        [Kind::Capped { .. }, Kind::View { .. }] | [Kind::View { .. }, Kind::Capped { .. }] => {
            let refused = of_kind(things, Kind::View { filter: false }).or(of_kind(things, things.kinds[0]));
            let refused = refused.or(of_kind(things, things.kinds[1]));
            refused.filter(|refusal| matches!(refusal, Server(_))).or(Some(Rules("a view is not capped")))
        }
        _ => Some(Server("a collection has one kind")),
    };
    // `create` takes a collation that an index of the collection does not take.
    let is_danish = things.collation.filter(|collation| collation.locale == "da" && collation.is_weak());
    own.or(is_danish.map(|_| Rules("no case comes first")).or(collation))
}

fn of_kind(things: &Things, kind: Kind) -> Option<Refusal> {
    match kind {
        Kind::Capped { bytes, .. } if bytes > 1 << 50 => Some(Server("at most 1 PiB")),
        Kind::Capped { documents: Some(most), .. } if most >= i32::MAX as u64 => Some(Rules("no limit")),
        Kind::Clustered { ttl: Some(ttl) } | Kind::Series { ttl: Some(ttl), .. } if ttl > LONGEST[0] => {
            Some(Server("a time to live before 1970"))
        }
        Kind::Series { .. } | Kind::View { .. } if things.images => Some(Server("no images")),
        Kind::Series { .. } if things.validation => Some(Server("no validator")),
        Kind::View { .. } if things.validation || things.compression.is_some() || things.collation.is_some() => {
            Some(Rules("a view stores nothing"))
        }
        _ => None,
    }
}

/// Returns who refuses a collation.
fn of_collation(collation: Collation) -> Option<Refusal> {
    let strength = collation.strength.unwrap_or(3);
    match collation.locale {
        _ if strength > 5 => Some(Server("a strength from 1 to 5")),
        "xx" => Some(Server("no locale")),
        "fr_CA" if strength == 1 => Some(Server("no accents")),
        "simple" if collation != Collation::SIMPLE => Some(Rules("simple takes no options")),
        _ => None,
    }
}

impl Collation {
    fn is_weak(&self) -> bool {
        self.strength.is_some_and(|strength| strength < 3)
    }

    fn is_simple(&self) -> bool {
        self.locale == "simple"
    }

    /// Returns the collation with the defaults of the locales.
    fn whole(self) -> Collation {
        if self.is_simple() { Collation::SIMPLE } else { Collation { strength: self.strength.or(Some(3)), ..self } }
    }
}

/// Returns who refuses an index of a collection.
fn of_index(things: &Things, index: &Index) -> Option<Refusal> {
    let on_any = of_keys(index).or_else(|| of_settings(index)).or_else(|| of_index_collation(things, index));
    let on_kind = match things.kind() {
        Some(Kind::Capped { .. }) => index.ttl.map(|_| Server("no time to live in a capped collection")),
        Some(Kind::Series { meta, .. }) => of_series(things, index, *meta),
        Some(Kind::View { .. }) => Some(Server("no index of a view")),
        Some(Kind::Clustered { .. }) | None => None,
    };
    let mut both = on_any.iter().chain(&on_kind);
    both.clone().find(|refusal| matches!(refusal, Server(_))).or(both.next()).copied()
}

fn of_keys(index: &Index) -> Option<Refusal> {
    let count = |direction| index.keys.iter().filter(|key| key.0 == direction).count();
    let special = [Direction::Hashed, Direction::Sphere, Direction::Plane, Direction::Text];
    let is_text = |at: usize| index.keys[at].0 == Direction::Text;
    let groups = (0..index.keys.len()).filter(|at| is_text(*at) && (*at == 0 || !is_text(at - 1))).count();
    if special.into_iter().filter(|direction| index.has(*direction)).count() > 1 {
        Some(Server("two special kinds"))
    } else if count(Direction::Wildcard) > 0 && index.keys.len() > 1 {
        // Beside a hashed key, the server takes the wildcard for the name of a field.
        let is_name = special.into_iter().any(|direction| index.has(direction));
        Some(if is_name { Rules("a wildcard stands alone") } else { Server("a wildcard stands alone") })
    } else if count(Direction::Hashed) > 1 || count(Direction::Plane) > 1 {
        Some(Server("two special keys"))
    } else if index.has(Direction::Plane) && index.keys[0].0 != Direction::Plane {
        Some(Server("a plane comes first"))
    } else if groups > 1 {
        Some(Server("words stand together"))
    } else if index.keys.iter().any(|key| key.0 == Direction::Text && key.1.is_empty()) && count(Direction::Text) > 1 {
        // The server keeps the key of all strings, and drops the names.
        Some(Rules("all words twice"))
    } else {
        None
    }
}

fn of_settings(index: &Index) -> Option<Refusal> {
    let Index { unique, sparse, .. } = *index;
    if unique && index.has(Direction::Hashed)
        || (unique || sparse || index.ttl.is_some()) && index.has(Direction::Wildcard)
    {
        return Some(Server("an option of other kinds"));
    }
    if sparse && index.partial.is_some() || !index.only.is_empty() && !index.except.is_empty() {
        return Some(Server("two selections"));
    }
    if index.ttl.is_some_and(|ttl| index.keys.len() > 1 || ttl > LONGEST[1]) {
        return Some(Server("a time to live"));
    }
    if index.weight.is_some_and(|weight| weight > 99_999) || index.language == Some("klingon") {
        return Some(Server("a setting of words"));
    }
    if index.bits.is_some_and(|bits| bits > 32) || index.limits.is_some_and(|(min, max)| min >= max) {
        return Some(Server("a setting of places"));
    }
    if index.name == Some("_id_") {
        return Some(Server("a reserved name"));
    }
    let is_useless = unique && (index.has(Direction::Plane) || index.has(Direction::Text));
    (is_useless || sparse && index.has(Direction::Text)).then_some(Rules("an option without a use"))
}

fn of_index_collation(things: &Things, index: &Index) -> Option<Refusal> {
    let collation = index.collation?;
    if !collation.is_simple() && (index.has(Direction::Text) || index.has(Direction::Plane)) {
        return Some(Server("words and places have no collation"));
    }
    if collation.locale == "da" && collation.is_weak() {
        return Some(Server("no case comes first"));
    }
    let is_needless = collation == Collation::SIMPLE && things.collation.is_none();
    of_collation(collation).or(is_needless.then_some(Rules("simple is no collation")))
}

fn of_series(things: &Things, index: &Index, has_meta: bool) -> Option<Refusal> {
    let is_outside = |path: &str| !has_meta || path.split('.').next() != Some("meta");
    let outside = |direction| index.keys.iter().any(|key| key.0 == direction && is_outside(key.1));
    let is_inside = |key: &(Direction, &str)| key.0 == Direction::Sphere && !is_outside(key.1);
    let sphere = outside(Direction::Sphere);
    let is_refused = index.unique
        || index.ttl.is_some()
        || index.has(Direction::Text)
        || index.sparse && index.keys.iter().any(|key| is_outside(key.1))
        || [Direction::Hashed, Direction::Plane, Direction::Wildcard].into_iter().any(outside)
        || index.partial.is_some() && collation_of(things, index).is_some()
        || sphere && index.keys.iter().any(is_inside)
        || sphere && index.collation.is_some_and(|collation| !collation.is_simple());
    is_refused.then_some(Server("a time series"))
}

/// Returns the collation that an index states: the own collation, or `simple` where the index takes no other collation
/// than the comparison by bytes.
pub(crate) fn collation_of(things: &Things, index: &Index) -> Option<Collation> {
    let is_outside = |path: &str| match things.kind() {
        Some(Kind::Series { meta, .. }) => !meta || !path.starts_with("meta"),
        _ => false,
    };
    let is_by_bytes = |key: &(Direction, &str)| match key.0 {
        Direction::Text | Direction::Plane => true,
        Direction::Sphere => is_outside(key.1),
        _ => false,
    };
    let inherits = things.collation.is_some_and(|collation| !collation.is_simple());
    index.collation.or((inherits && index.keys.iter().any(is_by_bytes)).then_some(Collation::SIMPLE))
}

/// Returns who refuses two indexes together.
fn of_pair(things: &Things, first: &Index, second: &Index) -> Option<Refusal> {
    if first == second {
        return Some(Rules("the same index twice"));
    }
    if first.has(Direction::Text) && second.has(Direction::Text) {
        return Some(Server("one text index"));
    }
    if name(first) == name(second) {
        return Some(Server("one name"));
    }
    let signature = |index: &Index| {
        let collation = collation_of(things, index).or(things.collation).unwrap_or(Collation::SIMPLE).whole();
        let Index { unique, sparse, partial, .. } = *index;
        (index.keys.clone(), unique, sparse, partial, collation, index.only.clone(), index.except.clone())
    };
    if signature(first) == signature(second) {
        return Some(Server("one index of equal keys"));
    }
    let is_redundant = replaces(second, first) || replaces(first, second);
    is_redundant.then_some(Rules("a longer index"))
}

/// Returns the name on the server: the given name, or the name after the keys.
pub(crate) fn name(index: &Index) -> String {
    if let Some(name) = index.name {
        return name.to_owned();
    }
    let mut parts: Vec<String> = Vec::new();
    for (direction, path) in &index.keys {
        parts.push(match (direction, path.is_empty()) {
            (Direction::Wildcard, false) => format!("{path}.$**_1"),
            (Direction::Text, true) => "$**_text".to_owned(),
            (_, true) => "$**_1".to_owned(),
            (Direction::Ascending, _) => format!("{path}_1"),
            (Direction::Descending, _) => format!("{path}_-1"),
            (Direction::Hashed, _) => format!("{path}_hashed"),
            (Direction::Sphere, _) => format!("{path}_2dsphere"),
            (Direction::Plane, _) => format!("{path}_2d"),
            (Direction::Text, _) => format!("{path}_text"),
        });
    }
    for (word, paths) in [("only", &index.only), ("except", &index.except)] {
        parts.extend((!paths.is_empty()).then(|| word.to_owned()));
        parts.extend(paths.iter().map(|path| (*path).to_owned()));
    }
    if let Some(collation) = index.collation {
        parts.push(collation.locale.to_owned());
        parts.extend(collation.strength.map(|strength| strength.to_string()));
        parts.extend(collation.numeric.then(|| "numericOrdering".to_owned()));
    }
    parts.join("_")
}

/// Returns whether the longer index serves all reads of the shorter index, and the shorter index does nothing else.
fn replaces(longer: &Index, shorter: &Index) -> bool {
    let serves = |index: &Index| {
        let has_words = [Direction::Text, Direction::Wildcard, Direction::Plane].into_iter().any(|of| index.has(of));
        !has_words && !index.hidden && !index.sparse && index.partial.is_none()
    };
    let may_be_null = |index: &Index| index.keys.iter().any(|(_, path)| path.contains('.') || *path == "maybe");
    let reversed = |direction| match direction {
        Direction::Ascending => Some(Direction::Descending),
        Direction::Descending => Some(Direction::Ascending),
        _ => None,
    };
    let pairs = || shorter.keys.iter().zip(&longer.keys);
    let begins = shorter.keys.len() <= longer.keys.len()
        && pairs().all(|(one, other)| one.1 == other.1)
        && (pairs().all(|(one, other)| one.0 == other.0)
            || pairs().all(|(one, other)| Some(one.0) == reversed(other.0)));
    begins
        && !shorter.unique
        && shorter.ttl.is_none()
        && serves(shorter)
        && serves(longer)
        && !(longer.unique && may_be_null(longer))
        && shorter.collation == longer.collation
}
