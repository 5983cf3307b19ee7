//! Checks that no input makes the macros panic, however broken the input is, because an editor expands the macros on
//! every keystroke.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

use fastrand::Rng;

use super::{pick, run};

/// The words in random input.
const WORDS: [&str; 44] = [
    "newaxis", "None", "NewAxis", "new_axis", "Ellipsis", "np", "n", "N", "i", "usize", "Self",
    "self", "config", "MAX", "true", "false", "if", "else", "match", "loop", "while", "for", "in",
    "let", "fn", "return", "break", "as", "mut", "ref", "move", "unsafe", "async", "const",
    "static", "_", "where", "use", "struct", "s", "vec", "size_of", "dyn", "impl",
];
/// The literals in random input. Literals that cannot be parsed are replaced with `1`.
const NUMBERS: &str = "0 1 2 0x0 0_0usize 1u128 256u8 1.5 1e3 1f32 0b 0xf64 12abc 9223372036854775807 \
    9223372036854775808 99999999999999999999999999999999999999999999 \"a\" b\"a\" 'a' b'a' r#\"a\"# c\"a\"";
/// The punctuation characters in random input. A repeated character is more likely to be chosen.
const PUNCTS: &str = ":::::,,,......;=<>!&|+-*/%^@#$?'~";

fn token(random: &mut Rng, depth: usize) -> TokenTree {
    match random.usize(..12) {
        0..=4 => {
            let puncts: Vec<char> = PUNCTS.chars().collect();
            let spacing = pick(random, &[Spacing::Joint, Spacing::Alone]);
            Punct::new(pick(random, &puncts), spacing).into()
        }
        5..=7 => {
            let numbers: Vec<&str> = NUMBERS.split(' ').collect();
            let literal: Result<Literal, _> = pick(random, &numbers).parse();
            literal
                .unwrap_or_else(|_| Literal::i64_unsuffixed(1))
                .into()
        }
        8 if depth > 0 => {
            let delimiters = [
                Delimiter::Parenthesis,
                Delimiter::Brace,
                Delimiter::Bracket,
                Delimiter::None,
            ];
            Group::new(pick(random, &delimiters), stream(random, depth - 1)).into()
        }
        9 => Ident::new_raw(pick(random, &["newaxis", "type", "n"]), Span::call_site()).into(),
        _ => Ident::new(pick(random, &WORDS), Span::call_site()).into(),
    }
}

fn stream(random: &mut Rng, depth: usize) -> TokenStream {
    let length = random.usize(..length_limit(depth));
    (0..length).map(|_| token(random, depth)).collect()
}

const fn length_limit(depth: usize) -> usize {
    4 * depth + 3
}

/// Returns `true` if a message begins in lower case or with code, and has a help line.
fn is_well_formed(text: &str) -> bool {
    let has_help = text.contains("\nhelp: ");
    has_help && text.starts_with(|first: char| first == '`' || first.is_lowercase())
}

#[test]
fn any_tokens_expand_to_a_value_and_an_error_for_each_mistake() {
    let mut random = Rng::with_seed(20_240_614);
    let (mut clean, mut faulty) = (0, 0);
    for _ in 0..5_000 {
        let input = stream(&mut random, 4);
        let tokens: Vec<TokenTree> = input.clone().into_iter().collect();
        crate::named::declarations(&crate::slice_core(), &tokens);
        crate::expand::tokens(&crate::slice_core(), &tokens);
        #[cfg(feature = "py")]
        crate::py::expand(crate::slice_core(), tokens);
        let outcome = run(input.clone());
        let output = outcome.tokens.to_string();
        let has_value = output.contains("SliceSpec") || output.contains("ListSpec");
        assert!(has_value, "the expansion of {input} has no value");
        assert_eq!(
            output.matches("compile_error").count(),
            outcome.mistakes.len(),
            "{input}"
        );
        assert!(outcome.encoded.kinds.len() <= 64);
        for text in &outcome.mistakes {
            assert!(
                is_well_formed(text),
                "badly formed message {text} for {input}"
            );
        }
        if outcome.mistakes.is_empty() {
            clean += 1
        } else {
            faulty += 1
        }
    }
    assert!(
        clean > 500 && faulty > 500,
        "too few inputs of one kind: {clean} without mistakes, {faulty} with mistakes"
    );
}

/// Checks input that is so long or so deeply nested that recursion over it would overflow the stack.
#[test]
fn long_and_deep_input_does_not_overflow_the_stack() {
    let mistakes = |text: String| run(text.parse().unwrap()).mistakes;
    let no_mistakes = Vec::<String>::new();
    let around = |open: &str, inside: &str, close: &str, depth: usize| {
        format!("{}{inside}{}", open.repeat(depth), close.repeat(depth))
    };
    let integers: TokenStream = "1 ".repeat(20_000).parse().unwrap();
    assert_eq!(run(integers).encoded.kinds.len(), 64);
    for sign in ["- ", "! ", "* ", "& "] {
        assert_eq!(mistakes(sign.repeat(20_001)).len(), 1, "{sign}");
    }
    for token in [
        "+ ", "< ", "> ", "| ", ". ", "? ", "'a ", ": ", "; ", ", ", "n ", "() ",
    ] {
        mistakes(token.repeat(20_001));
    }
    for sign in ["! ", "* ", "& "] {
        assert_eq!(
            mistakes(format!("{}n:", sign.repeat(20_000))).len(),
            1,
            "{sign}"
        );
    }
    assert_eq!(
        mistakes(format!("{}n:{}1", "- ".repeat(20_000), "- ".repeat(20_001))),
        no_mistakes
    );
    assert_eq!(
        mistakes(format!("{}n + 1:", "- ".repeat(20_000))),
        no_mistakes
    );
    assert_eq!(mistakes(format!("{}n", "n + ".repeat(20_000))), no_mistakes);
    assert_eq!(mistakes(format!("n{}", ".f()".repeat(20_000))), no_mistakes);
    assert_eq!(mistakes(format!("n{}", "::f".repeat(20_000))), no_mistakes);
    for (open, close) in [("(", ")"), ("f(", ")"), ("-(", ")"), ("{ ", " }")] {
        assert_eq!(
            mistakes(around(open, "n", close, 200)),
            no_mistakes,
            "{open}"
        );
    }
    assert_eq!(mistakes(around("(", "n", ")", 1_000)), no_mistakes);
    assert_eq!(mistakes(around("(", "0", ")", 1_000)), no_mistakes);
    assert_eq!(mistakes(around("{ ", "n", " }", 1_000)).len(), 1);
    assert_eq!(mistakes(around("[", "0", "]", 1_000)).len(), 1);
    assert_eq!(mistakes(around("|n| ", "n", "", 1_000)), no_mistakes);
    let mut invisible: TokenStream = quote::quote!(n);
    for _ in 0..1_000 {
        invisible = TokenTree::from(Group::new(Delimiter::None, invisible)).into();
    }
    assert_eq!(
        run(quote::quote!(#invisible:-#invisible)).mistakes,
        no_mistakes
    );
}
