//! A change that sets a field to the value of an expression.

use mongodb::bson::doc;

use super::{Change, ChangeList, twice};
use crate::{
    changes::Operator,
    error::{Error, Result},
    field::{
        PathNode,
        expression::{Numbers, Parts},
    },
};

impl ChangeList {
    /// Sets a field to the value of an expression. The document must have the fields of the expression.
    pub(crate) fn set_expression(&mut self, node: &PathNode<'_>, parts: Result<Parts>) {
        let added = parts.and_then(|parts| self.try_set_expression(node, parts));
        self.refuse_failed(added);
    }

    fn try_set_expression(&mut self, node: &PathNode<'_>, parts: Parts) -> Result<()> {
        let (path, shape) = (node.join(), node.shape());
        if !self.prefix.is_empty() {
            let message = format!("a pipeline changes no element of an array: `set` `{path}` to a value");
            return Err(Error::Update { message });
        }
        let (numbers, target) = (parts.numbers, Numbers::of(shape));
        let has_double = numbers.has_double || numbers.has_decimal && target.has_double;
        let has_decimal = numbers.has_decimal || numbers.has_double && target.has_decimal;
        if has_double && has_decimal {
            let message = format!(
                "the expression of `{path}` mixes doubles and decimals, and a double is no exact decimal: compute with \
                 one of the two types"
            );
            return Err(Error::Update { message });
        }
        // An expression of integers alone is an integer.
        let value = match target {
            Numbers { has_double: true, .. } if !numbers.has_double => doc! { "$toDouble": parts.expression }.into(),
            Numbers { has_decimal: true, .. } if !numbers.has_decimal => doc! { "$toDecimal": parts.expression }.into(),
            _ => parts.expression,
        };
        self.require(node);
        self.require_structs(node);
        for (operand, types) in parts.operands {
            self.require(operand);
            self.present.insert(operand.join(), doc! { "$type": types.to_vec() });
        }
        let Ok(changes) = &mut self.changes else { return Ok(()) };
        let operator = Operator::SetExpression;
        if changes.iter().any(|change| change.operator == operator && change.path == path) {
            return Err(twice(operator.name(), &path));
        }
        changes.push(Change { operator, path, value, shape, cap: None, position: None, leaves_none_out: false });
        Ok(())
    }
}
