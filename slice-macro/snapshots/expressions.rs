// s![n, a.len():usize::MAX, 1::step, n + 1:2 * m]
match (
    ::slice_core::expansion::bound(n).index_in_s() as _,
    ::slice_core::expansion::bound(a.len()).or_omitted_in_s(2),
    ::slice_core::expansion::bound(usize::MAX).or_omitted_in_s(2),
    ::slice_core::expansion::bound(step).stride_in_s() as _,
    ::slice_core::expansion::bound(n + 1).value_in_s() as _,
    ::slice_core::expansion::bound(2 * m).value_in_s() as _,
) {
    (
        __slice_0,
        (__slice_1, __omitted_1),
        (__slice_2, __omitted_2),
        __slice_3,
        __slice_4,
        __slice_5,
    ) => {
        match ::slice_core::expansion::saturate_all([
            __slice_0,
            __slice_1 as _,
            __slice_2 as _,
            __slice_3,
            __slice_4,
            __slice_5,
        ]) {
            [__slice_0, __slice_1, __slice_2, __slice_3, __slice_4, __slice_5] => {
                <::slice_core::SliceSpec<
                    _,
                    (
                        ::slice_core::kind::Index,
                        (
                            ::slice_core::kind::Range,
                            (::slice_core::kind::Range, (::slice_core::kind::Range, ())),
                        ),
                    ),
                >>::__encoded(
                    [__slice_0, __slice_1, 1, __slice_4],
                    [__slice_0.saturating_add(1), __slice_2, 0, __slice_5],
                    [1, 1, __slice_3, 1],
                    0 | __omitted_1,
                    4 | __omitted_2,
                )
            }
        }
    }
}
