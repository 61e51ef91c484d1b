//! Random collections of each kind with random indexes, in the words of the attributes. A test of the derive and a test
//! of a server judge the same collections.

use proptest::{collection::vec, option, prelude::*, sample::select};

use super::verdict;

/// The fields of the struct. Each field has the name of Rust in the database, except `id`.
pub(crate) const FIELDS: &str = "#[serde(rename = \"_id\")] id: DateTime, at: DateTime, meta: Meta, body: String, \
                                 number: i64, maybe: Option<i64>, inner: Inner, place: [f64; 2], spot: Point,";

/// A collection with indexes.
#[derive(Clone, Debug)]
pub(crate) struct Things {
    /// The kinds; a second kind contradicts the first kind.
    pub(crate) kinds: Vec<Kind>,
    pub(crate) images: bool,
    pub(crate) compression: Option<&'static str>,
    pub(crate) collation: Option<Collation>,
    pub(crate) validation: bool,
    pub(crate) indexes: Vec<Index>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Capped { bytes: u64, documents: Option<u64> },
    Clustered { ttl: Option<u32> },
    Series { meta: bool, granularity: &'static str, ttl: Option<u32> },
    View { filter: bool },
}

/// A locale with two of the options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Collation {
    pub(crate) locale: &'static str,
    pub(crate) strength: Option<u32>,
    pub(crate) numeric: bool,
}

impl Collation {
    pub(crate) const CASE_INSENSITIVE: Collation = Collation { locale: "en", strength: Some(2), numeric: false };
    pub(crate) const SIMPLE: Collation = Collation { locale: "simple", strength: None, numeric: false };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Ascending,
    Descending,
    Hashed,
    Sphere,
    Plane,
    Text,
    Wildcard,
}

/// An index. A path is in the names of Rust, with dots; an empty path stands for the whole document.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Index {
    pub(crate) keys: Vec<(Direction, &'static str)>,
    pub(crate) name: Option<&'static str>,
    pub(crate) unique: bool,
    pub(crate) sparse: bool,
    pub(crate) hidden: bool,
    pub(crate) ttl: Option<u32>,
    /// The bound of `partial(gt(number, ..))`.
    pub(crate) partial: Option<i64>,
    pub(crate) collation: Option<Collation>,
    /// The weight of the first field with words.
    pub(crate) weight: Option<u32>,
    pub(crate) language: Option<&'static str>,
    pub(crate) only: Vec<&'static str>,
    pub(crate) except: Vec<&'static str>,
    pub(crate) bits: Option<u8>,
    pub(crate) limits: Option<(f64, f64)>,
}

impl Index {
    pub(crate) fn has(&self, direction: Direction) -> bool {
        self.keys.iter().any(|(of, _)| *of == direction)
    }

    /// Returns the index with one change.
    fn twin(&self, change: u8) -> Index {
        let mut twin = self.clone();
        match change {
            0 => twin.hidden = !self.hidden,
            1 => twin.unique = !self.unique,
            2 => twin.sparse = !self.sparse,
            3 => twin.ttl = self.ttl.map(|seconds| seconds ^ 1),
            4 => twin.name = Some("b"),
            5 => twin.partial = if self.partial.is_some() { None } else { Some(7) },
            _ => twin.collation = Some(Collation { locale: "nb", strength: Some(3), numeric: false }),
        }
        if change < 4 && twin.name.is_none() {
            twin.name = Some("b");
        }
        twin
    }

    /// Returns the first field with words.
    pub(crate) fn words(&self) -> Option<&'static str> {
        self.keys.iter().find(|key| key.0 == Direction::Text && !key.1.is_empty()).map(|key| key.1)
    }

    fn is_whole(&self) -> bool {
        self.keys[0] == (Direction::Wildcard, "")
    }
}

fn kind() -> impl Strategy<Value = Kind> {
    // The greatest numbers of the server, and the numbers after the greatest numbers.
    let bytes = select(vec![1, 4096, 5000, 1 << 20, 1 << 50, (1 << 50) + 1]);
    let documents = select(vec![1, 100, i32::MAX as u64 - 1, i32::MAX as u64]);
    let ttl = || option::of(select(vec![1, 86_400, 1_500_000_000, u32::MAX]));
    let bytes = prop_oneof![3 => Just(1 << 20), 2 => bytes];
    let documents = option::of(prop_oneof![Just(100), documents]);
    let ttl_of_days = || prop_oneof![2 => Just(None), 1 => Just(Some(86_400)), 1 => ttl()];
    prop_oneof![
        (bytes, documents).prop_map(|(bytes, documents)| Kind::Capped { bytes, documents }),
        ttl_of_days().prop_map(|ttl| Kind::Clustered { ttl }),
        (any::<bool>(), select(vec!["seconds", "minutes", "hours"]), ttl_of_days())
            .prop_map(|(meta, granularity, ttl)| Kind::Series { meta, granularity, ttl }),
        any::<bool>().prop_map(|filter| Kind::View { filter }),
    ]
}

fn collation() -> impl Strategy<Value = Collation> {
    let locale = prop_oneof![5 => select(vec!["en", "nb", "vi"]), 3 => select(vec!["da", "fr_CA", "xx", "simple"])];
    let strength =
        prop_oneof![4 => Just(None), 2 => select(vec![2, 3, 5]).prop_map(Some), 1 => select(vec![1, 6]).prop_map(Some)];
    prop_oneof![
        1 => Just(Collation::CASE_INSENSITIVE),
        3 => (locale, strength, any::<bool>())
            .prop_map(|(locale, strength, numeric)| Collation { locale, strength, numeric }),
    ]
}

fn key() -> impl Strategy<Value = (Direction, &'static str)> {
    use Direction::*;
    let ordered = || select(vec!["at", "meta.name", "meta.number", "body", "number", "maybe", "inner.no"]);
    prop_oneof![
        8 => (select(vec![Ascending, Ascending, Descending]), ordered()),
        2 => (Just(Hashed), select(vec!["number", "meta.number", "body"])),
        1 => (Just(Sphere), select(vec!["spot", "meta.spot"])),
        1 => (Just(Plane), select(vec!["place", "meta.place"])),
        2 => (Just(Text), select(vec!["body", "meta.name", ""])),
        2 => (Just(Wildcard), select(vec!["", "inner", "meta"])),
    ]
}

fn index() -> impl Strategy<Value = Index> {
    let number = prop_oneof![6 => 1..2_usize, 3 => 2..4_usize];
    let keys = number.prop_flat_map(|number| vec(key(), number)).prop_map(|mut keys| {
        // No path has two keys.
        let mut seen = Vec::new();
        keys.retain(|(_, path)| {
            !seen.contains(path) && {
                seen.push(*path);
                true
            }
        });
        keys
    });
    let rarely = || prop::bool::weighted(0.15);
    let flags = (rarely(), rarely(), rarely());
    let ttl = option::weighted(0.1, select(vec![60, 86_400, i32::MAX as u32, i32::MAX as u32 + 1]));
    let partial = option::weighted(0.2, select(vec![5, 6]));
    let name = option::weighted(0.1, select(vec!["a", "number_1", "_id_"]));
    let words = (
        option::weighted(0.1, select(vec![9, 99_999, 100_000])),
        option::weighted(0.1, select(vec!["norwegian", "none", "klingon"])),
    );
    let paths = || prop_oneof![3 => Just(Vec::new()), 1 => vec(select(vec!["meta", "number", "inner.no"]), 1..3)];
    let plane = (
        option::weighted(0.2, select(vec![1, 32, 33])),
        option::weighted(0.2, select(vec![(-1.0, 1.5), (5.0, 5.0), (0.0, 200.0)])),
    );
    let options = (flags, ttl, partial, name, option::weighted(0.2, collation()), words, paths(), paths(), plane);
    (keys, options).prop_map(|(keys, options)| {
        let ((unique, sparse, hidden), ttl, partial, name, collation, (weight, language), mut only, mut except, plane) =
            options;
        let mut index = Index {
            keys,
            name,
            unique,
            sparse,
            hidden,
            ttl,
            partial,
            collation,
            weight,
            language,
            only: Vec::new(),
            except: Vec::new(),
            bits: plane.0,
            limits: plane.1,
        };
        // A setting of another kind of index is a mistake of the attribute alone.
        index.weight = index.weight.filter(|_| index.words().is_some());
        index.language = index.language.filter(|_| index.has(Direction::Text));
        if !index.has(Direction::Plane) {
            (index.bits, index.limits) = (None, None);
        }
        if index.is_whole() {
            only.dedup();
            except.dedup();
            // The command has each path once.
            except.retain(|path| !only.contains(path));
            (index.only, index.except) = (only, except);
        }
        // Only a date expires.
        index.ttl = index.ttl.filter(|_| index.keys.iter().any(|key| key.1 == "at"));
        index
    })
}

/// Generates a collection. Most collections have few mistakes.
pub(crate) fn things() -> impl Strategy<Value = Things> {
    let kinds = prop_oneof![
        6 => Just(Vec::new()),
        18 => kind().prop_map(|kind| vec![kind]),
        1 => vec(kind(), 2),
    ];
    let compression = option::weighted(0.2, select(vec!["none", "snappy", "zlib", "zstd"]));
    let collation = option::weighted(0.2, collation());
    let flags = (prop::bool::weighted(0.15), prop::bool::weighted(0.15));
    let twin = option::weighted(0.15, 0..7_u8);
    (kinds, flags, compression, collation, vec(index(), 0..4), twin).prop_map(
        |(kinds, (images, validation), compression, collation, mut indexes, twin)| {
            if let (Some(change), Some(first)) = (twin, indexes.first()) {
                indexes.push(first.twin(change));
            }
            // Two kinds of one word are a mistake of the attribute alone.
            let is_doubled = kinds.len() == 2 && kinds[0].word() == kinds[1].word();
            let kinds = if is_doubled { kinds[..1].to_vec() } else { kinds };
            if matches!(kinds[..], [Kind::View { .. }]) && indexes.len() > 1 {
                indexes.clear();
            }
            Things { kinds, images, compression, collation, validation, indexes }
        },
    )
}

/// Generates a collection that the rules accept.
pub(crate) fn accepted() -> impl Strategy<Value = Things> {
    things().prop_map(Things::without_mistakes)
}

/// Generates two collections that the rules accept. Half of the pairs are of one kind.
pub(crate) fn accepted_pair() -> impl Strategy<Value = (Things, Things)> {
    (accepted(), things(), any::<bool>()).prop_map(|(first, mut second, is_same_kind)| {
        if is_same_kind {
            second.kinds.truncate(1);
            if first.kind().map(Kind::word) != second.kind().map(Kind::word) {
                second.kinds.clone_from(&first.kinds);
            }
            (second.compression, second.collation) = (first.compression, first.collation);
        }
        (first, second.without_mistakes())
    })
}

impl Kind {
    fn word(&self) -> &'static str {
        match self {
            Kind::Capped { .. } => "capped",
            Kind::Clustered { .. } => "clustered",
            Kind::Series { .. } => "time_series",
            Kind::View { .. } => "view",
        }
    }
}

impl Things {
    /// Takes away the options and the indexes that are refused.
    fn without_mistakes(mut self) -> Things {
        self.kinds.truncate(1);
        let indexes = std::mem::take(&mut self.indexes);
        while verdict::of_collection(&self).is_some() {
            self.simplify();
        }
        for index in indexes {
            self.indexes.push(index);
            if verdict::of(&self).is_some() {
                self.indexes.pop();
            }
        }
        self
    }

    /// Takes away an option of the collection.
    fn simplify(&mut self) {
        if self.images || self.validation {
            (self.images, self.validation) = (false, false);
        } else if self.compression.is_some() || self.collation.is_some() {
            (self.compression, self.collation) = (None, None);
        } else {
            self.kinds.clear();
        }
    }

    pub(crate) fn kind(&self) -> Option<&Kind> {
        self.kinds.first()
    }
}
