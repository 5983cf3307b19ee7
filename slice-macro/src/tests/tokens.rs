//! Limits the total number of tokens in the expansions of ten statements in `py!`, because the compiler must process
//! the expansion of every call. The statements are the same as in `benches/compile_time.rs`.

use proc_macro2::{TokenStream, TokenTree};

const STATEMENTS: [&str; 10] = [
    "y[1:, :] - y[:-1, :]",
    "k * y[..., ::-1]",
    "y / y.sum_axis(Axis(1))[:, None]",
    "x[1:-1, 1:-1] += k * (y[:-2, 1:-1] + y[2:, 1:-1] + y[1:-1, :-2] + y[1:-1, 2:])",
    "x[n, :] = 0.0",
    "x[:n, ...] = y[n:, ...]",
    "y[n, 1:].sum()",
    "-y[::2, ::2]",
    "y[1:, 0] * y[:-1, 0] + k",
    "x[n:n + 2, :] *= k",
];

fn token_count(tokens: TokenStream) -> usize {
    let tokens = tokens.into_iter();
    tokens
        .map(|token| match token {
            TokenTree::Group(group) => 1 + token_count(group.stream()),
            _ => 1,
        })
        .sum()
}

#[test]
fn expansions_stay_short() {
    let lengths = STATEMENTS.map(|statement| {
        let tokens: TokenStream = statement.parse().unwrap();
        let tokens = tokens.into_iter().collect();
        token_count(crate::py::expand(crate::slice_core(), tokens))
    });
    assert!(
        lengths.iter().sum::<usize>() <= 1870,
        "the expansions are too long: {lengths:?}"
    );
}
