//! Writes the items as one Rust expression, after a `compile_error!` for every mistake.

use std::borrow::Cow;

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::quote_spanned;

use crate::bound::{Conversion, Expression, WrittenBound};
use crate::check::Item;
use crate::encode::{Computed, Encoded, EncodedNumber, ItemKind, encode};
use crate::list::List;
use crate::mistake::{Mistake, Mistakes};
use crate::split::BoundRole;
use crate::writer::{Krate, Writer, group};

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
    let name = if has_list(items) {
        "ListSpec"
    } else {
        "SliceSpec"
    };
    let mut spec = krate.path(&[name]);
    spec.punct('<');
    if has_list(items) {
        spec.lifetime("static");
        spec.punct(',');
    }
    let parts = items.iter().map(|item| match item {
        Item::List(List::Points(lists)) => lists.len(),
        _ => 1,
    });
    spec.token(Literal::usize_unsuffixed(parts.sum()));
    spec.comma();
    let kinds: Vec<Vec<TokenTree>> = items.iter().map(|item| output.kind_of(item)).collect();
    spec.append(output.list_of_kinds(kinds.into_iter()));
    spec.punct('>');
    spec.stream()
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
    fn writer(&self) -> Writer {
        Writer::new(self.krate.span)
    }

    fn strided(&self, encoded: &Encoded) -> Vec<TokenTree> {
        if encoded.expressions.is_empty() {
            self.spec(encoded)
        } else {
            self.computed(encoded)
        }
    }

    /// Writes `(ListSpec::<'_, _, kinds> { __parts: [...] })`. A struct literal evaluates the parts in source order. If the
    /// literal initializes a variable, lists written in the brackets live as long as the variable. If they were arguments of
    /// a function, they would be dropped at the end of the statement.
    ///
    /// The kind of a reference follows from its type, so `kinds` has `_` in its place, which the compiler infers from the
    /// type of the part: all parts have the same type, which contains all kinds.
    fn listed(&self, items: Vec<Item>) -> Vec<TokenTree> {
        let kinds: Vec<Vec<TokenTree>> = items.iter().map(|item| self.kind_of(item)).collect();
        let mut parts = self.writer();
        for (position, item) in items.into_iter().enumerate() {
            let Item::List(List::Points(lists)) = item else {
                parts.comma();
                parts.append(self.part(item, position));
                continue;
            };
            let count = lists.len();
            for (place, list) in lists.into_iter().enumerate() {
                parts.comma();
                parts.append(self.point(list, (place, count), position));
            }
        }
        let mut spec = self.krate.path(&["ListSpec"]);
        spec.operator(':', ':');
        spec.punct('<');
        spec.lifetime("_");
        spec.punct(',');
        spec.word("_");
        spec.punct(',');
        spec.append(self.list_of_kinds(kinds.into_iter()));
        spec.punct('>');
        let mut all = self.writer();
        all.group(Delimiter::Bracket, parts.tokens());
        spec.group(Delimiter::Brace, self.field("__parts", all.tokens()));
        let inside = spec.tokens();
        vec![group(Delimiter::Parenthesis, inside, self.krate.caller_span).into()]
    }

    /// Writes the kind of an item, or `_` for a reference.
    fn kind_of(&self, item: &Item) -> Vec<TokenTree> {
        let (axes, rank) = match item {
            Item::List(List::Reference(_)) => {
                let mut inferred = self.writer();
                inferred.word("_");
                return inferred.tokens();
            }
            Item::List(List::Points(lists)) => {
                let ranks = lists.iter().map(|list| {
                    let mut rank = self.writer();
                    match list {
                        List::Positions(_, shape) | List::Mask(_, shape) => {
                            rank.append(self.krate.path(&["kind", "Rank"]).tokens());
                            rank.punct('<');
                            rank.number(shape.len() as u64);
                            rank.punct('>');
                        }
                        List::Reference(_) | List::Points(_) => rank.word("_"),
                    }
                    rank.tokens()
                });
                let ranks: Vec<Vec<TokenTree>> = ranks.collect();
                let mut points = self.krate.path(&["kind", "Points"]);
                points.punct('<');
                points.append(self.list_of_kinds(ranks.into_iter()));
                points.punct('>');
                return points.tokens();
            }
            Item::List(List::Positions(_, shape)) => (1, shape.len()),
            Item::List(List::Mask(_, shape)) => (shape.len(), 1),
            item => return self.kind(ItemKind::of(item)),
        };
        let mut kind = self.krate.path(&["kind", "List"]);
        if (axes, rank) != (1, 1) {
            kind.punct('<');
            kind.number(axes as u64);
            kind.punct(',');
            kind.number(rank as u64);
            kind.punct('>');
        }
        kind.tokens()
    }

    /// Writes one item of a slice with lists. `position` is the number of items before it.
    fn part(&self, item: Item, position: usize) -> Vec<TokenTree> {
        match item {
            Item::List(List::Reference(tokens)) => self.in_slice(
                self.borrowed_list(&["bound", "AList", "part_in_s"], tokens),
                position,
            ),
            Item::List(list) => self.literal_part("List", self.array(list)),
            item => {
                let mut of = self.krate.path(&["expansion", "BorrowedItem", "of"]);
                of.parentheses(self.strided(&encode(vec![item])));
                self.part_with(of.tokens())
            }
        }
    }

    /// Writes one of the lists of points. `position` is the number of items before the points.
    fn point(&self, list: List, (place, count): (usize, usize), position: usize) -> Vec<TokenTree> {
        let is_last = place + 1 == count;
        let List::Reference(tokens) = list else {
            let variant = if is_last { "LastPoint" } else { "Point" };
            return self.literal_part(variant, self.array(list));
        };
        let function = if is_last { "last_point" } else { "point" };
        let list = self.borrowed_list(&["expansion", function], tokens);
        let list = self.in_slice(list, place);
        let mut points = self.krate.path(&["expansion", "in_points"]);
        points.parentheses(list);
        self.in_slice(points.tokens(), position)
    }

    /// Writes `function(&rows)`. The tokens of the call are located at the reference, so the compiler reports a type error
    /// there.
    fn borrowed_list(&self, function: &[&str], tokens: Vec<TokenTree>) -> Vec<TokenTree> {
        let span = tokens
            .first()
            .map_or(self.krate.caller_span, TokenTree::span);
        let mut list = self.krate.located_at(span).path(function);
        list.parentheses(tokens);
        list.tokens()
    }

    /// Writes `after(after(first(part)))`, with `after` as often as there are items before the part.
    fn in_slice(&self, part: Vec<TokenTree>, position: usize) -> Vec<TokenTree> {
        let mut all = self.krate.path(&["expansion", "first"]);
        all.parentheses(part);
        for _ in 0..position {
            let mut after = self.krate.path(&["expansion", "after"]);
            after.parentheses(all.tokens());
            all = after;
        }
        all.tokens()
    }

    /// Writes `Part { __item: BorrowedItem::Variant { 0: value }, __kinds: PhantomData }`.
    fn literal_part(&self, variant: &str, value: Vec<TokenTree>) -> Vec<TokenTree> {
        let mut item = self.krate.path(&["expansion", "BorrowedItem", variant]);
        item.group(Delimiter::Brace, self.field("0", value));
        self.part_with(item.tokens())
    }

    fn part_with(&self, item: Vec<TokenTree>) -> Vec<TokenTree> {
        let mut fields = self.writer();
        fields.append(self.field("__item", item));
        fields.punct(',');
        fields.append(self.field("__kinds", self.core_path(&["marker", "PhantomData"])));
        let mut part = self.krate.path(&["expansion", "Part"]);
        part.group(Delimiter::Brace, fields.tokens());
        part.tokens()
    }

    /// Writes the path to an item in `core`.
    fn core_path(&self, names: &[&str]) -> Vec<TokenTree> {
        let mut path = self.writer();
        path.operator(':', ':');
        path.word("core");
        for name in names {
            path.operator(':', ':');
            path.word(name);
        }
        path.tokens()
    }

    /// Writes `name: value`.
    fn field(&self, name: &str, value: Vec<TokenTree>) -> Vec<TokenTree> {
        let mut field = self.writer();
        match name.parse() {
            Ok(number) => field.number(number),
            Err(_) => field.word(name),
        }
        field.punct(':');
        field.append(value);
        field.tokens()
    }

    /// Writes a literal with its shape: `ListArray { __elements: ListRef::I64 { 0: &[...] }, __shape: Some(&[...]) }`.
    fn array(&self, list: List) -> Vec<TokenTree> {
        let (variant, elements, shape) = match list {
            List::Positions(positions, shape) => ("I64", self.positions(positions), shape),
            List::Mask(mask, shape) => ("Mask", self.mask_elements(&mask), shape),
            // The caller writes references and points.
            List::Reference(_) | List::Points(_) => ("I64", self.positions(Vec::new()), vec![0]),
        };
        let mut list_ref = self.krate.path(&["expansion", "ListRef", variant]);
        list_ref.group(Delimiter::Brace, self.field("0", elements));
        let mut lens = self.writer();
        for len in shape {
            lens.comma();
            lens.number(len as u64);
        }
        let mut some = self.writer();
        some.append(self.core_path(&["option", "Option", "Some"]));
        some.parentheses(self.borrowed(lens, Delimiter::Bracket));
        let mut fields = self.writer();
        fields.append(self.field("__elements", list_ref.tokens()));
        fields.punct(',');
        fields.append(self.field("__shape", some.tokens()));
        let mut array = self.krate.path(&["expansion", "ListArray"]);
        array.group(Delimiter::Brace, fields.tokens());
        array.tokens()
    }

    fn mask_elements(&self, mask: &[bool]) -> Vec<TokenTree> {
        let mut list = self.writer();
        for &is_true in mask {
            list.comma();
            list.word(if is_true { "true" } else { "false" });
        }
        self.borrowed(list, Delimiter::Bracket)
    }

    /// Writes `&[0, 2]`, or `&saturate_all([...])` if a position is computed.
    fn positions(&self, positions: Vec<WrittenBound>) -> Vec<TokenTree> {
        let mut list = self.writer();
        let is_literal = |position: &WrittenBound| matches!(position, WrittenBound::Literal(_));
        let all_are_literals = positions.iter().all(is_literal);
        for position in positions {
            list.comma();
            match position {
                WrittenBound::Literal(value) => list.token(Literal::i64_unsuffixed(value)),
                WrittenBound::Expression(expression) => list.append(self.value(&Computed {
                    expression,
                    role: BoundRole::Index,
                    bit: 1,
                })),
            }
        }
        if all_are_literals {
            return self.borrowed(list, Delimiter::Bracket);
        }
        let mut array = self.writer();
        array.group(Delimiter::Bracket, list.tokens());
        let mut saturated = self.krate.path(&["expansion", "saturate_all"]);
        saturated.parentheses(array.tokens());
        let mut borrowed = self.writer();
        borrowed.punct('&');
        borrowed.append(saturated.tokens());
        borrowed.tokens()
    }

    fn borrowed(&self, inside: Writer, delimiter: Delimiter) -> Vec<TokenTree> {
        let mut borrowed = self.writer();
        borrowed.punct('&');
        borrowed.group(delimiter, inside.tokens());
        borrowed.tokens()
    }

    /// Writes `match saturate_all([...]) { [__slice_0, ...] => spec }`, which evaluates each value once, in source
    /// order.
    fn computed(&self, encoded: &Encoded) -> Vec<TokenTree> {
        let expressions = &encoded.expressions;
        let (mut values, mut numbers) = (self.writer(), self.writer());
        for (position, computed) in expressions.iter().enumerate() {
            values.comma();
            values.append(self.value(computed));
            numbers.comma();
            numbers.word(&number_name(position));
        }
        let saturated = |values: Vec<TokenTree>| {
            let mut all = self.writer();
            all.group(Delimiter::Bracket, values);
            let mut call = self.krate.path(&["expansion", "saturate_all"]);
            call.parentheses(all.tokens());
            call.tokens()
        };
        let numbers = group(Delimiter::Bracket, numbers.tokens(), self.krate.span);
        let spec = self.spec(encoded);
        if !expressions.iter().any(can_be_omitted) {
            return self.match_one(saturated(values.tokens()), numbers, spec);
        }
        // An optional bound expands to a number and a mask bit.
        let (mut bounds, mut elements) = (self.writer(), self.writer());
        for (position, computed) in expressions.iter().enumerate() {
            let number = number_name(position);
            bounds.comma();
            elements.comma();
            elements.word(&number);
            if can_be_omitted(computed) {
                let mut pair = self.writer();
                pair.word(&number);
                pair.comma();
                pair.word(&omitted_name(position));
                bounds.parentheses(pair.tokens());
                elements.cast();
            } else {
                bounds.word(&number);
            }
        }
        // The comma makes even a single value a tuple.
        bounds.comma();
        values.comma();
        let saturated = self.match_one(saturated(elements.tokens()), numbers, spec);
        let bounds = group(Delimiter::Parenthesis, bounds.tokens(), self.krate.span);
        let values = group(Delimiter::Parenthesis, values.tokens(), self.krate.span);
        self.match_one(vec![values.into()], bounds, saturated)
    }

    /// Writes `match value { pattern => then }`.
    fn match_one(
        &self,
        value: Vec<TokenTree>,
        pattern: Group,
        then: Vec<TokenTree>,
    ) -> Vec<TokenTree> {
        let mut arm = self.writer();
        arm.token(pattern);
        arm.operator('=', '>');
        arm.append(then);
        let mut all = self.writer();
        all.word("match");
        all.append(value);
        all.group(Delimiter::Brace, arm.tokens());
        all.tokens()
    }

    /// Writes `<SliceSpec<_, kinds>>::__encoded(begin, end, strides, begin_mask, end_mask)`. The other masks follow
    /// from the kinds. In `py!`, the first and the last token of the call must have spans in the caller's code: the `<`
    /// can have such a span, but the path to the crate cannot.
    fn spec(&self, encoded: &Encoded) -> Vec<TokenTree> {
        let masks = &encoded.masks;
        let mut arguments = self.writer();
        for numbers in [&encoded.begin, &encoded.end, &encoded.strides] {
            let mut list = self.writer();
            for &number in numbers {
                list.comma();
                self.number(number, &mut list);
            }
            arguments.comma();
            arguments.group(Delimiter::Bracket, list.tokens());
        }
        self.mask(masks.begin, BoundRole::Begin, encoded, &mut arguments);
        self.mask(masks.end, BoundRole::End, encoded, &mut arguments);
        let mut spec = Writer::new(self.krate.caller_span);
        spec.punct('<');
        spec.append(self.krate.path(&["SliceSpec"]).tokens());
        spec.punct('<');
        spec.word("_");
        spec.comma();
        spec.append(self.kinds(&encoded.kinds));
        spec.punct('>');
        spec.punct('>');
        spec.operator(':', ':');
        spec.word("__encoded");
        spec.parentheses(arguments.tokens());
        spec.tokens()
    }

    fn number(&self, number: EncodedNumber, out: &mut Writer) {
        match number {
            EncodedNumber::Literal(value) => out.token(Literal::i64_unsuffixed(value)),
            EncodedNumber::Value(value) => out.word(&number_name(value)),
            EncodedNumber::IndexEnd(value) => {
                out.word(&number_name(value));
                out.member("saturating_add");
                out.parentheses(vec![Literal::u64_unsuffixed(1).into()]);
            }
        }
    }

    /// Writes a mask: the bits of the omitted bounds, combined by `|` with a variable for each bound that may be
    /// `None`.
    fn mask(&self, bits: u64, role: BoundRole, encoded: &Encoded, out: &mut Writer) {
        out.comma();
        out.number(bits);
        for (position, computed) in encoded.expressions.iter().enumerate() {
            if computed.role == role && can_be_omitted(computed) {
                out.punct('|');
                out.word(&omitted_name(position));
            }
        }
    }

    /// Writes the list of kinds, such as `(Range, (Index, ()))`.
    fn kinds(&self, kinds: &[ItemKind]) -> Vec<TokenTree> {
        self.list_of_kinds(kinds.iter().map(|&kind| self.kind(kind)))
    }

    fn list_of_kinds(
        &self,
        kinds: impl DoubleEndedIterator<Item = Vec<TokenTree>>,
    ) -> Vec<TokenTree> {
        let mut list = Vec::new();
        for kind in kinds.rev() {
            let mut pair = self.writer();
            pair.append(kind);
            pair.comma();
            pair.parentheses(list);
            list = pair.tokens();
        }
        let mut all = self.writer();
        all.parentheses(list);
        all.tokens()
    }

    fn kind(&self, kind: ItemKind) -> Vec<TokenTree> {
        let name = match kind {
            ItemKind::Range => "Range",
            ItemKind::Index => "Index",
            ItemKind::NewAxis => "NewAxis",
            ItemKind::Ellipsis => "Ellipsis",
            ItemKind::List => "List",
        };
        self.krate.path(&["kind", name]).tokens()
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
        let tokens = self.tokens(&computed.expression).into_owned();
        let call = |function: &str, method: &str, arguments: Vec<TokenTree>| {
            let mut value = krate.path(&["expansion", function]);
            value.parentheses(tokens.clone());
            // The compiler reports an invalid type at the method. If the method had the macro's span, it would mention the macro.
            let span = match function {
                "bound" => first.span(),
                _ => krate.span,
            };
            value.punct('.');
            value.token(Ident::new(method, span));
            value.parentheses(arguments);
            value
        };
        let mut number = match conversion {
            Conversion::Index => call("bound", "index_in_s", Vec::new()),
            Conversion::Integer => call("bound", "value_in_s", Vec::new()),
            Conversion::Never => {
                let function = krate.path(&["expansion", "bound"]).tokens();
                let integer = quote_spanned!(krate.span=> #(#function)*::<::core::primitive::i128>(#(#tokens)*).value_in_s());
                return integer.into_iter().collect();
            }
            Conversion::Optional if computed.role == BoundRole::Step => {
                call("bound", "stride_in_s", Vec::new())
            }
            Conversion::Optional => {
                let bit = Literal::u64_unsuffixed(computed.bit);
                return call("bound", "or_omitted_in_s", vec![bit.into()]).tokens();
            }
            Conversion::NegatedTwice => call("operand", "value_in_s", Vec::new()),
            Conversion::Negated => {
                let mut operand = call("operand", "value_in_s", Vec::new());
                operand.cast();
                let mut negated = krate.path(&["expansion", "opposite"]);
                negated.parentheses(operand.tokens());
                negated
            }
        };
        if !matches!(conversion, Conversion::Negated) {
            number.cast();
        }
        if !constant {
            return number.tokens();
        }
        // The compiler underlines the whole bound, from the first token of the call to the last.
        let mut nonzero = krate.path(&["expansion", "nonzero"]);
        let last = Span::mixed_site().located_at(last.span());
        nonzero.token(group(Delimiter::Parenthesis, number.tokens(), last));
        let mut block = Writer::new(krate.span);
        block.word("const");
        block.group(Delimiter::Brace, nonzero.tokens());
        block.tokens()
    }

    /// Returns the caller's tokens, with the hint of the expression if there is one. Otherwise, wraps the tokens in a
    /// macro call if there are mistakes to report and syn has not parsed the tokens.
    fn tokens<'a>(&self, expression: &'a Expression) -> Cow<'a, [TokenTree]> {
        let Expression {
            tokens,
            parsed,
            hint,
            ..
        } = expression;
        if let Some((range, hint)) = hint {
            let mut hinted: Vec<TokenTree> = tokens[..range.start].to_vec();
            hinted.push(with_hint(&tokens[range.clone()], hint).into());
            hinted.extend(tokens[range.end..].iter().cloned());
            return hinted.into();
        }
        if *parsed || !self.has_mistakes {
            return tokens.into();
        }
        let mut checked = self.krate.path(&["__expression"]);
        checked.punct('!');
        checked.parentheses(tokens.clone());
        checked.tokens().into()
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

fn number_name(position: usize) -> String {
    format!("__slice_{position}")
}

fn omitted_name(position: usize) -> String {
    format!("__omitted_{position}")
}
