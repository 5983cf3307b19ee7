// s![n, a.len():usize::MAX, 1::step, n + 1:2 * m]
match (
    ::slice_core::__private::index(n) as ::core::primitive::i128,
    ::slice_core::__private::bound(a.len()),
    ::slice_core::__private::bound(usize::MAX),
    ::slice_core::__private::bound(step),
    ::slice_core::__private::integer(n + 1) as ::core::primitive::i128,
    ::slice_core::__private::integer(2 * m) as ::core::primitive::i128,
) {
    (__bound_0, __bound_1, __bound_2, __bound_3, __bound_4, __bound_5) => {
        match ::slice_core::__private::saturate_all([
            __bound_0,
            __bound_1.value() as ::core::primitive::i128,
            __bound_2.value() as ::core::primitive::i128,
            __bound_3.step() as ::core::primitive::i128,
            __bound_4,
            __bound_5,
        ]) {
            [__slice_0, __slice_1, __slice_2, __slice_3, __slice_4, __slice_5] => {
                ::slice_core::SliceSpec::<
                    _,
                    (
                        ::slice_core::kind::Index,
                        (
                            ::slice_core::kind::Range,
                            (::slice_core::kind::Range, (::slice_core::kind::Range, ())),
                        ),
                    ),
                >::__encoded(
                    [__slice_0, __slice_1, 1, __slice_4],
                    [__slice_0.saturating_add(1), __slice_2, 0, __slice_5],
                    [1, 1, __slice_3, 1],
                    0 | __bound_1.omits(2),
                    4 | __bound_2.omits(2),
                    0,
                    0,
                    1,
                )
            }
        }
    }
}
