// Test cases for `py!` in macros whose fragments are arrays and other code. Each row defines a macro, and contains: its
// name, its matcher, the fragments that it passes on if it calls another macro of the same kind, the input of `py!`,
// the equivalent Rust code, and the arguments of the call. With these arguments, `py!` and the Rust code must give the
// same result.

arrays! {
    py_times ($x:expr, $k:expr) ($x, $k) [$x[1:] * $k] [$x.slice(ndarray::s![1..]).to_owned() * $k] (a(), 1.0 + 2.0);
    py_minus ($x:expr, $k:expr) ($x, $k) [$x[1:] - $k] [$x.slice(ndarray::s![1..]).to_owned() - $k] (a(), 1.0 + 2.0);
    py_minus_negative ($x:expr, $k:literal) ($x, $k) [$x[1:] - $k] [$x.slice(ndarray::s![1..]).to_owned() - $k] (a(), -2.0);
    py_negated ($x:expr, $k:expr) ($x, $k) [-$x[1:] * $k] [-$x.slice(ndarray::s![1..]).to_owned() * $k] (a(), 1.0 + 2.0);
    py_number_first ($x:expr, $k:expr) ($x, $k) [$k * $x[1:]] [$x.slice(ndarray::s![1..]).to_owned() * $k] (a(), 1.0 - 2.0);
    py_sum_of_arrays ($x:expr, $y:expr) ($x, $y) [$x[1:] * $y] [$x.slice(ndarray::s![1..]).to_owned() * $y] (a(), t() - 1.0);
    py_sliced_sum ($x:expr) ($x) [$x[1:]] [$x.slice(ndarray::s![1..])] (a() + &a());
    py_sliced_negative ($x:expr) ($x) [2.0 * $x[1:]] [2.0 * &$x.slice(ndarray::s![1..])] (-a());
    py_sliced_reference ($x:expr) ($x) [$x[1:]] [$x.slice(ndarray::s![1..])] (&a());
    py_sliced_call ($f:path) ($f) [$f()[1:]] [$f().slice(ndarray::s![1..])] (a);
    py_sliced_condition ($x:expr) ($x) [2.0 * $x[1:]] [2.0 * $x.slice(ndarray::s![1..]).to_owned()] (if true { a() } else { t() });
    py_bound ($x:expr, $n:expr) ($x, $n) [$x[$n * 2 - 1:]] [$x.slice(ndarray::s![$n * 2 - 1..])] (a(), 0 + 1);
    py_bound_is_fragment ($x:expr, $n:expr) ($x, $n) [$x[$n:-$n]] [$x.slice(ndarray::s![$n..-$n])] (a(), 0 + 1);
    py_bound_with_slice ($x:expr, $n:expr) ($x, $n) [$x[$x[$n * 2:].len():]] [$x.slice(ndarray::s![$x.slice(ndarray::s![$n * 2..]).len()..])] (a(), 0 + 1);
    py_bound_path ($x:expr, $p:path) ($x, $p) [$x[$p::2]] [$x.slice(ndarray::s![$p..; 2])] (a(), limits::one);
    py_bound_path_beside_slice ($x:expr, $p:path) ($x, $p) [$x[$p::$x[1:].len() - 1]] [$x.slice(ndarray::s![$p..; 2])] (a(), limits::one);
    py_product_without_slice ($x:expr, $y:expr) ($x, $y) [$x * $y] [$x * $y] (a() - 1.0, a() + 1.0);
    py_call_with_slice ($x:expr, $f:expr) ($x, $f) [$f(&$x[1:].to_owned())] [$f(&$x.slice(ndarray::s![1..]).to_owned())]
        (a(), |x: &Array1<f64>| x * 2.0);
    py_set ($x:expr, $v:expr) ($x, $v) [{ let mut x = $x; x[1:] = $v * 2.0; x }]
        [{ let mut x = $x; x.slice_mut(ndarray::s![1..]).fill($v * 2.0); x }] (a(), 1.0 + 2.0);
    py_set_value_is_fragment ($x:expr, $v:expr) ($x, $v) [{ let mut x = $x; x[1:] = $v; x }]
        [{ let mut x = $x; x.slice_mut(ndarray::s![1..]).fill($v); x }] (a(), 1.0 + 2.0);
    py_set_negative ($x:expr, $v:literal) ($x, $v) [{ let mut x = $x; x[1:] = $v; x }]
        [{ let mut x = $x; x.slice_mut(ndarray::s![1..]).fill($v); x }] (a(), -2.0);
    py_set_array ($x:expr, $v:expr) ($x, $v) [{ let mut x = $x; x[1:] = $v * 2.0; x }]
        [{ let mut x = $x; x.slice_mut(ndarray::s![1..]).assign(&($v * 2.0)); x }] (a(), t() - 1.0);
    py_set_bound ($x:expr, $n:expr) ($x, $n) [{ let mut x = $x; x[3 - $n:] = 9.0; x }]
        [{ let mut x = $x; x.slice_mut(ndarray::s![3 - $n..]).fill(9.0); x }] (a(), 0 + 1);
    py_add ($x:expr, $v:expr) ($x, $v) [{ let mut x = $x; x[1:] += $v * 2.0; x }]
        [{ let mut x = $x; x.slice_mut(ndarray::s![1..]).mapv_inplace(|x| x + $v * 2.0); x }] (a(), 1.0 + 2.0);
    py_subtracted_value_is_fragment ($x:expr, $v:expr) ($x, $v) [{ let mut x = $x; x[1:] -= $v; x }]
        [{ let mut x = $x; x.slice_mut(ndarray::s![1..]).mapv_inplace(|x| x - ($v)); x }] (a(), 1.0 - 2.0);
    py_local ($x:expr, $v:expr) ($x, $v) [{ let k = $v * 2.0; $x[1:] * k }]
        [{ let k = $v * 2.0; $x.slice(ndarray::s![1..]).to_owned() * k }] (a(), 1.0 + 2.0);
    py_condition ($x:expr, $c:expr) ($x, $c) [{ if !$c { $x[1:] * 2.0 } else { $x[1:] * 3.0 } }]
        [{ if !$c { $x.slice(ndarray::s![1..]).to_owned() * 2.0 } else { $x.slice(ndarray::s![1..]).to_owned() * 3.0 } }]
        (a(), true && false);
    py_condition_in_parentheses ($x:expr, $c:expr) ($x, $c) [{ if !($c && $x[1:].len() > 2) { $x[1:] * 2.0 } else { $x[:1] * 3.0 } }]
        [{ if !($c && $x.slice(ndarray::s![1..]).len() > 2) { $x.slice(ndarray::s![1..]).to_owned() * 2.0 } else { $x.slice(ndarray::s![..1]).to_owned() * 3.0 } }]
        (a(), true || false);
    py_struct_literal ($x:expr, $e:expr) ($x, $e) [{ if $e == $e { $x[1:] * $e.n } else { $x[1:] * 3.0 } }]
        [{ if $e == $e { $x.slice(ndarray::s![1..]).to_owned() * $e.n } else { $x.slice(ndarray::s![1..]).to_owned() * 3.0 } }]
        (a(), Pair { n: 5.0 });
    py_in_macro ($x:expr, $k:expr) ($x, $k) [Array1::from(vec![$x[1:].sum() * $k, $k * 2.0])]
        [Array1::from(vec![$x.slice(ndarray::s![1..]).sum() * $k, $k * 2.0])] (a(), 1.0 + 2.0);
    py_in_macro_without_slice ($m:ident, $k:expr) ($m, $k) [Array1::from($m!($k * 2.0))] [Array1::from($m!($k * 2.0))] (vec, [1.0, 2.0][0] + 2.0);

    py_ty ($x:expr, $t:ty) ($x, $t) [{ let k: $t = 2.0; $x[1:] * k }]
        [{ let k: $t = 2.0; $x.slice(ndarray::s![1..]).to_owned() * k }] (a(), f64);
    py_ty_cast ($x:expr, $n:expr, $t:ty) ($x, $n, $t) [$x[1:] * ($n as $t)]
        [$x.slice(ndarray::s![1..]).to_owned() * ($n as $t)] (a(), 1 + 2, f64);
    py_ty_in_function_signature ($x:expr, $t:ty) ($x, $t) [{ fn twice(x: $t) -> $t { x * 2.0 } twice($x[1:].to_owned()) }]
        [{ fn twice(x: $t) -> $t { x * 2.0 } twice($x.slice(ndarray::s![1..]).to_owned()) }] (a(), Array1<f64>);
    py_ty_reference ($x:expr, $t:ty) ($x, $t) [{ let f = |x: $t| -> Array1<f64> { x * 2.0 }; f(&$x[1:].to_owned()) }]
        [{ let f = |x: $t| -> Array1<f64> { x * 2.0 }; f(&$x.slice(ndarray::s![1..]).to_owned()) }] (a(), &Array1<f64>);

    py_path ($x:expr, $p:path) ($x, $p) [$p($x[1:].iter().copied())] [$p($x.slice(ndarray::s![1..]).iter().copied())] (a(), Array1::from_iter);

    py_ident ($x:ident, $n:ident) ($x, $n) [$x()[$n::2] * 2.0] [$x().slice(ndarray::s![$n..; 2]).to_owned() * 2.0] (a, ONE);
    py_method ($x:expr, $m:ident) ($x, $m) [$x[1:].$m(|x| x * 2.0)] [$x.slice(ndarray::s![1..]).$m(|x| x * 2.0)] (a(), mapv);
    py_tt ($x:tt, $k:tt) ($x, $k) [$x[1:] * $k] [$x.slice(ndarray::s![1..]).to_owned() * $k] ((a() + 1.0), (1.0 + 2.0));
    py_lifetime ($x:expr, $l:lifetime) ($x, $l) [{ let mut x = $x; $l: for i in 0..3 { for j in 0..3 { if j == 2 { continue $l } x[i + 1:] += 1.0; } } x }]
        [{ let mut x = $x; $l: for i in 0..3 { for j in 0..3 { if j == 2 { continue $l } x.slice_mut(ndarray::s![i + 1..]).mapv_inplace(|x| x + 1.0); } } x }] (a(), 'a);

    py_block ($x:expr, $b:block) ($x, $b) [$x[1:] * $b] [$x.slice(ndarray::s![1..]).to_owned() * $b] (a(), { 1.0 + 2.0 });
    py_branches_of_if ($x:expr, $b:block, $c:block) ($x, $b, $c) [{ let k = if $x[1:].len() > 9 $b else $c; $x[1:] * k }]
        [{ let k = if $x.len() > 10 $b else $c; $x.slice(ndarray::s![1..]).to_owned() * k }] (a(), { 1.0 + 2.0 }, { 5.0 });
    py_body_of_loop ($x:expr, $b:block) ($x, $b) [{ let mut x = $x; for _ in 0..2 $b x[1:] *= 2.0; x }]
        [{ let mut x = $x; for _ in 0..2 $b x.slice_mut(ndarray::s![1..]).mapv_inplace(|x| 2.0 * x); x }] (a(), { assert!(ONE == 1); });
    py_block_before_dereference ($x:expr, $b:block) ($x, $b) [{ let mut k = 1.0; let p = &mut k; $b *p = 3.0; $x[1:] * k }]
        [{ let mut k = 1.0; let p = &mut k; $b *p = 3.0; $x.slice(ndarray::s![1..]).to_owned() * k }] (a(), { assert!(ONE == 1); });
    py_body_of_match_arm ($x:expr, $b:block) ($x, $b) [match $x[1:].len() { 3 => $b _ => $x * 2.0 }]
        [match $x.len() { 4 => $b _ => $x * 2.0 }] (a(), { a() + 1.0 });

    py_pattern ($x:expr, $p:pat, $k:ident) ($x, $p, $k) [{ let $p = (2.0, 3); $x[1:] * $k }]
        [{ let $p = (2.0, 3); $x.slice(ndarray::s![1..]).to_owned() * $k }] (a(), (k, _), k);
    py_alternatives_in_pattern ($x:expr, $p:pat) ($x, $p) [match Some($x[1:].len()) { Some($p) => $x[1:] * 2.0, _ => $x[1:] * 3.0 }]
        [match Some($x.len() - 1) { Some($p) => $x.slice(ndarray::s![1..]).to_owned() * 2.0, _ => $x.slice(ndarray::s![1..]).to_owned() * 3.0 }] (a(), 1 | 3);
    py_pattern_in_alternatives ($x:expr, $p:pat_param) ($x, $p) [match Some($x[1:].len()) { $p | Some(7) => $x[1:] * 2.0, _ => $x[1:] * 3.0 }]
        [match Some($x.len() - 1) { $p | Some(7) => $x.slice(ndarray::s![1..]).to_owned() * 2.0, _ => $x.slice(ndarray::s![1..]).to_owned() * 3.0 }] (a(), Some(3));
    py_pattern_in_matches_macro ($x:expr, $p:pat) ($x, $p) [if matches!($x.len(), $p) { $x[1:] * 2.0 } else { $x[1:] * 3.0 }]
        [if matches!($x.len(), $p) { $x.slice(ndarray::s![1..]).to_owned() * 2.0 } else { $x.slice(ndarray::s![1..]).to_owned() * 3.0 }] (a(), 1 | 4);
    py_closure_parameter_pattern ($x:expr, $p:pat, $k:ident) ($x, $p, $k) [$x[1:].mapv(|x| (|$p: (f64, f64)| $k)((x, 1.0)))]
        [$x.slice(ndarray::s![1..]).mapv(|x| (|$p: (f64, f64)| $k)((x, 1.0)))] (a(), (k, _), k);
    py_range_pattern ($x:expr, $a:literal, $b:literal) ($x, $a, $b) [match 0 - 2 { $a..=$b => $x[1:] * 2.0, _ => $x[1:] * 3.0 }]
        [match 0 - 2 { $a..=$b => $x.slice(ndarray::s![1..]).to_owned() * 2.0, _ => $x.slice(ndarray::s![1..]).to_owned() * 3.0 }] (a(), -3, -1);
    py_statement ($x:expr, $s:stmt, $k:ident) ($x, $s, $k) [{ $s; $x[1:] * $k }] [{ $s; $x.slice(ndarray::s![1..]).to_owned() * $k }] (a(), let k = 1.0 + 2.0, k);
    py_item ($x:expr, $i:item) ($x, $i) [{ $i $x[1:] * f(2.0) }] [{ $i $x.slice(ndarray::s![1..]).to_owned() * f(2.0) }] (a(), fn f(k: f64) -> f64 { k + 1.0 });
    py_visibility ($x:expr, $v:vis) ($x, $v) [{ $v const KEPT: f64 = 2.0; $x[1:] * KEPT }]
        [{ $v const KEPT: f64 = 2.0; $x.slice(ndarray::s![1..]).to_owned() * KEPT }] (a(), pub(crate));
    py_meta ($x:expr, $m:meta) ($x, $m) [{ #[$m] let k = 2.0; $x[1:] * 2.0 }]
        [{ #[$m] let k = 2.0; $x.slice(ndarray::s![1..]).to_owned() * 2.0 }] (a(), allow(unused_variables));
}
