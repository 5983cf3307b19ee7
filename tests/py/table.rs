//! Checks every kind of index, in every context, after every kind of container. After arrays, the results are NumPy's,
//! which `tests/oracle/py_table.py` has recorded under the names of the index and the context. After other containers,
//! they are those of the same expression outside `py!`.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Mutex;

use ndarray::array;
use slice_core::{named, py, s};

use super::cells::{
    Cells, Held, Holder, List, clear, pick, recorded_kinds, same, total, total_of, twice, zero,
};
use super::functions::f;

const COPY: &str = "listed elements are copied, so a change would be lost";
const OUTLIVES: &str = "the row would outlive the array";
const RANK: &str = "the type of the result cannot depend on the rank";

/// The reasons why `py!` does not support a cell, each of which the guide gives.
pub const REASONS: [&str; 3] = [COPY, OUTLIVES, RANK];

const SHARED: &str = "the container cannot be modified";

named! { const TAIL = s![1:]; }

/// Evaluates an indexed expression in a context.
macro_rules! evaluate {
    (value $($e:tt)*) => { py!($($e)*) };
    (operand $($e:tt)*) => { py!($($e)* * 2.0 - $($e)*) };
    (compared $($e:tt)*) => { py!($($e)* > 1.0) };
    (sum $($e:tt)*) => { py!($($e)*.sum()) };
    (abs $($e:tt)*) => { py!($($e)*.abs()) };
    (borrowed $($e:tt)*) => { py!(total(&$($e)*)) };
    (before_brackets $($e:tt)*) => { py!($($e)*[1:]) };
    (before_an_index $($e:tt)*) => { py!($($e)*[0]) };
    (if $($e:tt)*) => { py!(if $($e)* > 1.0 { 1.0 } else { 0.0 }) };
    (if_any $($e:tt)*) => { py!(if ($($e)* > 1.0).iter().any(|&v| v) { 1.0 } else { 0.0 }) };
    (for $($e:tt)*) => { py!({ let mut t = 0.0; for part in $($e)* { t += total(&part); } t }) };
    (while $($e:tt)*) => { py!({ let mut t = -9.0; while t < $($e)* { t += 1.0; } t }) };
    (closure $($e:tt)*) => { py!({ let g = || $($e)* * 0.5; g() }) };
    (match $($e:tt)*) => { py!(match $($e)* { part => total(&part) }) };
    (argument $($e:tt)*) => { py!(total_of($($e)*)) };
    (let $($e:tt)*) => { py!({ let part = $($e)*; part * 1.0 }) };
    (return $($e:tt)*) => { (|| { return py!($($e)* * 1.0); })() };
}

/// Changes the elements that an expression selects.
macro_rules! change {
    (assigned $($e:tt)*) => { py!($($e)* = 9.0) };
    (increased $($e:tt)*) => { py!($($e)* += 2.0) };
    (doubled $($e:tt)*) => { py!($($e)* = 2.0 * $($e)*) };
    (mutably_borrowed $($e:tt)*) => { py!(clear(&mut $($e)*)) };
}

/// Compares the result of an expression in each context with NumPy's.
macro_rules! reads {
    ($cells:ident $setup:tt $e:tt: $($context:tt)*) => { $( reads! { @$context $cells $setup $e } )* };
    (@$context:tt $cells:ident {$($setup:tt)*} {$($e:tt)*}) => {{
        $($setup)*
        let out = evaluate!($context $($e)*);
        $cells.check(stringify!($context), &out);
    }};
}

/// Compares the container `x` after each change with NumPy's array.
macro_rules! writes {
    ($cells:ident $setup:tt $e:tt $x:tt: $($context:ident)*) => { $( writes! { @$context $cells $setup $e $x } )* };
    (@$context:ident $cells:ident {$($setup:tt)*} {$($e:tt)*} {$($x:tt)*}) => {{
        $($setup)*
        change!($context $($e)*);
        $cells.check(stringify!($context), &$($x)*);
    }};
}

/// Checks what can be read: an element, a `view`, a `copy` with one axis, or `copies` with several axes. Only the types of
/// `fixed` containers have a rank.
macro_rules! read {
    (element fixed $($cell:tt)*) => {
        read! { element $($cell)* }
        reads! { $($cell)*: if while }
    };
    (element dynamic $cells:ident $($cell:tt)*) => {
        read! { element $cells $($cell)* }
        $cells.without(RANK, &["if", "while"]);
    };
    (element $($cell:tt)*) => {
        reads! { $($cell)*: value operand compared abs borrowed closure match argument let return }
    };
    (array $($cell:tt)*) => {
        reads! { $($cell)*: value operand compared sum borrowed before_brackets if_any for closure match argument let return }
    };
    (view $rank:ident $($cell:tt)*) => {
        read! { array $($cell)* }
        reads! { $($cell)*: before_an_index }
    };
    (copy fixed $($cell:tt)*) => { read! { view fixed $($cell)* } };
    ($copy:ident $rank:ident $cells:ident $($cell:tt)*) => {
        read! { array $cells $($cell)* }
        $cells.without(OUTLIVES, &["before_an_index"]);
    };
}

/// Checks what can be written, if the container is `mutable`.
macro_rules! write {
    ($class:ident shared $cells:ident $($cell:tt)*) => {
        $cells.without(SHARED, &["assigned", "increased", "doubled", "mutably_borrowed"]);
    };
    ($class:ident mutable $cells:ident $($cell:tt)*) => {
        writes! { $cells $($cell)*: assigned increased doubled }
        write! { $class $cells $($cell)* }
    };
    (element $($cell:tt)*) => { writes! { $($cell)*: mutably_borrowed } };
    (view $($cell:tt)*) => { writes! { $($cell)*: mutably_borrowed } };
    ($copy:ident $cells:ident $($cell:tt)*) => { $cells.without(COPY, &["mutably_borrowed"]); };
}

/// Declares a test for each index. `$setup` declares the container `$x`, and `$variables` the variables of the index.
macro_rules! tests {
    ($rank:ident $access:ident $setup:tt $x:tt: $($kind:ident $class:ident $variables:tt $index:tt;)*) => {
        pub const KINDS: &[&str] = &[$(stringify!($kind)),*];
        $( tests! { @$kind $class $rank $access $setup $variables $x $index } )*
    };
    (@$kind:ident $class:ident $rank:ident $access:ident {$($setup:tt)*} {$($variables:tt)*} {$($x:tt)*} [$($index:tt)*]) => {
        #[test]
        fn $kind() {
            let mut cells = Cells::of(stringify!($kind));
            read! { $class $rank cells {$($setup)* $($variables)*} {$($x)*[$($index)*]} }
            write! { $class $access cells {$($setup)* $($variables)*} {$($x)*[$($index)*]} {$($x)*} }
            cells.finish();
        }
    };
}

/// Declares the tests of the indices that are used after every container.
macro_rules! containers {
    ($($container:ident $rank:ident $access:ident $setup:tt {$($x:tt)*};)*) => { $(
        mod $container {
            use super::*;

            tests! { $rank $access $setup {$($x)*}:
                literal view {} [1];
                i64_variable view { let k = -1_i64; } [k];
                range view {} [1:];
                list_variable copies { let rows = [2, 0]; } [rows];
                mask_expression copy {} [$($x)* > 1.0];
                slice_variable view { let ix = s![1:, 0]; } [ix];
                pair_of_variables element { let u = 1_usize; let k = -1_i64; } [u, k];
                index_and_range view { let u = 1_usize; } [u, 1:];
                point_variables copy { let rows = [2, 0]; let cols = [1, 3]; } [rows, cols];
            }
        }
    )*
        const OF_CONTAINERS: &[&[&str]] = &[$($container::KINDS),*];
    };
}

containers! {
    array fixed mutable { let mut x = f((3, 4)); } {x};
    array_d dynamic mutable { let mut x = f((3, 4)).into_dyn(); } {x};
    array_view fixed shared { let a = f((3, 4)); let x = a.view(); } {x};
    array_view_mut fixed mutable { let mut a = f((3, 4)); let mut x = a.view_mut(); } {x};
    ref_array fixed shared { let a = f((3, 4)); let x = &a; } {x};
    ref_mut_array fixed mutable { let mut a = f((3, 4)); let x = &mut a; } {x};
    boxed fixed mutable { let mut x = Box::new(f((3, 4))); } {x};
    rc fixed shared { let x = Rc::new(f((3, 4))); } {x};
    ref_mut fixed mutable { let a = RefCell::new(f((3, 4))); let mut x = a.borrow_mut(); } {x};
    mutex_guard fixed mutable { let a = Mutex::new(f((3, 4))); let mut x = a.lock().unwrap(); } {x};
    field fixed mutable { let mut h = Holder { x: f((3, 4)) }; } {h.x};
    element_of_a_vec fixed mutable { let mut v = vec![f((3, 4)), f((3, 4))]; } {v[1]};
}

mod array_alone {
    use super::*;

    tests! { fixed mutable { let mut x = f((3, 4)); } {x}:
        negative_literal view {} [-1];
        usize_variable view { let u = 1_usize; } [u];
        untyped_variable view { let q = 0; } [q];
        arithmetic view { let u = 1_usize; } [u + 1];
        range_with_variables view { let u = 1_usize; let k = -1_i64; } [u - 1:k];
        step view {} [::-2];
        list copies {} [[2, 0]];
        list_of_one copies {} [[1]];
        vec_variable copies { let vec = vec![0_usize, 2]; } [vec];
        array_variable copies { let arr = array![1, 1]; } [arr];
        reference_to_a_list copies { let vec = vec![0_usize, 2]; } [&vec];
        list_with_two_axes copies { let table = array![[0, 1], [2, 0]]; } [table];
        mask_variable copy { let m = f((3, 4)).mapv(|v| v > 1.0); } [m];
        mask_of_rows copies { let rm = array![true, false, true]; } [rm];
        masks_combined copy {} [(x > -2.0) & (x < 3.0)];
        negated_mask copy { let m = f((3, 4)).mapv(|v| v > 1.0); } [!m];
        slice_constant view {} [TAIL];
        slice_in_a_field view { let held = Held { ix: s![::-1, 1:3], rows: vec![2, 0] }; } [held.ix];
        list_in_a_field copies { let held = Held { ix: s![::-1, 1:3], rows: vec![2, 0] }; } [held.rows];
        newaxis view {} [None, 1];
        ellipsis view {} [..., 0];
        pair element {} [1, 2];
        row view {} [1, :];
        column view {} [:, -1];
        point_lists copy {} [[0, 2], [1, 3]];
        list_and_index copy { let rows = [2, 0]; } [rows, 0];
        mask_and_index copy { let rm = array![true, false, true]; } [rm, 0];
        range_and_list copies { let cols = [1, 3]; } [:, cols];
        mask_and_range copies { let rm = array![true, false, true]; } [rm, 1:];
        call copies {} [pick()];
        product copies { let half = array![0, 1]; } [2 * half];
        element_of_a_vec copies { let lists = vec![vec![0_i64], vec![2, 1]]; } [lists[1]];
        element_of_a_list view { let rows = [2, 0]; } [rows[1]];
        slice_of_a_list copies { let vec = vec![0_usize, 2]; } [vec[::-1]];
        list_with_a_new_axis copies { let arr = array![1, 1]; let cols = [1, 3]; } [arr[:, None], cols];
    }
}

#[test]
fn every_recorded_index_is_tested() {
    let tested = OF_CONTAINERS.iter().chain([&array_alone::KINDS]);
    let tested: BTreeSet<&str> = tested.copied().flatten().copied().collect();
    assert_eq!(tested, recorded_kinds());
}

/// Compares an expression in a context with the same expression outside `py!`. The brackets are Rust's.
macro_rules! compare {
    (value $setup:tt $e:tt $v:tt) => { compare! { $setup $e } };
    (assigned $setup:tt {$($e:tt)*} {$($v:tt)*}) => { compare! { $setup {{ $($e)* = 9; $($v)*.to_owned() }} } };
    (increased $setup:tt {$($e:tt)*} {$($v:tt)*}) => { compare! { $setup {{ $($e)* += 2; $($v)*.to_owned() }} } };
    (doubled $setup:tt {$($e:tt)*} {$($v:tt)*}) => { compare! { $setup {{ $($e)* = 2 * $($e)*; $($v)*.to_owned() }} } };
    (operand $setup:tt {$($e:tt)*} $v:tt) => { compare! { $setup { $($e)* * 2 - $($e)* } } };
    (compared $setup:tt {$($e:tt)*} $v:tt) => { compare! { $setup { $($e)* > 1 } } };
    (equal $setup:tt {$($e:tt)*} $v:tt) => { compare! { $setup { $($e)* == 3 } } };
    (abs $setup:tt {$($e:tt)*} $v:tt) => { compare! { $setup { $($e)*.abs() } } };
    (borrowed $setup:tt {$($e:tt)*} $v:tt) => { compare! { $setup { *same(&$($e)*) } } };
    (mutably_borrowed $setup:tt {$($e:tt)*} {$($v:tt)*}) => { compare! { $setup {{ zero(&mut $($e)*); $($v)*.to_owned() }} } };
    (if $setup:tt {$($e:tt)*} $v:tt) => { compare! { $setup { if $($e)* > 1 { 1 } else { 0 } } } };
    (while $setup:tt {$($e:tt)*} $v:tt) => { compare! { $setup {{ let mut t = -9; while t < $($e)* { t += 1; } t }} } };
    (closure $setup:tt {$($e:tt)*} $v:tt) => { compare! { $setup {{ let g = || $($e)* * 5; g() }} } };
    (match $setup:tt {$($e:tt)*} $v:tt) => { compare! { $setup { match $($e)* { 3 => 1, n if n < 0 => 2, _ => 0 } } } };
    (argument $setup:tt {$($e:tt)*} $v:tt) => { compare! { $setup { twice($($e)*) } } };
    (let $setup:tt {$($e:tt)*} $v:tt) => { compare! { $setup {{ let part = $($e)*; part * 2 }} } };
    (total $setup:tt {$($e:tt)*} $v:tt) => { compare! { $setup {{ let mut t = 0; t += $($e)*; t -= 2 * $($e)*; t }} } };
    (macro $setup:tt {$($e:tt)*} $v:tt) => { compare! { $setup { format!("{}", $($e)*) } } };
    (owned $setup:tt {$($e:tt)*} $v:tt) => { compare! { $setup { $($e)*.to_owned() } } };
    (length $setup:tt {$($e:tt)*} $v:tt) => { compare! { $setup { $($e)*.len() } } };
    (reference $setup:tt {$($e:tt)*} $v:tt) => { compare! { $setup { same(&$($e)*).to_owned() } } };
    (equal_ranges $setup:tt {$($e:tt)*} $v:tt) => { compare! { $setup { &$($e)* == &$($e)* } } };
    (if_empty $setup:tt {$($e:tt)*} $v:tt) => { compare! { $setup { if $($e)*.is_empty() { 1 } else { 0 } } } };
    (let_range $setup:tt {$($e:tt)*} $v:tt) => { compare! { $setup {{ let part = &$($e)*; part.len() }} } };
    (macro_range $setup:tt {$($e:tt)*} $v:tt) => { compare! { $setup { format!("{:?}", &$($e)*) } } };
    ({$($setup:tt)*} {$($cell:tt)*}) => {
        let ours = { $($setup)* py!($($cell)*) };
        let rusts = { $($setup)* $($cell)* };
        assert_eq!(ours, rusts);
    };
}

macro_rules! compare_all {
    (vector $($cell:tt)*) => {
        compare_all! { map $($cell)* }
        compare_all! { $($cell)*: assigned increased doubled mutably_borrowed }
    };
    (map $($cell:tt)*) => {
        compare_all! { $($cell)*: value operand compared equal abs borrowed if while closure match argument let total macro }
    };
    (range $($cell:tt)*) => {
        compare_all! { $($cell)*: owned length reference equal_ranges if_empty let_range macro_range }
    };
    ($setup:tt $e:tt $v:tt: $($context:tt)*) => { $( compare! { $context $setup $e $v } )* };
}

/// Declares a test for each container for which brackets are Rust's.
macro_rules! rust_tests {
    ($($container:ident $class:ident $setup:tt $v:tt: [$($e:tt)*];)*) => { $(
        #[test]
        fn $container() {
            $( compare_all! { $class $setup $e $v } )*
        }
    )* };
}

rust_tests! {
    vec vector { let mut v = vec![3_i64, -1, 4, 1]; let u = 1_usize; } {v}: [{v[0]} {v[u]} {v[u + 1]} {v[1 + u]}];
    rust_array vector { let mut v = [3_i64, -1, 4, 1]; let u = 1_usize; } {v}: [{v[0]} {v[u]} {v[u + 1]} {v[1 + u]}];
    rust_slice vector { let mut a = [3_i64, -1, 4, 1]; let v = &mut a[..]; let u = 1_usize; } {v}:
        [{v[0]} {v[u]} {v[u + 1]} {v[1 + u]}];
    vec_in_a_vec vector { let mut v = vec![vec![3_i64, -1], vec![4, 1]]; let u = 1_usize; } {v}:
        [{v[0][1]} {v[u][0]} {v[u][u]}];
    array_in_an_array vector { let mut v = [[3_i64, -1], [4, 1]]; let u = 1_usize; } {v}: [{v[0][1]} {v[u][0]} {v[u][u]}];
    vec_in_a_field vector { let mut h = List { v: vec![3_i64, -1, 4] }; let u = 1_usize; } {h.v}:
        [{h.v[0]} {h.v[u]} {h.v[u + 1]}];
    vec_deque vector { let mut v = VecDeque::from([3_i64, -1, 4, 1]); let u = 1_usize; } {v}: [{v[0]} {v[u]} {v[u + 1]}];
    hash_map map { let v = HashMap::from([("a", 3_i64), ("b", -1)]); let name = "b"; } {v}: [{v["a"]} {v[name]}];
    b_tree_map map { let v = BTreeMap::from([("a", 3_i64), ("b", -1)]); let name = "b"; } {v}: [{v["a"]} {v[name]}];
    ranges_of_a_vec range { let v = vec![3_i64, -1, 4, 1]; let u = 1_usize; } {v}: [{v[1..]} {v[..u]} {v[u..=2]} {v[..]}];
    ranges_of_an_array range { let v = [3_i64, -1, 4, 1]; let u = 1_usize; } {v}: [{v[1..]} {v[..u]} {v[u..=2]} {v[..]}];
    ranges_of_a_string range { let v = String::from("text"); let u = 1_usize; } {v}: [{v[1..]} {v[..u]} {v[u..=2]} {v[..]}];
    ranges_of_a_str range { let v = "text"; let u = 1_usize; } {v}: [{v[1..]} {v[..u]} {v[u..=2]} {v[..]}];
}
