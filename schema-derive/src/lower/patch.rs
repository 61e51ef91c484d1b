//! Reads a struct of optional changes.

use syn::{Data, DeriveInput, Expr, Fields, Ident, Path, Type};

use super::given::Given;
use crate::{
    attributes::{Attribute, Place, words::OF_PATCH},
    errors::Errors,
    model::patch::{Patch, PatchField, PatchForm, PatchJson, SerdeNull},
    parse::{Argument, Arguments, SerdePatchField, Value, identifier, last_segment, path_of, read_patch},
};

/// Reads a patch; `None` after a mistake that leaves nothing to go on with.
pub(crate) fn lower_patch(input: &DeriveInput, errors: &Errors) -> Option<Patch> {
    let given = Given::read(&input.attrs, Place::Patch, None, errors);
    let name = &input.ident;
    if let Some(parameter) = input.generics.params.first() {
        errors.at(
            parameter,
            format!("`{name}` has a parameter, and a patch changes the fields of one model\nhelp: write one patch for each model, with owned values"),
        );
        return None;
    }
    let Data::Struct(data) = &input.data else {
        errors.at(
            name,
            format!("`Patch` is for a struct with named fields\nhelp: write `struct {name} {{ title: Option<String> }}` with the fields that may change"),
        );
        return None;
    };
    let fields = match &data.fields {
        Fields::Named(fields) => fields.named.iter().collect(),
        Fields::Unit => Vec::new(),
        Fields::Unnamed(_) => {
            errors.at(
                name,
                format!("`Patch` is for a struct with named fields: each name is the name of a field of the model\nhelp: write `struct {name} {{ title: Option<String> }}`"),
            );
            return None;
        }
    };
    let of = lower_model(name, &given, errors);
    let mut serde = read_patch(input).into_iter();
    let fields = fields.into_iter().filter_map(|field| lower_field(field, serde.next(), errors)).collect();
    Some(Patch { ident: name.clone(), of: of?, fields })
}

/// Reads the model in `#[patch(Post)]`.
fn lower_model(name: &Ident, given: &Given<'_>, errors: &Errors) -> Option<Path> {
    let example = "write `#[patch(Post)]` with the model whose documents change";
    let Some(attribute) = given.get(Attribute::Patch) else {
        errors.at(name, format!("this patch does not name its model\nhelp: {example}"));
        return None;
    };
    let before = errors.count();
    let mut arguments = Arguments::read(attribute, errors);
    let models = arguments.take(|argument| {
        !argument.word.is_empty() && matches!(argument.value, Value::None) && !is_word(&argument.word)
    });
    for of in arguments.take(|argument| argument.word == "of") {
        errors.at(&of.tokens, format!("`#[patch(..)]` takes its model without a word\nhelp: {example}"));
    }
    arguments.expect_words(&Attribute::Patch.words(), errors);
    if let Some(field) = arguments.get("field") {
        errors.at(
            &field.tokens,
            "`field` names the field of the model that one field of the patch changes\nhelp: remove `field`, or write `field` above a field of the patch",
        );
    }
    if errors.count() > before {
        return None;
    }
    match &models[..] {
        [Argument { tokens: Expr::Path(path), .. }] => Some(path.path.clone()),
        [] => {
            errors.at(attribute.path(), format!("this patch does not name its model\nhelp: {example}"));
            None
        }
        [first, ..] => {
            let other = models.get(1).unwrap_or(first);
            errors.at(&other.tokens, format!("a patch changes the documents of one model\nhelp: {example}"));
            None
        }
    }
}

fn is_word(name: &str) -> bool {
    OF_PATCH.iter().any(|word| word.name == name)
}

/// Reads a field; `None` after a mistake.
fn lower_field(field: &syn::Field, serde: Option<SerdePatchField>, errors: &Errors) -> Option<PatchField> {
    let ident = field.ident.clone()?;
    let before = errors.count();
    let given = Given::read(&field.attrs, Place::PatchField, Some(&identifier(&ident)), errors);
    let mut path = vec![ident.clone()];
    if let Some(attribute) = given.get(Attribute::Patch) {
        let mut arguments = Arguments::read(attribute, errors);
        let words: Vec<_> = OF_PATCH.iter().filter(|word| word.name == "field").copied().collect();
        arguments.expect_words(&words, errors);
        match arguments.get("field").map(|argument| &argument.value) {
            Some(Value::Assigned(value)) => path = idents_of(value),
            _ if errors.count() == before => errors.at(
                attribute.path(),
                "`#[patch(..)]` above a field names the field of the model\nhelp: write `#[patch(field = title)]`, or remove the attribute where the names are equal",
            ),
            _ => {}
        }
    }
    let (ty, form) = (field.ty.clone(), form_of(&field.ty, serde.as_ref()));
    let json = json_of(&ident, form, serde);
    let value = inside_option(&ty).unwrap_or(&ty).clone();
    (errors.count() == before).then_some(PatchField { ident, ty, value, path, form, json })
}

/// Returns the names of `address.city`, with the places in the source.
fn idents_of(value: &Expr) -> Vec<Ident> {
    match value {
        Expr::Path(path) => path.path.get_ident().cloned().into_iter().collect(),
        Expr::Field(field) if path_of(value).is_some() => {
            let mut idents = idents_of(&field.base);
            if let syn::Member::Named(ident) = &field.member {
                idents.push(ident.clone());
            }
            idents
        }
        Expr::Group(group) => idents_of(&group.expr),
        _ => Vec::new(),
    }
}

/// Returns the field in JSON. The function of a field `Option<Option<T>>` distinguishes null from an absent field, and
/// reads the value as serde does.
fn json_of(ident: &Ident, form: PatchForm, serde: Option<SerdePatchField>) -> PatchJson {
    let Some(serde) = serde else { return PatchJson::Typed(identifier(ident)) };
    match form {
        _ if serde.is_never_read => PatchJson::Absent,
        PatchForm::Optional if serde.is_converted => PatchJson::Converted(serde.name),
        _ => PatchJson::Typed(serde.name),
    }
}

fn form_of(ty: &Type, serde: Option<&SerdePatchField>) -> PatchForm {
    let Some(inner) = inside_option(ty) else { return PatchForm::Plain };
    if inside_option(inner).is_none() {
        return PatchForm::Optional;
    }
    let Some(serde) = serde else { return PatchForm::Optional };
    PatchForm::Nullable(SerdeNull {
        lacks_reader: !serde.has_reader && !serde.is_never_read,
        lacks_skip: !serde.is_left_out,
    })
}

fn inside_option(ty: &Type) -> Option<&Type> {
    match last_segment(ty) {
        Some((name, arguments)) if name == "Option" => arguments.first().copied(),
        _ => None,
    }
}
