//! The encoded spec to one Rust expression, and every mistake to a `compile_error!` in front of it.

use crate::bound::Bound;
use crate::encode::{Encoded, Kind, Number};
use crate::mistake::{Mistake, Mistakes};
use crate::tokens::{
    Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree,
};

/// The value of the macro's call.
///
/// With mistakes it is a block whose last expression still has the type that the caller wanted, so that nothing but the
/// mistakes is reported.
pub fn expression(krate: TokenStream, encoded: &Encoded, mistakes: &Mistakes) -> TokenStream {
    let mut out = Output::new(krate);
    out.compile_errors(mistakes);
    if encoded.expressions.is_empty() {
        out.spec(encoded);
    } else {
        out.with_values(encoded, mistakes);
    }
    if mistakes.is_empty() {
        return out.finish();
    }
    TokenTree::Group(Group::new(Delimiter::Brace, out.finish())).into()
}

/// The type of the spec, as it is written where nothing can be left for the compiler to infer.
pub fn spec_type(krate: TokenStream, encoded: &Encoded) -> TokenStream {
    let mut out = Output::new(krate);
    out.krate_path(&["SliceSpec"]);
    out.punct('<', Spacing::Alone);
    out.push(Literal::usize_unsuffixed(encoded.kinds.len()));
    out.punct(',', Spacing::Alone);
    out.kinds(&encoded.kinds);
    out.punct('>', Spacing::Alone);
    out.finish()
}

/// A `compile_error!` in the place of each mistake.
pub fn compile_errors(mistakes: &Mistakes) -> TokenStream {
    let mut out = Output::new(TokenStream::new());
    out.compile_errors(mistakes);
    out.finish()
}

/// Tokens being written, all in one place, because handing them to the compiler is what costs time.
struct Output {
    /// The path of `slice_core`, as the caller knows it.
    krate: Vec<TokenTree>,
    tokens: Vec<TokenTree>,
    /// Where the tokens being written are shown in errors.
    place: Span,
}

impl Output {
    fn new(krate: TokenStream) -> Self {
        Output {
            krate: krate.into_iter().collect(),
            tokens: Vec::with_capacity(64),
            place: Span::mixed_site(),
        }
    }

    fn finish(self) -> TokenStream {
        self.tokens.into_iter().collect()
    }

    /// `match saturate_all([...]) { [__slice_0, ...] => spec }`: all values once, in the order of the source.
    fn with_values(&mut self, encoded: &Encoded, mistakes: &Mistakes) {
        self.word("match");
        self.krate_path(&["__private", "saturate_all"]);
        self.group(Delimiter::Parenthesis, |out| {
            out.list(&encoded.expressions, |out, bound| {
                out.value(bound, mistakes)
            });
        });
        self.group(Delimiter::Brace, |out| {
            let positions: Vec<usize> = (0..encoded.expressions.len()).collect();
            out.list(&positions, |out, &position| out.name(position));
            out.punct('=', Spacing::Joint);
            out.punct('>', Spacing::Alone);
            out.spec(encoded);
        });
    }

    /// `SliceSpec::<_, kinds>::__encoded(begin, end, strides, masks)`.
    fn spec(&mut self, encoded: &Encoded) {
        self.krate_path(&["SliceSpec"]);
        self.colons();
        self.punct('<', Spacing::Alone);
        self.word("_");
        self.punct(',', Spacing::Alone);
        self.kinds(&encoded.kinds);
        self.punct('>', Spacing::Joint);
        self.colons();
        self.word("__encoded");
        self.group(Delimiter::Parenthesis, |out| {
            for numbers in [&encoded.begin, &encoded.end, &encoded.strides] {
                out.list(numbers, |out, number| out.number(number));
                out.punct(',', Spacing::Alone);
            }
            let masks = &encoded.masks;
            for mask in [
                masks.begin,
                masks.end,
                masks.ellipsis,
                masks.new_axis,
                masks.shrink_axis,
            ] {
                out.push(Literal::u64_unsuffixed(mask));
                out.punct(',', Spacing::Alone);
            }
        });
    }

    /// `(Range, (Index, ()))`.
    fn kinds(&mut self, kinds: &[Kind]) {
        self.group(Delimiter::Parenthesis, |out| {
            if let [first, rest @ ..] = kinds {
                let first = match first {
                    Kind::Range => "Range",
                    Kind::Index => "Index",
                    Kind::NewAxis => "NewAxis",
                    Kind::Ellipsis => "Ellipsis",
                };
                out.krate_path(&["kind", first]);
                out.punct(',', Spacing::Alone);
                out.kinds(rest);
            }
        });
    }

    fn number(&mut self, number: &Number) {
        match *number {
            Number::Literal(value) => self.push(Literal::i64_unsuffixed(value)),
            Number::Value(value) => self.name(value),
            Number::IndexEnd(value) => {
                self.name(value);
                self.punct('.', Spacing::Alone);
                self.word("saturating_add");
                self.group(Delimiter::Parenthesis, |out| {
                    out.push(Literal::i64_unsuffixed(1))
                });
            }
        }
    }

    /// The caller's expression as an `i128`: of any integer type, and a type error in its own place otherwise.
    fn value(&mut self, bound: &Bound, mistakes: &Mistakes) {
        let (Bound::Expression(tokens) | Bound::ConstantStride(tokens)) = bound else {
            unreachable!("a literal is no expression")
        };
        let [Some(first), Some(last)] = [tokens.first(), tokens.last()]
            .map(|token| Some(Span::mixed_site().located_at(token?.span())))
        else {
            unreachable!("an empty bound is no expression")
        };
        self.place = first;
        if matches!(bound, Bound::Expression(_)) {
            self.integer(tokens, mistakes);
        } else {
            self.word("const");
            self.group(Delimiter::Brace, |out| {
                out.krate_path(&["__private", "assert_stride"]);
                out.group(Delimiter::Parenthesis, |out| out.integer(tokens, mistakes));
                // The error underlines all of the bound, from the first token of the call to the last.
                if let Some(arguments) = out.tokens.last_mut() {
                    arguments.set_span(last);
                }
            });
        }
        self.place = Span::mixed_site();
    }

    fn integer(&mut self, tokens: &[TokenTree], mistakes: &Mistakes) {
        self.krate_path(&["__private", "integer"]);
        self.group(Delimiter::Parenthesis, |out| {
            if mistakes.is_empty() {
                out.tokens.extend(tokens.iter().cloned());
            } else {
                // A syntax error in the caller's expression must not swallow the mistakes in front of it.
                out.krate_path(&["__private", "bound"]);
                out.punct('!', Spacing::Alone);
                out.group(Delimiter::Parenthesis, |out| {
                    out.tokens.extend(tokens.iter().cloned())
                });
            }
        });
        self.word("as");
        self.path(&["core", "primitive", "i128"]);
    }

    fn compile_errors(&mut self, mistakes: &Mistakes) {
        mistakes
            .iter()
            .for_each(|mistake| self.compile_error(mistake));
    }

    fn compile_error(&mut self, mistake: &Mistake) {
        self.place = mistake.first;
        self.path(&["core", "compile_error"]);
        self.punct('!', Spacing::Alone);
        self.place = mistake.last;
        self.group(Delimiter::Brace, |out| {
            out.push(Literal::string(&mistake.text))
        });
        self.place = Span::mixed_site();
    }

    /// `[a, b, c]`.
    fn list<T>(&mut self, elements: &[T], mut element: impl FnMut(&mut Self, &T)) {
        self.group(Delimiter::Bracket, |out| {
            for each in elements {
                element(out, each);
                out.punct(',', Spacing::Alone);
            }
        });
    }

    fn name(&mut self, position: usize) {
        self.word(&format!("__slice_{position}"));
    }

    /// A path in `slice_core`, resolved where that crate's own path came from.
    fn krate_path(&mut self, segments: &[&str]) {
        for token in &self.krate {
            let mut token = token.clone();
            token.set_span(self.place.resolved_at(token.span()));
            self.tokens.push(token);
        }
        self.path(segments);
    }

    fn path(&mut self, segments: &[&str]) {
        for segment in segments {
            self.colons();
            self.word(segment);
        }
    }

    fn colons(&mut self) {
        self.punct(':', Spacing::Joint);
        self.punct(':', Spacing::Alone);
    }

    fn word(&mut self, word: &str) {
        self.tokens.push(Ident::new(word, self.place).into());
    }

    fn punct(&mut self, punct: char, spacing: Spacing) {
        let mut punct = Punct::new(punct, spacing);
        punct.set_span(self.place);
        self.tokens.push(punct.into());
    }

    fn push(&mut self, literal: Literal) {
        let mut literal = literal;
        literal.set_span(self.place);
        self.tokens.push(literal.into());
    }

    fn group(&mut self, delimiter: Delimiter, write: impl FnOnce(&mut Self)) {
        let before = self.tokens.len();
        write(self);
        let inner = self.tokens.split_off(before).into_iter().collect();
        let mut group = Group::new(delimiter, inner);
        group.set_span(self.place);
        self.tokens.push(group.into());
    }
}
