// s![$e * 2:, $e, -$e.pow(2)]
match ::slice_core::expansion::saturate_all([
    ::slice_core::expansion::bound((1 + 2) * 2).value_in_s() as _,
    ::slice_core::expansion::bound(1 + 2).index_in_s() as _,
    ::slice_core::expansion::opposite(
        ::slice_core::expansion::bound((1 + 2).pow(2)).negated_in_s() as _,
    ),
]) {
    [__slice_0, __slice_1, __slice_2] => {
        <::slice_core::SliceSpec<
            _,
            (
                ::slice_core::kind::Range,
                (::slice_core::kind::Index, (::slice_core::kind::Index, ())),
            ),
        >>::__encoded(
            [__slice_0, __slice_1, __slice_2],
            [0, __slice_1.saturating_add(1), __slice_2.saturating_add(1)],
            [1, 1, 1],
            0,
            1,
        )
    }
}
