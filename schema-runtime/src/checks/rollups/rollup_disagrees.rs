//! Rule: `rollup_disagrees`. The page is `guide/pages/rules/rollup_disagrees.md`.

use super::rollup_of_derived;
use crate::{
    checks::{
        buckets::bucket_copy,
        fields::{field_type::kind, stored_type::enforce_computed},
    },
    definition::{
        FieldDefinition, Kind, ManagedAs, RollupDefinition, RollupKind, Scalar, Shape, ValueRules, each, find,
        find_relation, find_stored, is_whole, last_segment, refuse, str_eq, text,
    },
    model::Model,
};

/// Judges the relation by which the children refer to `P`.
#[track_caller]
pub const fn rollup_relation<P: Model, C: Model>(at: usize) {
    let (rollup, child) = (&P::ROLLUPS[at], C::STRUCT);
    if !C::DEFINITION.whole {
        return;
    }
    bucket_copy::enforce::<P, C>(rollup);
    crate::checks::copies::subset_not_read::enforce(P::DEFINITION, rollup);
    if C::DEFINITION.read_only {
        refuse! {
            "`{}` is `read_only`, so no write of a child updates `{}`", child, P::STRUCT;
            help: "compute the value at each read, or remove `read_only` there"
        }
    }
    let Some(relation) = find_relation(C::RELATIONS, rollup.reference) else {
        match find(C::FIELDS, rollup.reference) {
            None => no_such_reference::<P, C>(rollup),
            // rustc reports a misspelt attribute.
            Some(field) if !is_whole(&field.shape) => return,
            Some(_) => {}
        }
        refuse! {
            "`{}.{}` stores no relation", child, rollup.reference;
            help: "declare the relation there: `#[relation(one_to_squillions, parent_ref)] {}: Ref<{}>`",
                rollup.reference, P::STRUCT
        }
    };
    let Some(target) = &relation.target else {
        refuse! {
            "`{}.{}` is embedded and refers to nothing", child, rollup.reference;
            help: "name a field with `parent_ref`"
        }
    };
    if !str_eq(target.name, P::NAME) {
        refuse! {
            "`{}.{}` refers to `{}`, not to `{}`", child, rollup.reference, last_segment(target.name), P::STRUCT;
            help: "name the field that holds a `Ref<{}>`", P::STRUCT
        }
    }
    let may_be = relation.storage.may_be_rolled_up();
    if !may_be || relation.by.is_some() {
        refuse! {
            "`{}.{}` {}, and a subset or a computed field needs a single `Ref` in each child",
                child, rollup.reference, if may_be { "is an extended reference" } else { relation.storage.what() };
            help: "if each `{}` has a single `{}`, write `#[relation(one_to_squillions, parent_ref)] {}: Ref<{}>`; otherwise compute the value at each read",
                child, P::STRUCT, relation.field, P::STRUCT
        }
    }
}

#[track_caller]
const fn no_such_reference<P: Model, C: Model>(rollup: &RollupDefinition) -> ! {
    let (child, parent, name) = (C::STRUCT, P::STRUCT, rollup.reference);
    let mut help =
        text!("declare the relation there: `#[relation(one_to_squillions, parent_ref)] {}: Ref<{}>`", name, parent);
    each!(for relation in C::RELATIONS {
        if let Some(target) = &relation.target
            && str_eq(target.name, P::NAME)
        {
            help = text!("write `{}::{}`, the field that refers to `{}`", child, relation.field, parent);
            break;
        }
    });
    refuse! {
        "`{}` has no field `{}`", child, name;
        help: "{}", help.as_str()
    }
}

const A_STRUCT: &str = "make the field a `Vec<..>` of a struct with `#[derive(Embed)]` and the fields to hold";

/// Judges the struct that a subset holds of each child.
#[track_caller]
pub const fn rollup_elements<P: Model, C: Model>(at: usize) {
    let rollup = &P::ROLLUPS[at];
    let field = parent_field::<P>(rollup);
    let Kind::Array { items, .. } = field.shape.kind else {
        refuse! {
            "`{}` is {}, and a subset holds a struct for each child", field.rust_name, kind(&field.shape);
            help: A_STRUCT
        }
    };
    let Kind::Document { name, fields, .. } = items.kind else {
        let what = match items.kind {
            Kind::Model { .. } => "an array of a model with a separate collection",
            _ => "not an array of structs",
        };
        refuse! {
            "`{}` is {}, and a subset holds a struct for each child", field.rust_name, what;
            help: A_STRUCT
        }
    };
    if items.variants.is_some() {
        refuse! {
            "`{}` is an array of an enum, and a subset holds the same fields of each child", field.rust_name;
            help: A_STRUCT
        }
    }
    if field.shape.nullable || items.nullable {
        refuse! {
            "`{}` may be null, and a subset is never null: without children the subset is empty", field.rust_name;
            help: "remove the `Option`"
        }
    }
    if !C::DEFINITION.whole {
        return;
    }
    each!(for field in fields {
        let source = crate::checks::fields::unknown_field::enforce_projection(C::DEFINITION, name, field);
        crate::checks::fields::field_type::enforce_projection(C::DEFINITION, field, source);
        crate::checks::fields::field_type::enforce_capacity(C::DEFINITION, (name, field), source);
    });
    if find_stored(fields, "_id").is_none() {
        refuse! {
            "`{}` does not have the `_id` of `{}`, and the `_id` identifies an element", name, C::STRUCT;
            help: "add `#[serde(rename = \"_id\")] id` with the same type as in the child"
        }
    }
    let RollupKind::Subset { order, .. } = rollup.kind else { return };
    rollup_of_derived::enforce_elements::<P, C>(rollup, order, name, fields);
    rollup_of_derived::enforce_own::<P, C>(rollup, items);
    if let (true, Some(relation)) = (order.is_empty(), find_relation(C::RELATIONS, rollup.reference)) {
        each!(for key in relation.order {
            rollup_of_derived::enforce_order::<P, C>(rollup, key.field);
            order_is_kept::<C>(name, fields, key.field);
        });
    }
}

/// Judges a key of a subset's order.
#[track_caller]
pub const fn rollup_order<P: Model, C: Model>(at: usize, key: usize) {
    let rollup = &P::ROLLUPS[at];
    let RollupKind::Subset { order, .. } = rollup.kind else { return };
    if !C::DEFINITION.whole {
        return;
    }
    let path = crate::checks::fields::unknown_field::enforce(C::DEFINITION, &[order[key].field]);
    crate::checks::indexes::keyset_order::enforce_of_subset(C::DEFINITION, order[key].field, &path);
    rollup_of_derived::enforce_order::<P, C>(rollup, order[key].field);
    if let Kind::Array { items: Shape { kind: Kind::Document { name, fields, .. }, .. }, .. } =
        parent_field::<P>(rollup).shape.kind
    {
        order_is_kept::<C>(name, fields, order[key].field);
    }
}

/// Judges a count, in a field of the type `T`.
#[track_caller]
pub const fn rollup_count<P: Model, T>(at: usize) {
    let field = parent_field::<P>(&P::ROLLUPS[at]);
    enforce_number(field, size_of::<T>(), Scalar::Integer, "a count");
}

/// Judges the field of the children that the value is computed from.
#[track_caller]
pub const fn rollup_source<P: Model, C: Model>(at: usize) {
    let rollup = &P::ROLLUPS[at];
    let Some(name) = rollup.kind.of() else { return };
    if !C::DEFINITION.whole {
        return;
    }
    let path = crate::checks::fields::unknown_field::enforce(C::DEFINITION, &[name]);
    if path.shape.nullable || path.optional {
        refuse! {
            "`{}.{}` may be null or absent, and `{}` needs a value of every child", C::STRUCT, name, rollup.kind.word();
            help: "compute the value from a field that is not an `Option`"
        }
    }
    let is_extreme = matches!(rollup.kind, RollupKind::Min(_) | RollupKind::Max(_));
    let fits = match path.shape.kind {
        Kind::Scalar(scalar) if scalar.is_number() => true,
        Kind::Scalar(Scalar::DateTime | Scalar::ObjectId) | Kind::String { .. } => is_extreme,
        _ => false,
    };
    if !fits {
        let (why, help) = match rollup.kind {
            RollupKind::Sum(_) | RollupKind::Avg(_) => ("and only numbers have a sum", "name a field with a number"),
            _ => ("and this type has no least and no greatest value", "name a field with a number, a date or a string"),
        };
        refuse! {
            "`{}.{}` is {}, {}", C::STRUCT, name, kind(&path.shape), why;
            help: "{}", help
        }
    }
    says_something::<P, C>(rollup, name);
    rollup_of_derived::enforce::<P, C>(rollup, name);
}

/// Refuses a field that has another use than a computation.
#[track_caller]
const fn says_something<P: Model, C: Model>(rollup: &RollupDefinition, name: &str) {
    if str_eq(name, rollup.reference) {
        refuse! {
            "`{}.{}` is the reference itself, and all children of a `{}` have the same reference",
                C::STRUCT, name, P::STRUCT;
            help: "write `count({}::{})`, or name another field", C::STRUCT, name
        }
    }
    if let (Some(_), RollupKind::Sum(_) | RollupKind::Avg(_)) = (find_relation(C::RELATIONS, name), rollup.kind) {
        refuse! {
            "`{}.{}` is a reference, and `{}` would add the `_id`s of the referenced documents",
                C::STRUCT, name, rollup.kind.word();
            help: "name a field with a number"
        }
    }
    if let Some(FieldDefinition { managed: Some(ManagedAs::Version), .. }) = find(C::FIELDS, name) {
        refuse! {
            "`{}.{}` is the `#[version]`, a count of the writes of a document: each write of the document would also be a write of `{}`",
                C::STRUCT, name, P::STRUCT;
            help: "compute from a field of your own, or with `max` from an `#[updated_at]`"
        }
    }
}

/// Judges a computed field of the type `T`.
#[track_caller]
pub const fn rollup_value<P: Model, C: Model, T>(at: usize) {
    let rollup = &P::ROLLUPS[at];
    let (field, Some(of)) = (parent_field::<P>(rollup), rollup.kind.of()) else { return };
    if !C::DEFINITION.whole {
        return;
    }
    // A missing field is reported at the word.
    let Some(source) = crate::definition::resolve(C::DEFINITION.fields, &[of]) else { return };
    // A field from which nothing can be computed is reported at the word, too.
    let is_extreme = matches!(rollup.kind, RollupKind::Min(_) | RollupKind::Max(_));
    let scalar = match source.shape.kind {
        Kind::Scalar(scalar) if scalar.is_number() => scalar,
        Kind::Scalar(scalar @ (Scalar::DateTime | Scalar::ObjectId)) if is_extreme => scalar,
        Kind::String { .. } if is_extreme => Scalar::Bool,
        _ => return,
    };
    match rollup.kind {
        RollupKind::Sum(_) => {
            enforce_number(field, size_of::<T>(), scalar, "this sum");
            enforce_sign(field, &source.shape, C::STRUCT, of);
        }
        RollupKind::Avg(_) => {
            enforce_computed(field, "an average");
            enforce_free(field, "an average");
            let decimal = matches!(scalar, Scalar::Decimal128);
            let fits = match field.shape.kind {
                Kind::Scalar(Scalar::Single) => matches!(scalar, Scalar::Integer | Scalar::Single),
                Kind::Scalar(Scalar::Double) => !decimal,
                // An average has up to 34 digits, also of numbers with few digits.
                Kind::Scalar(Scalar::Decimal128) => decimal && field.shape.form.is_none(),
                _ => false,
            };
            if !fits || !field.shape.nullable {
                not_optional(field, fits, if decimal { "an `Option<Decimal128>`" } else { "an `Option<f64>`" })
            }
        }
        _ => {
            if let (Some(integer), Some(source)) = (field.shape.integer, source.shape.integer)
                && !integer.has_room_for(&source)
            {
                refuse! {
                    "`{}` is of type `{}`, and `{}.{}` may hold any `{}`",
                        field.rust_name, integer.name, C::STRUCT, of, source.name;
                    help: "make the field an `Option<{}>`", source.name
                }
            }
            let fits = match (field.shape.kind, source.shape.kind) {
                _ if field.shape.narrower_than(&source.shape).is_some() => false,
                (Kind::Scalar(Scalar::Double), Kind::Scalar(Scalar::Single)) => true,
                (Kind::Scalar(view), Kind::Scalar(source)) => view as u8 == source as u8,
                (Kind::String { .. }, Kind::String { .. }) => {
                    crate::checks::fields::field_type::enforce_capacity_of_value(
                        &field.shape,
                        (C::STRUCT, of),
                        &source.shape,
                    );
                    true
                }
                _ => false,
            };
            if !fits || !field.shape.nullable {
                not_optional(field, fits, text!("an `Option` of the type of `{}.{}`", C::STRUCT, of).as_str())
            }
        }
    }
}

/// Refuses a rule of the type of a computed value: the children decide the value.
#[track_caller]
const fn enforce_free(field: &FieldDefinition, what: &str) {
    if let Some(rule) = field.shape.rules.beyond(&ValueRules::NONE) {
        refuse! {
            "the type of `{}` has the rule `{}` of `#[check(..)]`, and {} is a number that this crate computes",
                field.rust_name, rule.name(), what;
            help: "write the type inside of the newtype"
        }
    }
}

#[track_caller]
const fn enforce_number(field: &FieldDefinition, bytes: usize, of: Scalar, what: &str) {
    enforce_computed(field, what);
    enforce_free(field, what);
    let (fits, help) = match of {
        Scalar::Integer => (matches!(field.shape.kind, Kind::Scalar(Scalar::Integer)) && bytes >= 8, "an `i64`"),
        Scalar::Double | Scalar::Single => (matches!(field.shape.kind, Kind::Scalar(Scalar::Double)), "an `f64`"),
        _ => (matches!(field.shape.kind, Kind::Scalar(Scalar::Decimal128)), "a `Decimal128`"),
    };
    if field.shape.nullable {
        refuse! {
            "`{}` is an `Option`, and without children {} is 0", field.rust_name, what;
            help: "make the field {}", help
        }
    }
    if !fits {
        let is = match field.shape.kind {
            Kind::Scalar(Scalar::Integer) if matches!(of, Scalar::Integer) => "too small an integer",
            Kind::Scalar(Scalar::Single) => "too small a number",
            _ => kind(&field.shape),
        };
        refuse! {
            "`{}` is {}, and {} needs another type", field.rust_name, is, what;
            help: "make the field {}", help
        }
    }
}

/// Refuses an integer type with too few negative numbers for a sum that may be negative: the server would refuse a sum
/// below the least number of the type, and with the sum the write of the child.
#[track_caller]
const fn enforce_sign(field: &FieldDefinition, source: &Shape, child: &str, of: &str) {
    if let (Some(integer), Some(source)) = (field.shape.integer, source.integer)
        && integer.least > i64::MIN
        && source.least < 0
    {
        refuse! {
            "`{}` is of type `{}`, and a sum of `{}.{}` may be negative", field.rust_name, integer.name, child, of;
            help: "make the field an `i64`"
        }
    }
}

/// Reports a field of another type than its value, or a field that cannot be null.
#[track_caller]
const fn not_optional(field: &FieldDefinition, fits: bool, help: &str) -> ! {
    let why = match fits {
        true => text!("is never null, and without children there is no value"),
        false => text!("is {}, and the computed value has another type", kind(&field.shape)),
    };
    refuse! {
        "`{}` {}", field.rust_name, why.as_str();
        help: "make the field {}", help
    }
}

#[track_caller]
const fn order_is_kept<C: Model>(name: &str, fields: &'static [FieldDefinition], key: &str) {
    each!(for field in C::FIELDS {
        if str_eq(field.rust_name, key) && find_stored(fields, field.name).is_none() {
            refuse! {
                "`{}` does not have `{}`, and the subset is ordered by this field", name, key;
                help: "add the field with the same type as in `{}`", C::STRUCT
            }
        }
    });
}

const fn parent_field<P: Model>(rollup: &RollupDefinition) -> &'static FieldDefinition {
    find_stored(P::FIELDS, rollup.name).expect("a model has the fields of the rollups")
}
