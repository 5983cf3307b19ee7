//! Rewrites `x[i]` with a single index. The macro does not know what `x` and `i` are, so it passes both to methods of
//! slice-core: if `x` is an array, the brackets mean what they mean in NumPy, and otherwise what they mean in Rust.

use proc_macro2::TokenTree;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{BinOp, Error, Expr, ExprIndex, ExprMethodCall, UnOp};

use super::brackets::ItemForm;
use super::expand::{self, Temporaries};
use super::forms::{is_literal, is_number, is_operation, is_place, is_unit, plain, plain_mut};
use super::messages::masks;
use super::operands::move_number_to_the_right;
use super::rewrite::{Rewrite, Use};
use super::write::{mentions, token_strings};
use crate::bound::is_negative_cast;
use crate::expression::diverges;
use crate::messages::NEGATIVE_CAST;
use crate::writer::{Krate, code};

impl Rewrite {
    /// Returns whether an expression is an `x[i]` with a single index that is not one of Rust's ranges.
    pub fn is_indexed(&self, expression: &Expr) -> bool {
        match plain(expression) {
            Expr::Index(index) => {
                let is_range = matches!(plain(&index.index), Expr::Range(_));
                !is_range && !self.is_slice(expression) && !self.is_whole(index)
            }
            _ => false,
        }
    }

    /// Returns whether an expression is an `x[i, j]` whose items are known only by their types.
    pub fn is_items(&self, expression: &Expr) -> bool {
        matches!(plain(expression), Expr::Index(index) if self.slices.find_items(&index.index).is_some())
    }

    /// Returns whether `[()]` selects the only element of a view of rank 0, as in `x[i, j][()]`.
    pub fn is_whole(&self, index: &ExprIndex) -> bool {
        is_unit(&index.index) && (self.is_slice(&index.expr) || self.is_items(&index.expr))
    }

    /// Returns the expansion of the view before `[()]`, to which Rust's own brackets are applied.
    pub fn whole(&mut self, view: &mut Expr, used: Use) -> Vec<TokenTree> {
        if let Some((operand, slice)) = self.slice(view) {
            return self.selected(operand, slice, used);
        }
        let Expr::Index(index) = plain_mut(view) else {
            unreachable!("the caller should have found an index")
        };
        if used == Use::Mutated {
            let (krate, part) = self.part_mut(index);
            return expand::dereferenced(&krate, part);
        }
        let place = self.indexed_whole(view, "place");
        expand::dereferenced(&self.krate, place)
    }

    /// Rewrites an `x[i, j]` that is read as a view, even if it selects a single element, with a call to `method` on the view.
    pub fn indexed_whole(&mut self, expression: &mut Expr, method: &str) -> Vec<TokenTree> {
        let (krate, whole) = self.read_indexed(expression, true);
        expand::method(whole, method, [], krate.caller_span)
    }

    /// Rewrites an indexed expression that is read, with a call to `method` on the result. The type of the result
    /// determines which implementation of `method` is called.
    pub fn indexed(&mut self, expression: &mut Expr, method: &str) -> Vec<TokenTree> {
        let (krate, read) = self.read_indexed(expression, false);
        expand::method(read, method, [], krate.caller_span)
    }

    /// Rewrites an indexed expression that is borrowed as a place.
    pub fn borrow_indexed(&mut self, expression: &mut Expr) {
        let place = self.indexed(expression, "place");
        *expression = expand::verbatim(expand::dereferenced(&self.krate, place));
    }

    /// Rewrites an indexed expression that is read, as a view even of a single element if `is_whole` is `true`. Also returns the
    /// path to the crate, located at the brackets.
    pub fn read_indexed(
        &mut self,
        expression: &mut Expr,
        is_whole: bool,
    ) -> (Krate, Vec<TokenTree>) {
        let Expr::Index(index) = plain_mut(expression) else {
            unreachable!("the caller should have found an index")
        };
        let krate = self.krate.located_at(index.bracket_token.span.join());
        let array = self.wrapped(&mut index.expr);
        // Generates the closure `|x, i| &x[i]`.
        let item = code!(krate.span => __py_item);
        let brackets = code!(krate.caller_span => [#item]);
        let rust = code!(krate.span => |__py_array, __py_item| &__py_array #brackets);
        let has_ellipsis = self
            .slices
            .find_items(plain(&index.index))
            .is_some_and(|slice| self.slices.has(slice, ItemForm::Ellipsis));
        // A comparison is computed when the indexed array is known, so that its result need not be stored.
        let compared = match plain_mut(&mut index.index) {
            Expr::Binary(binary) => self.comparison(binary, "index"),
            _ => None,
        };
        let number = compared.unwrap_or_else(|| self.index(&mut index.index));
        let mut read = expand::method(array, "item", [number, rust], krate.caller_span);
        if is_whole || has_ellipsis {
            read = expand::method(read, "whole", [], krate.caller_span);
        }
        (krate, read)
    }

    /// Returns the expansion of the expression before brackets that are only read, wrapped so that method resolution can
    /// depend on its type.
    pub fn wrapped(&mut self, array: &mut Expr) -> Vec<TokenTree> {
        if self.is_indexed(array) {
            return self.read_indexed(array, false).1;
        }
        if let Some((operand, slice)) = self.slice(array) {
            let krate = self.krate_at(slice);
            return expand::chain_start(&krate, "choice", self.view(operand, slice).1);
        }
        let is_range = matches!(plain(array), Expr::Index(index) if matches!(plain(&index.index), Expr::Range(_)));
        if is_place(array) {
            self.visit_as(array, if is_range { Use::Value } else { Use::Place });
        } else {
            self.visit_expr_mut(array);
            *array = expand::verbatim(expand::in_parentheses(expand::tokens(array)));
        }
        expand::borrowed(&self.krate, "place", array)
    }

    /// Returns the expansion of an index, wrapped so that method resolution can depend on its type.
    pub fn index(&mut self, index: &mut Expr) -> Vec<TokenTree> {
        let index = plain_mut(index);
        if let Some(slice) = self.slices.find_items(index) {
            return self.dynamic_items(slice);
        }
        if let Expr::Binary(binary) = index
            && let BinOp::And(_) | BinOp::Or(_) = binary.op
        {
            let help = "as in `x[(x > 1) & (x < 5)]`";
            return expand::error(&masks(
                &binary.op,
                "combines single `bool`s, not masks",
                help,
            ));
        }
        // A variable after the minus sign may be negative, so that the cast number is positive.
        if let Expr::Cast(cast) = index
            && is_negative_cast(cast)
            && is_literal(&cast.expr)
        {
            return expand::error(&Error::new(expand::span(index), NEGATIVE_CAST));
        }
        if is_number(index) && !matches!(index, Expr::Cast(_)) && !is_bool(index) {
            return match negated(index) {
                Some(number) => expand::wrapped(&self.krate, "negative_index", number),
                None => expand::wrapped(&self.krate, "number_index", index),
            };
        }
        // The minus sign applies to the wrapped index, because the negative of a number may not fit in its type.
        if let Expr::Unary(unary) = index
            && let UnOp::Neg(_) = unary.op
            && !is_operation(plain(&unary.expr))
        {
            let span = expand::mixed_site_at(unary.op.span());
            let positive = self.index(&mut unary.expr);
            return expand::method(positive, "negative", [], span);
        }
        if let Expr::Binary(binary) = index {
            move_number_to_the_right(binary);
        }
        let span = expand::mixed_site_at(expand::span(index));
        let is_indexed = self.is_indexed(index);
        let is_place = is_indexed || is_place(index) && !matches!(index, Expr::Index(_));
        match is_indexed {
            true => self.borrow_indexed(index),
            false => self.visit_as(index, if is_place { Use::Place } else { Use::Value }),
        }
        let start = match is_place {
            true => expand::borrowed(&self.krate, "choice", index),
            false => expand::wrapped(&self.krate, "value", index),
        };
        expand::method(start, "index", [], span)
    }

    /// Rewrites `x[i] = value` and `x[i] += value`. `operator` is the name of the operator in slice-core.
    pub fn indexed_assignment(
        &mut self,
        target: &mut ExprIndex,
        operator: &str,
        value: &mut Expr,
    ) -> Vec<TokenTree> {
        let krate = self.krate.located_at(target.bracket_token.span.join());
        let value_spans = expand::end_spans(value);
        let is_inert = is_literal(plain(value));
        let is_array = self.slices.find_items(plain(&target.index)).is_some();
        let value =
            match is_array && is_place(value) && !self.is_indexed(value) && !self.is_slice(value) {
                true => {
                    let root = token_strings(plain(&target.expr));
                    let method = if token_strings(plain(value)) == root {
                        "owned"
                    } else {
                        "operand"
                    };
                    expand::of_place(&self.krate, value, method)
                }
                false => self.assigned_value(value),
            };
        let mut temporaries = Temporaries::new("value");
        let argument = match is_inert {
            true => value,
            false => temporaries.store(value, value_spans),
        };
        let operator = krate.path(&["python", operator]);
        let imports: &[&str] = match self.is_indexed(&target.expr) {
            true => &["Assign", "MutablePart"],
            false => &["Assign"],
        };
        let mut parts = Temporaries::new("part");
        let [array, at] = self.target(target, &mut temporaries, &mut parts);
        let arguments = [operator, at, argument];
        let assign = expand::method(array, "assign", arguments, krate.caller_span);
        let all = expand::with_imports(&krate, imports, parts.before(assign));
        temporaries.before(all)
    }

    /// Rewrites an `x[i]` that is mutably borrowed, as a place.
    pub fn mutable_part(&mut self, index: &mut ExprIndex) -> Vec<TokenTree> {
        let (krate, part) = self.part_mut(index);
        expand::dereferenced(&krate, expand::chain(&krate, "value", part, "place"))
    }

    /// Returns the expansion of a mutable reference to an `x[i]`, or of a mutable view.
    fn part_mut(&mut self, index: &mut ExprIndex) -> (Krate, Vec<TokenTree>) {
        let (mut before, mut parts) = (Temporaries::new("value"), Temporaries::new("part"));
        let (krate, part) = self.part_of(index, &mut before, &mut parts);
        let all = expand::with_imports(&krate, &["MutablePart"], parts.before(part));
        (krate, before.before(all))
    }

    /// Rewrites a call to a method that modifies its receiver, which is an `x[i]`. Arguments that read `x` are evaluated
    /// first, because the receiver borrows `x` mutably.
    pub fn modified_receiver(&mut self, call: &mut ExprMethodCall) -> Vec<TokenTree> {
        let Expr::Index(index) = plain_mut(&mut call.receiver) else {
            unreachable!("the caller should have found an index")
        };
        let array = token_strings(plain(&index.expr));
        let mut temporaries = Temporaries::new("value");
        for argument in &mut call.args {
            let ends = expand::end_spans(argument);
            let reads = mentions(&token_strings(argument), &array);
            let is_value = !matches!(argument, Expr::Closure(_) | Expr::Reference(_));
            self.visit_expr_mut(argument);
            if reads && is_value {
                let value = expand::tokens(argument);
                *argument = expand::verbatim(temporaries.store(value, ends));
            }
        }
        *call.receiver = expand::verbatim(self.mutable_part(index));
        let call = call.to_token_stream().into_iter().collect();
        expand::in_parentheses(temporaries.before(call))
    }

    /// Returns the expansion of an index of a target. Unless the index is a literal, it is evaluated before the target is
    /// borrowed.
    fn index_before(&mut self, index: &mut Expr, before: &mut Temporaries) -> Vec<TokenTree> {
        let span = expand::span(index);
        let is_inert = is_number(index);
        let index = self.index(index);
        match is_inert {
            true => index,
            false => before.name(index, span),
        }
    }

    /// Returns the expansion of the expression before the brackets of a target, and of the part that the brackets select:
    /// generates `place(&array).target(number)`. If the expression is itself a part of an array, that part is borrowed
    /// mutably first.
    fn target(
        &mut self,
        index: &mut ExprIndex,
        before: &mut Temporaries,
        parts: &mut Temporaries,
    ) -> [Vec<TokenTree>; 2] {
        let krate = self.krate.located_at(index.bracket_token.span.join());
        let array = plain_mut(&mut index.expr);
        let borrowed = if self.is_indexed(array)
            && let Expr::Index(outer) = array
        {
            let (krate, part) = self.part_of(outer, before, parts);
            let place = expand::chain(&krate, "value", part, "place");
            Some(expand::dereferenced(&krate, place))
        } else if let Some((operand, slice)) = self.slice(array) {
            Some(self.selected(operand, slice, Use::Mutated))
        } else {
            self.visit_as(array, Use::Mutated);
            (!is_place(array)).then(|| expand::in_parentheses(expand::tokens(array)))
        };
        let array = match borrowed {
            Some(part) => parts.name(code!(krate.span => &mut #part), krate.caller_span),
            None => expand::tokens(array),
        };
        let number = self.index_before(&mut index.index, before);
        let place = array.clone();
        let start = expand::call(&krate, "place", [code!(krate.span => &#place)]);
        let at = expand::method(start, "target", [number], krate.caller_span);
        [array, parts.name(at, krate.caller_span)]
    }

    /// Returns the expansion of a mutable reference to an `x[i]`, or of a mutable view, and the path to the crate, located at the
    /// brackets.
    fn part_of(
        &mut self,
        index: &mut ExprIndex,
        before: &mut Temporaries,
        parts: &mut Temporaries,
    ) -> (Krate, Vec<TokenTree>) {
        let krate = self.krate.located_at(index.bracket_token.span.join());
        let [array, at] = self.target(index, before, parts);
        let part = expand::method(array, "modified_part", [at], krate.caller_span);
        (krate, part)
    }

    fn assigned_value(&mut self, value: &mut Expr) -> Vec<TokenTree> {
        if self.is_indexed(value) {
            return self.indexed(value, "owned");
        }
        if let Expr::Path(_) = plain(value) {
            // In braces, a variable is moved at its name, where the compiler then suggests a clone.
            let variable = plain(value);
            return code!(expand::mixed_site_at(expand::span(value)) => { #variable });
        }
        if let Some((operand, slice)) = self.slice(value) {
            let (krate, view) = self.view(operand, slice);
            return expand::chain(&krate, "value", view, "owned");
        }
        self.visit_expr_mut(value);
        expand::tokens(value)
    }
}

/// Returns whether an assigned value can be passed as an argument. Returns `false` for jumps out of the expression, and for
/// closures, whose types are inferred from the assignment target.
pub fn is_value(expression: &Expr) -> bool {
    !matches!(plain(expression), Expr::Closure(_)) && !diverges(expression)
}

/// Returns the number after a minus sign, if it is an integer literal without a suffix that fits in an `i32`.
fn negated(index: &Expr) -> Option<&Expr> {
    if let Expr::Unary(unary) = index
        && let (UnOp::Neg(_), Expr::Lit(literal)) = (&unary.op, &*unary.expr)
        && let syn::Lit::Int(number) = &literal.lit
        && number.suffix().is_empty()
        && number.base10_parse::<i32>().is_ok()
    {
        return Some(&unary.expr);
    }
    None
}

fn is_bool(expression: &Expr) -> bool {
    matches!(expression, Expr::Lit(literal) if !matches!(literal.lit, syn::Lit::Int(_)))
}
