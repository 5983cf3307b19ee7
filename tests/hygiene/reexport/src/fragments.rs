//! Test cases for expressions in macros that receive fragments of every kind. Each row defines a macro, and contains:
//! `const` or `let`, its name, its matcher, the fragments that it passes on if it calls another macro of the same kind,
//! an expression with these fragments, and the arguments of the call. `const` means that the expression can also be
//! evaluated in a constant.

rows! {
    const times ($e:expr) ($e) [$e * 2] (1 + 2);
    const minus ($e:expr) ($e) [9 - $e] (1 + 2);
    const shift ($e:expr) ($e) [64 >> $e] (1 + 2);
    const shifted ($e:expr) ($e) [$e << 1] (1 + 1);
    const bits ($e:expr) ($e) [$e & 6] (1 | 2);
    const remainder ($e:expr) ($e) [20 % $e] (2 * 4);
    const negated ($e:expr) ($e) [-$e] (1 + 2);
    const negated_first ($e:expr) ($e) [-$e + 9] (1 + 2);
    const negated_twice ($e:expr) ($e) [- -$e] (1 + 2);
    const negated_negative ($e:expr) ($e) [-$e] (-3);
    const inverted ($e:expr) ($e) [!$e] (1 + 2);
    const power ($e:expr) ($e) [$e.pow(2)] (1_i64 + 2);
    const negated_power ($e:expr) ($e) [-$e.pow(2)] (1_i64 + 2);
    const cast ($e:expr) ($e) [$e as i64] (1_u8 + 2);
    const cast_product ($e:expr) ($e) [2 * $e as i64] (1_u8 + 2);
    const cast_operand ($e:expr) ($e) [$e * 2] (7_u8 as i64);
    const cast_compared ($e:expr) ($e) [($e < 8) as i64] (7_u8 as i64);
    const compared ($a:expr, $b:expr) ($a, $b) [($a == $b) as i64] (1 | 2, 3 & 7);
    const not ($c:expr) ($c) [!$c as i64] (true && false);
    const difference ($a:expr, $b:expr) ($a, $b) [$a - $b] (9 - 1, 4 - 1);
    const product ($a:expr, $b:expr) ($a, $b) [$a * $b - $a] (1 + 2, 4 - 1);
    const call ($e:expr) ($e) [i64::pow($e - 1, 2)] (1 + 2);
    const argument ($e:expr) ($e) [i64::pow($e, 2)] (1 + 2);
    const block_with_local ($e:expr) ($e) [{ let k = $e * 2; k - $e }] (1 + 2);
    const parenthesized ($e:expr) ($e) [($e * 2)] (1 + 2);
    const fragment_in_parentheses ($e:expr) ($e) [($e)] (1 + 2);
    const product_in_parentheses ($e:expr) ($e) [($e) * 2] (1 + 2);
    const match_on_fragment ($e:expr) ($e) [match $e - 1 { 2 => $e * 5, _ => 0 }] (1 + 2);
    const if_with_fragments ($c:expr, $d:expr, $e:expr) ($c, $d, $e)
        [if !$c && $d { $e - 1 } else { $e * 2 }] (true && false, false || true, 4 + 1);
    const array ($e:expr) ($e) [[1, $e * 2, 3][1]] (1 + 2);
    const indexed ($e:expr, $n:expr) ($e, $n) [$e[$n - 1]] ([4, 5], 1 + 1);
    const field ($e:expr) ($e) [$e.0 * 2] ((4, 5));
    const negative ($e:expr) ($e) [2 - $e] (-1);
    const negative_method ($e:expr) ($e) [$e.abs()] (-3_i64);
    const negative_cast ($e:expr) ($e) [$e as i64] (-1);
    const expression_is_fragment ($e:expr) ($e) [$e] (1 + 2);
    const negative_expression_is_fragment ($e:expr) ($e) [$e] (-3);
    const reference ($e:expr) ($e) [*$e * 2] (&(1 + 2));
    const method_of_reference ($e:expr) ($e) [$e.pow(2)] (&3_i64);
    const condition ($e:expr) ($e) [$e * 2] (if true { 1 } else { 2 });
    const condition_plus_number ($e:expr) ($e) [$e * 2] (if true { 1 } else { 2 } + 3);
    const block_expression ($e:expr) ($e) [$e - 1] ({ 5 });
    const match_expression ($e:expr) ($e) [3 * $e] (match 1 { n => n + 1 });
    const match_method ($e:expr) ($e) [$e.pow(2)] (match 2_i64 { n => n + 1 });
    const struct_literal ($e:expr) ($e) [if $e.n == 4 { 1 } else { 2 }] (Pair { n: 4 });
    const constant ($e:expr) ($e) [$e * 2 - $e] (limits::N);
    const constant_negated ($e:expr) ($e) [-$e] (limits::N);
    const macro_of ($m:ident, $e:expr) ($m, $e) [$m!($e * 2)] (twice, 1 + 2);
    const macro_argument_is_fragment ($m:ident, $e:expr) ($m, $e) [$m!($e)] (ten_minus, 1 + 2);
    const macro_of_macro ($m:ident, $e:expr) ($m, $e) [$m!(($e - 1) * $m!($e - 4))] (ten_minus, 1 + 2);
    const macro_that_prints ($e:expr) ($e) [stringify!($e).len()] (1 + 2);
    const macro_of_rust ($e:expr) ($e) [matches!($e - 1, 2) as i64] (1 + 2);
    let closure ($f:expr) ($f) [$f(3)] (|n: i64| n + 1);
    let closure_body ($e:expr) ($e) [(|n: i64| n - $e)(9)] (1 + 2);
    let return_value ($e:expr) ($e) [(|| -> i64 { return $e * 2; })()] (1 + 2);
    let range ($r:expr) ($r) [$r.count()] (0..4);
    let range_bounds ($a:expr, $b:expr) ($a, $b) [($a..$b * 2).count()] (1 - 1, 1 + 2);
    let vector ($e:expr) ($e) [vec![$e * 2; 3][0]] (1 + 2);
    let field_called ($e:expr) ($e) [$e(3)] (CALLS.twice);
    let question_mark ($e:expr) ($e) [(|| Some(9 - $e?))().unwrap()] (Some(1 + 2));

    const literal ($e:literal) ($e) [$e * 2] (3);
    const literal_is_expression ($e:literal) ($e) [$e] (-3);
    const literal_minus ($e:literal) ($e) [2 - $e] (-3);
    const literal_negated ($e:literal) ($e) [-$e] (-3);
    const literal_method ($e:literal) ($e) [$e.abs()] (-3_i64);
    const literal_positive_method ($e:literal) ($e) [$e.pow(2)] (3_i64);
    const literal_cast ($e:literal) ($e) [$e as i64] (-3);
    const literal_patterns ($a:literal, $b:literal) ($a, $b) [match -2 { $a..=$b => 7, _ => 8 }] (-3, -1);

    const ty ($t:ty) ($t) [<$t>::MAX as i64 - 250] (u8);
    const ty_path ($t:ty) ($t) [<$t>::MAX as i64 - 250] (core::primitive::u8);
    const ty_generic ($t:ty) ($t) [<$t>::N * 2] (Counted<5>);
    const ty_generic_path ($t:ty) ($t) [1 + <$t>::N] (crate::Counted<5>);
    const ty_array ($t:ty) ($t) [<$t>::LEN + 1] ([u8; 4]);
    const ty_of_trait ($t:ty) ($t) [<$t as Named>::LEN + 1] ([u8; 4]);
    const ty_projection ($t:ty) ($t) [<$t>::MAX as i64 - 250] (<[u8; 4] as Named>::Element);
    const ty_reference ($t:ty) ($t) [size_of::<$t>() * 2] (&'static str);
    const ty_pointer ($t:ty) ($t) [size_of::<Option<$t>>() - 1] (*const u8);
    const ty_cast ($t:ty, $e:expr) ($t, $e) [$e as $t as i64 - 40] (u8, 200 + 100);
    const ty_cast_less ($t:ty, $e:expr) ($t, $e) [($e as $t < 4) as i64] (u8, 1 + 2);
    const ty_cast_shift ($t:ty, $e:expr) ($t, $e) [$e as $t << 1] (i64, 1 + 2);
    let ty_method ($t:ty) ($t) [<$t>::new().len() + 1] (Vec<u8>);
    let ty_default ($t:ty) ($t) [<$t>::default().len() + 1] (&'static str);

    const path ($p:path) ($p) [$p * 2] (limits::N);
    const path_negated ($p:path) ($p) [-$p] (limits::N);
    const path_method ($p:path) ($p) [$p.pow(2)] (limits::N);
    const path_called ($p:path) ($p) [$p(3) - 1] (i64::abs);
    const path_generic_called ($p:path) ($p) [$p() * 2] (size_of::<u16>);
    const path_generic_type ($p:path) ($p) [$p() * 2] (size_of<u16>);
    const path_of_tuple ($p:path) ($p) [$p(4).0] (Wrapper<i64>);
    const path_of_struct ($p:path) ($p) [{ $p { n: 4 }.n }] (crate::Pair<i64>);
    const path_cast ($p:path, $e:expr) ($p, $e) [$e as $p as i64 - 40] (core::primitive::u8, 200 + 100);

    const ident ($i:ident) ($i) [$i * 2] (FIVE);
    const ident_negated ($i:ident) ($i) [-$i] (FIVE);
    const ident_method ($i:ident) ($i) [$i.pow(2)] (FIVE);
    const ident_of_method ($e:expr, $i:ident) ($e, $i) [$e.$i(2) - 1] (1_i64 + 2, pow);

    const tt ($t:tt) ($t) [9 - $t] ((1 + 2));
    const tt_literal ($t:tt) ($t) [-$t] (3);
    const tt_method ($t:tt) ($t) [$t.pow(2)] ((1_i64 + 2));

    const lifetime ($l:lifetime) ($l) [$l: loop { break $l 3 }] ('a);
    const lifetime_of_block ($l:lifetime, $e:expr) ($l, $e) [2 * $l: { break $l $e }] ('a, 1 + 2);

    const block ($b:block) ($b) [$b * 2] ({ 1 + 2 });
    const block_is_expression ($b:block) ($b) [$b] ({ 1 + 2 });
    const block_minus ($b:block) ($b) [9 - $b] ({ 1 + 2 });
    const block_method ($b:block) ($b) [$b.pow(2)] ({ 1_i64 + 2 });
    const block_cast ($b:block) ($b) [$b as i64] ({ 1_u8 + 2 });
    const block_of_condition ($b:block, $c:block) ($b, $c) [if true $b else $c] ({ 1 + 2 }, { 0 });
    const block_after_condition ($b:block, $c:expr) ($b, $c) [if $c $b else if !$c $b else { 0 }] ({ 1 + 2 }, true && false);
    const block_of_loop ($b:block) ($b) [loop { break $b }] ({ 1 + 2 });
    const block_is_loop ($b:block) ($b) [loop $b] ({ break 3 });
    const block_of_match ($b:block) ($b) [match 1 { 1 => $b _ => 9 }] ({ 1 + 2 });
    const block_in_the_middle ($b:block) ($b) [2 * $b - 1] ({ 1 + 2 });
    let block_of_closure ($b:block) ($b) [(|| $b)() - 1] ({ 1 + 2 });
}
