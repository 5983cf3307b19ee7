//! Writes the items as one Rust expression, after a `compile_error!` for every mistake.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::quote_spanned;

use crate::bound::{Conversion, Expression, WrittenBound};
use crate::check::Item;
use crate::encode::{Computed, Encoded, EncodedNumber, ItemKind, encode};
use crate::list::List;
use crate::mistake::{Mistake, Mistakes};
use crate::split::BoundRole;
use crate::writer::{self, Krate, code, group, nested_pairs, separated};

/// Returns the expansion of the macro call.
///
/// If there are mistakes, the expansion is a block whose last expression still has the expected type, so that the
/// compiler reports only the mistakes.
pub fn expression(krate: &Krate, items: Vec<Item>, mistakes: &Mistakes) -> Vec<TokenTree> {
    let has_mistakes = !mistakes.is_empty();
    let output = Output {
        krate,
        has_mistakes,
    };
    let value = if has_list(&items) {
        output.listed(items)
    } else {
        output.strided(&encode(items))
    };
    if mistakes.is_empty() {
        return value;
    }
    let mut inside: Vec<TokenTree> = compile_errors(mistakes).into_iter().collect();
    inside.extend(value);
    vec![group(Delimiter::Brace, inside, krate.span).into()]
}

/// Returns whether a slice contains a list. A spec with lists borrows them, so its type has a lifetime.
pub fn has_list(items: &[Item]) -> bool {
    items.iter().any(|item| matches!(item, Item::List(_)))
}

/// Returns the full type of the spec, which the declaration of a constant or a static must contain.
pub fn spec_type(krate: &Krate, items: &[Item]) -> TokenStream {
    let has_mistakes = false;
    let output = Output {
        krate,
        has_mistakes,
    };
    let parts = items.iter().map(|item| match item {
        Item::List(List::Points(lists)) => lists.len(),
        _ => 1,
    });
    let parts = &Literal::usize_unsuffixed(parts.sum());
    let kinds = output.list_of_kinds(items.iter().map(|item| output.kind_of(item)));
    writer::stream(if has_list(items) {
        let spec = krate.path(&["ListSpec"]);
        code!(krate.span => #spec<'static, #parts, #kinds>)
    } else {
        let spec = krate.path(&["SliceSpec"]);
        code!(krate.span => #spec<#parts, #kinds>)
    })
}

/// Returns a `compile_error!` at the tokens of each mistake.
pub fn compile_errors(mistakes: &Mistakes) -> TokenStream {
    mistakes.iter().map(compile_error).collect()
}

fn compile_error(Mistake { first, last, text }: &Mistake) -> TokenStream {
    // The compiler underlines everything from the first token of the call to the last.
    let path = quote_spanned!(*first=> ::core::compile_error!);
    let text = quote_spanned!(*last=> { #text });
    quote_spanned!(*first=> #path #text)
}

struct Output<'a> {
    krate: &'a Krate,
    /// Whether there are mistakes to report. If so, expressions that syn has not parsed are wrapped in a macro call,
    /// because a syntax error in them would hide the messages.
    has_mistakes: bool,
}

impl Output<'_> {
    fn strided(&self, encoded: &Encoded) -> Vec<TokenTree> {
        if encoded.expressions.is_empty() {
            self.spec(encoded)
        } else {
            self.computed(encoded)
        }
    }

    /// Returns the path to an item in the module `expansion` of slice-core.
    fn path(&self, name: &str) -> Vec<TokenTree> {
        self.krate.path(&["expansion", name])
    }

    /// Writes `(ListSpec::<'_, _, kinds> { __parts: [...] })`. A struct literal evaluates the parts in source order. If the
    /// literal initializes a variable, lists written in the brackets live as long as the variable. If they were arguments of
    /// a function, they would be dropped at the end of the statement.
    ///
    /// The kind of a reference follows from its type, so `kinds` has `_` in its place, which the compiler infers from the
    /// type of the part: all parts have the same type, which contains all kinds.
    fn listed(&self, items: Vec<Item>) -> Vec<TokenTree> {
        let kinds: Vec<Vec<TokenTree>> = items.iter().map(|item| self.kind_of(item)).collect();
        let kinds = self.list_of_kinds(kinds.into_iter());
        let mut parts = Vec::new();
        for (position, item) in items.into_iter().enumerate() {
            let Item::List(List::Points(lists)) = item else {
                parts.push(self.part(item, position));
                continue;
            };
            let count = lists.len();
            for (place, list) in lists.into_iter().enumerate() {
                parts.push(self.point(list, (place, count), position));
            }
        }
        let parts = self.separated(parts);
        let spec = self.krate.path(&["ListSpec"]);
        let spec = code!(self.krate.span => #spec::<'_, _, #kinds> { __parts: [#parts] });
        code!(self.krate.caller_span => (#spec))
    }

    fn separated(&self, parts: impl IntoIterator<Item = Vec<TokenTree>>) -> Vec<TokenTree> {
        separated(parts, self.krate.span)
    }

    /// Writes the kind of an item, or `_` for a reference.
    fn kind_of(&self, item: &Item) -> Vec<TokenTree> {
        let span = self.krate.span;
        let kind = |name: &str| self.krate.path(&["kind", name]);
        let number = |number: usize| Literal::usize_unsuffixed(number);
        let (axes, rank) = match item {
            Item::List(List::Reference(_)) => return code!(span => _),
            Item::List(List::Points(lists)) => {
                let ranks = lists.iter().map(|list| match list {
                    List::Positions(_, shape) | List::Mask(_, shape) => {
                        let (rank, len) = (kind("Rank"), &number(shape.len()));
                        code!(span => #rank<#len>)
                    }
                    List::Reference(_) | List::Points(_) => code!(span => _),
                });
                let (points, ranks) = (kind("Points"), self.list_of_kinds(ranks));
                return code!(span => #points<#ranks>);
            }
            Item::List(List::Positions(_, shape)) => (1, shape.len()),
            Item::List(List::Mask(_, shape)) => (shape.len(), 1),
            item => return self.kind(ItemKind::of(item)),
        };
        let list = kind("List");
        if (axes, rank) == (1, 1) {
            return list;
        }
        let (axes, rank) = (&number(axes), &number(rank));
        code!(span => #list<#axes, #rank>)
    }

    /// Writes one item of a slice with lists. `position` is the number of items before it.
    fn part(&self, item: Item, position: usize) -> Vec<TokenTree> {
        match item {
            Item::List(List::Reference(tokens)) => self.in_slice(
                self.borrowed_list(&["bound", "AList", "part_in_s"], tokens),
                position,
            ),
            Item::List(list) => self.literal_part("List", list),
            item => {
                let of = self.krate.path(&["expansion", "BorrowedItem", "of"]);
                let spec = self.strided(&encode(vec![item]));
                self.part_with(code!(self.krate.span => #of(#spec)))
            }
        }
    }

    /// Writes one of the lists of points. `position` is the number of items before the points.
    fn point(&self, list: List, (place, count): (usize, usize), position: usize) -> Vec<TokenTree> {
        let is_last = place + 1 == count;
        let List::Reference(tokens) = list else {
            return self.literal_part(if is_last { "LastPoint" } else { "Point" }, list);
        };
        let function = if is_last { "last_point" } else { "point" };
        let list = self.borrowed_list(&["expansion", function], tokens);
        let (points, list) = (self.path("in_points"), self.in_slice(list, place));
        self.in_slice(code!(self.krate.span => #points(#list)), position)
    }

    /// Writes `function(&rows)`. The tokens of the call are located at the reference, so the compiler reports a type error
    /// there.
    fn borrowed_list(&self, function: &[&str], tokens: Vec<TokenTree>) -> Vec<TokenTree> {
        let span = tokens
            .first()
            .map_or(self.krate.caller_span, TokenTree::span);
        let krate = self.krate.located_at(span);
        let function = krate.path(function);
        code!(krate.span => #function(#tokens))
    }

    /// Writes `after(after(first(part)))`, with `after` as often as there are items before the part.
    fn in_slice(&self, part: Vec<TokenTree>, position: usize) -> Vec<TokenTree> {
        let first = self.path("first");
        (0..position).fold(code!(self.krate.span => #first(#part)), |all, _| {
            let after = self.path("after");
            code!(self.krate.span => #after(#all))
        })
    }

    /// Writes `Part { __item: BorrowedItem::Variant { 0: array }, __kinds: PhantomData }`.
    fn literal_part(&self, variant: &str, list: List) -> Vec<TokenTree> {
        let item = self.krate.path(&["expansion", "BorrowedItem", variant]);
        let array = self.array(list);
        self.part_with(code!(self.krate.span => #item { 0: #array }))
    }

    fn part_with(&self, item: Vec<TokenTree>) -> Vec<TokenTree> {
        let part = self.path("Part");
        code!(self.krate.span => #part { __item: #item, __kinds: ::core::marker::PhantomData })
    }

    /// Writes a literal with its shape: `ListArray { __elements: ListRef::I64 { 0: &[...] }, __shape: Some(&[...]) }`.
    fn array(&self, list: List) -> Vec<TokenTree> {
        let span = self.krate.span;
        let (variant, elements, shape) = match list {
            List::Positions(positions, shape) => ("I64", self.positions(positions), shape),
            List::Mask(mask, shape) => {
                let mask = mask.into_iter().map(|is_true| match is_true {
                    true => code!(span => true),
                    false => code!(span => false),
                });
                let mask = self.separated(mask);
                ("Mask", code!(span => &[#mask]), shape)
            }
            // The caller writes references and points.
            List::Reference(_) | List::Points(_) => ("I64", self.positions(Vec::new()), vec![0]),
        };
        let list_ref = self.krate.path(&["expansion", "ListRef", variant]);
        let lens = shape.into_iter().map(Literal::usize_unsuffixed);
        let lens = self.separated(lens.map(|len| vec![len.into()]));
        let array = self.path("ListArray");
        code!(span => #array {
            __elements: #list_ref { 0: #elements }, __shape: ::core::option::Option::Some(&[#lens])
        })
    }

    /// Writes `&[0, 2]`, or `&saturate_all([...])` if a position is computed.
    fn positions(&self, positions: Vec<WrittenBound>) -> Vec<TokenTree> {
        let is_literal = |position: &WrittenBound| matches!(position, WrittenBound::Literal(_));
        let all_are_literals = positions.iter().all(is_literal);
        let list = self.separated(positions.into_iter().map(|position| match position {
            WrittenBound::Literal(value) => vec![Literal::i64_unsuffixed(value).into()],
            WrittenBound::Expression(expression) => self.value(&Computed {
                expression,
                role: BoundRole::Index,
                bit: 1,
            }),
        }));
        if all_are_literals {
            return code!(self.krate.span => &[#list]);
        }
        let saturate = self.path("saturate_all");
        code!(self.krate.span => &#saturate([#list]))
    }

    /// Writes `match saturate_all([...]) { [__slice_0, ...] => spec }`, which evaluates each value once, in source
    /// order.
    fn computed(&self, encoded: &Encoded) -> Vec<TokenTree> {
        let span = self.krate.span;
        let expressions = &encoded.expressions;
        let values = self.separated(expressions.iter().map(|computed| self.value(computed)));
        let numbers = (0..expressions.len()).map(|position| vec![self.number_name(position)]);
        let numbers = self.separated(numbers);
        let (saturate, spec) = (self.path("saturate_all"), self.spec(encoded));
        if !expressions.iter().any(can_be_omitted) {
            return code!(span => match #saturate([#values]) { [#numbers] => #spec });
        }
        // An optional bound expands to a number and a mask bit.
        let all = expressions.iter().enumerate().map(|(position, computed)| {
            let number = vec![self.number_name(position)];
            if !can_be_omitted(computed) {
                return (number.clone(), number);
            }
            let (element, omitted) = (number.clone(), self.omitted_name(position));
            (
                code!(span => (#number, #omitted)),
                code!(span => #element as _),
            )
        });
        let (bounds, elements): (Vec<_>, Vec<_>) = all.unzip();
        let (bounds, elements) = (self.separated(bounds), self.separated(elements));
        // The comma makes even a single value a tuple.
        code!(span => match (#values,) {
            (#bounds,) => match #saturate([#elements]) { [#numbers] => #spec }
        })
    }

    fn number_name(&self, position: usize) -> TokenTree {
        Ident::new(&format!("__slice_{position}"), self.krate.span).into()
    }

    fn omitted_name(&self, position: usize) -> Vec<TokenTree> {
        vec![Ident::new(&format!("__omitted_{position}"), self.krate.span).into()]
    }

    /// Writes `<SliceSpec<_, kinds>>::__encoded(begin, end, strides, begin_mask, end_mask)`. The other masks follow
    /// from the kinds. In `py!`, the first and the last token of the call must have spans in the caller's code: the `<`
    /// can have such a span, but the path to the crate cannot.
    fn spec(&self, encoded: &Encoded) -> Vec<TokenTree> {
        let numbers = |numbers: &[EncodedNumber]| {
            self.separated(numbers.iter().map(|&number| self.number(number)))
        };
        let (begin, end) = (numbers(&encoded.begin), numbers(&encoded.end));
        let strides = numbers(&encoded.strides);
        let begin_mask = self.mask(encoded.masks.begin, BoundRole::Begin, encoded);
        let end_mask = self.mask(encoded.masks.end, BoundRole::End, encoded);
        let numbers =
            code!(self.krate.span => [#begin], [#end], [#strides], #begin_mask, #end_mask);
        let kinds = self.list_of_kinds(encoded.kinds.iter().map(|&kind| self.kind(kind)));
        let spec = self.krate.path(&["SliceSpec"]);
        code!(self.krate.caller_span => <#spec<_, #kinds>>::__encoded(#numbers))
    }

    fn number(&self, number: EncodedNumber) -> Vec<TokenTree> {
        match number {
            EncodedNumber::Literal(value) => vec![Literal::i64_unsuffixed(value).into()],
            EncodedNumber::Value(value) => vec![self.number_name(value)],
            EncodedNumber::IndexEnd(value) => {
                let number = vec![self.number_name(value)];
                code!(self.krate.span => #number.saturating_add(1))
            }
        }
    }

    /// Writes a mask: the bits of the omitted bounds, combined by `|` with a variable for each bound that may be
    /// `None`.
    fn mask(&self, bits: u64, role: BoundRole, encoded: &Encoded) -> Vec<TokenTree> {
        let mut mask = vec![Literal::u64_unsuffixed(bits).into()];
        for (position, computed) in encoded.expressions.iter().enumerate() {
            if computed.role == role && can_be_omitted(computed) {
                let omitted = self.omitted_name(position);
                mask = code!(self.krate.span => #mask | #omitted);
            }
        }
        mask
    }

    /// Writes the list of kinds, such as `(Range, (Index, ()))`.
    fn list_of_kinds(
        &self,
        kinds: impl DoubleEndedIterator<Item = Vec<TokenTree>>,
    ) -> Vec<TokenTree> {
        nested_pairs(kinds, self.krate.span)
    }

    fn kind(&self, kind: ItemKind) -> Vec<TokenTree> {
        self.krate.path(&["kind", &format!("{kind:?}")])
    }

    /// Writes a call that converts the caller's expression to a number, or to a number and the mask bit of an omitted
    /// bound. The tokens of the call are located at the expression, so the compiler reports a type error there.
    fn value(&self, computed: &Computed) -> Vec<TokenTree> {
        let Expression {
            tokens,
            conversion,
            constant,
            ..
        } = &computed.expression;
        let [Some(first), Some(last)] = [tokens.first(), tokens.last()] else {
            unreachable!("an empty bound is not an expression")
        };
        let krate = self.krate.located_at(first.span());
        let span = krate.span;
        let tokens = self.tokens(&computed.expression);
        let is_step = computed.role == BoundRole::Step;
        // The compiler reports an invalid type at the method. If the method had the macro's span, it would mention the macro.
        let (method, method_span) = match conversion {
            Conversion::Index => ("index_in_s", first.span()),
            Conversion::Integer | Conversion::Never => ("value_in_s", first.span()),
            Conversion::Optional if is_step => ("stride_in_s", first.span()),
            Conversion::Optional => ("or_omitted_in_s", first.span()),
            Conversion::Negated | Conversion::NegatedTwice => ("negated_in_s", span),
        };
        let function = krate.path(&["expansion", "bound"]);
        let method = &Ident::new(method, method_span);
        let number = match conversion {
            Conversion::Never => {
                return code!(span => #function::<::core::primitive::i128>(#tokens).#method());
            }
            Conversion::Optional if !is_step => {
                let bit = &Literal::u64_unsuffixed(computed.bit);
                return code!(span => #function(#tokens).#method(#bit));
            }
            Conversion::Negated => {
                let opposite = krate.path(&["expansion", "opposite"]);
                code!(span => #opposite(#function(#tokens).#method() as _))
            }
            _ => code!(span => #function(#tokens).#method() as _),
        };
        if !constant {
            return number;
        }
        // The compiler underlines the whole bound, from the first token of the call to the last.
        let nonzero_step = krate.path(&["expansion", "nonzero_step"]);
        let last = Span::mixed_site().located_at(last.span());
        let number = &group(Delimiter::Parenthesis, number, last);
        code!(span => const { #nonzero_step #number })
    }

    /// Returns the caller's tokens, with the hint of the expression if there is one. Otherwise, wraps the tokens in a
    /// macro call if there are mistakes to report and syn has not parsed the tokens.
    fn tokens(&self, expression: &Expression) -> Vec<TokenTree> {
        let mut tokens = expression.tokens.clone();
        if let Some((range, hint)) = &expression.hint {
            let hinted = with_hint(&tokens[range.clone()], hint);
            tokens.splice(range.clone(), [hinted.into()]);
            return tokens;
        }
        if expression.parsed || !self.has_mistakes {
            return tokens;
        }
        let checked = self.krate.path(&["__expression"]);
        code!(self.krate.span => #checked!(#tokens))
    }
}

/// Wraps `tokens` in a macro whose name is the hint. If the compiler reports an error at `tokens`, it adds a note that
/// the error originates in this macro. Names in the tokens, including names of variables, resolve as they do outside
/// the macro.
fn with_hint(tokens: &[TokenTree], hint: &str) -> Group {
    let first = tokens
        .first()
        .map_or_else(Span::mixed_site, TokenTree::span);
    let span = Span::mixed_site().located_at(first);
    let hint = Ident::new(hint, span);
    let tokens = tokens.iter().map(|token| match token {
        // For a literal after a minus sign, the compiler would suggest a suffix, which does not help if the other factor
        // is unsigned.
        TokenTree::Literal(_) => {
            let mut block = Group::new(Delimiter::Brace, token.clone().into());
            block.set_span(Span::mixed_site().located_at(token.span()));
            block.into()
        }
        token => token.clone(),
    });
    let call = quote_spanned!(span=> macro_rules! #hint { () => { #(#tokens)* } } #hint!());
    let mut block = Group::new(Delimiter::Brace, call);
    // If the block had a span that belongs to the macro, a type error in it would be reported at the whole macro call.
    block.set_span(first);
    block
}

/// Returns whether the mask bit of a bound is known only at run time.
fn can_be_omitted(computed: &Computed) -> bool {
    computed.expression.conversion == Conversion::Optional && computed.role != BoundRole::Step
}
