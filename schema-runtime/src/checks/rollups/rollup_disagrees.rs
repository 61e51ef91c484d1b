//! Rule: `rollup_disagrees`
//!
//! The writes of the children maintain a field with `#[subset(..)]` or `#[computed(..)]`. The children refer to this model with a
//! `parent_ref`. Each element of a subset has the child's `_id` and the fields that the subset is ordered by. A computed field can hold the
//! computed value. Without children a count and a sum are 0, and an average, a least and a greatest value are null. A value is computed
//! neither from the reference itself nor from the children's `#[version]`.
//!
//! Source: MongoDB, "`$inc`", "`$push`, `$sort` modifier"; without the `_id` a repeated push would look like a new push.

use super::rollup_of_derived;
use crate::{
    checks::{buckets::bucket_copy, fields::field_type::kind},
    definition::{
        FieldDefinition, Kind, ManagedAs, Message, RollupDefinition, RollupKind, Scalar, Shape, find, find_relation,
        find_stored, is_whole, last_segment, str_eq,
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
        let message = Message::new().code(child).text(" is `read_only`, so that no write of it updates ");
        message
            .code(P::STRUCT)
            .text("\nhelp: compute this when it is read, or remove `read_only` there\nrule: rollup_disagrees")
            .fail()
    }
    let place = Message::new().text("`").text(child).text(".").text(rollup.reference).text("` ");
    let Some(relation) = find_relation(C::RELATIONS, rollup.reference) else {
        match find(C::FIELDS, rollup.reference) {
            None => no_such_reference::<P, C>(rollup),
            // rustc reports a misspelt attribute.
            Some(field) if !is_whole(&field.shape) => return,
            Some(_) => {}
        }
        let declared = ["#[relation(one_to_squillions, parent_ref)] ", rollup.reference, ": Ref<", P::STRUCT, ">`"];
        place
            .text("stores no relation\nhelp: declare it there: `")
            .texts(&declared)
            .text("\nrule: rollup_disagrees")
            .fail()
    };
    let Some(target) = &relation.target else {
        place
            .text("is embedded, so it refers to nothing\nhelp: name a field with `parent_ref`\nrule: rollup_disagrees")
            .fail()
    };
    if !str_eq(target.name, P::NAME) {
        place
            .texts(&["refers to `", last_segment(target.name), "`, not to `", P::STRUCT])
            .texts(&["`\nhelp: name the field that holds a `Ref<", P::STRUCT, ">`\nrule: rollup_disagrees"])
            .fail()
    }
    let may_be = relation.storage.may_be_rolled_up();
    if !may_be || relation.by.is_some() {
        place
            .text(if may_be { "is an extended reference" } else { relation.storage.what() })
            .text(", and a subset or a computed field needs one `Ref` in each child\nhelp: if each ")
            .code(child)
            .text(" has one ")
            .code(P::STRUCT)
            .text(", make it `#[relation(one_to_squillions, parent_ref)] ")
            .text(relation.field)
            .text(": Ref<")
            .text(P::STRUCT)
            .text(">`; otherwise compute this when it is read\nrule: rollup_disagrees")
            .fail()
    }
}

#[track_caller]
const fn no_such_reference<P: Model, C: Model>(rollup: &RollupDefinition) -> ! {
    let message = Message::new().code(C::STRUCT).text(" has no field ").code(rollup.reference).text("\nhelp: ");
    let mut at = 0;
    while at < C::RELATIONS.len() {
        let relation = &C::RELATIONS[at];
        if let Some(target) = &relation.target
            && str_eq(target.name, P::NAME)
        {
            let message = message.text("write `").text(C::STRUCT).text("::").text(relation.field);
            message.text("`, which refers to ").code(P::STRUCT).text("\nrule: rollup_disagrees").fail()
        }
        at += 1;
    }
    let message = message.text("declare it there: `#[relation(one_to_squillions, parent_ref)] ").text(rollup.reference);
    message.text(": Ref<").text(P::STRUCT).text(">`\nrule: rollup_disagrees").fail()
}

const NO_STRUCTS: &str = ", and a subset holds a struct for each child\nhelp: make it a `Vec<..>` of a struct with `#[derive(Embed)]` and the fields to hold\nrule: rollup_disagrees";

/// Judges the struct that a subset holds of each child.
#[track_caller]
pub const fn rollup_elements<P: Model, C: Model>(at: usize) {
    let rollup = &P::ROLLUPS[at];
    let field = parent_field::<P>(rollup);
    let message = Message::new().code(field.rust_name);
    let Kind::Array { items, .. } = field.shape.kind else {
        message.text(" is ").text(kind(&field.shape)).text(NO_STRUCTS).fail()
    };
    let Kind::Document { name, fields, .. } = items.kind else {
        message
            .text(match items.kind {
                Kind::Model { .. } => " is an array of a model, whose documents are in a collection of their own",
                _ => " is not an array of structs",
            })
            .text(NO_STRUCTS)
            .fail()
    };
    if items.variants.is_some() {
        message
            .text(" is an array of an enum, and a subset holds the same fields of each child\nhelp: make it a `Vec<..>` of a struct with `#[derive(Embed)]` and the fields to hold\nrule: rollup_disagrees")
            .fail()
    }
    if field.shape.nullable || items.nullable {
        message.text(" may be null, and a subset never is: without children it is empty\nhelp: remove the `Option`\nrule: rollup_disagrees").fail()
    }
    if !C::DEFINITION.whole {
        return;
    }
    let mut element = 0;
    while element < fields.len() {
        let source = crate::checks::fields::unknown_field::enforce_projection(C::DEFINITION, name, &fields[element]);
        crate::checks::fields::field_type::enforce_projection(C::DEFINITION, &fields[element], source);
        crate::checks::fields::field_type::enforce_capacity(C::DEFINITION, (name, &fields[element]), source);
        element += 1;
    }
    if find_stored(fields, "_id").is_none() {
        Message::new()
            .code(name)
            .text(" does not have the `_id` of ")
            .code(C::STRUCT)
            .text(", which identifies an element\nhelp: add `#[serde(rename = \"_id\")] id` with the type it has there\nrule: rollup_disagrees")
            .fail()
    }
    let RollupKind::Subset { order, .. } = rollup.kind else { return };
    rollup_of_derived::enforce_elements::<P, C>(rollup, order, name, fields);
    rollup_of_derived::enforce_own::<P, C>(rollup, items);
    if let (true, Some(relation)) = (order.is_empty(), find_relation(C::RELATIONS, rollup.reference)) {
        let mut key = 0;
        while key < relation.order.len() {
            rollup_of_derived::enforce_order::<P, C>(rollup, relation.order[key].field);
            order_is_kept::<C>(name, fields, relation.order[key].field);
            key += 1;
        }
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
    let place = Message::new().field(C::STRUCT, &[name]);
    if path.shape.nullable || path.optional {
        place
            .text(" may be null or absent, and ")
            .code(rollup.kind.word())
            .text(" needs a value of every child\nhelp: compute it from a field that is not an `Option`\nrule: rollup_disagrees")
            .fail()
    }
    let is_extreme = matches!(rollup.kind, RollupKind::Min(_) | RollupKind::Max(_));
    let fits = match path.shape.kind {
        Kind::Scalar(scalar) if scalar.is_number() => true,
        Kind::Scalar(Scalar::DateTime | Scalar::ObjectId) | Kind::String { .. } => is_extreme,
        _ => false,
    };
    if !fits {
        place
            .text(" is ")
            .text(kind(&path.shape))
            .text(match rollup.kind {
                RollupKind::Sum(_) | RollupKind::Avg(_) => ", and only numbers have a sum\nhelp: name a field with a number\nrule: rollup_disagrees",
                _ => ", which has no least and no greatest value\nhelp: name a field with a number, a date or a string\nrule: rollup_disagrees",
            })
            .fail()
    }
    says_something::<P, C>(rollup, name);
    rollup_of_derived::enforce::<P, C>(rollup, name);
}

/// Refuses a field that has another use than a computation.
#[track_caller]
const fn says_something<P: Model, C: Model>(rollup: &RollupDefinition, name: &str) {
    let place = Message::new().field(C::STRUCT, &[name]);
    if str_eq(name, rollup.reference) {
        place
            .text(" is the reference itself, which is the same in all children of one ")
            .code(P::STRUCT)
            .text("\nhelp: write `count(")
            .text(C::STRUCT)
            .text("::")
            .text(name)
            .text(")`, or name another field\nrule: rollup_disagrees")
            .fail()
    }
    if let (Some(_), RollupKind::Sum(_) | RollupKind::Avg(_)) = (find_relation(C::RELATIONS, name), rollup.kind) {
        place
            .text(" is a reference, and ")
            .code(rollup.kind.word())
            .text(" of it would add the `_id`s of other documents\nhelp: name a field with a number\nrule: rollup_disagrees")
            .fail()
    }
    if let Some(FieldDefinition { managed: Some(ManagedAs::Version), .. }) = find(C::FIELDS, name) {
        place
            .text(" is the `#[version]`, which counts the writes of one document: each of them would be a write of ")
            .code(P::STRUCT)
            .text(" too\nhelp: compute from a field of your own, or with `max` from an `#[updated_at]`\nrule: rollup_disagrees")
            .fail()
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
            enforce_number(field, size_of::<T>(), scalar, "a sum of these");
            enforce_sign(field, &source.shape, &Message::new().field(C::STRUCT, &[of]));
        }
        RollupKind::Avg(_) => {
            let decimal = matches!(scalar, Scalar::Decimal128);
            let fits = match field.shape.kind {
                Kind::Scalar(Scalar::Single) => matches!(scalar, Scalar::Integer | Scalar::Single),
                Kind::Scalar(Scalar::Double) => !decimal,
                Kind::Scalar(Scalar::Decimal128) => decimal,
                _ => false,
            };
            let help = if decimal { "an `Option<Decimal128>`" } else { "an `Option<f64>`" };
            enforce_optional(field, fits, &Message::new().text(help));
        }
        _ => {
            if let (Some(integer), Some(source)) = (field.shape.integer, source.shape.integer)
                && !integer.has_room_for(&source)
            {
                Message::new()
                    .code(field.rust_name)
                    .text(" is of type ")
                    .code(integer.name)
                    .text(", and ")
                    .field(C::STRUCT, &[of])
                    .text(" may hold any ")
                    .code(source.name)
                    .text("\nhelp: make it an `Option<")
                    .text(source.name)
                    .text(">`\nrule: rollup_disagrees")
                    .fail()
            }
            let fits = match (field.shape.kind, source.shape.kind) {
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
            let help = Message::new().text("an `Option` of the type of ").field(C::STRUCT, &[of]);
            enforce_optional(field, fits, &help);
        }
    }
}

#[track_caller]
const fn enforce_number(field: &FieldDefinition, bytes: usize, of: Scalar, what: &str) {
    let message = Message::new().code(field.rust_name).text(" is ");
    let (fits, help) = match of {
        Scalar::Integer => (matches!(field.shape.kind, Kind::Scalar(Scalar::Integer)) && bytes >= 8, "an `i64`"),
        Scalar::Double | Scalar::Single => (matches!(field.shape.kind, Kind::Scalar(Scalar::Double)), "an `f64`"),
        _ => (matches!(field.shape.kind, Kind::Scalar(Scalar::Decimal128)), "a `Decimal128`"),
    };
    if field.shape.nullable {
        message
            .text("an `Option`, and without children ")
            .text(what)
            .text(" is 0\nhelp: make it ")
            .text(help)
            .text("\nrule: rollup_disagrees")
            .fail()
    }
    if !fits {
        let is = match field.shape.kind {
            Kind::Scalar(Scalar::Integer) if matches!(of, Scalar::Integer) => "too small an integer",
            Kind::Scalar(Scalar::Single) => "too small a number",
            _ => kind(&field.shape),
        };
        message
            .text(is)
            .text(" for ")
            .text(what)
            .text("\nhelp: make it ")
            .text(help)
            .text("\nrule: rollup_disagrees")
            .fail()
    }
}

/// Refuses an integer type with too few negative numbers for a sum that may be negative: the server would refuse a sum below the least
/// number of the type, and with the sum the write of the child.
#[track_caller]
const fn enforce_sign(field: &FieldDefinition, source: &Shape, name: &Message) {
    if let (Some(integer), Some(source)) = (field.shape.integer, source.integer)
        && integer.least > i64::MIN
        && source.least < 0
    {
        Message::new()
            .code(field.rust_name)
            .text(" is of type ")
            .code(integer.name)
            .text(", and a sum of ")
            .message(name)
            .text(" may be negative\nhelp: make it an `i64`\nrule: rollup_disagrees")
            .fail()
    }
}

#[track_caller]
const fn enforce_optional(field: &FieldDefinition, fits: bool, help: &Message) {
    if fits && field.shape.nullable {
        return;
    }
    let message = Message::new().code(field.rust_name);
    let message = match fits {
        true => message.text(" is never null, and without children there is no such value"),
        false => message.text(" is ").text(kind(&field.shape)).text(", and this is computed as another type"),
    };
    message.text("\nhelp: make it ").message(help).text("\nrule: rollup_disagrees").fail()
}

#[track_caller]
const fn order_is_kept<C: Model>(name: &str, fields: &'static [FieldDefinition], key: &str) {
    let mut at = 0;
    while at < C::FIELDS.len() {
        if str_eq(C::FIELDS[at].rust_name, key) && find_stored(fields, C::FIELDS[at].name).is_none() {
            Message::new()
                .code(name)
                .text(" does not have ")
                .code(key)
                .text(", by which the subset is ordered\nhelp: add it, with the type that it has in ")
                .code(C::STRUCT)
                .text("\nrule: rollup_disagrees")
                .fail()
        }
        at += 1;
    }
}

const fn parent_field<P: Model>(rollup: &RollupDefinition) -> &'static FieldDefinition {
    find_stored(P::FIELDS, rollup.name).expect("a model has the fields of its rollups")
}
