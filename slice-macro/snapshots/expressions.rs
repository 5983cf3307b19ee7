// s![n, a.len():(usize::MAX), 1::step]
match ::slice_core::__private::saturate_all([
    ::slice_core::__private::integer(n) as ::core::primitive::i128,
    ::slice_core::__private::integer(a.len()) as ::core::primitive::i128,
    ::slice_core::__private::integer((usize::MAX)) as ::core::primitive::i128,
    ::slice_core::__private::integer(step) as ::core::primitive::i128,
]) {
    [__slice_0, __slice_1, __slice_2, __slice_3] => {
        ::slice_core::SliceSpec::<
            _,
            (
                ::slice_core::kind::Index,
                (::slice_core::kind::Range, (::slice_core::kind::Range, ())),
            ),
        >::__encoded(
            [__slice_0, __slice_1, 1],
            [__slice_0.saturating_add(1), __slice_2, 0],
            [1, 1, __slice_3],
            0,
            4,
            0,
            0,
            1,
        )
    }
}
